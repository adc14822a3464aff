#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""remedies.py TESSERA [ID...] - follows the hint of each row of src/vc4/fault/faults.def. tests/programs/findings/ID.qasm
raises the finding. In that program the wrong side of "tessera run --explain ID"
(src/front/examples/findings_vc4.def) is replaced by the right side. Then neither the checker nor a run reports
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

# Programs for which the checker always reports a rule, even after the remedy.
RUN_ONLY = {"tmu-half-queue": "a user program with two threads, which only fragment shaders have"}


def call(tessera, folder, *arguments):
    return subprocess.run([tessera, *arguments], cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def apply(tessera, ident):
    text = corrected((HERE / "findings" / f"{ident}.qasm").read_text(), explanation(tessera, "run", ident))
    return text and text.replace('"../frame.inc"', f'"{HERE}/frame.inc"')


def wrong(tessera, folder, ident):
    text = apply(tessera, ident)
    if text is None:
        return "the program does not have the wrong lines once"
    pathlib.Path(folder, "fixed.qasm").write_text(text)
    done = call(tessera, folder, "check", "fixed.qasm")
    if done.returncode and ident not in RUN_ONLY:
        return done.stdout + done.stderr
    done = call(tessera, folder, "asm", "--no-check", "-o", "fixed.elf", "fixed.qasm")
    if done.returncode:
        return done.stderr
    done = call(tessera, folder, "run", "--strict", "--json", "--max-instructions", "100000", "fixed.elf")
    # These frames are small, so some draws have no visible result. Notes about these draws are ignored unless the
    # remedy is for such a note.
    left = [line for line in done.stderr.splitlines() if '"rule"' in line and (ident.startswith("draw-") or '"rule": "draw-' not in line)]
    return done.stderr if done.returncode or left else None


def main():
    tessera, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
    idents = [split(row)[1] for row in rows("src/vc4/fault/faults.def", "FAULT")]
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        for ident in idents:
            text = wrong(tessera, folder, ident) if not only or ident in only else None
            if text:
                bad.append(f"{ident}: {text}")
    print(*bad, sep="\n")
    sys.exit(1 if bad else 0)


main()
