#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""findings.py - tests the output of findings of "tessera run": findings.py TESSERA. Expected lines and columns are
counted in the sources below. docs/faults.md, docs/utgard/findings.md and docs/a2xx/findings.md explain the findings."""
import json
import os
import pty
import re
import subprocess
import unittest
import xml.etree.ElementTree

from rig import DONE, TESSERA, USAGE, WRONG, Case

try:
    import yaml
except ImportError:
    yaml = None

# Line 4, column 5, `mov r0, ra1`, reads the register that the previous instruction writes.
HAZARD = """.org 0x1000
shader:
    mov ra1, unif
    mov r0, ra1
    nop; thrend
    nop
    nop
uniforms:
    .word 42
.scene qpu shader uniforms 1
"""
# A line has two statements. The statement at column 19 is too early.
PAIR = HAZARD.replace("    mov ra1, unif\n    mov r0, ra1\n", "    mov ra1, unif; ; mov r0, ra1\n")
# A binning list without a flush. The finding's place is the list's first record, at line 6, column 3.
LIST = """.set Halt, 0
.org 0x40001000
bin_list:
  .byte 6
bin_end:
.scene bin bin_list bin_end
"""


class Places(Case):
    """The first line of a finding must start with FILE:LINE:COLUMN: of the source."""
    files = {"hazard.qasm": HAZARD}

    def first(self, *arguments, status=WRONG):
        result = self.call("run", *arguments)
        self.assertEqual(result.status, status, result.err)
        return result.err.splitlines()[0]

    def assemble(self, source, target):
        result = self.call("asm", "--no-check", "-o", target, source)
        self.assertEqual(result.status, DONE, result.err)

    def test_qpu(self):
        self.assemble("hazard.qasm", "hazard.elf")
        self.assertRegex(self.first("hazard.elf"), r"^hazard\.qasm:4:5: error: .* \[[a-z-]+\]$")

    def test_at_lines_follow(self):
        self.assemble("hazard.qasm", "hazard.elf")
        lines = self.call("run", "hazard.elf").err.splitlines()
        self.assertRegex(lines[1], r"^  at shader 0x00001000 <shader, hazard\.qasm:3>.*hazard\.qasm:4>")
        self.assertRegex(lines[2], r"^  hint: ")

    def test_below_the_current_folder(self):
        """A source that was assembled by an absolute path below the current folder is reported by its path relative
        to that folder."""
        self.assemble(os.path.join(self.folder, "hazard.qasm"), "hazard.elf")
        first = self.first("hazard.elf")
        self.assertTrue(first.startswith("hazard.qasm:4:5: ") or first.startswith(self.folder), first)

    def test_included(self):
        self.write("main.qasm", '.include "hazard.qasm"\n')
        self.assemble("main.qasm", "main.elf")
        self.assertRegex(self.first("main.elf"), r"^(\./)?hazard\.qasm:4:5: error: ")

    def test_jumped_out(self):
        """If no instruction is known for a finding, the program's first instruction is shown."""
        self.write("out.qasm", HAZARD.replace("    mov r0, ra1\n    nop; thrend\n", "    nop\n    bra -, 0x20000000\n    nop\n"))
        self.assemble("out.qasm", "out.elf")
        self.assertRegex(self.first("out.elf"), r"^out\.qasm:\d+:5: error: ")

    def test_without_lines(self):
        """If an ELF file has no line table, the place is the file that is run."""
        self.assemble("hazard.qasm", "hazard.elf")
        bytes_ = self.read("hazard.elf").replace(b".debug_line", b".DEBUG_LINE")
        self.write("bare.elf", bytes_)
        self.assertRegex(self.first("bare.elf"), r"^bare\.elf: error: ")

    def test_json(self):
        self.assemble("hazard.qasm", "hazard.elf")
        found = json.loads(self.first("--json", "hazard.elf"))
        self.assertEqual([found[key] for key in ("file", "line", "column", "scene")], ["hazard.qasm", 4, 5, "hazard.elf"])

    def test_gp(self):
        self.write("branch.gp", """.varying out, 0, 1
.constant one, 1
    load.unif one; acc0.mov unif.x
    load.unif one; pass.mov unif.x; branch there
    nop
there:
      acc0.mov acc0[-2]; store0.varying out, acc0, _
""")
        self.assertRegex(self.first("--vertices", "1", "branch.gp", status=DONE), r"^branch\.gp:7:7: warning: ")

    def test_a2xx(self):
        with open(os.path.join(EXAMPLES, "a2xx-a0-clamped.a2xx"), encoding="ascii") as file:
            source = file.read()
        self.write("clamped.a2xx", source)
        first = self.call("run", "clamped.a2xx").err.splitlines()[0]
        found = re.match(r"clamped\.a2xx:(\d+):(\d+): warning: ", first)
        self.assertTrue(found, first)
        line = source.splitlines()[int(found[1]) - 1]
        self.assertNotEqual(line[int(found[2]) - 1], " ")
        self.assertEqual(line[:int(found[2]) - 1].strip("( S)"), "")


