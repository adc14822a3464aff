#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests scripts/check-format (the argument) on trees that have one file each: correct layouts, wrong layouts, and lines
of 100 and of 101 columns."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77

TABLE = """static const int squares[][2] = {{
    /* clang-format off */
    {{1,  1}},
    {{10, 100}},{}
    /* clang-format on */
}};
"""

GOOD = [
    ("src/x.c", "int x;\n"),
    ("src/x.h", "int f(int a, int b);\n"),
    ("src/x.c", TABLE.format("")),
    ("src/x.c", "/* " + "x" * 94 + " */\n"),
    ("src/x.c", "/* " + "\N{GREEK SMALL LETTER MU}" * 94 + " */\n"),
    ("src/x.def", "ROW(a,    b)" + " " * 100 + "\n"),
]

BAD = [
    ("src/x.c", "int  x;\n"),
    ("src/x.h", "int f(int a,int b);\n"),
    ("tests/a/x.c", "void f(void) {\n}\n"),
    ("src/x.c", "/* " + "x" * 95 + " */\n"),
    ("src/x.c", TABLE.format(" /* " + "x" * 90 + " */")),
    ("src/x.c", TABLE.format("") + "int  x;\n"),
]


def status(script, path, text, *options):
    """Returns the exit status of the check of one file, and the file's text after the check."""
    with tempfile.TemporaryDirectory() as root:
        shutil.copy(pathlib.Path(script).parent.parent / ".clang-format", root)
        file = pathlib.Path(root, path)
        file.parent.mkdir(parents=True)
        file.write_text(text)
        run = subprocess.run([script, *options, root], stdout=subprocess.DEVNULL)
        return run.returncode, file.read_text()


def main():
    script = sys.argv[1]
    if status(script, *GOOD[0])[0] == SKIPPED:
        return SKIPPED
    wrong = [f"refused: {row}" for row in GOOD if status(script, *row) != (0, row[1])]
    wrong += [f"accepted: {row}" for row in BAD if status(script, *row) != (1, row[1])]
    if status(script, "src/x.c", "int  x;\n", "--fix") != (0, "int x;\n"):
        wrong.append("--fix does not format")
    print("\n".join(wrong) or f"{len(GOOD)} accepted, {len(BAD)} refused")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
