#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""causes.py TESSERA - runs programs with one mistake. However many QPUs make the mistake, the run must report it
once, at the instruction that is the cause, and report no consequences. The programs mark the cause with a label."""
import json
import os
import subprocess
import sys
import tempfile

END = "\nthrend; nop\nnop\nnop\n"
ASK = "mov r0, unif\n"
MANY = "mov t0s, r0\n"
WAITED = "mov -, vw_wait\n"

# Name: program, number of QPUs, the expected findings in order, words of the first finding's text. The label "here:"
# marks the instruction of the first finding.
CASES = {
    "overfilled queue": (ASK + MANY * 8 + "here: " + MANY * 4 + "ldtmu0; nop\nmov ra1, r4\n" * 8 + END, 12, ["tmu-overflow"], "does not fit"),
    "result not collected": (ASK + "here: " + MANY + "nop\n" * 3 + END, 12, ["tmu-unread"], "this instruction requested the result"),
    "vectors not read": ("ldi vw_setup, 0x1a00\nmov vpm, 1\nmov vpm, 2\nnop\nhere: ldi vr_setup, 0x00201a00\nnop\nnop\nnop\nmov r0, vpm\n" + END, 1, ["vpm-unread"], "1 VPM vector was"),
    "store not waited for": (ASK + "ldi vw_setup, 0x1a00\nmov vpm, 0\nldi vw_setup, 0x80904000\nhere: mov vw_addr, r0\n" + END, 1,
                             ["vpm-dma-left"], "ends without waiting for this DMA store"),
    "mutex kept": ("here: mov -, mutex_acq\nnop\n" + END, 1, ["qpu-mutex-left"], "which this instruction acquired"),
    "wild uniform address": ("ldi r0, 0x50000000\nhere: mov unif_addr, r0\nnop\nnop\nmov r1, unif\n" + END, 12, ["bus-unmapped"],
                             "this instruction sets the uniform address to 0x50000000, and the instruction at 0x40000020 reads"),
    "null uniform address": ("ldi r0, 0\nhere: mov unif_addr, r0\nnop\nnop\nmov r1, unif\n" + END, 1, ["bus-unmapped"], "to 0x00000000"),
    "semaphore": ("nop\nhere: sacq -, 3\n" + END, 12, ["qpu-hang"], "12 QPUs wait for semaphore 3"),
    "semaphore left": ("nop\nhere: srel -, 2\n" + END, 1, ["qpu-semaphore-left"], "semaphore 2 is still 1"),
    "uniform taken for an address": ("mov r0, unif\nldi r1, 0x8000\nhere: add t0s, r0, r1\nnop; nop; ldtmu0\nmov r2, r4\n" + END, 1, ["bus-unmapped"],
                                     "number 1 of its stream, is 0x400000"),
    "uniforms taken for a texture": ("mov r0, unif\nmov unif_addr, r0\nnop\nnop\nmov t0t, 0\nhere: mov t0s, 0\nnop; nop; ldtmu0\nmov r2, r4\n" + END, 1, ["bus-unmapped"],
                                     "sets texture parameter 0 (address, type) to 0x"),
    "branch out of memory": ("nop\nhere: bra -, 0x3e000000\nnop\nnop\nnop\n" + END, 12, ["qpu-pc"], "this branch jumps to 0x3e000000"),
    "load address in a store": ("ldi vw_setup, 0x1a08\nmov vpm, 1\nldi vw_setup, 0x80901080\nhere: mov vw_addr, unif\n" + WAITED + END, 1,
                                ["vpm-uninitialised"], "stores rows 32 to 47 of the VPM, but row 33, column 0 was never written; this program "
                                "has written row 8"),
    "columns past row 15": ("ldi vw_setup, 0x1a00\n" + "mov vpm, 1\n" * 20 + "ldi vw_setup, 0x80850780\nhere: mov vw_addr, unif\n" + WAITED + END, 1,
                            ["vpm-dma-column"], "each unit has 5 words of a column from row 15 on"),
    "no flags": (ASK + "mov.setf r1, 1\nloop: add r0, r0, 1\nhere: brr.anynz -, :loop\nnop\nnop\nnop\n" + END, 12, ["budget"],
                 "nothing in the loop sets flags"),
    "fixed register": ("mov r1, 7\nloop: sub.setf -, r1, 5\nhere: brr.anynz -, :loop\nnop\nnop\nnop\n" + END, 12, ["budget"],
                       "come from `sub.setf -, r1, 5` at 0x40000008, which reads r1: nothing in the loop changes it"),
    "copied register": ("mov ra1, 7\nmov r0, 7\nloop: mov r2, r0\nsub.setf -, r2, 5\nhere: brr.anynz -, :loop\nnop\nnop\nnop\n" + END, 1,
                        ["budget"], "which reads r2: nothing in the loop changes it"),
    "counter that stays": ("mov r1, 7\nloop: sub.setf r1, r1, 0\nhere: brr.anynz -, :loop\nnop\nnop\nnop\n" + END, 1, ["budget"],
                           "this branch goes back while any Z flag is clear"),
    "outer loop": ("mov r3, 0\nouter: mov r2, 5\nloop: sub.setf r2, r2, 1\nbrr.anynz -, :loop\nnop\nnop\nnop\nmov.setf -, r3\n"
                   "here: brr.allz -, :outer\nnop\nnop\nnop\n" + END, 1, ["budget"], "which reads r3: nothing in the loop changes it"),
    "always back": ("loop: nop\nnop\nhere: brr -, :loop\nnop\nnop\nnop\n" + END, 1, ["budget"], "no other instruction leaves the loop"),
}


def call(tessera, folder, *arguments):
    return subprocess.run([tessera, *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def wrong(tessera, folder, program, qpus, rules, text):
    source = f".org 0x40000000\nprogram:\n{program}\n.align 16\nuniforms: .word memory\nmemory: .space 64\n"
    source += ".scene qpu program uniforms 1\n" * qpus
    with open(os.path.join(folder, "scene.qasm"), "w", encoding="ascii") as file:
        file.write(source)
    done = call(tessera, folder, "asm", "--no-check", "-o", "scene.elf", "scene.qasm")
    if done.returncode:
        return done.stderr
    done = call(tessera, folder, "run", "--json", "--max-instructions", "20000", "scene.elf")
    findings = [json.loads(line) for line in done.stderr.splitlines()]
    if [finding["rule"] for finding in findings] != rules:
        return done.stderr
    first = findings[0]
    named = len(first.get("qpus", [first["qpu"]]))
    good = text in first["text"] and (named == qpus or first["rule"] == "budget")
    return None if good and (first["pc_symbol"], first["pc_offset"]) == ("here", 0) else f"{first}"


def wrong_null(tessera, folder):
    """A null pointer must be printed without a name, even if a symbol has address 0."""
    source = ".org 0x40001000\nprogram:\nmov t0s, 0\nnop; nop; ldtmu0\nmov r1, r4\n" + END + ".set nothing, 0\n.scene qpu program 0\n"
    with open(os.path.join(folder, "scene.qasm"), "w", encoding="ascii") as file:
        file.write(source)
    done = call(tessera, folder, "asm", "--no-check", "-o", "scene.elf", "scene.qasm")
    done = call(tessera, folder, "run", "scene.elf") if done.returncode == 0 else done
    return None if "address 0x00000000 (null)\n" in done.stderr else done.stderr


def main():
    tessera, bad = os.path.abspath(sys.argv[1]), 0
    with tempfile.TemporaryDirectory() as folder:
        for name, case in CASES.items():
            text = wrong(tessera, folder, *case)
            if text:
                print(f"{name}: {text}")
                bad += 1
        text = wrong_null(tessera, folder)
        if text:
            print(f"null pointer: {text}")
            bad += 1
    sys.exit(1 if bad else 0)


main()
