#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pi_seeing.py - tests what one sees of tessera pi, and its inputs: pictures, preview, window, terminal, TCP port: pi_seeing.py
TESSERA. The kernels are a few instructions each, beside their words."""
import fcntl
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import termios
import time
import unittest

import rig
from rig import DONE, USAGE, WRONG

# Sends '>' by the PL011, and then every byte that comes.
ECHO = (
    0xe59f0054,  # ldr r0, =0x20201000
    0xe3a0101a, 0xe5801024, 0xe3a01003, 0xe5801028,  # 115200 baud
    0xe3a01070, 0xe580102c, 0xe59f103c, 0xe5801030,  # eight bits, FIFOs; UART on
    0xe59f2038, 0xe3a01909, 0xe5821000,  # pins 14 and 15
    0xe3a0103e, 0xe5801000,  # '>'
    0xe5901018, 0xe3110010, 0x1afffffc, 0xe5901000,  # wait for a byte, and read it
    0xe5902018, 0xe3120020, 0x1afffffc, 0xe5801000, 0xeafffff6,  # wait for room, and send it
    0x20201000, 0x00000301, 0x20200004)
# Asks for a framebuffer of 32x16 pixels of 32 bits, writes 0xff000000 + 0x010203 * y to row y, and branches to itself.
PICTURE = (
    0xe3a00902, 0xe2800c01, 0xe3801008, 0xe59f2044, 0xe5821020,  # property buffer at 0x8100 to the mailbox
    0xe5923018, 0xe3130101, 0x1afffffc, 0xe5923000,  # wait for the answer
    0xe590404c, 0xe3c44103,  # the framebuffer's address for the ARM
    0xe3a054ff, 0xe59f6024, 0xe3a07010, 0xe3a08020, 0xe4845004, 0xe2588001, 0x1afffffc, 0xe0855006, 0xe2577001, 0x1afffff8,
    0xeafffffe, 0x2000b880, 0x00010203) + 40 * (0,) + (
    0x60, 0, 0x48003, 8, 8, 32, 16, 0x48004, 8, 8, 32, 16, 0x48005, 4, 4, 32, 0x40001, 8, 4, 16, 0, 0, 0, 0)
# The same, but draws again with other colours forever: without "mov r5, #0xff000000", and with a branch to word 9.
MOVING = PICTURE[:11] + (0xe1a00000,) + PICTURE[12:21] + (0xeafffff2,) + PICTURE[22:]
ROWS = [bytes((y, 2 * y, 3 * y)) * 32 for y in range(16)]  # the lowest byte of a pixel is blue


# The same as ECHO without '>', by the interrupt of the receiver: waits for it by wfi.
WAIT = (
    0xe59f005c, 0xe3a0101a, 0xe5801024, 0xe3a01003, 0xe5801028, 0xe3a01060, 0xe580102c, 0xe59f1044, 0xe5801030,  # no FIFOs
    0xe59f2040, 0xe3a01909, 0xe5821000,  # pins 14 and 15
    0xe3a01010, 0xe5801038, 0xe59f2030, 0xe3a01402, 0xe5821000, 0xe3a03000,  # receive interrupt, line 57
    0xee073f90, 0xe5901000, 0xe5801000, 0xe5803044, 0xe3a02010, 0xe5802044, 0xeafffff8,  # wfi, echo, clear the interrupt
    0x20201000, 0x00000301, 0x20200004, 0x2000b214)


def image(words):
    return struct.pack(f"<{len(words)}I", *words)


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, *arguments, folder, program=(rig.TESSERA, "pi"), attributes=b"\x1b[?6c", size=(24, 80)):
        self.attributes, self.out = attributes, b""
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvp(program[0], [*program, *arguments])
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))

    def read(self):
        """Reads what the program has printed. Answers its question for the terminal's attributes. Returns False at the end."""
        try:
            part = os.read(self.file, 65536)
        except OSError:
            return False
        if b"\x1b[c" in part:
            os.write(self.file, self.attributes)
        self.out += part
        return bool(part)

    def wait_for(self, text):
        end = time.time() + rig.SECONDS
        while text not in self.out and time.time() < end:
            if select.select([self.file], [], [], 1)[0] and not self.read():
                break
        assert text in self.out, self.out

    def send(self, keys):
        os.write(self.file, keys)

    def lines(self):
        """Returns whether the terminal collects lines, which it does unless a program takes single keys."""
        return bool(termios.tcgetattr(self.file)[3] & termios.ICANON)

    def end(self):
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def block_rows(text):
    """Returns the rows of pixels of half blocks, from the program's control sequences."""
    rows, upper, lower, colours = [], [], [], {}
    for which, red, green, blue, other in re.findall(r"\x1b\[(38|48);2;(\d+);(\d+);(\d+)m|(\u2580|\n)", text):
        if which:
            colours[which] = bytes((int(red), int(green), int(blue)))
        elif other == "\n":
            rows += [b"".join(upper), b"".join(lower)] if upper else []
            upper, lower = [], []
        else:
            upper.append(colours["38"])
            lower.append(colours["48"])
    return rows