class Colours(Case):
    """Colours as in GCC: SGR 1 for places, 31 for errors, 35 for warnings, 36 for notes."""
    files = {"hazard.qasm": HAZARD}

    def on_terminal(self, *arguments, **variables):
        """Returns the standard error of a command on a terminal."""
        control, terminal = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", **variables}
        environment = {name: value for name, value in environment.items() if value is not None}
        if "NO_COLOR" not in variables:
            environment.pop("NO_COLOR", None)
        subprocess.run([TESSERA, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=terminal,
                       env=environment, timeout=60, check=False)
        os.close(terminal)
        text = b""
        while True:
            try:
                piece = os.read(control, 65536)
            except OSError:
                break
            if not piece:
                break
            text += piece
        os.close(control)
        return text.decode()

    def setUp(self):
        super().setUp()
        self.call("asm", "--no-check", "-o", "hazard.elf", "hazard.qasm")

    def test_terminal(self):
        text = self.on_terminal("run", "hazard.elf")
        self.assertIn("\033[1mhazard.qasm:4:5:\033[m ", text)
        self.assertRegex(text, r"\033\[1;31merror:\033\[m ")
        self.assertRegex(self.on_terminal("run", "-W", "all=warning", "hazard.elf"), r"\033\[1;35mwarning:\033\[m ")
        self.assertRegex(self.on_terminal("run", "-W", "all=note", "hazard.elf"), r"\033\[1;36mnote:\033\[m ")

    def test_all_verbs(self):
        self.write("wrong.qasm", "mov r0\n")
        self.write("cut.elf", b"\x7fELF\1\1\1" + bytes(20))
        for arguments in (["asm", "wrong.qasm"], ["check", "wrong.qasm"], ["decode", "hazard.elf"], ["dis", "cut.elf"]):
            self.assertIn("\033[1;31merror:", self.on_terminal(*arguments), arguments)
            self.assertNotIn("\033", self.on_terminal(arguments[0], "--color=never", *arguments[1:]), arguments)

    def test_where_none_are_wanted(self):
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": None}):
            self.assertNotIn("\033", self.on_terminal("run", "hazard.elf", **variables), variables)
        self.assertIn("\033", self.on_terminal("run", "hazard.elf", NO_COLOR=""))
        self.assertNotIn("\033", self.on_terminal("run", "--json", "--color=always", "hazard.elf"))

    def test_pipes(self):
        self.assertNotIn("\033", self.call("run", "hazard.elf").err)
        self.assertNotIn("\033", self.call("check", "hazard.qasm").out)
        self.assertIn("\033", self.call("run", "--color=always", "hazard.elf").err)
        self.assertIn("\033", self.call("check", "--color=always", "hazard.qasm").out)

    def test_mistake(self):
        result = self.call("run", "--color=sometimes", "hazard.elf")
        self.assertEqual(result.status, USAGE)
        for choice in ("auto", "always", "never"):
            self.assertIn(choice, result.err)


class Judging(Case):
    """Tests levels, comments, conditions of failure, baselines and configuration files, by docs/ci.md."""
    files = {"hazard.qasm": HAZARD}
    rule = "qpu-read-after-write"

    def setUp(self):
        super().setUp()
        self.call("asm", "--no-check", "-o", "hazard.elf", "hazard.qasm")
        first = json.loads(self.call("run", "--json", "hazard.elf").err.splitlines()[0])
        self.rule = first["rule"]

    def expect(self, status, *arguments):
        result = self.call(*arguments)
        self.assertEqual(result.status, status, (arguments, result.err))
        return result.err + result.out

    def test_levels(self):
        self.expect(WRONG, "run", "hazard.elf")
        self.assertIn(": warning: ", self.expect(DONE, "run", "-W", f"{self.rule}=warning", "hazard.elf"))
        self.assertEqual(self.expect(DONE, "run", "--rule", f"{self.rule}=off", "hazard.elf"), "")
        self.expect(WRONG, "run", "-W", "all=off", "-W", f"{self.rule}=error", "hazard.elf")

    def test_fail_on(self):
        for level, fail_on, status in (("warning", "warning", WRONG), ("warning", "error", DONE), ("note", "warning", DONE),
                                       ("note", "note", WRONG), ("error", "note", WRONG)):
            self.expect(status, "run", "-W", f"{self.rule}={level}", f"--fail-on={fail_on}", "hazard.elf")
            self.expect(status, "check", "-W", f"regfile-read-after-write={level}", f"--fail-on={fail_on}", "hazard.qasm")

    def test_mistakes(self):
        self.assertIn("error, warning or note", self.expect(USAGE, "run", "--fail-on=sometimes", "hazard.elf"))
        self.assertIn("off, note, warning or error", self.expect(USAGE, "run", "-W", f"{self.rule}=loud", "hazard.elf"))
        self.expect(USAGE, "run", "-W", "no-such-rule=off", "hazard.elf")
        self.expect(USAGE, "run", "--baseline", "none.txt", "hazard.elf")
        self.expect(USAGE, "run", "--write-baseline", "hazard.elf")

    def test_comments(self):
        for comment in (f"# tessera: allow {self.rule}", "# tessera: allow all", f"# tessera: off {self.rule}"):
            source = HAZARD.replace("    mov r0, ra1\n", f"    mov r0, ra1  {comment}\n")
            self.write("allowed.qasm", source)
            self.call("asm", "--no-check", "-o", "allowed.elf", "allowed.qasm")
            self.assertEqual(self.expect(DONE, "run", "allowed.elf"), "", comment)
        self.write("other.qasm", f"# tessera: off {self.rule}\n# tessera: on\n" + HAZARD)
        self.call("asm", "--no-check", "-o", "other.elf", "other.qasm")
        self.expect(WRONG, "run", "other.elf")

    def test_comments_name_findings(self):
        """The checker accepts the ids of the models' findings."""
        self.write("named.qasm", HAZARD.replace("    mov r0, ra1\n", "    nop  # tessera: allow qpu-uniform-overrun\n"))
        self.assertNotIn("unknown-rule", self.expect(DONE, "check", "named.qasm"))
        self.write("typo.qasm", HAZARD.replace("    mov r0, ra1\n", "    nop  # tessera: allow qpu-uniform-overrum\n"))
        self.assertIn("unknown-rule", self.expect(WRONG, "check", "typo.qasm"))

    def test_baseline(self):
        for verb, file in (("run", "hazard.elf"), ("check", "hazard.qasm")):
            self.write("hazard.qasm", HAZARD)
            self.call("asm", "--no-check", "-o", "hazard.elf", "hazard.qasm")
            self.expect(DONE, verb, "--baseline", "known.txt", "--write-baseline", file)
            self.assertIn("1 known finding", self.expect(DONE, verb, "--baseline", "known.txt", file))
            # Findings whose lines have moved must match the baseline.
            self.write("hazard.qasm", "# one\n# two\n" + HAZARD)
            self.call("asm", "--no-check", "-o", "hazard.elf", "hazard.qasm")
            self.expect(DONE, verb, "--baseline", "known.txt", file)
            # A second occurrence of a finding must not match the baseline.
            self.write("hazard.qasm", HAZARD.replace("    nop; thrend", "    mov ra1, r0\n    mov r0, ra1\n    nop; thrend"))
            self.call("asm", "--no-check", "-o", "hazard.elf", "hazard.qasm")
            self.expect(WRONG, verb, "--baseline", "known.txt", file)

    def test_damaged_baseline(self):
        self.write("known.txt", "# comment\nno tabs here\n")
        self.assertRegex(self.expect(USAGE, "run", "--baseline", "known.txt", "hazard.elf"), r"known\.txt:2: error: ")

    def test_configuration(self):
        os.mkdir(os.path.join(self.folder, "below"))
        self.write("below/hazard.qasm", HAZARD)
        self.call("asm", "--no-check", "-o", "below/hazard.elf", "below/hazard.qasm")
        self.write("tessera.toml", f'fail-on = "warning"  # strict\n\n[rules]\n"{self.rule}" = "warning"\n')
        self.assertIn(": warning: ", self.expect(WRONG, "run", "below/hazard.elf"))
        self.expect(DONE, "run", "--fail-on=error", "below/hazard.elf")
        self.assertIn(": error: ", self.expect(WRONG, "run", "--no-config", "below/hazard.elf"))
        self.write("below/tessera.toml", f'[rules]\n{self.rule} = "off"\n')
        self.assertEqual(self.expect(DONE, "run", "below/hazard.elf"), "")
        self.expect(WRONG, "run", "--config", "tessera.toml", "below/hazard.elf")

    def test_mistakes_in_a_configuration(self):
        for text, place in (('fial-on = "error"\n', "1:1"), ('\nfail-on = "sometimes"\n', "2:11"), ("[rule]\n", "1:1"),
                            ("fail-on\n", "1:8"), ('[rules]\nno-such-rule = "off"\n', "2:1"), ('[rules]\nall = "loud"\n', "2:7"),
                            ('color = "auto\n', "1:9"), ('strict = true false\n', "1:15")):
            self.write("tessera.toml", text)
            self.assertIn(f"tessera.toml:{place}: error: ", self.expect(USAGE, "run", "hazard.elf"), text)
            self.assertIn(f"tessera.toml:{place}: error: ", self.expect(USAGE, "check", "hazard.qasm"), text)

    def test_eight_are_shown(self):
        """After levels and comments are applied, eight findings are shown, and all are counted."""
        pairs = "    mov ra1, unif\n    mov r0, ra1\n" * 12
        source = HAZARD.replace("    mov ra1, unif\n    mov r0, ra1\n", pairs).replace(".word 42", ".fill 12, 4, 1")
        self.write("many.qasm", source)
        self.call("asm", "--no-check", "-o", "many.elf", "many.qasm")
        text = self.expect(WRONG, "run", "many.elf")
        self.assertEqual(text.count(f"[{self.rule}]"), 9)
        lines = source.splitlines()
        allowed = "\n".join(line + f"  # tessera: allow {self.rule}" if line == "    mov r0, ra1" and number < 24 else line
                            for number, line in enumerate(lines)) + "\n"
        self.write("many.qasm", allowed)
        self.call("asm", "--no-check", "-o", "many.elf", "many.qasm")
        text = self.expect(WRONG, "run", "many.elf")
        self.assertEqual(text.count(f"[{self.rule}]"), allowed.count("    mov r0, ra1\n"))


class Formats(Case):
    """Tests findings of a run in the formats of other programs: workflow commands of GitHub, SARIF 2.1.0, and
    JUnit's XML."""
    files = {"hazard.qasm": HAZARD}

    def setUp(self):
        super().setUp()
        self.call("asm", "--no-check", "-o", "hazard.elf", "hazard.qasm")

    def test_github(self):
        result = self.call("run", "--format", "github", "hazard.elf")
        self.assertEqual(result.status, WRONG)
        self.assertRegex(result.err, r"^::error file=hazard\.qasm,line=4,col=5,endColumn=15,title=[a-z-]+::[^\n]+\n$")

    def test_sarif(self):
        log = json.loads(self.call("run", "--format=sarif", "hazard.elf").err)
        place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"], "hazard.qasm")
        self.assertEqual([place["region"][key] for key in ("startLine", "startColumn")], [4, 5])
        self.assertEqual(log["runs"][0]["invocations"][0]["exitCode"], WRONG)

    def test_junit(self):
        result = self.call("run", "--format", "junit", "--findings", "out.xml", "hazard.elf")
        self.assertIn("hazard.qasm:4:5: error: ", result.err)
        failures = xml.etree.ElementTree.fromstring(self.read("out.xml")).findall(".//failure")
        self.assertEqual(len(failures), 1)

    def test_without_findings(self):
        self.write("good.qasm", HAZARD.replace("    mov r0, ra1\n", "    nop\n"))
        self.call("asm", "-o", "good.elf", "good.qasm")
        self.assertEqual(self.call("run", "--format", "github", "good.elf").err, "")
        self.assertEqual(json.loads(self.call("run", "--format", "sarif", "good.elf").err)["runs"][0]["results"], [])

    def test_shaders(self):
        self.write("branch.gp", "nop\n")
        for name in ("json", "sarif", "junit", "github"):
            result = self.call("run", "--format", name, "--findings", "out", "--vertices", "1", "branch.gp")
            self.assertNotEqual(result.status, USAGE, result.err)

    def test_mistakes(self):
        self.assertIn("github", self.call("run", "--format", "html", "hazard.elf").err)
        self.assertEqual(self.call("run", "--findings", "out", "hazard.elf").status, USAGE)
        self.assertEqual(self.call("run", "--format", "sarif", "nosuch.elf").status, USAGE)
        self.assertEqual(len(json.loads(self.call("run", "--format", "sarif", "nosuch.elf").err)["runs"][0]["results"]), 1)


class Results(Case):
    """Tests the outputs of a run, and the values of its options."""
    files = {"v.csv": "pos.x,pos.y,pos.z,pos.w\n10,10,0,1\n50,10,0,1\n10,50,0,1\n",
             "pass.gp": ".attribute pos, 0\n.varying gl_Position, 0\nload.attr pos; acc0.mov attr.x; acc1.mov attr.y; mul0.mov attr.z; "
                        "mul1.mov attr.w; store0.varying gl_Position, acc0, acc1; store1.varying gl_Position, mul0, mul1\n"}

    def expect(self, status, *arguments):
        result = self.call(*arguments)
        self.assertEqual(result.status, status, (arguments, result.err))
        return result.err

    def test_picture_and_table(self):
        says = self.expect(DONE, "run", "--attributes", "v.csv", "--draw", "out.png", "--size", "64x48", "-o", "out.csv", "pass.gp")
        self.assertIn("wrote out.png (64x48)\n", says)
        size = os.path.getsize(os.path.join(self.folder, "out.csv"))
        self.assertIn(f"wrote out.csv ({size} bytes)\n", says)

    def test_scene(self):
        self.write("dump.qasm", HAZARD.replace("    mov r0, ra1\n", "    nop\n") + ".scene dump uniforms 1 u32 out.csv\n")
        self.assertEqual(self.call("asm", "-o", "dump.elf", "dump.qasm").status, DONE)
        says = self.expect(DONE, "run", "--capture", "again.elf", "dump.elf")
        self.assertIn("wrote out.csv (3 bytes)\n", says)
        self.assertRegex(says, r"wrote again\.elf \(\d+ bytes\)\n")

    def test_quiet(self):
        for option in ("--quiet", "--json"):
            self.assertNotIn("wrote", self.expect(DONE, "run", option, "--attributes", "v.csv", "-o", "out.csv", "pass.gp"))
        self.assertNotIn("wrote", self.expect(DONE, "run", "--attributes", "v.csv", "-o", "-", "pass.gp"))

    def test_pictures_are_png(self):
        for name in ("out.jpg", "out.JPEG", "folder.d/out.bmp", "pass.gp"):
            says = self.expect(USAGE, "run", "--attributes", "v.csv", "--draw", name, "pass.gp")
            self.assertIn(".png", says, name)
        self.assertIn("requires an argument", self.expect(USAGE, "run", "pass.gp", "--draw"))
        self.expect(DONE, "run", "--attributes", "v.csv", "--draw", "OUT.PNG,8x8", "pass.gp")

    def test_trace(self):
        for arguments in (["--trace-vertex", "1"], ["--trace-vertex", "1"], ["--trace", "-", "--trace-vertex", "1"]):
            result = self.call("run", "--attributes", "v.csv", *arguments, "pass.gp")
            self.assertEqual(result.status, DONE, result.err)
            self.assertIn("= 50, 10, 0, 1", result.out)
        self.expect(DONE, "run", "--attributes", "v.csv", "--trace", "trace.txt", "pass.gp")
        self.assertIn(b"= 10, 10, 0, 1", self.read("trace.txt"))

    def test_no_file_named_0(self):
        self.write("hazard.qasm", HAZARD)
        self.call("asm", "--no-check", "-o", "hazard.elf", "hazard.qasm")
        for verb, operand in ((["run"], ["hazard.elf"]), (["qpu"], ["--", "/bin/true"])):
            for number in ("0", "0x10"):
                says = self.expect(USAGE, *verb, "--trace", number, *operand)
                self.assertIn(f"./{number}", says)
                self.assertFalse(os.path.exists(os.path.join(self.folder, number)))
        self.expect(WRONG, "run", "--trace", "./0", "hazard.elf")
        self.assertTrue(os.path.exists(os.path.join(self.folder, "0")))

    def test_formats_are_listed(self):
        says = self.expect(USAGE, "run", "--attribute", "pos=v.csv,format=foo", "pass.gp")
        for name in ("f32", "f16", "u8n", "fixed"):
            self.assertRegex(says, rf"\b{name}\b")

    def test_unused_gpu(self):
        for option in ("--stats", "--trace=t.txt", "--capture=c.elf"):
            result = self.call("qpu", option, "--", "/bin/true")
            if "cannot run" in result.err: # an executable of another processor
                return
            self.assertEqual(result.status, DONE, result.err)
            self.assertIn("no process used the GPU", result.err)
        self.assertEqual(self.call("qpu", "--", "/bin/true").err, "")


class Page(Case):
    """The configuration in docs/ci.md must be valid, and its jobs must be valid YAML."""

    def blocks(self, kind):
        with open(os.path.join(ROOT, "docs", "ci.md"), encoding="utf-8") as file:
            return re.findall(rf"^```{kind}\n(.*?)^```$", file.read(), re.M | re.S)

    def test_configuration(self):
        blocks = self.blocks("toml")
        self.assertEqual(len(blocks), 1)
        self.write("tessera.toml", blocks[0])
        self.write("known.txt", "")
        self.write("plain.qasm", "# tessera: kind user\nnop; thrend\nnop\nnop\n")
        result = self.call("check", "plain.qasm")
        self.assertEqual(result.status, DONE, result.err)

    @unittest.skipUnless(yaml, "there is no PyYAML")
    def test_jobs(self):
        github, gitlab = (yaml.safe_load(block) for block in self.blocks("yaml"))
        for job in github["jobs"].values():
            self.assertTrue(all("uses" in step or "run" in step for step in job["steps"]), job)
            self.assertIn("runs-on", job)
        self.assertTrue(all(isinstance(line, str) for line in gitlab["shaders"]["script"]))
        self.assertEqual(gitlab["shaders"]["artifacts"]["reports"]["junit"][0], "tessera.xml")


ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
EXAMPLES = os.path.join(ROOT, "tests", "programs", "a2xx_findings")

if __name__ == "__main__":
    unittest.main()
