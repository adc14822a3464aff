#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""robust.py - tests GL programs under `tessera gl` that are killed, that lack resources, that fork, and that run at the
same time.

    robust.py TESSERA ROBUST

Expected: after a process has ended, no files, sockets or processes of it remain (unix(7): abstract sockets end with
their last descriptor). Other processes are not affected. The exit status is that of the program, or 128 + signal
(docs/gl.md). The exit status is 77 if there is no Mesa with vc4."""
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

TESSERA, ROBUST = map(os.path.abspath, sys.argv[1:3])
del sys.argv[1:3]
SECONDS = 120
SKIPPED = 77


def driver_is_there():
    listed = subprocess.run([TESSERA, "gl", "--list", "--json"], capture_output=True, text=True, check=False)
    return bool(listed.stdout) and any(mesa["used"] for mesa in json.loads(listed.stdout)["mesas"])


def environment(folder):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TESSERA_") or name in ("TESSERA_MESA", "TESSERA_SHIM")}
    kept["ASAN_OPTIONS"] = "detect_leaks=0:verify_asan_link_order=0:handle_segv=0:handle_abort=0"  # the program and Mesa are not checked
    kept["TMPDIR"] = folder
    return kept


class Robust(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, *cases, options=(), **more):
        return subprocess.Popen([TESSERA, "gl", *options, "--", ROBUST, "--renderer", "VC4", *cases], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env={**environment(self.folder), **more.pop("env", {})}, **more)

    def run_case(self, *cases, status=0, **more):
        process = self.start(*cases, **more)
        out, err = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, status, out + err)
        return out

    def expect_nothing_left(self, *processes):
        self.assertEqual(os.listdir(self.folder), [])
        with open("/proc/net/unix", encoding="utf-8") as sockets:
            names = re.findall(r"@tessera\S*?-(\d+)-\d+$", sockets.read(), re.MULTILINE)
        self.assertFalse(set(names) & set(map(str, processes)), "sockets are left")

    def spinning(self):
        """Starts a program that draws until it is killed. Returns `tessera gl`, and the number of the program's
        process."""
        process = self.start("spin")
        word, number = process.stdout.readline().split()
        self.assertEqual(word, "ready")
        return process, int(number)

    def end(self, process, status):
        process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, status)

    # --- killed ---

    def test_killed_at_any_moment(self):
        chance = random.Random(8)
        for _ in range(10):
            process, number = self.spinning()
            time.sleep(chance.uniform(0, 0.2))
            os.kill(number, signal.SIGKILL)
            self.end(process, 128 + signal.SIGKILL)
            self.expect_nothing_left(number)

    def test_killed_while_it_starts(self):
        chance = random.Random(9)
        for _ in range(10):
            process = self.start("spin", start_new_session=True)
            time.sleep(chance.uniform(0, 0.15))
            os.killpg(process.pid, signal.SIGTERM)
            out, err = process.communicate(timeout=SECONDS)
            self.assertIn(process.returncode, (-signal.SIGTERM, 128 + signal.SIGTERM), out + err)
        self.run_case("hashes")  # this run also removes the stale temporary files
        self.expect_nothing_left()

    def test_signals_that_end(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGSEGV):
            signal.signal(number, signal.SIG_DFL)  # a program would inherit that a signal is ignored, as under nohup
            process, program = self.spinning()
            os.kill(program, number)
            self.end(process, 128 + number)
            self.expect_nothing_left(program)

    def test_both_killed(self):
        """The killed processes leave temporary files. The next program must remove them."""
        process, number = self.spinning()
        os.kill(process.pid, signal.SIGKILL)
        os.kill(number, signal.SIGKILL)
        self.end(process, -signal.SIGKILL)
        while os.path.exists(f"/proc/{number}"):
            time.sleep(0.01)
        self.run_case("hashes")
        self.expect_nothing_left(number)

    def test_ends(self):
        for case, status in (("ends_by_exit", 7), ("ends_at_once", 8), ("ends_by_abort", 128 + signal.SIGABRT), ("ends_by_signal", 128 + signal.SIGTERM)):
            self.run_case(case, status=status)
            self.expect_nothing_left()

    # --- in parallel ---

    def test_two_at_once(self):
        alone = self.run_case("hashes")
        processes = [self.start("hashes") for _ in range(3)]
        for process in processes:
            out, err = process.communicate(timeout=SECONDS)
            self.assertEqual((process.returncode, out), (0, alone), err)

    def test_threads_do_not_matter(self):
        alone = self.run_case("hashes", options=["--threads", "1"])
        for threads in ("2", "3", "8"):
            self.assertEqual(self.run_case("hashes", options=["--threads", threads]), alone)

    def test_one_dies(self):
        alone = self.run_case("hashes")
        victim, number = self.spinning()
        survivor = self.start("hashes")
        os.kill(number, signal.SIGKILL)
        out, err = survivor.communicate(timeout=SECONDS)
        self.assertEqual((survivor.returncode, out), (0, alone), err)
        self.end(victim, 128 + signal.SIGKILL)

    # --- scarce resources ---

    def test_out_of_memory(self):
        for memory in ("40", "64", "128"):
            out = self.run_case("out_of_memory", options=["--memory", memory])
            count = int(re.search(r"(\d+) textures", out)[1])
            self.assertTrue(int(memory) // 4 - 9 <= count <= int(memory) // 4 + 1, out)  # 4 MiB each, less the driver's own memory

    def test_memory_comes_back(self):
        self.run_case("memory_comes_back", options=["--memory", "64"])

    def test_hardly_any_memory(self):
        """If the memory is not enough for a frame, the driver may abort the program, but only by SIGABRT, the signal of
        its own assertions."""
        alone = self.run_case("hashes")
        for memory in ("1", "2", "16", "17", "18"):
            process = self.start("hashes", options=["--memory", memory])
            out, err = process.communicate(timeout=SECONDS)
            self.assertTrue(process.returncode < 128 or process.returncode == 128 + signal.SIGABRT, err)
            told = "Cannot allocate memory" in err  # the driver's message: "Expect corruption"
            self.assertTrue(process.returncode != 0 or told or out == alone, out + err)
            self.assertEqual(err.count("[drm-memory]"), int(told), err)
            self.expect_nothing_left()

    def test_few_descriptors(self):
        alone = self.run_case("hashes")
        for most in (40, 64, 256):
            limit = (most, most)
            self.assertEqual(self.run_case("hashes", preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_NOFILE, limit)), alone)

    def test_no_folder_for_files(self):
        """If the folder for temporary files cannot be used, another folder must be used."""
        alone = self.run_case("hashes")
        self.assertEqual(self.run_case("hashes", env={"TMPDIR": os.path.join(self.folder, "none")}), alone)

    # --- processes ---

    def test_forks_and_executes(self):
        alone = self.run_case("hashes")
        self.run_case("forks")
        self.run_case("child_draws")
        out = self.run_case("executes")
        self.assertEqual(out.count(alone), 2, out)
        self.assertEqual(self.run_case("becomes"), alone)
        self.expect_nothing_left()

    def test_shared_buffer(self):
        """The second process reads the picture of the first and draws over it. The first process must then read the
        result."""
        for _ in range(3):
            ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            processes = []
            for case, end in zip(("gives", "takes"), ends):
                processes.append(self.start(case, env={"SHARED": str(end.fileno())}, pass_fds=[end.fileno()]))
                end.close()
            for process in processes:
                out, err = process.communicate(timeout=SECONDS)
                self.assertEqual(process.returncode, 0, out + err)
        self.expect_nothing_left()

    # --- hung shaders ---

    def test_stuck(self):
        """A shader that never ends must be reported as an error. Only its own job may fail."""
        process = self.start("stuck", options=["--hang", os.path.join(self.folder, "hang")])
        out, err = process.communicate(timeout=SECONDS)
        self.assertEqual((process.returncode, out), (1, "after\nstuck: good\n"), err)
        self.assertIn("[drm-hang]", err)
        self.assertEqual(os.listdir(self.folder), ["hang"])


if not driver_is_there():
    print("no Mesa with vc4: scripts/mesa-vc4 builds one")
    sys.exit(SKIPPED)
unittest.main()
