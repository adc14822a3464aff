#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pi.py - tests the options of tessera pi: pi.py TESSERA. The kernels are a few instructions each, beside their words."""
import os
import struct
import unittest

import rig
from rig import DONE, USAGE, WRONG

# Sends "OK" and a new line by the PL011, waits until the UART is idle, and branches to itself.
OK = (
    0xe59f0050,  # ldr r0, =0x20201000
    0xe3a0101a, 0xe5801024,  # IBRD = 26
    0xe3a01003, 0xe5801028,  # FBRD = 3: 115200 baud from 48 MHz
    0xe3a01070, 0xe580102c,  # LCRH: eight bits, FIFOs
    0xe59f1038, 0xe5801030,  # CR = 0x301: UART, receiver and transmitter on
    0xe59f2034, 0xe3a01909, 0xe5821000,  # GPFSEL1: pins 14 and 15 have function 0
    0xe3a0104f, 0xe5801000,  # 'O'
    0xe3a0104b, 0xe5801000,  # 'K'
    0xe3a0100a, 0xe5801000,
    0xe5901018, 0xe3110008, 0x1afffffc,  # while (FR & BUSY)
    0xeafffffe,  # b .
    0x20201000, 0x00000301, 0x20200004)
# Stores the level of pin 17 at 0x9000 again and again: never ends.
FOREVER = (0xe3a00202, 0xe2800602, 0xe5901034, 0xe3a02a09, 0xe5821000, 0xeafffffb)
# Makes pin 16 an output, sets, clears and sets it, and branches to itself.
BLINK = (0xe3a00202, 0xe2800602, 0xe3a01701, 0xe5801004, 0xe3a01801, 0xe580101c, 0xe5801028, 0xe580101c, 0xeafffffe)
# Changes pin 16 each 1234 us, by a loop that waits for the ARM timer's free counter of 1 MHz.
FREE_COUNTER = (
    0xe3a00202, 0xe2800602, 0xe59f104c, 0xe3a02701, 0xe5802004,  # r0 = GPIO, r1 = ARM timer; the pin is an output
    0xe59f2044, 0xe5812008, 0xe5913020,  # control: prescaler 250, free counter; r3 = counter
    0xe3a05801, 0xe59f6038, 0xe580501c,  # set the pin
    0xe5914020, 0xe0444003, 0xe1540006, 0x3afffffb, 0xe0833006,  # wait
    0xe5805028, 0xe5914020, 0xe0444003, 0xe1540006, 0x3afffffb, 0xe0833006, 0xeafffff2,  # clear the pin, wait
    0x2000b400, 0x00f90200, 1234)
# The same with the system timer, in Thumb.
THUMB = (
    0xe3a00202, 0xe2800602, 0xe59f1034, 0xe3a02701, 0xe5802004, 0xe59f602c, 0xe3a05801, 0xe5913004, 0xe28f4001, 0xe12fff14,
    0x684c61c5, 0x42b41ae4, 0x199bd3fb, 0x684c6285, 0x42b41ae4, 0x199bd3fb, 0x46c0e7f2,
    0x20003000, 1234)
# A branch at 0x8000 to another page, where 200,000 instructions run. They replace the branch by a store that sets pin 17 and a
# branch to itself, and branch to it.
REPLACED = (0xea0003fe, *1023 * (0,),
    0xe59f0040, 0xe3a01602, 0xe5801004, 0xe3a02902, 0xe3a07801, 0xe5924008, 0xe2577001, 0x0a000003,
    0xe3170001, 0x0a000000, 0xeafffff9, 0xeafffff8, 0xe59f3014, 0xe3a05802, 0xe59f6010, 0xe5823000,
    0xe5826004, 0xe12fff12, 0x20200000, 0xe580501c, 0xeafffffe)

# A Linux image of 64 bits (Documentation/arm64/booting.rst) that sends its address divided by 1 MiB, as a digit.
LINUX = (
    0x14000010, 0, 0, 0, *(0,) * 10, 0x644d5241, 0,  # b code; offset 0 from a multiple of 2 MiB; "ARM\x64"
    0x10000005,  # code: adr x5, .
    0x52820000, 0x72a7e400,  # mov w0, #0x3f201000
    0x52800021, 0xb9002401,  # IBRD = 1
    0x52800e01, 0xb9002c01,  # LCRH: eight bits, FIFOs
    0x52806021, 0xb9003001,  # CR = 0x301: UART, receiver and transmitter on
    0x52800082, 0x72a7e402, 0x52880001, 0x72a00041, 0xb9000041,  # GPFSEL1: pins 14 and 15 have function 0
    0x53147ca1, 0x1100c021, 0xb9000001,  # DR = x5 / 1 MiB + '0'
    0xb9401801, 0x371fffe1,  # while (FR & BUSY)
    0x14000000)  # b .


def image(words):
    return struct.pack(f"<{len(words)}I", *words)


def elf(words, address):
    """An ELF file with one segment."""
    code = image(words)
    head = b"\x7fELF" + bytes((1, 1, 1)) + bytes(9)
    head += struct.pack("<HHIIIIIHHHHHH", 2, 40, 1, address, 52, 0, 0, 52, 32, 1, 0, 0, 0)
    return head + struct.pack("<IIIIIIII", 1, 84, address, address, len(code), len(code), 5, 4) + code


