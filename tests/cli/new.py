#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""new.py - tests "tessera new" and "tessera tutorial": new.py TESSERA SHIM COMPILER..., where SHIM states whether
"tessera qpu" works here. Each project must work as generated if the program is on PATH. The test runs make and the
other targets of the project's Makefile. tests/house/tutorial.py runs the tutorials' commands."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

SHIM, COMPILER = sys.argv[2], sys.argv[3:]
del sys.argv[2:]
import rig  # imported after the paths are set; reads the program's path from the arguments
from rig import DONE, USAGE

SOURCES = {"qpu": 2, "scene": 2, "compute": 2, "gp": 1, "a2xx": 2, "gl": 1}  # least number of other files


def have(*libraries):
    """Returns true if programs can be linked with these libraries."""
    done = subprocess.run([*COMPILER, "-x", "c", "-", "-o", "/dev/null", *("-l" + name for name in libraries)],
                          input=b"int main(void) { return 0; }", capture_output=True, check=False)
    return done.returncode == 0


class Case(rig.Case):
    def setUp(self):
        super().setUp()
        self.environment = dict(os.environ, PATH=f"{os.path.dirname(rig.TESSERA)}:{os.environ['PATH']}")
        self.environment.pop("LD_LIBRARY_PATH", None)
        self.environment.pop("MAKEFLAGS", None)

    def make(self, folder, *what):
        return subprocess.run(["make", "CC=" + " ".join(COMPILER), *what], cwd=os.path.join(self.folder, folder), env=self.environment,
                              capture_output=True, text=True, timeout=rig.SECONDS, check=False)

    def found(self, folder):
        return sorted(str(path.relative_to(self.folder)) for path in pathlib.Path(self.folder, folder).rglob("*") if path.is_file())


