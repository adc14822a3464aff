#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""failures.py - tests that files that could not be read, assembled or written are errors, with all levels and
baselines, as docs/ci.md promises: failures.py TESSERA."""
import json
import os
import subprocess
import unittest

import rig
from rig import DONE, TESSERA, USAGE, WRONG
from output import NUMBER, PASS, QASM, ROW, TABLE, Case, text_of

KNOWN = "# Findings that are known\n"
# The second instruction reads a register that the first has just written, which is a finding of "check" and of "run".
HAZARD = "# tessera: kind user\n.org 0x1000\ns: mov ra0, 1\nmov r0, ra0\n" + QASM + ".scene qpu s 0 1\n"


class Failures(Case):
    files = {"bad.qasm": ".org 0x1000\ns: mov r0, nosuch\n.scene qpu s 0 1\n", "include.qasm": '.include "nosuch.inc"\n',
             "bad.gp": "frob\n", "bad.a2xx": "FROB\n", "shader.gp": PASS, "number.a2xx": NUMBER, "hazard.qasm": HAZARD,
             "table.csv": TABLE + ROW, "broken.csv": TABLE + b"1,2,three,4\n", "me.qasm": QASM}
    sources = ((WRONG, "bad.qasm"), (WRONG, "include.qasm"), (USAGE, "nosuch.qasm"), (WRONG, "bad.gp"),
               (USAGE, "nosuch.gp"), (WRONG, "bad.a2xx"), (USAGE, "nosuch.a2xx"))

    def runs(self):
        for status, name in self.sources:
            yield status, ("run", name)
            if name.endswith(".qasm"):
                yield status, ("decode", name)
        yield USAGE, ("run", "--attributes", "broken.csv", "shader.gp")
        yield USAGE, ("run", "--attributes", "nosuch.csv", "shader.gp")
        yield USAGE, ("run", "--vertices", "1", "--uniforms", "broken.csv", "number.a2xx")

    def test_levels(self):
        for status, (verb, *arguments) in self.runs():
            for level in ("off", "note", "warning"):
                result = self.expect(status, verb, "-W", "all=" + level, *arguments)
                self.assertIn("error: ", result.err, (verb, arguments))

    def test_levels_of_one_id(self):
        self.expect(DONE, "run", "-W", "qpu-read-after-write=off", "hazard.qasm")

    def test_baselines(self):
        """A failure is not written into a baseline. If a baseline contains a failure, it does not hide the failure."""
        for status, (verb, *arguments) in self.runs():
            self.write("known", KNOWN)
            result = self.expect(status, verb, "--write-baseline", "--baseline", "known", *arguments)
            self.assertEqual(self.read("known").decode(), KNOWN, (verb, arguments))
            self.assertNotIn("wrote known", result.err)
            self.assertIn("known is unchanged", result.err)
        self.write("known", KNOWN + "asm-undefined\tbad.qasm\ts: mov r0, nosuch\n")
        self.expect(WRONG, "run", "--baseline", "known", "bad.qasm", says="error: ")

    def test_baselines_of_checks(self):
        for status, name in ((WRONG, "bad.qasm"), (USAGE, "nosuch.qasm")):
            self.write("known", KNOWN)
            result = self.expect(status, "check", "--write-baseline", "--baseline", "known", "hazard.qasm", name)
            self.assertEqual(self.read("known").decode(), KNOWN)
            self.assertNotIn("wrote known", result.err)
        result = self.expect(DONE, "check", "--write-baseline", "--baseline", "known", "hazard.qasm")
        self.assertIn("wrote known (1 finding)\n", result.err)
        self.expect(DONE, "check", "--baseline", "known", "hazard.qasm")

    def test_learnt_once(self):
        result = self.expect(DONE, "run", "--write-baseline", "--baseline", "known", "hazard.qasm")
        self.assertIn("wrote known (1 finding)\n", result.err)
        self.expect(DONE, "run", "--baseline", "known", "hazard.qasm", says="1 known finding")

    def test_sarif(self):
        for status, name in self.sources:
            result = self.expect(status, "run", "--format", "sarif", name)
            invocation = json.loads(result.err)["runs"][0]["invocations"][0]
            self.assertFalse(invocation["executionSuccessful"], name)
            self.assertEqual(invocation["exitCode"], status)

    def test_unwritten(self):
        """No message may report an output as written if it was not written."""
        for arguments in (("check", "-o", "nowhere/x"), ("run", "-o", "nowhere/x.png")):
            self.write("s.qasm", text_of("fuzz/frame.qasm"))
            result = self.expect(USAGE, arguments[0], "--write-baseline", "--baseline", "b", *arguments[1:], "s.qasm")
            self.assertNotIn("wrote", result.err)
            self.assertNotIn("b", self.names())


class Limits(Case):
    """The program has more paths than the checker follows (tests/check/frame/check.c, test_limit)."""
    calls = "".join(f"brr ra1, r:sub{i % 300}\nnop\nnop\nnop\n" for i in range(600))
    files = {"tangled.qasm": calls + QASM + "".join(f":sub{i}\nbra -, ra1\nnop\nnop\nnop\n" for i in range(300))}

    def test_complete(self):
        for levels in ((), ("-W", "all=off"), ("-W", "all=note"), ("-W", "check-limit=off"), ("-W", "check-limit=note")):
            result = self.call("check", "--json", *levels, "tangled.qasm")
            answer = json.loads(result.out)
            self.assertFalse(answer["complete"], levels)
            self.assertIn("check-limit", [finding["rule"] for finding in answer["findings"]])
            if "check-limit=note" not in levels:
                self.assertEqual(result.status, DONE if "check-limit=off" in levels else WRONG, levels)

    def test_known(self):
        self.call("check", "--write-baseline", "--baseline", "b", "tangled.qasm")
        answer = json.loads(self.call("check", "--json", "--baseline", "b", "tangled.qasm").out)
        self.assertFalse(answer["complete"])


class Folders(Case):
    @unittest.skipUnless(os.geteuid() == 0, "needs another user, who cannot read a file")
    def test_unreadable(self):
        for name in "secret.qasm", "secret.elf", "secret.mbs":
            self.check(name)

    def check(self, name):
        """If a folder contains an unreadable file, the folder was not checked completely."""
        self.write("good.qasm", QASM)
        os.chmod(self.write(name, QASM), 0)
        os.chmod(self.folder, 0o755)
        done = subprocess.run(["setpriv", "--reuid=65534", "--clear-groups", TESSERA, "check", "--json", self.folder],
                              capture_output=True, timeout=rig.SECONDS, check=False, cwd="/")
        if b"setpriv" in done.stderr or b"cannot execute" in done.stderr:
            self.skipTest("the program is in a folder that others cannot enter")
        self.assertEqual(done.returncode, USAGE, done.stderr)
        self.assertFalse(json.loads(done.stdout)["complete"], name)
        os.remove(os.path.join(self.folder, name))


if __name__ == "__main__":
    unittest.main()
