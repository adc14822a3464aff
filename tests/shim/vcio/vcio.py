#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests `tessera qpu` and its shim with the parts of program.c and with programs in Python. Also tests how `tessera
qpu` finds and starts programs, and its exit status.

    vcio.py TESSERA PROGRAM CC...

Expected: the files and addresses of each board from raspberrypi/documentation ("Raspberry Pi revision codes",
"Peripheral addresses") and from the device trees of raspberrypi/linux; the exit statuses of docs/qpu.md; 128 +
signal as in POSIX' shell."""
import json
import os
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../cli"))
from elf import elf  # noqa: E402

TESSERA, PROGRAM = map(os.path.abspath, sys.argv[1:3])
CC = sys.argv[3:]
del sys.argv[1:]
SECONDS = 60
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TESSERA_") or name == "TESSERA_SHIM"}
ENVIRONMENT["ASAN_OPTIONS"] = "detect_leaks=0:verify_asan_link_order=0"  # for programs without sanitizers

# Name, model, revision, peripheral base, bus address of the RAM.
BOARDS = [
    ("zero", "Raspberry Pi Zero W Rev 1.1", 0x9000c1, 0x20000000, 0x40000000),
    ("pi1", "Raspberry Pi Model B Rev 2", 0x00000e, 0x20000000, 0x40000000),
    ("pi2", "Raspberry Pi 2 Model B Rev 1.1", 0xa01041, 0x3f000000, 0xc0000000),
    ("pi3", "Raspberry Pi 3 Model B Rev 1.2", 0xa02082, 0x3f000000, 0xc0000000),
]

# A Python program that uses the mailbox like py-videocore, with only Python's own modules. It prints the 16 words that
# the program on the GPU has written.
PYTHON = """
import array, ctypes, fcntl, mmap, os, struct, sys
PROPERTY = 0xC0046400
fd = os.open('/dev/vcio', os.O_RDONLY)
def tag(number, *words):
    buffer = array.array('B', [0] * 1024)
    struct.pack_into('=5L%dL' % len(words), buffer, 0, 24 + 4 * len(words), 0, number, 4 * len(words), 4 * len(words), *words)
    fcntl.ioctl(fd, PROPERTY, buffer, True)
    assert struct.unpack_from('=L', buffer, 4)[0] == 0x80000000, hex(number)
    return struct.unpack_from('=L', buffer, 20)[0]
os.set_inheritable(fd, True)
os.set_inheritable(fd, False)
code = [int(word, 0) for word in sys.argv[1].split(',')]
assert tag(0x30012, 1) in (0, 1)
handle = tag(0x3000c, 4096, 4096, 12)
bus = tag(0x3000d, handle)
mem = os.open('/dev/mem', os.O_RDWR | os.O_SYNC)
page = mmap.mmap(mem, 4096, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE, offset=bus & ~0xC0000000)
os.close(mem)
struct.pack_into('=%dL' % len(code), page, 0, *code)
struct.pack_into('=3L', page, 256, 77, bus + 512, 1)
struct.pack_into('=2L', page, 384, bus + 256, bus)
assert tag(0x30011, 1, bus + 384, 1, 1000) == 0
print(*struct.unpack_from('=16L', page, 512))
library = ctypes.CDLL('libbcm_host.so')
print(hex(library.bcm_host_get_peripheral_address()))
page.close()
assert tag(0x3000e, handle) == 0 and tag(0x3000f, handle) == 0
os.close(fd)
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content, mode=0o755):
        path = self.path(name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        os.chmod(path, mode)
        return path

    def call(self, *arguments, environment=None, program=TESSERA):
        command = [program, *(["qpu"] if program == TESSERA else []), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, timeout=SECONDS, check=False,
                              stdin=subprocess.DEVNULL, env={**ENVIRONMENT, **(environment or {})})
        return done.returncode, done.stdout, done.stderr

    def expect(self, status, *arguments, says=None, silent=False, **options):
        got, out, err = self.call(*arguments, **options)
        self.assertEqual(got, status, (arguments, out, err))
        if says:
            self.assertIn(says, err, arguments)
        if silent:
            self.assertEqual(err, "", arguments)
        return out, err

    def part(self, *arguments, board="pi1"):
        """Runs a part of the program, which must succeed without messages."""
        self.expect(0, "--board", board, "--", PROGRAM, *arguments, silent=True)


class Programs(Case):
    def test_each_board(self):
        for board, model, revision, base, sdram in BOARDS:
            self.part("files", model, revision, base, sdram, board=board)
            self.part("run", board=board)
            self.part("registers", base, board=board)

    def test_tools(self):
        """Programs read these files with different calls. All of these calls must return the board's files."""
        script = ("cp /proc/device-tree/model copy; cat copy; [ -c /dev/vcio ] && ls -l /dev/vcio; grep -c ^processor /proc/cpuinfo; "
                  "od -An -tx1 /sys/firmware/devicetree/base/soc/ranges; stat -c %F /dev/vcsm-cma; mknod node c 100 0; ls -l node")
        out, _ = self.expect(0, "--board", "pi2", "sh", "-c", script, silent=True)
        lines = out.replace("\0", "\n").splitlines()
        self.assertEqual(lines[0], "Raspberry Pi 2 Model B Rev 1.1")
        self.assertRegex(lines[1], r"^crw.* 100, +0 .*/dev/vcio$")
        self.assertEqual(lines[2:5], ["4", " 7e 00 00 00 3f 00 00 00 01 00 00 00", "character special file"])
        self.assertRegex(lines[5], r"node( -> /dev/vcio)?$")

    def test_memory_of_the_kernel(self):
        """Checks the lines of /proc/meminfo that mailbox programs and drivers read. The contiguous memory is the GPU's
        memory."""
        with open("/proc/meminfo", encoding="ascii") as file:
            total = file.readline()
        out, _ = self.expect(0, "--memory", "64", "cat", "/proc/meminfo", silent=True)
        self.assertTrue(out.startswith(total))
        self.assertEqual([line.split() for line in out.splitlines() if line.startswith("Cma")], [["CmaTotal:", "65536", "kB"], ["CmaFree:", "65536", "kB"]])

    def test_devices(self):
        self.part("devices")

    def test_names(self):
        self.part("names")

    def test_handlers_of_signals(self):
        self.part("handlers", BOARDS[1][3])
        got, _, err = self.call(PROGRAM, "handlers", BOARDS[1][3], "registers")
        self.assertEqual(got, "the request is refused" in err, err)

    def test_a_handler_that_jumps(self):
        self.expect(1, PROGRAM, "leaving", BOARDS[1][3], says="the request is refused")

    def test_numbers_of_the_call(self):
        self.part("numbers")

    def test_memory(self):
        for board in ("pi1", "pi3"):
            self.part("memory", board=board)

    def test_addresses_of_32_bits(self):
        for name, _, _, base, _ in BOARDS:
            self.part("low", base, board=name)

    def test_descriptors(self):
        self.part("descriptors")
        self.part("passing")
        self.part("rights")

    def test_nodes(self):
        self.part("nodes")

    def test_whoever_looks_finds_results(self):
        self.part("looks", BOARDS[1][3])

    def test_bad_buffers(self):
        self.part("bad-buffers")

    def test_bad_mappings(self):
        self.part("bad-mappings")
        self.part("end-of-memory")

    def test_forks(self):
        self.part("fork")
        self.part("fork-in-threads")

    def test_threads(self):
        for count in (1, 4):
            self.expect(0, "--threads", count, PROGRAM, "threads", silent=True)

    def test_exec(self):
        self.part("exec")

    def test_python(self):
        for board, _, _, base, _ in BOARDS:
            out, _ = self.expect(0, "--board", board, "--", sys.executable, "-c", PYTHON, words("add.qasm"), silent=True)
            self.assertEqual(out.splitlines(), [" ".join(str(77 + i) for i in range(16)), hex(base)])


def words(name):
    """Returns the code of a source file in this folder as numbers separated by commas."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    text = subprocess.run([TESSERA, "asm", "-f", "hex", source], check=True, stdout=subprocess.PIPE, text=True).stdout
    return ",".join(text.replace(",", " ").split())


class Narrow(Case):
    """Tests the same program as a 32-bit program, if it can be built and there is a 32-bit shim (scripts/build-32)."""
    PARTS = [["run"], ["numbers"], ["bad-buffers"], ["bad-mappings"], ["memory"], ["descriptors"], ["passing"], ["nodes"], ["devices"], ["end-of-memory"], ["names"], ["fork"],
             ["threads"], ["exec"], ["files", *BOARDS[1][1:]], ["registers", BOARDS[1][3]], ["looks", BOARDS[1][3]]]

    def build(self, *options):
        """Builds the program with the compiler's default headers, or with the 64-bit headers if no others are
        installed."""
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "program.c")
        triplet = subprocess.run([*CC, "-print-multiarch"], capture_output=True, text=True, check=False).stdout.strip()
        command = [*CC, "-m32", "-O2", "-D_GNU_SOURCE", *options, "-I", os.path.dirname(PROGRAM), source, "-o", self.path("narrow"), "-lpthread", "-ldl"]
        for more in ([], ["-idirafter", "/usr/include/" + triplet]):
            if subprocess.run(command + more, capture_output=True, check=False).returncode == 0:
                return
        self.skipTest("cannot build programs of 32 bits")

    def run_parts(self, *options):
        self.build(*options)
        if "no libtessera-vcio.so of 32 bits" in self.call("./narrow", "run")[2]:
            self.skipTest("there is no shim of 32 bits")
        for part in self.PARTS:
            self.expect(0, "./narrow", *part, silent=True)

    def test_as_it_comes(self):
        self.run_parts()

    def test_with_wide_files_and_times(self):
        self.run_parts("-D_FILE_OFFSET_BITS=64", "-D_TIME_BITS=64")


class Endings(Case):
    def test_status_is_the_programs(self):
        for status in (0, 1, 7, 255):
            self.expect(status, PROGRAM, "exit", status, silent=True)

    def test_status_of_a_signal(self):
        for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGUSR1):
            self.expect(128 + number, PROGRAM, "signal", int(number))

    def test_errors_make_the_status(self):
        self.expect(1, PROGRAM, "wrong", says="[pi-execute-qpu]")
        if os.geteuid() == 0:
            self.expect(1, PROGRAM, "wrong", 65534, says="1 error, 0 warnings")
        self.expect(3, "sh", "-c", f"{PROGRAM} wrong; exit 3", says="[pi-execute-qpu]")
        self.expect(1, "sh", "-c", f"{PROGRAM} wrong; {PROGRAM} run")

    def test_json(self):
        _, err = self.expect(1, "--json", PROGRAM, "wrong")
        self.assertTrue(all(line.startswith("{") and line.endswith("}") for line in err.splitlines()), err)

    def test_strict_makes_warnings_errors(self):
        """A timeout is a warning, and with --strict an error. In both cases the machine must work after the timeout."""
        self.expect(1, PROGRAM, "timeout", says="warning: tag 0x30011 times out")
        self.expect(1, "--strict", PROGRAM, "timeout", says="error: tag 0x30011 times out")

    def test_endless_programs_can_be_ended(self):
        self.expect(128 + signal.SIGALRM, PROGRAM, "endless", BOARDS[1][3])

    def test_programs_that_registers_start_have_a_timeout(self):
        """A second on the chip has 250 million clocks. After that, the shim must report that the program polls without
        progress."""
        _, err = self.expect(1, "--timeout", "1", PROGRAM, "hung", BOARDS[1][3], environment={"TESSERA_POLLS": "20000"},
                             says="has not ended after 250000")
        self.assertIn("waits for something that cannot happen", err)

    def test_the_time_on_the_chip_is_predicted(self):
        """The predicted time is 0.1 ms for each start by mailbox, 0.005 ms for each start by registers, and the clocks
        at 250 MHz."""
        _, err = self.expect(0, "--stats", "--json", PROGRAM, "run", BOARDS[1][3])
        stats = json.loads(next(line for line in err.splitlines() if line.startswith("{")))
        self.assertEqual(stats["mhz"], 250)
        self.assertAlmostEqual(stats["predicted_ms"], stats["clocks"] / 250e3 + 0.1 * stats["mailbox_starts"]
                               + 0.005 * stats["register_starts"], places=3)
        self.assertGreater(stats["mailbox_starts"], 0)

    def test_polls_in_vain_end(self):
        out, _ = self.expect(1, PROGRAM, "poll", BOARDS[1][3], environment={"TESSERA_POLLS": "20000"},
                             says="has read V3D's registers 20000 times without a write")
        self.assertEqual(out, "polling")

    def test_signals_are_passed_on(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            with subprocess.Popen([TESSERA, "qpu", "sh", "-c", "echo ready; exec sleep 60"], stdout=subprocess.PIPE, text=True,
                                  env=ENVIRONMENT) as running:
                self.assertEqual(running.stdout.readline(), "ready\n")
                time.sleep(0.1)
                running.send_signal(number)
                self.assertEqual(running.wait(SECONDS), 128 + number)


class Finding(Case):
    def test_arguments_and_path(self):
        self.write("tool", "#!/bin/sh\nexec \"$@\"\n")
        environment = {"PATH": self.folder + ":" + ENVIRONMENT["PATH"]}
        self.expect(0, "tool", PROGRAM, "run", environment=environment, silent=True)
        self.expect(0, "--", "tool", PROGRAM, "run", environment=environment, silent=True)
        out, _ = self.expect(0, "./tool", "printf", "%s,", "-a", "--json", "b c", "", silent=True)
        self.assertEqual(out, "-a,--json,b c,,")

    def test_scripts(self):
        self.write("one", f"#! {PROGRAM}  run\n")
        self.write("two", f"#!{self.path('one')}\n")
        self.write("none", f"exec {PROGRAM} run\n")
        for name in ("./one", "./two", "./none"):
            got, _, err = self.call(name)
            self.assertIn(got, (0, 98), err)  # 98: program.c received the script's name as an additional argument
            self.assertNotIn("cannot run", err)
        self.write("bad", "#!/no/such/interpreter\n")
        self.expect(2, "./bad", says="cannot run './bad'")

    def test_what_cannot_be_run(self):
        self.expect(2, says="no program given")
        self.expect(2, "--", says="no program given")
        self.expect(2, "no-such-program", says="cannot run 'no-such-program': No such file or directory")
        self.expect(2, "./none", says="cannot run './none': No such file or directory")
        self.expect(2, self.folder, says="cannot run")
        self.write("data", elf(), mode=0o644)
        self.expect(2, "./data", says="cannot run './data': Permission denied")
        self.write("static", elf(interpreter=False))
        self.expect(2, "./static", says="it is statically linked")
        self.write("short", elf()[:50])
        self.write("headers", elf()[:64])
        for name in ("./short", "./headers"):
            self.expect(2, name, says="its ELF headers are invalid")

    def test_other_processors(self):
        for wide, bits in ((True, 64), (False, 32)):
            self.write("other", elf(machine=4, wide=wide))  # EM_68K
            self.expect(2, "./other", says=f"no libtessera-vcio.so ({bits} bits)")

    def test_real_static_program(self):
        source = self.write("static.c", "int main(void) { return 0; }\n")
        if subprocess.run([*CC, "-static", source, "-o", self.path("static")], capture_output=True, check=False).returncode:
            self.skipTest("no static C library")
        self.expect(2, "./static", says="it is statically linked")

    @unittest.skipIf(os.geteuid() != 0, "only root can make a program somebody else's")
    def test_set_user_id(self):
        program = shutil.copy(shutil.which("true"), self.path("other"))
        os.chown(program, 1, -1)
        os.chmod(program, 0o755 | stat.S_ISUID)
        self.expect(2, program, says="it is set-user-ID")

    def test_callers_preload_and_path_of_libraries(self):
        """A program that is linked with -lbcm_host must start. Libraries that the caller preloads must stay
        preloaded."""
        self.expect(0, "sh", "-c", 'case "$LD_PRELOAD" in *libtessera-vcio.so:libm.so.6) ;; *) exit 9 ;; esac',
                    environment={"LD_PRELOAD": "libm.so.6"})
        source = self.write("linked.c", "unsigned bcm_host_get_peripheral_address(void);\n"
                            "int main(void) { return bcm_host_get_peripheral_address() != 0x3f000000; }\n")
        shim = os.path.join(os.path.dirname(TESSERA), "src/shim/vcio")
        subprocess.run([*CC, source, "-o", self.path("linked"), "-L" + shim, "-lbcm_host"], check=True)
        self.expect(0, "--board", "pi2", "./linked", silent=True)

    def test_dlopen_finds_what_the_caller_would(self):
        """dlopen() must find a library that only the program's RUNPATH leads to."""
        if "libasan" in self.call("sh", "-c", "echo $LD_PRELOAD")[1]:
            self.skipTest("the sanitizer has a dlopen() of its own")
        os.mkdir(self.path("lib"))
        library = self.write("library.c", "int answer(void) { return 42; }\n")
        program = self.write("program.c", "#include <dlfcn.h>\nint main(void) { void *l = dlopen(\"libanswer.so\", RTLD_NOW);\n"
                             "if (!l) return 1; int (*f)(void); *(void **)&f = dlsym(l, \"answer\"); return f() != 42; }\n")
        subprocess.run([*CC, "-shared", "-fPIC", library, "-o", self.path("lib/libanswer.so")], check=True)
        subprocess.run([*CC, program, "-o", self.path("program"), "-Wl,-rpath," + self.path("lib"), "-ldl"], check=True)
        self.expect(0, "./program", silent=True)


class Options(Case):
    def test_wrong_options(self):
        for arguments, says in ((["--board", "pi9"], "unknown board 'pi9'"), (["--threads", "0"], "invalid thread count"),
                                (["--threads", "65"], "invalid thread count"), (["--threads", "two"], "invalid thread count"),
                                (["--memory", "0"], "invalid memory size"), (["--memory", "961"], "invalid memory size"),
                                (["--source", "nowhere"], "nowhere: No such file"), (["--frobnicate"], "unrecognized option")):
            self.expect(2, *arguments, PROGRAM, "run", says=says)
        self.expect(2, "--board", says="requires an argument")

    def test_memory(self):
        """GPU memory is a part of the board's memory. On a Pi 2 it begins at the end of the RAM, below the
        peripherals."""
        self.expect(0, "--memory", 1, PROGRAM, "run", silent=True)
        self.expect(0, "--memory", 512, "--board", "pi3", PROGRAM, "run", silent=True)
        self.expect(99, "--memory", 960, "--board", "pi1", PROGRAM, "run", says="cannot create a machine with 960 MiB")

    def test_environment_alone(self):
        shim = os.path.join(os.path.dirname(TESSERA), "src/shim/vcio/libtessera-vcio.so")
        _, preload, _ = self.call("sh", "-c", "echo $LD_PRELOAD")
        self.assertIn(shim, preload)
        environment = {"LD_PRELOAD": preload.strip(), "TESSERA_BOARD": "pi2"}
        board = BOARDS[2]
        self.expect(0, "files", *board[1:], program=PROGRAM, environment=environment, silent=True)
        for name, value, says in (("BOARD", "pi9", "expected zero, pi1, pi2, pi3 or zero2"), ("THREADS", "x", "expected a number from 1 to 64"),
                                  ("MEMORY", "1", "expected a number from 1048576"), ("STRICT", "yes", "expected 0 or 1")):
            self.expect(0, "run", program=PROGRAM, says=f"TESSERA_{name}={value}: {says}",
                        environment={**environment, "TESSERA_" + name: value})


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup, programs would ignore it
    unittest.main()
