#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the pictures that a mode-setting program shows: the files, the frame rate, the end of the process after a
number of frames, and the viewer's window. The program is painter.c, which needs no GL.

    display.py PAINTER PRELOAD TESSERA CC...

Expected: the colours that painter.c paints. The result of blending is computed by hand: half of green (0x80) over
blue, of which the remaining half is 0x7f."""
import array
import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

PAINTER, PRELOAD, TESSERA, CC = os.path.abspath(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3]), sys.argv[4:]
del sys.argv[1:]
SECONDS = 60
WIDTH, HEIGHT = 320, 200


def read_png(path):
    """Returns the rows of a PNG file as lists of numbers 0xRRGGBB. Decodes every filter type, like every PNG reader."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body), path
        if kind == b"IHDR":
            width, height, *rest = struct.unpack(">IIBBBBB", body)
            assert rest == [8, 2, 0, 0, 0], rest
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    assert kind == b"IEND", path
    raw, rows, above = zlib.decompress(packed), [], bytes(3 * width)
    assert len(raw) == (1 + 3 * width) * height
    for y in range(height):
        kind, line = raw[y * (1 + 3 * width)], raw[y * (1 + 3 * width) + 1:(y + 1) * (1 + 3 * width)]
        assert kind in (0, 2), kind
        above = line if kind == 0 else bytes((a + b) & 255 for a, b in zip(line, above))
        rows.append([int.from_bytes(above[x:x + 3], "big") for x in range(0, 3 * width, 3)])
    return rows


class Tree(unittest.TestCase):
    """Tests the nodes that one process after another sees. Processes with the same folder share changes of the
    nodes."""

    def look(self, script, **environment):
        return subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=SECONDS, check=True, stdin=subprocess.DEVNULL,
                              env={**os.environ, "LD_PRELOAD": PRELOAD, "ASAN_OPTIONS": "detect_leaks=0:verify_asan_link_order=0", **environment}).stdout.split()

    def test_modes(self):
        if os.geteuid() != 0:
            self.skipTest("nodes are root's to change")
        script = "stat -c %a /dev/dri/card0; chmod 600 /dev/dri/card0; stat -c %a,%u /dev/dri/card0; cat /sys/class/drm/card0/dev"
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.look(script, TESSERA_TREE=folder), ["666", "600,0", "226:0"])
            self.assertEqual(self.look("stat -c %a /dev/dri/card0", TESSERA_TREE=folder), ["600"])
        self.assertEqual(self.look(script, TESSERA_TREE="/no/such/folder"), ["666", "666,0", "226:0"])  # each process has its own

    def test_many_at_once(self):
        """One of the processes fills the folder. No process may see a folder that is only partly filled."""
        script = "for i in 1 2 3 4 5 6 7 8; do cat /sys/class/drm/card0/dev /sys/class/drm/renderD128/dev & done; wait"
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(sorted(self.look(script, TESSERA_TREE=folder)), ["226:0"] * 8 + ["226:128"] * 8)


class Display(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("TESSERA_")}
        self.environment.update(TESSERA_MODE=f"{WIDTH}x{HEIGHT}@100", LD_PRELOAD=PRELOAD, ASAN_OPTIONS="detect_leaks=0:verify_asan_link_order=0")

    def start(self, *arguments, **environment):
        return subprocess.Popen([PAINTER, *arguments], stderr=subprocess.PIPE, text=True, env={**self.environment, **environment})

    def paint(self, *arguments, status=0, **environment):
        """Returns the program's standard error."""
        with self.start(*arguments, **environment) as running:
            err = running.communicate(timeout=SECONDS)[1]
        self.assertEqual(running.returncode, status, err)
        return err

    def frames(self):
        return sorted(file.name for file in (self.folder / "frames").iterdir())

    def frame(self, number):
        return read_png(self.folder / "frames" / f"frame-{number:04}.png")


