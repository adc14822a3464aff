#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gp_remedies.py TESSERA [ID...] - follows the hint of each row of src/utgard/faults.def literally: in
tests/programs/gp_findings/ID.gp, which raises the finding, the texts below are replaced as the hint says; then neither the checker
nor a run has anything to say. The rules of the checker have such pairs in tests/isa/gp_check.c, tests/a2xx/findings.c those of the A2xx."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts"))
from tables import rows, split  # noqa: E402

OUT = "acc0.mov mul0[-2]; store0.varying out, acc0, _"
LOG = "complex.log2 unif.x; mul0.complex2 unif.x, unif.x; mul1.mov unif.x\n    mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]\n    nop\n"

# id: pairs of text and what takes its place.
REMEDIES = {
    "gp-runaway": [("branch wait", "branch done\ndone:\n    nop")],
    "gp-branch-outside": [("; branch 0; field.branch_target 7", "; branch done\ndone:\n    nop")],
    "gp-before-start": [(".varying out, 0, 1\n", ".varying out, 0, 1\n.constant one, 1\n\n    load.unif one; acc0.mov unif.x")],
    "gp-idle-result": [("load.unif one; acc0.mov unif.x", "load.unif one; acc1.mov unif.x")],
    "gp-across-branch": [("one; acc0.mov unif.x\n", "one; acc0.mov unif.x; store0.reg 0, acc0, _\n    nop\n    nop\n"),
                         ("    acc0.mov acc0[-2]", "    load.reg0 0; acc0.mov reg0.x")],
    "gp-complex1-early": [("    acc0.mov mul0[-1]", "    nop\n    acc0.mov mul0[-2]")],
    "gp-unknown-source": [("src(9)", "unif.x")],
    "gp-operand-unused": [("unused", "unif.x")],
    "gp-unknown-operation": [("; field.acc_op 3", "")],
    "gp-identity": [("acc0.add unif.x, ident", "acc0.add complex[-1], unif.x")],
    "gp-load-offset": [("; field.load_offset 4", "; field.load_offset 7")],
    "gp-flags": [("field.unknown_1 13", "field.unknown_1 0")],
    "gp-partial-result": [("complex.rcp unif.x\n", "complex.rcp unif.x; mul0.complex2 unif.x, unif.x; mul1.mov unif.x\n"
                           "    mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]\n    nop\n"), ("complex[-1]; store", "mul0[-2]; store")],
    "gp-complex1-table": [("acc0.mov unif.x; mul1.mov unif.x; mul0.mov unif.x", "complex.rcp unif.x; mul1.mov unif.x; mul0.complex2 unif.x, unif.x"),
                          ("acc0[-1]", "complex[-1]")],
    "gp-complex1-operands": [("mul1.mov unif.y", "mul1.mov unif.x")],
    "gp-complex2-operands": [("mul0.complex2 unif.x, unif.y; acc0.mov unif.x; store0.varying out, acc0, _",
                              "complex.rcp unif.x; mul0.complex2 unif.x, unif.x; mul1.mov unif.x\n"
                              "    mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]\n    nop\n    " + OUT)],
    "gp-exp2-operand": [("load.unif one; complex.exp2 unif.x; mul0.complex2 unif.x, unif.x; mul1.mov unif.x",
                         "load.unif one; pass.preexp2 unif.x\n    complex.exp2 pass[-1]; mul0.complex2 pass[-1], pass[-1]; mul1.mov pass[-1]")],
    "gp-log2-moved": [(OUT, "pass.postlog2 mul0[-2]; store0.varying out, pass, _")],
    "gp-postlog2-operand": [("pass.postlog2 unif.x", LOG + "    pass.postlog2 mul0[-2]")],
    "gp-clamp-bounds": [("bounds, 1, 0", "bounds, 0, 1")],
    "gp-register-early": [("store0.reg 0, acc0, _\n    nop\n    load", "store0.reg 0, acc0, _\n    nop\n    nop\n    load")],
    "gp-temporary-early": [("    nop\n    nop\n    load.temp", "    nop\n    nop\n    nop\n    load.temp")],
    "gp-address-early": [("    nop\n    nop\n    load.unif numbers, addr1", "    nop\n    nop\n    nop\n    load.unif numbers, addr1")],
    "gp-register-unset": [(".varying out, 0, 1\n", ".varying out, 0, 1\n.constant one, 1\n\n    load.unif one; acc0.mov unif.x; store0.reg 3, _, acc0\n    nop\n    nop")],
    "gp-address-unset": [("one, 1\n", "one, 1, 0\n\n    load.unif one; complex.addr2 unif.y\n    nop\n    nop\n    nop")],
    "gp-temporary-address": [(".varying out, 0, 1\n", ".varying out, 0, 1\n.temporary heap, 1, 1\n"),
                             ("acc0.mov unif.x; store0.temp acc0, _", "acc0.mov unif.x; complex.addr0 unif.x; store0.temp acc0, _")],
    "gp-temporary-fields": [("; field.store0_addr 5", ""), (".constant", ".temporary heap, 1, 5\n.constant")],
    "gp-address-fraction": [("numbers, 1.5", "numbers, 1.5, 0"),
                            ("    load.unif numbers; acc0.mov unif.x; complex.addr1 unif.x; store0.varying out, acc0, _",
                             "    load.unif numbers; acc0.floor unif.x\n    complex.addr1 acc0[-1]\n    nop\n    nop\n    nop\n"
                             "    load.unif numbers, addr1; acc0.mov unif.x; store0.varying out, acc0, _")],
    "gp-row-wrap": [("numbers, 512", "numbers, 0")],
    "gp-temporary-row": [("complex.addr0 unif.x", "complex.addr0 unif.y")],
    "gp-row-unset": [(".varying out, 0, 1\n", ".varying out, 0, 1\n.constant one, 1\n"), ("load.unif 100", "load.unif one")],
    "gp-store-source": [(".varying out, 0, 1\n", ".varying out, 0, 1\n.constant one, 1\n"), ("    store0.varying out, src(5)", "    load.unif one; acc0.mov unif.x; store0.varying out, acc0")],
    "gp-store-idle": [("mul0.mov", "mul1.mov")],
    "gp-store-complex1": [("; store0.varying out, mul0, _", "\n    nop\n    " + OUT)],
    "gp-varying-number": [(".constant zero, 0", ".constant zero, 1")],
    "gp-position-unwritten": [("store0.varying gl_Position, acc0, _", "store0.varying gl_Position, acc0, acc0; store1.varying gl_Position, acc0, acc0")],
    "gp-position-zero": [("numbers, 1, 0", "numbers, 1, 1")],
    "gp-varying-unwritten": [("store0.varying out, acc0, _", "store0.varying out, acc0, acc0")],
    "gp-attribute-missing": [("    load.attr 0; acc0.mov attr.x", "    load.unif one; acc0.mov unif.x"), (".varying out, 0, 1", ".varying out, 0, 1\n.constant one, 1")],
    "gp-branch-condition": [("pass.clamp unif.x", "pass.mov unif.x")],
}

