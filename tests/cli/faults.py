#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""faults.py - lets each call that can fail do so once, for every verb, as SQLite's tests do: faults.py TESSERA FAULTS
[REPORTER], where FAULTS is the library of faults.c. After each failure there are two valid results.
Either all outputs are new and the status is that of a run without failure. Or all outputs are unchanged, the status
is an error, and standard error has the reason. In both cases no temporary file remains, and no process crashes."""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

FAULTS = os.path.abspath(sys.argv.pop(2))
REPORTER = os.path.abspath(sys.argv.pop(2)) if len(sys.argv) > 2 and os.path.exists(sys.argv[2]) else None

import rig
from output import NUMBER, PASS, QASM, ROW, TABLE, Case
from rig import TESSERA

OLD = b"old content\n"
# A kernel that allocates a framebuffer of 16x16 pixels by mailbox tags 0x48003, 0x48004, 0x48005 and 0x40001, and ends.
KERNEL = struct.pack("<32I",
    0xe59f000c, 0xe28f1014, 0xe3811008, 0xe5801000, 0xeafffffe, 0x2000b8a0, 0xe320f000, 0xe320f000, 0x60, 0x0, 0x48003,
    0x8, 0x8, 0x10, 0x10, 0x48004, 0x8, 0x8, 0x10, 0x10, 0x48005, 0x4, 0x4, 0x20, 0x40001, 0x8, 0x4, 0x10, 0x0, 0x0,
    0x0, 0x0)
ENGINE = os.path.join(os.path.dirname(TESSERA), "src/board/arm/unicorn/libtessera-arm.so")  # of tessera pi

# Name of a test: its outputs and its command. Commands that start a shim are not tested with failing memory, because
# they allocate too often.
COMMANDS = {
    "asm": (["a.bin"], ["asm", "-o", "a.bin", "me.qasm"]),
    "asm_all": (["a.bin", "a.hex", "a.h", "a.o"],
                ["asm", "-o", "a.bin", "-C", "a.hex", "-h", "a.h", "-e", "a.o", "me.qasm"]),
    "asm_c": (["a.c", "a.h"], ["asm", "-c", "a.c", "-H", "a.h", "me.qasm"]),
    "dis": (["o"], ["dis", "-m", "qpu", "-o", "o", "code.hex"]),
    "dis_json": (["o"], ["dis", "-m", "qpu", "--json", "-o", "o", "code.hex"]),
    "check": (["o"], ["check", "-o", "o", "bad.qasm"]),
    "check_json": (["o"], ["check", "--json", "-o", "o", "bad.qasm"]),
    "check_sarif": (["o"], ["check", "--sarif", "-o", "o", "bad.qasm"]),
    "check_baseline": (["o", "b"], ["check", "--write-baseline", "--baseline", "b", "-o", "o", "bad.qasm"]),
    "decode": (["o"], ["decode", "--threads", "1", "-o", "o", "{scene}"]),
    "decode_judged": (["o", "b", "f"], ["decode", "--threads", "1", "--write-baseline", "--baseline", "b", "--format", "sarif",
                                        "--findings", "f", "-o", "o", "{scene}"]),
    "run": (["o.png", "t", "c"], ["run", "--threads", "1", "--stats", "-o", "o.png", "--trace", "t", "--capture", "c", "{scene}"]),
    "run_judged": (["o.png", "b", "f"], ["run", "--threads", "1", "--write-baseline", "--baseline", "b", "--format", "junit",
                                         "--findings", "f", "-o", "o.png", "{scene}"]),
    "run_gp": (["o", "v", "d"], ["run", "--threads", "1", "--attributes", "table.csv", "--varying", "0=v,format=f32", "--draw", "d",
                                 "-o", "o", "shader.gp"]),
    "run_gp_judged": (["o", "b", "f", "t"], ["run", "--threads", "1", "--attributes", "table.csv", "--write-baseline", "--baseline",
                                             "b", "--format", "github", "--findings", "f", "--trace", "t", "-o", "o", "shader.gp"]),
    "run_a2xx": (["o", "m", "d"], ["run", "--threads", "1", "--vertices", "3", "--memory", "0x1000=m,size=16", "--draw", "d", "-o",
                                   "o", "number.a2xx"]),
}
SHIM_COMMANDS = {
    "qpu": (["s", "t"], ["qpu", "--json", "--stats=s", "--trace", "t", "--", "{reporter}", "return"]),
    "qpu_baseline": (["s", "b"], ["qpu", "--json", "--stats=s", "--write-baseline", "--baseline", "b", "--", "{reporter}", "return"]),
    "qpu_findings": (["f"], ["qpu", "--format", "sarif", "--findings", "f", "--", "{reporter}", "return"]),
    "gl_findings": (["f"], ["gl", "--driver", "{mesa}", "--format", "junit", "--findings", "f", "--", "/bin/true"]),
    "pi": (["o.png", "u", "s", "c", "b", "g"], ["pi", "--uart", "u", "--audio", "s", "--capture", "c", "-o", "o.png", "--frames", "frames",
                                                "--gpio-log", "g", "--write-baseline", "--baseline", "b", "kernel.img"]),
    "gl": (["s", "b"], ["gl", "--driver", "{mesa}", "--stats=s", "--write-baseline", "--baseline", "b", "--", "/bin/true"]),
}
# Options that name a file or folder to be read.
READ = {"--include", "--pre-include", "--config", "--driver", "--source", "--attribute", "--attributes", "--uniforms", "--indices",
        "--texture", "--buffer", "--constants", "--dtb", "--initrd", "--card", "--input", "--expect-frame"}
# Options whose files the process under the shim writes, with the tests of these options.
INSIDE = {("qpu", "--capture"): "test_qpu_inside", ("gl", "--capture"): "tests/shim/drm/jobs/capture.c",
          ("gl", "--hang"): "tests/shim/drm/jobs/hang.c", ("gl", "--frames"): "tests/shim/drm/display.py"}
FILES = ("open", "fopen", "stream", "write", "fsync", "rename", "close", "chmod", "random")
HARMLESS = ("short", "exchange")
NO_DEVICE = 99  # status of the reporter if there is no device; it prints nothing
MOST_OF_MEMORY = 60  # number of failing calls to try, of up to some hundreds


def chosen(count, most):
    """Returns all numbers up to count. If count exceeds most, returns most numbers: half of them are the first ones,
    and the others are evenly spaced."""
    if count <= most:
        return range(1, count + 1)
    step = -(-(count - most // 2) // (most // 2))
    return [*range(1, most // 2 + 1), *range(most // 2 + step, count + 1, step)]


class Faults(Case):
    files = {"me.qasm": QASM, "shader.gp": PASS, "table.csv": TABLE + 3 * ROW, "number.a2xx": NUMBER,
             "kernel.img": KERNEL, "bad.qasm": "mov ra0, 1\nmov r0, ra0\n" + QASM, "code.hex": "0x009e7000, 0x300009e7\n"}
    only, statuses = "tessera", (0, 1, 2)

    def environment(self, counts, call="", number=0):
        return {**os.environ, "LD_PRELOAD": FAULTS, "FAULT_CALL": call, "FAULT_NUMBER": str(number), "FAULT_ALL": counts,
                "FAULT_ONLY": self.only, "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"}

    def run_with(self, arguments, outputs, call="", number=0):
        """Runs a command. Returns its status, its standard error, the contents of its outputs, and the number of
        calls of each function."""
        for name in outputs:
            self.write(name, OLD)
        counts = tempfile.mkdtemp()
        done = subprocess.run([TESSERA, *arguments], env=self.environment(counts, call, number), cwd=self.folder,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=rig.SECONDS, check=False)
        made = {}
        for name in os.listdir(counts):
            with open(os.path.join(counts, name), encoding="utf-8") as file:
                for line in file:
                    key, value = line.split()
                    made[key] = max(made.get(key, 0), int(value))
        shutil.rmtree(counts)
        return done.returncode, done.stderr.decode(), [self.read(name) for name in outputs], made

    def is_document(self, content, status):
        """Returns true for JSON that reports the failure."""
        return status > 0 and content != OLD and json.loads(content) is not None

    def is_capture(self, content, status):
        """Returns true for a capture. It may lack names, because the program's own file with the names can be
        unreadable."""
        self.write("c", content)
        return status == 0 and self.call("run", "c").status == 0

    def every(self, outputs, *arguments, memory=True, is_whole=None):
        usual, error, new, made = self.run_with(arguments, outputs)
        self.assertGreaterEqual(usual, 0, error)
        self.assertNotIn(OLD, new, error)
        self.assertGreater(made["close"], 0, "nothing is counted")
        before = self.names()
        for call in (*FILES, *HARMLESS, *(["memory"] if memory else [])):
            for number in chosen(made[call], MOST_OF_MEMORY):
                status, error, got, _ = self.run_with(arguments, outputs, call, number)
                what = (arguments, call, number, status, error)
                self.assertEqual(self.names(), before, what)
                self.assertIn(status, self.statuses, what)
                if call in HARMLESS:
                    self.assertEqual(status, usual, what)
                if got != new and not (is_whole and is_whole(got[0], status)):
                    self.assertEqual(got, len(outputs) * [OLD], what)
                    self.assertGreater(status, 0, what)
                    self.assertTrue(error or status == NO_DEVICE, what)

    def arguments(self, command):
        """Returns a command of the table, in which each "{...}" is replaced by a file."""
        names = {"{scene}": "s.elf", "{reporter}": REPORTER or "", "{mesa}": "mesa"}
        return [names.get(word, word) for word in command]

    def prepare(self, command):
        if "{scene}" in command:
            self.scene()
        if "{mesa}" in command:
            self.mesa()

    def mesa(self):
        """Creates a folder that looks like a Mesa with vc4. "tessera gl" only looks for files and checks their
        processor."""
        for name in "lib/dri/vc4_dri.so", "lib/libEGL_mesa.so.0":
            os.makedirs(os.path.join(self.folder, "mesa", os.path.dirname(name)), exist_ok=True)
            shutil.copy(FAULTS, os.path.join(self.folder, "mesa", name))
        os.makedirs(os.path.join(self.folder, "mesa/share/glvnd/egl_vendor.d"))
        self.write("mesa/share/glvnd/egl_vendor.d/50_mesa.json", "{}")

    def tree(self, folder):
        """Returns the files below a folder with their contents. Returns None if the folder does not exist."""
        top = os.path.join(self.folder, folder)
        found = {}
        for path, _, names in os.walk(top):
            for name in names:
                with open(os.path.join(path, name), "rb") as file:
                    found[os.path.relpath(os.path.join(path, name), top)] = file.read()
        return found if os.path.isdir(top) else None

    def every_folder(self, *arguments):
        """A verb that writes a folder must leave all files of the folder, or no folder."""
        usual, error, _, made = self.run_with(arguments, [])
        whole, empty = self.tree("folder"), None
        self.assertEqual(usual, 0, error)
        self.assertGreater(len(whole), 1)
        for call in (*FILES, *HARMLESS, "memory"):
            for number in chosen(made[call], MOST_OF_MEMORY):
                shutil.rmtree(os.path.join(self.folder, "folder"), ignore_errors=True)
                status, error, _, _ = self.run_with(arguments, [], call, number)
                what = (arguments, call, number, status, error)
                self.assertIn(status, self.statuses, what)
                self.assertEqual(self.tree("folder"), whole if status == 0 else empty, what)
                self.assertTrue(error, what)

    def test_new(self):
        for kind in "qpu", "gp":
            self.every_folder("new", kind, "folder")
            shutil.rmtree(os.path.join(self.folder, "folder"), ignore_errors=True)

    def test_tutorial(self):
        self.every_folder("tutorial", "gp", "folder")

    @unittest.skipUnless(REPORTER, "no shim")
    def test_qpu_inside(self):
        """Tests the calls that the shim makes in the process of the program."""
        self.only, self.statuses = os.path.basename(REPORTER), (0, 1, 2, NO_DEVICE)
        self.every(["c"], "qpu", "--capture", "c", "--", REPORTER, "return", is_whole=self.is_capture)


class Listed(Case):
    """The tables must contain every verb of the program's help, and every option that names a file."""
    FILE = re.compile(r"^ +(?:(-[A-Za-z]), )?(--[a-z-]+)(?:\[=| |=)\S*(?:FILE|OUT|DIR)")
    CLASSES = {"new": Faults.test_new, "tutorial": Faults.test_tutorial}

    def verbs(self):
        lines = self.call("--help").out.splitlines()
        return [line.split()[0] for line in lines if re.match(r"  [a-z]+ +[a-z]", line)]

    def options(self, verb):
        """Yields both names of each option that names a file."""
        for line in self.call(verb, "--help").out.splitlines():
            match = self.FILE.match(line)
            if match:
                yield match[1], match[2]

    def test_verbs(self):
        verbs = self.verbs()
        self.assertIn("run", verbs)
        used = {command[0] for _, command in [*COMMANDS.values(), *SHIM_COMMANDS.values()]} | set(self.CLASSES)
        self.assertEqual(set(verbs) - used, {"help"})

    def test_options(self):
        commands = [command for _, command in [*COMMANDS.values(), *SHIM_COMMANDS.values()]]
        used = {(command[0], word.split("=")[0]) for command in commands for word in command[1:] if word.startswith("-")}
        count = 0
        for verb in self.verbs():
            for short, long in self.options(verb):
                known = long in READ or (verb, long) in INSIDE or (verb, long) in used or (verb, short) in used
                self.assertTrue(known, f"tessera {verb} {long}: no command here lets each call fail")
                count += 1
        self.assertGreater(count, 40)


def _every(outputs, command, memory):
    def test(self):
        if command[0] in ("qpu", "gl") and not REPORTER:
            self.skipTest("no shim")
        if command[0] == "pi" and not os.path.exists(ENGINE):
            self.skipTest("no engine of ARM cores")
        self.prepare(command)
        form = {"--json": self.is_document, "--sarif": self.is_document}
        documents = [form[word] for word in command if word in form and command[0] == "check"]
        self.every(outputs, *self.arguments(command), memory=memory, is_whole=documents[0] if documents else None)
    return test


for _name, (_outputs, _command) in COMMANDS.items():
    setattr(Faults, "test_command_" + _name, _every(_outputs, _command, True))
for _name, (_outputs, _command) in SHIM_COMMANDS.items():
    setattr(Faults, "test_command_" + _name, _every(_outputs, _command, False))

if __name__ == "__main__":
    unittest.main()
