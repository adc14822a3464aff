#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""shader_runs.py TESSERA - runs small programs of the A2xx and the GP with data. Compares the values of the run, the
findings of `check` and the findings of `run`. Expected values and ids are worked out by hand from the words of each
case."""
import os
import pathlib
import subprocess
import sys
import tempfile

FLOATS = "FMT_32_32_32_32_FLOAT SIGNED"
END = "ALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\n"
POSITION = "ALLOC COORD SIZE(0)\nEXEC\nALU: MAXv export62 = R1, R1\n"

# A scalar product whose swizzle selects y, w, z for the components w, z, x. R1 is 2, 3, 5, 7. The result is 3 * 5 on
# Adreno and 3 * 7 on the Xenos (src/isa/a2xx/facts.h names the sources).
PRODUCT = (f"@attribute(R1) a\n@varying(R0) product\nEXEC\nFETCH: VERTEX R1 = R0.x {FLOATS} STRIDE(16) CONST(20, 0)\n"
           "(S)ALU: MAXv R2 = R1, R1\nMULs R3.x___ = R1.zywy\n" + POSITION + END + "ALU: MAXv export0 = R3.xxxx, R3.xxxx\n")
# The full fetch overwrites its own index. The mini fetch after it does not read an index (xenia-project/xenia,
# src/xenia/gpu/ucode.h).
MINI = (f"@attribute(R0) p\n@attribute(R1) q\n@varying(R0) v\nEXEC\nFETCH: VERTEX R0 = R0.x {FLOATS} STRIDE(32) CONST(20, 0)\n"
        f"FETCH: VERTEX R1 = R0.x {FLOATS} STRIDE(0) CONST(20, 0) OFFSET(4) MINI(1)\n(S)ALU: MAXv R2 = R0, R0\n"
        "ALLOC COORD SIZE(0)\nEXEC\nALU: MAXv export62 = R2, R2\n" + END + "ALU: MAXv export0 = R1, R1\n")

# A run without data prints one message, not one for each load and for 1/0. Mesa's lima driver has such programs with
# two or more inputs.
NO_DATA = (".attribute position, 0, 4\n.attribute colour, 1, 3\n.uniform scale\n.varying gl_Position, 0\n.varying v, 1, 3\n"
           "load.attr position; load.unif scale; acc0.mov attr.x; acc1.mov unif.x; store0.varying gl_Position, acc0, acc1; "
           "store1.varying gl_Position, acc0, acc0\n"
           "load.attr colour; acc0.mov attr.x; acc1.mov attr.y; store0.varying v, acc0, acc1; store1.varying v, acc0, _\n")

# The second fetch was copied with its constant, so it reads the positions in place of the colours.
OVERLAP = (f"@attribute(R1) position\n@attribute(R2) colour\n@varying(R0) v\nEXEC\nFETCH: VERTEX R1 = R0.x {FLOATS} STRIDE(16) CONST(20, 0)\n"
           "FETCH: VERTEX R2 = R0.x FMT_8_8_8_8 UNSIGNED NORMALIZED STRIDE(4) CONST(20, 0)\n(S)ALU: MAXv R3 = R2, R2\n" + POSITION + END +
           "ALU: MAXv export0 = R3, R3\n")

# Like OVERLAP, but both attributes have the same format. No fetch reads the table's colours.
SHARED = (f"@attribute(R1) position\n@attribute(R2) colour\n@varying(R0) v\nEXEC\nFETCH: VERTEX R1 = R0.x {FLOATS} STRIDE(16) CONST(20, 0)\n"
          f"FETCH: VERTEX R2 = R0.x {FLOATS} STRIDE(16) CONST(20, 0)\n(S)ALU: MAXv R3 = R2, R2\n" + POSITION + END + "ALU: MAXv export0 = R3, R3\n")
# The registers of two attributes are exchanged, directly and before a matrix. The colour is used as the position.
EXCHANGED = (f"@attribute(R1) a_colour\n@attribute(R2) a_position\n@varying(R0) v\nEXEC\nFETCH: VERTEX R1 = R0.x {FLOATS} STRIDE(16) CONST(20, 0)\n"
             f"FETCH: VERTEX R2 = R0.x {FLOATS} STRIDE(16) CONST(20, 1)\n(S)ALU: MAXv R3 = R2, R2\n" + POSITION + END +
             "ALU: MAXv export0 = R3, R3\n")
MATRIX = EXCHANGED.replace("EXEC\n", "@const(C0) 1.0, 0.0, 0.0, 0.0\n@const(C1) 0.0, 1.0, 1.0, 1.0\nEXEC\n", 1).replace(
    "EXEC\nALU: MAXv export62 = R1, R1", "EXEC\nALU: MULv R4 = R1.yyyy, C1\nALU: MULADDv export62 = R4, R1.xxxx, C0")
# The position is declared in a register that no fetch writes.
UNREAD = (f"@attribute(R1) colour\n@attribute(R2) position\n@varying(R0) v\nEXEC\nFETCH: VERTEX R1 = R0.x {FLOATS} STRIDE(16) CONST(20, 0)\n"
          "(S)ALU: MAXv R3 = R1, R1\n" + POSITION + END + "ALU: MAXv export0 = R3, R3\n")
# A position is moved along its normal. The normal is not read from the table.
MOVED = (f"@attribute(R1) position\n@attribute(R2) normal\n@varying(R0) v\nEXEC\nFETCH: VERTEX R1 = R0.x {FLOATS} STRIDE(16) CONST(20, 0)\n"
         f"FETCH: VERTEX R2 = R0.x {FLOATS} STRIDE(16) CONST(20, 1)\n(S)ALU: ADDv R1 = R1, R2\n" + POSITION + END + "ALU: MAXv export0 = R2, R2\n")
EXTRA = (f"@attribute(R1) position\n@varying(R0) v\nEXEC\nFETCH: VERTEX R1 = R0.x {FLOATS} STRIDE(16) CONST(20, 0)\n"
         "(S)ALU: MAXv R2 = R1, R1\n" + POSITION + END + "ALU: MAXv export0 = R2, R2\n")
PAIR = "{0}.x,{0}.y,{0}.z,{0}.w,{1}.x,{1}.y,{1}.z,{1}.w\n1,2,3,4,0,0,0,0.5\n"

# Both loads read the position, so the colours of the table have no effect.
GP_UNREAD = (".attribute position, 0, 4\n.attribute colour, 1, 4\n.varying gl_Position, 0\n.varying v, 1, 2\n"
             "load.attr position; acc0.mov attr.x; acc1.mov attr.y; store0.varying gl_Position, acc0, acc1\n"
             "load.attr position; acc0.mov attr.z; acc1.mov attr.w; store1.varying gl_Position, acc0, acc1\n"
             "load.attr position; acc0.mov attr.x; acc1.mov attr.y; store0.varying v, acc0, acc1\n")

# Name, program, table, options, end of the last line of values, expected findings of check, expected findings of run.
CASES = (
    ("product", PRODUCT, "a.x,a.y,a.z,a.w\n2,3,5,7\n", [], "15,15,15,15", [], []),
    ("product", PRODUCT, "a.x,a.y,a.z,a.w\n2,3,5,7\n", ["--variant", "xenos"], "21,21,21,21", [], []),
    ("mini", MINI, "p.x,p.y,p.z,p.w,q.x,q.y,q.z,q.w\n2,3,5,7,11,13,17,19\n", ["--variant", "xenos"], "11,13,17,19", [], []),
    ("overlap", OVERLAP, "position.x,position.y,position.z,position.w,colour.x,colour.y,colour.z,colour.w\n1,2,3,4,0,0,0,0.5\n", [], None,
     ["a2xx-fetch-overlap"], ["a2xx-fetch-overlap"]),
    ("shared", SHARED, PAIR.format("position", "colour"), [], "1,2,3,4", ["a2xx-fetch-overlap"], ["a2xx-fetch-overlap"]),
    ("exchanged", EXCHANGED, PAIR.format("a_position", "a_colour"), [], "0,0,0,0.5,1,2,3,4", ["a2xx-attribute-use"], ["a2xx-attribute-use"]),
    ("matrix", MATRIX, PAIR.format("a_position", "a_colour"), [], None, ["a2xx-attribute-use"], ["a2xx-attribute-use", "a2xx-position-zero"]),
    ("unread", UNREAD, PAIR.format("position", "colour"), [], "0,0,0,0.5,0,0,0,0.5", ["a2xx-attribute-use"], ["a2xx-attribute-use"]),
    ("moved", MOVED, PAIR.format("position", "normal"), [], "1,2,3,4.5,0,0,0,0.5", [], []),
    ("extra", EXTRA, PAIR.format("position", "colour"), [], "1,2,3,4,1,2,3,4", [], ["a2xx-attribute-unread"]),
    ("unread", GP_UNREAD, PAIR.format("position", "colour"), [], "1,2,3,4,1,2", ["gp-attribute-unread"], ["gp-attribute-unread"]),
    ("read", GP_UNREAD.replace("attr position; acc0.mov attr.x; acc1.mov attr.y; store0.varying v", "attr colour; acc0.mov attr.x; acc1.mov attr.y; store0.varying v"),
     PAIR.format("position", "colour"), [], "1,2,3,4,0,0", [], []),
    ("nodata", NO_DATA, "", [], None, [], ["run-attribute-missing"]),
)


def found(text):
    """Returns the ids in brackets, in order, from lines that begin with a place. Other lines of a finding, such as
    "is here", are not counted."""
    lines = [line for line in text.splitlines() if line.endswith("]") and "[" in line and "is here" not in line]
    return [line[line.rindex("[") + 1:-1] for line in lines]


def wrong(tessera, folder, case):
    name, program, table, options, values, of_check, of_run = case
    suffix = ".gp" if program.startswith(".") else ".a2xx"
    pathlib.Path(folder, name + suffix).write_text(program)
    pathlib.Path(folder, name + ".csv").write_text(table)
    data = ["--attributes", name + ".csv"] if table else []
    def call(*arguments):
        return subprocess.run([tessera, *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    checked = call("check", *options, name + suffix)
    run = call("run", *options, *data, name + suffix)
    got = (found(checked.stderr + checked.stdout), found(run.stderr))
    bad = got != (of_check, of_run) or (values is not None and not run.stdout.rstrip("\n").endswith(values))
    return f"{name} {options}: {got}\n{checked.stdout}{checked.stderr}{run.stdout}{run.stderr}" if bad else None


def main():
    tessera = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        bad = [text for text in (wrong(tessera, folder, case) for case in CASES) if text]
    print(*bad, sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