@unittest.skipUnless(shutil.which("make"), "needs make")
class Projects(Case):
    def build(self, kind, *what, makes):
        result = self.call("new", kind, "project")
        self.assertEqual(result.status, DONE, result.err)
        self.assertIn("cd project && make", result.err)
        written = self.found("project")
        for name in "Makefile", "README.md":
            self.assertIn(f"project/{name}", written)
        for step in what:
            done = self.make("project", *step)
            self.assertEqual(done.returncode, 0, (kind, step, done.stdout, done.stderr))
            self.assertEqual(re.findall("warning|error|note:", done.stdout + done.stderr), [], kind)
        for name in makes:
            self.assertTrue(os.path.getsize(os.path.join(self.folder, "project", name)) > 0, name)
        self.assertEqual(self.make("project", "clean").returncode, 0)
        self.assertEqual(self.found("project"), written, f"{kind}: make clean leaves, or takes, files")

    def test_qpu(self):
        self.build("qpu", [], ["program.hex"], makes=["result.csv", "program.hex"])

    def test_scene(self):
        self.build("scene", [], ["list"], makes=["picture.png"])
        width, height, rows = self.drawn
        self.assertEqual((width, height), (256, 256))
        for x, y in (0, 0), (128, 64), (200, 10), (255, 255):  # u and v: the pixel's centre / 256, in steps of 1/255
            self.assertEqual(list(rows[y][3 * x:3 * x + 3]), [int((x + .5) / 256 * 255 + .5), int((y + .5) / 256 * 255 + .5), 0])

    def test_compute(self):
        steps = [[], ["run"]] if SHIM == "shim" else [[]]
        self.build("compute", *steps, makes=["saxpy", "saxpy.hex"])

    def test_gp(self):
        self.build("gp", [], makes=["result.csv", "picture.png"])

    def test_a2xx(self):
        self.build("a2xx", [], makes=["result.csv", "picture.png"])

    def test_a_failure_stays_one(self):
        """If a program has findings, make must delete its target, so that the second make also fails."""
        for kind, name in (("qpu", "program.qasm"), ("gp", "shader.gp"), ("a2xx", "vertex.a2xx"), ("scene", "scene.qasm")):
            self.call("new", kind, kind)
            source = self.read(f"{kind}/{name}").decode()
            makefile = self.read(f"{kind}/Makefile").decode()
            self.write(f"{kind}/Makefile", re.sub(r"\$\(TESSERA\) check", "-$(TESSERA) check", makefile)
                       .replace("--strict", "--strict --max-instructions 1"))
            self.assertIn("--strict", makefile)
            self.write(f"{kind}/{name}", source)
            for _ in range(2):
                done = self.make(kind)
                self.assertNotEqual(done.returncode, 0, (kind, done.stdout, done.stderr))

    @unittest.skipUnless(have("EGL", "GLESv2"), "needs EGL and OpenGL ES")
    def test_glsl_error(self):
        """The message of the GLSL compiler must be printed, with its line."""
        self.call("new", "gl", "project")
        source = self.read("project/triangle.c").decode()
        self.assertIn("glGetShaderInfoLog", source)
        if SHIM != "shim" or self.call("gl", "--list").status != DONE:
            self.skipTest("no Mesa with vc4")
        self.write("project/triangle.c", source.replace("vec4(v_colour, 1.0)", "vec4(v_color, 1.0)"))
        done = self.make("project", "run")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the fragment shader is wrong", done.stderr)
        self.assertRegex(done.stderr, r"0:3\(\d+\).*v_color")

    @unittest.skipUnless(have("EGL", "GLESv2"), "needs EGL and OpenGL ES")
    def test_gl(self):
        driver = SHIM == "shim" and self.call("gl", "--list").status == DONE
        self.build("gl", *([[], ["run"], ["dump"]] if driver else [[]]), makes=["triangle"])

    def make(self, folder, *what):
        picture = os.path.join(self.folder, folder, "picture.png")
        if what == ("clean",) and os.path.exists(picture):
            self.drawn = rig.picture(picture)
        return super().make(folder, *what)

    def test_readmes(self):
        """The commands in a README name files of the project. All of them must succeed."""
        for kind in SOURCES:
            self.assertEqual(self.call("new", kind, kind).status, DONE)
            readme = self.read(f"{kind}/README.md").decode()
            for name in re.findall(r"`([\w-]+\.(?:qasm|qinc|gp|a2xx|c|csv))`", readme):
                self.assertIn(f"{kind}/{name}", self.found(kind) + [f"{kind}/result.csv"])
            if kind in ("compute", "gl"):
                continue
            for command in re.findall(r"`(tessera (?!tutorial|new)[^`]+)`", readme):
                done = subprocess.run(["bash", "-c", command], cwd=os.path.join(self.folder, kind), env=self.environment,
                                      capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual((done.returncode, re.findall("error|warning|note:", done.stderr)), (0, []), command)


class Folders(Case):
    def test_kinds(self):
        for words in ["new"], ["new", "nothing", "x"]:
            result = self.call(*words)
            self.assertEqual(result.status, USAGE)
            for kind in SOURCES:
                self.assertRegex(result.err, rf"(?m)^  {kind} ")
        self.assertIn("did you mean 'scene'?", self.call("new", "scnee", "x").err)
        self.assertEqual(self.call("new", "gp").status, USAGE)
        self.assertEqual(self.call("new", "gp", "a", "b").status, USAGE)
        self.assertEqual(self.found("."), [])

    def test_nothing_is_overwritten(self):
        os.mkdir(os.path.join(self.folder, "full"))
        self.write("full/Makefile", "mine\n")
        self.write("file", "mine\n")
        for verb, name in (("new", "gp"), ("tutorial", "gp")):
            self.assertIn("is not an empty folder", self.call(verb, name, "full").err)
            self.assertEqual(self.call(verb, name, "full").status, USAGE)
            self.assertEqual(self.call(verb, name, "file").status, USAGE)
        self.assertEqual(self.found("."), ["file", "full/Makefile"])
        self.assertEqual(self.read("full/Makefile"), b"mine\n")

    def test_empty_folders(self):
        os.mkdir(os.path.join(self.folder, "empty"))
        self.assertEqual(self.call("new", "gp", "empty").status, DONE)
        self.assertIn("empty/Makefile", self.found("empty"))

    def test_folders_that_cannot_be_made(self):
        result = self.call("new", "gp", "no/where")
        self.assertEqual(result.status, USAGE)
        self.assertIn("No such file", result.err)


class Tutorials(Case):
    def test_list(self):
        listed = self.call("tutorial")
        self.assertEqual(listed.status, DONE)
        names = re.findall(r"^  (\w+) ", listed.out, re.MULTILINE)
        pages = [path.stem.split("-")[1] for path in (pathlib.Path(__file__).parents[2] / "docs").glob("tutorial-*.md")]
        self.assertEqual(sorted(names), sorted(pages))

    def test_files(self):
        for name in re.findall(r"^  (\w+) ", self.call("tutorial").out, re.MULTILINE):
            result = self.call("tutorial", name)
            self.assertEqual(result.status, DONE)
            self.assertIn(f"cd tutorial-{name}", result.err)
            page = self.read(f"tutorial-{name}/tutorial-{name}.md").decode()
            self.assertIn(f"tessera tutorial {name}", page)
            for file in re.findall(r"^```(?:asm|c|csv) (\S+)$", page, re.MULTILINE):
                self.assertIn(f"tutorial-{name}/{file}", self.found("."))
            self.assertEqual(re.findall(r"\]\((?!#|https?:|[\w.-]+\.png\))[^)]*\)", page), [], "links lead out of the folder")

    def test_names(self):
        self.assertIn("did you mean 'compute'?", self.call("tutorial", "compte").err)
        self.assertEqual(self.call("tutorial", "gp", "a", "b").status, USAGE)


if __name__ == "__main__":
    unittest.main()
