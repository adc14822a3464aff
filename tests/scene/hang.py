#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hang.py - tests states of hung GPUs that the kernel saves: hang.py TESSERA. The files are written here in the
format of vc4-gpu-tools (tools/vc4_dump_hang_state.c) and include/uapi/drm/vc4_drm.h. Their contents are the memory
of examples, and of programs that hang the chip."""
import json
import os
import pathlib
import struct
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import rig  # noqa: E402
from rig import DONE, USAGE, WRONG  # noqa: E402

# struct drm_vc4_get_hang_state. The pointer has two words. The last 16 words are padding.
STATE = ("bo", "bo_high", "bo_count", "start_bin", "start_render", "ct0ca", "ct0ea", "ct1ca", "ct1ea", "ct0cs", "ct1cs",
         "ct0ra0", "ct1ra0", "bpca", "bpcs", "bpoa", "bpos", "vpmbase", "dbge", "fdbgo", "fdbgb", "fdbgr", "fdbgs", "errstat")
HEADER_BYTES, BO_BYTES = 164, 16
TRIANGLE = ROOT / "examples/vc4/gl-triangle/gl-triangle.qasm"
TILES, FRAMEBUFFER = 0x40020000, 0x40100000  # addresses in the example gl-triangle.qasm
RUNNING = 0x20


def dump(bos, **state):
    state.setdefault("bo_count", len(bos))
    words = [state.get(name, 0) for name in STATE] + [0] * 16
    table = b"".join(struct.pack("<4I", number, address, len(content), 0) for number, (address, content) in enumerate(bos, 1))
    return struct.pack("<41I", 0, *words) + table + b"".join(content for _, content in bos)


def sections(elf):
    """Yields the name, type, content and link of each section of an ELF file."""
    at, = struct.unpack_from("<I", elf, 32)
    count, names = struct.unpack_from("<2H", elf, 48)
    headers = [struct.unpack_from("<10I", elf, at + 40 * i) for i in range(count)]
    texts = elf[headers[names][4]:][:headers[names][5]]
    for name, kind, _, _, offset, size, link, *_ in headers:
        yield texts[name:texts.index(b"\0", name)].decode(), kind, elf[offset:offset + size], link


def symbols(elf):
    """Returns the named addresses of a scene."""
    all_sections = list(sections(elf))
    _, _, table, link = next(section for section in all_sections if section[0] == ".symtab")
    texts, names = all_sections[link][2], {}
    for offset in range(0, len(table), 16):
        name, value = struct.unpack_from("<2I", table, offset)
        names[texts[name:texts.index(b"\0", name)].decode()] = value
    return names


def lists(elf):
    """Returns the start and the end of each list that a scene runs, by the kind of step."""
    text = next(content for name, _, content, _ in sections(elf) if name == ".tessera").decode()
    names = symbols(elf)
    steps = [line.split() for line in text.splitlines() if line.startswith(("bin ", "render "))]
    return {kind: [names[word] if word in names else int(word, 0) for word in words] for kind, *words in steps}


def segments(elf):
    at, = struct.unpack_from("<I", elf, 28)
    count, = struct.unpack_from("<H", elf, 44)
    for i in range(count):
        kind, offset, address, _, in_file, size = struct.unpack_from("<6I", elf, at + 32 * i)
        if kind == 1 and size:
            yield address, elf[offset:offset + in_file].ljust(size, b"\0")


class Case(rig.Case):
    def assemble(self, source):
        done = self.call("asm", "--no-check", "-f", "elf", "-o", "scene.elf", str(source))
        self.assertEqual(done.status, DONE, done.err)
        elf = self.read("scene.elf")
        return list(segments(elf)), symbols(elf)

    def expect(self, status, *arguments, says=()):
        done = self.call(*arguments)
        self.assertEqual(done.status, status, done.err)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, done.err)
        return done

    def triangle(self, leave_out=(), **state):
        """Returns a saved state in which the GPU is in the middle of the example's rendering list."""
        bos, names = self.assemble(TRIANGLE)
        state = {"start_bin": names["binning_list"], "ct0ca": names["binning_list_end"], "ct0ea": names["binning_list_end"],
                 "start_render": names["rendering_list"], "ct1ca": names["rendering_list"] + 29,
                 "ct1ea": names["rendering_list_end"], "ct1cs": RUNNING, "errstat": 0x1000, **state}
        return dump([bo for bo in bos if bo[0] not in leave_out], **state)

    def rules(self, *arguments):
        lines = self.call(*arguments, "--json").err.splitlines()
        return [json.loads(line)["rule"] for line in lines]