class Files(Display):
    def paint(self, *arguments, **environment):
        return super().paint(*arguments, TESSERA_FRAMES=str(self.folder / "frames"), **environment)

    def test_each_flip_is_a_file(self):
        self.paint("flips", "8")
        self.assertEqual(self.frames(), [f"frame-{i:04}.png" for i in range(1, 9)])
        for i in range(1, 9):
            self.assertEqual(self.frame(i), [[i * 10 << 16 | i * 20 << 8 | i * 30] * WIDTH] * HEIGHT)

    def test_planes(self):
        self.paint("planes")
        count = len(self.frames())
        self.assertIn(count, (4, 5))  # 4 or 5, as the cursor may or may not be in a picture before it moves
        blue = [0x0000ff] * WIDTH
        self.assertEqual(self.frame(1), [blue] * HEIGHT)
        over = blue[:10] + [0xff0000, 0x00807f] + blue[12:]
        self.assertEqual(self.frame(2), [blue] * 20 + [over] + [blue] * (HEIGHT - 21))
        cursor = [0xffffff] * 4 + blue[4:]
        self.assertEqual(self.frame(count - 1)[:3], [cursor, cursor, blue])
        self.assertEqual(self.frame(count)[20], blue[:100] + [0x00807f] + blue[101:])

    def test_what_is_drawn_without_a_word(self):
        self.paint("draws")
        self.assertEqual(self.frame(1), [[0] * WIDTH] * HEIGHT)
        self.assertEqual(self.frame(2), [[0] * 5 + [0xabcdef] + [0] * (WIDTH - 6)] + [[0] * WIDTH] * (HEIGHT - 1))
        self.assertEqual(len(self.frames()), 2)

    def test_changes_are_seen_while_the_program_does_nothing_else(self):
        self.paint("changes", "5")
        self.assertEqual(len(self.frames()), 6)
        for i in range(1, 7):
            self.assertEqual(self.frame(i)[0], [0] + [0xabcdef] * (i - 1) + [0] * (WIDTH - i))

    def test_no_picture_no_file(self):
        self.paint("nothing")
        self.assertFalse((self.folder / "frames").exists())

    def test_a_folder_that_cannot_be_made(self):
        """The shim prints one message, and reports an error in the verdict, so that `tessera gl` ends with status 1."""
        verdict = self.folder / "verdict"
        verdict.touch()
        err = super().paint("flips", "3", TESSERA_FRAMES="/dev/null/frames", TESSERA_VERDICT=str(verdict))
        self.assertEqual(err.count("/dev/null/frames/frame-0001.png: Not a directory"), 1)
        self.assertEqual(err.count("\n"), 2)
        self.assertTrue(err.endswith("1 error, 0 warnings\n"), err)
        self.assertIn("1\n", verdict.read_text().splitlines(keepends=True))

    def test_killed_at_any_moment(self):
        """If the process is killed, every file with its final name must be complete."""
        for moment in (0.05, 0.1, 0.2, 0.3):
            with self.start("forever", TESSERA_FRAMES=str(self.folder / "frames")) as running:
                time.sleep(moment)
                running.kill()
            for file in (self.folder / "frames").glob("*.png"):
                read_png(file)


@unittest.skipUnless("FAULTS" in os.environ, "tests/cli/faults.c is not built")
class Faults(Display):
    """In each run, one system call that writes a picture fails. Every file must then be an old file or a complete
    picture."""
    OLD, FRAMES, MOST = b"old content\n", 3, 60

    def paint_with(self, call, number):
        """Makes call `number` fail. Returns the remaining files, and the number of these calls by the program."""
        folder, counts = self.folder / "frames", self.folder / "counts"
        for made in folder, counts:
            shutil.rmtree(made, ignore_errors=True)
            made.mkdir()
        for i in range(self.FRAMES):
            (folder / f"frame-{i + 1:04}.png").write_bytes(self.OLD)
        err = self.paint("flips", str(self.FRAMES), TESSERA_FRAMES=str(folder), LD_PRELOAD=f"{PRELOAD}:{os.environ['FAULTS']}",
                         FAULT_CALL=call, FAULT_NUMBER=str(number), FAULT_ALL=str(counts))
        text = "".join(file.read_text() for file in counts.iterdir())
        return err, int(re.search(rf"^{call} (\d+)$", text, re.MULTILINE)[1])

    def check(self, call):
        number, count = 0, self.MOST
        while number <= min(count, self.MOST):
            err, count = self.paint_with(call, number)
            self.assertEqual(len(self.frames()), self.FRAMES, (call, number, self.frames()))
            for name in self.frames():
                path = self.folder / "frames" / name
                if path.read_bytes() == self.OLD:
                    self.assertIn(f"cannot write to {path}: ", err)
                else:
                    read_png(path)
            number += 1

    def test_calls(self):
        for call in "stream", "write", "fsync", "rename", "chmod", "random", "short", "exchange":
            self.check(call)


