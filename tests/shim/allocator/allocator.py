#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests programs with their own malloc() under both shims. The shims must not allocate memory with that malloc(), and
must not pass memory to its free().

    allocator.py TESSERA DRM SHIM... -- DRAWS REPORTER CLANG FOLDER...

DRM and SHIM are the shared libraries whose references are checked. The first one is the DRM device. DRAWS and
REPORTER are the programs draws.c and reporter.c, linked with allocator.c. If CLANG supports AddressSanitizer, CLANG
builds both programs with it, because its allocator is also part of the executable. FOLDER are the folders of the
programs' headers."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

TESSERA = os.path.abspath(sys.argv[1])
SHIMS = sys.argv[2:sys.argv.index("--")]
DRM = os.path.abspath(SHIMS[0])
OWN_DRAWS, OWN_REPORTER, CLANG, *FOLDERS = sys.argv[sys.argv.index("--") + 1:]
DRAWS, REPORTERS = [os.path.abspath(OWN_DRAWS)], [os.path.abspath(OWN_REPORTER)]
HERE = os.path.dirname(os.path.abspath(__file__))
del sys.argv[1:]
SECONDS = 120
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TESSERA_") or name == "TESSERA_SHIM"}

# Functions of the C library that allocate memory for their caller or free it: those that the GNU C Library's manual
# marks "AS-Unsafe heap". Not in the list: functions that allocate memory only for the C library's own use
# (pthread_create(), pthread_atfork()), and functions that allocate memory only for texts that shims do not print
# (vsnprintf() with thousands of digits).
ALLOCATING = """
    malloc calloc realloc reallocarray free cfree aligned_alloc memalign posix_memalign valloc pvalloc malloc_usable_size
    strdup strndup wcsdup asprintf vasprintf strerror strsignal perror psignal error warn err
    fopen freopen fdopen fmemopen open_memstream open_wmemstream fopencookie tmpfile popen pclose fclose fflush setvbuf setbuf
    setlinebuf fileno feof ferror clearerr fgets fgetc getc getchar ungetc fread fwrite fputc putc putchar fputs puts fprintf
    vfprintf printf vprintf dprintf vdprintf fscanf vfscanf scanf vscanf getline getdelim getw putw fseek fseeko ftell ftello rewind
    fgetpos fsetpos stdin stdout stderr fcloseall
    opendir fdopendir readdir readdir_r closedir dirfd rewinddir seekdir telldir scandir scandirat alphasort versionsort
    glob globfree wordexp wordfree fts_open fts_read ftw nftw realpath canonicalize_file_name get_current_dir_name
    qsort qsort_r regcomp regexec regfree fnmatch setlocale newlocale freelocale duplocale
    getpwnam getpwuid getgrnam getgrgid getgrouplist initgroups getlogin getaddrinfo freeaddrinfo gethostbyname getnameinfo
    putenv setenv unsetenv clearenv tempnam dlopen dlmopen dlclose backtrace backtrace_symbols
    tsearch tdelete twalk tdestroy hcreate hsearch argz_add envz_add open_wmemstream iconv_open gettext dcgettext textdomain
    syslog openlog setmntent getmntent posix_spawn_file_actions_addopen posix_spawn_file_actions_adddup2 sem_open wcstombs
""".split()
# Functions of other libraries that do not take the caller's allocator as an argument. Only image_decode() calls some of
# them, and no shim calls image_decode().
OTHERS = re.compile("inflate|deflateInit_|compress$|compress2$|uncompress|png_create_write_struct$|png_create_read_struct$")


def plain(name):
    """Removes the symbol version and the parts of a name that headers add: __isoc99_, 64, _chk."""
    name = name.split("@")[0]
    name = re.sub("^__(isoc[0-9]+_)?", "", name)
    return re.sub("(64)?(_time64)?(_chk)?$", "", name)


def called(library):
    """Returns the symbols to which a library's code refers. The linker's list of undefined symbols is longer: it has
    names that are unused because of --wrap."""
    listed = subprocess.run(["readelf", "-rW", library], capture_output=True, text=True, check=True, timeout=SECONDS).stdout
    defined = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True, timeout=SECONDS).stdout
    found = {line.split()[4].split("@")[0] for line in listed.splitlines() if len(line.split()) > 4}
    return found - {line.split()[-1].split("@")[0] for line in defined.splitlines()}


