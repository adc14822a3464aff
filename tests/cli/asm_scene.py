#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""asm_scene.py - tests errors in ".scene" lines: asm_scene.py TESSERA. "asm" and "check" must report the line and
column in the source, and suggest a correction. docs/scene.md lists the steps."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TESSERA = os.path.abspath(sys.argv.pop(1))
DONE, WRONG, USAGE = 0, 1, 2

PROGRAM = """.org 0x1000
shader: nop; thrend
nop
nop
uniforms: .int 1
buffer: .space 64
.set WIDTH, 4
"""

# Line, rule, column, words of the hint. Columns are counted by hand.
MISTAKES = [
    (".scene qup shader uniforms", "scene-step", 8, "'qpu'"),
    (".scene frobnicate", "scene-step", 8, "docs/scene.md"),
    (".scene qpu shadr uniforms 1", "scene-symbol", 12, "'shader'"),
    ("   .scene  qpu shader uniform 1", "scene-symbol", 23, "'uniforms'"),
    (".scene qpu shader", "scene-syntax", 8, None),
    (".scene qpu shader uniforms 0", "scene-number", 28, None),
    (".scene image buffer WIDTH 4 rgba888 raster a.png", "scene-name", 29, "'rgba8888'"),
    (".scene image buffer WIDTH 4 rgba8888 rastr a.png", "scene-name", 38, "'raster'"),
    (".scene image buffer WIDTH 4 yuv raster a.png", "scene-name", 29, "bgr565"),
    (".scene image buffer 0 4 rgba8888 raster a.png", "scene-number", 21, None),
    (".scene dump buffer 4 U32 a.csv", "scene-name", 22, "'u32'"),
    (".scene dump buffer 17 u32 a.csv", "scene-unmapped", 13, ".space"),
    (".scene dump buffer 4 u32 \"a.csv", "scene-syntax", 26, None),
    (".scene write V3D_CT0AC 1", "scene-name", 14, "'V3D_CT0CA'"),
    (".scene bin shader shader", "scene-empty-list", 19, None),
]


class Steps(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, text, name="scene.qasm"):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def call(self, *arguments):
        return subprocess.run([TESSERA, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=60, check=False)

    def test_mistakes(self):
        for line, rule, column, hint in MISTAKES:
            source = self.write(PROGRAM + line + "   # comment\n")
            place = "scene.qasm:8:%d: error: " % column
            for options in (["asm", "-o", "s.elf"], ["asm", "--no-check", "-o", "s.elf"], ["asm", "-f", "hex"], ["check"]):
                done = self.call(*options, source)
                self.assertEqual(done.returncode, WRONG, (line, done.stderr))
                self.assertIn(place, done.stderr, line)
                self.assertIn("[%s]" % rule, done.stderr, line)
                if hint:
                    self.assertIn(hint, done.stderr.split("hint: ")[1], line)
            self.assertFalse(os.path.exists(os.path.join(self.folder, "s.elf")))
            found = json.loads(self.call("check", "--json", source).stdout)["findings"]
            self.assertIn((rule, 8, column), [(f["rule"], f.get("line"), f.get("column")) for f in found])

    def test_all_at_once(self):
        lines = [line for line, _, _, _ in MISTAKES if "\"" not in line]
        done = self.call("asm", "-o", "s.elf", self.write(PROGRAM + "\n".join(lines) + "\n"))
        for number in range(len(lines)):
            self.assertIn("scene.qasm:%d:" % (8 + number), done.stderr)

    def test_macros_and_files(self):
        """The message must have the line in the macro and the line in the included file. Notes must have the chain
        of expansions."""
        self.write(".macro m, a\n.scene dump buffer 4 \\a x.csv\n.endm\n", "m.qinc")
        done = self.call("asm", "-o", "s.elf", self.write('.include "m.qinc"\n' + PROGRAM + "m u33\n"))
        self.assertEqual(done.returncode, WRONG)
        self.assertIn("m.qinc:2: error: 'u33' is not a value type", done.stderr)
        self.assertIn("scene.qasm:9: note: in the expansion of macro 'm'", done.stderr)

    def test_right(self):
        good = PROGRAM + ".scene qpu shader uniforms 1\n.scene image buffer WIDTH 4 rgba8888 raster a.png\n" \
                         ".scene dump buffer+4 15 u32 \"a b.csv\"\n"
        done = self.call("asm", "-o", "s.elf", self.write(good))
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertEqual(self.call("run", "s.elf").returncode, DONE)

    def test_captured(self):
        """Steps of a capture refer to bytes that a source cannot provide. The assembler must only warn, so that the
        output of "dis" can be assembled."""
        done = self.call("asm", "-o", "s.elf", self.write(PROGRAM + ".scene data buffer 0 4\n"))
        self.assertEqual(done.returncode, DONE)
        self.assertIn("scene.qasm:8:20: warning: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
