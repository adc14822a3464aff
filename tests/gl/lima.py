#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests tessera gl --gpu lima with Mesa's lima driver: lima.py TESSERA PROGRAM, where PROGRAM is gl_renderer.

Expected: Mesa 22.3.6, src/gallium/drivers/lima/lima_screen.c, for GL_RENDERER; src/shim/drm/lima for the finding. The
test is skipped (77) only if `tessera gl --gpu lima --list` finds no Mesa with lima."""
import json
import os
import subprocess
import sys
import unittest

TESSERA, PROGRAM = os.path.abspath(sys.argv[1]), sys.argv[2]
del sys.argv[1:]
SKIPPED, SECONDS = 77, 120
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if not name.startswith("TESSERA_") or name in ("TESSERA_MESA", "TESSERA_SHIM")}
ENVIRONMENT["ASAN_OPTIONS"] = "detect_leaks=0:verify_asan_link_order=0"


def call(*arguments):
    return subprocess.run([TESSERA, "gl", "--gpu", "lima", *arguments], env=ENVIRONMENT, capture_output=True, text=True,
                          timeout=SECONDS, check=False)


class Lima(unittest.TestCase):
    def test_screen(self):
        """The driver creates a screen and a context. No job is submitted, so nothing is reported."""
        done = call("--", PROGRAM)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "Mali400\n", ""))

    def test_jobs_are_refused(self):
        """The program's own status is 0. The finding is an error, so the status is 1."""
        done = call("--", PROGRAM, "draw")
        self.assertEqual((done.returncode, done.stdout), (1, "Mali400\n"), done.stderr)
        self.assertEqual(done.stderr.count("[drm-no-model]"), 1, done.stderr)
        self.assertIn("hint: run the program with --gpu vc4", done.stderr)


if __name__ == "__main__":
    listed = call("--list", "--json")
    if not listed.stdout or not any(mesa["used"] for mesa in json.loads(listed.stdout)["mesas"]):
        print("no Mesa with lima: 'scripts/mesa-vc4 lima' builds one")
        sys.exit(SKIPPED)
    unittest.main()