class Rates(Display):
    def test_total(self):
        self.assertRegex(self.paint("flips", "5", TESSERA_FPS="1"), r"^tessera: 5 pictures in 0\.\d\d s, \d+\.\d per second\n$")
        self.assertEqual(self.paint("flips", "1", TESSERA_FPS="1"), "tessera: 1 picture\n")
        self.assertEqual(self.paint("nothing", TESSERA_FPS="1"), "")

    def test_children_that_show_nothing_print_nothing(self):
        self.assertRegex(self.paint("forks", TESSERA_FPS="1"), r"^tessera: 3 pictures in [^\n]*\n$")

    def test_no_faster_than_the_screen(self):
        begin = time.monotonic()
        self.paint("flips", "31", TESSERA_MODE=f"{WIDTH}x{HEIGHT}@100")
        self.assertGreaterEqual(time.monotonic() - begin, 0.29)

    def test_another_rate(self):
        begin = time.monotonic()
        self.paint("flips", "11", TESSERA_FPS="20")
        self.assertGreaterEqual(time.monotonic() - begin, 0.49)


class Counts(Display):
    def test_ends_the_program(self):
        err = self.paint("forever", status=-signal.SIGTERM, TESSERA_COUNT="7", TESSERA_FPS="1", TESSERA_FRAMES=str(self.folder / "frames"))
        self.assertRegex(err, r"tessera: 7 pictures")
        self.assertEqual(self.frames(), [f"frame-{i:04}.png" for i in range(1, 8)])

    def test_ends_programs_that_do_not_want_to(self):
        with subprocess.Popen(["sh", "-c", f"trap '' TERM; exec '{PAINTER}' forever"], env={**self.environment, "TESSERA_COUNT": "3"}) as running:
            self.assertEqual(running.wait(SECONDS), -signal.SIGKILL)

    def test_says_so_in_the_verdict(self):
        verdict = self.folder / "verdict"
        verdict.touch()
        self.paint("forever", status=-signal.SIGTERM, TESSERA_COUNT="2", TESSERA_VERDICT=str(verdict))
        self.assertEqual(verdict.read_text(), "ended\n")


class Viewer(Display):
    def listen(self):
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.addCleanup(listener.close)
        listener.bind(str(self.folder / "viewer"))
        listener.listen()
        listener.settimeout(SECONDS)
        return listener

    def test_frames(self):
        listener, files, seen = self.listen(), {}, []
        with self.start("flips", "6", TESSERA_WINDOW=str(self.folder / "viewer")) as running:
            client = listener.accept()[0]
            while True:
                try:
                    data, descriptors, _, _ = socket.recv_fds(client, 64, 1)
                except ConnectionResetError:  # the server ended without reading all answers; frames may have arrived nevertheless
                    continue
                if not data:
                    break
                magic, buffer, width, height, number = struct.unpack("=5I", data)
                self.assertEqual((magic, width, height), (0x54535657, WIDTH, HEIGHT))
                if descriptors:
                    files[buffer] = descriptors[0]
                pixels = array.array("I", os.pread(files[buffer], 4 * WIDTH * HEIGHT, 0))
                self.assertEqual(set(pixels), {number * 10 << 16 | number * 20 << 8 | number * 30})
                seen.append(number)
                with contextlib.suppress(OSError):  # the server has ended
                    client.send(struct.pack("=I", buffer))
            client.close()
            running.communicate(timeout=SECONDS)
        self.assertEqual(seen, [1, 2, 3, 4, 5, 6])
        for file in files.values():
            os.close(file)

    def test_viewers_that_go_away(self):
        listener = self.listen()
        with self.start("flips", "20", TESSERA_WINDOW=str(self.folder / "viewer")) as running:
            listener.accept()[0].close()
            err = running.communicate(timeout=SECONDS)[1]
        self.assertEqual((running.returncode, err), (0, ""))

    def test_no_viewer(self):
        err = self.paint("flips", "3", TESSERA_WINDOW=str(self.folder / "none"))
        self.assertEqual(err.count("cannot connect to the window"), 1)


