#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""a2xx.py - tests "tessera run -m a2xx" on the command line: a2xx.py TESSERA. Expected values are calculated by
hand, or by Python's own floats and struct module. Operations and fetches follow docs/hardware/a2xx.md, sections 7 to
17. Exit statuses follow docs/a2xx/run.md."""
import json
import os
import resource
import struct
import subprocess
import sys
import unittest
import zlib

import rig
from rig import DONE, TESSERA, USAGE, WRONG, picture, single

# Exports four floats as the position, and three as the first parameter.
PASS = """@attribute(R1) position
@attribute(R2) colour
@varying(R0) v_colour
EXEC
    FETCH: VERTEX R1.xyzw = R0.x FMT_32_32_32_32_FLOAT SIGNED STRIDE(16) CONST(20, 0)
    FETCH: VERTEX R2.xyz1 = R0.x FMT_32_32_32_FLOAT SIGNED STRIDE(12) CONST(20, 1)
ALLOC POSITION SIZE(0x0)
EXEC
    (S)ALU: MAXv export62 = R1, R1
ALLOC PARAM/PIXEL SIZE(0x0)
EXEC_END
    ALU: MAXv export0 = R2, R2
"""

# Exports the first parameter as the colour.
COLOUR = """@varying(R0) v_colour
ALLOC PARAM/PIXEL SIZE(0x0)
EXEC_END
    ALU: MAXv export0 = R0, R0
"""

# Exports position * scale + rest, with named constants.
SCALE = """@attribute(R1) position
@uniform(C4) scale
@uniform(C5-C6) rest
@const(C7) 0.5, 0.25, 0.125, 1.0
EXEC
    FETCH: VERTEX R1.xyzw = R0.x FMT_32_32_32_32_FLOAT SIGNED STRIDE(16) CONST(20, 0)
ALLOC POSITION SIZE(0x0)
EXEC
    (S)ALU: MULADDv export62 = C5, R1, C4
ALLOC PARAM/PIXEL SIZE(0x1)
EXEC_END
    ALU: MAXv export0 = C6, C6
    ALU: MAXv export1 = C7, C7
"""

# Exports the vertex number.
NUMBER = """ALLOC POSITION SIZE(0x0)
EXEC_END
    ALU: MAXv export62 = R0.xxxx, R0.xxxx
"""

# Samples texture 3 at the coordinates in R0.
SAMPLE = """@varying(R0) place
@sampler(3) picture
EXEC
    FETCH: SAMPLE R1.xyzw = R0.xyz CONST(3)
ALLOC PARAM/PIXEL SIZE(0x0)
EXEC_END
    (S)ALU: MAXv export0 = R1, R1
"""

QUAD = """position.x,position.y,position.z,position.w,colour.x,colour.y,colour.z
-1,-1,0,1,1,0,0
1,-1,0,1,0,1,0
-1,1,0,1,0,0,1
1,1,0,1,1,1,1
"""


def png(width, rows):
    """Returns a PNG file with rows of (red, green, blue, alpha)."""
    raw = b"".join(b"\0" + b"".join(bytes(pixel) for pixel in row) for row in rows)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, len(rows), 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


class Case(rig.Case):
    machine = "a2xx"
    files = {"pass.a2xx": PASS, "colour.a2xx": COLOUR, "scale.a2xx": SCALE, "number.a2xx": NUMBER,
             "sample.a2xx": SAMPLE, "quad.csv": QUAD}

    def vertex(self, fetch, table, *more, mask="xyzw"):
        """Returns the position of each vertex. It is the result of a fetch of attribute "a" from a table."""
        self.write("fetch.a2xx", f"@attribute(R1) a\nEXEC\n FETCH: VERTEX R1.{mask} = R0.x {fetch}\n"
                                 "ALLOC POSITION SIZE(0x0)\nEXEC_END\n (S)ALU: MAXv export62 = R1, R1\n")
        self.write("in.csv", table)
        return self.run_machine(DONE, "fetch.a2xx", "--attributes", "in.csv", *more).rows()

    def pixel(self, body, table, *more, header="", status=DONE, exports=1):
        self.write("pixel.a2xx", f"{header}\nALLOC PARAM/PIXEL SIZE({exports - 1})\nEXEC_END\n{body}\n")
        self.write("in.csv", table)
        return self.run_machine(status, "pixel.a2xx", "--attributes", "in.csv", *more)

    def test_sizes_of_pictures_come_first(self):
        """A small file that declares a huge picture must not allocate memory for the picture."""
        whole = bytearray(png(1, [[(1, 2, 3, 4)]]))
        for width, height in ((8193, 1), (1, 8193), (0x7fffffff, 0x7fffffff)):
            struct.pack_into(">II", whole, 16, width, height)
            self.write("large.png", bytes(whole))
            self.run_machine(USAGE, "sample.a2xx", "--texture", "20=large.png", says=f"large.png has {width} x {height} pixels: sizes are at most 8192")

    def sampled(self, *options, places=((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)), file="t.png"):
        """Returns the colours that a program samples from texture 3 at some places."""
        self.write("places.csv", "place.x,place.y,place.z\n" +
                   "".join(",".join(map(str, (*place, 0)[:3])) + "\n" for place in places))
        result = self.run_machine(DONE, "sample.a2xx", "--attributes", "places.csv",
                                  "--texture", ",".join([f"picture={file}", *options]))
        return [[round(value * 255) for value in row] for row in result.rows()]


class Vertices(Case):
    def test_tables(self):
        result = self.run_machine(DONE, "pass.a2xx", "--attributes", "quad.csv")
        self.assertEqual(result.header, ["gl_Position.x", "gl_Position.y", "gl_Position.z", "gl_Position.w",
                                         "v_colour.x", "v_colour.y", "v_colour.z", "v_colour.w"])
        self.assertEqual(result.rows()[1], [1, -1, 0, 1, 0, 1, 0, 1])
        self.assertEqual(len(result.rows()), 4)

    def test_ending_tells_machine(self):
        result = self.call("run", "pass.a2xx", "--attributes", "quad.csv")
        self.assertEqual((result.status, len(result.rows())), (DONE, 4))

    def test_names_without_source(self):
        """Machine code has no names: fetch60 is vertex constant 20 * 3, and export0 is the first parameter."""
        code = self.call("asm", "-m", "a2xx", "-f", "hex", "pass.a2xx", "-o", "-").out
        self.write("pass.hex", code)
        self.write("in.csv", "fetch60.x,fetch60.y,fetch60.z,fetch60.w,fetch61.x,fetch61.y,fetch61.z\n1,2,3,4,5,6,7\n")
        result = self.run_machine(DONE, "pass.hex", "--attributes", "in.csv")
        self.assertEqual(result.header[4:], ["export0.x", "export0.y", "export0.z", "export0.w"])
        self.assertEqual(result.rows(), [[1, 2, 3, 4, 5, 6, 7, 1]])

    def test_missing_components(self):
        self.write("in.csv", "position.x,position.y,colour.x\n5,6,7\n")
        result = self.run_machine(DONE, "pass.a2xx", "--attributes", "in.csv")
        self.assertEqual(result.rows(), [[5, 6, 0, 1, 7, 0, 0, 1]])

    def test_one_column_each(self):
        self.write("p.csv", "1,2,3,4\n5,6,7,8\n")
        self.write("c.csv", "r,g,b\n9,10,11\n12,13,14\n")
        result = self.run_machine(DONE, "pass.a2xx", "--attribute", "position=p.csv", "--attribute", "1=c.csv:b,g,r")
        self.assertEqual(result.rows(), [[1, 2, 3, 4, 11, 10, 9, 1], [5, 6, 7, 8, 14, 13, 12, 1]])

    def test_formats(self):
        """Components are stored from the lowest bit up. Normalised ones are divided by 2^n - 1, signed ones by 2^(n-1)
        - 1."""
        self.assertEqual(self.vertex("FMT_8_8_8_8 UNSIGNED NORMALIZED STRIDE(4) CONST(20, 0)",
                                     "a.x,a.y,a.z,a.w\n0,1,0.2,0.4\n1,0,0.6,0.8\n"),
                         [[0, 1, single(51 / 255), single(102 / 255)], [1, 0, single(153 / 255), single(204 / 255)]])
        self.assertEqual(self.vertex("FMT_16_16 SIGNED STRIDE(4) CONST(1, 2)", "a.x,a.y\n-3,1000\n32767,-32768\n",
                                     mask="xy01"), [[-3, 1000, 0, 1], [32767, -32768, 0, 1]])
        self.assertEqual(self.vertex("FMT_16_16_FLOAT SIGNED STRIDE(4) CONST(1, 2)", "a.x,a.y\n0.5,-1024\n",
                                     mask="yx01"), [[-1024, 0.5, 0, 1]])

    def test_interleaved(self):
        """Two fetches share a buffer with a stride of 16 bytes. The first reads 12 bytes of a vertex, and the second
        4."""
        self.write("two.a2xx", """@attribute(R1) p
