#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""decode_uniforms.py - tests that "decode" prints the uniforms of programs in the order of reading, and texture
parameters with their fields: decode_uniforms.py TESSERA. Manual section 4 defines which parameter each write
fetches. The parameter words follow tables 15 to 18, by hand."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TESSERA = os.path.abspath(sys.argv.pop(1))

END = "nop; thrend\nnop\nnop\n"


class Uniforms(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, *arguments):
        return subprocess.run([TESSERA, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=60, check=False)

    def decode(self, source):
        """Returns the sections "uniforms" of a decoded scene. The scene may have findings."""
        with open(os.path.join(self.folder, "s.qasm"), "w", encoding="utf-8") as file:
            file.write(source)
        built = self.call("asm", "-o", "s.elf", "s.qasm")
        self.assertEqual(built.returncode, 0, built.stderr)
        result = self.call("decode", "--json", "s.elf")
        self.assertNotIn("Sanitizer", result.stderr)
        self.text = self.call("decode", "s.elf").stdout
        return list(sections(json.loads(result.stdout)["steps"]))

    def program(self, code, uniforms, count=""):
        """Returns the uniforms of one user program."""
        found = self.decode(f".org 0x1000\nprogram:\n{code}{END}.org 0x2000\nuniforms: {uniforms}\n"
                            f".scene qpu program uniforms {count}\n")
        self.assertEqual(len(found), 1)
        return found[0]["records"]

    def parameters(self, records):
        """Returns "PARAMETER for UNIT" for each uniform that is a texture parameter, and "plain" for other uniforms."""
        return [r["name"].split("parameter ")[1] if "parameter" in r["name"] else "plain" for r in records if r["kind"] == "uniform"]


def sections(items):
    for item in items:
        if item["kind"] == "uniforms":
            yield item
        for key in ("records", "sections"):
            yield from sections(item.get(key, []))


def fields(record):
    return {field["name"]: field["value"] for field in record.get("fields", [])}


class Order(Uniforms):
    def test_plain(self):
        records = self.program("mov r0, unif\nfadd r1, unif, unif\nnop\nmov r2, unif\n", ".int 7, 0x3fc00000, 3")
        self.assertEqual([r["name"] for r in records],
                         ["0x00000007, as a float 9.80908925e-45", "0x3fc00000, as a float 1.5", "0x00000003, as a float 4.20389539e-45"])
        self.assertEqual(records[0]["note"], "read at 0x00001000 <program>")
        self.assertEqual(records[1]["note"], "read at 0x00001008 <program+0x8>") # both operands read the same uniform
        self.assertEqual(records[2]["note"], "read at 0x00001018 <program+0x18>")

    def test_texture(self):
        """The write of T fetches parameter 0, and the write of S parameter 1. Between them, the program reads
        another uniform."""
        records = self.program("mov t0t, r0\nmov r1, unif\nmov t0s, r0\nnop; ldtmu0\n",
                               ".int 0x12345013, 5, 0x10a08096")
        self.assertEqual(self.parameters(records), ["0 for TMU0", "plain", "1 for TMU0"])
        self.assertEqual(fields(records[0]), {"base": "0x12345000", "flip_y": False, "cube_map": False, "cache_swizzle": 0,
                                              "type": 1, "levels": 4})
        # 0x10a08096: width 0x80, height 0x10a, magnification nearest, minification 1, wrap S mirror, wrap T clamp, no
        # flip.
        self.assertEqual(fields(records[2]), {"width": 128, "height": 266, "mag_filter": 1, "min_filter": 1, "wrap_s": 2,
                                              "wrap_t": 1, "etc_flip": False})

    def test_upper_bit_of_the_type(self):
        """Bit 4 of type 17 is in parameter 1 (manual table 16)."""
        records = self.program("mov t1t, r0\nmov t1s, r0\nnop; ldtmu1\n", ".int 0x00003010, 0x80000000")
        self.assertEqual(self.parameters(records), ["0 for TMU1", "1 for TMU1"])
        self.assertEqual(fields(records[0])["type"], 17)
        self.assertEqual(fields(records[1])["width"], 0) # the field's text explains that 0 means 2048
        self.assertIn("yuyv422r", self.text)

    def test_all_four(self):
        """R and B are written before S. The upper bits of parameters 2 and 3 select their meaning."""
        records = self.program("mov t0b, r0\nmov t0r, r0\nmov t0t, r0\nmov t0s, r0\nnop; ldtmu0\n",
                               ".int 0x3000, 0, 0x40005001, 0x80030020")
        self.assertEqual(self.parameters(records), [f"{n} for TMU0" for n in range(4)])
        self.assertEqual(fields(records[2]), {"stride": "0x05000", "bias_only": True, "ptype": 1})
        self.assertEqual(fields(records[3]), {"width": 32, "height": 48, "ptype": 2})

    def test_offsets_and_nothing(self):
        records = self.program("mov t0b, r0\nmov t0r, r0\nmov t0t, r0\nmov t0s, r0\nnop; ldtmu0\n",
                               ".int 0x3000, 0, 0xc0007009, 0")
        self.assertEqual(fields(records[2]), {"x": 9, "y": 7, "ptype": 3})
        self.assertEqual(fields(records[3]), {})
        self.assertIn("parameter type 0", records[3]["sections"][0]["note"])

    def test_two_units(self):
        """The parameters of each unit are counted separately."""
        records = self.program("mov t0t, r0\nmov t1t, r0\nmov t1s, r0\nmov t0s, r0\nnop; ldtmu0\nnop; ldtmu1\nmov t0t, r0\n"
                               "mov t0s, r0\nnop; ldtmu0\n", ".int 0, 0x1000, 0x00a00b00, 0x00c00d00, 0x2000, 0")
        self.assertEqual(self.parameters(records), ["0 for TMU0", "0 for TMU1", "1 for TMU1", "1 for TMU0", "0 for TMU0", "1 for TMU0"])
        self.assertEqual(fields(records[2])["width"], 11)
        self.assertEqual(fields(records[3])["width"], 13)

    def test_look_up(self):
        """A write of S alone is a memory lookup, which fetches no uniform."""
        records = self.program("mov t0s, unif\nnop; ldtmu0\nmov r0, unif\n", ".int 0x2000, 9")
        self.assertEqual(self.parameters(records), ["plain", "plain"])


class Paths(Uniforms):
    def notes(self, records):
        return [r["note"] for r in records if r["kind"] == "note"]

    def test_forward_branch_is_followed(self):
        records = self.program("bra -, :over\nmov r0, unif\nnop\nnop\nmov r1, unif\nnop\n:over\nmov r2, unif\n", ".int 1, 2, 3")
        self.assertEqual([r["note"] for r in records], ["read at 0x00001008 <program+0x8>", "read at 0x00001030 <over>"])

    def test_conditional_branch(self):
        records = self.program("mov r0, unif\nbra.anyz -, :over\nmov r0, unif\nnop\nnop\nmov r1, unif\n:over\n", ".int 1, 2, 3")
        self.assertEqual(len([r for r in records if r["kind"] == "uniform"]), 2)
        self.assertEqual(self.notes(records), ["the branch at 0x00001008 <program+0x8> decides which uniforms are read next"])

    def test_count_of_the_step(self):
        """All uniforms that the step counts are printed, even if the program may not read them."""
        records = self.program(":again\nmov.setf r0, unif\nbra.anynz -, :again\nnop\nnop\nnop\n", ".int 1, 2, 0", count=3)
        self.assertEqual([r.get("note") for r in records][:3], ["read at 0x00001000 <again>", None, None])

    def test_uniform_address(self):
        records = self.program("mov r0, unif\nmov unif_addr, unif\nnop\nnop\nmov r0, unif\n", ".int 1, 0x2000")
        self.assertEqual(self.parameters(records), ["plain", "plain"])
        self.assertEqual(self.notes(records),
                         ["0x00001008 <program+0x8> sets the uniform address: further uniforms are read from there"])

    def test_unmapped(self):
        records = self.program("mov r0, unif\nmov r0, unif\n", ".int 1", count=1)
        self.assertEqual(len([r for r in records if r["kind"] == "uniform"]), 1)
        self.assertEqual(self.notes(records), ["the uniform at 0x00002004 is not in mapped memory"])

    def test_none(self):
        self.assertEqual(self.decode(f".org 0x1000\nprogram:\n{END}.scene qpu program 0\n"), [])

    def test_registers(self):
        """V3D_SRQUA is the address of the uniforms of a program that register writes start."""
        found = self.decode(f".org 0x1000\nprogram:\nmov r0, unif\n{END}.org 0x2000\nuniforms: .int 77\n"
                            ".scene write V3D_SRQUA uniforms\n.scene write V3D_SRQPC program\n")
        self.assertEqual(found[0]["address"], "0x00002000")
        self.assertIn("0x0000004d", found[0]["records"][0]["name"])


class Records(Uniforms):
    LISTS = """.org 0x4000
bin: cl.tile_binning_mode allocation_address=0x10000, allocation_size=0x1000, state_address=0x18000, width=1, height=1, auto_initialise
cl.start_tile_binning
cl.gl_shader_state record, attribute_arrays=1
cl.flush
bin_end:
"""

    def test_three_shaders(self):
        """A GL record refers to three programs. Each has its own uniforms."""
        found = self.decode(f"""{self.LISTS}.org 0x1000
fs: mov t0t, r0
mov t0s, r0
nop; ldtmu0
{END}vs: mov r0, unif
{END}cs: mov r0, unif
mov r1, unif
{END}.org 0x2000
fu: .int 0x5000, 0
vu: .int 1
cu: .int 2, 3
.org 0x3000
record: shader.gl single_threaded, code=fs, uniforms=fu, vertex_code=vs, vertex_uniforms=vu, vertex_attributes=1, vertex_attribute_bytes=4, coordinate_code=cs, coordinate_uniforms=cu, coordinate_attributes=1, coordinate_attribute_bytes=4
  shader.gl_attribute address=fu, bytes=4, stride=4
.org 0x10000
.space 0x9000
.scene bin bin bin_end
""")
        self.assertEqual([section["title"] for section in found],
                         ["Uniforms of the fragment shader", "Uniforms of the vertex shader", "Uniforms of the coordinate shader"])
        self.assertEqual([section["address"] for section in found], ["0x00002000", "0x00002008", "0x0000200c"])
        self.assertEqual([len(section["records"]) for section in found], [2, 1, 2])
        self.assertEqual(fields(found[0]["records"][0])["base"], "0x00005000")


if __name__ == "__main__":
    unittest.main()
