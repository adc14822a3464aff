#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_a2xx.py - tests "tessera check -m a2xx" on the command line: check_a2xx.py TESSERA. Words are those of
docs/hardware/a2xx.md, section 19. The programs of examples/a2xx must have no findings."""
import glob
import json
import os
import struct
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from tables import rows, split  # noqa: E402

TESSERA = os.path.abspath(sys.argv.pop(1))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DONE, WRONG, USAGE = 0, 1, 2
# EXEC 3,1; ALLOC POSITION; EXEC 4,1; ALLOC PARAM/PIXEL; EXEC_END 5,0; NOP; a fetch; an export of the position
LISTING = [0x00031003, 0x00001000, 0xc2000000, 0x00001004, 0x00001000, 0xc4000000, 0x00000005, 0x00002000, 0x00000000,
           0x08a81000, 0x00392a88, 0x0000000c, 0x140f803e, 0x00000000, 0xe2010100]
BAD = """\
EXEC
      FETCH:  VERTEX  R1.xyz1 = R0.x FMT_32_32_32_FLOAT SIGNED STRIDE(12) CONST(20, 0)
      ALU:    ADDv    R1 = R1, C0
ALLOC COORD SIZE(0x0)
EXEC
      ALU:    MAXv    export62 = R1, R1
ALLOC PARAM/PIXEL SIZE(0x0)
EXEC
"""


def check(*arguments, content=b""):
    return subprocess.run([TESSERA, "check", "-m", "a2xx", *arguments], input=content, capture_output=True, check=False, timeout=60)


def findings(content, *arguments):
    return json.loads(check("--json", *arguments, "-", content=content).stdout)["findings"]


class Words(unittest.TestCase):
    def test_listing(self):
        run = check("-", content=struct.pack("<15I", *LISTING))
        self.assertEqual((run.returncode, run.stdout), (DONE, b""))

    def test_control_flow_is_six_bytes(self):
        words = LISTING[:7] + [0x00001000] + LISTING[8:]  # EXEC in place of EXEC_END
        [empty, end] = sorted(findings(struct.pack("<15I", *words)), key=lambda found: found["rule"])
        self.assertEqual((empty["rule"], end["rule"]), ("a2xx-clause-empty", "a2xx-no-end"))
        self.assertEqual((end["address"], end["instruction"], end["kind"]), ("0x00000018", "0x100000000005", "vertex"))
        self.assertIn("EXEC", end["disassembly"])

    def test_variant(self):
        words = LISTING[:10] + [LISTING[10] | 1 << 30] + LISTING[11:]  # sets the bit that marks a mini fetch
        content = struct.pack("<15I", *words)
        self.assertEqual(findings(content), [])
        self.assertEqual([found["rule"] for found in findings(content, "--variant=xenos")], ["a2xx-fetch-mini"])

    def test_xenos_leaves_size_alone(self):
        # The last clause exports parameters 0 and 1 after ALLOC PARAM/PIXEL SIZE(0).
        words = LISTING[:6] + [0x00002005] + LISTING[7:] + [0x140f8000, 0, 0xe2010100, 0x140f8001, 0, 0xe2010100]
        content = struct.pack("<21I", *words)
        self.assertEqual([found["rule"] for found in findings(content)], ["a2xx-export-count"])
        self.assertEqual(findings(content, "--variant=xenos"), [])

    def test_registers(self):
        content = struct.pack("<15I", *LISTING)
        self.assertEqual(findings(content, "--registers=2"), [])
        self.assertEqual({found["rule"] for found in findings(content, "--registers=1")}, {"a2xx-register-range"})

    def test_kind(self):
        rules = {found["rule"] for found in findings(struct.pack("<15I", *LISTING), "--kind=fragment")}
        self.assertIn("a2xx-export-number", rules)


class Sources(unittest.TestCase):
    def test_places(self):
        found = {item["rule"]: item for item in findings(BAD.encode())}
        self.assertEqual(set(found), {"a2xx-fetch-result", "a2xx-no-end", "a2xx-clause-empty"})
        result = found["a2xx-fetch-result"]
        self.assertEqual((result["line"], result["other"]["line"]), (3, 2))
        self.assertIn("(see line 2, instruction at 0x", result["text"])
        self.assertEqual(found["a2xx-no-end"]["line"], 8)
        self.assertEqual(check("-", content=BAD.encode()).returncode, WRONG)

    def test_comment_allows(self):
        allowed = BAD.replace("R1, C0", "R1, C0 ; tessera: allow a2xx-fetch-result")
        self.assertNotIn("a2xx-fetch-result", [item["rule"] for item in findings(allowed.encode())])

    def test_assembler_warns(self):
        run = subprocess.run([TESSERA, "asm", "-m", "a2xx", "-o", "-", "-"], input=BAD.encode(), capture_output=True, check=False,
                             timeout=60)
        self.assertEqual(run.returncode, DONE)
        self.assertIn(b"[a2xx-fetch-result]", run.stderr)
        self.assertIn(b"[a2xx-no-end]", run.stderr)

    def test_examples(self):
        programs = sorted(glob.glob(os.path.join(ROOT, "examples", "a2xx", "*", "*.a2xx")))
        self.assertTrue(programs)
        for program in programs:
            run = check(program)
            self.assertEqual((program, run.returncode, run.stdout), (program, DONE, b""))


class Agreement(unittest.TestCase):
    """Checks the program of each sanitizer finding. If the checker has a rule with the finding's id, it must report
    this rule. It must not report another rule whose id is that of a finding."""
    ARGUMENTS = {"a2xx-fetch-mini": ["--variant=xenos"], "a2xx-position-missing": ["--kind=vertex"]}
    # Only a run can know the values of a0, aL and a fragment program's parameters, and which lanes jump. Breaks are
    # covered by the checker.
    RUN_ALONE = {"a2xx-constant-range", "a2xx-register-range", "a2xx-register-unwritten", "a2xx-divergent-jump"}

    def test_levels(self):
        rules = {row[1]: row[2] for row in map(split, rows("src/check/a2xx/a2xx_rules.def", "RULE"))}
        faults = {row[1]: row[2] for row in map(split, rows("src/a2xx/shader/faults.def", "FAULT"))}
        pairs = rules.keys() & faults.keys()
        self.assertTrue(pairs)
        self.assertEqual({ident: rules[ident] for ident in pairs}, {ident: faults[ident] for ident in pairs})

    def test_findings(self):
        rules = {line.split()[0] for line in check("--list-rules").stdout.decode().splitlines()}
        faults = {split(row)[1] for row in rows("src/a2xx/shader/faults.def", "FAULT")}
        for path in sorted(glob.glob(os.path.join(ROOT, "tests", "programs", "a2xx_findings", "*.a2xx"))):
            name = os.path.splitext(os.path.basename(path))[0]
            wanted = {name} & rules - self.RUN_ALONE
            found = json.loads(check("--json", *self.ARGUMENTS.get(name, ()), path).stdout)["findings"]
            self.assertEqual(wanted, {item["rule"] for item in found} & faults, path)


class Usage(unittest.TestCase):
    def test_wrong(self):
        for arguments in (("--variant=r600", "-"), ("--registers=65", "-"), ("--explain", "a2xx-none")):
            self.assertEqual(check(*arguments).returncode, USAGE)

    def test_rules_are_explained(self):
        lines = check("--list-rules").stdout.decode().splitlines()
        self.assertGreater(len(lines), 70)
        for line in lines:
            run = check("--explain", line.split()[0])
            self.assertEqual((line, run.returncode), (line, DONE))


if __name__ == "__main__":
    unittest.main()
