#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""shares.py - tests bench/shares.txt. Each C file of a model has exactly one column: one pattern that matches it is longer
than all others. Each pattern matches a file. Shares are whole numbers that sum to 100."""
import fnmatch
import pathlib
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import shares  # noqa: E402

MODELS = ("vc4", "mali", "a2xx")


def problems():
    table = shares.patterns()
    files = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src").rglob("*.[ch]")}
    for file in sorted(file for file in files if file.split("/")[0] in MODELS and file.endswith(".c")):
        lengths = sorted((len(pattern) for pattern, _ in table if fnmatch.fnmatchcase(file, pattern)), reverse=True)
        if not lengths or lengths[1:2] == lengths[:1]:
            yield f"{file}: {'two columns' if lengths else 'no column'}; add a pattern for it or its folder"
    for pattern, _ in table:
        if not fnmatch.filter(files, pattern):
            yield f"{pattern} matches no file"
    for samples in ({"a": 1, "b": 1, "c": 1}, {"a": 999, "b": 1}, {"a": 7}, {"a": 335, "b": 335, "c": 330}):
        if sum(shares.per_cent(samples).values()) != 100:
            yield f"shares of {samples} do not sum to 100"


def main():
    found = list(problems())
    print(*[f"bench/shares.txt: {problem}" for problem in found], sep="\n")
    return 1 if found else 0


sys.exit(main())
