#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""qpu_mistakes.py TESSERA - tests QPU programs with one mistake, or with code that only looks like a mistake. "check"
and "run" must agree. Each finding is expected once, at the instruction after the label "here", without findings about
consequences.

The programs are written from the manual (section 3, tables 6 to 14; section 7, tables 32 to 37), from public
programs that work on boards, and from problems that users have reported. The comment of a case names its origin."""
import json
import os
import subprocess
import sys
import tempfile

HEAD = '.include "vc4.qinc"\n.org 0x40000000\n'
END = "nop; thrend\nnop\nnop\n"
DATA = "\n.align 16\nuniforms:\n.word 3, memory, memory, 3, 3, 3\nmemory:\n.space 4096\n"
STORE = "mov vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))\nmov vw_addr, ra1\nmov -, vw_wait\n"
USER = "program:\nmov ra0, unif\nmov ra1, unif\n"
ROW = "mov vw_setup, vpm_setup(1, 1, h32(0))\nmov vpm, 1\n"
LOOP = "sub.setf ra0, ra0, 1\nbrr.anynz -, :loop\nnop\nnop\nnop\n"

# Name: program, expected findings of check, expected findings of run.
USERS = {
    # Cases in which nothing is wrong.
    "no write": (ROW + "or rb39, unif, 0; nop\n" + STORE + "or rb39, vw_wait, ra39; nop\n", [], []),
    "py-videocore's exit": (ROW + STORE + "mov r0, r0; mov r0, r0\n", [], []),
    "another byte": ("mov ra3, unif\nmov r1, 5\nnop\nmov ra3.8d, r1\nmov r0, ra3.8a\n", [], []),
    "the same byte": ("mov ra3, unif\nmov r1, 5\nnop\nmov ra3.8a, r1\nhere: mov r0, ra3.8a\n", ["qpu-read-after-write"], ["qpu-read-after-write"]),
    "carried round a loop": ("mov r3, 0\nloop: add r3, r3, 1\n" + LOOP, [], []),
    "one condition": ("mov.setf -, ra0\nmov.ifz r3, 1\nmov.ifz r0, r3\n", [], []),
    "loads back to back": ("mov vr_setup, vdr_setup_0(0, 16, 1, vdr_h32(1, 0, 0))\nmov vr_addr, ra1\nmov vr_setup, vdr_setup_0(0, 16, 1, vdr_h32(1, 1, 0))\n"
                           "here: mov vr_addr, ra1\nmov -, vr_wait\n", ["vpm-dma-busy"], ["vpm-dma-busy"]),  # py-videocore's test_dma.py waits once, and works
    # values
    "read in a loop": ("loop:\nhere: mov r0, r3\n" + LOOP, ["qpu-uninitialised"], ["qpu-uninitialised"]),
    "written too late": ("loop:\nhere: add r3, r3, 1\n" + LOOP, ["qpu-uninitialised"], ["qpu-uninitialised"]),
    "integer in a pack": ("mov r2, unif\nhere: mov r2.8d, 0xff\n", ["qpu-pack-integer"], None),
    "shift by 32": ("mov r1, 32\nhere: shl r0, ra0, r1\n", ["qpu-shift-count"], ["qpu-shift-count"]),
    # Complete DMA transfers.
    "load's address in a store": ("mov vw_setup, vpm_setup(0, 1, h32(8))\nmov vpm, 1\nmov vpm, 2\nmov vw_setup, vdw_setup_0(2, 16, vdr_h32(1, 8, 0))\n"
                                  "here: mov vw_addr, ra1\nmov -, vw_wait\n", ["vpm-uninitialised"], None),
    "rows that nobody wrote": (ROW + "mov vw_setup, vdw_setup_0(1, 16, dma_h32(1, 0))\nhere: mov vw_addr, ra1\nmov -, vw_wait\n",
                               ["vpm-uninitialised"], ["vpm-uninitialised"]),
    "a store without a setup": (ROW + "here: mov vw_addr, ra1\nmov -, vw_wait\n", ["vpm-setup"], ["vpm-setup"]),
    "a write without a setup": ("here: mov vpm, 1\n", ["vpm-write-without-setup"], ["vpm-write-without-setup"]),
    "a wide row": (ROW + "mov vw_setup, vdw_setup_0(1, 8, dma_h32(0, 12))\nhere: mov vw_addr, ra1\nmov -, vw_wait\n", ["vpm-dma-width"], ["vpm-dma-width"]),
    # Narrow writes fill the rows that a store reads. Four vectors of bytes, or two vectors of halves, form a row of 16
    # words.
    "bytes": ("mov vw_setup, vpm_setup(4, 1, h8p(0, 0))\n" + "mov vpm, 1\n" * 4 + STORE, [], []),
    "halves": ("mov vw_setup, vpm_setup(2, 1, h16p(0, 0))\n" + "mov vpm, 1\n" * 2 + STORE, [], []),
    "laned bytes": ("mov vw_setup, vpm_setup(4, 1, h8l(0, 0))\n" + "mov vpm, 1\n" * 4 + STORE, [], []),
    "laned halves": ("mov vw_setup, vpm_setup(2, 1, h16l(0, 0))\n" + "mov vpm, 1\n" * 2 + STORE, [], []),
    "columns of bytes": ("mov vw_setup, vpm_setup(4, 1, v8p(0, 0, 0))\n" + "mov vpm, 1\n" * 4 + "mov vw_setup, vdw_setup_0(1, 16, dma_v32(0, 0))\nmov vw_addr, ra1\nmov -, vw_wait\n", [], []),
    "bytes of another row": ("mov vw_setup, vpm_setup(4, 1, h8p(1, 0))\n" + "mov vpm, 1\n" * 4 + "mov vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))\nhere: mov vw_addr, ra1\nmov -, vw_wait\n",
                             ["vpm-uninitialised"], ["vpm-uninitialised"]),
    "too few bytes": ("mov vw_setup, vpm_setup(4, 1, h8p(0, 0))\n" + "mov vpm, 1\n" * 3 + STORE, [], ["vpm-uninitialised"]),
    "a store in a slot": ("loop:\n" + ROW + "mov vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))\nsub.setf ra0, ra0, 1\nbrr.anynz -, :loop\nnop\nnop\n"
                          "mov vw_addr, ra1\nmov -, vw_wait\n", ["vpm-dma-unfinished"], None),
    # A cause, and its consequence.
    "a row read too late": (ROW + "mov vr_setup, vpm_setup(1, 1, h32(0))\nnop\nnop\nnop\nnop; thrend\nhere: mov r0, vpm\nnop\n", ["qpu-end-rules"], ["qpu-end-rules"]),
    "a jump into data": ("here: brr -, :uniforms\nnop\nnop\nnop\n", ["runs-into-data"], None),
    "own mutex": ("mov -, mutex_acq\nhere: mov -, mutex_acq\nmov mutex_rel, r0\n", ["mutex-acquired-twice"], ["mutex-acquired-twice"]),
    "a semaphore that is left": ("srel -, 3\nsrel -, 3\nsacq -, 3\n", ["qpu-semaphore-left"], ["qpu-semaphore-left"]),
    "a semaphore that is not": ("srel -, 3\nsacq -, 3\n", [], []),
}
QUIET_NOTES = {"vpm-read-latency", "nop-register-read"}


def call(tessera, folder, *arguments):
    return subprocess.run([tessera, *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def write(folder, text):
    with open(os.path.join(folder, "p.qasm"), "w", encoding="ascii") as file:
        file.write(text)


def line_of(text):
    return next((i + 1 for i, line in enumerate(text.splitlines()) if line.startswith("here:")), None)


def checked(tessera, folder):
    done = call(tessera, folder, "check", "--no-config", "--json", "p.qasm")
    return [f for f in json.loads(done.stdout)["findings"] if f["rule"] not in QUIET_NOTES], done


def differs(found, wanted, line):
    rules = sorted({f["rule"] for f in found})
    if rules != sorted(wanted) or len(found) != len(wanted):
        return f"{rules}, {len(found)} findings: {[f['text'] for f in found]}"
    if line and wanted and found[0].get("line") != line:
        return f"line {found[0].get('line')}, not {line}"
    return None


def run_says(tessera, folder):
    call(tessera, folder, "asm", "--no-check", "-o", "p.elf", "p.qasm")
    done = call(tessera, folder, "run", "--json", "--max-instructions", "20000", "p.elf")
    return [f for f in (json.loads(line) for line in done.stderr.splitlines()) if f["rule"] not in QUIET_NOTES]


def wrong(tessera, folder, text, check_wants, run_wants):
    write(folder, text)
    found, done = checked(tessera, folder)
    bad = differs(found, check_wants, line_of(text))
    if bad:
        return f"check: {bad} {done.stderr}"
    if run_wants is None:
        return None
    rules = sorted({f["rule"] for f in run_says(tessera, folder)})
    return None if rules == sorted(run_wants) else f"run: {rules}"


def user(program, steps=1):
    body = program if "thrend" in program else program + END
    return HEAD + USER + body + DATA + ".scene qpu program uniforms 6\n" * steps


# Shaders. Name: kind, program, expected findings.
READ = "mov r0, vpm\nmov vpm, r0\n"
SETUPS = "mov vr_setup, vpm_setup(16, 1, h32(0))\nhere: mov vr_setup, vpm_setup(4, 1, h32(16))\nmov vw_setup, vpm_setup(0, 1, h32(0))\nnop\n"
QUEUED = "mov vr_setup, vpm_setup(16, 1, h32(0))\nmov vw_setup, vpm_setup(0, 1, h32(0))\nnop\nnop\n" + READ * 15 + \
         "mov vr_setup, vpm_setup(4, 1, h32(16))\n" + READ * 5
SHADERS = {
    # Silicon loses the second setup, so the results of later reads are unknown.
    "an overfilled queue": ("vertex", "# tessera: rows 20\n", SETUPS + READ * 20 + END, ["vpm-read-queue"]),
    "a queue as the addendum has it": ("vertex", "# tessera: rows 20\n", QUEUED + END, []),
    "a varying read too late": ("fragment", "# tessera: varyings 1\n", "nop\nnop\nmov tlbc, ra15\nnop; sbdone\nnop; thrend\nhere: mov r0, vary\nnop\n",
                                ["qpu-end-rules"]),
    # 35 of the 38 kernels of PeterLemon/RaspberryPi do this, and they draw correctly.
    "the scoreboard at once": ("fragment", "", "mov r0, 1\nhere: mov tlbc, r0\nnop; sbdone\n" + END, ["qpu-scoreboard-early"]),
}

# Returns a scene that draws two vertices as points, lines, or a triangle fan. Its shader reads this number of varyings.
SCENE = """
.org 0x40010000
binning:
    cl.tile_binning_mode allocation_address=0x40050000, allocation_size=0x8000, state_address=0x40040000, width=1, height=1, auto_initialise
    cl.start_tile_binning
    cl.nv_shader_state record
    cl.vertex_array_primitives mode={mode}, length=3, first=0
    cl.flush
