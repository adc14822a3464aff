# SPDX-License-Identifier: MIT
"""elf.py - writes small ELF files for the tests of programs that a shim can run."""
import struct

PT_LOAD, PT_DYNAMIC, PT_INTERP = 1, 2, 3


def elf(machine=62, interpreter=True, wide=True, kind=None):
    """Returns a small ELF program, which is never executed. It has a header and two program headers: PT_LOAD, and
    PT_INTERP or another kind."""
    kind = kind or (PT_INTERP if interpreter else PT_LOAD)
    ident = b"\x7fELF" + bytes([2 if wide else 1, 1, 1]) + bytes(9)
    if wide:
        return ident + struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0) + struct.pack("<I52xI52x", kind, PT_LOAD)
    return ident + struct.pack("<HHIIIIIHHHHHH", 2, machine, 1, 0, 52, 0, 0, 52, 32, 2, 0, 0, 0) + struct.pack("<I28xI28x", kind, PT_LOAD)
