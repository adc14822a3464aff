# SPDX-License-Identifier: MIT
"""asm_rig.py - helpers for the tests of "tessera asm": optional tools, text files, times. The first argument of the
importing script is the program's path."""
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
    """Returns the text of a file of the repository."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


class Case(rig.Case):
    """A test with a folder that holds the files of its class. Sources are assembled with the options of the class."""
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
        """Runs the assembler. `says` must be a part of standard error."""
        done = subprocess.run([TESSERA, "asm", *self.options, *arguments], input=stdin, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, cwd=self.folder, timeout=60, check=False)
        self.assertEqual(done.returncode, status, (arguments, done.stderr))
        if says:
            self.assertIn(says, done.stderr)
        return done

    def check_example(self, page, *arguments):
        """Assembles the program of a page. Compares the words with those that the page shows. Returns all words."""
        program, words = re.search(r"```asm \S+\n(.*?)```\n\n    \$ .*?\n(.*?)    \.\.\.", page, re.DOTALL).groups()
        made = self.asm(*arguments, "-f", "hex", "-", stdin=program).stdout
        self.assertTrue(made.startswith(re.sub("^ *", "", words, flags=re.MULTILINE)), made)
        return made

    def time(self, text, status=DONE):
        """Assembles a text. Returns the seconds that it took, and the finished process."""
        name = "long." + self.ending
        self.write(name, text)
        start = time.monotonic()
        done = self.asm("-f", "hex", "-o", "/dev/null", name, status=status)
        return time.monotonic() - start, done

    def check_no_square(self, texts, wrong):
        """Checks that assembling a text of four times the length takes about four times the time, not sixteen times.
        texts maps names to functions that return a text of a given length. The text named `wrong` has errors."""
        for what, text in texts.items():
            status = WRONG if what == wrong else DONE
            short, _ = self.time(text(5000), status)
            long, _ = self.time(text(20000), status)
            self.assertLess(long, 8 * short + 0.5, what)