class Pi(rig.Case):
    files = {"kernel.img": image(OK), "kernel.elf": elf(OK, 0x10000), "forever.img": image(FOREVER), "blink.img": image(BLINK)}

    def test_uart(self):
        done = self.call("pi", "kernel.img")
        self.assertEqual((done.status, done.out), (DONE, "OK\n"))
        self.assertIn("branches to itself forever", done.err)
        self.assertEqual(self.call("pi", "--quiet", "kernel.img").err, "")

    def test_elf_file(self):
        self.assertEqual(self.call("pi", "kernel.elf").out, "OK\n")

    def test_linux_image(self):
        """The image begins at the multiple of 2 MiB plus the offset of its header."""
        self.write("Image", image(LINUX))
        self.assertEqual(self.call("pi", "Image").out, "2")
        self.write("Image", image((*LINUX[:2], 0x80000, *LINUX[3:])))
        self.assertEqual(self.call("pi", "Image").out, "0")

    def test_raw_image_of_64_bits(self):
        code = image((0xd53800a3, *LINUX[16:]))  # mrs x3, mpidr_el1; at 0x80000
        self.write("game.img", code)
        self.write("kernel7.img", code)
        self.assertEqual(self.call("pi", "game.img").out, "0")
        self.assertEqual(self.call("pi", "--board", "pi3", "game.img").out, "0")
        self.assertIn("is a kernel of 64 bits", self.call("pi", "--board", "pi2", "game.img").err)
        self.assertNotIn("64 bits", self.call("pi", "--until", "time:1ms", "kernel7.img").err)  # as the firmware starts it

    def test_output_file(self):
        done = self.call("pi", "--uart", "uart.txt", "kernel.img")
        self.assertEqual((done.status, done.out), (DONE, ""))
        self.assertEqual(self.read("uart.txt"), b"OK\n")

    def test_expected_text(self):
        self.assertEqual(self.call("pi", "--expect-uart", r"OK\n", "kernel.img").status, DONE)
        done = self.call("pi", "--expect-uart", "ready", "kernel.img")
        self.assertEqual(done.status, WRONG)
        self.assertIn("has not sent the text of --expect-uart", done.err)

    def test_conditions(self):
        self.assertEqual(self.call("pi", "--until", "uart:O", "kernel.img").status, DONE)
        self.assertEqual(self.call("pi", "--until", "time:2ms", "forever.img").status, DONE)
        for condition in ("uart:", "frames:0", "time:-1", "time:1h", "never"):
            self.assertEqual(self.call("pi", "--until", condition, "kernel.img").status, USAGE, condition)

    def test_output_pins(self):
        """The firmware makes the LED's pin an output. Each instruction takes a cycle of 1000 MHz."""
        self.assertEqual(self.call("pi", "--gpio-log", "pins.csv", "blink.img").status, DONE)
        self.assertEqual(self.read("pins.csv"),
                         b"time,pin,level\n0.000000000,47,0\n0.000000005,16,1\n0.000000006,16,0\n0.000000007,16,1\n")
        self.assertEqual(self.call("pi", "--gpio-log", "absent/pins.csv", "blink.img").status, USAGE)

    def test_polled_counters(self):
        """A loop that polls a counter ends at the count."""
        for words in (FREE_COUNTER, THUMB):
            self.write("counter.img", image(words))
            self.call("pi", "--until", "time:40ms", "--gpio-log", "pins.csv", "counter.img")
            times = [float(line.split(",")[0]) for line in self.read("pins.csv").decode().splitlines() if ",16," in line]
            self.assertEqual(len(times), 33)
            for i, time in enumerate(times):
                self.assertAlmostEqual(time, i * 1234e-6, delta=50e-9)

    def test_replaced_code(self):
        self.write("replaced.img", image(REPLACED))
        done = self.call("pi", "--board", "pi1", "--gpio-log", "pins.csv", "replaced.img")
        self.assertIn("branches to itself forever", done.err)
        self.assertIn(b",17,1\n", self.read("pins.csv"))

    def test_missing_picture(self):
        done = self.call("pi", "-o", "picture.png", "kernel.img")
        self.assertEqual(done.status, USAGE)
        self.assertIn("no framebuffer", done.err)

    def test_boot_folder(self):
        os.mkdir(os.path.join(self.folder, "boot"))
        done = self.call("pi", "boot")
        self.assertEqual(done.status, USAGE)
        self.assertIn("no kernel.img", done.err)
        self.write("boot/own.img", image(OK))
        self.write("boot/config.txt", b"[pi3]\nkernel=none.img\n[all]\nkernel=own.img # ours\nkernel_address=0x20000\n")
        self.assertEqual(self.call("pi", "--board", "pi1", "boot").out, "OK\n")

    def test_wrong_values(self):
        for options in (("--board", "pi9"), ("--clock", "fast"), ("--clock", "5k"), ("--gpu-mem", "8"), ("--address", "x"),
                        ("--gpio", "54=1"), ("--gpio", "17=2"), ("--gpio", "17=1@soon"), ("--threads", "0")):
            done = self.call("pi", *options, "kernel.img")
            self.assertEqual(done.status, USAGE, options)
            self.assertIn(options[1], done.err)
        self.assertEqual(self.call("pi").status, USAGE)
        self.assertEqual(self.call("pi", "absent.img").status, USAGE)
        done = self.call("pi", "--address", "0x3fffffff", "kernel.img")
        self.assertEqual(done.status, USAGE)
        self.assertIn("does not fit into the ARM's memory", done.err)

    def test_same_times(self):
        """The run takes the same time on each host: three bytes of 10 bits at 115177 baud."""
        done = self.call("pi", "--stats", "kernel.img")
        self.assertIn("time 0.000260 s", done.err)


if __name__ == "__main__":
    unittest.main()
