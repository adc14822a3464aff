#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""draws.py TESSERA - tests the counts of each draw (run --stats --json). The programs of
tests/programs/findings/draw-*.qasm are compared with counts by hand, and again after the second remedy of the
finding's hint. For each example, sums are checked, and counts must be equal for any number of threads. Draws that
other draws hide, or that a later frame's list draws, are reported only if the frame is empty."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 120
PRIMITIVES = ("clipped", "not_finite", "no_area", "culled", "outside", "binned")
PIXELS = ("z_limits", "early_z", "no_coverage", "stencil", "depth", "discarded", "unchanged", "written")


def rows(top, left, bottom, right):
    """Returns the number of pixels of the triangle with the corners (64, top), (left, bottom), (right, bottom),
    which contains column 64. A pixel of a row is inside if its centre is less than half of the row's width away from
    the middle. No centre is on an edge."""
    half = (right - left) / 2
    return sum(2 * int((row + 0.5 - top) * half / (bottom - top) + 0.5) for row in range(top, bottom))


ALL = rows(4, 4, 60, 124)  # the triangle of frame.inc
BINNED = {"primitives": 1, "binned": 1}
DRAWN = {**BINNED, "drawn": 2, "pixels": ALL}  # listed in two tiles

# Expected counts of the program of each id. Counts that are not listed are 0. The last element is a second replacement,
# which follows the hint.
CASES = {
    "draw-no-primitive": ({}, None),
    "draw-clipped": ({"primitives": 1, "clipped": 1}, ("clipping, clip_header", "clip_header")),
    "draw-not-finite": ({"primitives": 1, "not_finite": 1}, None),
    "draw-no-area": ({"primitives": 1, "no_area": 1}, None),
    "draw-culled": ({"primitives": 1, "culled": 1}, ("forward, depth", "forward, clockwise, depth")),
    "draw-outside": ({"primitives": 1, "outside": 1}, (".macro part_vertices", """.macro part_state
    cl.clip_window 0, 0, WIDTH, HEIGHT
    part_configuration
    cl.viewport_offset -200, 0
.endm

.macro part_vertices""")),
    "draw-not-rendered": (BINNED, None),
    "draw-no-pixel": ({**BINNED, "drawn": 1, "uncovered": 1}, None),
    "draw-z-limits": ({**DRAWN, "z_limits": ALL}, ("0.75", "0.25")),
    "draw-early-z": ({**DRAWN, "early_z": ALL}, ("depth_test=lt", "depth_test=always")),
    "draw-no-coverage": ({**DRAWN, "no_coverage": ALL}, None),
    "draw-stencil": ({**DRAWN, "stencil": ALL}, (".macro part_shader", """.macro part_clear
    cl.clear_colors color=0xff00ffff, z=0xffffff, stencil=1
.endm

.macro part_shader""")),
    "draw-depth": ({**DRAWN, "depth": ALL}, ("depth_test=never", "depth_test=lt")),
    "draw-discarded": ({**DRAWN, "discarded": ALL}, ("mov.ifz", "mov")),
    "draw-unchanged": ({**DRAWN, "unchanged": ALL}, ("ldi tlbc, 0xff00ffff", "ldi tlbc, 0x00ffffff")),
}
ALPHA = {"draw-unchanged": ALL}  # pixels that have an alpha of 0 after the second remedy

