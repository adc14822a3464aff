#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""list_repeats.py TESSERA - every vertex or tile can repeat one mistake of a control list. Such a mistake must be
one finding with a count. Repeats must not hide other mistakes of the same kind, and the totals must count the
reported findings. Each case changes the frame of frame.inc."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TESSERA = os.path.abspath(sys.argv.pop(1))
FRAME = pathlib.Path(__file__).resolve().parent / "frame.inc"

TRIANGLES = "    cl.vertex_array_primitives mode=triangles, length={}, first=65536\n"
VERTICES = (".macro part_vertices\n    .rep i, 18\n        vertex.nv x=i % 3 * 20, y=i % 2 * 20, z=0.5, inverse_w=1.0, varyings=[0.5]\n"
            "    .endr\n.endm\n")


def draw(*lines):
    return VERTICES + ".macro part_draw\n" + "".join(lines) + ".endm\n"


class Case(unittest.TestCase):
    def run_frame(self, changes, *options):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "s.qasm"), "w", encoding="utf-8") as file:
                file.write(f'.include "{FRAME}"\n{changes}\nframe\n')
            built = subprocess.run([TESSERA, "asm", "--no-check", "-o", "s.elf", "s.qasm"], cwd=folder, capture_output=True,
                                   text=True, check=False)
            self.assertEqual(built.returncode, 0, built.stderr)
            ran = subprocess.run([TESSERA, "run", *options, "s.elf"], cwd=folder, capture_output=True, text=True, check=False)
            return ran.stderr

    def shown(self, text, ident):
        """Returns the number of repeats and the address of the list for each finding."""
        found = re.findall(r": \w+: (.*) \[" + ident + r"\]\n(?: {4}.*\n)*  at control list (0x[0-9a-f]+)", text)
        times = [re.search(r"; the same happens (\d+) more times?$", message) for message, _ in found]
        return [1 + int(more[1]) if more else 1 for more in times], [where for _, where in found]

    def test_each_vertex_of_a_record(self):
        text = self.run_frame(draw(TRIANGLES.format(18)))
        self.assertEqual(self.shown(text, "cl-index-wrap")[0], [18])
        self.assertIn("0 errors, 1 warning\n", text)

    def test_two_records(self):
        """The first record has more wrong vertices than the limit of findings of one kind. The second record's
        finding must still be reported."""
        times, where = self.shown(self.run_frame(draw(TRIANGLES.format(18), TRIANGLES.format(3))), "cl-index-wrap")
        self.assertEqual(times, [18, 3])
        self.assertEqual(int(where[1], 16) - int(where[0], 16), 10) # record 33 has 10 bytes (manual table 38)

    def test_each_tile(self):
        """Two tiles are drawn with a tile size that differs from record 112. This is one mistake."""
        text = self.run_frame(".macro part_rendering\n    cl.tile_rendering_mode address=framebuffer, width=WIDTH, height=HEIGHT, "
                              "color_format=rgba8888, multisample\n.endm\n")
        self.assertEqual(self.shown(text, "tlb-tile-size")[0], [2])
        self.assertIn("1 error, 0 warnings\n", text)

    def test_wild_frame(self):
        """Each tile is stored to another address of a frame that is not mapped. This is one mistake."""
        text = self.run_frame(".macro part_rendering\n    cl.tile_rendering_mode address=0x3e000000, width=WIDTH, height=HEIGHT, "
                              "color_format=rgba8888\n.endm\n")
        self.assertEqual(self.shown(text, "bus-unmapped")[0], [2])
        self.assertIn("1 error, 0 warnings\n", text)

    def test_two_mistakes_of_a_record(self):
        """Arrays 0 and 1 of a shader record are both wrong. These are two mistakes."""
        changes = (".macro part_shader_state\n    cl.gl_shader_state shader_record, arrays=2\n.endm\n"
                   ".macro part_record\n    shader.gl single_threaded, varyings=1, code=shader, uniforms=uniforms, vertex_code=shader, "
                   "vertex_uniforms=uniforms, coordinate_code=shader, coordinate_uniforms=uniforms, vertex_attributes=3, "
                   "vertex_attribute_bytes=16, coordinate_attributes=3, coordinate_attribute_bytes=16\n"
                   "    shader.attribute vertices, bytes=8, stride=8, vertex_offset=1, coordinate_offset=1\n"
                   "    shader.attribute vertices, bytes=8, stride=8, vertex_offset=9, coordinate_offset=9\n.endm\n")
        text = self.run_frame(changes)
        named = set(re.findall(r"attribute array (\d) has VPM offset", text))
        self.assertEqual(named, {"0", "1"}, text)

    def test_json(self):
        """In JSON, a finding with repeats must also be one result."""
        text = self.run_frame(draw(TRIANGLES.format(18)), "--json")
        self.assertEqual(json.dumps(text).count("cl-index-wrap"), 1, text)

    def test_threads_agree(self):
        changes = draw(TRIANGLES.format(18), TRIANGLES.format(3))
        self.assertEqual(*(self.run_frame(changes, "--threads", threads) for threads in ("1", "4")))


unittest.main()
