#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gl.py - tests "tessera gl" on the command line, except for drawing: the search for Mesa and the shim, the environment
of the program, and the exit status. gl.py TESSERA CC... The folders of Mesa contain small libraries in place of Mesa's.
The shim in these tests only counts errors.

The variables that select a Mesa are those of its docs/envvars.rst and of libglvnd's icd_enumeration.md. Exit
statuses are those of docs/gl.md, and 128 + signal as in the POSIX shell."""
import glob
import json
import fcntl
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import unittest

from elf import PT_DYNAMIC, elf

TESSERA, CC = os.path.abspath(sys.argv[1]), sys.argv[2:]
del sys.argv[1:]
SECONDS = 60
# A processor that differs from this machine's.
OTHER, PROCESSOR, TRIPLET, EMULATOR = ((183, "arm64", "aarch64-linux-gnu", "qemu-aarch64") if os.uname().machine == "x86_64" else
                                       (62, "x86-64", "x86_64-linux-gnu", "qemu-x86_64"))
DRIVER, EGL, VENDOR = "lib/dri/vc4_dri.so", "lib/libEGL_mesa.so.0", "share/glvnd/egl_vendor.d/50_mesa.json"
SHIM = """
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void begin(void)
{
    const char *errors = getenv("ERRORS"), *verdict = getenv("TESSERA_VERDICT");
    FILE *file = errors && verdict ? fopen(verdict, "a") : NULL;
    if (file) {
        fprintf(file, "%s\\n", errors);
        fclose(file);
    }
}
"""


class Gl(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.mkdtemp()
        cls.shim = cls.build("libtessera-drm.so", SHIM)
        cls.driver = cls.build("driver.so", 'const char version[] = "%s%u.%u%s Mesa 12.3.4-devel";\n')
        cls.library = cls.build("library.so", "int there;\n")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.made)

    @classmethod
    def build(cls, name, text):
        source, library = os.path.join(cls.made, name + ".c"), os.path.join(cls.made, name)
        with open(source, "w", encoding="ascii") as file:
            file.write(text)
        subprocess.run([*CC, "-shared", "-fPIC", source, "-o", library], check=True)
        return library

    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("TESSERA_", "XDG_"))}
        self.environment.update(ASAN_OPTIONS="detect_leaks=0:verify_asan_link_order=0", HOME=self.path("home"), TESSERA_SHIM=self.shim)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content, mode=0o644):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(content)
        os.chmod(self.path(name), mode)
        return self.path(name)

    def copy(self, source, *names):
        os.makedirs(os.path.dirname(self.path(*names)), exist_ok=True)
        shutil.copy(source, self.path(*names))

    def mesa(self, prefix, without=(), libraries="lib"):
        """Creates a prefix that contains a Mesa with vc4."""
        for name, source in ((DRIVER, self.driver), (EGL, self.library)):
            if name not in without:
                self.copy(source, prefix, name.replace("lib", libraries, 1))
        if VENDOR not in without:
            self.write(os.path.join(prefix, VENDOR), b"{}")
        return self.path(prefix)

    def call(self, *arguments, **environment):
        done = subprocess.run([TESSERA, "gl", *map(str, arguments)], capture_output=True, text=True, cwd=self.folder, timeout=SECONDS,
                              check=False, stdin=subprocess.DEVNULL, env={**self.environment, **environment})
        return done.returncode, done.stdout, done.stderr

    def expect(self, status, *arguments, says="", **environment):
        got, out, err = self.call(*arguments, **environment)
        self.assertEqual(got, status, (arguments, out, err))
        self.assertIn(says, err, arguments)
        return out

    def list(self, status, *arguments, **environment):
        return json.loads(self.expect(status, "--list", "--json", *arguments, **environment))

    def variables(self, *options, **environment):
        """Runs a program and returns its environment."""
        out = self.expect(0, "--driver", self.mesa("mesa"), *options, "env", "-0", **environment)
        return dict(entry.split("=", 1) for entry in out.split("\0") if entry)


class Mesas(Gl):
    def test_named(self):
        found = self.list(0, TESSERA_MESA=self.mesa("mesa"))
        self.assertEqual(found["shim"], os.path.realpath(self.shim))
        self.assertEqual(found["mesas"], [{"version": "12.3.4-devel", "origin": "named", "path": self.path("mesa"), "root": None,
                                           "libraries": self.path("mesa/lib"), "vc4": True, "used": True, "problem": None}])
        self.assertIsNone(found["remedy"])
        self.assertEqual(self.list(0, "--driver", "mesa")["mesas"], found["mesas"])

    def test_gpu(self):
        """With --gpu lima, a Mesa must have lima. The program receives the name."""
        prefix = self.mesa("mesa")
        found = self.list(2, "--gpu", "lima", TESSERA_MESA=prefix)["mesas"][0]
        self.assertEqual((found["lima"], found["problem"]), (False, "it was built without lima"))
        self.expect(2, "--gpu", "lima", "true", says="no Mesa with lima found for programs of")
        self.expect(2, "--gpu", "lima", "true", says="run 'scripts/mesa-vc4 lima'")
        self.copy(self.driver, prefix, DRIVER.replace("vc4", "lima"))
        self.assertTrue(self.list(0, "--gpu", "lima", TESSERA_MESA=prefix)["mesas"][0]["lima"])
        self.assertIn("has lima; used", self.expect(0, "--gpu", "lima", "--driver", prefix, "--list"))
        out = self.expect(0, "--gpu", "lima", "--driver", prefix, "env", "-0")
        self.assertIn("TESSERA_GPU=lima", out.split("\0"))
        self.expect(2, "--gpu", "mali", "--driver", prefix, "true", says="unknown GPU 'mali'; expected vc4 or lima")
        self.expect(2, "--gpu", "lima", "--board", "pi3", "--driver", prefix, "true", says="--board is not possible with --gpu lima")

    def test_layouts(self):
        """Mesa must be found in Debian's layout, in other layouts, and if the library folder or the driver folder
        itself is given."""
        triplet = subprocess.run([*CC, "-print-multiarch"], capture_output=True, text=True, check=False).stdout.strip() or "none"
        for libraries in ("lib64", "usr/lib", *([f"lib/{triplet}", f"usr/lib/{triplet}"] if triplet != "none" else [])):
            prefix = self.mesa(libraries.replace("/", "-"), libraries=libraries)
            for folder in (prefix, os.path.join(prefix, libraries), os.path.join(prefix, libraries, "dri")):
                mesa, = self.list(0, "--driver", folder)["mesas"]
                self.assertEqual(mesa["libraries"], os.path.join(prefix, libraries))

    def test_private_ones_newest_first(self):
        for name, without in (("mesa-9.3", ()), ("mesa-10.1", ()), ("mesa-10.2", (EGL,)), ("other-11", ())):
            self.mesa("home/.cache/tessera/" + name, without)
        os.mkdir(self.path("home/.cache/tessera/mesa-12"))
        found = [(os.path.basename(mesa["path"]), mesa["used"], mesa["problem"]) for mesa in self.list(0)["mesas"]
                 if mesa["origin"] == "private"]
        self.assertEqual([item[:2] for item in found], [("mesa-10.2", False), ("mesa-10.1", True), ("mesa-9.3", False)])
        self.assertIn("libEGL_mesa.so.0 is missing", found[0][2])
        self.assertEqual([item[2] for item in found[1:]], [None, None])
        text = self.expect(0, "--list")
        self.assertIn("has vc4; used", text)
        self.assertIn("has vc4; not used, since an earlier one is", text)

    def test_cache_of_the_user(self):
        self.mesa("cache/tessera/mesa-1.0")
        used = [mesa["path"] for mesa in self.list(0, XDG_CACHE_HOME=self.path("cache"))["mesas"] if mesa["used"]]
        self.assertEqual(used, [self.path("cache/tessera/mesa-1.0")])
        self.assertNotIn(used[0], self.expect(self.call("--list")[0], "--list", XDG_CACHE_HOME="cache"))  # a relative path

    @unittest.skipIf(any(map(glob.glob, ("/usr/lib*/dri/vc4_dri.so", "/usr/lib/*/dri/vc4_dri.so"))), "the system has vc4")
    def test_none(self):
        self.expect(2, "true", says="run scripts/mesa-vc4")
        self.expect(2, "true", says="Run 'tessera gl --list' for details")
        found = self.list(2)
        self.assertIn("scripts/mesa-vc4", found["remedy"])
        self.assertFalse(any(mesa["used"] for mesa in found["mesas"]))
        self.assertIn("remedy", self.expect(2, "--list"))

    def test_broken(self):
        """If a driver that the user names cannot be used, this is reported, and no other driver is used."""
        self.mesa("home/.cache/tessera/mesa-1.0")
        text, strange = b"no library", elf(machine=4, kind=PT_DYNAMIC)  # machine EM_68K
        for says, without, files in (
                ("the folder contains no Mesa", (DRIVER, EGL), {}), ("it was built without vc4", (DRIVER,), {}),
                ("libEGL_mesa.so.0 is missing", (EGL,), {}), ("its vc4_dri.so is damaged", (), {DRIVER: text}),
                ("its vc4_dri.so is damaged", (), {DRIVER: strange}), ("its vc4_dri.so is damaged", (), {DRIVER: b""}),
                ("its libEGL_mesa.so.0 is damaged", (), {EGL: text}), ("its libEGL_mesa.so.0 is damaged", (), {EGL: strange})):
            prefix = self.mesa("broken", without)
            for name, content in files.items():
                self.write(os.path.join("broken", name), content)
            self.expect(2, "true", TESSERA_MESA=prefix, says=says)
            found = self.list(2, TESSERA_MESA=prefix)
            self.assertIn(says, found["mesas"][0]["problem"])
            self.assertEqual(len(found["mesas"]), 1)
            shutil.rmtree(prefix)
        self.expect(2, "true", TESSERA_MESA=self.path("nowhere"), says="no such folder")
        self.expect(2, "--driver", "nowhere", "true", says="nowhere: No such file or directory")
        self.expect(2, "--driver", self.write("file", b""), "true", says="file: Not a directory")

    def test_pipes_in_place_of_files(self):
        """The pipes have no writer. If the program opened one for reading, it would block."""
        for name in (DRIVER, EGL):
            prefix = self.mesa("pipe" + os.path.basename(name))
            os.remove(os.path.join(prefix, name))
            os.mkfifo(os.path.join(prefix, name))
            self.expect(2, "true", TESSERA_MESA=prefix, says="for another processor")

    def test_a_mesa_whose_egl_is_its_own(self):
        """A Mesa that was built without libglvnd has libEGL.so.1 and no vendor description."""
        prefix = self.mesa("mesa", (EGL, VENDOR))
        self.copy(self.library, prefix, "lib/libEGL.so.1")
        environment = self.list(0, "--driver", prefix)["environment"]
        self.assertNotIn("__EGL_VENDOR_LIBRARY_FILENAMES", environment)


class Environment(Gl):
    def test_what_leads_to_mesa(self):
        prefix = self.mesa("mesa")
        os.mkdir(self.path("mesa/lib/gbm"))
        had = {"LD_LIBRARY_PATH": "/mine", "LIBGL_DRIVERS_PATH": "/mine", "LD_PRELOAD": "libm.so.6"}
        unwanted = {"LIBGL_ALWAYS_SOFTWARE": "1", "MESA_LOADER_DRIVER_OVERRIDE": "i915", "DRI_PRIME": "1", "GBM_BACKEND": "x",
                    "GBM_DRIVERS_PATH": "/mine"}
        got = self.variables(**had, **unwanted)
        self.assertEqual(got["LD_LIBRARY_PATH"], prefix + "/lib:/mine")
        self.assertEqual(got["LIBGL_DRIVERS_PATH"], prefix + "/lib/dri")
        self.assertEqual(got["GBM_BACKENDS_PATH"], prefix + "/lib/gbm")
        self.assertEqual(got["__EGL_VENDOR_LIBRARY_FILENAMES"], prefix + "/" + VENDOR)
        self.assertRegex(got["LD_PRELOAD"], r"(^|:)/.*/libtessera-drm\.so:libm\.so\.6$")
        self.assertEqual(unwanted.keys() & got.keys(), set())

    def test_a_shell_can_do_the_same(self):
        """With the lines of the documentation page, programs of a shell use the same Mesa."""
        lines = self.expect(0, "--driver", self.mesa("mesa"), "--list", DRI_PRIME="1").splitlines()
        script = "\n".join(line for line in lines if line.startswith(("  export ", "  unset ")))
        got = subprocess.run(["sh", "-c", script + "\nunset LD_PRELOAD\nenv"], capture_output=True, text=True, check=True,
                             env={"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": "/mine", "DRI_PRIME": "1"}).stdout.splitlines()
        self.assertIn("LD_LIBRARY_PATH=" + self.path("mesa/lib") + ":/mine", got)
        self.assertIn("LIBGL_DRIVERS_PATH=" + self.path("mesa/lib/dri"), got)
        self.assertNotIn("DRI_PRIME=1", got)
        self.assertIn("LD_PRELOAD=" + os.path.realpath(self.shim), script)

    def test_options(self):
        here = self.path
        for option, wanted in (
                (["--memory", "64"], {"MEMORY": str(64 << 20)}), (["--threads", "3"], {"THREADS": "3"}),
                (["--sanitize"], {"SANITIZE": "1"}), (["--strict"], {"STRICT": "1"}), (["--json"], {"JSON": "1"}),
                (["--stats"], {"STATS": "-"}), (["--stats=stats"], {"STATS": here("stats")}),
                (["--capture", "job%d.elf"], {"CAPTURE": here("job%d.elf")}), (["--jobs", "7"], {"JOBS": "7"}),
                (["--jobs", "2-30"], {"JOBS": "2-30"}), (["--dump"], {"DUMP": "decode"}), (["--hang", "h"], {"HANG": here("h")}),
                (["--mode", "640x480"], {"MODE": "640x480"}), (["--mode", "1920x1080@50"], {"MODE": "1920x1080@50"}),
                (["--frames", "new"], {"FRAMES": here("new")}), (["--fps"], {"FPS": "1"}), (["--fps=25"], {"FPS": "25"}),
                (["--count", "10"], {"COUNT": "10"})):
            got = {name[8:]: value for name, value in self.variables(*option).items() if name.startswith("TESSERA_")}
            for other in ("MESA", "SHIM", "TREE", "VERDICT", "VERDICT_FD"):
                got.pop(other)
            now = got.pop("STATS_NOW", here(".")) # remains temporary until the program has ended
            self.assertEqual(os.path.dirname(now), self.folder)
            self.assertFalse(os.path.isfile(now))
            self.assertEqual(got, wanted, option)
        self.assertTrue(os.path.isdir(here("new")))
        self.assertTrue(os.path.exists(here("stats")))

    def test_wrong_options(self):
        self.write("file", b"")
        for arguments, says in (
                (["--threads", "0"], "invalid thread count"), (["--memory", "0"], "invalid memory size"),
                (["--memory", "961"], "invalid memory size"), (["--jobs", "0"], "invalid job range"), (["--jobs", "3-2"], "invalid job range"),
                (["--jobs", "3-"], "invalid job range"), (["--jobs", "3-5x"], "invalid job range"), (["--jobs", "-3"], "invalid job range"),
                (["--mode", "800"], "invalid mode"), (["--mode", "800x"], "invalid mode"), (["--mode", "0x600"], "invalid mode"),
                (["--mode", "2049x600"], "invalid mode"), (["--mode", "800x600@"], "invalid mode"), (["--mode", "800x600@0"], "invalid mode"),
                (["--mode", "800x600@60i"], "invalid mode"), (["--fps=x"], "invalid frame rate"), (["--fps=1"], "invalid frame rate '1': expected 2 to 100000"),
                (["--count", "0"], "invalid frame count"), (["--count", "99999999999"], "invalid frame count"),
                (["--capture", "-"], "--capture cannot write to standard output"), (["--frames", "file"], "file: File exists"),
                (["--frames", "no/where"], "no/where: No such file"), (["--stats=no/where"], "no/where: No such file"),
                (["--frobnicate"], "unrecognized option"), (["--count"], "requires an argument")):
            self.expect(2, "--driver", self.mesa("mesa"), *arguments, *(["true"] if len(arguments) > 1 else []), says=says)
        self.expect(2, says="no program given")
        self.expect(2, "--", says="no program given")


class Endings(Gl):
    def test_board(self):
        """Both shims are preloaded, first the DRM device's and then the board's. The program must find its
        libbcm_host."""
        board = self.build("libtessera-vcio.so", "int there;\n")
        shims = {"TESSERA_SHIM": f"{self.shim}:{board}"}
        got = self.variables("--board", "pi3", **shims)
        preloaded = got["LD_PRELOAD"].split(":")
        self.assertLess(preloaded.index(os.path.realpath(self.shim)), preloaded.index(os.path.realpath(board)))
        self.assertEqual(got["TESSERA_BOARD"], "pi3")
        self.assertIn(os.path.realpath(self.made), got["LD_LIBRARY_PATH"].split(":"))
        self.assertNotIn("libtessera-vcio", self.variables(**shims)["LD_PRELOAD"])
        self.expect(2, "--board", "pi9", "--driver", self.mesa("mesa"), "true", says="unknown board 'pi9'")

    def run_script(self, status, script, *options, **environment):
        self.expect(status, "--driver", self.mesa("mesa"), *options, "--", "sh", "-c", script, **environment)

    def test_status_is_the_programs(self):
        for status in (0, 1, 7, 255):
            self.run_script(status, f"exit {status}")

    def test_status_of_a_signal(self):
        for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGUSR1):
            self.run_script(128 + number, f"kill -{int(number)} $$")

    def test_the_count_ends_programs(self):
        """When the display has shown --count pictures, it writes an entry to the verdict. The entry decides the exit
        status, however the program ends."""
        for end in ("kill -TERM $$", "kill -KILL $$", "exit 1", "exit 0"):
            self.run_script(0, f"echo ended >>$TESSERA_VERDICT; {end}", "--count", "1")
            self.run_script(1, f"echo ended >>$TESSERA_VERDICT; {end}", "--count", "1", ERRORS="1")
        self.run_script(128 + signal.SIGTERM, "kill -TERM $$", "--count", "1")
        self.run_script(1, "exit 1", "--count", "1")

    def test_the_verdict_is_nobody_elses(self):
        """If a process cannot open the verdict file, it can write through an inherited descriptor."""
        self.run_script(0, "test $(stat -c %a $TESSERA_VERDICT) = 600")
        self.run_script(0, "test /dev/fd/$TESSERA_VERDICT_FD -ef $TESSERA_VERDICT")

    def test_leftovers(self):
        """A folder that a process has locked must be kept, in any PID namespace. The number in the folder's name has
        no effect."""
        with tempfile.TemporaryDirectory() as folder:
            needed, left = (os.path.join(folder, "tessera-drm-" + name) for name in ("999999-needed", f"{os.getpid()}-left"))
            os.makedirs(os.path.join(left, "sys"))
            os.mkdir(needed)
            with open(os.path.join(folder, "tessera-verdict-1-x"), "w", encoding="ascii") as other:
                fcntl.flock(other, fcntl.LOCK_SH)
                descriptor = os.open(needed, os.O_RDONLY)
                fcntl.flock(descriptor, fcntl.LOCK_SH)
                self.run_script(0, "exit 0", TMPDIR=folder)
                self.assertEqual(sorted(os.listdir(folder)), ["tessera-drm-999999-needed", "tessera-verdict-1-x"])
                os.close(descriptor)
            self.run_script(0, "exit 0", TMPDIR=folder)
            self.assertEqual(os.listdir(folder), [])

    def test_errors_make_the_status(self):
        self.run_script(1, "exit 0", ERRORS="1")
        self.run_script(0, "exit 0", ERRORS="0")
        self.run_script(3, "exit 3", ERRORS="1")

    def test_arguments(self):
        out = self.expect(0, "--driver", self.mesa("mesa"), "printf", "%s,", "-a", "--json", "b c", "")
        self.assertEqual(out, "-a,--json,b c,,")

    def test_signals_are_passed_on(self):
        with subprocess.Popen([TESSERA, "gl", "sh", "-c", "echo ready; exec sleep 60"], stdout=subprocess.PIPE, text=True,
                              env={**self.environment, "TESSERA_MESA": self.mesa("mesa")}) as running:
            self.assertEqual(running.stdout.readline(), "ready\n")
            running.send_signal(signal.SIGTERM)
            self.assertEqual(running.wait(SECONDS), 128 + signal.SIGTERM)


class Finding(Gl):
    def test_what_cannot_be_run(self):
        self.environment["TESSERA_MESA"] = self.mesa("mesa")
        self.expect(2, "no-such-program", says="cannot run 'no-such-program': No such file or directory")
        self.write("static", elf(interpreter=False), 0o755)
        self.expect(2, "./static", says="it is statically linked")
        self.write("short", elf()[:50], 0o755)
        self.expect(2, "./short", says="its ELF headers are invalid")
        for wide, bits in ((True, 64), (False, 32)):
            self.write("other", elf(machine=4, wide=wide), 0o755)  # machine EM_68K
            self.expect(2, "./other", says=f"no libtessera-drm.so ({bits} bits) found for its processor; build one (see docs/gl.md)")
            self.assertIsNone(self.list(2, "./other")["processor"])

    @unittest.skipIf(os.geteuid() != 0, "only root can make a program somebody else's")
    def test_a_pipe_as_interpreter(self):
        self.environment["TESSERA_MESA"] = self.mesa("mesa")
        os.mkfifo(self.path("pipe"), 0o755)
        script = self.write("script", f"#!{self.path('pipe')}\n".encode(), 0o755)
        self.expect(2, script, says="its interpreter is not a program")

    def test_set_user_id(self):
        os.chmod(self.folder, 0o755)
        program = shutil.copy(shutil.which("true"), self.path("other"))
        os.chown(program, 1, -1)
        os.chmod(program, 0o755 | stat.S_ISUID)
        self.expect(2, program, says="it is set-user-ID", TESSERA_MESA=self.mesa("mesa"))

    def test_shims_of_both_verbs_are_named(self):
        """Each verb must use the shim that has its name."""
        other = os.path.join(self.made, "libtessera-vcio.so")
        shutil.copy(self.shim, other)
        found = self.list(0, TESSERA_SHIM=f"{other}::{self.shim}", TESSERA_MESA=self.mesa("mesa"))
        self.assertEqual(found["shim"], os.path.realpath(self.shim))

    def test_list_of_a_program(self):
        """--list with a program shows the files for that program."""
        self.environment["TESSERA_MESA"] = self.mesa("mesa")
        self.assertIsNone(self.list(0, "true")["emulator"])
        self.expect(2, "--list", "no-such-program", says="cannot run 'no-such-program'")
        self.write("other", elf(machine=OTHER), 0o755)
        found = self.list(2, "./other", TESSERA_SHIM=self.write("libtessera-drm.so", elf(machine=OTHER, kind=PT_DYNAMIC)))
        self.assertEqual(found["emulator"], EMULATOR)
        self.assertEqual(found["shim"], self.path("libtessera-drm.so"))
        self.assertIn("for another processor", found["mesas"][0]["problem"])

    def other_system(self, name):
        """Creates a system folder for another processor, and a shim for this processor."""
        library = elf(machine=OTHER, kind=PT_DYNAMIC)
        for file in (DRIVER, EGL):
            self.write(os.path.join(name, "usr", file.replace("lib", "lib/" + TRIPLET, 1)), library)
        self.write(os.path.join(name, "usr", VENDOR), b"{}")
        self.write("bin/" + EMULATOR, b'#!/bin/sh\nprintf "%s,${LD_PRELOAD-none}\\n" "$*"\n', 0o755)
        self.environment.update(TESSERA_SHIM=self.write("libtessera-drm.so", library), PATH=self.path("bin") + ":" + os.environ["PATH"])
        self.write(os.path.join(name, "usr/bin/program"), elf(machine=OTHER), 0o755)
        return self.path(name)

    def command(self, root):
        return f"-L {root} -E LD_PRELOAD={self.path('libtessera-drm.so')} {root}/usr/bin/program -a b,none\n"

    def test_programs_of_another_processor(self):
        """QEMU runs programs for other processors (documentation "QEMU User space emulator", -L and -E). The shim
        must not be preloaded into the emulator."""
        root = self.other_system("root")
        got = self.expect(0, "--driver", root, root + "/usr/bin/program", "-a", "b")
        self.assertEqual(got, self.command(root))
        self.environment["PATH"] += ":" + root + "/usr/bin"
        self.assertEqual(self.expect(0, "--driver", root, "program", "-a", "b"), self.command(root))
        page = self.expect(0, "--driver", root, "--list", "program")
        self.assertIn(f"  {EMULATOR} -L {root} -E LD_PRELOAD={self.path('libtessera-drm.so')} PROGRAM", page)

    def test_private_systems_of_another_processor(self):
        root = self.other_system(f"home/.cache/tessera/{PROCESSOR}-1")
        self.mesa("home/.cache/tessera/mesa-1.0")
        self.assertEqual(self.expect(0, root + "/usr/bin/program", "-a", "b"), self.command(root))
        shutil.rmtree(os.path.join(root, "usr/lib"))
        self.expect(2, root + "/usr/bin/program", says="no Mesa with vc4 found for programs of " + PROCESSOR)


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # if it were ignored, as under nohup, programs would ignore it too
    unittest.main()
