#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""findings.py - how findings of "tessera run" are shown: findings.py TESSERA. Lines and columns are counted in the sources below; what is
wrong with them is in docs/faults.md, docs/utgard/findings.md and docs/a2xx/findings.md."""
import json
import os
import re
import sys
import unittest

from rig import DONE, USAGE, WRONG, Case

# `mov r0, ra1` reads what the instruction before it writes: line 4, column 5.
HAZARD = """.org 0x1000
shader:
    mov ra1, unif
    mov r0, ra1
    nop; thrend
    nop
    nop
uniforms:
    .word 42
.scene qpu shader uniforms 1
"""
# Two statements in a line: the one at column 19 is too early.
PAIR = HAZARD.replace("    mov ra1, unif\n    mov r0, ra1\n", "    mov ra1, unif; ; mov r0, ra1\n")
# A binning list that is not flushed: its first record is at line 6, column 3.
LIST = """.set Halt, 0
.org 0x40001000
bin_list:
  .byte 6
bin_end:
.scene bin bin_list bin_end
"""


class Places(Case):
    """The first line of a finding begins with FILE:LINE:COLUMN: of the source."""
    files = {"hazard.qasm": HAZARD}

    def first(self, *arguments, status=WRONG):
        result = self.call("run", *arguments)
        self.assertEqual(result.status, status, result.err)
        return result.err.splitlines()[0]

    def assemble(self, source, target):
        result = self.call("asm", "--no-check", "-o", target, source)
        self.assertEqual(result.status, DONE, result.err)

    def test_qpu(self):
        self.assemble("hazard.qasm", "hazard.elf")
        self.assertRegex(self.first("hazard.elf"), r"^hazard\.qasm:4:5: error: .* \[[a-z-]+\]$")

    def test_at_lines_follow(self):
        self.assemble("hazard.qasm", "hazard.elf")
        lines = self.call("run", "hazard.elf").err.splitlines()
        self.assertRegex(lines[1], r"^  at shader 0x00001000 <shader, hazard\.qasm:3>.*hazard\.qasm:4>")
        self.assertRegex(lines[2], r"^  hint: ")

    def test_below_the_current_folder(self):
        """What was assembled by an absolute path is named from the current folder, if it is below it."""
        self.assemble(os.path.join(self.folder, "hazard.qasm"), "hazard.elf")
        first = self.first("hazard.elf")
        self.assertTrue(first.startswith("hazard.qasm:4:5: ") or first.startswith(self.folder), first)

    def test_included(self):
        self.write("main.qasm", '.include "hazard.qasm"\n')
        self.assemble("main.qasm", "main.elf")
        self.assertRegex(self.first("main.elf"), r"^(\./)?hazard\.qasm:4:5: error: ")

    def test_jumped_out(self):
        """Where no instruction is, the program's first one is shown."""
        self.write("out.qasm", HAZARD.replace("    mov r0, ra1\n    nop; thrend\n", "    nop\n    bra -, 0x20000000\n    nop\n"))
        self.assemble("out.qasm", "out.elf")
        self.assertRegex(self.first("out.elf"), r"^out\.qasm:\d+:5: error: ")

    def test_without_lines(self):
        """An ELF file without a line table: the file that is run, as before."""
        self.assemble("hazard.qasm", "hazard.elf")
        bytes_ = self.read("hazard.elf").replace(b".debug_line", b".DEBUG_LINE")
        self.write("bare.elf", bytes_)
        self.assertRegex(self.first("bare.elf"), r"^bare\.elf: error: ")

    def test_json(self):
        self.assemble("hazard.qasm", "hazard.elf")
        found = json.loads(self.first("--json", "hazard.elf"))
        self.assertEqual([found[key] for key in ("file", "line", "column", "scene")], ["hazard.qasm", 4, 5, "hazard.elf"])

    def test_gp(self):
        self.write("branch.gp", """.varying out, 0, 1
.constant one, 1
    load.unif one; acc0.mov unif.x
    load.unif one; pass.mov unif.x; branch there
    nop
there:
      acc0.mov acc0[-2]; store0.varying out, acc0, _
""")
        self.assertRegex(self.first("--vertices", "1", "branch.gp", status=DONE), r"^branch\.gp:7:7: warning: ")

    def test_a2xx(self):
        with open(os.path.join(EXAMPLES, "a2xx-a0-clamped.a2xx"), encoding="ascii") as file:
            source = file.read()
        self.write("clamped.a2xx", source)
        first = self.call("run", "clamped.a2xx").err.splitlines()[0]
        found = re.match(r"clamped\.a2xx:(\d+):(\d+): warning: ", first)
        self.assertTrue(found, first)
        line = source.splitlines()[int(found[1]) - 1]
        self.assertNotEqual(line[int(found[2]) - 1], " ")
        self.assertEqual(line[:int(found[2]) - 1].strip("( S)"), "")


class Colours(Case):
    """As gcc has them: SGR 1 for places, 31 for errors, 35 for warnings, 36 for notes."""
    files = {"hazard.qasm": HAZARD}

    def test_not_in_pipes(self):
        for arguments in (["check", "hazard.qasm"], ["check", "--color=auto", "hazard.qasm"]):
            result = self.call(*arguments)
            self.assertNotIn("\033", result.out + result.err)


EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs", "a2xx_findings")

if __name__ == "__main__":
    unittest.main()
