#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""asm_hints.py - tests messages and hints for common slips in every dialect: asm_hints.py TESSERA. The slips are
misspelt names, upper case, labels without a colon, a missing ';', and blocks without an end."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TESSERA = os.path.abspath(sys.argv.pop(1))
TILES = "state_address=0, allocation_address=0, allocation_size=4096, height=1\n"
CLAUSE = "EXEC_END ADDR(1) CNT(1)\n"

# File ending, source, place of the first error, words of the message or hint.
SLIPS = [
    (".qasm", "mov r0, unfi\n", "1:9", "did you mean unif?"),
    (".qasm", "mov r0, UNIF\n", "1:9", "did you mean unif?"),
    (".qasm", "mov vmp, r0\n", "1:5", "did you mean vpm?"),
    (".qasm", "MOV r0, r1\n", "1:1", "did you mean mov?"),
    (".qasm", "nop; Fadd r0, r1, r2\n", "1:6", "did you mean fadd?"),
    (".qasm", "mov r0, r1; thrnd\n", "1:13", "did you mean thrend?"),
    (".qasm", "mov.ifzz r0, r1\n", "1:4", "did you mean .ifz?"),
    (".qasm", "brr.anyzz -, 0\n", "1:4", "did you mean .anyz?"),
    (".qasm", "mov r0.ifx, r1\n", "1:8", "did you mean .ifz?"),
    (".qasm", "brr -, :lopo\nloop: nop\n", "1:9", "did you mean loop?"),
    (".qasm", "nop\nloop\nnop\n", "2:1", "end a label with a colon: loop:"),
    (".qasm", "loop mov r0, unif\n", "1:1", "end a label with a colon: loop:"),
    (".qasm", "mov r0, r1 mov r2, r3\n", "1:12", "separate operations by ';'"),
    (".qasm", "ldi r0, 5 ldi r1, 5\n", "1:11", "separate operations by ';'"),
    (".qasm", "fadd r0, r1, r2 fmul r2, r3, r0\n", "1:17", "separate operations by ';'"),
    (".qasm", "mov r0, r1; nop thrend\n", "1:17", "separate operations by ';'"),
    (".qasm", ".if 1\nnop\n", "1:1", ".endif"),
    (".qasm", "nop\n.if 0\nnop\n.else\nnop\n", "2:1", ".if without .endif"),
    (".qasm", ".macro m\nnop\n", "1:1", ".macro without .endm"),
    (".qasm", ".IF 1\n", "1:1", "did you mean .if?"),
    (".qasm", ".wrod 1\n", "1:1", "did you mean .word?"),
    (".qasm", ".int sine(1)\n", "1:6", "did you mean sin?"),
    (".qasm", ".float sqtr(2)\n", "1:8", "did you mean sqrt?"),
    (".qasm", ".func half(x)\nx / 2\n.endf\n.int hafl(4)\n", "4:6", "did you mean half?"),
    (".qasm", "cl.flsuh\n", "1:1", "did you mean 'cl.flush'?"),
    (".qasm", "cl.configuration_bits forwrd\n", "1:23", "did you mean 'forward'?"),
    (".qasm", "CL.flush\n", "1:1", "lower case"),
    (".qasm", "MOV\n", "1:1", "did you mean mov?\n"),
    (".qasm", "mov r0, r1 ; the comment\n", "1:14", "begin comments with # or //"),
    (".qasm", "mov r0, r1 ;comment\n", "1:13", "begin comments with # or //"),
    (".qasm", "; the whole line\n", "1:3", "begin comments with # or //"),
    (".qasm", "nop\n; add the values\n", "2:7", "begin comments with # or //"),
    (".qasm", "mov r0, r1 ; read the uniform\n", "1:19", "begin comments with # or //"),
    (".qasm", "fadd r0, r1, 3.0\n", "1:14", "3.0 is not a small immediate: floats are powers of 2, from 1/256 to 128.0"),
    (".qasm", "fadd r0, r1, 3.0\n", "1:14", "hint: load the number into a register first (ldi r3, 3.0)"),
    (".qasm", "fadd r0, r1, 0.1\n", "1:14", "(ldi r3, 0.1)"),
    (".qasm", "fadd r0, r1, -1.0\n", "1:14", "(ldi r3, -1.0)"),
    (".qasm", "add r0, r0, 100\n", "1:13", "100 is not a small immediate: whole numbers are -16 to 15"),
    (".gp", "load.unif 0; acc0.mov unfi.x\n", "1:23", "did you mean unif?"),
    (".gp", "load.unf 0; acc0.mov unif.x\n", "1:1", "did you mean load.unif?"),
    (".gp", "LOAD.unif 0; acc0.mov unif.x\n", "1:1", "did you mean load.unif?"),
    (".gp", "load.unif 0 acc0.mov unif.x\n", "1:13", "separate slots by ';'"),
    (".gp", "loop\nnop\n", "1:1", "end a label with a colon: loop:"),
    (".gp", "loop load.unif 0; acc0.mov unif.x\n", "1:1", "end a label with a colon: loop:"),
    (".gp", ".attribue a, 0\nnop\n", "1:1", "did you mean .attribute?"),
    (".gp", ".if 1\nnop\n", "1:1", ".endif"),
    (".a2xx", CLAUSE + "ALU: MXAv export0 = R0, R0\n", "2:6", "did you mean MAXv?"),
    (".a2xx", CLAUSE + "ALU: maxv export0 = R0, R0\n", "2:6", "did you mean MAXv?"),
    (".a2xx", CLAUSE + "ALU: MAXv exprot0 = R0, R0\n", "2:11", "did you mean export0?"),
    (".a2xx", CLAUSE + "ALU: MAXv export0 = r0, c5\n", "2:21", "did you mean R0?"),
    (".a2xx", "EXEC_EDN\n", "1:1", "did you mean EXEC_END?"),
    (".a2xx", "EXEC_END ADR(1)\n", "1:10", "did you mean ADDR?"),
    (".a2xx", "EXEC_END\nFETCH: SAMPLE R0.xyz = R0.xyx CNST(0)\n", "2:31", "did you mean CONST?"),
    (".a2xx", "loop\nEXEC_END\n", "1:1", "end a label with a colon: loop:"),
    (".a2xx", CLAUSE + "MAXv export0 = R0, R0\n", "2:1", "ALU:"),
    (".a2xx", "@unifrom(C0) x\n", "1:2", "did you mean uniform?"),
]


