#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_written.py - tests programs whose words are written as numbers: check_written.py TESSERA. Such a program can
begin at an entry, a comment, a scene's step or a shader record. In all of these cases, "check" must report the same
findings as for a file with the same bytes, "asm" must print them as warnings, and "dis" must print instructions."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TESSERA = os.path.abspath(sys.argv.pop(1))
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
DONE, WRONG, USAGE = 0, 1, 2

END = "nop; thrend\nnop\nnop\n"
# Rules (docs/isa/qpu-rules.md), each with a program that breaks it. The fault is in the first word or in a later word.
FAULTY = {
    "qpu-read-after-write": "mov ra1, unif\nmov r0, ra1\n" + END,
    "qpu-sfu-latency": "mov recip, r0\nnop\nmov r1, r4\n" + END,
    "qpu-end-rules": "nop; thrend\nnop\nmov r0, ra14\n",
    "qpu-one-target": "mov r1, r0; mov r1, r2\n" + END,
}
LOOP = "again: brr.anynz -, r:again\nnop\nnop\nmov ra5, r0\nmov r1, ra5\n" + END
RECORD_SCENE = """.org 0x2000
record: shader.nv stride=12, code=user, uniforms=table, vertices=table
.align 16
bin: cl.nv_shader_state record
cl.flush
bin_end:
.scene bin bin bin_end
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, content):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(content)
        return name

    def call(self, *arguments):
        done = subprocess.run([TESSERA, *arguments], capture_output=True, cwd=self.folder, timeout=60, check=False)
        self.assertGreaterEqual(done.returncode, 0, arguments)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def words(self, source, *options):
        """Returns the program as lines of two numbers each."""
        status, out, err = self.call("asm", *options, "--no-check", "-f", "hex", self.write("words.qasm", source))
        self.assertEqual(status, DONE, err)
        return [line.split("#")[0].strip().rstrip(",") for line in out.splitlines() if line.strip()]

    def rules(self, *arguments):
        _, out, _ = self.call("check", "--json", *arguments)
        return sorted(f["rule"] for f in json.loads(out)["findings"] if f["level"] in ("warning", "error"))


class Qpu(Case):
    def forms(self, lines):
        """Returns the ways to declare that a program begins at the label user. Each is a pair of options and a
        source with the words."""
        ints = "".join(".int %s\n" % line for line in lines)
        halves = "".join(".word %s\n" % half for line in lines for half in line.split(","))
        table = "\n.align 16\ntable: .int 1, 2, 3, 4\n"
        return {
            "kind": (["-k", "user"], "user:\n" + ints + table),
            "entry": (["-e", "user"], "before: .int 7, 8\nuser:\n" + ints + table),
            "address": (["-e", "0x1008"], ".org 0x1000\n.int 7, 8\nuser:\n" + ints + table),
            "comment": ([], ".int 7, 8\n# tessera: kind user\nuser:\n" + halves + table),
            "scene": ([], ".org 0x1000\n.int 7, 8\nuser:\n" + halves + table + ".scene qpu user table 4\n"),
            "alias": ([], ".org 0x1000\nuser:\n" + ints + table + ".scene qpu user+0x40000000 table 4\n"),
            "record": ([], ".org 0x1000\nuser:\n" + ints + table + RECORD_SCENE),
            "record alone": ([], ".org 0x1000\nuser:\n" + ints + table + RECORD_SCENE.split(".align")[0]),
            "one line": ([], ".org 0x1000\nuser: .int " + ", ".join(lines) + table + ".scene qpu user table 4\n"),
            "bytes": ([], ".org 0x1000\nuser: .byte " + ", ".join(
                "0x%02x" % b for line in lines for half in line.split(",") for b in int(half, 0).to_bytes(4, "little"))
                + table + ".scene qpu user table 4\n"),
            "after code": ([], ".org 0x1000\nnop; thrend\nnop\nnop\nuser:\n" + ints + table + ".scene qpu user table 4\n"),
            "amid code": ([], ".org 0x1000\nuser: nop\n" + ints + table + ".scene qpu user table 4\n"),
            "no word": ([], "user:\n" + ints),
        }

    def test_same_findings(self):
        for rule, source in FAULTY.items():
            lines = self.words(source)
            as_file = self.rules("-k", "user", self.write("p.hex", "".join(line + ",\n" for line in lines)))
            self.assertIn(rule, as_file)
            for name, (options, text) in self.forms(lines).items():
                found = self.rules(*options, self.write("form.qasm", text))
                self.assertIn(rule, found, (name, rule))

    def test_first_words(self):
        """The first instructions are written as numbers, and the others as statements. Only the start of the program
        or its kind declares that the numbers are code."""
        lines = self.words(FAULTY["qpu-read-after-write"])
        rest = "mov r0, ra1\n" + END
        for options, text in (([], "user: .int %s\n" % lines[0] + rest), (["-k", "user"], ".int %s\n" % lines[0] + rest),
                              ([], ".org 0x1000\n.int 1\n.align 8\nuser: .int %s\n" % lines[0] + rest)):
            self.assertIn("qpu-read-after-write", self.rules(*options, self.write("form.qasm", text)), text)
        table = self.write("table.qasm", "table: .int %s\nmain: mov r0, ra1\n" % lines[0] + END)
        self.assertNotIn("qpu-read-after-write", self.rules(table))

    def test_wrong_first_word(self):
        """A program begins with a word that no assembler writes. The word still belongs to the program. A table
        before the label does not."""
        lines = ["0x199e7000, 0x100009e7"] + self.words(END)  # opcode 25 of the add ALU is reserved
        text = "".join(".int %s\n" % line for line in lines)
        as_file = self.rules("-k", "user", self.write("p.hex", "".join(line + ",\n" for line in lines)))
        self.assertIn("qpu-reserved", as_file)
        for source in ("# tessera: kind user\nuser:\n" + text, "# tessera: kind user\n" + text,
                       "# tessera: kind user\ntable: .int 5, 6\nuser:\n" + text):
            self.assertIn("qpu-reserved", self.rules(self.write("form.qasm", source)), source)
        self.assertIn("qpu-reserved", self.rules("-k", "user", self.write("form.qasm", "user:\n" + text)))
        self.assertIn("qpu-reserved", self.rules("-k", "user", self.write("form.qasm", text + "table: .int 1, 2, 3\n")))
        good = "".join(".int %s\n" % line for line in self.words(END))
        self.assertEqual(self.rules(self.write("form.qasm", "# tessera: kind user\ntable: .int 0x%08x, 5\nuser:\n" % 0x199e7000 + good)), [])

    def test_elf(self):
        """The assembled ELF file must have the same findings, and asm must print them as warnings."""
        lines = self.words(FAULTY["qpu-read-after-write"])
        for name in ("scene", "record", "alias", "after code"):
            status, _, err = self.call("asm", "-o", "form.elf", self.write("form.qasm", self.forms(lines)[name][1]))
            self.assertEqual(status, DONE)
            self.assertIn("[qpu-read-after-write]", err, name)
            self.assertIn("qpu-read-after-write", self.rules("form.elf"), name)
            self.assertIn("mov r0, ra1", self.call("dis", "form.elf")[1], name)

    def test_loop(self):
        """The target of a backward branch is code, and so are its delay slots. Words after the end are data."""
        lines = self.words(LOOP)
        text = ".org 0x1000\nuser:\n" + "".join(".int %s\n" % line for line in lines) + "table: .int 0x15827d80, 0x10020827\n"
        source = self.write("loop.qasm", text + ".scene qpu user table 1\n")
        self.assertIn("qpu-read-after-write", self.rules(source))
        self.assertEqual(self.call("asm", "--no-check", "-o", "loop.elf", source)[0], DONE)
        out = self.call("dis", "loop.elf")[1]
        self.assertIn("brr.anynz", out)
        self.assertIn(".int 0x15827d80, 0x10020827", out)

    def test_round_trip(self):
        """The output of "dis" must assemble to the same bytes."""
        lines = self.words(FAULTY["qpu-sfu-latency"])
        for name in ("scene", "record", "one line", "bytes"):
            self.call("asm", "--no-check", "-o", "form.elf", self.write("form.qasm", self.forms(lines)[name][1]))
            self.call("dis", "-o", "again.qasm", "form.elf")
            self.assertEqual(self.call("asm", "--no-check", "-f", "bin", "-o", "1.bin", "form.qasm")[0], DONE)
            self.assertEqual(self.call("asm", "--no-check", "-f", "bin", "-o", "2.bin", "again.qasm")[0], DONE)
            with open(os.path.join(self.folder, "1.bin"), "rb") as one, open(os.path.join(self.folder, "2.bin"), "rb") as two:
                self.assertEqual(one.read(), two.read(), name)

    def test_instruction_is_shown(self):
        lines = self.words(FAULTY["qpu-read-after-write"])
        out = self.call("check", self.write("form.qasm", self.forms(lines)["scene"][1]))[1]
        self.assertIn("`mov r0, ra1`", out)
        self.assertIn("form.qasm:6:1: error", out)

    def test_data_stays_data(self):
        """Tables, lists, and memory that is filled later must not be treated as programs."""
        quiet = {
            "floats": "table: .single 1.0, -1.0, 0.5, 2.0, 3.14159, 1e10\n" + END,
            "zeros": ".org 0x1000\ncode: .space 64, 0\n.int 1\ntable: .int 1\n.scene qpu code table 1\n",
            "integers": "table: .int 1, 2, 3, 4, 5, 6, 7, 8, -1, -2\nmain:\n" + END,
            "text": 'table: .ascii "some text that is long enough for words"\n.align 8\nmain:\n' + END,
        }
        for name, text in quiet.items():
            self.assertEqual(self.rules(self.write("quiet.qasm", text)), [], name)

    def test_allow(self):
        lines = self.words(FAULTY["qpu-read-after-write"])
        lines[1] += "   # tessera: allow qpu-read-after-write"
        text = ".org 0x1000\nuser:\n" + "".join(".int %s\n" % line for line in lines) + "t: .int 1\n.scene qpu user t 1\n"
        self.assertEqual(self.rules(self.write("allowed.qasm", text)), [])

    def test_example(self):
        """The words of gl-triangle's three shaders are checked and disassembled."""
        source = os.path.join(EXAMPLES, "vc4", "gl-triangle", "gl-triangle.qasm")
        findings = json.loads(self.call("check", "--json", source)[1])["findings"]
        self.assertTrue({95, 102, 114, 129} <= {f["line"] for f in findings})
        self.assertEqual({f["kind"] for f in findings}, {"vertex", "coordinate"})
        self.call("asm", "-o", "gl.elf", source)
        out = self.call("dis", "gl.elf")[1]
        for shader in ("vertex_shader", "coordinate_shader", "fragment_shader"):
            self.assertIn(":%s\nnop" % shader, out)
        self.assertIn("ldi vr_setup, 0x1a341ac0", out)