@attribute(R2) c
EXEC
 FETCH: VERTEX R1.xyz1 = R0.x FMT_32_32_32_FLOAT SIGNED STRIDE(16) CONST(20, 0)
 FETCH: VERTEX R2.xyzw = R0.x FMT_8_8_8_8 UNSIGNED NORMALIZED STRIDE(16) OFFSET(12) CONST(20, 0)
ALLOC POSITION SIZE(0)
EXEC
 (S)ALU: MAXv export62 = R1, R1
ALLOC PARAM/PIXEL SIZE(0)
EXEC_END
 ALU: MAXv export0 = R2, R2
""")
        self.write("in.csv", "p.x,p.y,p.z,c.x,c.y,c.z,c.w\n" + "".join(f"{i},{-i},{i / 2},1,0,1,0\n" for i in range(9)))
        rows = self.run_machine(DONE, "two.a2xx", "--attributes", "in.csv").rows()
        self.assertEqual(rows, [[i, -i, i / 2, 1, 1, 0, 1, 0] for i in range(9)])
        # Now the same bytes come from a buffer.
        self.write("buffer.bin", b"".join(struct.pack("<3f4B", i, -i, i / 2, 255, 0, 255, 0) for i in range(9)))
        self.assertEqual(self.run_machine(DONE, "two.a2xx", "--buffer", "60=buffer.bin").rows(), rows)
        self.assertEqual(self.run_machine(DONE, "two.a2xx", "--buffer", "60=buffer.bin", "--first", "7").rows(), rows[7:])

    def test_raw(self):
        self.write("raw.bin", b"xx" + struct.pack("<8f", *range(8)))
        self.write("bytes.bin", struct.pack("<6f", *range(10, 16)))
        result = self.run_machine(DONE, "pass.a2xx", "--attribute", "position=raw.bin,format=f32,components=4,offset=2",
                                  "--attribute", "colour=bytes.bin,format=32_32_32_FLOAT")
        self.assertEqual(result.rows(), [[0, 1, 2, 3, 10, 11, 12, 1], [4, 5, 6, 7, 13, 14, 15, 1]])
        self.run_machine(USAGE, "pass.a2xx", "--attribute", "position=raw.bin,format=8_8_8_8", says="[run-format]")
        self.run_machine(USAGE, "pass.a2xx", "--attribute", "position=raw.bin,format=9_9", says="unknown format")

    def test_numbers_and_windows(self):
        """R0.x is the vertex number, which counts from --first. If a table is run in several pieces, the output must
        have all rows in order."""
        rows = self.run_machine(DONE, "number.a2xx", "--first", "5", "--vertices", "3").rows()
        self.assertEqual([row[0] for row in rows], [5, 6, 7])
        count = 300000
        self.write("big.csv", "position.x,position.y,position.z,position.w,colour.x\n" +
                   "".join(f"{i},0,0,1,{i % 7}\n" for i in range(count)))
        rows = self.run_machine(DONE, "pass.a2xx", "--attributes", "big.csv", "--threads", "2").rows()
        self.assertEqual([(row[0], row[4]) for row in rows], [(i, i % 7) for i in range(count)])

    def test_memory_does_not_grow(self):
        def run(count):
            code = (f"print('position.x,colour.x');[print(f'{{i}},1') for i in range({count})]")
            data = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            done = subprocess.run([TESSERA, "run", "-m", "a2xx", "pass.a2xx", "--attributes", "-", "-o", "/dev/null"],
                                  stdin=data.stdout, cwd=self.folder, timeout=rig.SECONDS, check=False)
            data.stdout.close()
            data.wait()
            self.assertEqual(done.returncode, DONE)
            return max(before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)

        small = run(300000)
        self.assertLess(run(600000), small * 1.1 + 4096)

    def test_varyings(self):
        self.run_machine(DONE, "pass.a2xx", "--attributes", "quad.csv", "--varying", "v_colour=c.bin,format=f32,components=3",
                         "--varying", "gl_Position=p.bin,format=f16")
        self.assertEqual(struct.unpack("<12f", self.read("c.bin")), (1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1))
        self.assertEqual(struct.unpack("<16e", self.read("p.bin")), (-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1, 1, 1, 0, 1))

    def test_mistakes(self):
        self.write("bad.csv", "position.x,colour.x\n1,2\nx,3\n")
        result = self.run_machine(USAGE, "pass.a2xx", "--attributes", "bad.csv", says="bad.csv:3:1")
        self.assertEqual(len(result.rows()), 1)
        self.write("none.csv", "position.x\n1\n")
        self.run_machine(USAGE, "pass.a2xx", "--attributes", "none.csv", says="no column for attribute 'colour'")
        self.run_machine(USAGE, "pass.a2xx", "--buffer", "96=quad.csv", says="0 to 95")
        self.run_machine(USAGE, "pass.a2xx", "--buffer", "60=none", says="[run-io]")
        self.run_machine(USAGE, "none.a2xx", says="[run-io]")
        self.run_machine(USAGE, "pass.a2xx", "--pixel", "colour.a2xx", says="--draw")
        self.run_machine(USAGE, "colour.a2xx", "--draw", "x.png", says="vertex program")
        self.run_machine(USAGE, "colour.a2xx", "--stage", "pixel", "--pixel", "colour.a2xx", "--draw", "x.png", says="--pixel needs")
        self.run_machine(USAGE, "pass.a2xx", "--stage", "geometry", says="vertex or pixel")
        self.run_machine(USAGE, "pass.a2xx", "--variant", "a6xx", says="adreno or xenos")
        self.write("wrong.a2xx", "EXEC\n ALU: ADDq R0 = R0, R0\n")
        self.run_machine(WRONG, "wrong.a2xx", says="wrong.a2xx:2")


class Memory(Case):
    def test_export(self):
        """Each vertex writes four bytes: its number / 255, 1, 0 and 0.5 as 8-bit fractions. export32 is the stream,
        whose x contains the address in dwords. The bit 0x40000000, which the hardware ignores, makes the word a
        normal float. z contains in bits 12 to 15 the render-target format, 5 (8_8_8_8). y and w are 2^23 plus the
        index of an element and the number of elements (docs/hardware/a2xx.md, sections 11, 17, 24 and 26)."""
        address = 0x2000
        words = 0x40000000 | address >> 2, 0x4b000000, 0x4b000000 | 5 << 12, 0x4b000000 + 16
        floats = ", ".join(repr(struct.unpack("<f", struct.pack("<I", word))[0]) for word in words)
        self.write("out.a2xx", """@const(C0) %s
