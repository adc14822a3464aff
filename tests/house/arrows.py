#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests scripts/arrows on small trees: which circles and upward arrows it finds, and its messages
about new ones and about entries of the list that are gone.

    arrows.py SCRIPT [COMPILER]...

COMPILER is the command of a C compiler. Without one, circles by symbol are not tested."""
import json
import pathlib
import subprocess
import sys
import tempfile

# Three rooms. a/one and a/two are a circle, and b/low includes the higher room c.
START = {
    "src/rooms.txt": "a\nb # a comment\nc\n",
    "src/a/one.h": '#include "a/two.h"\n',
    "src/a/one.c": '#include "one.h"\n',  # its own header
    "src/a/two.h": "",
    "src/a/two.c": '#include <stdio.h>\n#include "two.h"\n#include "one.h"\n',
    "src/a/free.c": "",
    "src/b/low.c": '\n#include "c/high.h"\n',
    "src/b/table.def": '#include "c/high.h"\n',
    "src/c/high.h": '#include <tessera/tessera.h>\n#include "a/two.h"\n#include "b/table.def"\n',
    "src/arrows.txt": """\
[circles by include]

a/one
a/two

[arrows up]
b -> c: src/b/low.c includes src/c/high.h
""",
}
LIST = START["src/arrows.txt"]

REPORT = """\
5 modules, 4 arrows

1 circle by include, 2 modules in them
  2: a/one a/two

circles by symbol skipped: there is no build; run scripts/build, or name a folder with --build

2 arrows between rooms, 1 of them up
  b -> c: src/b/low.c includes src/c/high.h