binning_end:
.org 0x40000000
record:
    shader.nv single_threaded, stride=16, varyings=1, code=fill, vertices=vertices
.align 16
vertices:
    vertex.nv x=1, y=1, z=0.5, inverse_w=1, varyings=[0.0]
    vertex.nv x=9, y=1, z=0.5, inverse_w=1, varyings=[0.0]
    vertex.nv x=1, y=9, z=0.5, inverse_w=1, varyings=[0.0]
.align 16
fill:
    nop
    nop
{reads}
    mov tlbc, r0
    nop; sbdone
    nop; thrend
    nop
    nop
.scene bin binning binning_end
"""
PRIMITIVES = [("points", 3, []), ("points", 1, ["qpu-varying-implicit"]), ("points", 2, ["qpu-varying-unread"]), ("points", 4, ["qpu-varying-none"]),
              ("lines", 2, []), ("lines", 1, ["qpu-varying-implicit"]), ("lines", 3, ["qpu-varying-none"]),
              ("triangles", 1, []), ("triangles", 3, ["qpu-varying-none"])]


def scene_wrong(tessera, folder, mode, reads, wanted):
    write(folder, SCENE.format(mode=mode, reads="    mov r0, vary\n" * reads))
    found, done = checked(tessera, folder)
    rules = sorted({f["rule"] for f in found})
    return None if rules == wanted else f"{rules} {done.stderr}"


def main():
    tessera, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        cases = [(name, user(program), check, run) for name, (program, check, run) in USERS.items()]
        cases.append(("an interrupt from each", user("mov irq, r0\n", 4).replace("mov ra1, unif", "mov r0, unif"), ["qpu-interrupt-again"], ["qpu-interrupt-again"]))
        cases.append(("one interrupt", user("mov irq, r0\n").replace("mov ra1, unif", "mov r0, unif"), [], None))
        for name, (kind, remark, program, wanted) in SHADERS.items():
            cases.append((name, f'.include "vc4.qinc"\n# tessera: kind {kind}\n{remark}' + program, wanted, None))
        for name, text, check, run in cases:
            if only and name not in only:
                continue
            trouble = wrong(tessera, folder, text, check, run)
            if trouble:
                print(f"{name}: {trouble}")
                bad += 1
        for mode, reads, wanted in PRIMITIVES:
            trouble = scene_wrong(tessera, folder, mode, reads, wanted) if not only else None
            if trouble:
                print(f"{mode}, {reads} varyings: {trouble}")
                bad += 1
    sys.exit(1 if bad else 0)


main()
