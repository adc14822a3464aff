#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""asm_gp.py - tests "tessera asm -m gp" on the command line: asm_gp.py TESSERA. Words are those of
docs/hardware/utgard.md, section 13, which were decoded back with Mesa's printer."""
import glob
import math
import os
import re
import unittest

import asm_rig
from asm_rig import ROOT, needs, text_of
from rig import DONE, WRONG

SOURCE = """\
        .attribute position, 0
        .varying gl_Position, 0
::start load.attr position
        ; mul0.mov attr.z; mul1.mov attr.w # one instruction
        ; acc0.mov attr.x; acc1.mov attr.y
        ; store0.varying gl_Position, acc0, acc1; store1.varying gl_Position, mul0, mul1
        nop
"""
WORDS = [0xb00b0ec2, 0x43802ac1, 0x40034400, 0x000ad508, 0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x000ad500]
LINES = ["0xb00b0ec2, 0x43802ac1, 0x40034400, 0x000ad508", "0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x000ad500"]


def page():
    return text_of("docs/isa/gp.md")


class Case(asm_rig.Case):
    options, ending, files = ("-m", "gp", "--no-check"), "gp", {"code.gp": SOURCE}


class Outputs(Case):
    def test_words(self):
        self.asm("-o", "code.bin", "-C", "code.hex", "code.gp")
        self.assertEqual(self.read_words("code.bin"), WORDS)
        self.assertEqual(self.read_text("code.hex"), ",\n".join(LINES) + "\n")
        self.assertEqual(self.asm("-f", "c", "code.gp").stdout, "{\n    " + ",\n    ".join(LINES) + ",\n}\n")

    def test_comments(self):
        self.asm("-v", "-C", "code.hex", "code.gp")
        self.assertEqual(self.read_text("code.hex"),
                         f"// ::start\n/* [0x00000000] */ {LINES[0]}, // ::start load.attr position\n"
                         f"/* [0x00000010] */ {LINES[1]}  //         nop\n")

    @needs("gcc")
    def test_c_file(self):
        self.asm("-c", "code.c", "-h", "code.h", "code.gp")
        self.write("main.c", '#include <stdio.h>\n#include "code.h"\nint main(void) { for (int i = 0; i < 8; i++) '
                             'printf("%x ", code[i]); return (unsigned long)code % 16 != 0; }\n')
        self.run_program("gcc", "-Wall", "-Wextra", "-Werror", "-o", "main", "main.c", "code.c")
        self.assertEqual(self.run_program("./main").split(), [f"{word:x}" for word in WORDS])

    @needs("readelf")
    def test_object_and_scene(self):
        self.asm("-e", "code.o", "-o", "code.elf", "code.gp")
        rodata = next(line for line in self.run_program("readelf", "-SW", "code.o").splitlines() if ".rodata" in line)
        self.assertEqual(rodata.split()[-1], "16")
        self.assertRegex(self.run_program("readelf", "-sW", "code.elf"), r"00000000 .* start\n")
        names = self.run_program("readelf", "-p", ".tessera", "code.elf")
        self.assertIn("attribute position 0 4", names)
        self.assertIn("varying gl_Position 0 4", names)

    def test_pre_included_macros(self):
        words = self.asm("-f", "hex", "-i", "gp.inc", "-", stdin="load.reg1 2\n; rcp reg1.x\n").stdout
        self.assertEqual(words, "0xad4b1084, 0x038002b5, 0x0147ff81, 0x000a9130,\n"
                                "0xad49da56, 0x038002b5, 0x0007ff80, 0x000ad510\n")

    def test_help(self):
        self.assertIn("gp", re.search(r"--machine.*", self.asm("--help").stdout)[0])


class Messages(Case):
    def test_place(self):
        self.write("code.gp", "        acc0.min attr.x, unif.x\n        ; acc1.mov attr.y # no\n")
        self.assertEqual(self.asm("code.gp", "-o", "x", status=WRONG).stderr,
                         "code.gp:2:11: error: the two accumulators share one operation; acc0 has 'min' [gp-acc-op]\n"
                         "            ; acc1.mov attr.y # no\n              ^\n"
                         "  hint: move one of the two operations to another instruction; mov counts as add\n"
                         "1 error, 0 warnings\n")

    def test_all_lines_are_read(self):
        self.write("code.gp", "mull0.mov attr.x\n; acc0.mov attr.x\n; acc0.mov attr.y\n.uniform\nbranch nowhere\n")
        places = re.findall(r"^code.gp:(\d+):(\d+): error.*\[(.*)\]", self.asm("code.gp", status=WRONG).stderr, re.MULTILINE)
        self.assertEqual(places, [("1", "1", "gp-slot"), ("3", "3", "gp-slot-twice"), ("4", "9", "asm-syntax"),
                                  ("5", "8", "asm-undefined")])

    def test_page_has_all_rules(self):
        rules = set()
        for name in "slots", "operand", "parse", "directives":
            rules |= set(re.findall(r'"(gp-[\w-]+)"', text_of(f"src/isa/gp/{name}.c")))
        listed = page().split("## Errors")[1].split("## ")[0]
        self.assertEqual(rules, set(re.findall(r"`(gp-[\w-]+)`", listed)))


