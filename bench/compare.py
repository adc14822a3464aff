#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the speed of the working tree with that of a commit.

    scripts/bench --compare COMMIT [--runs N] [--list] [ROW...]

In:  a commit; rows to measure: a bench ("texture"), or a bench and a part of a row's name ("texture/bilinear"). Without
     names, all benches run.
Out: a table with a row for each measurement: the medians of the commit and of the working tree with their spreads
     (largest minus smallest value, in per cent of the median), the ratio of the medians and the ratio of the best
     values. A ratio above 1 means that the working tree is faster. A row is marked "slower" if both ratios are below
     0.97, and "slower?" if only that of the medians is. The exit status is 1 if a row is marked "slower".

The commit is built in build/compare/COMMIT with the compiler and the options of build/, and with the benches of the
working tree, so that both sides do the same work. A bench that does not compile with the commit's library is built from
the commit's own source; its rows have a star. The builds are kept. Both sides run alternately, five times or --runs.

Most rows are by processor time, which other load on the machine disturbs least: either the bench computes its rates
from it, or the row is the user and system time of all threads of a command. Rows that are by the clock are named so;
they are meaningful only on an idle machine."""
import argparse
import collections
import json
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

import frames
import glmark2

TOP = pathlib.Path(__file__).resolve().parents[1]
BUILD = TOP / "build"
RUNS, SLOWER = 5, 0.97
NUMBER = r"([\d.]+)"
SCENE_SECONDS = 2
EXAMPLES = ("textured-triangle", "msaa-triangle", "mip-maps", "vg-tiger", "spinning-teapot")
FFT_LOOPS = {8: 400, 10: 300, 12: 100, 15: 8, 18: 2, 20: 1, 22: 1}

# A measurement: its bench; a command whose {parts} are of one side; a function from the output to (row, unit, value);
# True to add a row with the processor time of the command.
Bench = collections.namedtuple("Bench", "name command rows timed")
# The programs of the commit or of the working tree: a name, the build folder, benches built from an own source.
Side = collections.namedtuple("Side", "name build own")


def table(pattern, *units):
    """Returns a function that finds rows by a pattern, whose groups are the row's name and a value for each unit."""
    def rows(text):
        for name, *values in re.findall("^" + pattern, text, re.MULTILINE):
            for unit, value in zip(units, values):
                yield " ".join(name.split()), unit, float(value)
    return rows


def nothing(_):
    return []


def sgemm_rows(text):
    yield "", "ms by the clock", float(re.search(rf"QPUs: {NUMBER} ms", text)[1])


def fft_rows(text):
    yield "", "us by the clock", min(int(time) for time in re.findall(r"usecs = (\d+)", text))


def scene_rows(text):
    """Returns the processor time that glmark2 prints."""
    for user, system in re.findall(rf"FrameTime: .*User: {NUMBER} ms, System: {NUMBER} ms", text):
        yield "", "ms a frame", float(user) + float(system)


def c_benches():
    rate = rf"(.*?\S) +{NUMBER} M instructions/s"
    threads = table(rf"(.*?\S) +{NUMBER}, two threads +{NUMBER} .*without sanitizer +{NUMBER}", "M/s by the clock", "M/s by the clock, two threads",
                    "M/s by the clock, no sanitizer")
    for end, argument in ("", ""), ("-portable", " portable"):
        yield Bench("qpu" + end, "{bench}_qpu" + argument, table(rate, "M/s"), False)
        yield Bench("gp" + end, "{bench}_gp" + argument, threads, True)
        yield Bench("a2xx" + end, "{bench}_a2xx" + argument, threads, True)
    yield Bench("a2xx_fetch", "{bench}_a2xx_fetch", table(rf"(.*?\S) +{NUMBER} million", "M/s by the clock"), True)
    yield Bench("programs", "{bench}_programs", table(rate + rf", two threads +{NUMBER}", "M/s by the clock", "M/s by the clock, two threads"), True)
    yield Bench("texture", "{bench}_texture", table(rf"(.*?\S) +{NUMBER} M texels/s", "M texels/s"), False)
    yield Bench("raster", "{bench}_raster", table(rf"(.*?\S) +{NUMBER} ms a frame", "ms"), False)
    yield Bench("triangles", "{bench}_triangles", table(rf"(\w+): one thread .*?by processor time +{NUMBER}\), two +{NUMBER}", "frames/s",
                                                        "frames/s by the clock, two threads"), False)


