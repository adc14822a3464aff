#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""diagnostics.py - tests that each id that is printed in brackets has an explanation, and that the examples of the
explanations are true: diagnostics.py TESSERA SOURCES. The ids are the string literals of the sources that look like
ids, except for options and other words."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

TESSERA = os.path.abspath(sys.argv.pop(1))
SOURCES = os.path.abspath(sys.argv.pop(1))
LITERAL = re.compile(r'"([a-z][a-z0-9]*(?:-[a-z0-9]+)+)"')
RULE = re.compile(r'\.rule = (?:[a-z_]+ \? )?"([^"]+)"')
VERBS = ("asm", "dis", "check", "run", "decode", "qpu", "gl", "pi", "new")

# Words with a dash that are not ids: names of systems, files, kernel properties and values.
WORDS = set("""aarch64-linux-gnu arm-linux-gnueabihf i386-linux-gnu x86-64 qemu-aarch64 qemu-arm qemu-i386 initial-exec system-out
    link-status non-desktop reflect-x reflect-y rotate-0 rotate-180 rotate-90 rotate-270 vc4-drm vc4-v3d
    tessera-bo tessera-drm-card0 tessera-names tessera-physical-memory tessera-scratch tessera-window
    counter-clockwise line-strip half-border mirror-once wrap-r wrap-s wrap-t c-file header-extern
    serial-number stand-by fused-muladd keep-denormals nan-wins zero-times-inf-is-zero fail-on max-messages warnings-as-errors relay-only""".split())
ENDINGS = {"qpu": ".qasm", "gp": ".gp", "a2xx": ".a2xx", "scene": ".qasm"}
# Ids whose examples need the board's kernel driver or a damaged binary file. The examples cannot be run here. Other
# tests cover these ids.
TEXTS = ("drm-", "hang-", "elf-", "a2xx-size", "a2xx-program-gap", "gp-program-gap", "gp-interface", "a2xx-interface", "expect-met",
         "run-buffer", "run-overlap", "scene-memory", "scene-steps", "scene-work", "source-", "gpu-unused")


def explanation(name):
    done = subprocess.run([TESSERA, "check", "--explain", name, "--json"], capture_output=True, text=True, timeout=60, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def ids():
    """Returns the output of "tessera help --ids" as a list."""
    done = subprocess.run([TESSERA, "help", "--ids"], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.split()


def sources():
    for folder, _, names in os.walk(SOURCES):
        for name in names:
            if name.endswith((".c", ".h")):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    yield name, file.read()


def options():
    text = "".join(subprocess.run([TESSERA, verb, "--help", *more], capture_output=True, text=True, timeout=60, check=False).stdout
                   for verb in VERBS for more in ([], ["-m", "gp"], ["-m", "a2xx"]))
    return set(re.findall(r"--([a-z0-9-]+)", text))


def lines_of(kind, text, folder):
    """Returns the command that runs an example."""
    if kind == "commands":
        return ["sh", "-c", text]
    name = "program" + ENDINGS[kind]
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)
    return [TESSERA, "run", name] if kind == "scene" else [TESSERA, "asm", "-f", "hex", name]


def printed(found, text, *more):
    """Returns the whole output of the command for an example."""
    folder = tempfile.mkdtemp()
    try:
        os.mkdir(os.path.join(folder, "bin"))
        os.symlink(TESSERA, os.path.join(folder, "bin", "tessera"))
        for name in ("p.gp", "scene.qasm"):
            if name in found:
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(found[name])
        path = os.path.join(folder, "bin") + os.pathsep + os.environ["PATH"]
        done = subprocess.run(lines_of(found["kind"], text, folder) + list(more), capture_output=True, timeout=300, cwd=folder,
                              check=False, env=dict(os.environ, PATH=path))
        return (done.stdout + done.stderr).decode(errors="replace")
    finally:
        shutil.rmtree(folder)


def each(check, items):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(check, items):
            pass


class Diagnostics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            known = list(pool.map(explanation, ids()))
        # cli/examples.py tests the examples of rules and findings.
        cls.rows = [found for found in known if found and "wrong" in found and "instead" not in found]

    def test_every_id_is_explained(self):
        listed, known = set(ids()), options() | WORDS
        for name, text in sources():
            for word in set(LITERAL.findall(text)) - known:
                self.assertIn(word, listed, "%s: '%s' is neither in src/front/diagnostics.def nor a word that is no id" % (name, word))
            for word in set(RULE.findall(text)):
                self.assertIn(word, listed, "%s: '%s' has no explanation" % (name, word))

    def test_every_id_says_what_and_why(self):
        def check(name):
            done = subprocess.run([TESSERA, "help", name], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 0, name)
            self.assertGreaterEqual(len(done.stdout.splitlines()), 4, name)

        each(check, ids())

    def test_texts(self):
        for found in self.rows:
            if found["kind"] == "text":
                self.assertTrue(found["id"].startswith(TEXTS), found["id"])

    def check_row(self, found):
        where = "[%s]" % found["id"]
        wrong, right = printed(found, found["wrong"]), printed(found, found["right"])
        self.assertRegex(wrong, "%s: .*%s" % (found["severity"], re.escape(where)))
        self.assertNotIn(where, right, found["id"])
        self.assertNotIn("error: ", right, found["id"])

    def test_examples(self):
        each(self.check_row, [found for found in self.rows if found["kind"] != "text"])

    def test_switches(self):
        """An option can switch off warnings and notes of the assembler, or change their level to note, warning or
        error. It cannot change errors."""
        sources = [found for found in self.rows if found["kind"] in ("qpu", "gp", "a2xx")]
        errors = [found for found in sources if found["severity"] == "error"][::10]
        for found in errors + [found for found in sources if found["severity"] != "error"]:
            where = "[%s]" % found["id"]
            off = printed(found, found["wrong"], "-W", found["id"] + "=off")
            if found["severity"] == "error":
                self.assertIn(where, off)
                continue
            self.assertNotIn(where, off)
            for level in ("note", "warning", "error"):
                text = printed(found, found["wrong"], "-W", "%s=%s" % (found["id"], level))
                self.assertRegex(text, "%s: .*%s" % (level, re.escape(where)))


if __name__ == "__main__":
    unittest.main()
