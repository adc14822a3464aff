#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""remedies.py TESSERA [ID...] - follows the hint of each row of src/vc4/faults.def literally: in tests/programs/findings/ID.qasm, which
raises the finding, the texts below are replaced as the hint says; then neither the checker nor a run has anything to say.
The rules of the checker have such pairs in tests/isa/qpu_check.c."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts"))
from tables import rows, split  # noqa: E402

END = "    nop; nop; thrend\n"
BOTH_READS = "    mov ra1, vpm"
WAIT = "    mov -, vw_wait\n"

# id: pairs of text and what takes its place.
REMEDIES = {
    "bus-unmapped": [("uniforms=0x3f000000", "uniforms=uniforms")],
    "v3d-unknown-register": [(".scene write 0xabc 0\n", ".scene write V3D_SCRATCH 0\n")],
    "v3d-register-access": [(".scene write V3D_IDENT0 0\n", "")],
    "v3d-counter": [("V3D_PCTRS0 31", "V3D_PCTRS0 29\n.scene write V3D_PCTRE 0x80000001")],
    "budget": [("    brr -, :program", "    nop")],
    "cl-unknown-record": [("    .byte 200\n", "")],
    "cl-truncated": [("binning_list+5", "binning_end")],
    "cl-wrong-list": [("    cl.tile_coordinates 0, 0\n", "")],
    "cl-order": [(".macro part_binning\n    cl.start_tile_binning\n", ".macro part_binning\n"),
                 ("auto_initialise\n", "auto_initialise\n    cl.start_tile_binning\n")],
    "cl-field": [(".byte 33, 9 ", ".byte 33, 4 ")],
    "cl-antialiased": [("antialiased, ", "")],
    "cl-nesting": [("again:\n    cl.branch_to_sub_list again\n", "")],
    "cl-semaphore-wait": [(".macro part_increment\n", ".macro part_increment\n    cl.increment_semaphore\n")],
    "cl-no-wait": [(".macro part_wait                # record 8 is not there\n", ".macro part_wait\n    cl.wait_on_semaphore\n")],
    "cl-tile-list": [("width=TILES_Y, height=TILES_X", "width=TILES_X, height=TILES_Y")],
    "cl-clip-window": [("0, 0, WIDTH, 0", "0, 0, WIDTH, HEIGHT")],
    "cl-state-missing": [(".macro part_configuration\n", ".macro part_configuration\n    cl.configuration_bits forward, reverse, depth_test=always\n")],
    "cl-index": [("maximum_index=1", "maximum_index=2")],
    "cl-index-wrap": [("first=65536", "first=0")],
    "cl-line-loop": [("line_loop, length=2", "lines, length=2"),
                     (".macro part_draw", ".macro part_shader\n# tessera: varyings 2\n    mov r0, vary\n    mov r0, vary\n    draw_white\n.endm\n\n.macro part_draw")],
    "cap-clear-value": [(".macro part_record", ".macro part_clear\n    cl.clear_colors color=0xff00ffff, z=0\n.endm\n\n.macro part_record")],
    "ptb-config": [("allocation_size=32", "allocation_size=0x4000")],
    "ptb-tile-state": [("height=TILES_Y\n", "height=TILES_Y, auto_initialise\n")],
    "ptb-out-of-memory": [("tile_allocation, allocation_size=0x1000", "large, allocation_size=0x100000"),
                          ("    cl.return_from_sub_list\n", "    cl.return_from_sub_list\n.org 0x40200000\nlarge:\n    .space 0x100000\n")],
    "ptb-point-size": [("0.0625", "0.125")],
    "ptb-clip-header": [("clipping, ", "")],
    "ptb-clip-scale": [("    cl.viewport_offset 0, 0\n", "    cl.viewport_offset 0, 0\n    cl.clipper_xy_scaling WIDTH * 8, HEIGHT * 8\n")],
    "draw-no-frame": [("forward, depth", "forward, reverse, depth")],
    "draw-no-primitive": [("length=2", "length=3")],
    "draw-clipped": [("clip_z=2", "clip_z=0")],
    "draw-not-finite": [(".int 0x7fc00000", ".int 0")],
    "draw-no-area": [("x=34, y=34", "x=4, y=60")],
    "draw-culled": [("forward, depth", "forward, reverse, depth")],
    "draw-outside": [("x=264", "x=64"), ("x=204", "x=4"), ("x=324", "x=124")],
    "draw-not-rendered": [("    cl.tile_coordinates column, row\n",
                           "    cl.tile_coordinates column, row\n    cl.branch_to_sub_list tile_allocation + tile * 32\n")],
    "draw-no-pixel": [("y=11.375", "y=20"), ("x=11.375", "x=20")],
    "draw-z-limits": [("0.75", "0.0")],
    "draw-early-z": [("z=0\n", "z=0xffffff\n")],
    "draw-no-coverage": [("rgba8888, coverage\n", "rgba8888\n")],
    "draw-stencil": [("2 << 16", "7 << 16")],
    "draw-depth": [("never", "always")],
    "draw-discarded": [("mov.ifz", "mov.ifnz")],
    "draw-unchanged": [("ldi tlbc, 0xff00ffff", "ldi tlbc, -1")],
    "shader-record": [(".byte 0x81", ".byte 0x01")],
    "shader-attributes": [("vertex_offset=2, coordinate_offset=2", "vertex_offset=0, coordinate_offset=0")],
    "shader-attributes-gap": [("vertex_attribute_bytes=12", "vertex_attribute_bytes=8"), ("coordinate_attribute_bytes=12", "coordinate_attribute_bytes=8")],
    "shader-attributes-size": [("bytes=12, stride=12", "bytes=8, stride=12")],
    "shader-attributes-bytes": [("bytes=12, stride=8", "bytes=8, stride=8"), ("vertex_attribute_bytes=12", "vertex_attribute_bytes=8"),
                                ("coordinate_attribute_bytes=12", "coordinate_attribute_bytes=8"), ("0x00301a00", "0x00201a00"), ("    mov -, vpm                  # the next vertex's Ys, Xs\n", "")],
    "cl-overlap": [("state_address=tile_allocation + 32", "state_address=tile_state")],
    "cl-overlap-later": [("allocation_size=0x4010", "allocation_size=0x4000")],
    "cl-alias": [("tile_allocation + 0x80000000", "tile_allocation")],
    "scene-image-format": [("rgba8888 t out.png", "rgba8888 raster out.png")],
    "vertex-inverse-w": [("inverse_w=0.0", "inverse_w=1.0")],
    "tmu-frame": [("base=framebuffer", "base=texture")],
    "tmu-frame-format": [("height=16, color_format=rgba8888", "height=16, color_format=rgba8888, memory_format=lt_format")],
    "shader-attributes-stride": [("extended_stride 0x104", "extended_stride 0x108")],
    "vertex-attribute-unread": [("0x00101a00    # one of two rows", "0x00201a00"), ("    mov ra0, vpm\n    nop\n", "    mov ra0, vpm\n    mov ra1, vpm\n")],
    "vertex-output-missing": [("    mov r0, ra1 ", "    mov vpm, ra1 ")],
    "vertex-row-again": [("    ldi vw_setup, 0x00001a03    # the fourth row again\n    mov vpm, ra1\n", "")],
    "vertex-data": [("stride=8", "stride=16")],
    "qpu-pc": [("bra -, 0x3e000000", "brr -, 0")],
    "qpu-hang": [("    sacq -, 5 ", "    srel -, 5\n    sacq -, 5 ")],
    "qpu-reserved": [("    .int 0x099e7000, 0x100009e7", "    nop")],
    "qpu-breakpoint": [("    bkpt\n", "    nop\n")],
    "qpu-read-after-write": [("    mov r0, ra1\n", "    nop\n    mov r0, ra1\n")],
    "qpu-sfu-latency": [("    nop\n    mov r0, r4", "    nop\n    nop\n    mov r0, r4")],
    "qpu-two-peripherals": [("mov t0s, r0; mov recip, r0\n", "mov t0s, r0\n    mov recip, r0\n")],
    "qpu-uniform-address-latency": [("    nop\n    mov r0, unif", "    nop\n    nop\n    mov r0, unif")],
    "qpu-no-uniforms": [(".scene qpu program 0", ".scene qpu program uniforms 2")],
    "qpu-uniform-overrun": [("program uniforms 2", "program uniforms 3"), (".word memory, memory", ".word memory, memory, memory")],
    "qpu-varying-none": [("    nop\n    mov r0, vary\n", "    nop\n")],
    "qpu-varying-unread": [("    nop\n    nop\n", "    mov r0, vary\n    nop\n")],
    "qpu-varying-implicit": [(".macro part_draw", ".macro part_shader\n# tessera: varyings 3\n    mov r0, vary\n    mov r0, vary\n    mov r0, vary\n"
                              "    draw_white\n.endm\n\n.macro part_draw")],
    "qpu-not-fragment": [("    mov tlbc, 0\n", "    nop\n")],
    "qpu-vpm-in-fragment": [("    mov vpm, 0\n", "")],
    "qpu-scoreboard-early": [("    mov r0, vary; nop; sbwait\n    nop\n", "    mov r0, vary\n    nop\n    nop; nop; sbwait\n")],
    "qpu-scoreboard-unlocked": [("    nop; nop; sbdone\n    ldi tlbc, 0\n", "    ldi tlbc, 0\n    nop; nop; sbdone\n")],
    "qpu-branch-in-delay-slot": [("    brr -, 0\n", "    nop\n")],
    "qpu-one-target": [("mov r0, 1; mov r0, 2", "mov r0, 1; mov r1, 2")],
    "qpu-rotate-latency": [("    mov r1, r0 >> 8", "    nop\n    mov r1, r0 >> 8")],
    "qpu-undocumented": [("    mov r1, ra39                # the nop register\n", "    mov r1, r0\n")],
    "vpm-dma-busy": [("    mov vw_addr, unif\n", "    mov vw_addr, unif\n    mov -, vw_wait\n")],
    "vpm-write-without-setup": [("    mov vpm, elem_num\n", "    ldi vw_setup, 0x00001a00\n    mov vpm, elem_num\n")],
    "qpu-shift-count": [("    shl r0, r0, r1\n", "    ldi r2, 31\n    and r1, r1, r2\n    shl r0, r0, r1\n")],
    "qpu-semaphore-left": [("    srel -, 3                   # and no acquire\n", "")],
    "qpu-interrupt-again": [(".scene qpu program 0\n.scene qpu program 0\n", ".scene qpu program 0\n")],
    "tmu-unaligned-lookup": [("add t0s, r0, 2", "add t0s, r0, 4")],
    "tmu-stale-read": [(".word memory, memory", ".word memory, memory+64")],
    "memory-alias": [("memory+0x80000000", "memory")],
    "mutex-acquired-twice": [("    mov -, mutex_acq\n    nop\n", "    nop\n")],
    "qpu-mutex-left": [("    mov -, mutex_acq\n", "    mov -, mutex_acq\n    mov mutex_rel, 0\n")],
    "qpu-end-rules": [("    nop; nop; thrend\n    mov r0, unif\n    nop\n", "    mov r0, unif\n    nop; nop; thrend\n    nop\n    nop\n")],
    "qpu-uninitialised": [("    mov r0, ra5", "    mov ra5, 0\n    nop\n    mov r0, ra5")],
    "qpu-flags-unset": [("    mov r0, 1\n", "    mov.setf r0, 1\n")],
    "qpu-lost-in-switch": [("    mov r1, 1\n", "    mov ra1, 1\n"), ("mov r0, r1", "mov r0, ra1")],
    "qpu-r4-overwritten": [("    nop\n    nop\n    ldi recip, 4.0", "    nop\n    nop\n    mov r0, r4\n    ldi recip, 4.0")],
    "qpu-mul24-overflow": [("0x12345678", "0x345678")],
    "qpu-scoreboard-order": [("    nop; nop; sbdone\n", "    nop; nop; sbwait\n    nop; nop; sbdone\n")],
    "qpu-noswap-latency": [("    mov tmurs, 1\n", "    mov tmurs, 1\n    nop\n    nop\n    nop\n")],
    "qpu-ms-flags-latency": [("    nop\n    mov r1, ms_mask", "    nop\n    nop\n    mov r1, ms_mask")],
    "qpu-late-z": [("    mov tlbz, rb15\n    mov tlbc", "    mov tlbz, rb15\n    nop\n    mov tlbc")],
    "qpu-thread-switch": [("    nop; nop; sbwait\n    nop; nop; lthrsw\n    nop\n    nop\n", "    nop; nop; lthrsw\n    nop\n    nop\n    nop; nop; sbwait\n")],
    "last-switch-missing": [("    nop; nop; thrsw ", "    nop; nop; lthrsw ")],
    "qpu-uniform-count": [("uniform_count=1", "uniform_count=2")],
    "tmu-empty": [("    nop; nop; ldtmu0", "    mov t0s, unif\n    nop; nop; ldtmu0\n    mov r0, r4")],
    "tmu-overflow": [(".rep i, 5 ", ".rep i, 4 ")],
    "tmu-half-queue": [(".rep i, 3                   # two of eight slots each", ".rep i, 2"), ("    .rep i, 3\n        nop; nop; ldtmu0", "    .rep i, 2\n        nop; nop; ldtmu0")],
    "tmu-unread": [("    mov t0s, unif\n", "    mov t0s, unif\n    nop; nop; ldtmu0\n    mov r0, r4\n")],
    "tmu-conditional-write": [("    mov.ifn t0s, r0\n", "    mov t0s, r0\n")],
    "tmu-parameter": [("min_filter=7", "min_filter=1")],
    "tmu-type": [("    .word texture | 2 << 4 ", "    .word texture | 0 << 4 "), ("1 << 31 | 16", "16")],
    "tmu-levels": [("levels=9", "levels=1")],
    "tmu-reserved-bits": [("1 << 30 | 2 ", "1 << 30 ")],
    "tmu-child-2048": [("width=0, height=32", "width=1024, height=32")],
    "tmu-child-incomplete": [("    mov t0r, r0\n", "    mov t0r, r0\n    mov t0b, r0\n"), ("width=8, height=8\n", "width=8, height=8\n    uniform.child_offset x=0, y=0\n")],
    "tmu-raster-width": [("width=12", "width=16")],
    "tmu-direct-loads": [("    .rep i, 5\n        mov t0s, r0", "    .rep i, 4\n        mov t0s, r0"), ("    .rep i, 5\n        nop; nop; ldtmu0", "    .rep i, 4\n        nop; nop; ldtmu0")],
    "tmu-half-blend": [("width=4, height=4\n", "width=4, height=4, mag_filter=nearest, min_filter=nearest\n")],
    "tmu-unfinished": [("    mov t0t, r0\n", "    mov t0t, r0\n    mov t0s, r0\n    nop; nop; ldtmu0\n    mov r0, r4\n")],
    "vpm-empty": [("    mov r0, vpm\n", "    .set setup, 0x00101a00\n    ldi vw_setup, 0x1a00\n    mov vpm, 0\n    ldi vr_setup, setup\n    nop\n    nop\n    nop\n    mov r0, vpm\n")],
    "vpm-unread": [("    mov r0, vpm\n", "    mov r0, vpm\n    mov r0, vpm\n")],
    "vpm-read-queue": [("    ldi vr_setup, vpm_setup(2, 1, h32(0))\n    ldi vr_setup, vpm_setup(2, 1, h32(0))\n    nop\n    nop\n    nop\n",
                        "    ldi vr_setup, vpm_setup(2, 1, h32(0))\n    nop\n    nop\n    nop\n    mov r0, vpm\n    mov r0, vpm\n    ldi vr_setup, vpm_setup(2, 1, h32(0))\n"
                        "    nop\n    nop\n    nop\n"), (".rep i, 4", ".rep i, 2")],
    "vpm-conditional-write": [("mov.ifn vpm, 1", "mov vpm, 1")],
    "vpm-dma-alignment": [("add vw_addr, r0, 2", "mov vw_addr, r0")],
    "vpm-dma-width": [("vdw_setup_0(1, 8, dma_h32(0, 12))", "vdw_setup_0(1, 4, dma_h32(0, 12))")],
    "vpm-dma-beyond": [("vdw_setup_1(0x1000 - 64)", "vdw_setup_1(0)")],
    "vpm-dma-column": [("vdw_setup_0(1, 32, dma_v32(0, 0))\n    mov vw_addr, unif\n", "vdw_setup_0(1, 16, dma_v32(0, 0))\n    mov vw_addr, unif\n" + WAIT +
                        "    ldi vw_setup, vdw_setup_0(1, 16, dma_v32(16, 0))\n    mov vw_addr, unif\n")],
    "vpm-window": [("    mov vpm, 0                  # a fifth row\n", "")],
    "vpm-reservation": [(".scene write V3D_VPMBASE 17\n", ".scene write V3D_VPMBASE 0\n")],
    "vpm-allocation-limit": [("V3D_VPACNTL 0x1000", "V3D_VPACNTL 0")],
    "vpm-read-latency": [("    nop\n    mov r0, vpm", "    nop\n    nop\n    nop\n    mov r0, vpm")],
    "vpm-uninitialised": [("program:\n", "program:\n    ldi vw_setup, vpm_setup(0, 1, h32(0))\n    mov vpm, elem_num\n")],
    "vpm-dma-left": [(END, WAIT + END)],
    "vpm-dma-unfinished": [("    ldi vw_setup, vpm_setup(0, 1, h32(0))\n    mov vpm, 0 ", WAIT + "    ldi vw_setup, vpm_setup(0, 1, h32(0))\n    mov vpm, 0 ")],
    "vpm-write-before-read": [("    ldi vw_setup, vpm_setup(0, 1, h32(0))\n    mov vpm, 0\n    nop\n    nop\n    mov r0, vpm\n",
                               "    nop\n    nop\n    nop\n    mov r0, vpm\n    ldi vw_setup, vpm_setup(0, 1, h32(0))\n    mov vpm, 0\n")],
    "vpm-setup": [("    mov vw_addr, unif ", "    ldi vw_setup, vpm_setup(0, 1, h32(0))\n    mov vpm, elem_num\n    ldi vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))\n"
                   "    mov vw_addr, unif "), ("    nop; nop; thrend\n", WAIT + "    nop; nop; thrend\n")],
    "vpm-race": [("    ldi vw_setup, vpm_setup(0, 1, h32(0))\n    mov vpm, elem_num\n", "    mov -, mutex_acq\n    ldi vw_setup, vpm_setup(0, 1, h32(0))\n"
                  "    mov vpm, elem_num\n    mov mutex_rel, 0\n")],
    "memory-race": [("    mov vw_addr, unif ", "    mov -, mutex_acq\n    mov vw_addr, unif "), (WAIT, WAIT + "    mov mutex_rel, 0\n")],
    "tlb-config": [("width=0", "width=WIDTH")],
    "tlb-order": [(".macro part_first_store\n", ".macro part_first_store\n    cl.tile_coordinates 0, 0\n    cl.store_tile_buffer_general buffer=none\n")],
    "tlb-tile-size": [(", multisample", "")],
    "tlb-double-buffer": [("disable_color_clear", "disable_color_clear, disable_double_buffer_swap")],
    "tlb-stencil-faces": [("length=6", "length=3")],
    "tlb-early-z-reload": [("multisample, decimate=x4", "multisample, decimate=x4, early_z_disable")],
    "tlb-z-after-colour": [("    mov tlbc, r0            # too early: the test below comes later\n    mov tlbz, rb15\n", "    mov tlbz, rb15\n    mov tlbc, r0\n")],
    "vg-continuation": [("continuation=1, ", "")],
    "vg-shader": [("    cl.vg_coordinate_array_primitives", "    cl.vg_shader_state vg_record\n    cl.vg_coordinate_array_primitives"),
                  ("coordinates:\n", "vg_record:\n    shader.vg code=vg_shader, uniforms=uniforms\ncoordinates:\n"),
                  ("    vertex.vg 8, 56\n", "    vertex.vg 8, 56\n    .align 8\nvg_shader:\n    nop\n    nop\n    draw_white\n")],
    "cl-list-format": [("lines, index_16_bit\n", "lines, index_16_bit\n    cl.nv_shader_state shader_record\n")],
}

