#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dialect.py - tests the vc4asm dialect in tessera asm: dialect.py TESSERA. The cases are reports of vc4asm's users
(numbers are those of maazl/vc4asm's tracker), and the words of vc4.qinc, worked out by hand from tables 32 to 37 of
the manual. Messages for mistakes are tested for place, rule and hint. Each must be reported once."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TESSERA = os.path.abspath(sys.argv.pop(1))
QINC = ".include <vc4.qinc>\n"


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def run_asm(self, text, *options):
        self.write("x.qasm", text)
        return subprocess.run([TESSERA, "asm", "-f", "bin", "-o", "x.bin", *options, "x.qasm"], capture_output=True,
                              text=True, cwd=self.folder, timeout=60, check=False)

    def words(self, text, *options):
        """Returns the 32-bit words of a correct source."""
        done = self.run_asm(text, *options)
        self.assertEqual(done.returncode, 0, (text, done.stderr))
        with open(os.path.join(self.folder, "x.bin"), "rb") as file:
            data = file.read()
        return [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]

    def findings(self, text, *options):
        """Returns (line, column, rule, hint) of each error and warning. If there is an error, no output may exist."""
        output = os.path.join(self.folder, "x.bin")
        if os.path.exists(output):
            os.remove(output)
        done = self.run_asm(text, "--json", *options)
        lines = [json.loads(line) for line in done.stderr.splitlines()]
        found = [line for line in lines if line.get("severity") in ("error", "warning")]
        if any(line["severity"] == "error" for line in found):
            self.assertNotEqual(done.returncode, 0)
            self.assertFalse(os.path.exists(output), text)
        return found

    def same(self, text, plain):
        self.assertEqual(self.words(text), self.words(plain), (text, plain))


class Reports(Case):
    def test_10_operators_without_blanks(self):
        self.assertEqual(self.words(".set a, 7\n.int a-1,2*-3,1<<4|3,5>=3,-1>>>60,2**3**1,a!=7,~a&15,1?2:3\n"),
                         [6, 0xfffffffa, 19, 1, 15, 8, 0, 8, 2])
        self.same("mov r0,r1<<3\nadd ra1,ra0+1,r2\n", "mov r0, r1 << 3\nadd ra1, ra1, r2\n")

    def test_23_bytes_that_are_powers_of_two(self):
        for value in (0x01010101, 0x02020202, 0x04040404, 0x08080808, 0x10101010, 0x40404040, 0x80808080):
            self.assertEqual(self.words(f"mov r0, {value:#x}\n"), [value, 0xe0020827])

    def test_26_zero_keeps_its_pack_mode(self):
        """By table 9, mode 8b with saturation is 13. The expected word is a load immediate that writes ra10."""
        self.assertEqual(self.words("mov ra10.8bsi, 0\n"), [0, 0xe0d202a7])
        self.same("mov ra10.8bsi, 0\n", "ldi ra10.8bsi, 0\n")

    def test_29_nested_repetitions(self):
        self.assertEqual(self.words(".rep a, 2\n.rep b, 2\n.int a * 4 + b * 5\n.endr\n.int a\n.endr\n"),
                         [0, 5, 0, 4, 9, 1])
        self.assertEqual(self.words(".rep i, 2\n.rep i, 2\n.int i\n.endr\n.int 8 + i\n.endr\n"), [0, 1, 8, 0, 1, 9])

    def test_34_floor_and_ceil_of_floats(self):
        self.same(".set vec_size, 16\nshl r0, elem_num, floor(log2(vec_size))\n", "shl r0, elem_num, 4\n")
        self.assertEqual(self.words(".int floor 1.5, ceil 1.5, floor(-1.5), ceil(-1.5), ceil 2, floor(log2 17)\n"),
                         [1, 2, 0xfffffffe, 0xffffffff, 2, 4])

    def test_36_no_warning_on_a_conditional_interrupt(self):
        self.assertEqual(self.findings("mov.ifz irq, 1\nnop\nthrend\nnop\nnop\n"), [])


class Manual(Case):
    """Examples of vc4asm's manual that vc4asm's own program rejects."""

    def test_examples(self):
        self.same(".rep i 15\n    sacq i\n.endr\n", "".join(f"sacq -, {i}\n" for i in range(15)))
        self.same(".foreach reg ra0, rb1, ra2\n    ;mov reg, 0;\n.endr\n", "mov ra0, 0; mov rb1, 0\nmov ra2, 0\n")
        self.same("srel.ifz 3\n", "srel.ifz -, 3\n")

    def test_joined_lines(self):
        joined = "fadd r0, r0, r1; fmul r2, r2, r3\n"
        self.same("fadd r0, r0, r1;\n;fmul r2, r2, r3\n", joined)
        self.same(".macro half\n;fmul r2, r2, r3;\n.endm\nfadd r0, r0, r1;\n\n# nothing\nhalf\n", joined)
        for apart in ("fadd r0, r0, r1;\nhere:\n;fmul r2, r2, r3\n", "fadd r0, r0, r1\n;fmul r2, r2, r3\n"):
            self.same(apart, "fadd r0, r0, r1\nfmul r2, r2, r3\n")

    def test_joined_over_a_label(self):
        """Instructions on both sides of a label can be joined, as in vc4asm's program but not as in its manual. A
        warning reports this."""
        for label in (":", ":here"):
            text = f"fadd r0, r0, r1;\n{label}\n;fmul r2, r2, r3\n"
            self.same(text, "fadd r0, r0, r1; fmul r2, r2, r3\n")
            self.assertEqual([(line["line"], line["rule"]) for line in self.findings(text)], [(3, "asm-join")])

    def test_pre_include(self):
        self.same("mov -, sacq(3)\n".replace("sacq(3)", "sacq3"), "sacq -, 3\n")
        self.assertEqual(self.words("mov -, srel(3)\n", "-i", "vc4.qinc"), [3, 0xe80009e7])

    def test_absolute_branch(self):
        """vc4asm warns of a bra to a label. Tessera does not if .org declares the address of the code."""
        text = "bra -, :end\nnop\nnop\nnop\n:end\nnop; thrend\nnop\nnop\n"
        self.assertEqual([line["rule"] for line in self.findings(text)], ["qpu-branch-absolute"])
        self.assertEqual(self.findings(".org 0x1000\n" + text), [])

    def test_functions_without_include(self):
        """Sources for Broadcom's assembler, such as userland's hello_fft, use these functions without an include
        file, so they are built in."""
        self.assertEqual(self.words("mov -, srel(3)\nmov -, srel(3)\n"), [3, 0xe80009e7] * 2)
        self.assertEqual(self.words(".macro m, x\n  .int max(x, 2)\n.endm\nm 1\nm 3\n.int M_PI > 3\n"), [2, 3, 1])
        self.assertEqual(self.words(".set srel(i) 7\n.int srel(3)\n"), [7])


# Bits of the setup words:
# Table 32: stride 17..12, horizontal 11, laned 10, size 9..8, address 7..0. Table 33: also the number, 23..20.
# Table 34: 2 << 30, units 29..23, depth 22..16, horizontal 14, y 13..7, x 6..3, width 2..0. Table 35: 3 << 30, block mode 16.
# Table 36: 1 << 31, pitch 27..24, length 23..20, rows 19..16, vertical pitch 15..12, vertical 11, y 10..4, x 3..0.
# Table 37: 9 << 28.
VALUES = (
    ("vpm_setup(16, 1, h32(5))", 0x00001a05), ("vpm_setup(3, 64, v32(48, 15))", 0x0030023f),
    ("vpm_setup(0, 0, 0)", 0), ("vpm_setup(15, 63, 0xfff)", 0x00f3ffff), ("vpm_setup(1, -1, h32(63))", 0x0013fa3f),
    ("h_32(63)", 0xa3f), ("v_32(16, 2)", 0x212),
    ("h16p(63, 1)", 0x97f), ("h16l(2, 0)", 0xd04), ("h8p(63, 3)", 0x8ff), ("h8l(1, 2)", 0xc06),
    ("v16p(16, 3, 1)", 0x127), ("v16l(0, 15, 0)", 0x51e), ("v8p(48, 15, 3)", 0x0ff), ("v8l(16, 0, 1)", 0x441),
    ("vdw_setup_0(1, 16, dma_h32(0, 0))", 0x80904000), ("vdw_setup_0(128, 128, dma_v32(127, 15))", 0x80003ff8),
    ("dma_h16p(1, 2, 1)", 0x4093), ("dma_h8p(0, 1, 3)", 0x400f), ("dma_v16p(2, 0, 0)", 0x102),
    ("dma_v8p(0, 15, 2)", 0x7e), ("vdw_setup_1(64)", 0xc0000040), ("vdw_setup_1p(8)", 0xc0010008),
    ("vdr_setup_0(3, 16, 16, vdr_h32(1, 0, 0))", 0x83001000), ("vdr_setup_0(0, 4, 2, vdr_v32(16, 63, 15))", 0x80420bff),
    ("vdr_setup_1(0x1fff)", 0x90001fff),
    ("min(3, 5)", 3), ("min(5, -3)", 0xfffffffd), ("max(3, 5)", 5), ("countBits(0xff0f)", 12),
    ("countBits(-1)", 64), ("ilog2(0)", 0xffffffff), ("ilog2(1)", 0), ("ilog2(0x80000000)", 31), ("ilog2(3)", 1),
    ("reverseBits(6, 3)", 3), ("reverseBits4(1)", 8), ("reverseBits8(1)", 0x80), ("reverseBits16(1)", 0x8000),
    ("reverseBits32(1)", 0x80000000), ("reverseBits64(1) >>> 32", 0x80000000),
    ("isConstant(5)", 1), ("isConstant(r0)", 0), ("isRegister(ra0)", 1), ("isRegister(1)", 0),
    ("isRegfileA(ra3)", 1), ("isRegfileA(rb3)", 0), ("isRegfileB(rb3)", 1), ("isAccu(r3)", 1), ("isAccu(ra3)", 0),
    ("isReadable(unif)", 1), ("isReadable(t0s)", 0), ("isWritable(t0s)", 1), ("isWritable(unif)", 0),
    ("isRotate(r1 << 3)", 1), ("isRotate(r1)", 0), ("isSemaphore(sacq3)", 1), ("isSemaphore(ra3)", 0),
    ("isLabel(:here)", 1), ("isLabel(5)", 0), ("isSmallImmd(-16)", 1), ("isSmallImmd(16)", 0),
    ("isSmallImmd(0x3f800000)", 1), ("isSmallImmd(0x43800000)", 0),
    ("isLdPE([0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1])", 1), ("isLdPE(5)", 0),
    ("isLdPEU([3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0])", 1), ("isLdPES([3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0])", 0),
)
OUT_OF_RANGE = (
    "vpm_setup(17, 1, 0)", "vpm_setup(1, 65, 0)", "vpm_setup(1, 1, 0x1000)", "h32(64)", "h16p(0, 2)", "h8l(0, 4)",
    "v32(8, 0)", "v32(0, 16)", "v8p(0, 0, 4)", "vdw_setup_0(129, 1, 0)", "vdw_setup_0(1, 129, 0)",
    "vdw_setup_0(1, 1, 0x8000)", "vdw_setup_1(0x10000)", "vdw_setup_1p(-1)", "dma_h32(128, 0)", "dma_h16p(0, 0, 2)",
    "dma_v8p(0, 16, 0)", "vdr_setup_0(16, 1, 1, 0)", "vdr_setup_0(0, 17, 1, 0)", "vdr_setup_0(0, 1, 17, 0)",
    "vdr_setup_1(0x2000)", "vdr_h32(17, 0, 0)", "vdr_v32(1, 64, 0)",
)


class Standard(Case):
    def test_values(self):
        text = QINC + ":here\n" + "".join(f".int {call}\n" for call, _ in VALUES)
        for (call, value), word in zip(VALUES, self.words(text)):
            self.assertEqual(hex(word), hex(value), call)

    def test_ranges(self):
        for call in OUT_OF_RANGE:
            found = self.findings(QINC + f".int {call}\n")
            self.assertEqual([line["rule"] for line in found], ["asm-assert"], call)
            self.assertEqual(found[0]["file"], "<vc4.qinc>")

    def test_constants(self):
        self.assertEqual(self.words(QINC + ".float M_PI, M_SQRT2, M_INF\n.int M_NAN == M_NAN\n"),
                         [0x40490fdb, 0x3fb504f3, 0x7f800000, 0])

    def test_trace(self):
        """The message must name the function that was called, and the line of the include file."""
        done = self.run_asm(QINC + "mov vw_setup, vpm_setup(17, 1, 0)\n")
        self.assertIn("x.qasm:2: note: in the call of function 'vpm_setup'", done.stderr)


# Source, then (line, column, rule) of each finding, and the first hint or a part of it.
MISTAKES = (
    ("mov vw_setup, vpm_setup\n", [(1, 15, "asm-undefined")], ".include <vc4.qinc>"),
    ("mov -, sacq\n", [(1, 8, "asm-undefined")], ".include <vc4.qinc>"),
    (".float M_PI\n", [(1, 8, "asm-undefined")], ".include <vc4.qinc>"),
    ("mov ro, r1\n", [(1, 5, "asm-undefined")], "did you mean r0?"),
    ("mov vw_setp, r1\n", [(1, 5, "asm-undefined")], "did you mean vw_setup?"),
    (".set count, 3\n.int coutn\n", [(2, 6, "asm-undefined")], "did you mean count?"),
    (".macro m, width\n.int widht\n.endm\nm 1\n", [(2, 6, "asm-undefined")], "did you mean width?"),
    (".func twice(x)\n2*x\n.endf\n.int twise(1)\n", [(4, 6, "asm-undefined")], "did you mean twice?"),
    (":looop nop\nbrr -, r:loop\n", [(2, 10, "asm-undefined")], "did you mean looop?"),
    ("ad r0, r1, r2\n", [(1, 1, "asm-instruction")], "did you mean add?"),
    ("mov r0, r1; fmull r2, r1, r1\n", [(1, 13, "asm-instruction")], "did you mean fmul?"),
    (".macro clear\n.endm\nclaer\n", [(3, 1, "asm-instruction")], "did you mean clear?"),
    (".sett a, 1\n", [(1, 1, "asm-unknown")], "did you mean .set?"),
    ("qwertyuiop r0\n", [(1, 1, "asm-instruction")], None),
    ("5\n", [(1, 1, "asm-instruction")], None),
    (".int 1.2.3\n", [(1, 6, "asm-type")], ".float"),
    (".func f(a)\n:l a\n.endf\n.int f(1)\n", [(2, 1, "asm-function")], None),
    (".rep i, 50\nfoo\n.endif\n.endr\n", [(2, 1, "asm-instruction"), (3, 1, "asm-block")], None),
    (".align 8, r0\n", [(1, 11, "asm-range")], None),
    (".int (1\n.int 1)\n.int [1\n", [(1, 6, "asm-syntax"), (2, 7, "asm-syntax"), (3, 6, "asm-syntax")], None),
    ("mov r0\nadd r0, r1\nnop\nfoo\n",
     [(1, 1, "asm-instruction"), (2, 1, "asm-instruction"), (4, 1, "asm-instruction")], "target first"),
    (".rep i, 2\nnop\n", [(1, 1, "asm-block")], None),
    (".macro m\nnop\n", [(1, 1, "asm-block")], None),
    (".local\nnop\n", [(1, 1, "asm-block")], None),
    (".back 1\nnop\n", [(1, 1, "asm-block")], None),
    (".if 1\nnop\n", [(1, 1, "asm-block")], None),
    (".byte 300.0\n", [(1, 7, "asm-range")], None),
)


class Mistakes(Case):
    def test_places(self):
        for text, expected, hint in MISTAKES:
            found = self.findings(text)
            self.assertEqual([(line["line"], line["column"], line["rule"]) for line in found], expected, text)
            self.assertTrue(all(line["file"] == "x.qasm" and line["text"] for line in found), text)
            if hint:
                self.assertIn(hint, found[0].get("hint") or "", text)

    def test_no_hint_for_what_is_far_away(self):
        self.assertIsNone(self.findings("qwertyuiop r0\n")[0].get("hint"))

    def test_floats_in_messages(self):
        self.assertIn("300", self.findings(".byte 300.0\n")[0]["text"])

    def test_traces(self):
        self.write("part.qinc", ".macro once, a\n.assert a < 2\n.endm\nonce 1\nonce 3\n")
        done = self.run_asm('nop\n.include "part.qinc"\n.rep i, 4\nonce i\n.endr\n')
        for text in ("part.qinc:2:9: error", "part.qinc:5: note: in the expansion of macro 'once'",
                     "x.qasm:2: note: 'part.qinc' included here", "x.qasm:4: note: in the expansion of macro 'once'",
                     "x.qasm:3: note: in the repetition"):
            self.assertIn(text, done.stderr)
        self.assertEqual(done.stderr.count("error:"), 2, done.stderr)


BOMBS = {
    "a repetition": ".rep i, 1 << 24\nnop\n.endr\n",
    "repetitions in each other": ".rep i, 1 << 24\n.rep j, 1 << 24\n.endr\n.endr\n",
    "many errors": "foo\n" * 100000,
    "an error in a repetition": ".rep i, 1 << 20\nfoo\n.endr\n",
    "a macro that calls itself": ".macro m, a\nm a+1\nm a+2\n.endm\nm 1\n",
    "a function that calls itself": ".func f(n)\n.if n < 2\nn\n.else\nf(n-1) + f(n-2)\n.endif\n.endf\n.int f(90)\n",
    "parentheses": ".int " + "(" * 100000,
    "a file that includes itself": '.include "x.qasm"\n.include "x.qasm"\n',
    "space": ".space 0xffffffff\n",
    "alignment": ".byte 1\n.align 1 << 30\n",
}


class Bombs(Case):
    def test_bounded(self):
        for name, text in BOMBS.items():
            found = self.findings(text)
            self.assertTrue(found and found[0]["severity"] == "error", name)
            self.assertLessEqual(len(found), 101, name)


if __name__ == "__main__":
    unittest.main()
