#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gp.py - tests "tessera run -m gp" on the command line: gp.py TESSERA. Expected values are calculated by hand, or
by Python's own floats and struct module. Formats follow docs/hardware/utgard.md, section 15. Exit statuses follow
docs/utgard/run.md."""
import json
import math
import os
import random
import resource
import struct
import subprocess
import unittest

import rig
from rig import DONE, TESSERA, USAGE, WRONG, picture, single

# Stores attribute 0 as varying 0.
PASS = """.attribute position, 0
.varying gl_Position, 0
main:
    load.attr position; mul0.mov attr.x; mul1.mov attr.y; store0.varying gl_Position, mul0, mul1
    ; acc0.mov attr.z; acc1.mov attr.w; store1.varying gl_Position, acc0, acc1
"""

# Stores position * scale, and an unchanged colour.
SCALE = """.attribute position, 0, 2
.attribute colour, 1, 3
.varying gl_Position, 0
.varying v_colour, 1, 3
.uniform scale, 1
.uniform rest, 1
main:
    load.attr position; load.unif scale; mul0.mul attr.x, unif.x; mul1.mul attr.y, unif.y
    ; store0.varying gl_Position, mul0, mul1
    load.unif rest; acc0.mov unif.x; acc1.mov unif.y; store1.varying gl_Position, acc0, acc1
    load.attr colour; mul0.mov attr.x; mul1.mov attr.y; acc0.mov attr.z; store0.varying v_colour, mul0, mul1
    ; store1.varying v_colour, acc0, _
"""

# Stores rows 0 to 3 of a uniform as varyings 0 to 3.
ROWS = """.uniform first, 2
.uniform lights, 1
.uniform last, 1
""" + "".join(f"""
    load.unif {row}; mul0.mov unif.x; mul1.mov unif.y; acc0.mov unif.z; acc1.mov unif.w
    ; store0.varying {row}, mul0, mul1; store1.varying {row}, acc0, acc1""" for row in range(4)) + "\n"


class Case(rig.Case):
    machine = "gp"
    files = {"pass.gp": PASS, "scale.gp": SCALE, "rows.gp": ROWS}

    def run_gp(self, status, *arguments, **how):
        return self.run_machine(status, *arguments, **how)

    def passed(self, table, *more, option="--attributes"):
        """Runs the program PASS on a table. Returns the rows of its output."""
        self.write("in.csv", table)
        argument = "in.csv" if option == "--attributes" else "position=in.csv"
        return self.run_gp(DONE, "pass.gp", option, argument, *more).rows()


class Tables(Case):
    def test_values(self):
        result = self.run_gp(DONE, "scale.gp", "--attributes", self.write("in.csv", """position.x,position.y,colour.x,colour.y,colour.z
