#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""list_memory.py TESSERA - tests findings about memory that two parts of a frame share. Check and run must report
the same pair with the same id and level, at the record that is the cause, and report no consequences. Legal overlaps
must not be reported. Sizes are worked out by hand from the manual: 48 bytes of state per tile (section 8), first
blocks of 32 bytes, rows of raster images in units of 16 bytes, and T-format in tiles of 4096 bytes."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TESSERA = os.path.abspath(sys.argv.pop(1))
HERE = pathlib.Path(__file__).resolve().parent
FRAME = HERE / "frame.inc"


def binning(**fields):
    values = {"allocation_address": "tile_allocation", "allocation_size": "0x4000", "state_address": "tile_state"} | fields
    text = ", ".join(f"{name}={value}" for name, value in values.items())
    return f".macro part_binning\n    cl.tile_binning_mode {text}, width=TILES_X, height=TILES_Y, auto_initialise\n    cl.start_tile_binning\n.endm\n"


def rendering(address="framebuffer", width="WIDTH", more=""):
    return (f".macro part_rendering\n    cl.tile_rendering_mode address={address}, width={width}, height=HEIGHT, color_format=rgba8888{more}\n"
            ".endm\n")


def last_store(text):
    return f".macro part_last_store\n    {text}\n    cl.tile_coordinates 1, 0\n    cl.store_ms_tile_buffer_and_eof\n.endm\n"


def steps(*lines):
    return ".macro part_steps\n" + "".join(f"    .scene {line}\n" for line in lines) + ".endm\n"


