#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the shim's reports about the programs that a process runs: statistics, traces, captures, findings and names.
The process ends in different ways.

    report.py TESSERA REPORTER ADD.QASM

Expected: the counts are computed by hand from add.qasm. It has 12 instructions. reporter.c starts one QPU, which
executes each of them once."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

TESSERA, REPORTER, ADD = map(os.path.abspath, sys.argv[1:4])
del sys.argv[1:]
SECONDS = 60
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TESSERA_")}
ENVIRONMENT["ASAN_OPTIONS"] = "detect_leaks=0:verify_asan_link_order=0:handle_segv=0:handle_sigfpe=0"  # for programs without sanitizers
INSTRUCTIONS = 12


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def tessera(self, *arguments):
        return subprocess.run([TESSERA, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder, timeout=SECONDS,
                              check=False, stdin=subprocess.DEVNULL, env=ENVIRONMENT)

    def expect(self, status, *arguments):
        done = self.tessera(*arguments)
        self.assertEqual(done.returncode, status, (arguments, done.stdout, done.stderr))
        return done

    def documents(self, way, status=0, options=(), arguments=()):
        """Returns the statistics as a list of documents, one for each process that reports."""
        self.expect(status, "qpu", "--json", "--stats=stats", *options, "--", REPORTER, way, *arguments)
        return [json.loads(line) for line in self.read("stats").splitlines()]


class Ends(Case):
    def test_full_standard_error(self):
        """If standard error does not accept the statistics, the exit status is 1, as for a file. Other options are not
        affected."""
        with open("/dev/full", "w", encoding="utf-8") as full:
            for option, status in ("--stats", 1), ("--threads=1", 0):
                done = subprocess.run([TESSERA, "qpu", option, "--", REPORTER, "return"], stdout=subprocess.DEVNULL,
                                      stderr=full, cwd=self.folder, timeout=SECONDS, check=False, env=ENVIRONMENT)
                self.assertEqual(done.returncode, status, option)

    def check(self, way, status, *arguments):
        documents = self.documents(way, status, arguments=arguments)
        self.assertEqual([document["instructions"] for document in documents], [INSTRUCTIONS], way)

    def test_functions(self):
        self.check("return", 0)
        for way in "exit", "_exit", "_Exit", "quick_exit":
            self.check(way, 3)

    def test_signals(self):
        self.check("abort", 128 + signal.SIGABRT)
        self.check("crash", 128 + signal.SIGSEGV)
        for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGFPE, signal.SIGUSR1:
            self.check("signal", 128 + number, int(number))
        self.check("chain", 128 + signal.SIGTERM)

    def test_exec(self):
        for way in "execl", "execle", "execvp":
            self.check(way, 0)

    def test_exec_that_fails_is_told_once(self):
        self.check("no_exec", 0)

    def test_a_child_that_lives_longer(self):
        """A program that runs after tessera has ended reports its findings. It must not print an error about the
        verdict file."""
        for options in (), ("--baseline", "known", "--write-baseline"):
            err = self.expect(0, "qpu", *options, "--", REPORTER, "outlive").stderr
            self.assertIn("[bus-unmapped]" if not options else "", err)
            self.assertNotIn("No such file", err)
            self.assertNotIn("verdict", err)

    def test_children_tell_what_they_did(self):
        self.check("fork", 0)
        self.check("vfork", 0)
        counts = [document["instructions"] for document in self.documents("fork_run")]
        self.assertEqual(sorted(counts), [INSTRUCTIONS, 2 * INSTRUCTIONS])

    def test_nothing_is_told_of_nothing(self):
        self.assertEqual(self.documents("nothing"), [])


class Statistics(Case):
    def test_counts(self):
        document, = self.documents("return")
        shader, = document["shaders"]
        self.assertEqual((shader["kind"], shader["runs"], shader["instructions"]), ("user", 1, INSTRUCTIONS))
        self.assertEqual([row["executed"] for row in shader["hot"]], [1] * INSTRUCTIONS)
        self.assertEqual(sum(row["cycles"] for row in shader["hot"]), shader["cycles"])
        self.assertEqual((shader["uniforms"], shader["vpm_accesses"], shader["dma_loaded"], shader["dma_stored"]), (3, 1, 0, 64))

    def test_the_executable_has_names(self):
        document, = self.documents("return")
        shader, = document["shaders"]
        self.assertEqual((shader["symbol"], shader["offset"]), ("reporter_shader", 0))
        self.assertEqual([row["offset"] for row in shader["hot"]], [8 * i for i in range(INSTRUCTIONS)])

    def test_sources_have_lines(self):
        with open(ADD, encoding="utf-8") as file:
            first = next(number for number, line in enumerate(file, 1) if line.startswith("mov r0, unif"))
        object_file = self.path("add.o")
        self.expect(0, "asm", "--no-check", "-f", "elf", "-o", object_file, ADD)
        for source in ADD, object_file:
            document, = self.documents("return", options=["--source", source])
            rows = document["shaders"][0]["hot"]
            self.assertEqual([row["line"] for row in rows], list(range(first, first + INSTRUCTIONS)))
            self.assertTrue(all(row["file"].endswith("add.qasm") for row in rows))

    def test_tables(self):
        done = self.expect(0, "qpu", "--stats", "--source", ADD, "--", REPORTER, "return")
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"^statistics of process \d+ \(reporter\)\n")
        self.assertRegex(done.stderr, r"\nhot instructions of the user program at 0x[0-9a-f]{8} <[^>]*add.qasm:\d+>")
        self.assertRegex(done.stderr, r"  add.qasm:\d+ +mov -, vw_wait\n")

    def test_any_number_of_threads(self):
        texts = []
        for threads in 1, 2, 4:
            self.documents("return", options=["--threads", threads])
            texts.append(self.read("stats"))
        self.assertEqual(len(set(texts)), 1)

    def test_process_number_in_names(self):
        self.expect(0, "qpu", "--stats=stats.%p", "--", REPORTER, "return")
        self.assertEqual(len([name for name in os.listdir(self.folder) if re.fullmatch(r"stats\.\d+", name)]), 1)

    def test_a_source_that_was_not_run(self):
        with open(self.path("other.qasm"), "w", encoding="utf-8") as file:
            file.write("fsub r0, r1, r2\nfmul r3, r0, r0\nmov irq, 1\nthrend\nnop\nnop\n")
        for option in "--stats=stats", "--trace=trace", "--capture=capture.elf":
            done = self.expect(0, "qpu", option, "--source", self.path("other.qasm"), "--source", ADD, "--", REPORTER, "return")
            self.assertRegex(done.stderr, r"other\.qasm: note: .*\[source-unused\]")
            self.assertNotRegex(done.stderr, r"add\.qasm: note")

    def test_a_source_that_cannot_be_read(self):
        with open(self.path("wrong.qasm"), "w", encoding="utf-8") as file:
            file.write("this is none\n")
        done = self.tessera("qpu", "--source", self.path("wrong.qasm"), "--", REPORTER, "return")
        self.assertIn("wrong.qasm:1", done.stderr)
        self.assertEqual(done.returncode, 1)