# File ending, wrong source, words of the hint, and the source after a user has followed the hint.
FOLLOWED = [
    (".qasm", "fadd r0, r1, 3.0\n", "ldi r3, 3.0", "ldi r3, 3.0\nfadd r0, r1, r3\n"),
    (".qasm", "add r0, r0, 100\n", "ldi r3, 100", "ldi r3, 100\nadd r0, r0, r3\n"),
    (".qasm", "mov r0, r1 ; the rest\n", "begin comments with # or //", "mov r0, r1 # the rest\n"),
    (".qasm", "; add the rest\n", "begin comments with # or //", "// add the rest\n"),
    (".qasm", "mov.ifz.ifn r0, r1\n", "keep one of the conditions", "mov.ifz r0, r1\n"),
    (".qasm", "mov.setf.setf r0, r1\n", ".setf once", "mov.setf r0, r1\n"),
    (".qasm", "brr.allz.anyz -, 8\n", "keep one of the conditions", "brr.allz -, 8\n"),
    (".qasm", "brr -, 1.5\n", "write brr -, :LABEL", "x: brr -, :x\n"),
    (".qasm", "bra -, ra2.16a\n", "write the register without a suffix", "bra -, ra2\n"),
    (".qasm", "bra -, ra2, ra4\n", "add the registers first", "add ra2, r0, r1\nnop\nbra -, ra2\n"),
    (".qasm", "sacq -, srel3\n", "write sacqN or N for sacq", "sacq -, sacq3\n"),
    (".qasm", "ldipes r0, [3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]\n", "unsigned ones by ldipeu",
     "ldipeu r0, [3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]\n"),
    (".qasm", "ldi r0, [1, 2]\n", "write 16 numbers", "ldi r0, [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]\n"),
    (".qasm", "read ra1 >> 3\n", "write mov TARGET, REGISTER >> N", "mov r0, ra1 >> 3\n"),
    (".qasm", "read r1\n", "as a source of an operation", "mov r0, r1\n"),
    (".qasm", "ldi r0, 0x1ffffffff\n", "from -0x80000000 to 0xffffffff", "ldi r0, 0xffffffff\n"),
    (".qasm", "mov -.8a, r0\n", "leave the suffix out", "mov -, r0\n"),
    (".qasm", "mov r0\n", "write the target first", "mov r0, r1\n"),
    (".qasm", "mov r0,\n", "write the target first", "mov r0, r1\n"),
    (".qasm", "read ra1; read ra2; read ra3; read ra4; read ra5\n", "put some of the reads into another line", "read ra1\nread ra5\n"),
    (".qasm", "cl.tile_binning_mode auto_initialise=yes, width=1, " + TILES, "auto_initialise=on",
     "cl.tile_binning_mode auto_initialise=on, width=1, " + TILES),
    (".qasm", "cl.tile_binning_mode auto_initialise 1, width=1, " + TILES, "auto_initialise alone",
     "cl.tile_binning_mode auto_initialise, width=1, " + TILES),
    (".qasm", "cl.tile_binning_mode width 1, " + TILES, "width=NUMBER",
     "cl.tile_binning_mode width=1, " + TILES),
    (".gp", "load.attr 0; acc0.mov attr.x\nstore0.varying 0, acc0, _\n", "begin the line with ';'",
     "load.attr 0; acc0.mov attr.x\n; store0.varying 0, acc0, _\n"),
    (".a2xx", "ALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\nALU: MOV export0 = R0\n", "MAXv export0 = R0, R0",
     "ALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\nALU: MAXv export0 = R0, R0\n"),
]


class Slips(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def assemble(self, ending, source):
        path = os.path.join(self.folder, "slip" + ending)
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        return subprocess.run([TESSERA, "asm", "-f", "hex", "-o", os.devnull, path], capture_output=True, text=True, timeout=60,
                              check=False).stderr

    def test_following_hints(self):
        for ending, wrong, words, right in FOLLOWED:
            self.assertRegex(self.assemble(ending, wrong), "hint: .*" + re.escape(words), wrong)
            mended = self.assemble(ending, right)
            self.assertNotIn(words, mended, right)
            self.assertNotIn("error: ", mended, right)

    def test_slips(self):
        for ending, source, place, words in SLIPS:
            path = os.path.join(self.folder, "slip" + ending)
            with open(path, "w", encoding="utf-8") as file:
                file.write(source)
            machine = {".qasm": "qpu", ".gp": "gp", ".a2xx": "a2xx"}[ending]
            for verb in (["asm", "-m", machine, "-f", "hex", "-o", os.devnull], ["check", "-m", machine]):
                done = subprocess.run([TESSERA, *verb, path], capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual(done.returncode, 1, source)
                first = done.stderr.split(": error: ")
                self.assertTrue(first[0].endswith("slip%s:%s" % (ending, place)), (source, done.stderr))
                self.assertIn(words, ": error: ".join(first[:2]), (source, done.stderr))


if __name__ == "__main__":
    unittest.main()