# Why there is no pair.
WITHOUT = {
    "not-modelled": "the hint says where to read what is modelled: there is nothing that the program could do",
    "cl-compressed-list": "the bytes are not a list: the program has no better ones",
    "ptb-list-changed": "the program exists to write where it must not",
    "ptb-state-counter": "the hint's Flush All State ends the binning list of a frame: the frame would be another one",
    "cap-multisample": "the frame without multisampling has other tiles",
    "cap-after-varyings": "the hint needs another shader in the frame",
    "vg-interleaved": "the hint is about a chip that no board has",
    "vertex-attribute-unfilled": "comes with shader-attributes-gap, which has a pair",
}

# Programs that the checker has something to say of, whatever they do about the finding.
RUN_ONLY = {"tmu-half-queue": "a user program with two threads, which only fragment shaders have"}


def call(tessera, folder, *arguments):
    return subprocess.run([tessera, *arguments], cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def apply(ident):
    text = (HERE / "findings" / f"{ident}.qasm").read_text()
    for old, new in REMEDIES[ident]:
        if old not in text:
            return None
        text = text.replace(old, new)
    return text.replace('"../frame.inc"', f'"{HERE}/frame.inc"')


def wrong(tessera, folder, ident):
    text = apply(ident)
    if text is None:
        return "the program does not have the text to be replaced"
    pathlib.Path(folder, "fixed.qasm").write_text(text)
    done = call(tessera, folder, "check", "fixed.qasm")
    if done.returncode and ident not in RUN_ONLY:
        return done.stdout + done.stderr
    done = call(tessera, folder, "asm", "--no-check", "-o", "fixed.elf", "fixed.qasm")
    if done.returncode:
        return done.stderr
    done = call(tessera, folder, "run", "--strict", "--json", "--max-instructions", "100000", "fixed.elf")
    # Notes about draws that leave nothing are about the size of these frames, unless such a note is what the remedy is for.
    left = [line for line in done.stderr.splitlines() if '"rule"' in line and (ident.startswith("draw-") or '"rule": "draw-' not in line)]
    return done.stderr if done.returncode or left else None


def main():
    tessera, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
    idents = [split(row)[1] for row in rows("src/vc4/faults.def", "FAULT")]
    bad = [f"{ident} has no remedy" for ident in idents if (ident in REMEDIES) == (ident in WITHOUT)]
    bad += [f"{ident} is not a finding" for ident in {*REMEDIES, *WITHOUT} - {*idents}]
    with tempfile.TemporaryDirectory() as folder:
        for ident in REMEDIES:
            text = wrong(tessera, folder, ident) if not only or ident in only else None
            if text:
                bad.append(f"{ident}: {text}")
    print(*bad, sep="\n")
    sys.exit(1 if bad else 0)


main()