class Traces(Case):
    def test_lines(self):
        self.expect(0, "qpu", "--trace", "trace", "--source", ADD, "--", REPORTER, "return")
        steps = [line for line in self.read("trace").splitlines() if not line.startswith("#")]
        self.assertEqual(len(steps), INSTRUCTIONS)
        self.assertRegex(steps[1], r"add.qasm:\d+ .*add r0, r0, elem_num +r0=\[5 6 7 8 9 a b c d e f 10 11 12 13 14\]$")
        self.assertRegex(steps[5], r"\{dma store 0x[0-9a-f]{8} setup 0x[0-9a-f]{8}\}")
        self.assertTrue(steps[-1].endswith("{end}"))

    def test_json_and_fatal_signals(self):
        for way, status in ("return", 0), ("_exit", 3), ("abort", 128 + signal.SIGABRT), ("crash", 128 + signal.SIGSEGV):
            self.expect(status, "qpu", "--json", "--trace", "trace", "--", REPORTER, way)
            steps = [json.loads(line) for line in self.read("trace").splitlines()]
            self.assertEqual([step["number"] for step in steps], list(range(INSTRUCTIONS)), way)

    def test_processes_share_a_file(self):
        self.expect(0, "qpu", "--trace", "trace", "--", REPORTER, "fork_run")
        steps = [line for line in self.read("trace").splitlines() if not line.startswith("#")]
        self.assertEqual(len(steps), 2 * INSTRUCTIONS)

    def test_a_file_that_cannot_be_written(self):
        done = self.expect(2, "qpu", "--trace", "no/folder", "--", REPORTER, "return")
        self.assertEqual(done.stderr, "tessera qpu: cannot write to no/folder: No such file or directory\n")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_disk_that_is_full(self):
        for option in "--stats=/dev/full", "--trace=/dev/full", "--capture=/dev/full":
            done = self.expect(1, "qpu", option, "--", REPORTER, "return")
            self.assertRegex(done.stderr, r"^/dev/full: error: .*No space left on device \[io\]\n1 error, 0 warnings\n$", option)

    def test_standard_error(self):
        done = self.expect(0, "qpu", "--trace", "-", "--", REPORTER, "return")
        self.assertEqual(len([line for line in done.stderr.splitlines() if not line.startswith("#")]), INSTRUCTIONS)
        self.assertEqual(done.stdout, "")
        self.expect(2, "qpu", "--capture", "-", "--", REPORTER, "return")
        self.assertFalse(os.path.exists(self.path("-")))