FRAME = '.include "frame.inc"\n'
TWO = FRAME + """
.macro part_draw
    cl.vertex_array_primitives mode=triangles, length=3, first=0
    cl.vertex_array_primitives mode=triangles, length=3, first=3
.endm

.macro part_vertices            # the second one lies behind the first, and is smaller
    vertex.nv x=64, y=4, z=0.25, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=4, y=60, z=0.25, inverse_w=1.0, varyings=[0.5]
    vertex.nv x=124, y=60, z=0.25, inverse_w=1.0, varyings=[1.0]
    vertex.nv x=64, y=32, z=0.75, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=34, y=60, z=0.75, inverse_w=1.0, varyings=[0.5]
    vertex.nv x=94, y=60, z=0.75, inverse_w=1.0, varyings=[1.0]
.endm

.macro part_configuration
    cl.configuration_bits forward, reverse, depth_test=lt, z_updates
.endm

.macro part_shader
    mov r0, vary
    nop
    mov tlbz, rb15
    draw_white
.endm

frame
"""
SMALL = rows(32, 34, 60, 94)
HIDDEN = [{**DRAWN, "written": ALL}, {**BINNED, "drawn": 2, "pixels": SMALL, "depth": SMALL}]
DEPTH_ONLY = FRAME + """
.macro part_configuration
    cl.configuration_bits forward, reverse, depth_test=lt, z_updates
.endm

.macro part_shader
    mov r0, vary
    nop
    mov tlbz, rb15
    nop; nop; sbdone
    end_program
.endm

frame
"""
STENCIL_ONLY = FRAME + """
.macro part_shader              # counts up, and writes no colour
    mov r0, vary
    nop
    ldi stencil, 3 << 30 | 3 << 28 | 6 << 22 | 1 << 19 | 7 << 16 | 0xff
    mov tlbz, rb15
    nop; nop; sbdone
    end_program
.endm

frame
"""
RENDERING_ONLY = FRAME + """
.macro part_binning
    cl.tile_binning_mode allocation_address=tile_allocation, allocation_size=0x4000, state_address=tile_state, width=TILES_X, height=TILES_Y, auto_initialise
    cl.start_tile_binning
.endm

.macro part_draw
.endm

.macro part_tile, tile, column, row     # the triangle is in the rendering list itself
    cl.tile_coordinates column, row
    cl.branch_to_sub_list drawing
    .if tile == TILES_X * TILES_Y - 1
        part_last_store
    .else
        part_store
    .endif
.endm

.macro part_more
    .org 0x40030000
drawing:
    cl.clip_window 0, 0, WIDTH, HEIGHT
    part_configuration
    cl.viewport_offset 0, 0
    part_shader_state
    cl.vertex_array_primitives mode=triangles, length=3, first=0
    cl.return_from_sub_list
.endm

frame
"""
# The scene has two draws. The second draw also lies outside, so more primitives are culled than drawn.
MIXED = FRAME + """
.macro part_configuration
    cl.configuration_bits forward, depth_test=always
.endm

.macro part_draw
    cl.vertex_array_primitives mode=triangles, length=6, first=0
    cl.vertex_array_primitives mode=triangles, length=3, first=6
.endm

.macro part_vertices
    .rep i, 2
    vertex.nv x=64, y=4, z=0.5, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=4, y=60, z=0.5, inverse_w=1.0, varyings=[0.5]
    vertex.nv x=124, y=60, z=0.5, inverse_w=1.0, varyings=[1.0]
    .endr
    vertex.nv x=264, y=4, z=0.5, inverse_w=1.0, varyings=[0.0]
    vertex.nv x=324, y=60, z=0.5, inverse_w=1.0, varyings=[1.0]
    vertex.nv x=204, y=60, z=0.5, inverse_w=1.0, varyings=[0.5]
.endm

frame
"""
# Name: source, draws, findings.
SCENES = {
    "two draws": (MIXED, [{"primitives": 2, "culled": 2}, {"primitives": 1, "outside": 1}], {"draw-culled", "draw-outside", "draw-no-frame"}),
    "one of two draws": (MIXED.replace("forward, depth", "forward, reverse, depth"),
                         [{"primitives": 2, "binned": 2, "drawn": 4, "pixels": 2 * ALL, "written": ALL, "unchanged": ALL}, {"primitives": 1, "outside": 1}], {"draw-outside"}),
    "hidden": (TWO, HIDDEN, set()),
    "hidden, lists in steps": (TWO.replace("length=3, first=3", "length=3, first=3\n    cl.nop"), HIDDEN, set()),
    "depth only": (DEPTH_ONLY, [{**DRAWN, "written": ALL}], set()),
    "stencil only": (STENCIL_ONLY, [{**DRAWN, "written": ALL}], set()),
    "rendering list": (RENDERING_ONLY, [{"primitives": 2, "drawn": 2, "pixels": ALL, "written": ALL}], set()),
    "rendering list, culled": (RENDERING_ONLY.replace(".macro part_draw\n", """.macro part_configuration
    cl.configuration_bits forward, depth_test=always
.endm

.macro part_draw
"""), [{"primitives": 2, "culled": 2}], {"draw-culled"}),
}


