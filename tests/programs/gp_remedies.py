#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gp_remedies.py TESSERA [ID...] - follows the hint of each row of src/mali/gp/faults.def.
tests/programs/gp_findings/ID.gp raises the finding. In that program the wrong side of "tessera run --explain ID"
(src/front/examples/findings_gp.def) is replaced by the right side. Then neither the checker nor a run reports
anything."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts"))
from explained import corrected, explanation  # noqa: E402
from tables import rows, split  # noqa: E402

# The command's own buffers are long enough: tests/mali/gp/findings.c tests these findings.
WITHOUT = {"gp-varying-beyond", "gp-attribute-beyond"}


def call(tessera, folder, *arguments):
    return subprocess.run([tessera, *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def wrong(tessera, folder, ident):
    text = corrected((HERE / "gp_findings" / f"{ident}.gp").read_text(), explanation(tessera, "run", ident))
    if text is None:
        return "the program does not have the wrong lines once"
    pathlib.Path(folder, "fixed.gp").write_text(text)
    done = call(tessera, folder, "check", "--fail-on", "warning", "fixed.gp")
    if done.returncode:
        return done.stdout + done.stderr
    done = call(tessera, folder, "run", "--strict", "--json", "--vertices", "8", "--max-instructions", "1000", "-o", "out.csv", "fixed.gp")
    return done.stderr if done.returncode or '"rule"' in done.stderr else None


def main():
    tessera, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
    idents = [split(row)[1] for row in rows("src/mali/gp/faults.def", "FAULT")]
    bad = [f"{ident} is not a finding" for ident in WITHOUT - {*idents}]
    with tempfile.TemporaryDirectory() as folder:
        for ident in sorted({*idents} - WITHOUT):
            text = wrong(tessera, folder, ident) if not only or ident in only else None
            if text:
                bad.append(f"{ident}: {text}")
    print(*bad, sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
