#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""list_order.py TESSERA - a finding must be reported for a frame that draws a tile list before the binner has
flushed it, and for no other frame. The rules are in manual section 8, table 38 (ids 7 and 8), and in the
descriptions of V3D_BFC and INT_FLDONE. Each case changes the frame of frame.inc."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TESSERA = os.path.abspath(sys.argv.pop(1))
FRAME = pathlib.Path(__file__).resolve().parent / "frame.inc"

NO_WAIT = ".macro part_wait\n.endm\n"
TWO_INCREMENTS = ".macro part_increment\n    cl.increment_semaphore\n    cl.increment_semaphore\n.endm\n"
TWO_WAITS = ".macro part_wait\n    cl.wait_on_semaphore\n    cl.wait_on_semaphore\n.endm\n"


def steps(*lines):
    return ".macro part_steps\n" + "".join(f"    .scene {line}\n" for line in lines) + ".endm\n"


class Case(unittest.TestCase):
    def findings(self, changes):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "s.qasm"), "w", encoding="utf-8") as file:
                file.write(f'.include "{FRAME}"\n{changes}\nframe\n')
            built = subprocess.run([TESSERA, "asm", "-o", "s.elf", "s.qasm"], cwd=folder, capture_output=True, text=True, check=False)
            self.assertEqual(built.returncode, 0, built.stderr)
            ran = subprocess.run([TESSERA, "run", "s.elf"], cwd=folder, capture_output=True, text=True, check=False)
            self.text = ran.stderr
            return sorted({word.split("]")[0] for word in ran.stderr.split("[")[1:]})


class Order(Case):
    def test_waits(self):
        self.assertEqual(self.findings(""), [])

    def test_does_not_wait(self):
        self.assertEqual(self.findings(NO_WAIT), ["cl-no-wait"])
        self.assertEqual(self.text.count("[cl-no-wait]"), 1) # only one tile is drawn, although the frame has two

    def test_waits_for_an_earlier_flush(self):
        """The first of two flushes increments the semaphore, and the second completes the lists."""
        changes = ".macro part_flush\n    cl.flush_all_state\n    part_draw\n    cl.flush\n.endm\n"
        self.assertEqual(self.findings(changes), ["cl-no-wait"])

    def test_waits_for_the_latest_flush(self):
        changes = (".macro part_flush\n    cl.flush_all_state\n    part_draw\n    cl.increment_semaphore\n    cl.flush\n.endm\n"
                   + TWO_WAITS)
        self.assertEqual(self.findings(changes), [])

    def test_several_increments(self):
        self.assertEqual(self.findings(TWO_INCREMENTS + TWO_WAITS), [])

    def test_started_after_the_flush(self):
        """The host waits between the lists, because the step "run" ends only when the binning list has ended."""
        changes = NO_WAIT + ".macro part_increment\n.endm\n" + steps("bin binning_list binning_end", "run",
                                                                     "render rendering_list rendering_end")
        self.assertEqual(self.findings(changes), [])

    def test_started_by_the_interrupt(self):
        """INT_FLDONE is raised when the lists are complete."""
        changes = NO_WAIT + ".macro part_increment\n.endm\n" + steps(
            "write V3D_INTENA 2", "write V3D_CT1CA rendering_list", "interrupt 1 V3D_CT1EA rendering_end",
            "bin binning_list binning_end")
        self.assertEqual(self.findings(changes), [])

    def test_lists_of_its_own(self):
        """A wait for the binner is needed only if the rendering list draws the binner's lists."""
        changes = NO_WAIT + (".macro part_tile, tile, column, row\n    cl.tile_coordinates column, row\n    cl.branch_to_sub_list own\n"
                             "    .if tile == TILES_X * TILES_Y - 1\n        part_last_store\n    .else\n        part_store\n    .endif\n.endm\n"
                             ".macro part_more\n    .org 0x40200000\nown:\n    cl.return_from_sub_list\n.endm\n")
        self.assertEqual(self.findings(changes), [])


class Tiles(Case):
    def test_exchanged(self):
        changes = """.macro part_binning
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=0x4000, state_address=tile_state, width=1, height=2, auto_initialise
    cl.start_tile_binning
.endm
"""
        self.assertEqual(self.findings(changes), ["cl-tile-list"])
        self.assertIn("tile 1,0 is drawn with the list of tile 0,1 of the 1 x 2 tiles", self.text)
        self.assertIn("swapped", self.text)

    def test_other_list(self):
        """Both tiles run the list of the first tile."""
        self.assertEqual(self.findings(".macro part_load, tile\n.endm\n.macro part_tile, tile, column, row\n    cl.tile_coordinates column, row\n"
                                       "    cl.branch_to_sub_list tile_allocation\n    .if tile == 1\n        part_last_store\n    .else\n"
                                       "        part_store\n    .endif\n.endm\n"), ["cl-tile-list"])
        self.assertNotIn("swapped", self.text)

    def test_larger_blocks(self):
        """First blocks have 64 bytes, so the second list begins 64 bytes after the first."""
        binning = """.macro part_binning
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=0x4000, state_address=tile_state, width=2, height=1, auto_initialise, initial_block_size=1
    cl.start_tile_binning
.endm
"""
        tiles = """.macro part_tile, tile, column, row
    cl.tile_coordinates column, row
    cl.branch_to_sub_list tile_allocation + tile * 64
    .if tile == 1
        part_last_store
    .else
        part_store
    .endif
.endm
"""
        self.assertEqual(self.findings(binning + tiles), [])


if __name__ == "__main__":
    unittest.main()