class Run(Case):
    def draws_the_triangle(self, content, **says):
        self.write("gpu.hang", content)
        done = self.expect(DONE, "run", "gpu.hang", "-o", "dump.png", **says)
        self.expect(DONE, "run", "scene.elf", "-o", "scene.png")
        self.assertTrue(self.read("dump.png") == self.read("scene.png"), "the pictures differ")
        return done

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_a_whole_job(self):
        done = self.draws_the_triangle(self.triangle())
        self.assertIn("the GPU hung, the binning list at its end, the rendering list at 0x4001005d <render_list+0x1d>", done.err)
        self.assertIn("[hang-not-repeated]", done.err)

    def test_a_job_whose_binning_is_done(self):
        """Returns the state of a job after its binning, as later kernels save it. The memory of the tile lists does
        not belong to an object. The binner works on another job or is idle."""
        self.draws_the_triangle(self.triangle({TILES}, start_bin=0))

    def test_a_job_beside_another(self):
        """A binning list that uses other tile lists belongs to another job."""
        bos, names = self.assemble(TRIANGLE)
        lists = next(content for address, content in bos if address == 0x40010000)
        size = names["binning_list_end"] - 0x40010000
        other = lists[:1] + struct.pack("<3I", 0x40500000, 0x10000, 0x40510000) + lists[13:size]
        bos = [bo for bo in bos if bo[0] != TILES] + [(0x40300000, other.ljust(4096, b"\0"))]
        content = dump(bos, start_bin=0x40300000, ct0ca=0x40300010, ct0ea=0x40300000 + size, ct0cs=RUNNING,
                       start_render=names["rendering_list"], ct1ca=names["rendering_list"], ct1ea=names["rendering_list_end"])
        self.draws_the_triangle(content, says="the binning list at 0x40300010 <bin_list+0x10>")

    def test_buffer_objects_of_two_jobs(self):
        bos, _ = self.assemble(TRIANGLE)
        content = self.triangle()
        head, table = content[:HEADER_BYTES], content[HEADER_BYTES:HEADER_BYTES + BO_BYTES * len(bos)]
        twice = head[:12] + struct.pack("<I", 2 * len(bos)) + head[16:] + table * 2
        self.draws_the_triangle(twice + content[HEADER_BYTES + len(table):] * 2)

    def test_tile_lists_that_are_there(self):
        """The file of an older kernel includes the tile lists, but the binning list has been overwritten. Each tile
        list is a return (record 18)."""
        bos, names = self.assemble(TRIANGLE)
        bos = [(address, b"\x12" * len(content) if address == TILES else content) for address, content in bos]
        bos = [(address, b"\0" + content[1:] if address == 0x40010000 else content) for address, content in bos]
        self.write("gpu.hang", dump(bos, start_render=names["rendering_list"], ct1ca=names["rendering_list"],
                                    ct1ea=names["rendering_list_end"], ct1cs=RUNNING | 0x10))
        self.expect(DONE, "run", "gpu.hang", "-o", "dump.png")
        _, _, rows = rig.picture(self.path("dump.png"))
        self.assertTrue(set(rows) == {b"\x00\xff\xff" * 640})  # the clear colour, 0xff00ffff, read as BGRA

    def test_tile_lists_that_are_lost(self):
        self.write("gpu.hang", self.triangle({TILES, 0x40010000}, start_bin=0, start_render=0x40000000, ct1ea=0x40000005))
        bos, names = self.assemble(TRIANGLE)
        lists = next(content for address, content in bos if address == 0x40010000)[names["rendering_list"] - 0x40010000:]
        self.write("gpu.hang", dump([(0x40010000, lists)], start_render=0x40010000, ct1ca=0x40010010, ct1cs=RUNNING,
                                    ct1ea=0x40010000 + names["rendering_list_end"] - names["rendering_list"]))
        self.expect(DONE, "run", "gpu.hang", says="[hang-no-tile-lists]")

    def test_memory_that_ran_out(self):
        """If the driver gives the binner no more memory, the binner hangs. If the replay has overflow memory, the
        hang is not repeated."""
        bos, names = self.assemble(TRIANGLE)
        bos = [(address, content[:5] + struct.pack("<I", 0xa00) + content[9:] if address == 0x40010000 else content)
               for address, content in bos]
        self.write("gpu.hang", dump(bos, start_bin=names["binning_list"], ct0ca=names["binning_list"] + 50, ct0cs=RUNNING,
                                    ct0ea=names["binning_list_end"], start_render=names["rendering_list"],
                                    ct1ca=names["rendering_list"], ct1ea=names["rendering_list_end"], ct1cs=RUNNING | 0x10))
        self.expect(DONE, "run", "gpu.hang", says="[hang-not-repeated]")

    def test_captures(self):
        self.write("gpu.hang", self.triangle({TILES}, start_bin=0))
        self.expect(DONE, "run", "--quiet", "gpu.hang", "--capture", "again.elf")
        self.expect(DONE, "run", "again.elf", "-o", "again.png", says="[expect-met]")