1,2,0.25,0.5,0.75
-3,1e-3,1,2,3
"""), "--uniform", "scale=2,0.5", "--uniform", "rest=0.125,1")
        self.assertEqual(result.header, ["gl_Position.x", "gl_Position.y", "gl_Position.z", "gl_Position.w",
                                         "v_colour.x", "v_colour.y", "v_colour.z"])
        self.assertEqual(result.rows(), [[2, 1, 0.125, 1, 0.25, 0.5, 0.75],
                                         [-6, single(0.5 * single(1e-3)), 0.125, 1, 1, 2, 3]])
        self.assertEqual(result.err, "")

    def test_missing_components(self):
        """Missing components are 0, 0, 0, 1 (docs/hardware/utgard.md, section 15)."""
        self.assertEqual(self.passed("position.x\n5\n"), [[5, 0, 0, 1]])
        self.assertEqual(self.passed("position.x,position.y,position.z\n5,6,7\n"), [[5, 6, 7, 1]])

    def test_headers(self):
        for header in ("position.x,position.y", "position.y,position.x", "position,position", "position,", "0.x,0.y", "0,0",
                       '"position.x",position.y', "id,position", "\ufeffposition.x,position.y", " position.x , position.y "):
            swapped = header.startswith("position.y")
            one = header.startswith("id")
            self.assertEqual(self.passed(header + "\n5,6\n"), [[6, 0, 0, 1] if one else [6, 5, 0, 1] if swapped else
                                                               [5, 6, 0, 1]], header)

    def test_lines(self):
        for table in ("position\r\n1\r\n2\r\n", "position\n1\n2", "position\n\n1\n\n\n2\n", 'position\n"1"\n 2 \n',
                      "position,note\n1,\n2,\"a, \"\"b\"\"\"\n"):
            self.assertEqual([row[0] for row in self.passed(table)], [1, 2], table)
        self.assertEqual(self.passed("position\n"), [])

    def test_numbers(self):
        texts = {"1": 1, "-0": -0.0, "+2.5": 2.5, ".5": 0.5, "5.": 5, "1e3": 1000, "1E-3": single(1e-3), "inf": math.inf,
                 "-inf": -math.inf, "0x3f800000": 1, "0x40490fdb": single(math.pi), "0x1.8p1": 3, "16777217": 16777216,
                 "3.4028235e38": single(3.4028235e38), "0." + "0" * 30 + "1": single(1e-31), "1" * 30: single(float("1" * 30))}
        rows = self.passed("position\n" + "\n".join(texts) + "\n")
        for (text, value), row in zip(texts.items(), rows):
            self.assertEqual((row[0], math.copysign(1, row[0])), (value, math.copysign(1, value)), text)
        self.assertTrue(math.isnan(self.passed("position\nnan\n")[0][0]))

    def test_round_trip(self):
        """Any float must be the same after conversion to text and back by Python's struct module."""
        numbers = random.Random(1)
        bits = [numbers.getrandbits(32) for _ in range(20000)] + [0, 1, 0x7fffff, 0x800000, 0x7f7fffff, 0x80000000, 0xff800000]
        bits = [word for word in bits if word & 0x7fffffff <= 0x7f800000]
        table = "position\n" + "".join(f"0x{word:08x}\n" for word in bits)
        once = self.passed(table, "--choose", "keep-denormals")
        self.assertEqual([struct.unpack("<I", struct.pack("<f", row[0]))[0] for row in once], bits)
        again = self.passed("position\n" + "".join(f"{row[0]!r}\n" for row in once), "--choose", "keep-denormals")
        self.assertEqual(again, once)

    def test_columns(self):
        self.write("in.csv", "a,b,c\n1,2,3\n4,5,6\n")
        for columns, rows in (("a,b", [[1, 2], [4, 5]]), ("c,a", [[3, 1], [6, 4]]), ("2", [[2, 0], [5, 0]]),
                              ("3,1", [[3, 1], [6, 4]])):
            result = self.run_gp(DONE, "pass.gp", "--attribute", f"position=in.csv:{columns}")
            self.assertEqual([row[:2] for row in result.rows()], rows, columns)
        self.assertEqual(self.run_gp(DONE, "pass.gp", "--attribute", "0=in.csv").rows(), [[1, 2, 3, 1], [4, 5, 6, 1]])
        self.run_gp(USAGE, "pass.gp", "--attribute", "position=in.csv:d", says=["unknown column 'd'", "in.csv:1:"])
        self.run_gp(USAGE, "pass.gp", "--attribute", "position=in.csv:4", says="unknown column '4'")
        self.run_gp(USAGE, "pass.gp", "--attribute", "position=in.csv:1,2,3,1,2", says="4 components")
        # The table has no header, and its file name has a colon.
        self.assertEqual(self.passed("1,2\n3,4\n", option="--attribute"), [[1, 2, 0, 1], [3, 4, 0, 1]])
        self.write("a:b.csv", "7,8\n")
        result = self.run_gp(DONE, "pass.gp", "--attribute", "position=a:b.csv")
        self.assertEqual(result.rows(), [[7, 8, 0, 1]])

    def test_several_tables(self):
        self.write("p.csv", "1,2\n3,4\n5,6\n")
        self.write("c.csv", "colour.x,colour.y,colour.z\n.1,.2,.3\n.4,.5,.6\n.7,.8,.9\n")
        both = ("--attribute", "position=p.csv", "--attribute", "colour=c.csv", "--uniform", "scale=1,1", "--uniform",
                "rest=0,1")
        rows = self.run_gp(DONE, "scale.gp", *both).rows()
        self.assertEqual([row[0] for row in rows], [1, 3, 5])
        self.assertEqual([row[6] for row in rows], [single(.3), single(.6), single(.9)])
        self.write("c.csv", "1,2,3\n4,5,6\n")
        result = self.run_gp(USAGE, "scale.gp", *both, says=["c.csv", "2 rows of data", "csv-rows"])
        self.assertEqual(len(result.rows()), 2)
        self.assertEqual(len(self.run_gp(DONE, "scale.gp", *both, "--vertices", "2").rows()), 2)

    def test_first_and_count(self):
        table = "position\n" + "".join(f"{i}\n" for i in range(100))
        for first, count in ((0, 1), (10, 5), (99, 1), (0, 100), (50, None)):
            more = ["--first", str(first)] + (["--vertices", str(count)] if count else [])
            rows = self.passed(table, *more)
            self.assertEqual([row[0] for row in rows], list(range(100))[first:first + count if count else None])
        self.run_gp(USAGE, "pass.gp", "--attributes", "in.csv", "--first", "101", says="100 rows of data")
        result = self.run_gp(USAGE, "pass.gp", "--attributes", "in.csv", "--vertices", "101", says="needs 101")
        self.assertEqual(len(result.rows()), 100)

    def test_standard_input(self):
        result = self.run_gp(DONE, "pass.gp", "--attributes", "-", stdin=b"position\n1\n")
        self.assertEqual(result.rows(), [[1, 0, 0, 1]])
        self.write("in.csv", "position\n2\n")
        result = self.run_gp(DONE, "-", "--attributes", "in.csv", stdin=PASS.encode())
        self.assertEqual(result.rows(), [[2, 0, 0, 1]])
        self.run_gp(USAGE, "pass.gp", "--attributes", "-", stdin=b"position\nx\n", says="<stdin>:2:1: error")