@const(C1) 0.0039215689, 1.0, 0.0, 0.5
@const(C2) 0.0, 1.0, 0.0, 0.0
ALLOC MEMORY SIZE(1)
EXEC
 ALU: MULADDv export32 = C0, R0.xxxx, C2
 ALU: MULADDv export33 = C1.zyzw, R0.xxxx, C1.xzzz
ALLOC POSITION SIZE(0)
EXEC_END
 ALU: MAXv export62 = R0.xxxx, R0.xxxx
""" % floats)
        result = self.run_machine(DONE, "out.a2xx", "--vertices", "5", "--memory", "0x2000=mem.bin,size=32")
        self.assertIn("export33.w", result.header)
        wanted = b"".join(bytes([i, 255, 0, 128]) for i in range(5))
        self.assertEqual(self.read("mem.bin"), wanted + bytes(32 - len(wanted)))

    def test_mistakes(self):
        for wrong in "0x2000=a", "0x2002=a,size=4", "16=a,size=4", "0x10000000=a,size=4", "0x2000=a,size=0", "0x2000=,size=4":
            self.run_machine(USAGE, "number.a2xx", "--memory", wrong, says="ADDRESS=FILE,size=BYTES")
        self.run_machine(USAGE, "number.a2xx", "--memory", "0x2000=a,size=8", "--memory", "0x2004=b,size=8", says="overlaps other memory")

    def test_overlap(self):
        self.write("t.png", png(1, [[(1, 2, 3, 4)]]))
        self.run_machine(USAGE, "pass.a2xx", "--attributes", "quad.csv", "--texture", "20=t.png", says="[run-overlap]")


class Constants(Case):
    def scale(self, *more):
        self.write("one.csv", "position.x,position.y,position.z,position.w\n1,2,3,4\n")
        return self.run_machine(DONE, "scale.a2xx", "--attributes", "one.csv", *more)

    def test_uniforms(self):
        row = self.scale("--uniform", "scale=2,3,4,5", "--uniform", "rest=1,1,1,1,6,7,8,9").rows()[0]
        self.assertEqual(row, [3, 7, 13, 21, 6, 7, 8, 9, 0.5, 0.25, 0.125, 1])

    def test_numbers_and_components(self):
        row = self.scale("--uniform", "C4=1,1,1,1", "--uniform", "scale.y=10", "--uniform", "rest[1].z=3",
                         "--uniform", "C7.w=-1").rows()[0]
        self.assertEqual(row, [1, 20, 3, 4, 0, 0, 3, 0, 0.5, 0.25, 0.125, -1])

    def test_table(self):
        self.write("u.csv", "name,value\nscale,2,2,2,2\nC6,4,3,2,1\n")
        for option in "--uniforms", "--constants":
            row = self.scale(option, "u.csv").rows()[0]
            self.assertEqual(row[:8], [2, 4, 6, 8, 4, 3, 2, 1])

    def test_missing(self):
        self.assertIn("uniforms 'scale', 'rest' have no value", self.scale().err)
        self.run_machine(USAGE, "scale.a2xx", "--uniform", "colour=1", says="unknown uniform 'colour'")
        self.run_machine(USAGE, "scale.a2xx", "--uniform", "C256=1", says="unknown uniform")
        self.run_machine(USAGE, "scale.a2xx", "--uniform", "scale=1,2,3,4,5", says="at most 4")

    def test_bools_and_loops(self):
        """Boolean 3 selects a clause. The number of iterations is in loop constant 1. Each iteration adds aL, which
        counts from start by step."""
        self.write("flow.a2xx", """@const(C0) 1.0, 10.0, 0.0, 0.0
