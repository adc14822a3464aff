#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls every function that a shim interposes: from the model's threads, in the middle of a run, and in signal
handlers.

    inside.py DEVICE SHIM INSIDE TESSERA [PRELOAD]

Expected: the statistics depend only on the computation. They do not change if the program calls other functions
during the run, in any thread. No function waits for itself. If a thread of the model ends the program, the exit
status is the one that the thread has passed (docs/qpu.md, docs/gl.md)."""
import os
import re
import subprocess
import sys
import unittest

DEVICE, SHIM, INSIDE, TESSERA = sys.argv[1:5]
PRELOAD = sys.argv[5:]
del sys.argv[1:]
SECONDS = 100
PERIPHERALS = "0x20000000"  # address of the peripherals of a Pi 1
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TESSERA_") or name == "TESSERA_SHIM"}
ENVIRONMENT["ASAN_OPTIONS"] = "detect_leaks=0:verify_asan_link_order=0"

# Functions of other libraries than the C library. Only a program that uses the device has them.
OF_LIBRARIES = re.compile("vcsm_|bcm_host_")

# Message for a request that the program makes in the middle of a run. It is printed once
# (docs/qpu.md).
REFUSED = re.compile("tessera: error: .*the request is refused\n")


def symbols(path):
    listed = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in listed.splitlines() if " T " in line}


class Inside(unittest.TestCase):
    def start(self, way, *name, threads=8):
        if DEVICE == "vcio":
            command = [TESSERA, "qpu", "--stats", "--threads", str(threads), "--"]
            more = {}
        else:
            command = []
            more = {"LD_PRELOAD": ":".join([*PRELOAD, SHIM]), "TESSERA_THREADS": str(threads), "TESSERA_STATS": "-", "TESSERA_MEMORY": str(64 << 20)}
        done = subprocess.run([*command, INSIDE, DEVICE, way, PERIPHERALS, *name], capture_output=True, text=True, timeout=SECONDS, check=False,
                              stdin=subprocess.DEVNULL, env={**ENVIRONMENT, **more})
        return done.returncode, done.stdout, done.stderr

    def results(self, way):
        status, out, err = self.start(way)
        err, refused = REFUSED.subn("", err)
        self.assertEqual((status, out), (int(refused > 0), f"{DEVICE}: 12 rounds\n"), err)
        self.assertEqual(refused > 0, DEVICE == "vcio" and way in ("hook", "handler"), err)
        return re.sub(r"process \d+|1 error, 0 warnings\n|==\d+==.*\n", "", err)

    def compare(self, way, times=1):
        plain = self.results("plain")
        for _ in range(times):
            self.assertEqual(self.results(way), plain)

    def test_list_is_whole(self):
        listed = set(subprocess.run([INSIDE, "list"], capture_output=True, text=True, check=True).stdout.split())
        self.assertEqual({name for name in symbols(SHIM) if not OF_LIBRARIES.match(name)} - listed, set())

    def test_hooks(self):
        self.compare("hook")

    def test_handlers(self):
        self.compare("handler")

    def test_threads_that_begin_late(self):
        self.compare("late", 3)

    def test_ends_in_threads_of_the_model(self):
        for name in ("_exit", "_Exit", "execv"):
            status, _, err = self.start("end", name)
            self.assertEqual(status, 0 if name == "execv" else 9, err)


unittest.main()