class TableErrors(Case):
    GOOD = "position.x,position.y\n1,2\n3,4\n"

    def refuse(self, table, rows, *says):
        """Checks that a table is rejected, and that the rows before the error are written."""
        self.write("in.csv", table)
        result = self.run_gp(USAGE, "pass.gp", "--attributes", "in.csv", says=list(says))
        if rows is not None:
            self.assertEqual(len(result.rows()), rows)
            self.assertEqual(result.header[0], "gl_Position.x")
        else:
            self.assertEqual(result.out, "")
        return result

    def test_rows(self):
        self.refuse(self.GOOD + "5,six\n7,8\n", 2, "in.csv:4:3: error: invalid number 'six'", "[csv-number]")
        self.refuse(self.GOOD + "5,\n", 2, "in.csv:4:3: error: the field is empty", "[csv-number]")
        self.refuse(self.GOOD + "5,1e99\n", 2, "in.csv:4:3:", "[csv-number]")
        self.refuse(self.GOOD + "5,0x123456789\n", 2, "in.csv:4:3:", "[csv-number]")
        self.refuse(self.GOOD + "5,6,7\n", 2, "in.csv:4: error: 3 fields, but the first row has 2", "[csv-ragged]")
        self.refuse(self.GOOD + "5\n", 2, "in.csv:4: error: 1 field, but", "[csv-ragged]")
        self.refuse(self.GOOD + "5,\0006\n", 2, "in.csv:4:3: error: unexpected NUL byte", "[csv-nul]")
        self.refuse(self.GOOD + '5,"6\n', 2, "in.csv:4:3:", "[csv-quote]")
        self.refuse(self.GOOD + '5,"6"7\n', 2, "in.csv:4:6:", "[csv-quote]")
        self.refuse(self.GOOD + "5," + "6" * (1 << 21) + "\n", 2, "in.csv:4: error: the line is longer", "[csv-line-too-long]")
        self.refuse(self.GOOD + "5," + "6" * (1 << 21), 2, "[csv-line-too-long]")
        self.refuse(self.GOOD + "5," + "6" * 3000 + "\n", 2, "in.csv:4:3:", "[csv-number]")

    def test_header(self):
        self.refuse("", None, "in.csv: error: the file is empty", "[csv-empty]")
        self.refuse("\n\n", None, "[csv-empty]")
        self.refuse("a,b\n1,2\n", None, "in.csv:1:1: error: no column is an attribute", "attributes are position")
        self.refuse("position.x,position.x\n", None, "in.csv:1:12: error: column 1 has this component")
        self.refuse("position.x,position.z\n", None, "no column for its component y")
        self.refuse("position,,,,\n", None, "4 components", "[csv-column]")
        self.refuse("16.x\n1\n", None, "no column is an attribute")
        self.refuse(b"\x89PNG\r\n\x1a\n\0\0\0", None, "in.csv:1")
        self.refuse(",".join(["position"] + ["x"] * 5000) + "\n", None, "more than 4096 columns")
        self.write("in.csv", "position.x,position.y\n1,2\n")
        self.run_gp(USAGE, "scale.gp", "--attributes", "in.csv", says=["attribute 'colour'", "csv-column"])
        self.write("in.csv", "position.x,position.z\n1,2\n")
        self.run_gp(USAGE, "scale.gp", "--attributes", "in.csv", says="in.csv:1:12: error: the attribute has 2 components")

    def test_files(self):
        for option in (["--attributes", "none.csv"], ["--attribute", "position=none.csv"], ["--uniforms", "none.csv"],
                       ["--attribute", "position=none.bin,format=f32"]):
            self.run_gp(USAGE, "pass.gp", *option, says=["none", "No such file"])
        self.run_gp(USAGE, "pass.gp", "--attributes", self.folder, says="directory")
        self.run_gp(USAGE, "pass.gp", "--attribute", f"position={self.folder},format=f32", says="directory")

    def test_arguments(self):
        for option, says in (("position", "expected NAME=FILE"), ("position=", "expected NAME=FILE"), ("nothing=in.csv", "unknown attribute 'nothing'"),
                             ("16=in.csv", "unknown attribute '16'")):
            self.run_gp(USAGE, "pass.gp", "--attribute", option, says=says)
        self.write("in.csv", "1\n")
        self.run_gp(USAGE, "pass.gp", "--attribute", "position=in.csv", "--attribute", "0=in.csv", says="given twice")

    def test_json(self):
        self.write("in.csv", self.GOOD + "x,1\n")
        result = self.run_gp(USAGE, "pass.gp", "--attributes", "in.csv", "--json")
        error = json.loads(result.err)
        self.assertEqual((error["rule"], error["file"], error["line"], error["column"]), ("csv-number", "in.csv", 4, 1))


class Raw(Case):
    # Format: the struct module's character, sample values, and the function from these to floats.
    FORMATS = {
        "f32": ("f", [1.5, -2, 0.1], single), "f16": ("e", [1.5, -2, 6e-5], lambda v: struct.unpack("<e", struct.pack("<e", v))[0]),
        "i8": ("b", [-128, 127, 0], float), "u8": ("B", [0, 128, 255], float),
        "i16": ("h", [-32768, 32767, 5], float), "u16": ("H", [0, 32768, 65535], float),
        "i32": ("i", [-2**31, 2**31 - 1, 5], single), "u32": ("I", [0, 2**31, 2**32 - 1], single),
        "i8n": ("b", [-128, -127, 127], lambda v: single(max(v / 127, -1))), "u8n": ("B", [0, 51, 255], lambda v: single(v / 255)),
        "i16n": ("h", [-32768, -32767, 32767], lambda v: single(max(v / 32767, -1))),
        "u16n": ("H", [0, 13107, 65535], lambda v: single(v / 65535)),
        "i32n": ("i", [-2**31, 2**30, 2**31 - 1], lambda v: single(max(v / (2**31 - 1), -1))),
        "u32n": ("I", [0, 2**31, 2**32 - 1], lambda v: single(v / (2**32 - 1))),
        "fixed": ("i", [65536, -32768, 1], lambda v: single(v / 65536)),
    }

    def test_formats(self):
        for name, (code, values, meaning) in self.FORMATS.items():
            self.write("in.bin", struct.pack("<3" + code, *values))
            result = self.run_gp(DONE, "pass.gp", "--attribute", f"position=in.bin,format={name},components=3")
            self.assertEqual(result.rows(), [[meaning(value) for value in values] + [1]], name)

    def test_layout(self):
        data = b"\xff" * 6 + b"".join(struct.pack("<2h3x", i, -i) for i in range(5))
        self.write("in.bin", data)
        raw = "position=in.bin,format=i16,components=2,stride=7,offset=6"
        rows = self.run_gp(DONE, "pass.gp", "--attribute", raw).rows()
        self.assertEqual(rows, [[i, -i, 0, 1] for i in range(5)])
        rows = self.run_gp(DONE, "pass.gp", "--attribute", raw, "--first", "2", "--vertices", "2").rows()
        self.assertEqual(rows, [[2, -2, 0, 1], [3, -3, 0, 1]])
        # The last vertex may end before a full stride. If one more byte is missing, the vertex is incomplete and not
        # counted.
        self.write("in.bin", data[:-3])
        self.assertEqual(len(self.run_gp(DONE, "pass.gp", "--attribute", raw).rows()), 5)
        self.write("in.bin", data[:-4])
        self.assertEqual(len(self.run_gp(DONE, "pass.gp", "--attribute", raw).rows()), 4)
        self.run_gp(USAGE, "pass.gp", "--attribute", raw, "--vertices", "5", says=["the file has 4 vertices", "raw-rows"])
        self.run_gp(USAGE, "pass.gp", "--attribute", raw, "--first", "4", says="the file has 4 vertices")
        # With a stride of 0, all vertices have the same value.
        rows = self.run_gp(DONE, "pass.gp", "--attribute", "position=in.bin,format=u8,stride=0", "--vertices", "3").rows()
        self.assertEqual(rows, [[255] * 4] * 3)
        # Tests a large stride.
        self.write("in.bin", bytes(2000000) + struct.pack("<f", 3))
        rows = self.run_gp(DONE, "pass.gp", "--attribute", "position=in.bin,format=f32,components=1,stride=2000000").rows()
        self.assertEqual(rows, [[0, 0, 0, 1], [3, 0, 0, 1]])

    def test_arguments(self):
        self.write("in.bin", bytes(16))
        for more, says in (("format=f64", "unknown format"), ("format=", "unknown format"), ("format=f32,components=5", "1 to 4"),
                           ("format=f32,components=0", "1 to 4"), ("format=f32,stride=-1", "stride="),
                           ("format=f32,stride=2097152", "stride="), ("format=f32,offset=x", "offset="),
                           ("format=f32,size=4", "expected format="), ("format=f32,,", "expected format=")):
            self.run_gp(USAGE, "pass.gp", "--attribute", f"position=in.bin,{more}", says=says)
        self.run_gp(USAGE, "pass.gp", "--attribute", "position=in.bin,format=f32,offset=20", says="the file has 0 vertices")
        self.run_gp(USAGE, "pass.gp", "--attribute", "position=/dev/null,format=f32", says="use a regular file")

    def test_varyings(self):
        self.write("in.csv", "position.x,position.y,colour.x,colour.y,colour.z\n1,2,0.1,0.2,0.3\n3,4,65520,1e-8,-2\n")
        common = ("scale.gp", "--attributes", "in.csv", "--uniform", "scale=1,1", "--uniform", "rest=0,1")
        result = self.run_gp(DONE, *common, "--varying", "v_colour=c.bin,format=f16", "--varying", "gl_Position=p.bin,format=f32,components=2")
        halves = struct.unpack("<6e", self.read("c.bin"))
        self.assertEqual(halves[:3], tuple(struct.unpack("<e", struct.pack("<e", v))[0] for v in (0.1, 0.2, 0.3)))
        self.assertEqual(halves[3:], (math.inf, 0, -2))  # 65520 is the smallest value that rounds to infinity
        self.assertEqual(struct.unpack("<4f", self.read("p.bin")), (1, 2, 3, 4))
        # The table must have the values as they are in memory.
        self.assertEqual(result.header, ["gl_Position.x", "gl_Position.y", "v_colour.x", "v_colour.y", "v_colour.z"])
        self.assertEqual(result.rows()[0][2:], list(halves[:3]))
        for argument, says in (("v_colour", "NAME=FILE"), ("none=x,format=f32", "unknown varying 'none'"), ("v_colour=x", "expected FILE,format=f32"),
                               ("v_colour=x,format=u8", "f32 or f16"), ("v_colour=x,format=f32,stride=8", "stride= and offset= are not supported"),
                               ("v_colour=nowhere/x,format=f32", "No such file")):
            self.run_gp(USAGE, *common, "--varying", argument, says=says)