@const(C1) 1.0, 2.0, 3.0, 4.0
EXEC
 ALU: MAXv R1 = C0.zzzz, C0.zzzz
COND_EXEC BOOL_ADDR(3) COND(1)
 ALU: ADDv R1.x___ = R1, C0.yyyy
LOOP_START ADDR(done) LOOP_ID(1)
body:
EXEC
 ALU: ADDv R1._y__ = R1, C0.xxxx
LOOP_END ADDR(body) LOOP_ID(1)
done:
ALLOC POSITION SIZE(0)
EXEC_END
 ALU: MAXv export62 = R1, R1
""")
        run = lambda *more: self.run_machine(DONE, "flow.a2xx", *more).rows()[0][:2]
        self.assertEqual(run("--bool", "3=1", "--loop", "1=7"), [10, 7])
        self.assertEqual(run("--bool", "3=0", "--loop", "1=0,5,2"), [0, 0])
        for wrong in "256=1", "3=2", "x=1", "3", "3=1,1":
            self.run_machine(USAGE, "flow.a2xx", "--bool", wrong, says="NUMBER=0")
        for wrong in "32=1", "0=256", "0=1,-1", "0=1,2,128", "0=1,2,3,4", "0=":
            self.run_machine(USAGE, "flow.a2xx", "--loop", wrong, says="NUMBER=COUNT")


class Pixels(Case):
    def test_registers(self):
        result = self.pixel(" ALU: MULv export0 = R0, R5.yyyy", "R0.x,R0.y,R5.x,R5.y\n1,2,9,3\n4,5,9,-1\n")
        self.assertEqual(result.header, ["gl_FragColor.x", "gl_FragColor.y", "gl_FragColor.z", "gl_FragColor.w"])
        self.assertEqual(result.rows(), [[3, 6, 0, 0], [-4, -5, 0, 0]])

    def test_kill(self):
        result = self.pixel(" ALU: KILLGTv R1.____ = R0.xxxx, C0.xxxx\n ALU: MAXv export0 = R0, R0",
                            "v.x,v.y,v.z,v.w\n1,2,3,4\n5,6,7,8\n", header="@varying(R0) v\n@const(C0) 3.0, 0, 0, 0")
        self.assertEqual(result.header[-1], "killed.x")
        self.assertEqual(result.rows(), [[1, 2, 3, 4, 0], [0, 0, 0, 0, 1]])

    def test_depth(self):
        result = self.pixel(" ALU: MAXv export61.x___ = R0.yyyy, R0.yyyy\n ALU: MAXv export0 = R0, R0",
                            "R0.x,R0.y\n1,0.25\n", exports=2)
        self.assertEqual(result.header[-1], "gl_FragDepth.x")
        self.assertEqual(result.rows()[0][-1], 0.25)

    def test_constants(self):
        result = self.pixel(" ALU: MULv export0 = R0, C2", "R0.x,R0.y\n1,2\n", "--uniform", "C2=3,4,0,0")
        self.assertEqual(result.rows()[0][:2], [3, 8])

    def test_missing_varying(self):
        self.pixel(" ALU: MAXv export0 = R0, R0", "other.x\n1\n", header="@varying(R0) v", status=USAGE)


class Textures(Case):
    RED, GREEN, BLUE, GREY = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 128), (51, 102, 153, 204)

    def setUp(self):
        super().setUp()
        self.write("t.png", png(2, [[self.RED, self.GREEN], [self.BLUE, self.GREY]]))

    def test_texels(self):
        """Samples at the centres of four texels. The first row is on top. At a centre, a linear filter returns the
        exact texel."""
        wanted = [list(texel) for texel in (self.RED, self.GREEN, self.BLUE, self.GREY)]
        for options in (), ("filter=point",), ("tiled",), ("tiled", "filter=point", "wrap=clamp"), ("pitch=64",), ("mips",):
            self.assertEqual(self.sampled(*options), wanted, options)
        self.assertEqual(self.sampled("flip"), wanted[2:] + wanted[:2])

    def test_filters(self):
        middle = [[(a + b) / 2 for a, b in zip(self.RED, self.GREEN)]]
        for found, wanted in zip(self.sampled(places=[(0.5, 0.25)])[0], middle[0]):
            self.assertLessEqual(abs(found - wanted), 1)
        self.assertEqual(self.sampled("filter=point", places=[(0.49, 0.25)]), [list(self.RED)])

    def test_wraps(self):
        places = [(1.25, 0.25), (-0.25, 0.25)]
        for wrap, wanted in {"repeat": [self.RED, self.GREEN], "mirror": [self.GREEN, self.RED],
                             "clamp": [self.GREEN, self.RED]}.items():
            found = self.sampled("filter=point", f"wrap-s={wrap}", places=places)
            self.assertEqual(found, [list(texel) for texel in wanted], wrap)
        self.assertEqual(self.sampled("filter=point", "wrap=border", "border=white", places=[(2, 2)]), [[255] * 4])
        self.assertEqual(self.sampled("filter=point", "wrap=border", places=[(2, 2)]), [[0] * 4])

    def test_swizzle_and_sign(self):
        self.assertEqual(self.sampled("swizzle=zyx1", places=[(0.75, 0.75)]), [[153, 102, 51, 255]])
        self.assertEqual(self.sampled("swizzle=xxxx", places=[(0.75, 0.75)]), [[51] * 4])
        # Biased textures return 2c - 1.
        self.assertEqual(self.sampled("sign=biased", places=[(0.25, 0.25)]), [[255, -255, -255, 255]])

    def test_format(self):
        """Green has 6 bits: 102 / 255 becomes 25 / 63 (25.2, truncated)."""
        found = self.sampled("format=5_6_5", places=[(0.75, 0.75)])[0]
        self.assertEqual(sorted(found[:3])[1], round(25 / 63 * 255))

    def test_cube_and_volume(self):
        names = []
        for i in range(6):
            names.append(f"f{i}.png")
            self.write(names[-1], png(1, [[(40 * i, 0, 0, 255)]]))
        # CUBE returns sc + 1.5, tc + 1.5 and the number of the face. The faces are +x, -x, +y...
        found = self.sampled("cube", file="+".join(names), places=[(1.5, 1.5, face) for face in range(6)])
        self.assertEqual([texel[0] for texel in found], [0, 40, 80, 120, 160, 200])
        found = self.sampled("volume", "filter=point", file="+".join(names[:4]),
                             places=[(0.5, 0.5, (i + 0.5) / 4) for i in range(4)])
        self.assertEqual([texel[0] for texel in found], [0, 40, 80, 120])

    def test_mistakes(self):
        self.write("u.png", png(1, [[self.RED]]))
        self.write("no.png", b"no picture")
        for argument, says in {"picture": "NAME=FILE.png", "32=t.png": "0 to 31", "sky=t.png": "unknown sampler",
                               "3=none.png": "[run-io]", "3=no.png": "not a PNG file", "3=t.png,filter=cubic": "filter must be",
                               "3=t.png,bright": "unknown option 'bright'", "3=t.png,tiled=1": "tiled takes no value",
                               "3=t.png,cube": "six files", "3=t.png+t.png": "cube or volume",
                               "3=t.png+u.png,volume": "differ in size", "3=t.png,format=DXT1": "format",
                               "3=t.png,1d": "one row", "3=t.png,pitch=33": "multiple of 32"}.items():
            self.run_machine(USAGE, "sample.a2xx", "--texture", argument, says=says)
        self.run_machine(USAGE, "sample.a2xx", "--texture", "3=t.png", "--texture", "3=t.png", says="given twice")
        self.assertIn("[run-texture-missing]", self.call("run", "sample.a2xx").err)

    def test_missing_names(self):
        """Messages about missing data use the names of the source."""
        self.write("named.a2xx", "@attribute(R1) place\n@sampler(2) sky\nEXEC\nFETCH: VERTEX R1.xy__ = R0.x FMT_32_32_FLOAT SIGNED "
                                 "STRIDE(8) CONST(20, 0)\nFETCH: SAMPLE R2.xyzw = R1.xyx CONST(2)\nALLOC POSITION SIZE(0)\n"
                                 "EXEC_END\n(S)ALU: MAXv export62 = R2, R2\n")
        err = self.call("run", "named.a2xx", "--vertices", "1").err
        self.assertIn("texture 2 of sampler 'sky' is sampled", err)
        self.assertIn("--texture sky=FILE.png", err)
        self.assertIn("attribute 'place' has no data: it is 0 [run-attribute-missing]", err)


class Pictures(Case):
    def drawn(self, *more, vertex="pass.a2xx", pixel="colour.a2xx", table="quad.csv", size="8x8", primitive="strip"):
        result = self.run_machine(DONE, vertex, "--pixel", pixel, "--attributes", table, "--draw", f"out.png,{size}",
                                  "--primitive", primitive, "--quiet", *more)
        width, height, rows = picture(os.path.join(self.folder, "out.png"))
        self.assertEqual(f"{width}x{height}", size)
        return result, [[tuple(row[3 * x:3 * x + 3]) for x in range(width)] for row in rows]

    def test_interpolation(self):
        """On each triangle of the strip, interpolation is affine."""
        _, rows = self.drawn()
        for y in range(8):
            for x in range(8):
                s, t = (x + 0.5) / 8, 1 - (y + 0.5) / 8
                if s + t < 1: # inside the triangle of vertices 0, 1, 2
                    wanted = 1 - s - t, s, t
                else: # inside the triangle of vertices 1, 3, 2; corner 3 is white
                    wanted = s + t - 1, s, t
                for found, value in zip(rows[y][x], wanted):
                    self.assertLessEqual(abs(found - 255 * value), 1, (x, y))

    def test_perspective(self):
        """w is 1 on the left and 3 on the right. At distance s along the window, the colour is s / 3 over (1 - s) +
        s / 3."""
        self.write("deep.csv", "position.x,position.y,position.z,position.w,colour.x\n"
                               "-1,-1,0,1,0\n3,-3,0,3,1\n-1,1,0,1,0\n3,3,0,3,1\n")
        _, rows = self.drawn(table="deep.csv", size="64x2")
        for x in range(64):
            s = (x + 0.5) / 64
            self.assertLessEqual(abs(rows[0][x][0] - 255 * (s / 3) / (1 - s + s / 3)), 1, x)

    def test_matches_plain_drawing(self):
        """Without a pixel program the first parameter is the colour."""
        _, with_program = self.drawn(size="33x17")
        self.run_machine(DONE, "pass.a2xx", "--attributes", "quad.csv", "--draw", "plain.png,33x17", "--primitive", "strip")
        _, _, rows = picture(os.path.join(self.folder, "plain.png"))
        for y in range(17):
            for x in range(33):
                self.assertLessEqual(max(abs(a - b) for a, b in zip(with_program[y][x], rows[y][3 * x:3 * x + 3])), 1)

    def test_position_and_face(self):
        """The register of PARAM_GEN contains x and y of the pixel. The sign of x is the facing. RCP shows the sign
        even if x is 0 or -0."""
        self.write("place.a2xx", """@varying(R1) gl_FragCoord
