#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""asm_a2xx.py - tests "tessera asm -m a2xx" on the command line: asm_a2xx.py TESSERA. Words are those of the first
listing in docs/hardware/a2xx.md, section 19."""
import glob
import os
import re
import unittest

import asm_rig
from asm_rig import ROOT, needs, text_of
from rig import USAGE, WRONG

SOURCE = """\
@attribute(R1) position
start: EXEC ADDR(0x3) CNT(0x1)
   (S)FETCH:    VERTEX  R1.xyz1 = R0.x FMT_32_32_32_FLOAT UNSIGNED STRIDE(12) CONST(10)
ALLOC COORD SIZE(0x0)
EXEC ADDR(0x4) CNT(0x1)
      ALU:  MAXv    export62 = R1, R1   ; gl_Position
ALLOC PARAM/PIXEL SIZE(0x0)
EXEC_END ADDR(0x5) CNT(0x0)
"""
LINES = ["0x00031003, 0x00001000, 0xc2000000", "0x00001004, 0x00001000, 0xc4000000", "0x00000005, 0x00002000, 0x00000000",
         "0x08a81000, 0x00392a88, 0x0000000c", "0x140f803e, 0x00000000, 0xe2010100"]
WORDS = [int(word, 16) for line in LINES for word in line.split(", ")]


def page():
    return text_of("docs/isa/a2xx.md")


class Case(asm_rig.Case):
    options, ending, files = ("--no-check",), "a2xx", {"code.a2xx": SOURCE}


class Outputs(Case):
    def test_words(self):
        self.asm("-o", "code.bin", "-C", "code.hex", "code.a2xx")
        self.assertEqual(self.read_words("code.bin"), WORDS)
        self.assertEqual(self.read_text("code.hex"), ",\n".join(LINES) + "\n")
        self.assertEqual(self.asm("-m", "a2xx", "-f", "hex", "-", stdin=SOURCE).stdout, ",\n".join(LINES) + "\n")

    def test_comments(self):
        """A slot's comment is the statement that wrote the slot's first byte."""
        self.asm("-v", "-C", "code.hex", "code.a2xx")
        lines = self.read_text("code.hex").splitlines()
        self.assertEqual(lines[0], "// :start")
        self.assertEqual(lines[1], f"/* [0x00000000] */ {LINES[0]}, // start: EXEC ADDR(0x3) CNT(0x1)")
        self.assertTrue(lines[4].startswith(f"/* [0x00000024] */ {LINES[3]}, //    (S)FETCH:"), lines[4])

    @needs("gcc")
    def test_c_file(self):
        self.asm("-c", "code.c", "-h", "code.h", "code.a2xx")
        self.write("main.c", '#include <stdio.h>\n#include "code.h"\nint main(void) { for (int i = 0; i < 15; i++) '
                             'printf("%x ", code[i]); return (unsigned long)code % 4 != 0; }\n')
        self.run_program("gcc", "-Wall", "-Wextra", "-Werror", "-o", "main", "main.c", "code.c")
        self.assertEqual(self.run_program("./main").split(), [f"{word:x}" for word in WORDS])

    @needs("readelf")
    def test_object_and_scene(self):
        self.asm("-e", "code.o", "-o", "code.elf", "code.a2xx")
        rodata = next(line for line in self.run_program("readelf", "-SW", "code.o").splitlines() if ".rodata" in line)
        self.assertEqual(rodata.split()[-1], "4")
        self.assertIn("attribute position 1 1", self.run_program("readelf", "-p", ".tessera", "code.elf"))

    @needs("objdump")
    def test_lines_move_with_their_code(self):
        self.asm("-e", "code.o", "code.a2xx")
        rows = self.run_program("objdump", "--dwarf=decodedline", "code.o")
        places = re.findall(r"^code.a2xx +(\d+) +(0x[0-9a-f]+|0) ", rows, re.MULTILINE)
        self.assertEqual([(int(line), int(address, 0)) for line, address in places],
                         [(2, 0), (4, 6), (5, 12), (7, 18), (8, 24), (3, 36), (6, 48)])

    def test_variant(self):
        text = "EXEC_END FETCH: VERTEX R1 = R0.x FMT_11_11_10 UNSIGNED STRIDE(3) CONST(0)\n"
        self.asm("-m", "a2xx", "--variant=xenos", "-f", "hex", "-", stdin=text)
        self.assertIn("a2xx-format", self.asm("-m", "a2xx", "-f", "hex", "-", stdin=text, status=WRONG).stderr)
        self.assertIn("unknown variant 'r600'", self.asm("--variant=r600", "code.a2xx", status=USAGE).stderr)

    def test_later_fetches_of_the_xenos(self):
        """A mini fetch uses the constant of the last full fetch (docs/hardware/a2xx.md, section 14), so the source must
        mark mini fetches."""
        fetch = "FETCH: VERTEX R1 = R0.x FMT_32_FLOAT SIGNED STRIDE(1) CONST(0) "
        for variant, minis in ("adreno", [0, 1, 0, 1]), ("xenos", [0, 0, 0, 1]):
            text = "EXEC " + fetch + fetch + fetch + "MINI(0) " + fetch + "MINI(1) EXEC_END"
            words = self.asm("-m", "a2xx", "--variant", variant, "-f", "hex", "-", stdin=text).stdout.replace("\n", "").split(",")
            self.assertEqual([int(word, 0) >> 30 & 1 for word in words[4::3]], minis)

    def test_definitions(self):
        made = self.asm("-m", "a2xx", "-f", "hex", "-D", "size=12", "-", stdin=SOURCE.replace("STRIDE(12)", "STRIDE(size)"))
        self.assertEqual(made.stdout, ",\n".join(LINES) + "\n")

    def test_include(self):
        self.write("all.a2xx", '.include "code.a2xx"\n')
        self.assertEqual(self.asm("-f", "hex", "all.a2xx").stdout, ",\n".join(LINES) + "\n")


class Messages(Case):
    def test_place(self):
        self.write("code.a2xx", "EXEC_END\n  ALU: MAXv\n    R0.xz\n    = R1, ; first\n    R64\n")
        self.assertEqual(self.asm("code.a2xx", "-o", "x", status=WRONG).stderr,
                         "code.a2xx:5:6: error: the last register is number 63 [a2xx-register-range]\n        R64\n         ^\n"
                         "1 error, 0 warnings\n")

    def test_all_statements_are_read(self):
        self.write("code.a2xx", "EXE\nEXEC ALU: MAXv R0 = R1 ALU: MAXv R0 = R1, R1\n@attribut(R1) x\n.macro m a\nRCP \\a = R0\n.endm\n"
                                "m R99\nNOP\n")
        places = re.findall(r"^code.a2xx:(\d+):(\d+): error.*\[(.*)\]", self.asm("code.a2xx", status=WRONG).stderr, re.MULTILINE)
        self.assertEqual(places, [("1", "1", "a2xx-unknown"), ("2", "20", "a2xx-operands"), ("3", "2", "a2xx-header"),
                                  ("5", "1", "a2xx-register-range")])

    def test_page_has_all_rules(self):
        rules = set()
        for path in glob.glob(os.path.join(ROOT, "src/isa/a2xx/*.c")):
            if re.match(r"(line|parse|operand|headers|arrange)", os.path.basename(path)):
                rules |= set(re.findall(r'"(a2xx-[\w-]+)"', text_of(path)))
        listed = page().split("## Errors")[1].split("## ")[0]
        self.assertEqual(rules, set(re.findall(r"`(a2xx-[\w-]+)`", listed)))


class Page(Case):
    def test_example(self):
        self.check_example(page(), "-m", "a2xx")

    def test_examples_assemble(self):
        paths = glob.glob(os.path.join(ROOT, "examples/a2xx/**/*.a2xx"), recursive=True)
        self.assertGreater(len(paths), 1)
        for path in paths:
            self.asm("-f", "hex", path)


class LongInput(Case):
    def test_no_square(self):
        texts = {
            "lines": lambda n: ".layout memory\nEXEC_END\n" + "ALU: MULADDv R0 = R1, R2, R3\n RCP R4 = R1\n" * (n // 8),
            "one statement": lambda n: "EXEC_END ALU: MAXv R0 = R1, R1\n" + "CLAMP\n" * (n // 2),
            "one line": lambda n: "NOP " * (n // 4),
            "headers": lambda n: "@uniform(C0) name\n" * n,
            "parentheses": lambda n: "EXEC " + "((((\n" * n,
        }
        self.check_no_square(texts, "parentheses")

    def test_too_long(self):
        _, done = self.time("EXEC_END\n" + "ALU: MAXv R0 = R1, R1\n" * 4096, WRONG)
        self.assertIn("[a2xx-size]", done.stderr)
        _, done = self.time("EXEC_END ALU: MAXv R0 = R1, R1\n" + "CLAMP\n" * 20000, WRONG)
        self.assertIn("a statement has more than 65536 characters [asm-limit]", done.stderr)


if __name__ == "__main__":
    unittest.main()