class Uniforms(Case):
    def rows(self, *arguments):
        values = [round(value, 6) for value in self.run_gp(DONE, "rows.gp", "--quiet", *arguments).rows()[0]]
        return [values[i:i + 4] for i in range(0, 16, 4)]

    def test_forms(self):
        zero = [0, 0, 0, 0]
        for arguments, rows in (
                (["first=1,2,3,4,5,6,7,8"], [[1, 2, 3, 4], [5, 6, 7, 8], zero, zero]),
                (["first[1]=5,6"], [zero, [5, 6, 0, 0], zero, zero]),
                (["first[1].w=9"], [zero, [0, 0, 0, 9], zero, zero]),
                (["first.y=3", "last.z=4"], [[0, 3, 0, 0], zero, zero, [0, 0, 4, 0]]),
                (["lights=1,2,3"], [zero, zero, [1, 2, 3, 0], zero]),
                (["lights.z=7"], [zero, zero, [0, 0, 7, 0], zero]),
                (["lights[0]=7"], [zero, zero, [7, 0, 0, 0], zero]),
                (["1=1,2,3,4,5"], [zero, [1, 2, 3, 4], [5, 0, 0, 0], zero]),
                (["3.x=0x3f800000", "0.w= 2 "], [[0, 0, 0, 2], zero, zero, [1, 0, 0, 0]]),
                (["last=1,2,3,4", "last.x=5"], [zero, zero, zero, [5, 2, 3, 4]])):
            self.assertEqual(self.rows(*[x for a in arguments for x in ("--uniform", a)]), rows, arguments)

    def test_table(self):
        self.write("u.csv", "name,value\nfirst,1,2,3,4,5,6,7,8\nlast.y,0x40000000,,\n\"lights\",7\n")
        self.assertEqual(self.rows("--uniforms", "u.csv"), [[1, 2, 3, 4], [5, 6, 7, 8], [7, 0, 0, 0], [0, 2, 0, 0]])
        self.assertEqual(self.rows("--uniforms", "u.csv", "--uniform", "last.y=3")[3], [0, 3, 0, 0])

    def test_mistakes(self):
        for argument, says in (("first", "expected NAME=VALUE"), ("none=1", "unknown uniform 'none'"), ("first[2]=1", "unknown uniform 'first[2]'"),
                               ("first[-1]=1", "unknown uniform"), ("first[]=1", "unknown uniform"), ("first.q=1", "unknown uniform"),
                               ("512=1", "unknown uniform"), ("last=1,2,3,4,5", "at most 4 fit"), ("last.x=1,2", "at most 1 fit"),
                               ("first[0]=1,2,3,4,5", "at most 4 fit"), ("last=1,two", "invalid number 'two' in"), ("last=", "invalid number"),
                               ("first[99999999999999999999]=1", "unknown uniform")):
            self.run_gp(USAGE, "rows.gp", "--uniform", argument, says=says)
        for table, says in (("512,1\n", "u.csv:1:1: error: unknown uniform '512'"), ("last\n", "missing value"),
                            ("last,1,2,3,4,5\n", "u.csv:1:14: error: too many values: at most 4"),
                            ("last,1\nlast,x\n", "u.csv:2:6: error: invalid number 'x'")):
            self.write("u.csv", table)
            self.run_gp(USAGE, "rows.gp", "--uniforms", "u.csv", says=says)

    def test_foreign(self):
        """A table may be used for several programs. An unknown name in the table causes a warning that lists the
        program's names."""
        self.write("u.csv", "first,1,2,3,4\nnone,7\nother[1].x,8\nlast,5\n")
        result = self.run_gp(DONE, "rows.gp", "--uniforms", "u.csv",
                             says=["u.csv:2:1: warning: the program has no uniform 'none'", "u.csv:3:1: warning: ", "first"])
        self.assertNotIn("error: ", result.err)
        self.write("u.csv", "first[2],1\n")
        self.run_gp(USAGE, "rows.gp", "--uniforms", "u.csv", says="unknown uniform 'first[2]'")

    def test_missing(self):
        result = self.run_gp(DONE, "rows.gp", "--uniform", "first=1", says=["uniforms 'lights', 'last' have no value", "run-uniform-missing"])
        self.assertNotIn("'first'", result.err)
        self.run_gp(WRONG, "rows.gp", "--strict", says="error: uniforms 'first', 'lights', 'last' have no value")