class Page(Case):
    def test_example(self):
        made = self.check_example(page())
        self.assertEqual(made.count("\n"), 11)

    def test_macros_have_their_lengths(self):
        """Each macro of share/tessera/include/gp.inc must have the number of instructions that the page and the
        file's comments give."""
        library = text_of("share/tessera/include/gp.inc")
        rows = re.findall(r"^\| (`.*?`) \| (\d+) \|", page().split("## Macros")[1], re.MULTILINE)
        seen = set()
        for names, count in rows:
            for name in re.findall(r"`(\w+)", names):
                parameters = re.search(rf"^\.macro {name} (.*)$", library, re.MULTILINE)[1].split(", ")
                given = {"src": "attr.x", "a": "attr.x", "b": "attr.y", "cond": "attr.x", "then": "attr.y", "else": "attr.z"}
                arguments = ", ".join(given.get(parameter, "3") for parameter in parameters if "=" not in parameter)
                made = self.asm("-f", "hex", "-", stdin=f".include <gp.inc>\n{name} {arguments}\n").stdout
                self.assertEqual(made.count("\n"), int(count), name)
                seen.add(name)
        self.assertEqual(seen, set(re.findall(r"^\.macro (\w+)", library, re.MULTILINE)))

    def test_examples_assemble(self):
        for path in glob.glob(os.path.join(ROOT, "examples/utgard/**/*.gp"), recursive=True):
            self.asm("-f", "hex", path)