TEXTURED = """.macro part_shader
    mov r0, vary
    nop
    mov t0t, r0
    mov t0s, r0
    nop; nop; ldtmu0
    mov r0, r4
    draw_white
.endm
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def call(self, *arguments):
        return subprocess.run([TESSERA, *arguments], cwd=self.folder.name, capture_output=True, text=True, check=False, timeout=60)

    def both(self, changes):
        """Returns the findings of check and of run as (rule, severity, text, line). Leaves out notes about skipped
        records and draws without pixels."""
        with open(os.path.join(self.folder.name, "s.qasm"), "w", encoding="utf-8") as file:
            file.write(f'.include "{FRAME}"\n{changes}\nframe\n')
        found = []
        for verb in ("check", "run"):
            done = self.call(verb, "--json", "s.qasm")
            items = json.loads(done.stdout)["findings"] if verb == "check" else [json.loads(line) for line in done.stderr.splitlines()]
            found.append([item for item in items if "left out" not in item["text"] and not item["rule"].startswith("draw-")])
        return found

    def only(self, changes, rule, *words, severity="error", lines=True):
        checked, ran = self.both(changes)
        for found in (checked, ran):
            self.assertEqual([item["rule"] for item in found], [rule], found)
            for word in words:
                self.assertIn(word, found[0]["text"])
        self.assertEqual((checked[0]["level"], ran[0]["severity"]), (severity, severity))
        self.assertEqual(checked[0]["text"], ran[0]["text"])
        if lines:
            self.assertEqual(checked[0]["line"], ran[0]["line"])
        return ran[0]

    def nothing(self, changes):
        self.assertEqual(self.both(changes), [[], []])


class Binner(Case):
    def test_frame(self):
        self.nothing("")

    def test_state_in_lists(self):
        self.only(binning(state_address="tile_allocation - 48") + ".macro part_texture\n .fill 1024, 1, 0x7f\n .org 0x4000f000\n .space 0x1000\n.endm\n",
                  "cl-overlap", "2 tiles need 96 bytes of state from 0x4000ffd0", "the tile lists (16384 bytes from 0x40010000 <tile_allocation> on) begin 48 bytes into that range")

    def test_lists_in_record(self):
        self.only(binning(allocation_address="shader_record - 16"), "cl-overlap", "64 bytes of first blocks",
                  "the shader record (16 bytes from 0x40003000 <shader_record> on) begins 16 bytes into that range")

    def test_state_in_vertices(self):
        self.only(binning(state_address="vertices"), "cl-overlap", "the shaded vertices (48 bytes from", "also begin there")

    def test_state_in_code(self):
        self.only(binning(state_address="shader - 64"), "cl-overlap", "the fragment shader", "begins 64 bytes into that range")

    def test_state_in_uniforms(self):
        self.only(".macro part_shader\n    mov r0, vary\n    mov r1, unif\n    draw_white\n.endm\n" + binning(state_address="uniforms"), "cl-overlap", "the uniforms of the fragment shader")

    def test_pool(self):
        """This memory is used only if lists are long."""
        self.only(binning(allocation_size="0x4040"), "cl-overlap-later", "the tile allocation memory has 16448 bytes", severity="warning")

    def test_overflow_in_pool(self):
        """Legal: the frame supplies the rest of the tile allocation memory as overflow memory."""
        self.nothing(steps("write V3D_BPOA tile_allocation+0x2000", "write V3D_BPOS 0x2000", "bin binning_list binning_end",
                           "render rendering_list rendering_end"))


class Stores(Case):
    def test_rows_are_padded(self):
        """A row of 127 pixels of 2 bytes has 254 bytes, padded to 256. The 64 rows need 16384 bytes, and the pixels
        of the last row end at 16382."""
        packed = (".macro part_more\n    .org 0x40060000\nnarrow:\n    .space 127 * 2 * 64\nnext:\n"
                  "    shader.nv single_threaded, stride=16, varyings=1, code=shader, uniforms=uniforms, vertices=vertices\n    .space 256\n.endm\n"
                  ".macro part_shader_state\n    cl.nv_shader_state next\n.endm\n")
        narrow = ".macro part_rendering\n    cl.tile_rendering_mode address=narrow, width=127, height=64, color_format=bgr565\n.endm\n"
        self.only(packed + narrow + steps("bin binning_list binning_end", "render rendering_list rendering_end"), "cl-overlap",
                  "rows of 127 pixels are stored as rows of 128, so the frame takes 16384 bytes from 0x40060000 <narrow> on",
                  "the shader record (16 bytes from 0x40063f80 <next> on) begins 16256 bytes into that range")

    def test_frame_over_lists(self):
        self.only(rendering("tile_allocation - 0x4000") + ".macro part_texture\n .fill 1024, 1, 0x7f\n .org 0x4000c000\n .space 0x4000\n.endm\n"
                  + steps("bin binning_list binning_end", "render rendering_list rendering_end"), "cl-overlap",
                  "the frame of 128 x 64 pixels takes 32768 bytes from 0x4000c000", "begin 16384 bytes into that range")

    def test_frame_over_state(self):
        """Legal: the binner has finished with the memory."""
        more = ".macro part_more\n    .org 0x40060000\nstates:\n    .space 96\n    .space 0x10000\n.endm\n"
        self.only(more + binning(state_address="states") + rendering("states") + steps("bin binning_list binning_end", "render rendering_list rendering_end"),
                  "cl-overlap-later", "the tile states", severity="warning")

    def test_depth_at_colour(self):
        self.only(last_store("cl.store_tile_buffer_general buffer=z_stencil, address=framebuffer, disable_color_clear, disable_zs_clear, disable_mask_clear"),
                  "cl-overlap", "the frame", "the depth buffer", "there", lines=False)

    def test_depth_apart(self):
        more = ".macro part_more\n    .org 0x40060000\ndepth:\n    .space 0x10000\n.endm\n"
        self.nothing(more + last_store("cl.store_tile_buffer_general buffer=z_stencil, address=depth, disable_color_clear, disable_zs_clear, disable_mask_clear"))

    def test_load_of_the_frame(self):
        """Legal: each tile is loaded from the address at which it will be stored."""
        self.nothing(".macro part_load, tile\n    cl.load_tile_buffer_general buffer=color, pixel_format=rgba8888, address=framebuffer\n.endm\n")


class Images(Case):
    def test_frame_over_its_texture(self):
        texture = ".macro part_uniforms\n    uniform.texture base=framebuffer, type=rgba8888, width=16, height=16, min_filter=nearest, mag_filter=nearest\n.endm\n"
        checked, ran = self.both(TEXTURED + texture)
        self.assertEqual([[item["rule"] for item in found] for found in (checked, ran)], [["tmu-frame"]] * 2)

    def test_wrong_layout(self):
        self.only(steps("bin binning_list binning_end", "render rendering_list rendering_end", "image framebuffer 128 64 rgba8888 t out.png"),
                  "scene-image-format", "in T-format with 32 bits per pixel and 128 pixels per row, but the frame at 0x40020000", "is stored in raster",
                  severity="warning", lines=False)

    def test_wrong_bits(self):
        self.only(steps("bin binning_list binning_end", "render rendering_list rendering_end", "image framebuffer 128 64 rgb565 raster out.png"),
                  "scene-image-format", "16 bits", severity="warning", lines=False)

    def test_wrong_pitch(self):
        self.only(steps("bin binning_list binning_end", "render rendering_list rendering_end", "image framebuffer 120 64 rgba8888 raster out.png"),
                  "scene-image-format", "120 pixels per row", severity="warning", lines=False)

    def test_part_of_a_frame(self):
        self.nothing(steps("bin binning_list binning_end", "render rendering_list rendering_end", "image framebuffer 128 32 rgba8888 raster out.png"))


class Records(Case):
    GL = (HERE / "findings" / "shader-attributes-size.qasm").read_text(encoding="utf-8").replace("bytes=12, stride=12", "bytes=8, stride=12")
    GL = GL[GL.index(".macro"):GL.rindex("frame")]

    def test_gl(self):
        self.nothing(self.GL)

    def test_array_passes_its_stride(self):
        changes = self.GL.replace("bytes=8, stride=12", "bytes=8, stride=4")
        self.only(changes, "shader-attributes-bytes", "attribute array 0 has 8 bytes per vertex, but a stride of 4 bytes", severity="warning", lines=False)

    def test_array_of_one_vertex(self):
        """Legal: with a stride of 0 all vertices read the same data."""
        self.nothing(self.GL.replace("bytes=8, stride=12", "bytes=8, stride=0"))

    def test_no_inverse_w(self):
        """The vertex has Ys and Xs, Zs, and the varying. The word before the varying is not written."""
        changes = self.GL.replace("    ldi vpm, 1.0                # 1 / Wc\n", "")
        checked, ran = self.both(changes)
        self.assertEqual([[item["rule"] for item in found] for found in (checked, ran)], [["vertex-output-missing"]] * 2)
        self.assertIn("row 3 of the 4 words of a shaded vertex (Ys and Xs, Zs, 1/Wc, then point size and varyings) is not written", checked[0]["text"])

    def test_inverse_w_without_varyings(self):
        """1/Wc is not needed, because no value is divided by Wc."""
        self.nothing(".macro part_record\n    shader.nv single_threaded, stride=12, varyings=0, code=shader, vertices=vertices\n.endm\n"
                     ".macro part_vertices\n    vertex.nv x=64, y=4, z=0.5, inverse_w=0.0, varyings=[]\n    vertex.nv x=4, y=60, z=0.5, inverse_w=0.0, varyings=[]\n"
                     "    vertex.nv x=124, y=60, z=0.5, inverse_w=0.0, varyings=[]\n.endm\n.macro part_shader\n    nop\n    nop\n    draw_white\n.endm\n")


class Order(Case):
    def test_host_waits(self):
        """The lists use no semaphores. The host waits between them, and a note reports this."""
        _, ran = self.both(".macro part_wait\n.endm\n.macro part_increment\n.endm\n")
        self.assertEqual([(item["rule"], item["severity"]) for item in ran], [("cl-no-wait", "note")])
        self.assertIn("'run' between 'bin' and 'render'", ran[0]["hint"])

    def test_hint_names_the_step(self):
        _, ran = self.both(".macro part_wait\n.endm\n")
        self.assertEqual([(item["rule"], item["severity"]) for item in ran], [("cl-no-wait", "error")])
        self.assertIn("'run' between 'bin' and 'render'", ran[0]["hint"])


class Places(Case):
    def line_of(self, ran, text):
        source = (HERE / "frame.inc").read_text(encoding="utf-8").splitlines()
        self.assertIn(text, source[ran["line"] - 1])

    def test_missing_vertices(self):
        """The stride is wrong: the finding names the stride, and the record that draws."""
        record = ".macro part_record\n    shader.nv single_threaded, stride=255, varyings=1, code=shader, uniforms=uniforms, vertices=0x40024000\n.endm\n"
        far = ".macro part_draw\n    cl.vertex_array_primitives mode=triangles, length=3, first=255\n.endm\n"
        _, ran = self.both(record + far)
        self.assertEqual({item["rule"] for item in ran}, {"bus-unmapped"})
        self.assertIn("begin at 0x40024000 with a stride of 255 bytes, and vertex 255 is read", ran[0]["text"])

    def test_tile_list(self):
        """The finding is about a record of a tile list. Its line is that of the binning list's record that draws."""
        vertices = (".macro part_vertices\n    vertex.nv x=64, y=4, z=0.5, inverse_w=1.0, varyings=[0.0]\n    vertex.nv x=4, y=60, z=0.5, inverse_w=0.0, varyings=[0.5]\n"
                    "    vertex.nv x=124, y=60, z=0.5, inverse_w=1.0, varyings=[1.0]\n.endm\n")
        checked, ran = self.both(vertices)
        self.assertEqual([[item["rule"] for item in found] for found in (checked, ran)], [["vertex-inverse-w"]] * 2)
        self.assertEqual(checked[0]["line"], ran[0]["line"])
        self.line_of(ran[0], "cl.vertex_array_primitives")
        self.assertEqual(ran[0]["draw_symbol"], "binning_list")


if __name__ == "__main__":
    unittest.main()