# Why there is no pair.
WITHOUT = {
    "gp-varying-beyond": "the command's own buffers are long enough: the program stays as it is",
    "gp-attribute-beyond": "the command's own buffers are long enough: the program stays as it is",
}


def call(tessera, folder, *arguments):
    return subprocess.run([tessera, *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def wrong(tessera, folder, ident):
    text = (HERE / "gp_findings" / f"{ident}.gp").read_text()
    for old, new in REMEDIES[ident]:
        if old not in text:
            return f"the program does not have {old!r}"
        text = text.replace(old, new)
    pathlib.Path(folder, "fixed.gp").write_text(text)
    done = call(tessera, folder, "check", "--fail-on", "warning", "fixed.gp")
    if done.returncode:
        return done.stdout + done.stderr
    done = call(tessera, folder, "run", "--strict", "--json", "--vertices", "8", "--max-instructions", "1000", "-o", "out.csv", "fixed.gp")
    return done.stderr if done.returncode or '"rule"' in done.stderr else None


def main():
    tessera, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
    idents = [split(row)[1] for row in rows("src/utgard/faults.def", "FAULT")]
    bad = [f"{ident} has no remedy" for ident in idents if (ident in REMEDIES) == (ident in WITHOUT)]
    bad += [f"{ident} is not a finding" for ident in {*REMEDIES, *WITHOUT} - {*idents}]
    with tempfile.TemporaryDirectory() as folder:
        for ident in REMEDIES:
            text = wrong(tessera, folder, ident) if not only or ident in only else None
            if text:
                bad.append(f"{ident}: {text}")
    print(*bad, sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