@const(C0) 0.0625, 0.125, 0.0, 1.0
EXEC
 ALU: MULv R0 = |R1|, C0
 ALU: RCP R2.x___ = R1.xxxx
ALLOC PARAM/PIXEL SIZE(0)
EXEC_END
 ALU: SETGTEv R0.__z_ = R2.xxxx, C0.zzzz
 ALU: MAXv export0 = R0, R0
""")
        for more, front in (((), 1), (("--front", "clockwise"), 0)):
            _, rows = self.drawn(*more, pixel="place.a2xx")
            for y in range(8):
                for x in range(8):
                    self.assertEqual(rows[y][x], (round(x * 0.0625 * 255), round(y * 0.125 * 255), 255 * front), (x, y))

    def test_param_gen_option(self):
        self.write("place.a2xx", "@const(C0) 0.125, 0.125, 0, 0\nALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\n"
                                 " ALU: MULv export0 = |R7|, C0\n")
        _, rows = self.drawn("--param-gen", "R7", pixel="place.a2xx")
        self.assertEqual(rows[3][5], (round(5 / 8 * 255), round(3 / 8 * 255), 0))
        self.run_machine(USAGE, "pass.a2xx", "--param-gen", "R64", says="R0 to R63")

    def test_kill(self):
        self.write("kill.a2xx", "@const(C0) 0.5, 0, 0, 0\nALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\n"
                                " ALU: KILLGTv R1.____ = R0.zzzz, C0.xxxx\n ALU: SETGTEv export0 = R0, R0\n")
        result, rows = self.drawn("--background", "0,0,1", "--stats", "--json", pixel="kill.a2xx")
        # Blue is the height. It exceeds one half in the upper four rows.
        self.assertEqual([row[0] for row in rows], [(0, 0, 255)] * 4 + [(255, 255, 255)] * 4)
        stats = json.loads(result.out)
        self.assertEqual((stats["pixels"], stats["shaded"], stats["killed"]), (32, 64, 32))

    def test_depth(self):
        """The depth test uses the depth that the pixel program exports, which is the blue of the colour. Blue is the
        height in the first quad, and 1 - height in the second."""
        lower = QUAD.split("\n", 1)[1]
        upper = lower.replace(",1,0,0\n", ",0,1,1\n").replace(",0,1,0\n", ",0,1,1\n") \
                     .replace(",0,0,1\n", ",0,1,0\n").replace(",1,1,1\n", ",0,1,0\n")
        plain = lower.replace(",0,1,0\n", ",1,0,0\n").replace(",0,0,1\n", ",1,0,1\n").replace(",1,1,1\n", ",1,0,1\n")
        self.write("two.csv", QUAD.split("\n")[0] + "\n" + plain + upper)
        self.write("first.csv", "0,1,2,1,3,2,4,5,6,5,7,6")
        self.write("depth.a2xx", """@varying(R0) v_colour
