#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""faults.py - each call that can fail does so in turn, for every verb, as SQLite's tests do it: faults.py TESSERA FAULTS [REPORTER],
FAULTS being the library of faults.c. After each, either all outputs are new and the status is what it is without the failure, or
all are as they were, the status says so, and standard error says why; no temporary file is left, and nothing crashes."""
import json
import os
import shutil
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
FILES = ("open", "fopen", "stream", "write", "fsync", "rename", "close", "chmod", "random")
HARMLESS = ("short", "exchange")
NO_DEVICE = 99  # the reporter's status, who says no more
MOST_OF_MEMORY = 60  # calls that are tried, of some hundreds


def chosen(count, most):
    """All numbers, or the first half of most and then some, evenly."""
    if count <= most:
        return range(1, count + 1)
    step = -(-(count - most // 2) // (most // 2))
    return [*range(1, most // 2 + 1), *range(most // 2 + step, count + 1, step)]


class Faults(Case):
    files = {"me.qasm": QASM, "shader.gp": PASS, "table.csv": TABLE + 3 * ROW, "number.a2xx": NUMBER,
             "bad.qasm": "mov ra0, 1\nmov r0, ra0\n" + QASM}
    only, statuses = "tessera", (0, 1, 2)

    def environment(self, counts, call="", number=0):
        return {**os.environ, "LD_PRELOAD": FAULTS, "FAULT_CALL": call, "FAULT_NUMBER": str(number), "FAULT_ALL": counts,
                "FAULT_ONLY": self.only, "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"}

    def run_with(self, arguments, outputs, call="", number=0):
        """Status, text of standard error, contents of the outputs, and how often each call was made."""
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
        """JSON: it says, or will say, what failed."""
        return status > 0 and content != OLD and json.loads(content) is not None

    def is_capture(self, content, status):
        """One without names, perhaps, which come from the program's own file, if it can be read."""
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

    def test_asm(self):
        self.every(["a.bin"], "asm", "-o", "a.bin", "me.qasm")
        self.every(["a.bin", "a.hex", "a.h", "a.o"], "asm", "-o", "a.bin", "-C", "a.hex", "-h", "a.h", "-e", "a.o", "me.qasm")

    def test_dis(self):
        self.write("code.hex", "0x009e7000, 0x300009e7\n")
        self.every(["o"], "dis", "-m", "qpu", "-o", "o", "code.hex")
        self.every(["o"], "dis", "-m", "qpu", "--json", "-o", "o", "code.hex")

    def test_check(self):
        self.every(["o"], "check", "-o", "o", "bad.qasm")
        for form in ("--json", "--sarif"):
            self.every(["o"], "check", form, "-o", "o", "bad.qasm", is_whole=self.is_document)

    def test_decode(self):
        self.every(["o"], "decode", "--threads", "1", "-o", "o", self.scene())

    def test_run(self):
        self.every(["o.png", "t", "c"], "run", "--threads", "1", "--stats", "-o", "o.png", "--trace", "t", "--capture", "c",
                   self.scene())

    def test_run_gp(self):
        self.every(["o", "v", "d"], "run", "--threads", "1", "--attributes", "table.csv", "--varying", "0=v,format=f32",
                   "--draw", "d", "-o", "o", "shader.gp")

    def test_run_a2xx(self):
        self.every(["o", "m", "d"], "run", "--threads", "1", "--vertices", "3", "--memory", "0x1000=m,size=16", "--draw", "d",
                   "-o", "o", "number.a2xx")

    @unittest.skipUnless(REPORTER, "no shim")
    def test_qpu(self):
        arguments = ("qpu", "--json", "--stats=s", "--trace", "t", "--", REPORTER, "return")
        self.every(["s", "t"], *arguments, memory=False)

    @unittest.skipUnless(REPORTER, "no shim")
    def test_qpu_inside(self):
        """The calls of the program's own process, which the shim makes."""
        self.only, self.statuses = os.path.basename(REPORTER), (0, 1, 2, NO_DEVICE)
        self.every(["c"], "qpu", "--capture", "c", "--", REPORTER, "return", is_whole=self.is_capture)


if __name__ == "__main__":
    unittest.main()
