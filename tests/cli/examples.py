#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples.py - tests that each id of "tessera help --ids" has a wrong and a right program, and that the programs of
rules and findings do what the help says: examples.py TESSERA.

Rules: "tessera check" must report the rule in the wrong program. In the right program it must report neither the rule
nor another rule above a note.
Findings: the wrong program must be an excerpt of the program that raises the finding (tests/programs/findings.py,
gp_findings.py, tests/a2xx/shader/findings.c), and each excerpt must have a correction. tests/programs/remedies.py,
gp_remedies.py and tests/a2xx/shader/remedies.c run the corrected programs, and tests/board/pi/examples.c runs the examples of the
board. tests/cli/diagnostics.py tests the examples of other messages."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
TESSERA = os.path.abspath(sys.argv.pop(1))
PROGRAMS = pathlib.Path(__file__).resolve().parents[1] / "programs"
sys.path.insert(0, str(PROGRAMS))
from explained import corrected, explanation  # noqa: E402

ENDINGS = {"qpu": "qasm", "scene": "qasm", "excerpt": "qasm", "gp": "gp", "a2xx": "a2xx"}
FOLDERS = {"findings": "qasm", "gp_findings": "gp", "a2xx_findings": "a2xx"}
XENOS = {"a2xx-fetch-mini"}  # a rule about programs of the Xenos
# Examples in C. tests/mali/gp/findings.c, tests/a2xx/shader/findings.c and tests/cli/pi_memory.py raise
# them.
TEXTS = {"gp-attribute-beyond", "gp-varying-beyond", "a2xx-fetch-pitch", "pi-stale-cache", "pi-missing-barrier",
         "pi-uninitialised-memory", "pi-no-code", "pi-unaligned", "pi-exception-loop"}


def call(*arguments):
    return subprocess.run([TESSERA, *arguments], capture_output=True, text=True, timeout=120, check=False)


def ids():
    return call("help", "--ids").stdout.split()


def rules():
    return {rule["id"] for machine in ("qpu", "gp", "a2xx")
            for rule in json.loads(call("check", "-m", machine, "--list-rules", "--json").stdout)["rules"]}


def program_of(ident):
    """Returns the program that raises a finding, or None."""
    for folder, ending in FOLDERS.items():
        path = PROGRAMS / folder / f"{ident}.{ending}"
        if path.exists():
            return path.read_text()
    return None


def anywhere(program):
    """Returns the program with an absolute path of frame.inc."""
    return program and program.replace('"../frame.inc"', f'"{PROGRAMS}/frame.inc"')


def reported(ident, machine, ending, text):
    """Returns (rule, level) of all findings of the checker about a program. `one` is a rule whose level is set to
    warning."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program." + ending)
        pathlib.Path(path).write_text(text)
        variant = ["--variant", "xenos"] if ident in XENOS else []
        done = call("check", "-m", machine, "--no-config", "--json", "-W", ident + "=warning", *variant, path)
    found = [(found["rule"], found["level"]) for found in json.loads(done.stdout)["findings"]] if done.stdout else []
    return found + [(rule, "error") for rule in re.findall(r": error: .*\[([a-z0-9-]+)\]$", done.stderr, re.MULTILINE)]


def each(check, items):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(check, items):
            pass


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ids, cls.rules = ids(), rules()
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            checked = list(pool.map(lambda ident: explanation(TESSERA, "check", ident), cls.ids))
            others = [found["id"] for found in checked if "block" not in found and "instead" in found]
            run = list(pool.map(lambda ident: explanation(TESSERA, "run", ident), others))
        cls.all = [found for found in checked + run if found and "block" not in found]  # without the errata
        cls.of_rules = {found["id"]: found for found in checked if found and "level" in found}
        cls.of_findings = {found["id"]: found for found in run if found and "hardware" in found}

    def test_each_id_has_both(self):
        for found in self.all:
            self.assertTrue(found.get("wrong") and found.get("right"), found["id"])
            self.assertNotEqual(found["wrong"], found["right"], found["id"])

    def test_text(self):
        """The text of "help" must contain everything that the JSON contains."""
        def check(ident):
            text = call("help", ident).stdout
            self.assertIn("\n  Wrong", text, ident)
            self.assertIn("\n  Right", text, ident)

        each(check, sorted({found["id"] for found in self.all})[::10])

    def test_numbers(self):
        self.assertEqual(set(self.of_rules), self.rules)
        self.assertGreater(len(self.of_rules), 270)
        self.assertGreater(len(self.of_findings), 260)

    def sides(self, ident, found):
        """Returns both programs of a rule. If they are excerpts, they are completed from the program of the finding
        with the same id."""
        if found["kind"] != "excerpt":
            return found["wrong"], found["right"]
        text = program_of(ident)
        return anywhere(text), anywhere(corrected(text, found))

    def check_rule(self, ident):
        found = self.of_rules[ident]
        wrong, right = self.sides(ident, found)
        ending = ENDINGS[found["kind"]]
        machine = "qpu" if ending == "qasm" else ending
        self.assertIn(ident, [rule for rule, _ in reported(ident, machine, ending, wrong)], ident)
        left = [rule for rule, level in reported(ident, machine, ending, right) if level != "note"]
        self.assertEqual(left, [], ident)

    def test_rules(self):
        each(self.check_rule, sorted(self.of_rules))

    def test_findings(self):
        texts = set()
        for ident, found in self.of_findings.items():
            if found["kind"] == "text":
                texts.add(ident)
            elif found["kind"] != "accesses":
                text = program_of(ident)
                self.assertIsNotNone(text, ident)
                self.assertIsNotNone(corrected(text, found), ident + ": the wrong side is not from its program")
        self.assertEqual(texts, TEXTS)


if __name__ == "__main__":
    unittest.main()
