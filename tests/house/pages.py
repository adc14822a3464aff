#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that the pages name existing files: the targets of relative links, and paths in `code`. A path may have
wildcards. A path with a word in capitals (`src/vc4/NAME.c`) is a pattern for the reader."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\((?!https?:)([^)#]+)[^)]*\)")
PATH = re.compile(r"`((?:src|tests|docs|scripts|include|examples|fuzz|bench)/[\w./*-]*)`")


def missing(page):
    text = page.read_text()
    for link in LINK.findall(text):
        if not (page.parent / link).exists():
            yield link
    for path in PATH.findall(text):
        if not re.search(r"\b(NAME|a|b)\b", path) and not any(ROOT.glob(path.rstrip("/"))):
            yield path


def main():
    bad = [f"{page.relative_to(ROOT)}: there is no {name}"
           for page in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]) for name in missing(page)]
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
