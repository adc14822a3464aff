#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that the pages name existing files and headings: the targets of relative links, and paths in `code`. A path may
have wildcards. A path with a word in capitals (`src/vc4/NAME.c`) is a pattern for the reader. Prose has at most 120
columns, except lines with a long link."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\((?!https?:)([^)#]+)[^)]*\)")
ANCHOR = re.compile(r"\]\((?!https?:)([^)#]*)#([^)]+)\)")
COLUMNS, LONG_WORD = 120, 50
PATH = re.compile(r"`((?:src|tests|docs|scripts|include|examples|fuzz|bench)/[\w./*-]*)`")


def missing(page):
    text = page.read_text()
    for link in LINK.findall(text):
        if not (page.parent / link).exists():
            yield link
    for path in PATH.findall(text):
        if not re.search(r"\b(NAME|a|b)\b", path) and not any(ROOT.glob(path.rstrip("/"))):
            yield path


def anchors(page):
    """Returns the anchors of a page's headings, by GitHub's rules."""
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(), flags=re.M | re.S)
    found, seen = set(), {}
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        seen[slug] = seen.get(slug, -1) + 1
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
    return found


def missing_headings(page):
    for link, anchor in ANCHOR.findall(page.read_text()):
        target = page.parent / link if link else page
        if target.suffix == ".md" and target.exists() and anchor not in anchors(target):
            yield f"heading {link}#{anchor}"


def wide_lines(page):
    text = re.sub(r"^ *```.*?^ *```", lambda block: "\n" * block.group().count("\n"), page.read_text(), flags=re.M | re.S)
    for number, line in enumerate(text.split("\n"), 1):
        prose = not line.startswith(("|", "    ", "#", "<!--", "!["))
        if prose and len(line) > COLUMNS and max(map(len, line.split())) < LONG_WORD:
            yield f"{page.relative_to(ROOT)}:{number}: has {len(line)} columns"


def main():
    pages = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
    bad = [f"{page.relative_to(ROOT)}: there is no {name}"
           for page in pages for name in [*missing(page), *missing_headings(page)]]
    bad += [text for page in pages for text in wide_lines(page)]
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
