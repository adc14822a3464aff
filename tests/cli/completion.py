#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""completion.py - tests the completions of the shells, each in its own shell if that shell is installed:
completion.py TESSERA."""
import os
import shutil
import subprocess
import unittest

import rig

FOLDER = os.path.join(os.path.dirname(rig.TESSERA), "docs")  # in the build folder
VERBS = {"asm", "dis", "check", "run", "decode", "qpu", "gl", "pi", "new", "tutorial", "help"}
# A line, words that must complete it, and words that must not.
CASES = [
    ("tessera ", VERBS, {"--sarif"}),
    ("tessera ch", {"check"}, {"run"}),
    ("tessera check --sar", {"--sarif"}, {"--strict"}),
    ("tessera run --st", {"--stats", "--strict", "--stage"}, {"--sarif"}),
    ("tessera check -W tmu-", {"tmu-close-after-noswap"}, {"vpm-empty", "gp-runaway"}),
    ("tessera check --rule gp-register-", {"gp-register-early"}, {"gp-row-wrap"}),
    ("tessera check --explain tmu-e", {"tmu-empty"}, {"--json"}),
    ("tessera run --explain HW-2", {"HW-2116"}, {"tmu-empty"}),
    ("tessera run -m ", {"qpu", "gp", "a2xx"}, set()),
    ("tessera qpu --board p", {"pi1", "pi2", "pi3"}, {"zero"}),
    ("tessera pi --board z", {"zero", "zero2"}, {"pi3"}),
    ("tessera gl --gpu l", {"lima"}, {"vc4"}),
    ("tessera asm --format he", {"hex", "header", "header-extern"}, {"elf"}),
    ("tessera dis --format l", {"listing"}, {"header"}),
    ("tessera new s", {"scene"}, {"qpu"}),
    ("tessera tutorial c", {"compute"}, {"qpu"}),
    ("tessera help d", {"dis", "decode"}, {"run"}),
]


class Case(rig.Case):
    def setUp(self):
        super().setUp()
        self.environment = dict(os.environ, PATH=f"{os.path.dirname(rig.TESSERA)}:{os.environ['PATH']}", HOME=self.folder,
                                XDG_CONFIG_HOME=self.folder, XDG_DATA_HOME=self.folder, TERM="dumb", LC_ALL="C.UTF-8")
        self.environment.pop("LD_LIBRARY_PATH", None)

    def shell(self, *command, status=0):
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (status, ""), command)
        return done.stdout

    def check(self, complete):
        for line, wanted, unwanted in CASES:
            words = set(complete(line))
            self.assertLessEqual(wanted, words, line)
            self.assertFalse(unwanted & words, line)


@unittest.skipUnless(shutil.which("bash"), "needs bash")
class Bash(Case):
    # Imitates readline, which splits the line at blanks and "=". The function under test fills COMPREPLY.
    SCRIPT = """source "$1"; COMP_WORDS=("${@:2}"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tessera; printf '%s\\n' "${COMPREPLY[@]}" """

    def complete(self, *words):
        return self.shell("bash", "-c", self.SCRIPT, "bash", FOLDER + "/tessera", *words).split()

    def test_lines(self):
        self.check(lambda line: self.complete(*line.split(" ")))

    def test_values_behind_an_equals_sign(self):
        self.assertEqual(self.complete("tessera", "check", "--explain", "=", "tmu-emp"), ["tmu-empty"])
        self.assertIn("qpu", self.complete("tessera", "check", "--machine", "="))

    def test_levels(self):
        for words in (["-W", "tmu-close-after-noswap", "=", "w"], ["--rule", "=", "all", "=", "w"], ["--rule", "all", "=", "w"]):
            self.assertEqual(self.complete("tessera", "check", *words), ["warning"])
        self.assertEqual(self.complete("tessera", "check", "-W", "all", "="), ["off", "note", "warning", "error"])
        self.assertEqual(self.complete("tessera", "check", "--rule", "=", "all"), ["all"])

    def test_words_of_the_program_are_left_alone(self):
        for words in (["qpu", "--", "program", "--st"], ["qpu", "--board", "pi1", "program", "--st"],
                      ["gl", "--fps", "=", "3", "kmscube", "--st"]):
            self.assertEqual(self.complete("tessera", *words), [])
        self.assertEqual(sorted(self.complete("tessera", "qpu", "--board", "pi1", "--st")), ["--stats", "--strict"])

    def test_is_registered(self):
        self.assertIn("_tessera", self.shell("bash", "-c", 'source "$1"; complete -p tessera', "bash", FOLDER + "/tessera"))


@unittest.skipUnless(shutil.which("fish"), "needs fish")
class Fish(Case):
    def complete(self, line):
        script = 'source $argv[1]; complete -C $argv[2]'
        out = self.shell("fish", "--no-config", "-c", script, FOLDER + "/tessera.fish", line)
        return [word.split("\t")[0] for word in out.splitlines()]

    def test_lines(self):
        self.check(self.complete)

    def test_syntax(self):
        self.shell("fish", "--no-execute", FOLDER + "/tessera.fish")


@unittest.skipUnless(shutil.which("zsh"), "needs zsh")
class Zsh(Case):
    # An interactive zsh in a terminal of zsh/zpty. The Tab key prints the matches between two marks.
    SCRIPT = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= PS2= RPS1=; fpath=(${(q)1} \$fpath); autoload -Uz compinit; compinit -D -u; source =(print -r -- '
null-line () { zle -U \"\" }
compadd-shown () {
    local -a found; local -A options
    builtin compadd -O found \"\$@\" 2>/dev/null
    print -r -- \"MATCH\" \$found
    builtin compadd \"\$@\"
}
compadd () { compadd-shown \"\$@\" }
list-them () { print; print -r -- BEGIN; zle list-choices; print -r -- FINIS }
zle -N list-them
bindkey \"^X^T\" list-them
unsetopt beep; zstyle \":completion:*\" list-grouped false; LISTMAX=10000; unsetopt list_types
'); print REA''DY"
zpty -r shell ready '*READY*'
zpty -n -w shell "$2"$'\x18\x14'
zpty -r shell found '*FINIS*'
print -r -- $found
zpty -d shell
"""

    def complete(self, line):
        out = self.shell("zsh", "-f", "-c", self.SCRIPT, "zsh", FOLDER, line)
        shown = out.rsplit("BEGIN", 1)[-1]
        return [word for row in shown.splitlines() if row.startswith("MATCH") for word in row.split()[1:]]

    def test_lines(self):
        self.check(self.complete)

    def test_levels(self):
        self.assertEqual(sorted(self.complete("tessera check -W all=")), ["error", "note", "off", "warning"])

    def test_syntax(self):
        self.shell("zsh", "-n", FOLDER + "/_tessera")


if __name__ == "__main__":
    unittest.main()
