# SPDX-License-Identifier: MIT
"""asm_rig.py - what the tests of "tessera asm" have in common: tools that may be missing, text files, times. The program's path
is the first argument of the script that imports this."""
import os
import re
import shutil
import subprocess
import time
import unittest

import rig
from rig import DONE, TESSERA, WRONG

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def needs(*programs):
    missing = [name for name in programs if not shutil.which(name)]
    return unittest.skipIf(missing, "not installed: " + ", ".join(missing))


def text_of(path):
    """A file of the repository."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


class Case(rig.Case):
    """Each test has a folder with the files of its class, where it assembles with the options of its class."""
    options, ending = (), "qasm"

    def read_text(self, name):
        return self.read(name).decode()

    def read_words(self, name):
        data = self.read(name)
        return [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]

    def run_program(self, *command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.folder,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, 0, (command, done.stdout))
        return done.stdout

    def asm(self, *arguments, status=DONE, says=None, stdin=""):
        """Assembles; says is some of what standard error has."""
        done = subprocess.run([TESSERA, "asm", *self.options, *arguments], input=stdin, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, cwd=self.folder, timeout=60, check=False)
        self.assertEqual(done.returncode, status, (arguments, done.stderr))
        if says:
            self.assertIn(says, done.stderr)
        return done

    def check_example(self, page, *arguments):
        """The program of a page gives the words below it as far as they are shown. Returns all of them."""
        program, words = re.search(r"```asm \S+\n(.*?)```\n\n    \$ .*?\n(.*?)    \.\.\.", page, re.DOTALL).groups()
        made = self.asm(*arguments, "-f", "hex", "-", stdin=program).stdout
        self.assertTrue(made.startswith(re.sub("^ *", "", words, flags=re.MULTILINE)), made)
        return made

    def time(self, text, status=DONE):
        """Seconds that it takes to assemble a text, and what came of it."""
        name = "long." + self.ending
        self.write(name, text)
        start = time.monotonic()
        done = self.asm("-f", "hex", "-o", "/dev/null", name, status=status)
        return time.monotonic() - start, done

    def check_no_square(self, texts, wrong):
        """Four times the text takes about four times as long, not sixteen times. texts: of some length, by name; one is wrong."""
        for what, text in texts.items():
            status = WRONG if what == wrong else DONE
            short, _ = self.time(text(5000), status)
            long, _ = self.time(text(20000), status)
            self.assertLess(long, 8 * short + 0.5, what)
