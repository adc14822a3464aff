#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tutorial: writes its files, runs its commands in order, and compares what it promises.

    tutorial.py TESSERA

In docs/tutorial-qpu.md
- "```asm NAME" holds the file NAME;
- "    $ COMMAND" is a command, and the lines below are what it prints, "..." standing for any lines;
- "```pixels NAME.png" has pixels, "x,y  red green blue": worked out by hand from the shader's formula;
- "](images/tutorial-NAME.png)" shows the picture NAME.png that the commands have made."""
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


def png(path):
    """Width and rows of an 8-bit RGB file whose rows are not filtered, as Tessera writes them."""
    data, at, packed, width = path.read_bytes(), 8, b"", 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, _, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 2), f"{path} is no 8-bit RGB file"
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    raw = zlib.decompress(packed)
    rows = [raw[start:start + 3 * width + 1] for start in range(0, len(raw), 3 * width + 1)]
    assert all(row[0] == 0 for row in rows), f"{path} has filtered rows"
    return [row[1:] for row in rows]


def parts(text):
    """The steps of the page in order: ("file", name, text), ("pixels", name, text), ("run", command, output) and
    ("picture", name, "")."""
    lines, at = text.splitlines(), 0
    while at < len(lines):
        fence = re.match(r"```(asm|pixels) (\S+)$", lines[at])
        command = re.match(r"    \$ (.*)", lines[at])
        picture = re.search(r"\]\(images/tutorial-([\w.-]+)\)", lines[at])
        at += 1
        start = at
        if fence:
            while lines[at] != "```":
                at += 1
            yield "file" if fence[1] == "asm" else "pixels", fence[2], "\n".join(lines[start:at]) + "\n"
        elif command:
            while at < len(lines) and re.match(r"    (?!\$ )", lines[at]):
                at += 1
            yield "run", command[1], "\n".join(line[4:] for line in lines[start:at])
        elif picture:
            yield "picture", picture[1], ""


def like(promise, output):
    """Is the output as promised, with "..." for any lines?"""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in promise.splitlines())
    return re.fullmatch(pattern, output if not output or output.endswith("\n") else output + "\n") is not None


def check_pixels(folder, name, text):
    rows = png(folder / name)
    for line in text.splitlines():
        x, y, *colour = map(int, re.findall(r"\d+", line))
        found = list(rows[y][3 * x:3 * x + 3])
        if found != colour:
            yield f"{name}: pixel {x},{y} is {found}, not {colour}"


def step(folder, environment, kind, name, text):
    """What is wrong with a step."""
    if kind == "file":
        (folder / name).write_text(text)
    elif kind == "run":
        done = subprocess.run(["bash", "-c", name], cwd=folder, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120)
        if not like(text, done.stdout):
            yield f"$ {name}\n{done.stdout}is not\n{text}"
    elif kind == "pixels":
        yield from check_pixels(folder, name, text)
    elif png(folder / name) != png(DOCS / "images" / f"tutorial-{name}"):
        yield f"{name} is not the picture that the page shows"


def main():
    tessera = pathlib.Path(sys.argv[1]).resolve()
    environment = dict(os.environ, PATH=f"{tessera.parent}{os.pathsep}{os.environ['PATH']}")
    page = (DOCS / "tutorial-qpu.md").read_text()
    wrong, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for one in parts(page):
            wrong += step(pathlib.Path(folder), environment, *one)
            count += 1
    print("\n".join(wrong) or f"{count} steps")
    return 1 if wrong or count < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
