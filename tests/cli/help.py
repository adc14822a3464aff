#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""help.py - tests help, the version, and suggestions for mistyped words: help.py TESSERA."""
import re
import unittest

import rig
from rig import DONE, USAGE

VERBS = ("asm", "dis", "check", "run", "decode", "qpu", "gl", "pi", "help")


class Help(rig.Case):
    def test_list(self):
        listed = self.call("help")
        self.assertEqual(listed.status, DONE)
        self.assertEqual(listed.out, self.call("--help").out)
        self.assertLessEqual(set(VERBS), set(re.findall(r"^  (\w+) ", listed.out, re.MULTILINE)))

    def test_each_verb(self):
        for verb in re.findall(r"^  (\w+) ", self.call("help").out, re.MULTILINE):
            self.assertEqual(self.call("help", verb).out, self.call(verb, "--help").out)
            self.assertIn(f"Usage: tessera {verb} ", self.call("help", verb).out)

    def test_machines_of_run(self):
        self.assertIn("Usage: tessera run -m gp", self.call("help", "run", "-m", "gp").out)
        self.assertIn("Usage: tessera run -m a2xx", self.call("help", "run", "-m", "a2xx").out)

    def test_rules_and_findings(self):
        self.assertEqual(self.call("help", "tmu-empty").out, self.call("check", "--explain", "tmu-empty").out)
        self.assertIn("gp-register-early", self.call("help", "gp-register-early").out)

    def test_pages_of_findings(self):
        """The page that an explanation names must exist and describe the finding."""
        for name in ("ptb-out-of-memory", "gp-runaway", "a2xx-runaway", "pi-mailbox-buffer"):
            page = re.search(r"(?m)^  Page: (\S+)\.$", self.call("help", name).out)[1]
            self.assertIn(f"# {name}\n", self.call("help", page).out)

    def test_version(self):
        self.assertRegex(self.call("-V").out, r"^tessera \d+\.\d+\.\d+\n$")
        self.assertEqual(self.call("-V").out, self.call("--version").out)

    def test_nothing_known(self):
        self.assertEqual(self.call("help", "frobnicate").status, USAGE)


class Suggestions(rig.Case):
    def says(self, text, *arguments):
        result = self.call(*arguments)
        self.assertEqual(result.status, USAGE, arguments)
        self.assertIn(text, result.err, arguments)

    def says_nothing(self, *arguments):
        result = self.call(*arguments)
        self.assertEqual(result.status, USAGE, arguments)
        self.assertNotIn("id you mean", result.err, arguments)

    def test_verbs(self):
        for wrong, right in {"chek": "check", "rnu": "run", "ams": "asm", "dsi": "dis", "decod": "decode", "CHECK": "check",
                             "qpuu": "qpu", "halp": "help"}.items():
            self.says(f"unknown verb '{wrong}'; did you mean '{right}'?", wrong)
            self.says(f"did you mean '{right}'?", "help", wrong)
        self.says_nothing("frobnicate")

    def test_files_in_place_of_a_verb(self):
        self.write("x.qasm", "nop\n")
        self.says("did you mean 'tessera run x.qasm'?", "x.qasm")
        self.says("did you mean 'tessera check .'?", ".")

    def test_options_in_front(self):
        self.says("options follow the verb, as in 'tessera VERB --json'", "--json", "check", "x")
        self.says("did you mean '--version'?", "--verison")

    def test_options(self):
        for verb, wrong, right in (
                ("check", "--sarf", "sarif"), ("check", "--warning-as-errors", "warnings-as-errors"), ("run", "--sanitise", "sanitize"),
                ("run", "--shreds=2", "threads"), ("asm", "--ouput", "output"), ("dis", "--explian", "explain"),
                ("decode", "--jsn", "json"), ("qpu", "--bord", "board"), ("gl", "--cuont", "count"), ("check", "-json", "json")):
            self.says(f"id you mean '--{right}'?", verb, wrong, "x")
            self.says(f"Try 'tessera {verb} --help'", verb, wrong, "x")
            if verb not in ("qpu", "gl"):
                self.says(f"id you mean '--{right}'?", verb, "x", wrong)
        for machine in "gp", "a2xx":
            self.says("id you mean '--attributes'?", "run", "-m", machine, "--atributes=x", "y")

    def test_options_without_value_or_likeness(self):
        self.says_nothing("check", "x", "--output")
        self.says_nothing("check", "x", "--frobnicate")
        self.says_nothing("run", "-q")
        self.says_nothing("check", "--json=x", "y")

    def test_rules_and_findings(self):
        self.says("did you mean 'vpm-setup'?", "run", "--explain", "vpm-setpu")
        self.says("did you mean 'tmu-empty'?", "check", "--explain", "tmu-emtpy")
        self.says("did you mean 'qpu-reserved'?", "check", "-W", "qpu-reserevd=off", "x")
        self.says("did you mean 'gp-runaway'?", "run", "-m", "gp", "--explain", "gp-runway")
        self.says("did you mean 'tmu-empty'?", "help", "tmu-empt")
        self.says("see tessera check --list-rules", "check", "--explain", "frobnicate")


if __name__ == "__main__":
    unittest.main()