class Programs(Case):
    def test_forms(self):
        """Machine code has no names, so numbers are accepted."""
        self.write("in.csv", "0.x,0.y,0.z\n1,2,3\n")
        for form in ("bin", "hex", "c", "elf"):
            self.assertEqual(self.call("asm", "-m", "gp", "-f", form, "-o", "out." + form, "pass.gp").status, DONE)
            result = self.run_gp(DONE, "out." + form, "--attributes", "in.csv")
            self.assertEqual(result.rows(), [[1, 2, 3, 1]])
            self.assertEqual(result.header[0], "gl_Position.x" if form == "elf" else "0.x")

    def test_vendor_files(self):
        """A file in the format of ARM's offline compiler (limadriver.org, page "MBS File Format"). Offsets of
        symbols are in floats."""
        def chunk(tag, content):
            return tag + struct.pack("<I", len(content)) + content

        def table(tag, kind, name, offset):
            fields = struct.pack("<BBHHHHHIHH", 0, 1, 4, 4, 0, 4, 0, 0, offset, 0xffff)
            return chunk(tag, struct.pack("<I", 1) + chunk(kind, chunk(b"STRI", name + b"\0") + fields))
        self.call("asm", "-m", "gp", "-f", "bin", "-o", "pass.bin", "pass.gp")
        content = chunk(b"FINS", struct.pack("<III", 0, 1, 0)) + chunk(b"SUNI", bytes(4)) + \
            table(b"SATT", b"VATT", b"position", 0) + table(b"SVAR", b"VVAR", b"gl_Position", 0) + \
            chunk(b"DBIN", self.read("pass.bin"))
        self.write("pass.mbs", chunk(b"MBS1", chunk(b"CVER", struct.pack("<I", 6) + content)))
        self.write("in.csv", "position.x,position.y\n1,2\n")
        result = self.run_gp(DONE, "pass.mbs", "--attributes", "in.csv")
        self.assertEqual((result.header[0], result.rows()), ("gl_Position.x", [[1, 2, 0, 1]]))
        self.write("pass.mbs", chunk(b"MBS1", chunk(b"CVER", struct.pack("<I", 6) + content))[:-5])
        self.run_gp(USAGE, "pass.mbs", says="code-mbs")

    def test_mistakes(self):
        self.run_gp(USAGE, "none.gp", says=["none.gp", "No such file"])
        self.run_gp(USAGE, self.folder, says="directory")
        self.run_gp(USAGE, "/dev/zero", says="too large")
        self.run_gp(USAGE, self.write("empty.gp", ""), says="[gp-program-empty]")
        self.run_gp(USAGE, self.write("none.gp", ".attribute a, 0\n"), says="[gp-program-empty]")
        self.run_gp(USAGE, self.write("half.bin", b"\x80" + bytes(16)), says="[gp-program-size]")
        self.run_gp(USAGE, self.write("long.bin", bytes(513 * 16)), says="513 instructions")
        self.run_gp(WRONG, self.write("bad.gp", "main:\n    frobnicate 1\n"), says="bad.gp:2:")
        self.call("asm", "-m", "gp", "-f", "elf", "-o", "pass.elf", "pass.gp")
        elf = self.read("pass.elf")
        self.write("bad.elf", elf.replace(b"attribute position 0 4", b"attribute position 9 9"))
        self.run_gp(USAGE, "bad.elf", says=["bad.elf:.tessera:1:22:", "1 to 4", "[gp-interface]"])

    def test_sources(self):
        self.write("in.csv", "position\n3\n")
        os.mkdir(os.path.join(self.folder, "lib"))
        self.write("lib/part.inc", ".set NUMBER, 1\n")
        self.write("main.gp", '.include "part.inc"\n.varying v, NUMBER\nload.attr 0; mul0.mul attr.x, attr.x\n'
                              "; store0.varying WHERE, mul0, _\n")
        result = self.run_gp(DONE, "main.gp", "-I", "lib", "-D", "WHERE=1", "--attribute", "0=in.csv")
        self.assertEqual((result.header[0], result.rows()[0][0]), ("v.x", 9))

    def test_ending(self):
        """Without -m, the ending of the file name selects the machine."""
        self.write("in.csv", "position\n3\n")
        for verb in (["check", "pass.gp"], ["asm", "-f", "hex", "pass.gp"], ["run", "--attributes", "in.csv", "pass.gp"]):
            with_machine = self.call(verb[0], "-m", "gp", *verb[1:])
            result = self.call(*verb)
            self.assertEqual((result.status, result.err), (DONE, ""), verb)
            self.assertEqual(result.out, with_machine.out)
        self.assertNotEqual(self.call("check", "-m", "qpu", "pass.gp").status, DONE)

    def test_endless(self):
        self.write("loop.gp", "main:\n    pass.mov unif.x; load.unif one; branch main\n.constant one, 1\n")
        self.run_gp(WRONG, "loop.gp", "--max-instructions", "1000", says=["[gp-runaway]", "loop.gp:2"])

    def test_explain(self):
        self.assertIn("gp-runaway, a finding of tessera run (error)", self.run_gp(DONE, "--explain", "gp-runaway").out)
        self.assertEqual(json.loads(self.run_gp(DONE, "--explain", "gp-runaway", "--json").out)["id"], "gp-runaway")
        self.run_gp(USAGE, "--explain", "gp-nothing", says="unknown finding")

    def test_choices(self):
        self.write("in.csv", "position\n1e-40\n")
        for choices, value in (((), 0), (("--choose", "keep-denormals"), single(1e-40))):
            self.assertEqual(self.run_gp(DONE, "pass.gp", "--attributes", "in.csv", *choices).rows()[0][0], value)
        self.run_gp(USAGE, "pass.gp", "--choose", "wisely", says="unknown choice 'wisely'")