class Outputs(Case):
    """As in docs/output.md, an old file must stay until the program has ended, even if an error occurs."""
    OLD = "old content\n"

    def setUp(self):
        super().setUp()
        with open(self.path("o"), "w", encoding="utf-8") as file:
            file.write(self.OLD)

    def kept(self, status, *arguments, says=""):
        self.assertIn(says, self.expect(status, "qpu", *arguments).stderr)
        self.assertEqual(self.read("o"), self.OLD, arguments)
        self.assertEqual(os.listdir(self.folder), ["o"], arguments)

    def test_nothing_was_started(self):
        for option in "--stats=o", "--trace=o", "--capture=o":
            self.kept(2, option, "--", "./nosuch", says="nosuch")
            self.kept(2, option)
            self.kept(2, option, "--frobnicate", "--", REPORTER, "return")
            self.kept(2, option, "--trace", "no/folder", "--", REPORTER, "return")

    def test_the_same_file(self):
        same = "another output writes to the same file"
        for pair in (["--stats=o", "--trace=./o"], ["--trace", "o", "--capture", "o"], ["--capture", "o", "--stats=o"]):
            self.kept(2, *pair, "--", REPORTER, "return", says=same)

    def test_inputs(self):
        os.rename(self.path("o"), self.path("mine.qasm"))
        os.link(self.path("mine.qasm"), self.path("o"))
        for option in "--stats=o", "--trace=o", "--capture=o":
            done = self.expect(2, "qpu", option, "--source", self.path("mine.qasm"), "--", REPORTER, "return")
            self.assertIn("this file is also an input", done.stderr)
        program = shutil.copy(REPORTER, self.path("program"))
        for option in "--stats=program", "--capture=program":
            done = self.expect(2, "qpu", option, "--", program, "return")
            self.assertIn("this file is also an input", done.stderr)
        with open(program, "rb") as copy, open(REPORTER, "rb") as original:
            self.assertEqual(copy.read(), original.read())
        self.assertEqual(self.read("o"), self.OLD)

    def test_it_is_aside_until_the_end(self):
        os.chmod(self.path("o"), 0o600)
        self.expect(7, "qpu", "--stats=o", "--", "/bin/sh", "-c", "cat o >seen; '%s' return; cat o >>seen; exit 7" % REPORTER)
        self.assertEqual(self.read("seen"), 2 * self.OLD)
        self.assertIn("instructions", self.read("o"))
        self.assertEqual(os.stat(self.path("o")).st_mode & 0o7777, 0o600)
        self.assertEqual(sorted(os.listdir(self.folder)), ["o", "seen"])

    def test_somebody_outlives_the_verb(self):
        """Output that a program writes after tessera has ended must be appended to the file."""
        self.expect(0, "qpu", "--stats=o", "--", "/bin/sh", "-c",
                    "(trap '' TERM; mkfifo wait; cat wait; '%s' return; touch done) >/dev/null 2>&1 & while ! test -p wait; do :; done" % REPORTER)
        self.assertEqual(self.read("o"), "")
        with open(self.path("wait"), "w", encoding="utf-8"):
            pass
        for _ in range(1000):
            if os.path.exists(self.path("done")):
                break
            time.sleep(0.01)
        self.assertIn("instructions", self.read("o"))

    def test_closed_standard_error(self):
        for way in "return", "wrong":
            self.expect(1 if way == "wrong" else 0, "qpu", "--trace", "seen", "--", REPORTER, way)
            done = subprocess.run(["sh", "-c", '"$@" 2>&-', "sh", TESSERA, "qpu", "--trace", "o", "--", REPORTER, way],
                                  cwd=self.folder, timeout=SECONDS, check=False, env=ENVIRONMENT)
            self.assertIn(done.returncode, (0, 1, 2))
            self.assertEqual(self.read("o"), self.read("seen"), way)

    def test_signals(self):
        program = subprocess.Popen([TESSERA, "qpu", "--stats=o", "--", "sleep", "60"], cwd=self.folder, env=ENVIRONMENT)
        while len(os.listdir(self.folder)) < 2:
            time.sleep(0.01)
        time.sleep(0.1)
        program.terminate()
        self.assertEqual(program.wait(timeout=SECONDS), 128 + signal.SIGTERM)
        self.assertEqual(os.listdir(self.folder), ["o"])


