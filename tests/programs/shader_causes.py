#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""shader_causes.py TESSERA - tests programs of the GP and the A2xx with one mistake and its consequence. The checker
must report the cause first, even if the consequence is earlier in the text. The expected findings are names of rules
and lines, in the order of the report."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

GP = ".varying out, 0, 1\n.constant one, 1\n"
RCP = ("load.unif one; complex.rcp unif.x; mul0.complex2 unif.x, unif.x; mul1.mov unif.x\n"
       "mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]\n")
NOTHING = "ALU: MAXv R0.____ = R0, R0\n"

# Name, program, expected findings.
CASES = (
    ("early.gp", GP + RCP + "acc0.mov mul0[-1]; store0.varying out, acc0, _\n", [("gp-complex1-early", 5), ("gp-complex1-unread", 4)]),
    ("moved.gp", GP + RCP + "nop\nnop\nacc0.mov mul0[-2]; store0.varying out, acc0, _\n", [("gp-idle-result", 7), ("gp-complex1-unread", 4)]),
    ("number.a2xx", "ALLOC PARAM/PIXEL SIZE(1)\nEXEC\nALU: MAXv export0 = R0, R0\nEXEC_END\nALU: MAXv export20 = R0, R0\n",
     [("a2xx-export-number", 5), ("a2xx-export-unused", 1)]),
    ("address.a2xx", ".layout memory\nEXEC ADDR(1) CNT(1)\nNOP\nALLOC PARAM/PIXEL SIZE(0)\nEXEC_END ADDR(3) CNT(1)\n" + NOTHING +
     "ALU: MAXv export0 = R0, R0\n", [("a2xx-clause-overlap", 2), ("a2xx-slot-unused", 6)]),
)


def wrong(tessera, folder, name, text, wanted):
    pathlib.Path(folder, name).write_text(text)
    done = subprocess.run([tessera, "check", "--json", name], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    findings = [(finding["rule"], finding["line"]) for finding in json.loads(done.stdout)["findings"]]
    return None if findings == wanted else f"{name}: {findings}, not {wanted}"


def main():
    tessera = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        bad = [text for text in (wrong(tessera, folder, *case) for case in CASES) if text]
    print(*bad, sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