class Trace(Case):
    TABLE = "position.x,position.y,colour.x,colour.y,colour.z\n1,2,.25,.5,.75\n3,4,1,1,1\n"

    def trace(self, *more):
        self.write("in.csv", self.TABLE)
        return self.run_gp(DONE, "scale.gp", "--attributes", "in.csv", "--uniform", "scale=2,0.5", "--uniform", "rest=0,1", *more)

    def test_text(self):
        out = self.trace("--trace-vertex", "1").out
        for line in ("cycle 0: instruction 0 <main>, scale.gp:", "(row 0, scale)", "(position)", "(gl_Position)"):
            self.assertIn(line, out)
        self.assertRegex(out, r"mul0\.mul attr\.x, unif\.x +3, 2  -> 6\n")
        self.assertRegex(out, r"mul1\.mul attr\.y, unif\.y +4, 0\.5  -> 2\n")
        self.assertRegex(out, r"store0\.varying 0, mul0, mul1 +6, 2  \(gl_Position\)\n")

    def test_json(self):
        steps = [json.loads(line) for line in self.trace("--trace-vertex", "1", "--json").out.splitlines()]
        self.assertEqual([(step["vertex"], step["cycle"], step["instruction"]) for step in steps], [(1, i, i) for i in range(3)])
        slots = {slot["text"].split(" ")[0]: slot for slot in steps[0]["slots"]}
        self.assertEqual(slots["mul0.mul"]["operands"], [3, 2])
        self.assertEqual(slots["mul0.mul"]["result"], 6)
        self.assertEqual(slots["load.unif"]["loaded"][:2], [2, 0.5])
        self.assertEqual(len(steps[0]["registers"]), 64)

    def test_output(self):
        """A traced run writes the table only if it is requested. The table has only the traced vertex."""
        self.trace("--trace-vertex", "1", "-o", "out.csv")
        self.assertEqual(self.read("out.csv").split(b"\n")[1], b"6,2,0,1,1,1,1")
        self.write("in.csv", self.TABLE)
        self.run_gp(USAGE, "scale.gp", "--attributes", "in.csv", "--trace-vertex", "2", says="the data has 2 rows")

    def test_what_is_on_its_way(self):
        """A register store is visible three instructions later, and a temporary store four (docs/hardware/utgard.md,
        section 6)."""
        self.write("way.gp", ".constant c, 1, 2, 3, 8\n.temporary t, 1, 8\nmain:\n"
                             "    load.unif c; acc0.mov unif.x; pass.mov unif.w; store0.reg 3, acc0, _\n"
                             "    load.unif c; acc0.mov unif.y; complex.addr0 pass[-1]; store0.temp acc0, acc0\n"
                             "    nop\n    nop\n    nop\n    load.reg0 3; mul0.mov reg0.x; store0.varying 0, mul0, _\n")
        steps = [json.loads(line) for line in self.run_gp(DONE, "way.gp", "--trace-vertex", "0", "--json").out.splitlines()]
        ways = [[(way["what"], way["cycle"]) for way in step["on_the_way"]] for step in steps]
        register, temporary = ("register 3.x", 3), ("temporary 8.xy", 5)
        self.assertEqual(ways, [[register], [register, temporary], [temporary], [temporary], [], []])
        self.assertEqual(steps[5]["slots"][0]["loaded"][0], 1)


