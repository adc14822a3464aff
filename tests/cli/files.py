#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""files.py - tests the recognition of files: files.py TESSERA. The files are sources of programs to run, files of
several machines together, folders, ELF files of each machine, and files of other programs."""
import json
import os
import pathlib
import shutil
import struct
import unittest

import rig
from rig import DONE, USAGE, WRONG

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

# Reads ra1 right after its write: error qpu-read-after-write, which exists for QPU programs only.
QPU = """.org 0x1000
shader:
    mov ra1, unif
    mov r0, ra1
    nop; thrend
    nop
    nop
uniforms:
    .word 42
"""
SCENE = ".scene qpu shader uniforms 1\n"
# Reads register 3 one instruction after the store to it: gp-register-early.
GP = """load.attr 0; acc0.mov attr.x; store0.reg 3, acc0, _
load.reg0 3; acc0.mov reg0.x; store0.varying 0, acc0, _
"""
# Lacks EXEC_END: a2xx-no-end.
A2XX = """EXEC
      ALU:    ADDv    R1 = R1, C0
ALLOC COORD SIZE(0x0)
EXEC
      ALU:    MAXv    export62 = R1, R1
"""
ELF64 = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHI", 2, 62, 1) + bytes(100)


class Case(rig.Case):
    def says(self, status, *arguments, says=(), not_says=(), stdin=b""):
        result = self.call(*arguments, stdin=stdin)
        self.assertEqual(result.status, status, (arguments, result.out, result.err))
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, result.out + result.err, arguments)
        for text in not_says:
            self.assertNotIn(text, result.out + result.err, arguments)
        return result


class Sources(Case):
    def test_source_of_a_scene_is_run(self):
        self.write("scene.qasm", QPU + SCENE)
        self.says(WRONG, "run", "scene.qasm", says="qpu-read-after-write")
        self.says(WRONG, "run", "-", stdin=(QPU + SCENE).encode(), says="qpu-read-after-write")
        self.says(WRONG, "decode", "scene.qasm", says="user program at 0x00001000 <shader>")

    def test_picture_is_the_same_as_that_of_the_elf_file(self):
        shutil.copy(EXAMPLES / "vc4/nv-triangle/nv-triangle.qasm", self.folder)
        self.says(DONE, "asm", "-o", "t.elf", "nv-triangle.qasm")
        self.says(DONE, "run", "-o", "elf.png", "t.elf")
        self.says(DONE, "run", "-o", "source.png", "nv-triangle.qasm")
        self.assertEqual(self.read("elf.png"), self.read("source.png"))

    def test_includes_and_constants(self):
        os.mkdir(os.path.join(self.folder, "parts"))
        self.write("parts/rest.qinc", ".if MANY == 3\n" + SCENE + ".endif\n")
        self.write("scene.qasm", QPU + '.include "rest.qinc"\n')
        for verb in "run", "decode":
            self.says(WRONG, verb, "scene.qasm", says="rest.qinc")
            self.says(WRONG, verb, "-I", "parts", "-D", "MANY=3", "scene.qasm", says="qpu-read-after-write")
            self.says(USAGE, verb, "-I", "parts", "-DMANY=2", "scene.qasm", says="no step")

    def test_what_has_no_steps_says_what_to_do(self):
        self.write("code.qasm", QPU)
        self.says(DONE, "asm", "--no-check", "-o", "code.elf", "code.qasm")
        self.write("only.qasm", "nop\n")
        self.says(DONE, "asm", "-f", "obj", "-o", "code.o", "only.qasm")
        for file in "code.qasm", "code.elf", "code.o":
            for verb in "run", "decode":
                self.says(USAGE, verb, file, says=["no step that runs it", ".scene qpu", "tessera check"])

    def test_bare_code(self):
        self.write("code.hex", "0x15827d80, 0x10020027,\n0x009e7000, 0x100009e7\n")
        self.says(USAGE, "run", "code.hex", says="no step that runs it")
        self.says(DONE, "dis", "-m", "qpu", "code.hex")
        self.write("code.bin", bytes.fromhex("807d8215270002100070 9e00e7090010".replace(" ", "")))
        self.says(USAGE, "run", "code.bin", says=["not an ELF file", "tessera asm -o", ".scene"])

    def test_programs_of_a_gpu_given_as_this_computers(self):
        self.write("scene.qasm", QPU + SCENE)
        for verb in "qpu", "gl":
            self.says(USAGE, verb, "--", "./scene.qasm", says="run it with 'tessera run ./scene.qasm'")
            self.says(USAGE, verb, "--", "./nowhere.qasm", says="No such file", not_says=["tessera run"])

    def test_mistakes_have_their_lines(self):
        self.write("scene.qasm", QPU + "    mvo r0, 1\n" + SCENE)
        self.says(WRONG, "run", "scene.qasm", says="scene.qasm:10:5: error")


class Machines(Case):
    files = {"q.qasm": QPU, "g.gp": GP, "a.a2xx": A2XX}

    def assemble(self, file, form, machine=()):
        out = file.replace(".", "_") + (".o" if form == "obj" else ".elf")
        self.says(DONE, "asm", "--no-check", *machine, "-f", form, "-o", out, file)
        return out

    def test_each_file_is_of_its_machine(self):
        alone = "".join(self.call("check", file).out for file in self.files)
        for order in (["q.qasm", "g.gp", "a.a2xx"], ["g.gp", "a.a2xx", "q.qasm"], ["a.a2xx", "q.qasm", "g.gp"]):
            result = self.says(WRONG, "check", *order, says=["qpu-read-after-write", "gp-register-early", "a2xx-no-end"])
            self.assertEqual(sorted(alone.splitlines()), sorted(result.out.splitlines()))

    def test_documents_of_several_machines(self):
        found = json.loads(self.says(WRONG, "check", "--json", *self.files).out)["findings"]
        self.assertEqual({finding["file"] for finding in found}, set(self.files))
        run = json.loads(self.says(WRONG, "check", "--sarif", *self.files).out)["runs"][0]
        for result in run["results"]:
            self.assertEqual(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], result["ruleId"])

    def test_machine_that_is_named_is_that_of_all(self):
        self.says(WRONG, "check", "-m", "gp", "q.qasm", "g.gp", says="q.qasm:")

    def test_elf_files_say_whose_they_are(self):
        self.write("plain.gp", "load.attr 0; acc0.mov attr.x; store0.varying 0, acc0, _\n" * 3)
        self.write("plain.a2xx", A2XX)
        for file in "g.gp", "a.a2xx", "plain.gp", "plain.a2xx":
            for form in ("elf", "obj"):
                elf = self.assemble(file, form)
                wanted, found = self.call("check", file), self.call("check", elf)
                rules = [sorted(line.split("[")[-1] for line in text.splitlines() if line.endswith("]"))
                         for text in (wanted.out, found.out)]
                self.assertEqual(set(rules[0]), set(rules[1]), (file, form))
                machine = file.split(".")[1]
                self.assertEqual(self.call("dis", elf).out, self.call("dis", "-m", machine, elf).out)
                self.says(USAGE, "decode", elf, says=["not a scene", f"tessera run -m {machine}"])

    def test_elf_files_without_symbols(self):
        """An ELF file without symbols is recognised by its interface (".tessera"), or by the names of sources in its
        line table. Both remain when symbols are stripped."""
        for example in "utgard/lighting/lighting.gp", "a2xx/cube/cube.a2xx", "a2xx/cube/crate.a2xx", "utgard/mvp/mvp.gp":
            self.says(DONE, "asm", "-o", "x.elf", str(EXAMPLES / example))
            elf = self.read("x.elf")
            self.write("s.elf", elf.replace(b"\0$g\0", b"\0$c\0").replace(b"\0$s\0", b"\0$c\0"))
            self.assertNotEqual(elf, self.read("s.elf"))
            machine = example.split(".")[1]
            self.assertEqual(self.call("dis", "s.elf").out, self.call("dis", "-m", machine, "s.elf").out)

    def test_elf_files_are_run(self):
        self.says(DONE, "asm", "-o", "mvp.elf", str(EXAMPLES / "utgard/mvp/mvp.gp"))
        data = ["--attributes", str(EXAMPLES / "utgard/mvp/vertices.csv"), "--uniforms",
                str(EXAMPLES / "utgard/mvp/uniforms.csv")]
        self.assertEqual(self.says(DONE, "run", *data, "mvp.elf").out,
                         self.says(DONE, "run", *data, str(EXAMPLES / "utgard/mvp/mvp.gp")).out)

    def test_one_program_is_of_one_machine(self):
        self.says(USAGE, "asm", "-o", "x", "q.qasm", "g.gp", says=["'q.qasm' and 'g.gp'", "different machines"])
        self.assertFalse(os.path.exists(os.path.join(self.folder, "x")))
        self.write("more.gp", GP)
        self.says(DONE, "asm", "--no-check", "-o", "x", "g.gp", "more.gp")
        self.assertEqual(len(self.read("x")), 4 * 16)

    def test_machine_code_is_no_source(self):
        elf = self.assemble("g.gp", "elf")
        self.says(USAGE, "asm", elf, says=["machine code, not a source", "tessera dis"])

    def test_values_are_named(self):
        self.says(USAGE, "check", "-m", "mali", "g.gp", says="qpu, gp or a2xx")
        self.says(USAGE, "asm", "-f", "exe", "g.gp", says="header-extern")
        self.says(USAGE, "dis", "-f", "exe", "g.gp", says="listing")
        self.says(USAGE, "check", "-k", "vertices", "g.gp", says="fragment")


class Folders(Case):
    def setUp(self):
        super().setUp()
        for name in "shaders/deep/er", "shaders/.git", "none":
            os.makedirs(os.path.join(self.folder, name))
        for name, text in {"shaders/b.qasm": QPU, "shaders/deep/g.gp": GP, "shaders/deep/er/a.a2xx": A2XX,
                           "shaders/part.qinc": "an include\n", "shaders/.git/x.qasm": "no\n", "shaders/text.md": "no\n",
                           "none/readme.txt": "nothing\n"}.items():
            self.write(name, text)
        self.write("shaders/other.elf", ELF64)

    def test_folders_are_searched(self):
        found = json.loads(self.says(WRONG, "check", "--json", "shaders").out)["findings"]
        files = list(dict.fromkeys(finding["file"] for finding in found))
        self.assertEqual(files, ["shaders/b.qasm", "shaders/deep/er/a.a2xx", "shaders/deep/g.gp"])
        self.assertEqual(self.call("check", "shaders/").out, self.call("check", "shaders").out)

    def test_machine_code_is_found(self):
        self.says(DONE, "asm", "--no-check", "-o", "none/g.elf", "shaders/deep/g.gp")
        self.says(WRONG, "check", "none", says="gp-register-early")

    def test_links_do_not_lead_in_circles(self):
        os.symlink("..", os.path.join(self.folder, "shaders/deep/up"))
        self.says(WRONG, "check", "shaders")

    def test_folders_without_programs(self):
        self.says(USAGE, "check", "none", says=["no programs found in the folder 'none'", ".qasm"])

    def test_other_verbs_want_files(self):
        for verb in "asm", "dis", "run", "decode":
            self.says(USAGE, verb, "shaders", says="Is a directory; name")

    def test_examples(self):
        self.says(DONE, "check", str(EXAMPLES))


class Foreign(Case):
    FOREIGN = {
        "PNG": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "JPEG": b"\xff\xd8\xff\xe0\0\x10JFIF\0", "GIF": b"GIF89a\1\0\1\0",
        "ZIP": b"PK\3\4\x14\0\0\0", "gzip": b"\x1f\x8b\x08\0\0\0\0\0", "PDF": b"%PDF-1.7\n", "x86-64": ELF64,
        "SPIR-V": b"\3\2\x23\7\0\0\1\0", "script": b"#!/bin/sh\necho\n", "XML": b"<?xml version='1.0'?>\n",
    }

    def test_what_it_is(self):
        for name, content in self.FOREIGN.items():
            self.write("file", content)
            for verb in (["check"], ["dis"], ["run"], ["decode"], ["asm"], ["run", "-m", "gp"], ["run", "-m", "a2xx"]):
                result = self.says(USAGE, *verb, "file", says=[f" {name}", "foreign-file", "hint: "])
                self.assertEqual(result.err.count(": error: "), 1, (verb, result.err))

    def test_this_computers_programs(self):
        self.says(USAGE, "check", "/bin/sh", says=["a program for ", "tessera qpu"])

    def test_text(self):
        self.write("notes.md", "# Notes\n\nThese are notes, and nothing else.\nOr are they?\n")
        for verb in "check", "run", "asm":
            result = self.says(USAGE, verb, "notes.md", says=["this is text", ".qasm"])
            self.assertEqual(result.err.count(": error: "), 1)
        self.write("program.txt", "# a program\nmov r0, 1\nnop; thrend\nnop\nnop\n")
        self.says(DONE, "check", "program.txt")

    def test_raw_words_can_be_anything(self):
        self.write("raw", self.FOREIGN["PNG"])
        self.says(DONE, "dis", "-f", "raw", "raw", says="#")

    def test_sources_that_start_themselves(self):
        self.write("x.qasm", "#!/usr/bin/env -S tessera run\n" + QPU + SCENE)
        self.says(WRONG, "run", "x.qasm", says="x.qasm:5")

    def test_sources_given_to_dis(self):
        self.write("x.qasm", QPU)
        self.says(USAGE, "dis", "x.qasm", says="'tessera asm'")


if __name__ == "__main__":
    unittest.main()
