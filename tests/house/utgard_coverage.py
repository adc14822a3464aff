#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests docs/utgard-coverage.md: each statement of seed 001 (tests/data/utgard_seed.txt) has exactly one line, in the seed's
order; its state is one of three, and it names files, pages and tests that exist."""
import collections
import sys

sys.dont_write_bytecode = True
from coverage import ROOT, Row, wrong_row  # noqa: E402

PAGE = ROOT / "docs/utgard-coverage.md"


def rows():
    found = []
    for number, line in enumerate(PAGE.read_text().splitlines(), 1):
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if cells and cells[0] not in ("---", "Seed"):
            found.append(Row(number, *cells))
    return found


def main():
    text = (ROOT / "tests/data/utgard_seed.txt").read_text()
    seed = [line for line in text.splitlines() if line and not line.startswith("#")]
    found = rows()
    bad = [f"no line for: {name}" for name in seed if name not in {row.name for row in found}]
    bad += [f"not in the seed: {row.name}" for row in found if row.name not in seed]
    if not bad and [row.name for row in found] != seed:
        bad.append("the lines are not in the seed's order, or twice there")
    bad += [f"{row.line}: {row.name}: {text}" for row in found for text in wrong_row(row)]
    count = collections.Counter(row.state for row in found)
    print(", ".join(f"{times} {state}" for state, times in count.items()))
    print("\n".join(f"docs/utgard-coverage.md: {text}" for text in bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