class Wrong(Exception):
    pass


def run(tessera, folder, source, *options):
    (folder / "x.qasm").write_text(source)
    done = subprocess.run([tessera, "asm", "--no-check", "-o", "x.elf", "x.qasm"], cwd=folder, capture_output=True, text=True,
                          timeout=SECONDS, check=False)
    if done.returncode:
        raise Wrong(done.stderr)
    return run_file(tessera, folder, "x.elf", *options)


def run_file(tessera, folder, file, *options):
    done = subprocess.run([tessera, "run", "--stats", "--json", *options, file], cwd=folder, capture_output=True, text=True,
                          timeout=SECONDS, check=False)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    stats = json.loads(done.stdout.splitlines()[-1])
    check_sums(stats)
    return stats, {line["rule"] for line in lines if "rule" in line}


def check_sums(stats):
    """The counts must add up, so that every primitive and pixel is counted once."""
    for row in [stats["draw_counts"]] + [draw["counts"] for draw in stats["draws"]]:
        if row["pixels"] != sum(row[name] for name in PIXELS):
            raise Wrong(f"pixels are not the sum of what became of them: {row}")
        if row["binned"] and row["primitives"] != sum(row[name] for name in PRIMITIVES):
            raise Wrong(f"primitives are not the sum of what became of them: {row}")
    for name, total in stats["draw_counts"].items():
        if total != sum(draw["counts"][name] for draw in stats["draws"]):
            raise Wrong(f"{name} of all draws is not the sum of the rows")


def not_zero(counts):
    return {name: count for name, count in counts.items() if count}


def expect(name, what, expected):
    if what != expected:
        raise Wrong(f"{name}: {what}, expected {expected}")


def check_case(tessera, folder, ident):
    counts, remedy = CASES[ident]
    source = (HERE / "findings" / f"{ident}.qasm").read_text().replace("../frame.inc", "frame.inc")
    stats, found = run(tessera, folder, source)
    expect(ident, [not_zero(draw["counts"]) for draw in stats["draws"]], [counts])
    expect(ident, found, {ident})
    if not remedy:
        return
    stats, found = run(tessera, folder, source.replace(*remedy))
    if not stats["draw_counts"]["written"] or found:
        raise Wrong(f"{ident}: the second remedy leads to {found}, {not_zero(stats['draw_counts'])}")
    expect(f"{ident}, alpha", stats["draw_counts"]["alpha_zero"], ALPHA.get(ident, 0))


def check_scene(tessera, folder, name):
    source, draws, ids = SCENES[name]
    stats, found = run(tessera, folder, source)
    expect(name, [not_zero(draw["counts"]) for draw in stats["draws"]], draws)
    expect(name, found, ids)


def check_example(tessera, folder, path):
    done = subprocess.run([tessera, "asm", "-o", folder / "x.elf", path], capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode:
        raise Wrong(done.stderr)
    frames = ["--frames", "1-2"] if path.stem == "spinning-teapot" else []
    first, found = run_file(tessera, folder, "x.elf", *frames)
    if any(rule.startswith("draw-") for rule in found):
        raise Wrong(f"{path.name}: {found}")
    for threads in "2", "3":
        other, _ = run_file(tessera, folder, "x.elf", *frames, "--threads", threads)
        expect(f"{path.name}, {threads} threads", other["draws"], first["draws"])


def main():
    tessera, bad = os.path.abspath(sys.argv[1]), 0
    examples = [path for path in sorted((HERE.parents[1] / "examples/vc4").glob("*/*.qasm")) if not path.parent.name.startswith("compute")]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "frame.inc").write_bytes((HERE / "frame.inc").read_bytes())
        for check, things in (check_case, CASES), (check_scene, SCENES), (check_example, examples):
            for thing in things:
                try:
                    check(tessera, folder, thing)
                except Wrong as wrong:
                    print(f"{thing}: {wrong}")
                    bad += 1
    sys.exit(1 if bad else 0)


main()
