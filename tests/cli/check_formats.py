#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_formats.py - tests the output formats of "tessera check" for other programs: check_formats.py TESSERA. The
formats are JSON, SARIF 2.1.0 (comments cite its sections), GitHub's annotations (escapes as in actions/toolkit,
command.ts), and JUnit's XML."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

TESSERA = os.path.abspath(sys.argv.pop(1))
DONE, WRONG, USAGE = 0, 1, 2

LATE = "mov ra1, unif\nmov r0, ra1\nnop; thrend\nnop\nnop\n"
FINE = "nop; thrend\nnop\nnop\n"
BROKEN = {".qasm": "mov r0, 1\nfrob r0, r1\n", ".gp": "frob 1\n", ".a2xx": "frob 1\n"}


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, content):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return name

    def check(self, status, *arguments):
        done = subprocess.run([TESSERA, "check", *arguments], capture_output=True, cwd=self.folder, timeout=60, check=False)
        self.assertEqual(done.returncode, status, (arguments, done.stderr))
        return done.stdout.decode()

    def sarif(self, status, *arguments):
        log = json.loads(self.check(status, "--sarif", *arguments))
        self.assertEqual((log["version"], len(log["runs"])), ("2.1.0", 1))
        return log["runs"][0]

    def json(self, status, *arguments):
        return json.loads(self.check(status, "--json", *arguments))


class NotChecked(Case):
    """The output must distinguish a file that was not checked from a file without findings."""

    def test_unreadable(self):
        run = self.sarif(USAGE, self.write("fine.qasm", FINE), "nosuch.qasm")
        self.assertEqual([(r["ruleId"], r["level"]) for r in run["results"]], [("check-io", "error")])
        self.assertEqual(run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "nosuch.qasm")
        invocation = run["invocations"][0]
        self.assertIs(invocation["executionSuccessful"], False)
        self.assertEqual(invocation["exitCode"], USAGE)
        notification = invocation["toolExecutionNotifications"][0]
        self.assertEqual((notification["descriptor"]["id"], notification["level"]), ("check-io", "error"))
        self.assertIn("No such file", notification["message"]["text"])
        document = self.json(USAGE, "nosuch.qasm", "fine.qasm")
        self.assertEqual([f["rule"] for f in document["findings"]], ["check-io"])
        self.assertIs(document["complete"], False)

    def test_does_not_assemble(self):
        for ending, text in BROKEN.items():
            name = self.write("broken" + ending, text)
            run = self.sarif(WRONG, name)
            self.assertEqual([r["level"] for r in run["results"]].count("error"), len(run["results"]))
            self.assertTrue(run["results"])
            place = run["results"][-1]["locations"][0]["physicalLocation"]
            self.assertEqual(place["artifactLocation"]["uri"], name)
            self.assertEqual(place["region"]["startLine"], text.count("\n"))
            self.assertIs(run["invocations"][0]["executionSuccessful"], False)
            self.assertEqual(run["invocations"][0]["exitCode"], WRONG)
            findings = self.json(WRONG, name)["findings"]
            self.assertEqual(findings[-1]["line"], text.count("\n"))
            self.assertEqual(findings[-1]["level"], "error")

    def test_bad_machine_code(self):
        elf = self.write("bad.elf", b"\x7fELF\x01\x01\x01" + bytes(20))
        run = self.sarif(self.status(elf), elf)
        self.assertEqual(run["results"][0]["level"], "error")
        self.assertIs(run["invocations"][0]["executionSuccessful"], False)

    def status(self, *arguments):
        done = subprocess.run([TESSERA, "check", *arguments], capture_output=True, cwd=self.folder, timeout=60, check=False)
        self.assertIn(done.returncode, (WRONG, USAGE))
        return done.returncode

    def test_options(self):
        """An entry that is not defined is an error of usage (3.20.22)."""
        run = self.sarif(USAGE, "-e", "nowhere", self.write("fine.qasm", FINE))
        invocation = run["invocations"][0]
        self.assertEqual(invocation["toolConfigurationNotifications"][0]["descriptor"]["id"], "check-entry")
        self.assertNotIn("toolExecutionNotifications", invocation)

    def test_checked(self):
        run = self.sarif(DONE, self.write("fine.qasm", FINE))
        self.assertEqual(run["results"], [])
        self.assertEqual(run["invocations"], [{"executionSuccessful": True, "exitCode": 0}])
        run = self.sarif(WRONG, self.write("late.qasm", LATE))
        self.assertEqual(run["invocations"], [{"executionSuccessful": True, "exitCode": 1}])
        self.assertIs(self.json(WRONG, "late.qasm")["complete"], True)

    def test_several(self):
        """An error in one file must not remove findings of another file."""
        self.write("late.qasm", LATE), self.write("broken.qasm", BROKEN[".qasm"])
        run = self.sarif(WRONG, "broken.qasm", "late.qasm")
        self.assertEqual([r["ruleId"] for r in run["results"]], ["asm-instruction", "qpu-read-after-write"])

    def test_macro(self):
        """The related locations of an error are its macro calls (SARIF 2.1.0, section 3.27.22)."""
        run = self.sarif(WRONG, self.write("m.qasm", ".macro m\nfrob r0\n.endm\nm\n"))
        self.assertEqual(len(run["results"]), 1)
        related = run["results"][0]["relatedLocations"][0]
        self.assertEqual(related["physicalLocation"]["region"]["startLine"], 4)
        self.assertIn("macro 'm'", related["message"]["text"])