class Others(Case):
    def numbers(self, machine, source):
        status, out, err = self.call("asm", "-m", machine, "--no-check", "-f", "hex", self.write("p." + machine, source))
        self.assertEqual(status, DONE, err)
        return "".join(".int %s\n" % line.strip().rstrip(",") for line in out.splitlines() if line.strip())

    def test_gp(self):
        """A GP program that reads results of idle units."""
        text = self.numbers("gp", "load.unif 0; acc0.mov unif.x; store0.reg 3, acc0, _\n"
                                  "load.reg0 3; acc0.mov reg0.x; store0.varying 0, acc0, _\n")
        wanted = self.rules("p.gp")
        self.assertIn("gp-register-early", wanted)
        for options, source in (([], text), (["-e", "main"], "main:\n" + text), (["-k", "vertex"], text)):
            self.assertEqual(self.rules(*options, self.write("numbers.gp", source)), wanted, options)
        self.assertEqual(self.call("run", "-m", "gp", "numbers.gp")[0], DONE)

    def test_a2xx(self):
        text = self.numbers("a2xx", "EXEC_END ADDR(1) CNT(1)\nALU: MAXv export0 = R0, R0\n")
        wanted = self.rules("p.a2xx")
        self.assertTrue(wanted)
        for options, source in (([], text), (["-e", "main"], "main:\n" + text), ([], "; tessera: kind fragment\n" + text)):
            self.assertEqual(self.rules(*options, self.write("numbers.a2xx", source)), wanted, options)


if __name__ == "__main__":
    unittest.main()
