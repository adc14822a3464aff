#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""foreign_text.py - tests text that other tools write: foreign_text.py TESSERA. Tessera reads the text, or rejects
it with the name of a form that it can read. The forms are those of Broadcom's qasm.py as used in
jc-kynesim/rpi-ffmpeg, of doe300/VC4C (src/asm/KernelInfo.cpp, Instruction.cpp) and of xenia-project/xenia
(shader_translator.cc, shader.cc)."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TESSERA = os.path.abspath(sys.argv.pop(1))
DONE, WRONG = 0, 1
END = "nop; thrend\nnop\nnop\n"
VC4C_HEAD = ("// Module with 1 kernels, global data with 0 words (64-bit each), starting at offset 6 words and 0 words of stack-frame\n"
             "// Kernel 'f' with 4 instructions, offset 1, with following parameters: char* out\n")
VC4C_HEX = VC4C_HEAD + ("0xdeadbeaf, 0xdeadbeaf, \n0x15827d80, 0x10020827, //or r0, unif, unif\n"
                        "0x009e7000, 0x300009e7, //nop.thrend \n0x009e7000, 0x100009e7, //nop \n0x009e7000, 0x100009e7, //nop \n")
VC4C_ASM = VC4C_HEAD + "or r0, unif, unif\nldsi ra1, (-1,-1)\nbrr.anyz (pc+4) + 12\nnop.thrend \nnop \nnop \n"
XENIA = """/*    0.0 */       exec
/*    3   */          vfetch_full r1.xyz1, r0.x, vf95, DataFormat=FMT_32_32_32_FLOAT, Stride=3, Signed=true
/*    0.1 */       alloc position
/*    1.0 */       exece
/*    4   */          max oPos, r1, r1
"""


class Text(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, verb, name, text, *arguments):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        return subprocess.run([TESSERA, verb, *arguments, name], capture_output=True, text=True, cwd=self.folder, timeout=60, check=False)

    def words(self, source):
        done = self.call("asm", "a.qasm", source, "-f", "hex")
        self.assertEqual(done.returncode, DONE, done.stderr)
        return done.stdout, done.stderr

    def test_annotations_have_no_bits(self):
        line = "nop; mul24 r3, ra0.8b << 2, r0 << 2"
        plain, _ = self.words(line + "\n")
        for annotation in (' @ "mul_used", 0', ' @ "mul_unused", 0', '@"mul_used",0', ' @ "mul_used", 0 @ "other", 1', ' @ "x", 0 # text'):
            self.assertEqual(self.words(line + annotation + "\n")[0], plain, annotation)

    def test_annotated_rotations_are_meant(self):
        line = "mov ra1, unif\nnop\nmov r0, ra1 << 8"
        self.assertIn("rotate-needs-accumulators", self.call("check", "a.qasm", line + "\n" + END).stdout)
        done = self.call("check", "a.qasm", line + ' @ "mul_used", 0\n' + END)
        self.assertEqual((done.returncode, done.stdout), (DONE, ""))
        self.assertEqual(self.words(line + ' @ "mul_used", 0\n' + END)[1], "")

    def test_wrong_annotations(self):
        for annotation in ("@", "@ 3", '@ "x', '@ "x", 0 mov', '@ "x", 0; nop'):
            done = self.call("asm", "a.qasm", "mov r0, r1 " + annotation + "\n", "-f", "hex")
            self.assertEqual(done.returncode, WRONG, annotation)
            self.assertIn('hint: write @ "NAME", NUMBER at the end of the line', done.stderr, annotation)

    def test_vc4c_hexadecimal(self):
        done = self.call("dis", "module.hex", VC4C_HEX)
        self.assertEqual(done.returncode, DONE, done.stderr)
        lines = [line.split("#")[0].strip() for line in done.stdout.splitlines()]
        self.assertEqual(lines, [".int 0xdeadbeaf, 0xdeadbeaf", "mov r0, unif", "nop; thrend", "nop", "nop"])
        done = self.call("check", "module.hex", VC4C_HEX)
        self.assertEqual((done.returncode, done.stdout), (DONE, ""), done.stderr)

    def test_named(self):
        for name, text, words, hint, *arguments in (
                ("module.asm", VC4C_ASM, "assembly in VC4C's syntax", "--hex or vc4c --bin"),
                ("shader.txt", XENIA, "a listing of microcode by Xenia", ".ucode.bin.vert", "-m", "a2xx"),
                ("shader.a2xx", XENIA, "a listing of microcode by Xenia", ".ucode.bin.frag")):
            for verb in ("asm", "check", "dis"):
                done = self.call(verb, name, text, *arguments)
                self.assertNotEqual(done.returncode, DONE, (verb, name))
                self.assertIn(words, done.stderr, (verb, name))
                self.assertRegex(done.stderr, "hint: .*" + hint, (verb, name))

    def test_others_are_not_taken_for_them(self):
        self.assertEqual(self.call("asm", "a.qasm", "/* 1.0 */ nop\n", "-f", "hex").returncode, DONE)
        self.assertEqual(self.call("asm", "a.qasm", "// Module with 3 kernels\nnop\n", "-f", "hex").returncode, DONE)


if __name__ == "__main__":
    unittest.main()