def sixel_rows(text):
    """Returns the rows of pixels of sixel graphics (VT330/VT340 Programmer Reference Manual)."""
    found = re.search(r'\x1bP0;1q"1;1;(\d+);(\d+)(.*?)\x1b\\', text, re.S)
    width, height = int(found[1]), int(found[2])
    rows, colours, colour, x, top = [[None] * width for _ in range(height)], {}, 0, 0, 0
    for number, values, count, sign in re.findall(r"#(\d+)(;2;\d+;\d+;\d+)?|(?:!(\d+))?([?-~]|[$-])", found[3]):
        if number:
            colour = int(number)
            if values:
                colours[colour] = bytes((255 * int(value) + 50) // 100 for value in values.split(";")[2:])
        elif sign == "$":
            x = 0
        elif sign == "-":
            x, top = 0, top + 6
        else:
            for _ in range(int(count or 1)):
                for bit in range(6):
                    if ord(sign) - 63 >> bit & 1:
                        rows[top + bit][x] = colours[colour]
                x += 1
    return [b"".join(row) for row in rows]


class Seeing(rig.Case):
    files = {"echo.img": image(ECHO), "picture.img": image(PICTURE), "moving.img": image(MOVING), "wait.img": image(WAIT)}

    def terminal(self, *arguments, **options):
        return Terminal(*arguments, folder=self.folder, **options)

    def test_last_picture(self):
        self.assertEqual(self.call("pi", "-o", "last.png", "picture.img").status, DONE)
        self.assertEqual(rig.picture(os.path.join(self.folder, "last.png")), (32, 16, ROWS))
        self.assertEqual(self.call("pi", "--expect-frame", "last.png", "picture.img").status, DONE)
        self.assertEqual(self.call("pi", "--expect-frame", "last.png", "--until", "frames:2", "moving.img").status, WRONG)

    def test_count(self):
        done = self.call("pi", "--frames", "frames", "--count", "3", "--stats", "moving.img")
        self.assertIn("pictures 3", done.err)
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, "frames"))),
                         [f"frame-0000{number}.png" for number in (1, 2, 3)])
        self.assertEqual(self.call("pi", "--count", "0", "picture.img").status, USAGE)

    def test_preview_as_blocks(self):
        for option in ("--preview", "--preview=blocks"):
            self.assertEqual(block_rows(self.call("pi", option, "picture.img").out), ROWS)
        self.assertEqual(self.call("pi", "--preview=dots", "picture.img").status, USAGE)
        self.assertEqual(self.call("pi", "--preview", "echo.img", "--until", "time:0.1").out, ">")

    def test_preview_as_sixel(self):
        rows = sixel_rows(self.call("pi", "--preview=sixel", "picture.img").out)
        self.assertEqual((len(rows), len(rows[0])), (16, 3 * 32))
        for row, expected in zip(rows, ROWS):  # colours are percentages, of means of the 5 top bits
            self.assertTrue(all(abs(is_ - wanted) <= 9 for is_, wanted in zip(row, expected)))

    def test_preview_on_a_terminal(self):
        """A terminal with parameter 4 in its attributes can show sixel. A small terminal gets a small picture."""
        for attributes, is_sixel in ((b"\x1b[?62;4;22c", True), (b"\x1b[?64;14c", False), (b"", False)):
            terminal = self.terminal("--preview", "--quiet", "picture.img", attributes=attributes, size=(6, 16))
            self.assertEqual(terminal.end(), DONE)
            self.assertEqual(b"\x1bP" in terminal.out, is_sixel, attributes)
            self.assertEqual(terminal.out.count("\u2580".encode()), 0 if is_sixel else 16 * 4)

    def test_capture(self):
        """The capture's picture is the machine's."""
        done = self.call("pi", "--capture", "work.elf", "-o", "last.png", "picture.img")
        self.assertEqual(done.status, DONE, done.err)
        self.assertEqual(self.call("run", "work.elf").status, DONE)
        self.assertEqual(self.read("frame-00001.png"), self.read("last.png"))
        done = self.call("pi", "--gdb", "0", "--capture", "work.elf", "picture.img")
        self.assertEqual(done.status, USAGE)
        self.assertIn("monitor capture", done.err)

    def test_keys(self):
        terminal = self.terminal("echo.img")
        terminal.wait_for(b">")
        self.assertFalse(terminal.lines())
        terminal.send(b"hello\r")
        terminal.wait_for(b">hello\r")
        terminal.send(b"\x01\x01\x01c\x1a!")
        terminal.wait_for(b"\x01\x03\x1a!")
        terminal.send(b"\x01x")
        terminal.wait_for(b"you have ended the run")
        self.assertEqual(terminal.end(), DONE)

    def test_keys_that_wake(self):
        terminal = self.terminal("--quiet", "wait.img")
        for key in (b"a", b"b"):
            time.sleep(0.5)
            terminal.send(key)
            terminal.wait_for(key)
        terminal.send(b"\x03")
        self.assertEqual((terminal.end(), terminal.out), (DONE, b"ab\r\n"))

    def test_ends_of_a_terminal_run(self):
        """Ctrl-C and signals end the run with its reports. The terminal gets its settings back."""
        for end in (b"\x03", signal.SIGTERM, signal.SIGHUP):
            terminal = self.terminal("--stats", "--uart", "uart.txt", "echo.img")
            terminal.wait_for(b"note: keys go to the UARTs")
            time.sleep(0.3)
            if isinstance(end, bytes):
                terminal.send(end)
            else:
                os.kill(terminal.pid, end)
            terminal.wait_for(b"pictures 0")
            self.assertEqual(terminal.end(), DONE)
            self.assertTrue(terminal.lines())
            self.assertEqual(self.read("uart.txt"), b">")

    def test_default_limit(self):
        """Without a key, the run ends after ten seconds, as without a terminal."""
        start = time.monotonic()
        terminal = self.terminal("echo.img")
        terminal.wait_for(b"stopped after 10 s")
        self.assertGreater(time.monotonic() - start, 9.9)
        self.assertEqual(terminal.end(), DONE)

    def test_broken_pipe(self):
        """A broken pipe ends the run, with SIGPIPE and without. The terminal gets its settings back."""
        for prefix in "", "env --default-signal=PIPE ":  # Python ignores the signal
            self.break_pipe(prefix)

    def break_pipe(self, prefix):
        terminal = self.terminal("-c", f"{prefix}{rig.TESSERA} pi echo.img | head -c 1; sleep 1; echo end", program=("sh",))
        terminal.wait_for(b">")
        for _ in range(4):
            time.sleep(0.2)
            terminal.send(b"a")
        terminal.wait_for(b"end\r\n")
        self.assertEqual(terminal.end(), DONE)
        self.assertTrue(terminal.lines())

    def test_kernel_that_ends(self):
        """On a terminal too, the run ends when nothing can wake the kernel."""
        terminal = self.terminal("--quiet", "-o", "last.png", "picture.img")
        self.assertEqual((terminal.end(), terminal.out), (DONE, b""))

    def test_input_file(self):
        self.write("input", b"abc")
        done = self.call("pi", "--input", "input", "--until", "uart:c", "echo.img")
        self.assertEqual((done.status, done.out), (DONE, ">abc"))

    def test_port(self):
        """Both directions, faster than --input: 2000 bytes take less than a second of 115200 baud."""
        program = subprocess.Popen([rig.TESSERA, "pi", "--uart", "tcp:0", "--stats", "--until", "uart:END", "echo.img"],
                                   cwd=self.folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        found = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", program.stderr.readline())
        with socket.create_connection(("127.0.0.1", int(found[1])), timeout=rig.SECONDS) as client:
            sent, got = bytes(range(32, 127)) * 21 + b"END", b""
            client.sendall(sent)
            while part := client.recv(65536):
                got += part
        self.assertEqual(got, b">" + sent)
        _, errors = program.communicate(timeout=rig.SECONDS)
        self.assertEqual(program.returncode, DONE)
        self.assertLess(float(re.search(r"time ([\d.]+) s", errors)[1]), 1)

    def test_wrong_ports(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            for port in ("x", "65536", str(taken.getsockname()[1])):
                done = self.call("pi", "--uart", "tcp:" + port, "echo.img")
                self.assertEqual(done.status, USAGE)
                self.assertIn(port, done.err)

    def window(self, *arguments):
        environment = {**os.environ, "SDL_VIDEODRIVER": "dummy"}
        done = subprocess.run([rig.TESSERA, "pi", "--window", *arguments], env=environment, cwd=self.folder, timeout=rig.SECONDS,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if "was built without SDL2" in done.stderr or "libSDL2" in done.stderr:
            self.skipTest("no SDL2")
        return done

    def test_window(self):
        """A window stays open after the kernel's end, and is not faster than the board."""
        start = time.monotonic()
        done = self.window("--until", "time:0.5", "--stats", "-o", "last.png", "picture.img")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertGreaterEqual(time.monotonic() - start, 0.45)
        self.assertIn("time 0.5", done.stderr)
        self.assertEqual(rig.picture(os.path.join(self.folder, "last.png")), (32, 16, ROWS))
        self.assertEqual(self.call("pi", "--gdb", "0", "--window", "picture.img").status, USAGE)


class Boards(rig.Case):
    files = {"echo.img": image(ECHO), "wide.elf": b"\x7fELF\x02\x01\x01" + bytes(57), "kernel8.img": image((0x14000000,)),
             "narrow.elf": b"\x7fELF\x01\x01\x01" + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 40, 1, 0x8000, 52, 0, 0, 52, 32, 1, 0, 0, 0) +
                           struct.pack("<IIIIIIII", 1, 84, 0x8000, 0x8000, 4, 4, 5, 4) + image((0xeafffffe,))}

    def folder_with(self, config, *names):
        os.makedirs(os.path.join(self.folder, "boot"), exist_ok=True)
        for name in os.listdir(os.path.join(self.folder, "boot")):
            os.remove(os.path.join(self.folder, "boot", name))
        self.write("boot/config.txt", config)
        for name in names:
            self.write("boot/" + name, image((0x14000000 if name == "kernel8.img" else 0xeafffffe,)))  # b .

    def test_width(self):
        """A kernel of 64 bits needs a board with such cores."""
        for name in ("wide.elf", "kernel8.img"):
            for board in ("zero", "pi1", "pi2"):
                done = self.call("pi", "--board", board, name)
                self.assertEqual(done.status, USAGE)
                self.assertIn("choose --board pi3 or zero2", done.err)
        for board in ("pi3", "zero2"):
            self.assertEqual(self.call("pi", "--board", board, "kernel8.img").status, DONE)
            self.assertEqual(self.call("pi", "--board", board, "narrow.elf").status, DONE)

    def test_choice_of_images(self):
        names = ("kernel.img", "kernel7.img", "kernel8.img")
        for board, config, wide in (("zero", "", False), ("pi2", "", False), ("pi3", "", True), ("zero2", "", True),
                                    ("pi3", "arm_64bit=0", False), ("zero2", "[pi02]\narm_64bit=0", False),
                                    ("pi3", "[pi02]\narm_64bit=0", True), (None, "", True), (None, "arm_64bit=0", False)):
            self.folder_with(config, *names)
            arguments = ("--board", board) if board else ()
            done = self.call("pi", *arguments, "--stats", "boot")
            self.assertEqual(done.status, DONE, (board, config, done.err))
            wrong = self.call("pi", *arguments, "--address", "0", "--until", "time:1ms", "boot")
            self.assertEqual(wrong.status, DONE, (board, config, wrong.err))
        self.folder_with("", "kernel8.img")
        self.assertIn("no kernel.img", self.call("pi", "--board", "pi2", "boot").err)
        self.folder_with("arm_64bit=1", "kernel.img")
        self.assertIn("no kernel.img", self.call("pi", "--board", "pi3", "boot").err)

    def test_memory(self):
        """The ARM gets the memory that total_mem and gpu_mem leave: a kernel at its end does not fit."""
        self.folder_with("total_mem=256\ngpu_mem_512=128\ngpu_mem=16", "kernel.img")
        for address, fits in ((0x7fffffc, True), (0x8000000, False)):
            done = self.call("pi", "--board", "zero", "--address", str(address), "boot")
            self.assertEqual(done.status, DONE if fits else USAGE, done.err)
        self.folder_with("total_mem=128\ngpu_mem=128", "kernel.img")
        self.assertIn("choose another size by --gpu-mem", self.call("pi", "--board", "zero", "boot").err)

    def test_initramfs(self):
        self.write("ram.gz", b"x" * 100)
        for address, fits in (("followkernel", True), ("0x800000", True), ("0x7fffffff", False)):
            self.folder_with(f"initramfs ram.gz {address}", "kernel.img")
            self.write("boot/ram.gz", b"x" * 100)
            self.assertEqual(self.call("pi", "boot").status, DONE if fits else USAGE, address)


if __name__ == "__main__":
    unittest.main()
