# SPDX-License-Identifier: MIT
"""rig.py - helpers for the tests of "tessera run -m MACHINE": the program, files, results. The first argument of the
importing script is the program's path."""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

TESSERA = os.path.abspath(sys.argv.pop(1))
SECONDS = 120
DONE, WRONG, USAGE = 0, 1, 2


def single(value):
    """Returns a number rounded to a 32-bit float."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def picture(path):
    """Returns the width, the height, and the rows of RGB bytes of a PNG file. The file must not use filters."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    width, height = struct.unpack_from(">II", data, 16)
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += 12 + size
    raw, line = zlib.decompress(packed), 1 + 3 * width
    return width, height, [raw[y * line + 1:(y + 1) * line] for y in range(height)]


class Result:
    def __init__(self, done):
        self.status, self.out, self.err = done.returncode, done.stdout.decode(), done.stderr.decode()
        lines = self.out.splitlines()
        self.header = lines[0].split(",") if lines else []
        self.text_rows = [line.split(",") for line in lines[1:]]

    def rows(self):
        return [[single(float(field)) for field in row] for row in self.text_rows]


class Case(unittest.TestCase):
    """A test with a folder that holds the files of its class."""
    machine, files = "", {}

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        for name, text in self.files.items():
            self.write(name, text)

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def read(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def call(self, *arguments, stdin=b""):
        return Result(subprocess.run([TESSERA, *arguments], input=stdin, capture_output=True, cwd=self.folder,
                                     timeout=SECONDS, check=False))

    def run_machine(self, status, *arguments, says=None, stdin=b""):
        """Runs a shader. `says` is a text or a list of texts that standard error must contain."""
        result = self.call("run", "-m", self.machine, *arguments, stdin=stdin)
        self.assertEqual(result.status, status, (arguments, result.err))
        for text in [says] if isinstance(says, str) else says or []:
            self.assertIn(text, result.err, arguments)
        return result
