#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""output.py - tests the output files of the program: output.py TESSERA. docs/output.md promises that old files
survive any failure, that no output may be an input or another output, and that files that are not regular are
written directly."""
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

import rig
from rig import DONE, TESSERA, USAGE, WRONG

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
QASM = "nop; nop; thrend\nnop\nnop\n"
# Stores attribute 0 as varying 0.
PASS = """.attribute position, 0
.varying gl_Position, 0
main:
    load.attr position; mul0.mov attr.x; mul1.mov attr.y; store0.varying gl_Position, mul0, mul1
    ; acc0.mov attr.z; acc1.mov attr.w; store1.varying gl_Position, acc0, acc1
"""
# Export the vertex number, and the texel at a lane's coordinates.
NUMBER = "ALLOC POSITION SIZE(0x0)\nEXEC_END\n ALU: MAXv export62 = R0.xxxx, R0.xxxx\n"
SAMPLE = """@varying(R0) place
@sampler(3) picture
EXEC
    FETCH: SAMPLE R1.xyzw = R0.xyz CONST(3)
ALLOC PARAM/PIXEL SIZE(0x0)
EXEC_END
    (S)ALU: MAXv export0 = R1, R1
"""
TABLE = b"position.x,position.y,position.z,position.w\n"
ROW = b"1,2,3,4\n"
OLD = b"old content\n"


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


class Case(rig.Case):
    """A test with a folder that holds sources, a scene, and a shader with its table."""
    files = {"me.qasm": QASM, "part.inc": "nop\n", "late.qasm": '.include "part.inc"\n' + QASM,
             "shader.gp": PASS, "table.csv": TABLE + 3 * ROW}

    def scene(self):
        self.expect(DONE, "asm", "-o", "s.elf", os.path.join(ROOT, "fuzz/frame.qasm"))
        return "s.elf"

    def expect(self, status, *arguments, says=None, **more):
        result = self.call(*arguments, **more)
        self.assertEqual(result.status, status, (arguments, result.err))
        if says:
            self.assertIn(says, result.err)
        return result

    def shell(self, status, command, says=None):
        """Runs a line in sh, where $T is the program."""
        done = subprocess.run(["sh", "-c", command], env={**os.environ, "T": TESSERA}, capture_output=True,
                              cwd=self.folder, timeout=rig.SECONDS, check=False)
        self.assertEqual(done.returncode, status, (command, done.stderr))
        if says:
            self.assertIn(says, done.stderr.decode())
        return done

    def names(self):
        return sorted(os.listdir(self.folder))

    def refuses(self, *arguments, says, kept):
        """Runs a command that must be rejected, and must not change the folder."""
        before, content = self.names(), self.read(kept)
        self.expect(USAGE, *arguments, says=says)
        self.assertEqual(self.read(kept), content, arguments)
        self.assertEqual(self.names(), before, arguments)


SHIM = os.path.exists(os.path.join(os.path.dirname(TESSERA), "src/shim/vcio/libtessera-vcio.so"))
READ_TOO, SAME = "this file is also an input", "another output writes to the same file"


class Inputs(Case):
    def test_sources(self):
        for verb in (["asm"], ["check"], ["check", "--json"], ["check", "--sarif"]):
            self.refuses(*verb, "-o", "me.qasm", "me.qasm", says=READ_TOO, kept="me.qasm")
        self.expect(DONE, "asm", "-f", "hex", "-o", "me.hex", "me.qasm")
        for form in ([], ["--explain"], ["--json"]):
            self.refuses("dis", *form, "-o", "me.hex", "me.hex", says=READ_TOO, kept="me.hex")

    def test_included(self):
        for verb in ("asm", "check"):
            self.refuses(verb, "-o", "part.inc", "late.qasm", says=READ_TOO, kept="part.inc")

    def test_other_names(self):
        os.link(os.path.join(self.folder, "me.qasm"), os.path.join(self.folder, "hard"))
        os.symlink("me.qasm", os.path.join(self.folder, "soft"))
        for name in ("hard", "soft", "./me.qasm", ".//soft", os.path.join(self.folder, "me.qasm")):
            for verb in ("asm", "check"):
                self.refuses(verb, "-o", name, "me.qasm", says=READ_TOO, kept="me.qasm")

    def test_standard_input(self):
        before = self.read("me.qasm")
        self.shell(USAGE, "$T asm -o me.qasm - <me.qasm", says=READ_TOO)
        for verb in "asm -f hex", "check":
            self.shell(USAGE, "$T %s - <me.qasm >>me.qasm" % verb, says=READ_TOO)
            self.shell(USAGE, "$T %s me.qasm >>me.qasm" % verb, says=READ_TOO)
        self.assertEqual(self.read("me.qasm"), before)

    def test_before_the_first_byte(self):
        """If standard output is also an input, no byte may be added to it, however long the output is."""
        self.write("long.qasm", 4000 * "nop\n" + QASM)
        self.write("s.qasm", text_of("fuzz/frame.qasm"))
        for command, name in (("asm -f hex", "long.qasm"), ("run --stats -o x.png", "s.qasm"), ("decode", "s.qasm"),
                              ("run --attributes table.csv --stats --draw x.png", "shader.gp")):
            before = self.read(name)
            self.shell(USAGE, "$T %s %s >>%s" % (command, name, name), says=READ_TOO)
            self.assertEqual(self.read(name), before, command)

    def test_judgement(self):
        """The configuration and the baseline are also inputs."""
        self.write("tessera.toml", 'fail-on = "error"\n')
        self.write("known", "# none\n")
        self.write("c.toml", 'fail-on = "error"\n')
        self.write("s.qasm", text_of("fuzz/frame.qasm"))
        for arguments, kept in ((("check", "-o", "tessera.toml", "me.qasm"), "tessera.toml"),
                                (("check", "--config", "c.toml", "-o", "c.toml", "me.qasm"), "c.toml"),
                                (("check", "--baseline", "known", "-o", "known", "me.qasm"), "known"),
                                (("run", "--trace", "tessera.toml", "s.qasm"), "tessera.toml"),
                                (("run", "--baseline", "known", "--findings", "known", "--format", "json", "s.qasm"), "known"),
                                (("run", "--baseline", "known", "-o", "known", "s.qasm"), "known"),
                                (("decode", "--baseline", "known", "-o", "known", "s.qasm"), "known")):
            self.refuses(*arguments, says=READ_TOO, kept=kept)
        self.write("me.qasm", "# tessera: kind fragment\n" + QASM)
        self.refuses("check", "--write-baseline", "--baseline", "me.qasm", "me.qasm", says=READ_TOO, kept="me.qasm")
        self.refuses("run", "--write-baseline", "--baseline", "s.qasm", "s.qasm", says=READ_TOO, kept="s.qasm")

    @unittest.skipUnless(SHIM, "no shim")
    def test_program(self):
        """"qpu" and "gl" have inputs too: the program that they start, and the sources that the shim reads."""
        program = os.path.join(self.folder, "program")
        shutil.copy("/bin/true", program)
        self.write("tessera.toml", 'fail-on = "error"\n')
        for option in (("--write-baseline", "--baseline", "program"), ("--stats=program",), ("--trace", "program"),
                       ("--capture", "program")):
            self.refuses("qpu", *option, "--", "./program", says=READ_TOO, kept="program")
        self.refuses("qpu", "--trace", "tessera.toml", "--", "./program", says=READ_TOO, kept="tessera.toml")
        self.refuses("qpu", "--source", "me.qasm", "--stats=me.qasm", "--", "./program", says=READ_TOO, kept="me.qasm")
        before = self.read("me.qasm")
        self.shell(USAGE, "TESSERA_SOURCE=nosuch:me.qasm $T qpu --stats=me.qasm -- ./program", says=READ_TOO)
        self.assertEqual(self.read("me.qasm"), before)

    def test_scenes(self):
        scene = self.scene()
        for verb in (["decode"], ["run"], ["dis"], ["check"]):
            self.refuses(*verb, "-o", scene, scene, says=READ_TOO, kept=scene)
        for option in ("--trace", "--capture"):
            self.refuses("run", option, scene, scene, says=READ_TOO, kept=scene)


    def test_tables(self):
        os.symlink("table.csv", os.path.join(self.folder, "table.png"))
        run = ("run", "-m", "gp", "--attributes", "table.csv")
        self.refuses(*run, "shader.gp", "-o", "shader.gp", says=READ_TOO, kept="shader.gp")
        for option in (("-o", "table.csv"), ("--varying", "0=./table.csv,format=f32"), ("--draw", "table.png")):
            self.refuses(*run, "shader.gp", *option, says=READ_TOO, kept="table.csv")
        self.write("uniforms.csv", "0,1,2,3,4\n")
        self.write("index.csv", "0,1,2\n")
        for option, name in (("--uniforms", "uniforms.csv"), ("--indices", "index.csv")):
            self.refuses(*run, "shader.gp", option, name, "-o", name, "--draw", "x.png", says=READ_TOO, kept=name)
        self.write("raw", 16 * b"\0")
        self.refuses("run", "--attribute", "position=raw,format=f32", "-o", "raw", "shader.gp", says=READ_TOO,
                     kept="raw")

    def test_long_table(self):
        """The table is longer than the part that is read in advance."""
        self.write("table.csv", TABLE + 200017 * ROW)
        self.refuses("run", "--attributes", "table.csv", "shader.gp", "-o", "table.csv", says=READ_TOO,
                     kept="table.csv")

    def test_a2xx(self):
        self.write("p.a2xx", NUMBER)
        self.write("sample.a2xx", SAMPLE)
        self.write("place.csv", "place.x,place.y\n0,0\n")
        self.expect(DONE, "run", "-o", "t.png", self.scene())
        run = ("run", "--vertices", "1", "p.a2xx")
        self.refuses(*run, "-o", "p.a2xx", says=READ_TOO, kept="p.a2xx")
        self.refuses(*run, "--memory", "0x1000=./p.a2xx,size=16", says=READ_TOO, kept="p.a2xx")
        self.refuses("run", "--attributes", "place.csv", "--texture", "picture=t.png", "-o", "t.png", "sample.a2xx",
                     says=READ_TOO, kept="t.png")


class Same(Case):
    def test_tables(self):
        run = ("run", "--attributes", "table.csv", "shader.gp")
        varying = "0=o,format=f32"
        self.write("o", OLD)
        for pair in (("--varying", varying, "-o", "o"), ("--draw", "o", "-o", "./o"), ("-o", "-", "--draw", "-"),
                     ("--draw", "o", "--varying", varying), ("-o", "-", "--trace-vertex", "0"), ("--draw", "-", "--trace-vertex", "0")):
            self.refuses(*run, *pair, says=SAME, kept="o")
        self.write("two.gp", PASS.replace("\nmain", "\n.varying other, 1\nmain"))
        self.refuses("run", "--attributes", "table.csv", "two.gp", "--varying", varying, "--varying",
                     "other=o,format=f32", says=SAME, kept="o")
        self.refuses("run", "--attributes", "table.csv", "two.gp", "--varying", "0=new,format=f32", "--varying",
                     "other=./new,format=f32", says=SAME, kept="o")

    def test_memory(self):
        self.write("p.a2xx", NUMBER)
        self.refuses("run", "--vertices", "1", "p.a2xx", "--memory", "0x1000=o,size=16", "--memory",
                     "0x2000=./o,size=16", says=SAME, kept="p.a2xx")

    def test_asm(self):
        self.write("o", OLD)
        self.refuses("asm", "-o", "o", "-C", "./o", "me.qasm", says=SAME, kept="o")
        self.refuses("asm", "-o", "new", "-C", ".//new", "me.qasm", says=SAME, kept="o")

    def test_scene(self):
        scene = self.scene()
        for pair in (("-o", "--trace"), ("-o", "--capture"), ("--trace", "--capture")):
            self.refuses("run", pair[0], "x.png", pair[1], "./x.png", scene, says=SAME, kept=scene)
        self.refuses("run", "--trace", "-", "-o", "-", scene, says=SAME, kept=scene)

    def test_steps_of_a_scene(self):
        """The conflict must be found before the run. The message must name the second step. The first step must
        leave no file."""
        for second in ("x.png", "./x.png", "y/../x.png"):
            os.makedirs(os.path.join(self.folder, "y"), exist_ok=True)
            self.write("two", '.include "%s"\n.scene image framebuffer 8 8 rgba8888 raster x.png\n'
                       ".scene image framebuffer 8 8 rgba8888 raster %s\n" %
                       (os.path.join(ROOT, "fuzz/frame.qasm"), second))
            self.expect(DONE, "asm", "-o", "two.elf", "two")
            self.refuses("run", "two.elf", says=SAME, kept="two.elf")
            self.refuses("run", "--capture", "x.png", "two.elf", says=SAME, kept="two.elf")
            self.expect(DONE, "run", "-o", "%d.png", "two.elf")

    def test_capture_and_picture(self):
        self.refuses("run", "--capture", "-", "-o", "-", self.scene(), says=SAME, kept="s.elf")

    def test_streams(self):
        """Two outputs must not use the same stream, under any of its names."""
        os.mkfifo(os.path.join(self.folder, "pipe"))
        os.symlink("pipe", os.path.join(self.folder, "other"))
        for first, second in (("-", "/dev/stdout"), ("/dev/stdout", "-"), ("/dev/fd/1", "/proc/self/fd/1")):
            self.shell(USAGE, "$T asm -f hex -o %s -C %s me.qasm" % (first, second), says=SAME)
        # cat gets the end that reads from the shell: if cat opened the pipe after the shell closed it, cat would wait forever.
        self.shell(USAGE, "exec 3<>pipe 4<pipe; cat <&4 >got 3>&- & exec 4<&-; $T asm -f hex -o pipe -C other me.qasm; s=$?; "
                   "exec 3>&-; wait; exit $s", says=SAME)

    @unittest.skipUnless(SHIM, "no shim")
    def test_shared_files(self):
        for pair in (("--stats=t", "--trace", "t"), ("--stats=t%p", "--trace", "./t%p"), ("--trace", "t", "--capture", "t")):
            self.refuses("qpu", *pair, "--", "/bin/true", says=SAME, kept="me.qasm")

    def test_statistics_beside_a_trace(self):
        """The trace goes to standard output, and the statistics to standard error."""
        done = self.shell(DONE, "$T run --stats --trace - -o x.png %s" % self.scene())
        self.assertNotIn(b"instructions  ", done.stdout)
        self.assertIn(b"instructions", done.stderr)

    def test_statistics_beside_a_picture(self):
        done = self.shell(DONE, "$T run --stats -o - %s" % self.scene())
        self.assertTrue(done.stdout.endswith(b"IEND\xaeB`\x82"))
        self.assertIn(b"instructions", done.stderr)


class Old(Case):
    """The old file must remain until the new file is complete."""

    def setUp(self):
        super().setUp()
        self.write("o", OLD)

    def keeps(self, status, *arguments):
        before = self.names()
        self.expect(status, *arguments)
        self.assertEqual(self.read("o"), OLD, arguments)
        self.assertEqual(self.names(), before, arguments)

    def test_no_input(self):
        for verb in ("asm", "check", "dis", "decode", "run"):
            self.keeps(USAGE, verb, "-o", "o", "nosuch")

    def test_bad_input(self):
        self.write("bad.qasm", "frob r0\n")
        self.keeps(WRONG, "asm", "-o", "o", "bad.qasm")
        self.keeps(WRONG, "check", "-o", "o", "bad.qasm")

    def test_bad_tables(self):
        self.write("bad.csv", TABLE + 20000 * ROW + b"1,2,three,4\n")
        self.keeps(USAGE, "run", "--attributes", "bad.csv", "-o", "o", "shader.gp")
        self.keeps(USAGE, "run", "--attributes", "bad.csv", "--varying", "0=o,format=f16", "shader.gp")
        self.keeps(USAGE, "run", "--attributes", "bad.csv", "--draw", "o", "shader.gp")

    def test_documents_are_whole(self):
        """If an input cannot be read, the document must still be written, because it contains the failure."""
        self.expect(USAGE, "check", "--json", "-o", "o", "nosuch")
        json.loads(self.read("o"))

    def test_another_output_fails(self):
        scene = self.scene()
        self.keeps(USAGE, "asm", "-o", "o", "-C", "nowhere/x", "me.qasm")
        self.keeps(USAGE, "run", "-o", "o", "--trace", "nowhere/x", scene)
        self.keeps(USAGE, "run", "--trace", "o", "-o", "nowhere/x", scene)
        self.keeps(USAGE, "run", "--trace", "o", "-o", "/dev/full", scene)
        self.keeps(USAGE, "run", "--trace", "/dev/full", "-o", "o", scene)

    def test_limit_of_size(self):
        """If a write exceeds the file size limit, it must fail and not kill the program."""
        scene = self.scene()
        self.shell(USAGE, "ulimit -f 1; $T decode -o o %s" % scene, says="File too large")
        self.assertEqual(self.read("o"), OLD)
        self.assertEqual(self.names(), ["late.qasm", "me.qasm", "o", "part.inc", "s.elf", "shader.gp", "table.csv"])


class Signals(Case):
    """The program waits for input while it writes an output. A signal must end it."""

    def ended_by(self, number):
        self.write("o", OLD)
        before = self.names()
        program = subprocess.Popen([TESSERA, "run", "-o", "o", "-m", "gp", "--attributes", "-", "shader.gp"],
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        program.stdin.write(TABLE + 200000 * ROW) # the pipe stays open
        for _ in range(500):
            if self.names() != before:
                break
            time.sleep(0.01)
        self.assertNotEqual(self.names(), before, "no temporary file")
        program.send_signal(number)
        error = program.communicate(timeout=rig.SECONDS)[1]
        self.assertEqual(program.returncode, -number, error)
        self.assertEqual(self.names(), before)
        self.assertEqual(self.read("o"), OLD)


class Descriptors(Case):
    """If a standard descriptor is closed, no file may receive its number."""

    def test_standard_output(self):
        scene = self.scene()
        for name in ("tr.txt", "c.png"):
            self.write(name, OLD)
        self.shell(USAGE, "$T run --stats --trace tr.txt -o c.png %s >&-" % scene, says="standard output: Bad file")
        self.assertEqual((self.read("tr.txt"), self.read("c.png")), (OLD, OLD))
        for command in ("asm -f hex me.qasm", "dis -m qpu s.elf", "decode s.elf", "check --list-rules", "--help"):
            self.shell(USAGE, "$T %s >&-" % command, says="standard output: Bad file")
        self.shell(DONE, "$T asm -o x.bin me.qasm >&-")

    def test_standard_error(self):
        self.write("bad.qasm", "frob r0\n")
        scene = self.scene()
        self.shell(DONE, "$T run --trace a.txt -o c.png %s" % scene)
        self.shell(DONE, "$T run --trace b.txt -o d.png --quiet %s 2>&-" % scene)
        self.assertEqual(self.read("a.txt"), self.read("b.txt"))
        self.shell(WRONG, "$T asm -o x.bin bad.qasm 2>&-")

    def test_standard_input(self):
        result = self.shell(USAGE, "$T check - <&-")
        self.assertIn(b"Bad file descriptor", result.stderr)
        self.shell(DONE, "$T asm -f hex me.qasm <&-")

    def test_all(self):
        self.shell(DONE, "$T asm -o x.bin me.qasm <&- >&- 2>&-")
        self.assertEqual(len(self.read("x.bin")), 24)


class Direct(Case):
    HEX = b"0x009e7000, 0x300009e7,\n0x009e7000, 0x100009e7,\n0x009e7000, 0x100009e7\n"

    def test_names_of_standard_output(self):
        for name in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            done = self.shell(DONE, "$T asm -f hex -o %s me.qasm" % name)
            self.assertEqual(done.stdout, self.HEX)
            self.shell(DONE, "echo first >log; $T asm -f hex -o %s me.qasm >>log" % name)
            self.assertEqual(self.read("log"), b"first\n" + self.HEX)

    def test_pipes(self):
        os.mkfifo(os.path.join(self.folder, "pipe"))
        self.shell(DONE, "cat pipe >got & $T asm -f hex -o pipe me.qasm; s=$?; wait; exit $s")
        self.assertEqual(self.read("got"), self.HEX)

    def test_devices(self):
        for command in ("asm", "check", "check --json"):
            self.expect(DONE, *command.split(), "-o", "/dev/null", "me.qasm")
        self.expect(USAGE, "asm", "-o", "/dev/full", "me.qasm", says="No space left")


class Attributes(Case):
    def test_mode(self):
        for verb, name in (("asm", "me.qasm"), ("check", "me.qasm"), ("run", self.scene()), ("decode", "s.elf")):
            self.write("o.png", OLD)
            os.chmod(os.path.join(self.folder, "o.png"), 0o600)
            self.expect(DONE, verb, "-o", "o.png", name)
            self.assertEqual(os.stat(os.path.join(self.folder, "o.png")).st_mode & 0o7777, 0o600)
            self.assertNotEqual(self.read("o.png"), OLD)

    def test_link(self):
        os.mkdir(os.path.join(self.folder, "d"))
        self.write("d/o", OLD)
        os.symlink("d/o", os.path.join(self.folder, "link"))
        self.expect(DONE, "asm", "-o", "link", "me.qasm")
        self.assertTrue(os.path.islink(os.path.join(self.folder, "link")))
        self.assertEqual(len(self.read("d/o")), 24)
        self.assertEqual(os.listdir(os.path.join(self.folder, "d")), ["o"])

    def test_umask(self):
        self.shell(DONE, "umask 027; $T asm -o fresh me.qasm")
        self.assertEqual(os.stat(os.path.join(self.folder, "fresh")).st_mode & 0o7777, 0o640)

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_rights(self):
        """If a file is read-only, it must not be replaced. If no file can be created in a folder, no file in it can
        be replaced."""
        self.write("o", OLD)
        os.chmod(os.path.join(self.folder, "o"), 0o444)
        self.expect(USAGE, "asm", "-o", "o", "me.qasm", says="Permission denied")
        os.chmod(os.path.join(self.folder, "o"), 0o644)
        os.chmod(self.folder, 0o555)
        self.addCleanup(os.chmod, self.folder, 0o755)
        self.expect(USAGE, "asm", "-o", "o", "me.qasm", says="or write to - and redirect it to the file")
        self.assertEqual(self.read("o"), OLD)


for _signal in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGQUIT):
    signal.signal(_signal, signal.SIG_DFL) # the program inherits ignored signals, as under nohup
    setattr(Signals, "test_" + _signal.name, lambda self, number=_signal: self.ended_by(number))

if __name__ == "__main__":
    unittest.main()
