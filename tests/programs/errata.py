#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""errata.py TESSERA [ID...] - checks and runs the test program of each row of src/isa/errata.def. Expects exactly the
row's rules of the checker and findings of the model. Rules that are off by default are enabled for their own row."""
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


class Runner:
    def __init__(self, tessera, folder):
        self.tessera, self.folder = tessera, folder
        rules = json.loads(self.call("check", "--list-rules", "--json").stdout)["rules"]
        self.off = {rule["id"] for rule in rules if rule["level"] == "off"}

    def call(self, *arguments):
        return subprocess.run([self.tessera, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=SECONDS, check=False)

    def rules(self, program, own):
        on = [word for rule in own & self.off for word in ("-W", f"{rule}=note")]
        done = self.call("check", "--json", *on, str(program))
        return {finding["rule"] for finding in json.loads(done.stdout)["findings"]}

    def findings(self, program):
        if self.call("asm", "--no-check", "-o", "scene.elf", str(program)).returncode:
            return {"no scene"}
        done = self.call("run", "--json", "scene.elf")
        # These frames are small, so some draws have no visible result. Notes about these draws are ignored.
        found = {json.loads(line)["rule"] for line in done.stderr.splitlines()}
        return {rule for rule in found if not rule.startswith("draw-")}

    def wrong(self, ident, findings, rules):
        program = HERE / "errata" / f"{ident.lower()}.qasm"
        if not program.exists():
            return [f"there is no {program.name}"]
        seen = {"rules": (self.rules(program, rules), rules), "findings": (self.findings(program), findings)}
        return [f"{what} are {sorted(got)}, not {sorted(wanted)}" for what, (got, wanted) in seen.items() if got != wanted]


def main():
    tessera, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
    bad, programs = 0, set()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(tessera, folder)
        for row in rows("src/isa/errata.def", "ERRATUM"):
            ident, _, _, _, _, findings, rules, _ = split(row)
            programs.add(f"{ident.lower()}.qasm")
            for line in runner.wrong(ident, set(findings.split()), set(rules.split())) if not only or ident in only else []:
                print(f"{ident}: {line}")
                bad += 1
    for path in (HERE / "errata").iterdir():
        if path.name not in programs:
            print(f"{path.name} belongs to no row")
            bad += 1
    sys.exit(1 if bad else 0)


main()
