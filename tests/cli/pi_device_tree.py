#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pi_device_tree.py - tests what tessera pi writes into device trees: pi_device_tree.py TESSERA. The format is that of the
Devicetree Specification 0.4, chapter 5."""
import os
import struct
import unittest

import rig
from rig import DONE, USAGE

BEGIN, END, PROPERTY, NOP, LAST = 1, 2, 3, 4, 9
MIB = 1 << 20

# Sends the device tree by the PL011, byte for byte, and branches to itself.
SEND = (
    0xe1a05002,  # mov r5, r2
    0xe59f0054,  # ldr r0, =0x20201000
    0xe3a01001, 0xe5801024,  # IBRD = 1
    0xe3a01070, 0xe580102c,  # LCRH: eight bits, FIFOs
    0xe59f1044, 0xe5801030,  # CR = 0x301: UART, receiver and transmitter on
    0xe59f2040, 0xe3a01909, 0xe5821000,  # GPFSEL1: pins 14 and 15 have function 0
    0xe5954004, 0xe6bf4f34,  # r4 = the tree's size: ldr r4, [r5, #4]; rev r4, r4
    0xe5901018, 0xe3110020, 0x1afffffc,  # while (FR & FULL)
    0xe4d51001, 0xe5801000,  # DR = *r5++
    0xe2544001, 0x1afffff8,  # again for r4 bytes
    0xe5901018, 0xe3110008, 0x1afffffc,  # while (FR & BUSY)
    0xeafffffe,  # b .
    0x20201000, 0x00000301, 0x20200004)


def padded(data):
    return data + bytes(-len(data) % 4)


def node(name, properties, *children):
    """The bytes of a node without the names of its properties, which `names` has."""
    data = struct.pack(">I", BEGIN) + padded(name.encode() + b"\0")
    for key, value in properties.items():
        data += struct.pack(">III", PROPERTY, len(value), names.find(key.encode() + b"\0")) + padded(value)
    return data + b"".join(children) + struct.pack(">I", END)


names = b"#address-cells\0#size-cells\0reg\0bootargs\0"


def blob(root):
    structure = root + struct.pack(">I", LAST)
    at = 40 + 16
    size = at + len(structure) + len(names)
    return struct.pack(">10I", 0xd00dfeed, size, at, at + len(structure), 40, 17, 16, 0, len(names), len(structure)) + \
        bytes(16) + structure + names


def cells(*values):
    return struct.pack(f">{len(values)}I", *values)


def text_at(data, at):
    return data[at:data.index(b"\0", at)].decode()


def properties_of(tree):
    """All properties of a tree by their paths."""
    _, _, at, strings = struct.unpack_from(">4I", tree)
    found, path = {}, []
    while True:
        token, = struct.unpack_from(">I", tree, at)
        at += 4
        if token == BEGIN:
            path.append(text_at(tree, at))
            at += (len(path[-1]) + 4) // 4 * 4
        elif token == END:
            path.pop()
        elif token == PROPERTY:
            size, name = struct.unpack_from(">2I", tree, at)
            found["/".join([*path, text_at(tree, strings + name)])] = tree[at + 8:at + 8 + size]
            at += 8 + (size + 3) // 4 * 4
        elif token == LAST:
            return found


def small(address_cells=1, size_cells=1, **chosen):
    return blob(node("", {"#address-cells": cells(address_cells), "#size-cells": cells(size_cells)},
                     node("memory@0", {"reg": cells(0, 0)}), node("chosen", chosen)))


class DeviceTree(rig.Case):
    files = {"kernel.img": struct.pack(f"<{len(SEND)}I", *SEND), "initrd": b"x" * 5000}

    def seen(self, tree, *options):
        """The properties that the kernel sees."""
        self.write("tree.dtb", tree)
        done = self.call("pi", "--dtb", "tree.dtb", "--uart", "sent", *options, "kernel.img")
        self.assertEqual(done.status, DONE, done.err)
        return properties_of(self.read("sent"))

    def test_memory(self):
        self.assertEqual(self.seen(small())["/memory@0/reg"], cells(0, (512 - 64) * MIB))
        self.assertEqual(self.seen(small(2, 1), "--gpu-mem", "16")["/memory@0/reg"], cells(0, 0, (512 - 16) * MIB))

    def test_command_line(self):
        self.assertEqual(self.seen(small(), "--append", "quiet")["/chosen/bootargs"], b"quiet\0")
        tree = small(bootargs=b"dwc_otg.lpm_enable=0\0")
        self.assertEqual(self.seen(tree, "--append", "quiet")["/chosen/bootargs"], b"dwc_otg.lpm_enable=0 quiet\0")
        self.assertEqual(self.seen(tree)["/chosen/bootargs"], b"dwc_otg.lpm_enable=0\0")

    def test_initial_disk(self):
        seen = self.seen(small(), "--initrd", "initrd")
        start, end = (struct.unpack(">I", seen[f"/chosen/linux,initrd-{name}"])[0] for name in ("start", "end"))
        self.assertEqual(end - start, 5000)
        self.assertLessEqual(end, (512 - 64) * MIB)
        self.assertNotIn("/chosen/linux,initrd-start", self.seen(small()))

    def test_new_nodes(self):
        seen = self.seen(blob(node("", {"#address-cells": cells(1), "#size-cells": cells(1)})), "--append", "quiet")
        self.assertEqual(seen["/memory/reg"], cells(0, (512 - 64) * MIB))
        self.assertEqual(seen["/memory/device_type"], b"memory\0")
        self.assertEqual(seen["/chosen/bootargs"], b"quiet\0")
        self.assertEqual(seen["/system/linux,revision"], cells(0x9000c1))  # a Zero W

    def test_boot_folder(self):
        """The firmware loads the board's tree by its name, unless device_tree is set to nothing. The ATAGs begin with the size of
        ATAG_CORE in words, 5."""
        os.mkdir(os.path.join(self.folder, "boot"))
        self.write("boot/kernel.img", self.files["kernel.img"])
        self.write("boot/bcm2708-rpi-zero-w.dtb", small())
        self.write("boot/bcm2709-rpi-2-b.dtb", b"of another board")
        done = self.call("pi", "--board", "zero", "--uart", "sent", "boot")
        self.assertEqual(done.status, DONE, done.err)
        self.assertEqual(properties_of(self.read("sent"))["/memory@0/reg"], cells(0, (512 - 64) * MIB))
        self.write("boot/config.txt", b"device_tree=\n")
        self.call("pi", "--board", "zero", "--uart", "sent", "--until", "time:0.01", "boot")
        self.assertEqual(self.read("sent")[:4], struct.pack("<I", 5))

    def test_broken_trees(self):
        good = small()
        for tree in (b"", b"\xd0\x0d\xfe\xed", b"text" * 100, good[:-1], good[:60], good[:56] + b"\xff" * 4 + good[60:]):
            self.write("tree.dtb", tree)
            done = self.call("pi", "--dtb", "tree.dtb", "kernel.img")
            self.assertEqual(done.status, USAGE, tree)
            self.assertIn("'tree.dtb'", done.err)


if __name__ == "__main__":
    unittest.main()
