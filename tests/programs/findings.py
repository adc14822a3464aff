#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""findings.py TESSERA [ID...] - runs the program of each row of src/vc4/fault/faults.def. Expects exactly this finding, with
place, severity and remedy as in the table, and exit status 1 with --strict, except for notes."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts"))
from tables import rows, split  # noqa: E402

SECONDS = 120
OPTIONS = ["--json", "--strict", "--max-instructions", "100000"]
# Ids of findings that occur only together with another finding.
TOGETHER = {"vertex-attribute-unfilled": {"shader-attributes-gap"}, "draw-no-frame": {"draw-culled"}}
# Ids of findings whose messages have a hint that differs from the table's.
OWN_HINTS = {"bus-unmapped", "qpu-hang", "vpm-dma-busy", "cl-order", "cl-field", "cl-semaphore-wait", "vg-shader", "ptb-config", "shader-record",
             "tlb-order", "draw-no-frame"}
PLACES = {"list", "shader", "address", "register"}  # a finding has at least one of these fields


def call(tessera, folder, *arguments):
    return subprocess.run([tessera, *arguments], cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)


def wrong(tessera, folder, ident, severity, instead):
    program = HERE / "findings" / f"{ident}.qasm"
    done = call(tessera, folder, "asm", "--no-check", "-o", "scene.elf", str(program))
    if done.returncode:
        return done.stderr
    done = call(tessera, folder, "run", *OPTIONS, "scene.elf")
    findings = [json.loads(line) for line in done.stderr.splitlines()]
    if {finding["rule"] for finding in findings} != {ident} | TOGETHER.get(ident, set()):
        return f"found {[finding['rule'] for finding in findings]}"
    first = next(finding for finding in findings if finding["rule"] == ident)
    expected = (0, "note") if severity == "NOTE" else (1, "error")
    if (done.returncode, first["severity"]) != expected or (first["hint"] != instead) != (ident in OWN_HINTS) or not PLACES & set(first):
        return f"status {done.returncode}, {first}"
    return None


def main():
    tessera, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
    table = [split(row) for row in rows("src/vc4/fault/faults.def", "FAULT")]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for _, ident, severity, _, _, _, instead, *_ in table:
            text = wrong(tessera, folder, ident, severity, instead) if not only or ident in only else None
            if text:
                print(f"{ident}: {text}")
                bad += 1
    for stem in {path.stem for path in (HERE / "findings").iterdir()} - {row[1] for row in table}:
        print(f"{stem} belongs to no finding")
        bad += 1
    sys.exit(1 if bad else 0)


main()