class Columns(Case):
    # "\U0001d11e" has 4 bytes in UTF-8 and 2 UTF-16 code units. "\u00e4" has 2 bytes and 1 code unit.
    SOURCE = '.set a, 1 # x\n/* \U0001d11e\u00e4 */ frob r0, r1\n'

    def test_utf16(self):
        """columnKind is utf16CodeUnits (3.14.17). endColumn is the column after the region (3.30.8)."""
        run = self.sarif(WRONG, self.write("wide.qasm", self.SOURCE))
        self.assertEqual(run["columnKind"], "utf16CodeUnits")
        region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
        self.assertEqual(region, {"startLine": 2, "startColumn": 11, "endColumn": 15})

    def test_invalid(self):
        """A byte that is not valid UTF-8 counts as one character, as in programs that show the file."""
        run = self.sarif(WRONG, self.write("bad.qasm", b"/* \xff\xfe */ frob r0\n"))
        region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
        self.assertEqual((region["startColumn"], region["endColumn"]), (10, 14))

    def test_statement(self):
        """The region of a finding is the whole statement, without the comment."""
        late = self.write("late.qasm", LATE.replace("mov r0, ra1", "  mov r0, ra1   # too early"))
        region = self.sarif(WRONG, late)["results"][0]["locations"][0]["physicalLocation"]["region"]
        self.assertEqual(region, {"startLine": 2, "startColumn": 3, "endColumn": 14})
        finding = self.json(WRONG, late)["findings"][0]
        self.assertEqual((finding["column"], finding["end_column"]), (3, 14))


class Rules(Case):
    def test_sarif(self):
        run = self.sarif(DONE, "--list-rules")
        driver = run["tool"]["driver"]
        listed = json.loads(self.check(DONE, "--list-rules", "--json"))["rules"]
        self.assertEqual([r["id"] for r in driver["rules"]], [r["id"] for r in listed])
        self.assertEqual(run["results"], [])
        absolute = re.compile(r"^[a-z]+://[^ ]*$")  # URIs are absolute (3.19.17, 3.49.12)
        self.assertRegex(driver["informationUri"], absolute)
        for rule in driver["rules"]:
            self.assertRegex(rule["helpUri"], absolute)
            self.assertTrue(rule["helpUri"].endswith("#" + rule["id"]))
        one = self.sarif(DONE, "--explain", "qpu-end-rules")
        self.assertEqual([r["id"] for r in one["tool"]["driver"]["rules"]], ["qpu-end-rules"])

    def test_help_pages(self):
        """The help URI of each rule names a heading of the rule on the page."""
        docs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")
        for machine in ("qpu", "gp", "a2xx"):
            for rule in self.sarif(DONE, "-m", machine, "--list-rules")["tool"]["driver"]["rules"]:
                page, anchor = rule["helpUri"].split("/doc/tessera/docs/")[-1].split("#")
                with open(os.path.join(docs, page), encoding="utf-8") as file:
                    self.assertIn("### %s\n" % anchor, file.read())

    def test_other_formats(self):
        self.check(USAGE, "--list-rules", "--format", "github")
        self.check(USAGE, "--explain", "qpu-end-rules", "--format", "junit")
        self.check(USAGE, "--format", "xml", "x")


