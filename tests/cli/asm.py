#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""asm.py - tests the outputs of "tessera asm" in build scripts: asm.py TESSERA. If compilers and binutils are
installed, C files are compiled, and objects are linked and read. The expected words are those of nop, from the
manual's tables (all fields idle), and of the source's data."""
import json
import os
import unittest

import asm_rig
from asm_rig import needs
from rig import USAGE, WRONG

SOURCE = """\
.global answer, 42
::start
nop
nop # second
.global data
:data
.int 7, 8
"""
WORDS = [0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7, 7, 8]
HEX = "0x009e7000, 0x100009e7,\n0x009e7000, 0x100009e7,\n0x00000007, 0x00000008\n"


class Case(asm_rig.Case):
    files = {"code.qasm": SOURCE}

    def exists(self, name):
        return os.path.exists(os.path.join(self.folder, name))


class Outputs(Case):
    def test_several_at_once(self):
        self.asm("-o", "code.bin", "-C", "code.hex", "-c", "code.c", "-h", "code.h", "-e", "code.o", "code.qasm")
        words = self.read("code.bin")
        self.assertEqual([int.from_bytes(words[i:i + 4], "little") for i in range(0, len(words), 4)], WORDS)
        self.assertEqual(self.read_text("code.hex"), HEX)
        self.assertIn("#define answer 42\n#define start (code + 0)\n#define data (code + 4)\n", self.read_text("code.h"))
        self.assertEqual(self.read("code.o")[:4], b"\x7fELF")

    def test_formats(self):
        """The ending of the output's name selects the same format as -f."""
        os.mkdir(os.path.join(self.folder, "other"))
        for name, ending in (("bin", "bin"), ("hex", "hex"), ("c", "c"), ("header", "h"), ("obj", "o"), ("elf", "elf")):
            self.asm("-o", "x." + ending, "code.qasm")
            self.asm("-f", name, "-o", "other/x", "code.qasm")
            self.assertEqual(self.read("x." + ending), self.read("other/x"))
        self.assertEqual(self.asm("-f", "hex", "code.qasm").stdout, HEX)
        self.assertIn('#include "code.h"', self.asm("-f", "c-file", "code.qasm").stdout)

    def test_comments(self):
        self.assertEqual(self.asm("-v", "-C", "-", "code.qasm").stdout,
                         "// ::start\n"
                         "/* [0x00000000] */ 0x009e7000, 0x100009e7, // nop\n"
                         "/* [0x00000008] */ 0x009e7000, 0x100009e7, // nop # second\n"
                         "// ::data\n"
                         "/* [0x00000010] */ 0x00000007, 0x00000008  // .int 7, 8\n")

    def test_pre_include(self):
        os.mkdir(os.path.join(self.folder, "inc"))
        self.write("inc/first.qinc", ".set seven, 7\n")
        self.write("use.qasm", ".int seven\n")
        self.assertEqual(self.asm("-I", "inc", "-i", "first.qinc", "-C", "-", "use.qasm").stdout, "0x00000007\n")
        self.asm("-i", "none.qinc", "use.qasm", status=WRONG, says="none.qinc")
        self.asm("-i", "a>b", "use.qasm", status=WRONG)

    def test_wrong_usage(self):
        self.asm("-o", "x", "-C", "x", "code.qasm", status=USAGE, says="is given twice")
        self.asm("-C", "-", "-c", "-", "code.qasm", status=USAGE, says="is given twice")
        self.asm("-f", "hex", "-C", "x", "code.qasm", status=USAGE, says="-f needs exactly one -o")
        self.asm("-f", "hex", "-o", "x", "-o", "y", "code.qasm", status=USAGE, says="-f needs exactly one -o")
        self.asm("-C", status=USAGE, says="--help")

    def test_unwritable(self):
        """If one of two outputs cannot be written, the other must not be written either. Tested in both orders."""
        self.write("good.bin", "old")
        self.asm("-C", "nowhere/x", "-o", "good.bin", "code.qasm", status=USAGE, says="nowhere/x")
        self.asm("-o", "good.bin", "-C", "nowhere/x", "code.qasm", status=USAGE, says="nowhere/x")
        self.assertEqual(self.read("good.bin"), b"old")

    def test_all_or_nothing(self):
        self.write("placed.qasm", ".org 0x1000\nnop\n")
        self.asm("-C", "x.hex", "-e", "x.o", "placed.qasm", status=WRONG, says="placed.qasm:1")
        self.assertFalse(self.exists("x.hex") or self.exists("x.o"))

    def test_json(self):
        self.write("bad.qasm", "frob r0\nnop\n.int undefined_name\n")
        lines = self.asm("--json", "-C", "x", "bad.qasm", status=WRONG).stderr.splitlines()
        self.assertEqual([json.loads(line)["line"] for line in lines if '"error"' in line], [1, 3])


