#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""messages.py - tests the number of messages that the verbs print, their totals, and the line about messages that
are not printed (docs/diagnostics.md)."""
import json
import os
import re
import select
import subprocess
import unittest

from rig import DONE, SECONDS, TESSERA, USAGE, WRONG, Case

PAIRS = 3000
END = "nop; thrend\nnop\nnop\n"


def lines_of(text, severity):
    return len(re.findall(rf"^\S+: {severity}: ", text, re.M))


class Terminals(Case):
    files = {"late.qasm": "mov ra1, unif\nmov r0, ra1\n" + END}

    def on_terminal(self, *arguments):
        """Runs a program on a terminal. Returns its standard output and standard error together."""
        primary, secondary = os.openpty()
        environment = {**os.environ, "TERM": "xterm"}
        environment.pop("NO_COLOR", None)
        subprocess.run([TESSERA, *arguments], stdout=secondary, stderr=secondary, stdin=subprocess.DEVNULL, cwd=self.folder,
                       env=environment, timeout=SECONDS, check=False)
        os.close(secondary)
        text = b""
        while select.select([primary], [], [], 0)[0]:
            try:
                text += os.read(primary, 65536)
            except OSError:
                break
        os.close(primary)
        return text.decode()

    def test_check_has_colours(self):
        self.assertIn("\033[", self.on_terminal("check", "late.qasm"))
        self.assertNotIn("\033[", self.on_terminal("check", "--color=never", "late.qasm"))
        self.assertNotIn("\033[", self.call("check", "late.qasm").out)


class Programs(Case):
    """"tessera qpu" is given files that are not programs of the host."""
    files = {"code.qasm": END, "scene.qasm": ".org 0x1000\ns: " + END + ".scene qpu s 0 1\n", "shader.gp": "main:\n ; nop\n"}

    def test_sources(self):
        """The command that the message recommends must run the file. If no command can, the message advises to write
        a host program."""
        for name in "scene.qasm", "shader.gp":
            self.assertIn(f"run it with 'tessera run {name}'", self.call("qpu", name).err)
        result = self.call("qpu", "code.qasm")
        self.assertEqual(result.status, USAGE)
        self.assertNotIn("'tessera run code.qasm'", result.err)
        self.assertIn("'tessera new compute DIR'", result.err)
        self.assertEqual(self.call("check", "code.qasm").status, DONE)

    def test_this_folder(self):
        os.chmod(self.write("saxpy", "#!/bin/sh\n"), 0o755)
        result = self.call("qpu", "saxpy")
        self.assertEqual(result.status, USAGE)
        self.assertIn("use './saxpy'", result.err)


class Messages(Case):
    files = {
        # Each pair has one error and one note.
        "errors.qasm": "mov ra1, unif; mov rb1, 0\nmov r0, ra1\n" * PAIRS + END,
        "warnings.qasm": "mov r4, 1\n" * PAIRS + END,
        # The only error is the last message.
        "both.qasm": "mov r4, 1\n" * PAIRS + "mov ra1, unif\nmov r0, ra1\n" + END,
        "unknown.qasm": "mov r0, nothing\n" * PAIRS + END,
    }

    def test_check_shows_a_hundred_and_counts_all(self):
        done = self.call("check", "errors.qasm")
        self.assertEqual(done.status, WRONG)
        self.assertEqual(lines_of(done.out, "error"), 100)
        self.assertLess(len(done.out), 100000)
        self.assertIn(f"{PAIRS} errors, 0 warnings\n", done.err)
        last = done.err.splitlines()[-1]
        self.assertRegex(last, rf"^not shown: {PAIRS - 100} errors and \d+ notes \(--max-messages 0 shows all\)$")

    def test_numbers_add_up(self):
        whole = self.call("check", "--max-messages", "0", "errors.qasm")
        cut = self.call("check", "--max-messages=7", "errors.qasm")
        self.assertNotIn("not shown", whole.err)
        self.assertEqual(lines_of(whole.out, "error"), PAIRS)
        self.assertEqual(lines_of(cut.out, "error"), 7)
        self.assertIn(f"not shown: {PAIRS - 7} errors", cut.err)

    def test_warnings_hide_no_error(self):
        for verb in (["check"], ["check", "--max-messages=1"]):
            done = self.call(*verb, "both.qasm")
            self.assertEqual(lines_of(done.out, "error"), 1, verb)
            self.assertIn(f"1 error, {PAIRS} warnings\n", done.err, verb)

    def test_note_stays_with_its_error(self):
        done = self.call("check", "both.qasm")
        self.assertIn("note: the other instruction is here", done.out[done.out.index(" error: "):])

    def test_asm(self):
        done = self.call("asm", "-o", "out.bin", "warnings.qasm")
        self.assertEqual(done.status, DONE)
        self.assertEqual(lines_of(done.err, "warning"), 100)
        self.assertIn(f"0 errors, {PAIRS} warnings\nnot shown: {PAIRS - 100} warnings (--max-messages 0 shows all)\n",
                      done.err)

    def test_assembler_gives_up_and_says_how_to_see_more(self):
        for verb in (["asm", "-o", "out.bin"], ["check"], ["run"], ["decode"]):
            done = self.call(*verb, "unknown.qasm")
            self.assertEqual(done.status, WRONG, verb)
            self.assertEqual(lines_of(done.err, "error"), 100, verb)
            self.assertIn("too many errors; stopping", done.err)
            self.assertIn("(--max-messages 0)", done.err)
            self.assertIn("at least 100 errors, 0 warnings", done.err)
            more = self.call(*verb, "--max-messages", "150", "unknown.qasm")
            self.assertEqual(lines_of(more.err, "error"), 150, verb)
            whole = self.call(*verb, "--max-messages", "0", "unknown.qasm")
            self.assertEqual(lines_of(whole.err, "error"), PAIRS, verb)
            self.assertIn(f"\n{PAIRS} errors, 0 warnings\n", whole.err)

    def test_formats_of_machines_are_whole(self):
        text = self.call("check", "--json", "errors.qasm").out
        errors = [one for one in json.loads(text)["findings"] if one["level"] == "error"]
        self.assertEqual(len(errors), PAIRS)
        log = json.loads(self.call("check", "--sarif", "errors.qasm").out)
        levels = [one["level"] for one in log["runs"][0]["results"]]
        self.assertEqual(levels.count("error"), PAIRS)
        lines = [json.loads(line) for line in self.call("asm", "--json", "-o", "out.bin", "warnings.qasm").err.splitlines()]
        self.assertEqual(len(lines), PAIRS)

    def test_configuration(self):
        self.write("tessera.toml", "max-messages = 3\n")
        self.assertEqual(lines_of(self.call("check", "errors.qasm").out, "error"), 3)
        self.assertEqual(lines_of(self.call("check", "--max-messages=5", "errors.qasm").out, "error"), 5)
        self.write("tessera.toml", "max-messages = few\n")
        done = self.call("check", "errors.qasm")
        self.assertEqual(done.status, USAGE)
        self.assertIn("tessera.toml:1:16: error: invalid number of messages 'few'", done.err)

    def test_wrong_number(self):
        for verb in ("asm", "check", "run", "dis", "decode", "qpu", "gl"):
            done = self.call(verb, "--max-messages=many", "errors.qasm")
            self.assertEqual(done.status, USAGE, verb)
            self.assertIn("invalid number of messages 'many'", done.err, verb)


class Runs(Case):
    """One rule has findings at more places than are printed."""
    machine = "gp"
    SAME = 12
    files = {"late.qasm": "shader:\n" + "mov ra1, unif\nmov r0, ra1\n" * SAME + END +
                          "uniforms:\n" + ".word 1\n" * SAME + f".scene qpu shader uniforms {SAME}\n"}

    def test_sum_counts_what_is_not_shown(self):
        self.call("asm", "--no-check", "-o", "late.elf", "late.qasm")
        done = self.call("run", "late.elf")
        self.assertEqual(lines_of(done.err, "error"), 8)
        self.assertIn("further findings of this kind are counted but not shown", done.err)
        self.assertTrue(done.err.endswith(f"{self.SAME} errors, 0 warnings\n"
                                          f"not shown: {self.SAME - 8} errors (--max-messages 0 shows all)\n"), done.err)
        whole = self.call("run", "--max-messages=0", "late.elf")
        self.assertEqual(lines_of(whole.err, "error"), self.SAME)
        self.assertTrue(whole.err.endswith(f"{self.SAME} errors, 0 warnings\n"), whole.err)


if __name__ == "__main__":
    unittest.main()