"""

WRITE = "Run scripts/arrows --write"
NEW = "error: new circle, not in src/arrows.txt [circles by include]:"

# Title, files of the tree that differ (None removes a file), and texts of the one message of
# --check. Without a text, --check accepts the tree.
CASES = [
    ("nothing new", {}, []),
    ("includes in comments",
     {"src/a/free.c": '/*\n#include "one.h"\n#include "c/high.h" */\n// #include "c/high.h"\n'},
     []),
    ("arrow down", {"src/c/high.c": '#include "b/other.h"\n', "src/b/other.h": ""}, []),
    ("new circle",
     {"src/b/x.h": '#include "b/y.h"\n', "src/b/y.h": "", "src/b/y.c": '\n\n#include "x.h"\n'},
     [f"src/b/x.h:1: {NEW} b/x -> b/y -> b/x\n",
      '    src/b/x.h:1: #include "b/y.h"\n', '    src/b/y.c:3: #include "x.h"\n',
      "Move what these modules share to a module that includes none of them"]),
    ("new member, circle through all",
     {"src/a/free.c": '#include "one.h"\n', "src/a/free.h": "",
      "src/a/two.h": '#include "free.h"\n'},
     [f"src/a/free.c:1: {NEW} a/free -> a/one -> a/two -> a/free\n",
      'src/a/two.h:1: #include "free.h"\n']),
    ("new member, circle through two",
     {"src/a/free.c": '#include "two.h"\n', "src/a/free.h": "",
      "src/a/two.h": '#include "free.h"\n'},
     [f"src/a/free.c:1: {NEW} a/free -> a/two -> a/free\n",
      "The circle has 3 modules. New in it: a/free\n"]),
    ("two circles become one",
     {"src/a/p.h": '#include "q.h"\n', "src/a/q.h": "",
      "src/a/q.c": '#include "p.h"\n#include "one.h"\n', "src/a/one.c": '#include "p.h"\n',
      "src/arrows.txt": LIST.replace("a/one\n", "a/p\na/q\n\na/one\n", 1)},
     [f"src/a/one.c:1: {NEW} a/one -> a/p -> a/q -> a/one\n"]),
    ("circle gone", {"src/a/two.c": '#include "two.h"\n'},
     ["src/arrows.txt:3: error: no longer in a circle [circles by include]: a/one a/two\n", WRITE]),
    ("member gone", {"src/arrows.txt": LIST.replace("a/one", "a/gone\na/one")},
     ["src/arrows.txt:3: error: no longer in a circle [circles by include]: a/gone\n", WRITE]),
    ("one circle becomes two",
     {"src/a/p.h": '#include "q.h"\n', "src/a/q.h": "", "src/a/q.c": '#include "p.h"\n',
      "src/arrows.txt": LIST.replace("a/two\n", "a/p\na/q\na/two\n", 1)},
     ["src/arrows.txt:3: error: these 4 modules are now 2 circles [circles by include]\n", WRITE]),
    ("new arrow up", {"src/a/free.c": '// why\n#include "../c/high.h"\n'},
     ['src/a/free.c:2: error: new arrow up, not in src/arrows.txt: #include "../c/high.h"\n',
      "room c is above room a. Move what a needs\n",
      "    to a room that is not above a, or let c pass it to a.\n"]),
    ("arrow up gone", {"src/b/low.c": ""},
     ["src/arrows.txt:7: error: this arrow is gone [arrows up]: "
      "b -> c: src/b/low.c includes src/c/high.h\n", WRITE]),
    ("room without a line", {"src/d/new.c": ""},
     ["src/rooms.txt: error: no line for src/d, which has sources\n",
      "Add the line 'd' after all rooms that src/d includes"]),
    ("room without sources", {"src/rooms.txt": "a\nold\nb\nc\n"},
     ["src/rooms.txt:2: error: src/old has no sources\n"]),
]

# Two modules that call each other without a header. The call of open(), which src/b/r.c exports,
# is not an arrow.
CODE = {
    "src/a/p.c": "void q(void);\nvoid p(void);\nvoid p(void)\n{\n    q();\n}\n",
    "src/a/q.c": "void p(void);\nvoid q(void);\nint open(void);\n"
                 "void q(void)\n{\n    p();\n    open();\n}\n",
    "src/b/r.c": 'void q(void);\n__attribute__((visibility("default"))) int open(void);\n'
                 "int open(void)\n{\n    q();\n    return 0;\n}\n",
}


def make(top, files):
    for name, text in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.unlink()
        else:
            path.write_text(text)


def build(top, compiler, sources):
    """Compiles as meson does: compile_commands.json names each object file and its source."""
    folder = top / "build"
    folder.mkdir(exist_ok=True)
    commands = []
    for source in sources:
        command = {"directory": str(folder), "file": f"../{source}",
                   "output": source.replace("/", "_") + ".o"}
        subprocess.run([*compiler, "-fvisibility=hidden", "-c", command["file"], "-o",
                        command["output"]], cwd=folder, check=True)
        commands.append(command)
    (folder / "compile_commands.json").write_text(json.dumps(commands))
    return folder


class Tests:
    def __init__(self, script):
        self.script, self.wrong = script, []

    def arrows(self, top, *arguments):
        done = subprocess.run([self.script, "--checkout", top, *arguments], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def expect(self, title, top, arguments, status, *texts):
        """Runs scripts/arrows, and compares its exit status and some texts of its output."""
        got, output = self.arrows(top, *arguments)
        if got != status or not all(text in output for text in texts):
            self.wrong.append(f"{title}: exit status {got}\n{output}")
        return output

    def expect_list(self, title, top, text, expected):
        if (text in (top / "src/arrows.txt").read_text()) != expected:
            self.wrong.append(f"{title}: wrong list\n{(top / 'src/arrows.txt').read_text()}")

    def case(self, top, title, files, texts):
        make(top, files)
        output = self.expect(title, top, ["--check"], 1 if texts else 0, *texts)
        if output.count("error:") > 1:
            self.wrong.append(f"{title}: more than one message\n{output}")

    def report(self, top):
        self.expect("report", top, [], 0, REPORT)
        self.expect("folder", top, ["src/b"], 0, "1 module, 1 arrow\n\n0 circles by include\n")
        self.expect("no folder", top, ["src/none"], 2, "src/none: no folder")
        self.expect("folder to check", top, ["--check", "src/b"], 2, "the whole of src/")
        make(top, {"src/rooms.txt": None})
        self.expect("no rooms", top, [], 0, "there is no src/rooms.txt, so no arrow points up")

    def write(self, top):
        """--write removes what is gone, adds nothing to a section, and writes a missing list."""
        arrow = "src/b/low.c includes"
        make(top, {"src/b/low.c": ""})
        self.expect("write what is gone", top, ["--write"], 0)
        self.expect_list("write what is gone", top, arrow, False)
        self.expect_list("write what is gone", top, "\n\na/one\na/two\n\n", True)
        self.expect("check after writing", top, ["--check"], 0)
        make(top, {"src/b/low.c": START["src/b/low.c"]})
        self.expect("write what is new", top, ["--write"], 1, "error: new arrow up",
                    "src/arrows.txt: not written, because the list may only shrink\n")
        self.expect_list("write what is new", top, arrow, False)
        make(top, {"src/arrows.txt": None})
        self.expect("check without a list", top, ["--check"], 2, "src/arrows.txt has no section "
                    "[circles by include]: run scripts/arrows --write\n")
        self.expect("write a missing list", top, ["--write"], 0)
        self.expect_list("write a missing list", top, arrow, True)
        self.expect("check a new list", top, ["--check"], 0)

    def symbols(self, top, compiler):
        section = "[circles by symbol]"
        make(top, CODE)
        folder = build(top, compiler, CODE)
        check = ["--check", "--build", folder]
        about = f"(3 of 7 modules with code in {folder})"
        self.expect("circle by symbol", top, ["--build", folder], 0,
                    f"1 circle by symbol, 2 modules in them {about}\n  2: a/p a/q\n\n")
        self.expect("no section", top, check, 2, f"has no section {section}: run scripts/arrows")
        make(top, {"src/arrows.txt": f"{LIST}\n{section}\n"})
        self.expect("new circle by symbol", top, check, 1, "    src/a/p.c:5: uses q of a/q\n",
                    f": error: new circle, not in src/arrows.txt {section}: a/p -> a/q -> a/p\n")
        make(top, {"src/arrows.txt": LIST})
        self.expect("write a missing section", top, ["--write", "--build", folder], 0)
        self.expect_list("write a missing section", top, f"{section}\n\na/p\na/q\n", True)
        make(top, {"src/a/q.c": ""})
        build(top, compiler, CODE)
        self.expect("circle by symbol gone", top, check, 1,
                    f": error: no longer in a circle {section}: a/p a/q\n", WRITE)
        build(top, compiler, ["src/a/q.c"])
        self.expect("module that is not built", top, check, 0)

    def run(self, test, *arguments):
        with tempfile.TemporaryDirectory() as name:
            make(pathlib.Path(name), START)
            test(pathlib.Path(name), *arguments)


def main():
    tests = Tests(sys.argv[1])
    for case in CASES:
        tests.run(tests.case, *case)
    tests.run(tests.report)
    tests.run(tests.write)
    if sys.argv[2:]:
        tests.run(tests.symbols, sys.argv[2:])
    print("\n".join(tests.wrong) or f"{len(CASES)} trees checked, and the report and --write")
    return 1 if tests.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
