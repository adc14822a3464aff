#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the notes of tessera pi that name the kernel's function and source line. Usage: pi_places.py TESSERA. The kernel
is compiled by Debian's arm-none-eabi-gcc; without it, the test is skipped."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TESSERA = sys.argv[1]
GCC = shutil.which("arm-none-eabi-gcc")
SKIPPED = 77

# Switches the V3D on, starts a list that begins with a reserved record, and writes to an address without memory.
SOURCE = """\
#define REG(a) (*(volatile unsigned *)(a))
static unsigned buffer[8] __attribute__((aligned(16))) = {32, 0, 0x30012, 4, 4, 1, 0, 0};

__attribute__((noinline)) static void start_list(void)
{
    REG(0x20c00110) = 0x100;
    REG(0x20c00108) = 0x108; // starts
    while (REG(0x20c00100) & 0x20)
        ;
}

__attribute__((noinline)) static void wild(void)
{
    REG(0x30000000) = 1; // outside
}

void main(void)
{
    REG(0x2000b8a0) = (unsigned)buffer | 8;
    while (REG(0x2000b898) & 0x40000000)
        ;
    (void)REG(0x2000b880);
    REG(0x100) = 0x55555555;
    start_list();
    wild();
}

__attribute__((naked)) void _start(void)
{
    asm("mov sp, #0x8000\\n bl main\\n 1: b 1b");
}
"""


def line_of(comment):
    return next(number for number, line in enumerate(SOURCE.splitlines(), 1) if comment in line)


def notes(folder, *options):
    source, kernel = folder / "wrong.c", folder / "wrong.elf"
    source.write_text(SOURCE)
    subprocess.run([GCC, "-O1", "-mcpu=arm1176jzf-s", "-nostdlib", "-ffreestanding", "-Wl,-Ttext=0x8000,-e_start",
                    "-o", str(kernel), str(source), *options], check=True, timeout=120)
    result = subprocess.run([TESSERA, "pi", str(kernel)], capture_output=True, text=True, timeout=120)
    if "libtessera-arm.so is missing" in result.stderr:
        print("the engine of ARM cores is not built")
        sys.exit(SKIPPED)
    return result.stderr


def check(text, pattern):
    assert re.search(pattern, text, re.M), f"{pattern!r} is not in:\n{text}"


def main():
    if not GCC:
        print("without arm-none-eabi-gcc")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for version in (2, 3, 4, 5):
            text = notes(folder, f"-gdwarf-{version}")
            check(text, rf"^note: started by start_list\+0x[0-9a-f]+ \(wrong\.c:{line_of('// starts')}\)")
            check(text, rf"^note: accessed by wild\+0x[0-9a-f]+ \(wrong\.c:{line_of('// outside')}\)")
        check(notes(folder), r"^note: started by start_list\+0x[0-9a-f]+ \[")
        check(notes(folder, "-s"), r"^note: started by the instruction at 0x80[0-9a-f]{2} \[")


main()
