#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the kernels of examples/baremetal and runs them with "tessera pi": baremetal.py TESSERA. Pictures must be those
that the reference renderer (tests/programs/reference) draws of the same scenes in examples/vc4.

The test is skipped if arm-none-eabi-gcc is not installed."""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import rig

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
KERNELS = sorted(path.parent.name for path in EXAMPLES.glob("baremetal/*/main.c"))
BOARDS = "zero", "pi1", "pi2", "pi3", "zero2"
TWO = "zero", "pi2"  # with different addresses; for longer runs
SKIPPED = 77


class Kernels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        for name in "baremetal", "vc4/spinning-teapot":
            shutil.copytree(EXAMPLES / name, cls.folder / name, ignore=shutil.ignore_patterns("*.o", "*.elf", "*.img"))
        cls.make("-j2")

    @classmethod
    def make(cls, *what):
        environment = {name: value for name, value in os.environ.items() if name != "MAKEFLAGS"}
        done = subprocess.run(["make", f"TESSERA={rig.TESSERA}", *what], cwd=cls.folder / "baremetal", env=environment,
                              capture_output=True, text=True, timeout=rig.SECONDS, check=False)
        if done.returncode or done.stderr:
            raise AssertionError(done.stdout + done.stderr)

    def run_kernel(self, kernel, *options):
        """Runs a kernel, which must have no findings. Returns its text and its last picture, if there is one."""
        picture = self.folder / "picture.png"
        picture.unlink(missing_ok=True)
        file = self.folder / "baremetal" / kernel / "kernel.img"
        done = subprocess.run([rig.TESSERA, "pi", "--strict", "--quiet", *options, str(file)], cwd=self.folder, capture_output=True, stdin=subprocess.DEVNULL,
                              text=True, timeout=rig.SECONDS, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), (kernel, options, done.stdout))
        return done.stdout.replace("\r\n", "\n")

    def compare(self, path, expected, tolerance=0):
        """Compares pictures; each channel may differ by the tolerance."""
        width, height, rows = rig.picture(path)
        self.assertEqual((width, height), rig.picture(expected)[:2])
        for y, (row, other) in enumerate(zip(rows, rig.picture(expected)[2])):
            if row != other:
                differ = [x // 3 for x in range(3 * width) if abs(row[x] - other[x]) > tolerance]
                self.assertEqual(differ, [], (path, y))

    def draw(self, kernel, scene, boards=TWO):
        for board in boards:
            text = self.run_kernel(kernel, "--board", board, "-o", "picture.png")
            self.assertEqual(text, f"{kernel}: done\n")
            self.compare(self.folder / "picture.png", EXAMPLES / f"vc4/{scene}/expected.png")

    def test_framebuffer(self):
        for board in BOARDS:
            text = self.run_kernel("framebuffer", "--board", board, "-o", "picture.png")
            self.assertRegex(text, r"^framebuffer at 0x[0-9a-f]{8}: done\n$")
            width, height, rows = rig.picture(self.folder / "picture.png")
            self.assertEqual((width, height), (256, 256))
            for y, row in enumerate(rows):
                self.assertEqual(row, b"".join(bytes((x, y, 64)) for x in range(256)), y)

    def test_nv_triangle(self):
        self.draw("nv-triangle", "first-triangle", ["zero"])
        self.make("-B", "nv-triangle", "DEFINES=-DBUS=0xc0000000")
        self.draw("nv-triangle", "first-triangle", ["pi2"])

    def test_gl_triangle(self):
        self.draw("gl-triangle", "gl-triangle")

    def test_texture(self):
        self.draw("texture", "textured-triangle-raster")

    def test_user_program(self):
        squares = " ".join(str((3 * i) ** 2) for i in range(16))
        for board in BOARDS:
            self.assertEqual(self.run_kernel("user-program", "--board", board), f"mailbox: {squares}\nregisters: {squares}\n")

    def test_teapot(self):
        """The first picture is the empty page; each of the next ones appears with a tick of the timer, at 60 Hz."""
        self.make("-B", "teapot", "DEFINES=-DFRAMES=3")
        for board in TWO:
            frames = self.folder / f"frames-{board}"
            frames.mkdir()
            text = self.run_kernel("teapot", "--board", board, "--frames", str(frames), "--until", "frames:6")
            self.assertEqual(text, "3 frames in 50 ms\n")
            self.assertEqual(set(b"".join(rig.picture(frames / "frame-00001.png")[2])), {0})
            for number in range(3):
                self.compare(frames / f"frame-{number + 2:05}.png", EXAMPLES / f"vc4/spinning-teapot/expected-{number:03}.png", 1)
            again = frames / "frame-00005.png"
            self.assertEqual(again.read_bytes(), (frames / "frame-00002.png").read_bytes())

    def test_capture(self):
        """The scene that --capture writes has the pictures of the machine, byte for byte."""
        self.make("-B", "teapot", "DEFINES=-DFRAMES=3")
        for kernel, count in ("gl-triangle", 1), ("nv-triangle", 1), ("texture", 1), ("teapot", 4):
            frames, again = self.folder / f"frames-{kernel}", self.folder / f"again-{kernel}"
            again.mkdir()
            self.run_kernel(kernel, "--capture", str(again / "work.elf"), "--frames", str(frames), "--count", str(count))
            plain = self.folder / f"plain-{kernel}"
            self.run_kernel(kernel, "--frames", str(plain), "--count", str(count))
            done = subprocess.run([rig.TESSERA, "run", "--frames", f"1-{count}", "work.elf"], cwd=again, capture_output=True, text=True,
                                  timeout=rig.SECONDS, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            for number in range(1, count + 1):
                name = f"frame-{number:05}.png"
                self.assertEqual((again / name).read_bytes(), (frames / name).read_bytes(), (kernel, number))
                self.assertEqual((plain / name).read_bytes(), (frames / name).read_bytes(), (kernel, number))

    def gdb(self, kernel, *commands):
        """Gives commands of gdb's remote protocol to a kernel. Returns the answers, without those that are console output."""
        program = subprocess.Popen([rig.TESSERA, "pi", "--gdb", "0", "--quiet", kernel], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        port, answers = int(program.stderr.readline().rpartition(":")[2]), []
        with socket.create_connection(("127.0.0.1", port), timeout=rig.SECONDS) as gdb:
            for command in commands:
                gdb.sendall(b"$%s#%02x" % (command.encode(), sum(command.encode()) % 256))
                data = b""
                while not re.search(rb"\$[^O][^$]*#..$|\$OK#..$", data):
                    data += gdb.recv(65536)
                answers.append(re.findall(rb"\$([^$]*)#..", data)[-1].decode())
                gdb.sendall(b"+")
        program.communicate(timeout=rig.SECONDS)
        return answers

    def test_capture_in_gdb(self):
        """After the third picture of the teapot, "monitor capture" writes a scene with this picture."""
        self.make("-B", "teapot", "DEFINES=-DFRAMES=3")
        self.run_kernel("teapot", "--frames", str(self.folder / "frames-gdb"), "--count", "4")
        symbols = subprocess.run(["arm-none-eabi-nm", "baremetal/teapot/kernel.elf"], cwd=self.folder, capture_output=True, text=True,
                                 timeout=rig.SECONDS, check=True).stdout
        address = re.search(r"(\w+) T screen_show", symbols)[1]
        again = self.folder / "again-gdb"
        again.mkdir()
        capture = "qRcmd," + f"capture {again / 'work.elf'}".encode().hex()
        answers = self.gdb("baremetal/teapot/kernel.elf", f"Z0,{int(address, 16):x},4", *(4 * ["c"]), capture)
        self.assertIn("wrote", bytes.fromhex(answers[-1]).decode())
        done = subprocess.run([rig.TESSERA, "run", "work.elf"], cwd=again, capture_output=True, text=True, timeout=rig.SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((again / "frame-00001.png").read_bytes(), (self.folder / "frames-gdb/frame-00004.png").read_bytes())

    def test_missing_files(self):
        """A message names the file that cannot be read."""
        kernel = str(self.folder / "baremetal/framebuffer/kernel.img")
        for arguments, name in ([["nothing.img"], "nothing.img"], [["--expect-frame", "nothing.png", kernel], "nothing.png"]):
            done = subprocess.run([rig.TESSERA, "pi", *arguments], cwd=self.folder, capture_output=True, text=True,
                                  timeout=rig.SECONDS, check=False)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"tessera pi: '{name}' cannot be read: No such file or directory", done.stderr)

    def test_another_machine(self):
        """An ELF file for x86-64 (EM_X86_64, 62) is not run as a kernel."""
        (self.folder / "host.elf").write_bytes(b"\177ELF\2\1\1" + bytes(9) + b"\2\0\x3e\0" + bytes(44))
        done = subprocess.run([rig.TESSERA, "pi", "host.elf"], cwd=self.folder, capture_output=True, text=True, timeout=rig.SECONDS, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("'host.elf' is a program for another machine", done.stderr)

    def test_index(self):
        """The Makefile and the README name each kernel."""
        makefile = (EXAMPLES / "baremetal/Makefile").read_text()
        self.assertEqual(sorted(re.search(r"^KERNELS = (.*)$", makefile, re.M)[1].split()), KERNELS)
        readme = (EXAMPLES / "README.md").read_text()
        for kernel in KERNELS:
            self.assertIn(f"\n| `{kernel}` |", readme)


if __name__ == "__main__":
    if not shutil.which("arm-none-eabi-gcc"):
        print("arm-none-eabi-gcc is not installed (Debian: gcc-arm-none-eabi)")
        sys.exit(SKIPPED)
    unittest.main()