class Results(Case):
    """Runs the macros on the model. The results must be correct, without a finding."""
    VALUES = [(0.5, 0.25), (7.0, 7.0), (0.001, -3.75), (3.5, 12.0)]
    # Macro, operand of the macro that has the result, and the result computed in doubles.
    FUNCTIONS = [
        ("rcp attr.x", "mul0[-2]", lambda x, y: 1 / x),
        ("rsqrt attr.x", "mul0[-2]", lambda x, y: x ** -0.5),
        ("sqrt attr.x", "mul0[-2]", lambda x, y: x ** 0.5),
        ("exp2 attr.y", "mul0[-2]", lambda x, y: 2 ** y),
        ("log2 attr.x", "pass[-1]", lambda x, y: math.log2(x)),
        ("abs attr.y", "acc0[-1]", lambda x, y: abs(y)),
        ("abs attr.y, acc1", "acc1[-1]", lambda x, y: abs(y)),
        ("select attr.x, attr.y, attr.x", "mul0[-1]", lambda x, y: y),
        ("select attr.z, attr.y, attr.x", "mul0[-1]", lambda x, y: x),
        ("gt attr.x, attr.y", "acc0[-1]", lambda x, y: x > y),
        ("le attr.x, attr.y", "acc0[-1]", lambda x, y: x <= y),
        ("eq attr.x, attr.y", "acc0[-1]", lambda x, y: x == y),
        ("ne attr.x, attr.y", "acc0[-1]", lambda x, y: x != y),
        ("not attr.x", "acc0[-1]", lambda x, y: 0),
        ("not attr.z", "acc0[-1]", lambda x, y: 1),
        ("ceil attr.y", "acc0[-1]", lambda x, y: math.ceil(y)),
        ("fract attr.y", "acc0[-1]", lambda x, y: y - math.floor(y)),
    ]

    def run_gp(self, program, table, *arguments):
        """Returns the rows of the outputs, as numbers."""
        self.write("program.gp", program)
        self.write("in.csv", table)
        result = self.call("run", "-m", "gp", "--strict", "-W", "gp-position-zero=off", "--attributes", "in.csv", *arguments, "program.gp")
        self.assertEqual((result.status, result.err), (DONE, ""), program)
        return [[float(cell) for cell in row] for row in result.text_rows]

    def test_functions(self):
        table = "a.x,a.y,a.z\n" + "".join(f"{x},{y},0\n" for x, y in self.VALUES)
        for macro, result, value in self.FUNCTIONS:
            wait = "nop\n" if result == "mul0[-2]" else ""
            rows = self.run_gp(".include <gp.inc>\n.attribute a, 0\n.varying gl_Position, 0\nload.attr a\n"
                               f"; {macro}\n{wait}acc0.mov {result}; store0.varying gl_Position, acc0, acc0\n"
                               "; store1.varying gl_Position, acc0, acc0\n", table)
            for (x, y), row in zip(self.VALUES, rows, strict=True):
                self.assertAlmostEqual(row[0], value(x, y), delta=4e-7 * max(abs(value(x, y)), 1), msg=macro)

    def test_transforms(self):
        start = (".include <gp.inc>\n.attribute a, 0\n.varying gl_Position, 0\n.uniform viewport, 2\n"
                 ".constant limits, -1e10, 1e10\nload.attr a\n; acc0.mov attr.x; acc1.mov attr.y; mul0.mov attr.z\n"
                 "; mul1.mov attr.w; store0.reg 3, acc0, acc1; store1.reg 3, mul0, mul1\nnop\nnop\n")
        given = "--uniform", "viewport=320,-240,0.5,0", "--uniform", "viewport[1]=320,240,0.5,0"
        positions = [(0.5, 1, 2, 3), (-7, 2, 3, 4), (1, -1, 0.25, -0.5)]
        table = "a.x,a.y,a.z,a.w\n" + "".join("%g,%g,%g,%g\n" % position for position in positions)
        scale, offset = (320, -240, 0.5), (320, 240, 0.5)
        for macro in ("position_transform 3, viewport, limits", "position_transform_unclamped 3, viewport"):
            rows = self.run_gp(start + macro + "\n", table, *given)
            for (*xyz, w), row in zip(positions, rows, strict=True):
                for got, wanted in zip(row, [a / w * b + c for a, b, c in zip(xyz, scale, offset)] + [1 / w], strict=True):
                    self.assertAlmostEqual(got, wanted, delta=3e-7 * max(abs(wanted), 600))
        # 1 / 0 is clamped, so no value becomes infinite.
        row = self.run_gp(start + "position_transform 3, viewport, limits\n", "a.x,a.y,a.z,a.w\n1,1,1,0\n", *given)[0]
        self.assertAlmostEqual(row[3] / 1e10, 1)
        self.assertAlmostEqual(row[0] / 3.2e12, 1)

    def test_point_sizes(self):
        start = (".include <gp.inc>\n.attribute a, 0\n.varying gl_Position, 0\n.varying gl_PointSize, 4, 1\n"
                 ".constant parameters, 1, 100, 2\nload.attr a\n; acc0.mov attr.x; acc1.mov attr.y; mul0.mov attr.z\n"
                 "; mul1.mov attr.w; store0.varying gl_Position, acc0, acc1; store1.varying gl_Position, mul0, mul1\n")
        table = "a.x,a.y,a.z,a.w\n0.5,0,0,1\n30,0,0,1\n1e9,0,0,1\n"
        for macro, factor in ("point_size", 2), ("point_size_clamped", 1):
            rows = self.run_gp(f"{start}{macro} acc0[-1], parameters, gl_PointSize\n", table)
            self.assertEqual([row[4] for row in rows], [factor * size for size in (1, 30, 100)], macro)


class LongInput(Case):
    def test_no_square(self):
        texts = {
            "lines": lambda n: "load.attr 1; mul0.mov attr.x; acc0.add attr.y, attr.z\n" * n,
            "joined": lambda n: "nop\n" + "; field.mul_op 0\n" * n,
            "empty slots": lambda n: ("nop" + ";" * 60000 + "\n") * (n // 2000),
            "names": lambda n: "".join(f".const n{i}, {i}\n" for i in range(n)) + "load.attr n1\n",
        }
        self.check_no_square(texts, "joined")

    def test_long_program(self):
        """A source with more instructions than a program may have can be assembled, but a branch cannot reach the
        instructions beyond the limit."""
        _, done = self.time("nop\n" * 512 + "end: nop\nbranch end\n", WRONG)
        self.assertIn("long.gp:514:8: error: a branch can reach instructions 0 to 511, not 512 [gp-branch]", done.stderr)


if __name__ == "__main__":
    unittest.main()