ALLOC PARAM/PIXEL SIZE(1)
EXEC_END
 ALU: MAXv export61.x___ = R0.zzzz, R0.zzzz
 ALU: MAXv export0 = R0, R0
""")
        _, rows = self.drawn("--indices", "first.csv", pixel="depth.a2xx", table="two.csv", primitive="triangles")
        # The first quad is red and nearer in the lower half. The second is green and nearer in the upper half.
        self.assertEqual([row[3][:2] for row in rows], [(0, 255)] * 4 + [(255, 0)] * 4)

    def test_cull_and_indices(self):
        self.write("first.csv", "0,1,2")
        result, rows = self.drawn("--indices", "first.csv", "--cull", "clockwise", "--stats", primitive="triangles")
        self.assertIn("culled                   0", result.out)
        self.assertNotEqual(rows[7][0], (0, 0, 0))
        result, rows = self.drawn("--indices", "first.csv", "--cull", "counter-clockwise", "--stats", primitive="triangles")
        self.assertIn("culled                   1", result.out)
        self.assertEqual(rows[7][0], (0, 0, 0))

    def test_points(self):
        """Draws a point of 4 pixels in the middle. Its colour is the point coordinate, which is 1/8, 3/8, 5/8 and
        7/8 at the pixels' centres."""
        self.write("point.a2xx", """@attribute(R1) position
@const(C0) 4.0, 0, 0, 0
EXEC
 FETCH: VERTEX R1.xyzw = R0.x FMT_32_32_32_32_FLOAT SIGNED STRIDE(16) CONST(20, 0)
ALLOC POSITION SIZE(1)
EXEC_END
 (S)ALU: MAXv export62 = R1, R1
 ALU: MAXv export63 = C0, C0
""")
        self.write("sprite.a2xx", "@varying(R0) gl_PointCoord\nALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\n"
                                  " ALU: MAXv export0 = |R0.zwww|, |R0.zwww|\n")
        self.write("one.csv", "position.x,position.y,position.z,position.w\n0,0,0,1\n")
        _, rows = self.drawn(vertex="point.a2xx", pixel="sprite.a2xx", table="one.csv", primitive="points")
        for y in range(8):
            for x in range(8):
                wanted = (2 * x - 3) / 8, (2 * y - 3) / 8
                if 2 <= x < 6 and 2 <= y < 6:
                    self.assertEqual(rows[y][x][:2], tuple(int(value * 255 + 0.5) for value in wanted))
                else:
                    self.assertEqual(rows[y][x], (0, 0, 0))

    def test_clip(self):
        """The part of the triangle before the near plane, where z is below -w, is clipped."""
        self.write("near.csv", "position.x,position.y,position.z,position.w,colour.x\n"
                               "-1,-1,-2,1,1\n1,-1,2,1,1\n-1,1,-2,1,1\n1,1,2,1,1\n")
        _, rows = self.drawn(table="near.csv", size="8x2")
        self.assertEqual([pixel[0] for pixel in rows[0]], [0, 0, 255, 255, 255, 255, 0, 0])

    def test_texture(self):
        self.write("t.png", png(2, [[(255, 0, 0, 255), (0, 255, 0, 255)], [(0, 0, 255, 255), (255, 255, 255, 255)]]))
        self.write("place.csv", "position.x,position.y,position.z,position.w,colour.x,colour.y\n"
                                "-1,-1,0,1,0,1\n1,-1,0,1,1,1\n-1,1,0,1,0,0\n1,1,0,1,1,0\n")
        _, rows = self.drawn("--texture", "3=t.png,filter=point", pixel="sample.a2xx", table="place.csv")
        self.assertEqual((rows[0][0], rows[0][7], rows[7][0], rows[7][7]),
                         ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)))

    def test_level_of_detail(self):
        """64 texels on 8 pixels select level 3, which is the mean of black and white. If there is only the base
        level, a pixel is black or white."""
        self.write("t.png", png(64, [[((x + y) % 2 * 255,) * 3 + (255,) for x in range(64)] for y in range(64)]))
        self.write("place.csv", "position.x,position.y,position.z,position.w,colour.x,colour.y\n"
                                "-1,-1,0,1,0,1\n1,-1,0,1,1,1\n-1,1,0,1,0,0\n1,1,0,1,1,0\n")
        _, rows = self.drawn("--texture", "3=t.png,mips", pixel="sample.a2xx", table="place.csv")
        self.assertTrue(all(abs(pixel[0] - 127.5) <= 1 for row in rows for pixel in row))
        _, rows = self.drawn("--texture", "3=t.png,filter=point", pixel="sample.a2xx", table="place.csv")
        self.assertTrue(all(pixel[0] in (0, 255) for row in rows for pixel in row))

    def test_shared_uniform(self):
        self.write("tint.a2xx", "@varying(R0) c\n@uniform(C9) tint\nALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\n"
                                " ALU: MAXv export0 = C9, C9\n")
        tinted = PASS.replace("@varying", "@uniform(C3) tint\n@varying").replace("export0 = R2, R2", "export0 = C3, C3")
        self.write("tinted.a2xx", tinted)
        _, rows = self.drawn("--uniform", "tint=0.2,0.4,0.6,1", vertex="tinted.a2xx", pixel="tint.a2xx")
        self.assertEqual(rows[4][4], (51, 102, 153))
        _, rows = self.drawn("--uniform", "tint=0,0,0,1", "--uniform", "pixel.C9=1,0,1,1", vertex="tinted.a2xx",
                             pixel="tint.a2xx")
        self.assertEqual(rows[4][4], (255, 0, 255))
        _, rows = self.drawn("--uniform", "vertex.tint=0,0,0,1", "--uniform", "pixel.tint=0,1,0,1", vertex="tinted.a2xx",
                             pixel="tint.a2xx")
        self.assertEqual(rows[4][4], (0, 255, 0))
        _, rows = self.drawn("--uniform", "vertex.tint=0,0,0,1", "--uniform", "fragment.tint=0,0,1,1", vertex="tinted.a2xx",
                             pixel="tint.a2xx")
        self.assertEqual(rows[4][4], (0, 0, 255))
        _, rows = self.drawn("--uniform", "vertex.tint=0,0,0,1", "--uniform", "fragment.C9=1,1,1,1", vertex="tinted.a2xx",
                             pixel="tint.a2xx")
        self.assertEqual(rows[4][4], (255, 255, 255))

    def test_both_words(self):
        """For a pixel program, --stage accepts "pixel" and "fragment"."""
        self.write("t.csv", "R0.x,R0.y\n1,2\n")
        self.write("p.a2xx", "ALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\n ALU: MAXv export0 = R0, R0\n")
        results = [self.run_machine(DONE, "p.a2xx", "--stage", word, "--attributes", "t.csv").out for word in ("pixel", "fragment")]
        self.assertEqual(results[0], results[1])
        self.run_machine(USAGE, "p.a2xx", "--stage", "fragmnt", "--attributes", "t.csv", says="also called fragment")

    def test_threads(self):
        _, one = self.drawn("--threads", "1", size="200x150")
        _, more = self.drawn("--threads", "4", size="200x150")
        self.assertEqual(one, more)


