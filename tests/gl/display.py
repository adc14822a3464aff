#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that public programs, if installed, run on the modelled display: display.py TESSERA SDL_EXAMPLE

Each program is ended after some pictures. The test checks the number of pictures, that the last one has many
colours, and that there is no finding. SDL_EXAMPLE is examples/gl/sdl.c, or "none". Exit status 77 (skipped) if there
is no Mesa with vc4."""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

import run

SDL_EXAMPLE = sys.argv[2]
SECONDS, COUNT, COLOURS = 200, 6, 100


def colours(path):
    """Returns the number of different colours in a picture that the display has written (by src/shim/drm/display/png.c)."""
    data, at, packed = path.read_bytes(), 8, b""
    width, height = struct.unpack(">II", data[16:24])
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    raw, above, found = zlib.decompress(packed), bytes(3 * width), set()
    for y in range(height):
        line = raw[y * (1 + 3 * width) + 1:(y + 1) * (1 + 3 * width)]
        above = bytes((a + b) & 255 for a, b in zip(line, above))
        found.update(above[x:x + 3] for x in range(0, 3 * width, 3))
    return len(found)


class Programs(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)

    def show(self, *command, count=COUNT, **environment):
        """Runs a program and checks its pictures. Standard input is open but never readable, because kmscube ends
        when it can read input."""
        if not shutil.which(command[0]):
            self.skipTest(f"{command[0]} is not installed")
        frames, (silent, end) = self.folder / "frames", os.pipe()
        done = subprocess.run([run.TESSERA, "gl", "--mode", "320x240", "--count", str(count), "--frames", frames, "--", *command],
                              stdin=silent, capture_output=True, text=True, timeout=SECONDS, check=False,
                              env={**run.environment(), **environment})
        os.close(silent)
        os.close(end)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        files = sorted(frames.glob("*.png"))
        self.assertEqual(len(files), count, done.stderr)
        self.assertGreater(colours(files[-1]), COLOURS)

    def test_kmscube(self):
        self.show("kmscube")

    def test_kmscube_atomic(self):
        self.show("kmscube", "-A", "-M", "rgba")

    def test_kmscube_samples(self):
        self.show("kmscube", "-s", "4")

    def test_glmark2(self):
        for scene in ("texture", "jellyfish", "shadow"):
            with self.subTest(scene):
                shutil.rmtree(self.folder / "frames", ignore_errors=True)
                self.show("glmark2-es2-drm", "-b", f"{scene}:duration=100")

    def test_sdl2(self):
        self.show(SDL_EXAMPLE, SDL_VIDEODRIVER="kmsdrm")

    @unittest.skipIf(os.geteuid() != 0, "weston's own launcher is root's")
    def test_weston(self):
        """Runs a compositor, and a client in a separate process. The script ends when the client has lost the
        connection to its compositor."""
        if not shutil.which("weston-simple-egl"):
            self.skipTest("weston-simple-egl is not installed")
        (self.folder / "weston.ini").write_text("[core]\nidle-time=0\n[shell]\nlocking=false\nanimation=none\nstartup-animation=none\n")
        script = (f"weston --backend=drm-backend.so --tty=1 --continue-without-input --socket=tessera --config={self.folder}/weston.ini "
                  f"--log={self.folder}/log & until [ -S {self.folder}/tessera ]; do sleep 0.1; done; WAYLAND_DISPLAY=tessera weston-simple-egl; wait")
        self.show("sh", "-c", script, count=20, XDG_RUNTIME_DIR=str(self.folder))


if __name__ == "__main__":
    if not run.driver_is_there():
        print("no Mesa with vc4: scripts/mesa-vc4 builds one")
        sys.exit(run.SKIPPED)
    unittest.main(argv=sys.argv[:1])