def command_benches(fft):
    for path in sorted((TOP / "examples/vc4").glob("*/*.qasm")):
        if path.stem in EXAMPLES:
            yield Bench(f"scene/{path.stem}", f"{{tessera}} run --quiet -o {{folder}}/ {path}", nothing, True)
    for threads in (1, 2):
        yield Bench(f"sgemm/{threads}", f"{{tessera}} qpu --threads {threads} -- {{sgemm}} 384 384 384", sgemm_rows, True)
        for length, loops in FFT_LOOPS.items() if fft else ():
            yield Bench(f"fft/{length}/{threads}", f"{{tessera}} qpu --threads {threads} -- {shlex.quote(fft)} {length} 1 {loops}", fft_rows, True)


def gl_benches():
    for name, path in frames.captures().items():
        yield Bench(f"frame/{name}", f"{{tessera}} run --quiet --threads 1 -o {{folder}}/ {path}", nothing, True)
    for scene in glmark2.SCENES if shutil.which(glmark2.PROGRAM) else ():
        yield Bench(f"glmark2/{scene}", f"{{tessera}} gl --mode 800x600 --threads 1 -- {glmark2.PROGRAM} -s 1x1 --off-screen --results fps:cpu -b "
                    + shlex.quote(f"{scene}:duration={SCENE_SECONDS}"), scene_rows, False)


def benches():
    return [*c_benches(), *command_benches(os.environ.get("TESSERA_HELLO_FFT")), *gl_benches()]


def selected(bench, rows):
    """Returns true if one of the rows may be a row of the bench."""
    return not rows or any(row == bench.name or row.startswith(bench.name + "/") or bench.name.startswith(row + "/") for row in rows)


def shown(bench, row, rows):
    """Returns true if a row of the bench was requested."""
    return not rows or any(bench.name.startswith(wanted + "/") or bench.name == wanted or
                           wanted.startswith(bench.name + "/") and wanted[len(bench.name) + 1:] in row for wanted in rows)


def run(*command, **more):
    return subprocess.run(command, check=True, **more)


def output(*command):
    return run(*command, cwd=TOP, stdout=subprocess.PIPE, text=True).stdout.strip()


def compiler():
    """Returns the C compiler of build/, as words."""
    first = json.loads((BUILD / "compile_commands.json").read_text())[0]["command"].split()
    return " ".join(first[:next(i for i, word in enumerate(first) if word.startswith("-"))])


def options():
    """Returns the options of build/ that change the code."""
    listed = json.loads((BUILD / "meson-info/intro-buildoptions.json").read_text())
    wanted = ("buildtype", "optimization", "debug", "b_lto", "b_ndebug", "b_pgo", "c_args", "float", "threads")
    return ["-D{name}={value}".format(name=option["name"], value=",".join(option["value"]) if isinstance(option["value"], list) else
                                      str(option["value"]).lower() if isinstance(option["value"], bool) else option["value"])
            for option in listed if option["name"] in wanted]


def log(text):
    print(f"compare: {text}", file=sys.stderr, flush=True)


def fail(what, text):
    sys.exit(f"compare: {what}:\n{text[-3000:]}")


def unpack(commit, place):
    """Writes the files of the commit to place/tree, and its benches also to place/bench."""
    place.mkdir(parents=True)
    archive = place / "tree.tar"
    run("git", "-C", TOP, "archive", "-o", archive, commit)
    (place / "tree").mkdir()
    run("tar", "-xf", archive, "-C", place / "tree")
    archive.unlink()
    shutil.copytree(place / "tree/bench", place / "bench")


def put(source, target):
    """Copies a file if it differs, so that Ninja builds no more than necessary."""
    if not target.is_file() or target.read_bytes() != source.read_bytes():
        shutil.copyfile(source, target)


def called(*command, **more):
    """Runs a command. Returns its output if it fails, or None."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    return done.stdout if done.returncode else None


def must(what, *command, **more):
    """Runs a command, which must succeed."""
    wrong = called(*command, **more)
    if wrong:
        fail(what, wrong)


def environment():
    """Returns the environment to configure builds with the compiler of build/."""
    return dict(os.environ, CC=compiler())


def configure(place):
    """Configures the build of the commit. Omits options that the commit does not have."""
    given = ["-Dtests=disabled", *options()]
    setup = ("meson", "setup", place / "build", place / "tree")
    wrong = called(*setup, *given, env=environment())
    unknown = re.search(r'Unknown options?: "(.*)"', wrong or "")
    if unknown:
        wrong = called(*setup, *[option for option in given if option[2:].split("=")[0] not in unknown[1].split(", ")], env=environment())
    if wrong:
        fail(f"cannot configure {place}", wrong)


def bench_names():
    return [bench.command.split()[0].removeprefix("{bench}_") for bench in c_benches() if bench.command.startswith("{bench}")]


def build_bench(place, name):
    """Builds a bench with the working tree's source, or else with the commit's. Returns true for the commit's."""
    for folder in (TOP / "bench", place / "bench"):
        put(folder / f"{name}.c", place / f"tree/bench/{name}.c")
        if not called("ninja", "-C", place / "build", f"bench/bench_{name}"):
            return folder != TOP / "bench"
    log(f"the bench {name} does not build with this commit")
    return True