class Traces(Case):
    def test_text(self):
        result = self.run_machine(DONE, "pass.a2xx", "--attributes", "quad.csv", "--trace-vertex", "1")
        for text in ("pass.a2xx:5", "R0.x = 1", "-> 1, -1, 0, 1", "R1: 1, -1, 0, 1", "exported: xyzw", "ALLOC POSITION"):
            self.assertIn(text, result.out)

    def test_json(self):
        lines = self.run_machine(DONE, "pass.a2xx", "--attributes", "quad.csv", "--trace-vertex", "2", "--json").out.splitlines()
        steps = [json.loads(line) for line in lines]
        self.assertTrue(all(step["vertex"] == 2 for step in steps))
        self.assertEqual([step["step"] for step in steps], list(range(len(steps))))
        fetch = [step for step in steps if step["kind"] == "fetch"][0]
        self.assertEqual(fetch["operations"][0]["operands"], [{"text": "R0.x", "values": [2]}])
        self.assertEqual(fetch["operations"][0]["result"], [-1, 1, 0, 1])
        self.assertEqual(fetch["registers"][4:8], [-1, 1, 0, 1])
        self.assertEqual(steps[-1]["exported"], 15)

    def test_scalar_and_predicate(self):
        self.write("two.a2xx", """@const(C0) 2.0, -4.0, 0, 0
EXEC
 ALU: MAXv R5 = C0, C0
 ALU: ADDv R1 = C0, -|R5.yyyy|
      MULs R2.x___ = R5.yxyx
 ALU: PRED_SETEs R3.x___ = C0.zzzz
 ALU: MAXvNE R4 = C0, C0
ALLOC POSITION SIZE(0)
EXEC_END
 ALU: MAXv export62 = R1, R1
""")
        out = self.run_machine(DONE, "two.a2xx", "--trace-vertex", "0").out
        for text in ("-|R5.yyyy| = -4, -4, -4, -4", "-> -2, -8, -4, -4", "-> -8\n", "predicate: 1", "skipped"):
            self.assertIn(text, out)

    def test_pixel(self):
        result = self.run_machine(DONE, "pass.a2xx", "--pixel", "colour.a2xx", "--attributes", "quad.csv", "--primitive", "strip",
                                  "--draw", "out.png,8x8", "--trace-pixel", "0,7")
        self.assertIn("colour.a2xx:4", result.out)
        self.assertIn("-> 0.875, 0.0625, 0.0625, 1", result.out)
        self.run_machine(USAGE, "pass.a2xx", "--trace-pixel", "1", says="X,Y")

    BREAK = """@varying(R0) rounds
@const(C0) 1.0, 0.0, 0.0, 0.0
@loop(0) 10, 0, 1
EXEC ALU: MAXv R1 = C0.yyyy, C0.yyyy
LOOP_START ADDR(done) LOOP_ID(0)
body:
EXEC ALU: ADDv R1.x___ = R1, C0
ALU: ADDv R1._y__ = R1.xxxx, -R0.xxxx
ALU: PRED_SETGTEs R1.__z_ = R1.yyyy
LOOP_END ADDR(body) LOOP_ID(0) PRED_BREAK COND(1)
done:
ALLOC PARAM/PIXEL SIZE(0)
EXEC_END ALU: MAXv export0 = R1, R1
"""

    def test_what_the_run_did(self):
        """A lane leaves a loop only when all lanes of its group of 64 leave it. Groups are counted from --first."""
        self.write("break.a2xx", self.BREAK)
        self.write("rounds.csv", "rounds\n" + "".join(f"{2 if i < 64 else 4 if i == 70 else 3}\n" for i in range(80)))
        for more, vertex, rounds in (((), 0, 2), ((), 63, 2), ((), 64, 4), ((), 79, 4), (("--first", "1"), 63, 3),
                                     (("--first", "7"), 63, 4), (("--vertices", "70"), 69, 3)):
            run = ("break.a2xx", "--attributes", "rounds.csv", *more)
            self.run_machine(DONE, *run, "-o", "all.csv")
            first = int(more[1]) if "--first" in more else 0
            self.assertEqual(self.read("all.csv").split(b"\n")[1 + vertex - first].split(b",")[0], b"%d" % rounds)
            out = self.run_machine(DONE, *run, "--trace-vertex", str(vertex), "--json", "-o", "one.csv").out
            steps = [json.loads(line) for line in out.splitlines()]
            self.assertEqual({step["pixel"] for step in steps}, {vertex})
            self.assertEqual(steps[-1]["registers"][4], rounds)
            self.assertEqual(sum(step["slot"] == 5 and step["kind"] == "alu" for step in steps), rounds)
            self.assertEqual(self.read("one.csv").split(b"\n")[1].split(b",")[0], b"%d" % rounds)
            self.assertEqual(self.read("one.csv").count(b"\n"), 2)
        self.run_machine(USAGE, "break.a2xx", "--attributes", "rounds.csv", "--trace-vertex", "80", says="the data has 80 rows")
        self.run_machine(USAGE, "break.a2xx", "--attributes", "rounds.csv", "--trace-vertex", "0", "--first", "1", says="exclude")
        self.run_machine(USAGE, "break.a2xx", "--attributes", "rounds.csv", "--trace-vertex", "9", "--vertices", "9", says="exclude")

    def test_masked_components(self):
        """The trace shows results before the write mask is applied. It also shows results of idle vector halves."""
        self.write("mask.a2xx", "@const(C0) 2.0, -4.0, 0.5, 8\nEXEC\n ALU: MULv R1.x___ = C0, C0\n"
                                " ALU: MAXv R0.____ = C0, C0\n      ADDs R2.x___ = C0.yyyx\n"
                                "ALLOC POSITION SIZE(0)\nEXEC_END\n ALU: ADDv export62 = C0, C0\n")
        out = self.run_machine(DONE, "mask.a2xx", "--trace-vertex", "0").out
        self.assertIn("-> 4, 16, 0.25, 64", out)
        self.assertIn("R1: 4, 0, 0, 0", out)
        self.assertIn("-> 2, -4, 0.5, 8", out)

    def test_pixel_is_run_once(self):
        """A traced pixel is counted like any other. The trace has it once for each time that it is drawn."""
        arguments = ("pass.a2xx", "--pixel", "colour.a2xx", "--attributes", "quad.csv", "--primitive", "strip",
                     "--draw", "out.png,8x8", "--stats", "--json")
        plain = self.run_machine(DONE, *arguments).out
        traced = self.run_machine(DONE, *arguments, "--trace-pixel", "0,7").err  # the trace goes to standard output
        self.assertEqual(json.loads(plain), json.loads(traced.splitlines()[-1]))
        head = self.read("quad.csv").split(b"\n")[0].decode()
        rows = ["-1,-1", "3,-1", "-1,3"] * 2
        self.write("twice.csv", head + "\n" + "".join(row + ",0" * (head.count(",") - 1) + "\n" for row in rows))
        out = self.run_machine(DONE, "pass.a2xx", "--pixel", "colour.a2xx", "--attributes", "twice.csv",
                               "--draw", "out.png,8x8", "--trace-pixel", "0,7", "--json").out
        steps = [json.loads(line)["step"] for line in out.splitlines()]
        self.assertEqual(steps, 2 * list(range(len(steps) // 2)))


class Others(Case):
    def test_statistics(self):
        out = self.run_machine(DONE, "pass.a2xx", "--attributes", "quad.csv", "-o", "out.csv", "--stats", "--json").out
        stats = json.loads(out)
        self.assertEqual((stats["lanes"], stats["alu"], stats["vertex_fetches"]), (4, 8, 8))

    def test_strict(self):
        self.write("one.csv", "position.x\n1\n")
        self.run_machine(DONE, "scale.a2xx", "--attributes", "one.csv", says=["run-uniform-missing", "0 errors"])
        self.run_machine(WRONG, "scale.a2xx", "--attributes", "one.csv", "--strict", says=["run-uniform-missing", "0 warnings"])

    def test_endless(self):
        self.write("endless.a2xx", "again:\nCOND_JMP ADDR(again) FORCE_CALL\nEXEC_END\n ALU: MAXv export62 = R0, R0\n")
        self.run_machine(WRONG, "endless.a2xx", "--max-instructions", "1000")

    def test_choices(self):
        self.run_machine(DONE, "pass.a2xx", "--attributes", "quad.csv", "--choose", "fused-muladd", "--choose", "keep-denormals")
        self.run_machine(USAGE, "pass.a2xx", "--choose", "nan-wins", says="fused-muladd or keep-denormals")

    def test_explain(self):
        self.assertIn("(S)", self.run_machine(DONE, "--explain", "a2xx-fetch-result").out)

    def test_xenos(self):
        """On the Xenos, strides are in dwords. Each full fetch has its own stride. A mini fetch has none."""
        self.write("x.a2xx", PASS.replace("STRIDE(16)", "STRIDE(4)").replace("STRIDE(12)", "STRIDE(3)"))
        result = self.run_machine(DONE, "x.a2xx", "--variant", "xenos", "--attributes", "quad.csv")
        self.assertEqual(result.rows()[2], [-1, 1, 0, 1, 0, 0, 1, 1])


if __name__ == "__main__":
    unittest.main()
