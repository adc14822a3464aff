#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles and runs the programs of docs/embedding.md.

A program of the page is a block that begins with "#include". The next block is its output.

    embedding.py LIBRARY SANITIZERS COMPILER..."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-pedantic"]


def blocks(page):
    """Yields the indented blocks of a page, without the indentation."""
    for block in re.findall(r"(?:^(?: {4}[^\n]*)?\n)+", page, re.MULTILINE):
        text = re.sub(r"^ {4}", "", block, flags=re.MULTILINE).strip("\n")
        if text:
            yield text + "\n"


def check_programs(library, compiler, folder):
    """Compiles and runs each program of the page. Returns the number of programs."""
    texts, count = list(blocks((ROOT / "docs/embedding.md").read_text())), 0
    for program, output in zip(texts, texts[1:]):
        if not program.startswith("#include"):
            continue
        count += 1
        source, target = folder / f"program{count}.c", folder / f"program{count}"
        source.write_text(program)
        subprocess.run([*compiler, "-std=c17", *WARNINGS, f"-I{ROOT / 'include'}", source, library, f"-Wl,-rpath,{library.parent}", "-o", target],
                       check=True)
        got = subprocess.run([target], capture_output=True, text=True, check=True).stdout
        assert got == output, f"program {count} of docs/embedding.md prints\n{got}"
    return count


def main():
    library, sanitizers, *compiler = sys.argv[1:]
    if sanitizers != "none":
        compiler.append(f"-fsanitize={sanitizers}")
    with tempfile.TemporaryDirectory() as folder:
        count = check_programs(pathlib.Path(library).resolve(), compiler, pathlib.Path(folder))
    assert count, "docs/embedding.md has no program"


if __name__ == "__main__":
    main()
