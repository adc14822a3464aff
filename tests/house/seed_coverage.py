#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests docs/NAME-coverage.md. The page must have exactly one line for each statement of a source document (a seed,
tests/data/NAME_seed.txt), in the document's order. A line has one of three states. The files, pages and tests that a
line names must exist."""
import collections
import sys

sys.dont_write_bytecode = True
from coverage import ROOT, Row, wrong_row  # noqa: E402


def rows(page):
    found = []
    for number, line in enumerate(page.read_text().splitlines(), 1):
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if cells and cells[0] not in ("---", "Statement"):
            found.append(Row(number, *cells))
    return found


def main():
    page = ROOT / f"docs/{sys.argv[1]}-coverage.md"
    text = (ROOT / f"tests/data/{sys.argv[1]}_seed.txt").read_text()
    seed = [line for line in text.splitlines() if line and not line.startswith("#")]
    found = rows(page)
    bad = [f"no line for: {name}" for name in seed if name not in {row.name for row in found}]
    bad += [f"not in the seed: {row.name}" for row in found if row.name not in seed]
    if not bad and [row.name for row in found] != seed:
        bad.append("the lines are not in the seed's order, or twice there")
    bad += [f"{row.line}: {row.name}: {text}" for row in found for text in wrong_row(row)]
    count = collections.Counter(row.state for row in found)
    print(", ".join(f"{times} {state}" for state, times in count.items()))
    print("\n".join(f"{page.name}: {text}" for text in bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