class KnownHangs(Case):
    """Programs of findings and errata, with the GPU state that their lists cause, and the rule that the run must
    report."""
    PROGRAMS = (("findings/cl-unknown-record", "cl-unknown-record"), ("findings/cl-semaphore-wait", "cl-semaphore-wait"),
                ("errata/hw-2903", "ptb-point-size"))

    def test_programs(self):
        for program, rule in self.PROGRAMS:
            with self.subTest(program):
                bos, _ = self.assemble(ROOT / "tests/programs" / (program + ".qasm"))
                found, state = lists(self.read("scene.elf")), {}
                state["start_bin"], state["ct0ea"] = found["bin"]
                state["start_render"], state["ct1ea"] = found.get("render", (0, 0))
                self.write("gpu.hang", dump(bos, ct0ca=state["start_bin"], ct1ca=state["start_render"], ct0cs=RUNNING, **state))
                found = self.rules("run", "-o", "/dev/null", "gpu.hang")
                self.assertIn(rule, found)
                self.assertIn("hang-state", found)
                self.assertNotIn("hang-not-repeated", found)


class Decode(Case):
    def test_registers_and_places(self):
        self.write("gpu.hang", self.triangle(errstat=0x1010, dbge=1 << 2, fdbgo=1 << 11 | 1 << 6, bpca=0x40020a00, bpcs=0xf600))
        done = self.expect(DONE, "decode", "gpu.hang")
        for text in ("(V3D_ERRSTAT 0x00001010, VPM, VDW, VCD, VCM and L2C errors: VPM: write out of range)",
                     "(V3D_DBGE 0x00000004, PSE errors: PSE: error b reading VPM)",
                     "(V3D_FDBGO 0x00000840, FEP overruns: FEP: FIXZ overrun)",
                     "(V3D_CT1CS 0x00000020, status of the thread: running)",
                     "(V3D_BPCA 0x40020a00 <tile_lists+0xa00>, next free binning memory)"):
            self.assertIn(text, done.out)
        head, _, tail = done.out.partition("(the rendering thread of the hung GPU stopped here (V3D_CT1CA))")
        last = [line for line in head.splitlines() if "<render_list" in line][-1]
        self.assertIn("<render_list+0x1d>: Store Tile Buffer General", last)
        self.assertTrue(tail)
        self.assertNotIn("the binning thread of the hung GPU", done.out)

    def test_json(self):
        self.write("gpu.hang", self.triangle())
        steps = json.loads(self.expect(DONE, "decode", "--json", "gpu.hang").out)["steps"]
        self.assertEqual([step["kind"] for step in steps], ["hang", "bin", "render"])

    def test_a_file_without_registers(self):
        """A file of Mesa's VC4_DEBUG=dump. Its lists are at their starts, and it has no register values."""
        bos, names = self.assemble(TRIANGLE)
        state = {}
        for start, current, end, name in (("start_bin", "ct0ca", "ct0ea", "binning_list"),
                                          ("start_render", "ct1ca", "ct1ea", "rendering_list")):
            state[start] = state[current] = names[name]
            state[end] = names[name + "_end"]
        self.write("vc4-dri-0.dump", dump(bos, **state))
        done = self.expect(DONE, "decode", "vc4-dri-0.dump")
        self.assertIn("the registers were not saved", done.out)
        self.assertEqual(done.err, "")


class Malformed(Case):
    def refused(self, content, rule):
        self.write("bad.hang", content)
        for verb in "run", "decode":
            self.expect(USAGE, verb, "bad.hang", says=f"[{rule}]")

    def test_cut_short(self):
        content = self.triangle()
        for size in (4, 8, HEADER_BYTES - 1, HEADER_BYTES, HEADER_BYTES + 1, HEADER_BYTES + BO_BYTES, len(content) - 1):
            self.refused(content[:size], "hang-truncated")

    def test_memory(self):
        self.refused(dump([], start_bin=4096), "hang-no-memory")
        self.refused(dump([(4096, b"")], start_bin=4096), "hang-no-memory")
        self.refused(dump([(4096, b"\0" * 16)], bo_count=5000, start_bin=4096), "hang-no-memory")
        self.refused(dump([(4096, b"\0" * 16)], bo_count=2, start_bin=4096), "hang-truncated")
        self.refused(dump([(4096, b"\0" * 32), (4112, b"\0" * 32)], start_bin=4096), "hang-overlap")
        self.refused(dump([(0x3ffffff0, b"\0" * 32)], start_bin=4096), "hang-overlap")

    def test_lists(self):
        memory = [(4096, b"\0" * 64)]
        self.refused(dump(memory), "hang-list")
        self.refused(dump(memory, start_bin=8192, ct0ea=8200), "hang-list")
        self.refused(dump(memory, start_bin=4096, ct0ea=4096 + 65), "hang-list")
        self.refused(dump(memory, start_render=4160, ct1ea=4100), "hang-list")

    def test_other_files(self):
        self.refused(b"\0\0\0\0", "hang-truncated")
        self.refused(b"\1\0\0\0" + b"\0" * 300, "elf-magic")


if __name__ == "__main__":
    unittest.main()