def old_side(commit):
    """Builds the commit, as far as it is not built yet."""
    name = output("git", "rev-parse", "--short=10", f"{commit}^{{commit}}")
    place = BUILD / "compare" / name
    if not place.is_dir():
        unpack(commit, place)
    for source in (TOP / "bench").iterdir():
        if source.is_file():
            put(source, place / "tree/bench" / source.name)
    if not (place / "build/build.ninja").is_file():
        configure(place)
    log(f"building {name}")
    wrong = called("ninja", "-C", place / "build", "-k", "0")
    own = {bench for bench in set(bench_names()) if build_bench(place, bench)} if wrong else set()
    if not (place / "build/tessera").is_file():
        fail(f"cannot build {name}", wrong)
    return Side(name, place / "build", own)


def command_of(bench, side, folder):
    words = {"bench": side.build / "bench/bench", "tessera": side.build / "tessera", "sgemm": side.build / "examples/compute/sgemm", "folder": folder}
    return [word.format(**words) for word in shlex.split(bench.command)]


def measure(side, bench, folder):
    """Runs a bench once. Returns {(row, unit): value}."""
    command = command_of(bench, side, folder)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                               cwd=folder, text=True)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        fail(f"{side.name}: {shlex.join(command)} ended with {process.returncode}", text)
    values = {(row, unit): value for row, unit, value in bench.rows(text)}
    return values | ({("", "s"): usage.ru_utime + usage.ru_stime} if bench.timed else {})


def spread(values):
    return f"{100 * (max(values) - min(values)) / statistics.median(values):.0f} %"


def is_rate(unit):
    """Returns true if larger values are better."""
    return "/s" in unit


def ratio(old, new, unit):
    return (new / old if is_rate(unit) else old / new) if old and new else float("nan")


def text_of(value):
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def print_row(bench, key, olds, news, star):
    """Prints a row. Returns true if it is marked as slower."""
    row, unit = key
    best = max if is_rate(unit) else min
    old, new = statistics.median(olds), statistics.median(news)
    medians, bests = ratio(old, new, unit), ratio(best(olds), best(news), unit)
    mark = "" if medians >= SLOWER else "slower" if bests < SLOWER else "slower?"
    name = f"{bench.name}/{row}" if row else bench.name
    cells = (name + star, unit, text_of(old), spread(olds), text_of(new), spread(news), f"{medians:.2f}", f"{bests:.2f}", mark)
    print("| " + " | ".join(cells) + " |", flush=True)
    return mark == "slower"


def compare(bench, sides, runs, rows):
    """Measures a bench alternately, and prints its rows. Returns the number of slower rows."""
    values = [collections.defaultdict(list) for _ in sides]
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs):
            for side, found in zip(sides, values):
                for key, value in measure(side, bench, folder).items():
                    found[key].append(value)
    star = "*" if bench.command.split()[0].removeprefix("{bench}_") in sides[0].own else ""
    return sum(print_row(bench, key, values[0][key], values[1][key], star)
               for key in values[1] if values[0][key] and shown(bench, key[0], rows))


def has_program(bench, side):
    command = bench.command.split()[0].format(bench=side.build / "bench/bench", tessera=side.build / "tessera")
    return pathlib.Path(command).is_file()


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench --compare", description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=RUNS, help=f"number of runs of each side; default {RUNS}")
    parser.add_argument("--list", action="store_true", help="print the names of the benches, and end")
    parser.add_argument("commit")
    parser.add_argument("rows", nargs="*", metavar="ROW")
    return parser.parse_intermixed_args()


def main():
    given = arguments()
    chosen = [bench for bench in benches() if selected(bench, given.rows)]
    if given.list or not chosen:
        print(*[bench.name for bench in benches()], sep="\n")
        return 0 if given.list else f"compare: no bench has a row {' or '.join(given.rows)}"
    sides = (old_side(given.commit), Side("working tree", BUILD, set()))
    print(f"| row | unit | {sides[0].name} | spread | {sides[1].name} | spread | ratio | ratio of the best | |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    slower = sum(compare(bench, sides, given.runs, given.rows) for bench in chosen if all(has_program(bench, side) for side in sides))
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
