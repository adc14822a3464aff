#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests docs/vc4-coverage.md. The page must have exactly one line for each section, figure, table, record, register and
counter source of the manual (tests/data/vc4_manual.txt), and for each row of the tables in src/. A line has one of
three states. The files, pages and tests that a line names must exist. A line about a part that is not modelled must
give the reason."""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/vc4-coverage.md"
STATES = ("modelled", "modelled with estimate", "not modelled")
HEADS = {"Manual": "contents", "Record": "records", "Register": "registers", "Source": "sources"}
Row = collections.namedtuple("Row", "line name what state model page tests")


def rows():
    """Returns the lines of the page's tables, by kind: {"contents": [Row, ...], "records": ...}."""
    found = {kind: [] for kind in HEADS.values()}
    kind = None
    for number, line in enumerate(PAGE.read_text().splitlines(), 1):
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            kind = None
        elif kind is None:
            kind = HEADS[cells[0]]
        elif cells[0] != "---":
            found[kind].append(Row(number, *cells))
    return found


def names(kind, row):
    """Returns the subjects of a line: one heading, one number, or several registers."""
    if kind == "contents":
        return [row.name]
    return re.findall(r"`(V3D_\w+)`", row.name) if kind == "registers" else [row.name.split(":")[0]]


def listed():
    """Returns the manual's own lists, by kind."""
    lists = {}
    for line in (ROOT / "tests/data/vc4_manual.txt").read_text().splitlines():
        if line.startswith("["):
            lists[line.strip("[]")] = current = []
        elif line and not line.startswith("#"):
            current.append(line)
    return lists


def in_source(path, macro, prefix=""):
    """Returns the second argument of each MACRO(...) of a .def file, or the first argument if it is a number."""
    text = (ROOT / path).read_text()
    return [prefix + name for name in re.findall(rf"^{macro}\((?:0x\w+, )?(\w+),", text, re.MULTILINE)]


def tests_of(path):
    """Returns the tests of a program (tests/register.h)."""
    return set(re.findall(r"^TEST(?:_WITH)?\((\w+)", path.read_text(), re.MULTILINE))


def wrong_names(kind, found, expected):
    """Yields an error for each name of the manual or the source that does not have exactly one line, and for each
    line with an unknown name."""
    count = collections.Counter(name for row in found for name in names(kind, row))
    yield from (f"no line for {kind}: {name}" for name in sorted(expected - set(count)))
    yield from (f"{name}: {times} lines" for name, times in count.items() if times > 1)
    yield from (f"{name} is not in the manual nor in the source" for name in sorted(set(count) - expected))


def wrong_tests(cell):
    named = re.findall(r"`(tests/[\w/.]+\.c): ([\w, ]+)`", cell)
    if not named or cell != "; ".join(f"`{path}: {tests}`" for path, tests in named):
        yield f"cannot read the tests: {cell}"
    for path, tests in named:
        if not (ROOT / path).exists():
            yield f"there is no {path}"
        else:
            yield from (f"{path} runs no {test}" for test in tests.split(", ") if test not in tests_of(ROOT / path))


def wrong_row(row):
    if row.state not in STATES:
        yield f"state is {row.state!r}"
    if not row.what:
        yield "says nothing"
    files = re.findall(r"`(src/[\w/.]+)`", row.model)
    pages = re.findall(r"\]\(([^)#]+)\)", row.page)
    if not files or not pages:
        yield "names no file or no page"
    yield from (f"there is no {path}" for path in files if not (ROOT / path).exists())
    yield from (f"there is no docs/{path}" for path in pages if not (PAGE.parent / path).exists())
    yield from wrong_tests(row.tests)


def main():
    manual, found = listed(), rows()
    expected = {kind: set(lines) for kind, lines in manual.items()}
    expected["registers"] |= set(in_source("src/vc4/device/registers.def", "REGISTER", "V3D_"))
    expected["records"] |= set(in_source("src/isa/cl/packets.def", "PACKET"))
    expected["sources"] |= set(in_source("src/vc4/time/pctr.def", "PCTR"))
    bad = [text for kind in expected for text in wrong_names(kind, found[kind], expected[kind])]
    pages = [int(page) for row in found["contents"] for page in re.findall(r"\((\d+)\)$", row.name)]
    if pages != sorted(pages):
        bad.append("the lines are not in the manual's order")
    every = [row for lines in found.values() for row in lines]
    bad += [f"{row.line}: {row.name}: {text}" for row in every for text in wrong_row(row)]
    for kind, lines in found.items():
        count = collections.Counter(row.state for row in lines for _ in names(kind, row))
        print(f"{kind}: " + ", ".join(f"{count[state]} {state}" for state in STATES))
    print("\n".join(f"docs/vc4-coverage.md: {text}" for text in bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