class CFiles(Case):
    @needs("gcc")
    def test_compiled(self):
        self.asm("-v", "-c", "code.c", "-h", "code.h", "-f", "c", "-o", "init.inc", "-C", "fragment.inc", "code.qasm")
        self.write("main.c", '#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n#include "code.h"\n'
                   "static const uint32_t braces[] =\n#include \"init.inc\"\n;\n"
                   "static const uint32_t fragment[] = {\n#include \"fragment.inc\"\n};\n"
                   "int main(void)\n{\n    for (int i = 0; i < 6; i++)\n        printf(\"%u \", code[i]);\n"
                   '    printf("%d %d %d", answer, *data, memcmp(braces, code, 24) | memcmp(fragment, code, 24));\n'
                   "    return sizeof braces != 24 || sizeof fragment != 24 || start != code;\n}\n")
        self.run_program("gcc", "-Wall", "-Werror", "-o", "main", "main.c", "code.c")
        output = self.run_program(os.path.join(self.folder, "main"))
        self.assertEqual([int(word) for word in output.split()], [*WORDS, 42, 7, 0])

    @needs("gcc")
    def test_source_lines_with_backslashes(self):
        self.write("odd.qasm", "nop # ends in \\\nnop\n")
        self.asm("-v", "-c", "odd.c", "-h", "odd.h", "odd.qasm")
        self.run_program("gcc", "-Wall", "-Werror", "-c", "odd.c")

    @needs("arm-none-eabi-gcc")
    def test_extern_header(self):
        self.asm("-H", "code.h", "-e", "code.o", "code.qasm")
        self.write("main.c", '#include "code.h"\nuint32_t value(void) { return answer + (uint32_t)&data[0]; }\n')
        self.write("inttypes.h", "#include <stdint.h>\n")  # a compiler without a C library has only the second
        self.run_program("arm-none-eabi-gcc", "-Wall", "-Werror", "-I", ".", "-c", "main.c")


class Objects(Case):
    @needs("readelf", "addr2line")
    def test_lines(self):
        self.asm("-e", "code.o", "code.qasm")
        decoded = self.run_program("readelf", "--debug-dump=decodedline", "code.o")
        rows = [line.split()[1:3] for line in decoded.splitlines() if line.startswith("code.qasm")]
        self.assertEqual(rows, [["3", "0"], ["4", "0x8"], ["7", "0x10"], ["-", "0x18"]])
        self.assertNotIn("arning", self.run_program("readelf", "-aW", "code.o"))

    @needs("arm-none-eabi-ld", "arm-none-eabi-nm", "arm-none-eabi-addr2line", "arm-none-eabi-objcopy")
    def test_linked(self):
        self.write("other.qasm", "nop\n:here\n.int :here\n.align 16\n")
        self.asm("-e", "code.o", "code.qasm")
        self.asm("-e", "other.o", "other.qasm", says="address")
        self.run_program("arm-none-eabi-ld", "-e", "0", "--fatal-warnings", "-Ttext", "0x10000", "-o", "all",
                         "code.o", "other.o")
        symbols = {line.split()[2]: int(line.split()[0], 16)
                   for line in self.run_program("arm-none-eabi-nm", "all").splitlines()}
        self.assertEqual((symbols["code_size"], symbols["other_size"], symbols["answer"]), (24, 16, 42))
        self.assertEqual(symbols["data"], symbols["code"] + 16)
        self.assertEqual(symbols["other"] % 16, 0)
        self.run_program("arm-none-eabi-objcopy", "-O", "binary", "-j", ".rodata", "all", "all.bin")
        word = self.read("all.bin")[symbols["here"] - symbols["code"]:][:4]
        self.assertEqual(int.from_bytes(word, "little"), symbols["here"])
        places = self.run_program("arm-none-eabi-addr2line", "-e", "all", hex(symbols["code"] + 8),
                                  hex(symbols["other"]), hex(symbols["here"]))
        self.assertEqual(places.split(), ["code.qasm:4", "other.qasm:1", "other.qasm:3"])

    @needs("readelf")
    def test_no_symbols(self):
        self.asm("-s", "-e", "code.o", "code.qasm")
        symbols = self.run_program("readelf", "-sW", "code.o")
        self.assertNotIn("code_size", symbols)
        self.assertIn("answer", symbols)

    def test_addresses_that_no_relocation_can_give(self):
        self.write("shifted.qasm", "nop\n:here\n.int :here >> 4\n")
        self.asm("-e", "x.o", "shifted.qasm", status=WRONG, says="shifted.qasm:3:1: error: the result depends")
        self.write("distance.qasm", ":here nop\n:there\n.int :there - :here\n")
        self.assertEqual(self.asm("-e", "x.o", "distance.qasm").stderr, "")

    @needs("readelf", "addr2line")
    def test_scene(self):
        self.write("scene.qasm", ".org 0x40001000\nnop\n.org 0x40000000\n.int 1\n.space 100\n")
        self.asm("-o", "scene.elf", "scene.qasm")
        places = self.run_program("addr2line", "-e", "scene.elf", "0x40001000", "0x40000000", "0x40000010")
        self.assertEqual(places.split(), ["scene.qasm:2", "scene.qasm:4", "scene.qasm:5"])


if __name__ == "__main__":
    unittest.main()