class GitHub(Case):
    def test_annotation(self):
        lines = self.check(WRONG, "--format", "github", self.write("late.qasm", LATE)).splitlines()
        self.assertTrue(lines[0].startswith("::error file=late.qasm,line=2,col=1,endColumn=11,title=qpu-read-after-write::"
                                            "ra1 is read 1 instruction after it was written"), lines)
        self.assertIn("%0Ahint: put another instruction", lines[0])
        self.assertEqual(len(lines), 1)
        lines = self.check(DONE, "--format", "github", "-W", "all=note", "late.qasm").splitlines()
        self.assertTrue(lines[0].startswith("::notice file="))

    def test_escapes(self):
        """Checks the escapes of %, CR and LF. In properties, : and , are also escaped."""
        name = self.write("a,b:c%\n.qasm", LATE)
        line = self.check(WRONG, "--format", "github", name)
        self.assertEqual(line.count("\n"), 1)
        self.assertTrue(line.startswith("::error file=a%2Cb%3Ac%25%0A.qasm,line=2,"), line)

    def test_unreadable(self):
        line = self.check(USAGE, "--format", "github", "nosuch.qasm")
        self.assertTrue(line.startswith("::error file=nosuch.qasm,title=check-io::cannot be read"), line)


class Runs(Case):
    """Checks the SARIF log of "tessera run"."""

    def run_sarif(self, status, *arguments):
        done = subprocess.run([TESSERA, "run", "--format", "sarif", *arguments], capture_output=True, cwd=self.folder, timeout=60,
                              check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stderr)["runs"][0]

    def test_places(self):
        """The region of a run's finding is the whole statement. Columns are UTF-16 code units, as in "check"
        (3.14.17, 3.30.8)."""
        run = self.run_sarif(WRONG, self.write("late.qasm", ".org 0x1000\ns: mov ra1, unif\n"
                                               "/* \U0001d11e\u00e4 */  mov r0, ra1   # too early\nnop; thrend\nnop\nnop\n"
                                               "u: .word 42\n.scene qpu s u 1\n"))
        self.assertEqual(run["columnKind"], "utf16CodeUnits")
        result = [result for result in run["results"] if result["ruleId"] == "qpu-read-after-write"][0]
        region = result["locations"][0]["physicalLocation"]["region"]
        self.assertEqual(region, {"startLine": 3, "startColumn": 12, "endColumn": 23})
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        self.assertEqual(rule["id"], "qpu-read-after-write")
        self.assertTrue(rule["helpUri"].endswith("/findings/qpu-read-after-write.md"))
        self.assertEqual(rule["defaultConfiguration"]["level"], "error")

    def test_rules_of_each_machine(self):
        """The listed ids must be unique, and belong to the machine of the run."""
        for name, text, some, other in (("s.gp", "frob\n", "gp-hang", "qpu-hang"), ("s.a2xx", "frob\n", "a2xx-budget", "qpu-hang"),
                                        ("s.qasm", "frob\n", "qpu-hang", "a2xx-budget")):
            ids = [rule["id"] for rule in self.run_sarif(WRONG, self.write(name, text))["tool"]["driver"]["rules"]]
            self.assertEqual(len(ids), len(set(ids)))
            self.assertGreater(len(ids), 20)
            self.assertNotIn(other, ids)


class JUnit(Case):
    def junit(self, status, *arguments):
        return ElementTree.fromstring(self.check(status, "--format", "junit", *arguments))

    def test_suites(self):
        self.write("late.qasm", LATE), self.write("fine.qasm", FINE), self.write("broken.qasm", BROKEN[".qasm"])
        root = self.junit(USAGE, "late.qasm", "fine.qasm", "broken.qasm", "nosuch.qasm")
        counts = [(s.get("name"), s.get("tests"), s.get("failures"), s.get("errors")) for s in root.findall("testsuite")]
        self.assertEqual(counts, [("late.qasm", "1", "1", "0"), ("fine.qasm", "1", "0", "0"), ("broken.qasm", "1", "0", "1"),
                                  ("nosuch.qasm", "1", "0", "1")])
        failure = root.find("testsuite/testcase/failure")
        self.assertIn("late.qasm:2:1: error: ra1 is read", failure.text)
        self.assertIn("hint: put another instruction", failure.text)

    def test_strange_bytes(self):
        """XML 1.0 excludes most control characters, and bytes that are not valid UTF-8. The output must not contain
        them."""
        name = self.write(b"x\x01\xff<&\"'>.qasm".decode("utf-8", "surrogateescape"), b'.error "a\xffb"\n')
        root = self.junit(WRONG, name)
        self.assertEqual(root.find("testsuite").get("name"), "x\ufffd\ufffd<&\"'>.qasm")
        self.assertTrue(root.find("testsuite/testcase/error").get("message"))

    def test_notes_pass(self):
        root = self.junit(DONE, "-W", "all=note", self.write("late.qasm", LATE))
        self.assertEqual(root.find("testsuite").get("failures"), "0")
        self.assertIn("note: ra1", root.find("testsuite/testcase/system-out").text)


if __name__ == "__main__":
    unittest.main()
