#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""looking.py - tests tools for driver developers on jobs of Mesa's vc4, which are captures, listings, and states of
hangs: looking.py TESSERA PROGRAM. PROGRAM is endless.c. The exit status is 77 if there is no Mesa with vc4."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

TESSERA, PROGRAM = (os.path.abspath(path) for path in sys.argv[1:3])
SKIPPED, SECONDS, DONE, WRONG = 77, 120, 0, 1


def environment():
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TESSERA_") or name in ("TESSERA_MESA", "TESSERA_SHIM")}
    kept["ASAN_OPTIONS"] = "detect_leaks=0:verify_asan_link_order=0"
    return kept


def call(folder, *arguments):
    return subprocess.run([TESSERA, *arguments], cwd=folder, env=environment(), capture_output=True, text=True, timeout=SECONDS, check=False)


class Looking(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def gl(self, case, *options):
        done = call(self.folder, "gl", *options, "--", PROGRAM, case)
        self.assertIn(done.returncode, (DONE, WRONG), done.stderr)
        return done

    def files(self):
        return sorted(os.listdir(self.folder))

    def replays(self, name):
        done = call(self.folder, "run", name, "-o", "%d.png")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn("[expect-met]", done.stderr)

    def test_jobs_have_files(self):
        self.gl("good", "--capture", "job-%d.elf", "--jobs", "1-2")
        names = self.files()
        self.assertIn("job-1.elf", names)
        self.assertTrue(set(names) <= {"job-1.elf", "job-2.elf"})
        for name in names:
            self.replays(name)

    def test_jobs_share_a_file(self):
        self.gl("good", "--capture", "all.elf")
        self.assertEqual(self.files(), ["all.elf"])
        self.replays("all.elf")

    def test_a_capture_of_none(self):
        self.gl("good", "--capture", "all.elf", "--jobs", "1000")
        self.assertEqual(self.files(), [])

    def test_the_picture_is_the_program_s(self):
        """The picture has 64 x 64 pixels. It is green in the middle and black around the middle. The test compares
        the first bytes of the uncompressed picture."""
        self.gl("good", "--capture", "job-%d.elf", "--jobs", "1")
        call(self.folder, "run", "--quiet", "job-1.elf", "-o", "picture.png")
        with open(os.path.join(self.folder, "picture.png"), "rb") as file:
            head = file.read(24)
        self.assertEqual((head[16:20], head[20:24]), (b"\0\0\0\x40", b"\0\0\0\x40"))

    def test_listings(self):
        done = self.gl("good", "--dump", "--jobs", "1")
        for text in ("tessera: job 1\n", "<bin_list>: Tile Binning Mode Configuration", "<render_list>", "Fragment shader at ", "Sub-list at "):
            self.assertIn(text, done.stderr)
        self.assertNotIn("tessera: job 2", done.stderr)
        self.assertNotIn("tessera: job 1", self.gl("good").stderr)

    def test_hangs(self):
        done = self.gl("endless", "--hang", "gpu.hang", "--json")
        found = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
        rules = [finding.get("rule") for finding in found]
        self.assertIn("budget", rules)
        self.assertIn("drm-hang", rules)
        self.assertEqual(done.returncode, WRONG)
        self.assertEqual(self.files(), ["gpu.hang"])
        again = call(self.folder, "run", "gpu.hang", "-o", "hang.png")
        self.assertEqual(again.returncode, WRONG)
        for text in ("[hang-state]", "without ending; ", "[budget]"):
            self.assertIn(text, again.stderr)
        listing = call(self.folder, "decode", "gpu.hang").stdout
        for text in ("Registers of the hung GPU", "<bin_list>: Tile Binning Mode Configuration", "the rendering thread of the hung GPU stopped here"):
            self.assertIn(text, listing)

    def test_names_of_files_of_hangs(self):
        self.gl("endless", "--hang", "%d.hang", "--capture", "%d.elf", "--jobs", "1")
        self.assertTrue({"1.elf", "1.hang"} <= set(self.files()), self.files())


def main():
    listed = subprocess.run([TESSERA, "gl", "--list", "--json"], capture_output=True, text=True, check=False)
    if not listed.stdout or not any(mesa["used"] for mesa in json.loads(listed.stdout)["mesas"]):
        print("no Mesa with vc4: scripts/mesa-vc4 builds one")
        return SKIPPED
    return 0 if unittest.main(argv=sys.argv[:1], exit=False).result.wasSuccessful() else 1


sys.exit(main())