class Captures(Case):
    def test_they_replay(self):
        for way, status in ("return", 0), ("_exit", 3), ("crash", 128 + signal.SIGSEGV):
            self.expect(status, "qpu", "--capture", "scene.elf", "--", REPORTER, way)
            done = self.expect(0, "run", "--strict", "--stats", "--json", "scene.elf")
            self.assertIn("expect-met", done.stderr)
            shader, = json.loads(done.stdout)["shaders"]
            self.assertEqual((shader["symbol"], shader["instructions"]), ("reporter_shader", INSTRUCTIONS))
            os.unlink(self.path("scene.elf"))


class Findings(Case):
    def test_places_are_named(self):
        done = self.expect(1, "qpu", "--source", ADD, "--", REPORTER, "wrong")
        self.assertIn("error: ", done.stderr)
        self.assertRegex(done.stderr, r"\n  at shader 0x[0-9a-f]{8} <[^>]*add.qasm:\d+>, first instruction, on QPU 0: `mov r0, unif`")
        self.assertRegex(done.stderr, r"\n\d+ errors?, \d+ warnings?\n")

    def test_json(self):
        done = self.expect(1, "qpu", "--json", "--", REPORTER, "wrong")
        finding = json.loads(done.stderr.splitlines()[0])
        self.assertEqual((finding["severity"], finding["pc_symbol"], finding["pc_offset"]), ("error", "reporter_shader", 0))

    def test_format_json_is_lines(self):
        done = self.expect(1, "qpu", "--format", "json", "--stats=stats.txt", "--", REPORTER, "wrong")
        self.assertEqual([json.loads(line)["severity"] for line in done.stderr.splitlines()], 3 * ["error"] + ["warning"])
        self.assertIn("statistics of process", self.read("stats.txt"))

    def test_github(self):
        lines = self.expect(1, "qpu", "--format", "github", "--", REPORTER, "wrong").stderr.splitlines()
        self.assertEqual([line.split(" ")[0] for line in lines], 3 * ["::error"] + ["::warning"])
        lines = self.expect(1, "qpu", "--format", "github", "--source", ADD, "--", REPORTER, "wrong").stderr.splitlines()
        self.assertRegex(lines[0], r"^::error file=[^,]*add\.qasm,line=\d+,col=\d+,endColumn=\d+,title=bus-unmapped::")

    def test_sarif_of_two_processes(self):
        done = self.expect(1, "qpu", "--format", "sarif", "--findings", "out.sarif", "--", "sh", "-c", f"{REPORTER} wrong; {REPORTER} wrong")
        self.assertIn("error: ", done.stderr)
        run, = json.loads(self.read("out.sarif"))["runs"]
        self.assertEqual([result["level"] for result in run["results"]], 2 * (3 * ["error"] + ["warning"]))
        rules = run["tool"]["driver"]["rules"]
        self.assertEqual([rules[result["ruleIndex"]]["id"] for result in run["results"]], [result["ruleId"] for result in run["results"]])
        self.assertEqual(run["invocations"][0]["exitCode"], 1)

    def test_junit(self):
        self.expect(1, "qpu", "--format", "junit", "--findings", "out.xml", "--", REPORTER, "wrong")
        self.assertEqual(len(xml.etree.ElementTree.fromstring(self.read("out.xml")).findall(".//failure")), 4)

    def test_a_document_without_findings(self):
        done = self.expect(0, "qpu", "--format", "sarif", "--", REPORTER, "return")
        self.assertEqual(json.loads(done.stderr)["runs"][0]["results"], [])
        done = self.expect(0, "qpu", "--format", "sarif", "--stats=stats.txt", "--", "/bin/true")
        self.assertEqual([result["ruleId"] for result in json.loads(done.stderr)["runs"][0]["results"]], ["gpu-unused"])

    def test_the_programs_status_is_its_own(self):
        """Status 2 is the status of the program, not of tessera, so the baseline must be complete."""
        self.expect(2, "qpu", "--baseline", "known", "--write-baseline", "--", "sh", "-c", f"{REPORTER} wrong; exit 2")
        self.assertIn("bus-unmapped", self.read("known"))

    def test_levels_hold_for_documents(self):
        done = self.expect(0, "qpu", "--format", "sarif", "-W", "all=off", "--", REPORTER, "wrong")
        self.assertEqual(json.loads(done.stderr)["runs"][0]["results"], [])

    def test_findings_need_a_format(self):
        self.assertIn("--format", self.expect(2, "qpu", "--findings", "out", "--", REPORTER, "wrong").stderr)
        self.assertFalse(os.path.exists(self.path("out")))


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup, programs would ignore it
    unittest.main()