class Window(Display):
    """Tests the window itself. SDL2's dummy driver writes pictures to files in place of a screen."""

    def make_mesa(self):
        prefix = self.folder / "mesa"
        for name, text in (("lib/dri/vc4_dri.so", 'const char version[] = "%s%u.%u%s Mesa 12.3.4";'), ("lib/libEGL_mesa.so.0", "int there;")):
            (prefix / name).parent.mkdir(parents=True, exist_ok=True)
            subprocess.run([*CC, "-shared", "-fPIC", "-x", "c", "-", "-o", prefix / name], input=text, text=True, check=True)
        vendor = prefix / "share/glvnd/egl_vendor.d/50_mesa.json"
        vendor.parent.mkdir(parents=True)
        vendor.write_text("{}")
        return prefix

    def show(self, *arguments, before=(), **environment):
        """Returns the pictures that the window showed. `before` is a program that runs before the painter."""
        del self.environment["LD_PRELOAD"]
        environment = {**self.environment, "TESSERA_SHIM": PRELOAD.split(":")[-1], "SDL_VIDEODRIVER": "dummy", "SDL_VIDEO_DUMMY_SAVE_FRAMES": "1", **environment}
        first = [*before, "&&"] if before else []
        command = " ".join(map(str, [*first, "exec", PAINTER, *arguments]))
        done = subprocess.run([TESSERA, "gl", "--driver", self.make_mesa(), "--window", "--", "sh", "-c", command],
                              cwd=self.folder, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
        if "built without SDL2" in done.stderr:
            self.skipTest("built without SDL2")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [file.read_bytes() for file in sorted(self.folder.glob("SDL_window*.bmp"))]

    def test_pictures_are_seen(self):
        pictures = self.show("flips", "3", TESSERA_FPS="0")
        self.assertGreaterEqual(len(pictures), 2)  # one may have been skipped
        start, = struct.unpack("<I", pictures[-1][10:14])
        self.assertEqual(struct.unpack("<ii", pictures[-1][18:26]), (WIDTH, HEIGHT))
        self.assertIn(pictures[-1][start:start + 3], (bytes((60, 40, 20)), bytes((90, 60, 30))))  # the first byte is blue

    def test_strangers_are_sent_away(self):
        """A client without the key must be disconnected. The program's frames must still be shown."""
        script = f'''
import os, socket, struct, subprocess
strangers = [socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(2)]
for stranger, packet in zip(strangers, (struct.pack("<5I", 0x54535657, 0, 7, 7, 1), struct.pack("<I32s", 0x54535657, b"0" * 32))):
    stranger.connect("\\0" + os.environ["TESSERA_WINDOW"][1:])
    stranger.send(packet)
    stranger.settimeout({SECONDS})
    try:
        assert stranger.recv(16) == b"", "somebody answers"
    except ConnectionResetError:
        pass
'''
        (self.folder / "stranger.py").write_text(script)
        pictures = self.show("flips", "3", TESSERA_FPS="0", before=[sys.executable, self.folder / "stranger.py"])
        self.assertEqual({struct.unpack("<ii", picture[18:26]) for picture in pictures}, {(WIDTH, HEIGHT)})

    def test_a_program_without_pictures(self):
        self.assertEqual(self.show("nothing"), [])

    @unittest.skipIf(os.path.exists("/dev/dri"), "SDL2 may find a screen of this computer")
    def test_without_a_display(self):
        away = ("LD_PRELOAD", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "SDL_VIDEODRIVER")
        environment = {name: value for name, value in self.environment.items() if name not in away}
        done = subprocess.run([TESSERA, "gl", "--driver", self.make_mesa(), "--window", "--", PAINTER, "flips", "3"], cwd=self.folder,
                              env={**environment, "TESSERA_SHIM": PRELOAD.split(":")[-1]}, capture_output=True, text=True, timeout=SECONDS, check=False)
        if "built without SDL2" in done.stderr:
            self.skipTest("built without SDL2")
        self.assertEqual(done.returncode, 2)
        self.assertIn("tessera gl: --window: no display found", done.stderr)


if __name__ == "__main__":
    unittest.main()
