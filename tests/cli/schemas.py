#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""schemas.py - tests that the JSON that the program writes conforms to docs/schema/: schemas.py TESSERA. Needs
Debian's python3-jsonschema, which scripts/setup installs."""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import jsonschema

TESSERA = os.path.abspath(sys.argv.pop(1))
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SCHEMAS = os.path.join(ROOT, "docs", "schema")
EXAMPLES = os.path.join(ROOT, "examples")
PROGRAMS = os.path.join(ROOT, "tests", "programs")
LATE = "mov ra1, unif\nmov r0, ra1\nnop; thrend\nnop\nnop\n"


def schema(name):
    with open(os.path.join(SCHEMAS, name + ".json"), encoding="utf-8") as file:
        return json.load(file)


VALIDATORS = {}


def problems(name, document):
    if name not in VALIDATORS:
        VALIDATORS[name] = jsonschema.Draft202012Validator(schema(name))
    return [error.message[:300] for error in VALIDATORS[name].iter_errors(document)]


class Outputs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def call(self, *arguments):
        done = subprocess.run([TESSERA, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=120, check=False)
        self.assertIn(done.returncode, (0, 1, 2), arguments)
        return done

    def expect(self, name, text):
        self.assertNotEqual(text.strip(), "")
        self.assertEqual(problems(name, json.loads(text)), [], text[:500])

    def expect_lines(self, name, text):
        self.assertNotEqual(text.strip(), "")
        for line in text.splitlines():
            self.assertEqual(problems(name, json.loads(line)), [], line[:500])

    def example(self, *parts):
        return os.path.join(EXAMPLES, *parts)

    def scene(self):
        self.call("asm", "-o", "scene.elf", self.example("vc4", "gl-triangle", "gl-triangle.qasm"))
        return "scene.elf"

    def test_schemas(self):
        """The files in docs/schema/ must be valid schemas. Each must reject an invalid document."""
        names = [os.path.basename(path)[:-5] for path in glob.glob(os.path.join(SCHEMAS, "*.json"))]
        with open(os.path.join(SCHEMAS, "README.md"), encoding="utf-8") as file:
            readme = file.read()
        for name in names:
            jsonschema.Draft202012Validator.check_schema(schema(name))
            self.assertTrue(problems(name, {"nothing": 1}), name)
            self.assertIn("[%s.json](%s.json)" % (name, name), readme)

    def test_check(self):
        self.write("late.qasm", LATE), self.write("bad.qasm", ".macro m\nfrob\n.endm\nm\n")
        self.write("early.gp", "load.reg0 3; acc0.mov reg0.x; store0.varying 0, acc0, _\n")
        self.write("a.a2xx", "EXEC_END\nALU: MAXv export0 = R0, R5\n")
        self.call("asm", "--no-check", "-f", "bin", "-o", "late.bin", "late.qasm")
        for files in (["late.qasm", "bad.qasm", "nosuch"], ["late.bin"], ["early.gp"], ["a.a2xx"]):
            self.expect("check", self.call("check", "--json", *files).stdout)
        self.expect("check", self.call("check", "--json", self.example("vc4", "gl-triangle", "gl-triangle.qasm")).stdout)

    def test_rules(self):
        for machine in ("qpu", "gp", "a2xx"):
            self.expect("rules", self.call("check", "-m", machine, "--list-rules", "--json").stdout)
        for name in ("end-uses-r14", "qpu-uninitialised", "HW-2116", "asm-undefined", "expect-met", "cl-alias", "pi-v3d-off"):
            for verb in ("check", "run"):
                self.expect("explanation", self.call(verb, "--explain", name, "--json").stdout)

    def test_diagnostics(self):
        self.write("late.qasm", LATE), self.write("bad.qasm", "frob\nmov r0, unfi\n")
        self.expect_lines("diagnostic", self.call("asm", "--json", "-f", "hex", "late.qasm", "bad.qasm").stderr)
        for path in sorted(glob.glob(os.path.join(PROGRAMS, "findings", "*.qasm")))[::8]:
            self.call("asm", "--no-check", "-I", PROGRAMS, "-o", "f.elf", path)
            done = self.call("run", "--json", "--max-instructions", "100000", "f.elf")
            if done.stderr:
                self.expect_lines("diagnostic", done.stderr)

    def test_dis(self):
        self.expect("dis", self.call("dis", "--json", self.scene()).stdout)
        for source in (self.example("utgard", "lighting", "lighting.gp"), self.example("a2xx", "cube", "crate.a2xx")):
            machine = source.rsplit(".", 1)[1]
            self.call("asm", "-m", machine, "-o", "p.elf", source)
            self.expect("dis", self.call("dis", "-m", machine, "--json", "p.elf").stdout)
        self.write("odd.hex", "0x15c27df7, 0x10020027, 0x00000000, 0xe4000027, 0x3f800000, 0x3f800000\n")
        self.expect("dis", self.call("dis", "--json", "odd.hex").stdout)

    def test_decode(self):
        self.expect("decode", self.call("decode", "--json", self.scene()).stdout)
        self.call("asm", "-o", "t.elf", self.example("vc4", "textured-triangle", "textured-triangle.qasm"))
        self.expect("decode", self.call("decode", "--json", "t.elf").stdout)

    def test_statistics(self):
        self.expect("statistics", self.call("run", "--stats", "--json", self.scene()).stdout)
        lighting = [self.example("utgard", "lighting", name) for name in ("vertices.csv", "uniforms.csv", "lighting.gp")]
        self.expect("statistics", self.call("run", "-m", "gp", "--stats", "--json", "--attributes", lighting[0], "--uniforms",
                                            lighting[1], "-o", os.devnull, lighting[2]).stdout)
        cube = [self.example("a2xx", "cube", name) for name in ("vertices.csv", "uniforms.csv", "cube.a2xx")]
        self.expect("statistics", self.call("run", "-m", "a2xx", "--stats", "--json", "--attributes", cube[0], "--uniforms",
                                            cube[1], "-o", os.devnull, cube[2]).stdout)

    def test_traces(self):
        self.call("run", "--json", "--trace", "trace.jsonl", self.scene())
        with open(os.path.join(self.folder, "trace.jsonl"), encoding="utf-8") as file:
            self.expect_lines("trace", "".join(next(file) for _ in range(200)))
        lighting = [self.example("utgard", "lighting", name) for name in ("vertices.csv", "uniforms.csv", "lighting.gp")]
        self.expect_lines("trace", self.call("run", "-m", "gp", "--trace-vertex", "0", "--json", "--attributes", lighting[0],
                                             "--uniforms", lighting[1], "-o", os.devnull, lighting[2]).stdout)
        cube = [self.example("a2xx", "cube", name) for name in ("vertices.csv", "uniforms.csv", "cube.a2xx")]
        self.expect_lines("trace", self.call("run", "-m", "a2xx", "--trace-vertex", "0", "--json", "--attributes", cube[0],
                                             "--uniforms", cube[1], "-o", os.devnull, cube[2]).stdout)

    def test_gl_list(self):
        self.expect("gl-list", self.call("gl", "--list", "--json").stdout)


if __name__ == "__main__":
    unittest.main()