class Symbols(unittest.TestCase):
    def test_nothing_allocates_for_a_shim(self):
        for library in SHIMS:
            bad = sorted(name for name in called(library) if plain(name) in ALLOCATING or OTHERS.match(name))
            self.assertEqual(bad, [], library)


def build(name, *sources):
    """Builds a program with AddressSanitizer. Returns False if the compiler does not support it."""
    command = [CLANG, "-g", "-fsanitize=address", "-D_GNU_SOURCE", *("-I" + folder for folder in FOLDERS), "-o", name,
               *(os.path.join(HERE, source) for source in sources)]
    return subprocess.run(command, check=False, timeout=SECONDS, stderr=subprocess.DEVNULL).returncode == 0


def build_sanitized(folder):
    draws, reporter = os.path.join(folder, "draws"), os.path.join(folder, "reporter")
    if CLANG and build(draws, "draws.c", "system.c") and build(reporter, "../vcio/reporter.c"):
        DRAWS.append(draws)
        REPORTERS.append(reporter)
    else:
        print("without AddressSanitizer: no clang that has it")


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_program(self, arguments, environment, status=0):
        done = subprocess.run(arguments, capture_output=True, text=True, cwd=self.folder, timeout=SECONDS, check=False,
                              stdin=subprocess.DEVNULL, env={**ENVIRONMENT, **environment})
        self.assertEqual(done.returncode, status, (arguments, done.stdout[-2000:], done.stderr[-4000:]))
        return done

    def path(self, name):
        return os.path.join(self.folder, name)

    def is_there(self, name):
        self.assertGreater(os.path.getsize(self.path(name)), 0, name)


class Drm(Case):
    def draw(self, program, *arguments, **settings):
        """Returns the program's standard error. settings are the shim's settings (docs/gl.md) without TESSERA_."""
        environment = {"LD_PRELOAD": DRM, "TESSERA_MODE": "320x200", **{"TESSERA_" + name: str(text) for name, text in settings.items()}}
        return self.run_program([program, *map(str, arguments)], environment).stderr

    def test_jobs(self):
        for program in DRAWS:
            for threads in 1, 3:
                self.draw(program, 4096, THREADS=threads)

    def test_fork(self):
        for program in DRAWS:
            self.draw(program, 64, "fork")

    def test_frames(self):
        for program in DRAWS:
            os.makedirs(self.path("frames"), exist_ok=True)
            self.draw(program, 1, FRAMES=self.path("frames"))
            self.is_there("frames/frame-0001.png")

    def test_capture(self):
        for program in DRAWS:
            self.draw(program, 16, "fork", CAPTURE="job-%d.scene", STATS="stats")
            for name in "job-1.scene", "job-5.scene", "stats":
                self.is_there(name)
            self.draw(program, 64, CAPTURE="all.scene")
            self.is_there("all.scene")

    def test_dump(self):
        for program in DRAWS:
            for arguments in (64,), (4, "fork"):
                self.assertIn("SHADER", self.draw(program, *arguments, DUMP="decode").upper())

    def test_findings(self):
        for program in DRAWS:
            self.draw(program, 4, SANITIZE=1, JSON=1)
            self.draw(program, 4, SANITIZE=1, BASELINE=self.path("known"), LEARN=self.path("known"))
            self.draw(program, 4, SANITIZE=1, BASELINE=self.path("known"))


class Vcio(Case):
    def report(self, *arguments, options=(), program, status=0):
        return self.run_program([TESSERA, "qpu", *options, "--", program, *arguments], {}, status)

    def test_ways(self):
        for program in REPORTERS:
            for way in "return", "fork", "fork_run", "vfork", "execl", "no_exec":
                self.report(way, program=program)

    def test_capture(self):
        for program in REPORTERS:
            self.report("return", options=("--capture", "scene", "--stats=stats", "--trace", "trace"), program=program)
            for name in "scene", "stats", "trace":
                self.is_there(name)
            self.report("fork_run", options=("--capture", "scene"), program=program)

    def test_findings(self):
        for program in REPORTERS:
            self.report("wrong", program=program, status=1)
            self.report("wrong", options=("--baseline", "known", "--write-baseline"), program=program)
            self.report("wrong", options=("--baseline", "known"), program=program)
            self.report("wrong", options=("--json", "--sanitize"), program=program, status=1)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        build_sanitized(made)
        unittest.main()
