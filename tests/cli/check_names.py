#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_names.py - tests messages about names in sources that have a second meaning: check_names.py TESSERA. The
register addresses are those of the manual's table 14: writes to 32 to 35 set r0 to r3, and a write to 36 is
TMU_NOSWAP."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TESSERA = os.path.abspath(sys.argv.pop(1))
DONE, WRONG, USAGE = 0, 1, 2
END = "nop; thrend\nnop\nnop\n"

# Source, rule, line, column, words of the message.
DOUBTFUL = [
    ("unif: mov r0, unif\n", "name-like-register", 1, 1, "'unif'"),
    ("nop\n  r0: nop\n", "name-like-register", 2, 3, "'r0'"),
    (":ra5\n", "name-like-register", 1, 2, "'ra5'"),
    ("::vary\n", "name-like-register", 1, 3, "'vary'"),
    (".set r0, 5\nmov r1, r0\n", "name-like-register", 1, 1, "'r0'"),
    ("mov r4, 1\n", "r4-written", 1, 5, "tmurs"),
    ("ldi r4, 5\n", "r4-written", 1, 5, "tmurs"),
    ("fadd r1, r0, r2; fmul  r4, r0, r3\n", "r4-written", 1, 24, "tmurs"),
    ("fadd ra32, r1, r2\n", "register-written-by-number", 1, 6, "writes r0"),
    ("mov rb33, r2\n", "register-written-by-number", 1, 5, "writes r1"),
    ("mov.ifz ra35, r2\n", "register-written-by-number", 1, 9, "writes r3"),
    (".macro m, to\nmov \\to, r2\n.endm\nm ra36\n", "register-written-by-number", 2, None, "writes tmurs"),
]
# If an instruction reads two registers of a port, the last read takes effect, as in vc4asm. If the second read follows
# the operation, the line is an error.
DOUBTFUL += [(source + "\n", "read-dropped", 1, 6, words) for source, words in [
    ("read vw_wait; mov vw_setup, rb2", "vw_wait and rb2 both need the port of file B"),
    ("read rb5; add ra4, ra3, rb2", "rb5 and rb2 both need the port of file B"),
    ("read ra1; read ra2", "ra1 and ra2 both need the port of file A"),
    ("read unif; mov r0, ra2", "unif and ra2 both need the port of file A"),
    ("read vr_wait; ldi r0, 77", "the read of vr_wait is dropped: an instruction that loads"),
    ("read vr_wait; mov r0, 0x12345", "an instruction that loads a constant reads no register"),
    ("read vw_wait; sacq 3", "an instruction that loads a constant reads no register"),
    ("read 5; mov r0, 0", "the read of the constant is dropped"),
]]
FINE = "main: mov r0, ra3; read unif\nread vr_wait; mov r0, rb2\nread ra1; read rb1\nread vr_wait; mov r0, 5\nread unif; mov r0, unif\nmov r5rep, 1\nmov tmurs, 1\nnop\nmov ra31, r0\nmov r0, ra39\nuniforms: nop\nr64: nop\nra64: nop\n.set r6, 1\nmov r1, r4\n"


# Numbers of registers as public programs use them (jetpac's helpers.asm, elorimer's helloworld.asm): 38 is the host
# interrupt, 39 writes nothing, 48 to 50 are the VPM, and 56 is a TMU. 37, 41, 42, 49 and 50 differ between the register
# files.
BY_NUMBER = "".join(f"mov r{file}{number}, r2\n" for file in "ab" for number in (37, 38, 39, 40, 41, 42, *range(43, 64)))


class Names(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, source, *arguments):
        with open(os.path.join(self.folder, "p.qasm"), "w", encoding="utf-8") as file:
            file.write(source)
        done = subprocess.run([TESSERA, *arguments, "p.qasm"], capture_output=True, text=True, cwd=self.folder, timeout=60,
                              check=False)
        self.assertGreaterEqual(done.returncode, 0)
        return done

    def findings(self, source, *arguments):
        found = json.loads(self.call(source, "check", "--json", *arguments).stdout)["findings"]
        rules = {"name-like-register", "register-written-by-number", "r4-written", "read-dropped"}
        return [f for f in found if f["rule"] in rules]

    def test_doubtful(self):
        for source, rule, line, column, words in DOUBTFUL:
            finding, = self.findings(source + END)
            self.assertEqual((finding["rule"], finding["level"], finding["line"]), (rule, "warning", line), source)
            if column:
                self.assertEqual(finding["column"], column, source)
            self.assertIn(words, finding["text"], source)
            self.assertTrue(finding["instead"], source)
            done = self.call(source + END, "asm", "-f", "hex")
            self.assertEqual(done.returncode, DONE)
            self.assertIn("[%s]" % rule, done.stderr, source)
            self.assertIn("hint: ", done.stderr)

    def test_levels(self):
        for source, rule, *_ in DOUBTFUL:
            self.assertEqual(self.findings(source + END, "-W", rule + "=off"), [], source)
            self.assertEqual(self.findings(source + END, "-W", rule + "=error")[0]["level"], "error", source)
            self.assertNotIn("[%s]" % rule, self.call(source + END, "asm", "--no-check", "-f", "hex").stderr)
        self.assertEqual(self.call("mov r4, 1\n" + END, "check", "-W", "all=off").returncode, DONE)

    def test_allowed(self):
        for source, rule, line, *_ in DOUBTFUL:
            lines = source.splitlines()
            lines[line - 1] += "   # tessera: allow " + rule
            allowed = "\n".join(lines) + "\n" + END
            self.assertEqual(self.findings(allowed), [], source)
            self.assertNotIn("unused-suppression", self.call(allowed, "check").stdout)
            self.assertNotIn("[%s]" % rule, self.call(allowed, "asm", "-f", "hex").stderr)

    def test_at_the_call(self):
        source = ".macro m, to\nmov \\to, r2\n.endm\nm ra36  # tessera: allow register-written-by-number\n"
        self.assertEqual(self.findings(source + END), [])

    def test_fine(self):
        self.assertEqual(self.findings(FINE + END), [])
        self.assertEqual(self.findings(BY_NUMBER + END), [])

    def test_explained(self):
        for rule in ("name-like-register", "register-written-by-number", "r4-written", "read-dropped"):
            self.assertIn("Instead:", self.call("", "check", "--explain", rule).stdout)

    def test_following_the_hint(self):
        self.assertEqual(self.findings("loop: mov r0, unif\nmov r1, 1\nfadd r0, r1, r2\nmov vpm, r2\nread vw_wait\nmov vw_setup, rb2\n" + END), [])


if __name__ == "__main__":
    unittest.main()