class Draw(Case):
    # A square from 20 to 40 in x and from 10 to 30 in y, with 1/w = 1.
    SQUARE = "position.x,position.y,colour.x,colour.y,colour.z\n20,10,1,0,0\n40,10,1,0,0\n20,30,1,0,0\n40,30,1,0,0\n"

    def draw(self, status, *more, table=None, says=None):
        self.write("in.csv", table or self.SQUARE)
        return self.run_gp(status, "scale.gp", "--attributes", "in.csv", "--uniform", "scale=1,1", "--uniform", "rest=0,1",
                           "--draw", "out.png", *more, says=says)

    def lit(self):
        width, height, rows = picture(os.path.join(self.folder, "out.png"))
        return {(x, y): tuple(rows[y][3 * x:3 * x + 3]) for y in range(height) for x in range(width)
                if any(rows[y][3 * x:3 * x + 3])}

    def test_square(self):
        result = self.draw(DONE, "--size", "64x48", "--primitive", "strip")
        self.assertEqual(result.out, "")
        self.assertEqual(self.lit(), {(x, y): (255, 0, 0) for x in range(20, 40) for y in range(10, 30)})
        self.assertEqual(picture(os.path.join(self.folder, "out.png"))[:2], (64, 48))

    def test_options(self):
        self.draw(DONE, "--size", "50x40", "--indices", self.write("i.csv", "0,1,2\n2,1,3\n"), "--cull", "counter-clockwise")
        self.assertEqual(len(self.lit()), 400)
        self.draw(DONE, "--size", "50x40", "--indices", "i.csv", "--cull", "clockwise", says="draw-nothing")
        self.draw(DONE, "--primitive", "points", "--size", "64x48")
        self.assertEqual(len(self.lit()), 4)
        self.draw(DONE, "--primitive", "line-strip", "--background", "0,0,1", "--size", "64x48")
        self.assertEqual(self.lit()[0, 0], (0, 0, 255))
        self.draw(DONE, "--draw-varying", "gl_Position", "--primitive", "strip", "--size", "64x48")
        self.assertEqual(self.lit()[30, 20], (255, 255, 0))  # red and green are far above 1, blue is 0
        result = self.draw(DONE, "-o", "-", "--stats", "--primitive", "strip")
        self.assertEqual(len(result.rows()), 4)
        self.assertIn("pixels                 400", result.err)
        stats = json.loads(self.draw(DONE, "--stats", "--json", "--primitive", "strip").out)
        self.assertEqual((stats["vertices"], stats["primitives"], stats["pixels"]), (4, 2, 400))

    def test_clip_space(self):
        """With --clip-space, the corners of the picture are at -1 and 1, so the rectangle covers half of the
        picture."""
        self.draw(DONE, "--clip-space", "--primitive", "strip", "--size", "8x8",
                  table="position.x,position.y,colour.x,colour.y,colour.z\n-1,-1,1,1,1\n-1,1,1,1,1\n0,-1,1,1,1\n0,1,1,1,1\n")
        self.assertEqual(set(self.lit()), {(x, y) for x in range(4) for y in range(8)})

    def fates(self, *more, says, table=None, primitive="strip"):
        """Draws. Checks that nothing is visible and that the reason is printed. Returns the counts that are not 0."""
        result = self.draw(DONE, "--stats", "--json", "--primitive", primitive, "--size", "64x48", *more, table=table)
        line = next(json.loads(line) for line in result.err.splitlines() if '"draw-nothing"' in line)
        self.assertIn(says, line["text"])
        counts = json.loads(result.out)
        return {name: counts[name] for name in ("skipped", "clipped", "culled", "no_area", "outside", "uncovered", "covered", "beyond",
                                                "hidden", "pixels", "unchanged") if counts[name]}

    def test_nothing(self):
        """Each draw drops both triangles, or their 400 pixels, for a different reason. The message must give the
        reason and a hint."""
        head, red = "position.x,position.y,colour.x,colour.y,colour.z\n", ",1,0,0\n"
        small = head + red.join(("0,0", "0.4,0", "0,0.4", "0.4,0.4", ""))
        point = head + 4 * ("20,10" + red)
        self.assertEqual(self.fates("--cull", "clockwise", says="2 are culled by --cull"), {"culled": 2})
        self.assertEqual(self.fates("--size", "16x8", says="2 are outside of the picture"), {"outside": 2})
        self.assertEqual(self.fates(table=small, says="2 are too small"), {"uncovered": 2})
        self.assertEqual(self.fates(table=point, says="2 are without area"), {"culled": 2, "no_area": 2})
        self.assertEqual(self.fates("--uniform", "rest=2,1", says="400 are outside of the depth range"), {"covered": 400, "beyond": 400})
        self.assertEqual(self.fates("--clip-space", "--uniform", "rest=0,-1", says="2 are behind the eye"), {"clipped": 2})
        self.assertEqual(self.fates("--background", "1,0,0", says="all 400 written pixels"), {"covered": 400, "pixels": 400, "unchanged": 400})
        self.assertEqual(self.fates(primitive="triangles", table=small[:small.index("0,0.4,")], says="too few vertices"), {})
        for more, table in (([], None), (["--size", "64x48"], None), (["--clip-space"], small), (["--no-depth", "--uniform", "rest=2,1"], None)):
            result = self.draw(DONE, "--primitive", "strip", "--stats", "--json", *more, table=table)
            self.assertGreater(json.loads(result.out)["pixels"], 0)
            self.assertNotIn("draw-nothing", result.err)

    def test_driver_uniforms(self):
        """The viewport follows from the picture's size. For 320x240 its scale is 160, -120, 0.5, and its offset 160,
        120, 0.5."""
        self.write("view.gp", ".uniform gl_mali_ViewportTransform, 2\n.uniform gl_mali_PointSizeParameters\n" + "".join(
            f"load.unif {row}; mul0.mov unif.x; mul1.mov unif.y; acc0.mov unif.z; store0.varying {row}, mul0, mul1\n"
            f"; store1.varying {row}, acc0, _\n" for row in range(3)))
        result = self.run_gp(DONE, "view.gp", "--size", "320x240")
        self.assertEqual(result.rows(), [[160, -120, 0.5, 160, 120, 0.5, 1, 100, 1]])
        self.assertEqual(result.err, "")
        result = self.run_gp(DONE, "view.gp", "--size", "320x240", "--uniform", "gl_mali_ViewportTransform[0]=1,2,3")
        self.assertEqual(result.rows()[0][:6], [1, 2, 3, 0, 0, 0])
        self.run_gp(DONE, "view.gp", says="run-uniform-missing")

    def test_mistakes(self):
        for more, says in ((["--size", "0x4"], "invalid size"), (["--size", "4"], "invalid size"), (["--size", "4x99999"], "invalid size"),
                           (["--size", "4x4x4"], "invalid size"), (["--background", "1,2"], "invalid colour"), (["--background", "1,2,3,4"], "invalid colour"),
                           (["--background", "0,1.5,0"], "invalid colour"), (["--background", "0,0,-1"], "invalid colour"), (["--background", "nan,0,0"], "invalid colour"),
                           (["--draw", "x.png,10x"], "invalid size"), (["--draw", "x.png,0x4"], "invalid size"),
                           (["--primitive", "quads"], "unknown primitive"), (["--cull", "all"], "unknown winding"),
                           (["--draw-varying", "none"], "unknown varying 'none'"), (["--position", "none"], "unknown varying 'none'"),
                           (["--indices", "none.csv"], "No such file")):
            self.draw(USAGE, *more, says=says)
        for table, says in (("0,1,x\n", "i.csv:1:5:"), ("0,-1\n", "i.csv:1:3:"), ("4294967296\n", "invalid vertex number"), ("1.5\n", "i.csv:1:1:")):
            self.draw(USAGE, "--indices", self.write("i.csv", table), says=[says, "csv-index"])
        self.draw(DONE, "--indices", self.write("i.csv", "0,1,4\n"), says=["draw-index", "index 4"])
        self.draw(WRONG, "--strict", "--indices", "i.csv", says="error: index 4")
        self.draw(DONE, "--uniform", "rest=0,0", says=["draw-position", "vertex 0"])
        self.draw(USAGE, "--draw", "nowhere/x.png", says="No such file")
        self.write("none.gp", ".varying v, 0\nmul0.mov mul1[-1]; store0.varying v, mul0, _\n")
        self.run_gp(USAGE, "none.gp", "--draw", "x.png", says="--position")

    def test_unnamed(self):
        self.call("asm", "-m", "gp", "-f", "bin", "-o", "s.bin", "scale.gp")
        self.write("in.csv", self.SQUARE.replace("position", "0").replace("colour", "1"))
        self.run_gp(DONE, "s.bin", "--attributes", "in.csv", "--uniform", "0=1,1", "--uniform", "1=0,1", "--draw",
                    "out.png,64x48", "--primitive", "strip")
        self.assertEqual(len(self.lit()), 400)
        self.assertEqual(self.lit()[30, 20], (255, 0, 0))


