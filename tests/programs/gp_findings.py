#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gp_findings.py TESSERA [ID...] - runs the program of each row of src/mali/gp/faults.def for one vertex. Expects
exactly this finding, with place, severity and remedy as in the table, and with --strict exit status 1, except for
notes; with one thread and with several."""
import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts"))
from tables import rows, split  # noqa: E402

SECONDS = 60
OPTIONS = ["--json", "--strict", "--max-instructions", "1000"]
BUFFERS = {"gp-attribute-beyond", "gp-varying-beyond"}  # tested by tests/mali/gp/findings.c
OWN_HINT = {"gp-runaway"}  # ids of findings whose messages have a hint that differs from the table's
NO_LINE = {"gp-position-unwritten", "gp-varying-unwritten"}  # ids of findings that have no instruction


def run(tessera, ident, vertices):
    program = HERE / "gp_findings" / f"{ident}.gp"
    return subprocess.run([tessera, "run", "-m", "gp", *OPTIONS, "--vertices", str(vertices), str(program)],
                          capture_output=True, text=True, timeout=SECONDS, check=False)


def wrong(tessera, ident, severity, instead, vertices):
    done = run(tessera, ident, vertices)
    findings = [json.loads(line) for line in done.stderr.splitlines()]
    findings = [finding for finding in findings if not finding["rule"].startswith("run-")]  # not about the data
    if [finding["rule"] for finding in findings] != [ident]:
        return f"found {[finding['rule'] for finding in findings]}"
    first = findings[0]
    placed = ident in NO_LINE or ("line" in first and "instruction " in first["text"])
    status, level = (0, "note") if severity == "NOTE" else (1, "error")
    if done.returncode != status or first["severity"] != level or (first["hint"] != instead and ident not in OWN_HINT) or not placed:
        return f"status {done.returncode}, {first}"
    if "vertex 0" not in first["text"]:
        return f"not vertex 0 first: {first['text']}"
    return None


def main():
    tessera, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
    table = [split(row) for row in rows("src/mali/gp/faults.def", "FAULT")]
    bad = 0
    for _, ident, severity, _, _, _, instead, *_ in table:
        if ident in BUFFERS or (only and ident not in only):
            continue
        for vertices in 1, 5000:
            text = wrong(tessera, ident, severity, instead, vertices)
            if text:
                print(f"{ident}, {vertices} vertices: {text}")
                bad += 1
    for stem in {path.stem for path in (HERE / "gp_findings").iterdir()} - {row[1] for row in table}:
        print(f"{stem} belongs to no finding")
        bad += 1
    sys.exit(1 if bad else 0)


main()