class Size(Case):
    def big(self, rows):
        path = os.path.join(self.folder, "big.csv")
        numbers = random.Random(2)
        lines = [",".join(f"{numbers.uniform(-10, 10):.6g}" for _ in range(5)) + "\n" for _ in range(997)]
        with open(path, "w", encoding="utf-8") as file:
            file.write("position.x,position.y,colour.x,colour.y,colour.z\n")
            for i in range(rows):
                file.write(lines[i % 997])
        return path

    def arguments(self, *more):
        return ["run", "-m", "gp", "scale.gp", "--attributes", "big.csv", "--uniform", "scale=2,3", "--uniform", "rest=0,1", *more]

    def memory(self, *more):
        """Runs a program with 300 MiB of address space. Returns the peak of its resident memory in KiB. Returns 0
        for a program with the address sanitizer, which keeps freed memory."""
        with open(TESSERA, "rb") as file:
            sanitized = b"__asan_init" in file.read()

        def limit():
            if not sanitized:
                resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))
        with subprocess.Popen([TESSERA, *self.arguments(*more)], cwd=self.folder, preexec_fn=limit) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, DONE)
        return 0 if sanitized else usage.ru_maxrss

    def test_streams(self):
        """The use of memory must not grow with the number of vertices."""
        self.big(40000)
        small = self.memory("-o", "small.csv", "--threads", "2")
        self.big(400000)
        great = self.memory("-o", "great.csv", "--threads", "2")
        self.assertEqual(self.read("great.csv").count(b"\n"), 400001)
        self.assertLessEqual(great, small + 4096)

    def test_threads(self):
        """The output must have the same bytes for any number of threads."""
        self.big(70000)
        for threads in (1, 2, 3, 64):
            self.assertEqual(self.call(*self.arguments("-o", f"{threads}.csv", "--threads", str(threads))).status, DONE)
        for threads in (2, 3, 64):
            self.assertEqual(self.read("1.csv"), self.read(f"{threads}.csv"))
        first = self.read("1.csv").split(b"\n")[1]
        self.assertEqual(first, self.read("1.csv").split(b"\n")[998])

    def test_pieces(self):
        """All rows before an error must be written, even after many vertices."""
        path = self.big(50000)
        with open(path, "a", encoding="utf-8") as file:
            file.write("1,2,3,4,x\n")
        result = self.call(*self.arguments())
        self.assertEqual(result.status, USAGE)
        self.assertIn("big.csv:50002:9: error", result.err)
        self.assertEqual(len(result.text_rows), 50000)

    def test_findings(self):
        """The findings of all pieces must be added up."""
        self.write("warns.gp", ".varying v, 0, 1\nload.unif 7; mul0.mov unif.x; store0.varying v, mul0, _\n")
        result = self.call("run", "-m", "gp", "warns.gp", "--vertices", "50000", "-o", "/dev/null")
        self.assertEqual(result.err.count("gp-row-unset"), 1)
        self.assertIn("vertex 0: mul0 reads row 7, which has no value (50000 times)", result.err)

    def test_progress(self):
        self.big(50000)
        result = self.call(*self.arguments("--progress", "-o", "/dev/null"))
        self.assertRegex(result.err, r"vertex \d+, ")
        result = self.call(*self.arguments("--progress", "--vertices", "40000", "-o", "/dev/null"))
        self.assertRegex(result.err, r"vertex \d+ of 40000, ")
        self.assertEqual(self.call(*self.arguments("-o", "/dev/null")).err, "")


class Usage(Case):
    def test_options(self):
        self.assertTrue(self.run_gp(DONE, "--help").out.startswith("Usage: tessera run -m gp"))
        self.run_gp(USAGE, says="no shader given")
        self.run_gp(USAGE, "a", "b", says="more than one shader")
        self.run_gp(USAGE, "--frobnicate", says="Try 'tessera run --help'")
        for number in ("0", "-1", "x", "", "99999999999"):
            self.run_gp(USAGE, "--vertices", number, "x", says="invalid vertex count")
        for option in ("--first", "--trace-vertex"):
            self.run_gp(USAGE, option, "-1", "x", says="invalid vertex number")
        for threads in ("0", "65", "two"):
            self.run_gp(USAGE, "--threads", threads, "x", says="1 to 64")

    def test_output(self):
        self.write("in.csv", "position\n" + "1\n" * 20000)
        for path, says in (("nowhere/out.csv", "No such file"), (self.folder, "Is a directory"), ("/dev/full", "No space left")):
            self.run_gp(USAGE, "pass.gp", "--attributes", "in.csv", "-o", path, says=says)
        result = self.run_gp(DONE, "pass.gp", "--attributes", "in.csv", "-o", "out.csv", "--stats")
        self.assertIn("vertices             20000", result.out)
        stats = json.loads(self.run_gp(DONE, "pass.gp", "--attributes", "in.csv", "--stats", "--json").err)
        self.assertEqual((stats["vertices"], stats["instructions"]), (20000, 20000))

    def test_no_data(self):
        """A program that reads no attributes must run once."""
        self.assertEqual(len(self.run_gp(DONE, "rows.gp", "--quiet").rows()), 1)
        self.assertEqual(len(self.run_gp(DONE, "rows.gp", "--quiet", "--vertices", "5").rows()), 5)


if __name__ == "__main__":
    unittest.main()
