#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the README, the tutorials, and each page with a transcript: writes their files, runs their commands in order,
and compares the output with the page.

    tutorial.py TESSERA [PAGE...]      PAGE: a further page, which needs more than the program

In these pages
- "```asm NAME", "```c NAME", "```csv NAME" or "```text NAME" is followed by the contents of the file NAME.
- "    $ COMMAND" is a command, which continues on the next line after a backslash. The lines below are its output,
with
  "..." for any lines. "$ cat NAME" defines the file NAME if it does not exist yet.
- "```pixels NAME.png" is followed by pixels, "x,y  red green blue", worked out by hand from the shader's formula.
- "](images/tutorial-NAME.png)", also with "gp-", "a2xx-" or "baremetal-" before NAME, shows the picture NAME.png of the commands.
Commands find the folder examples/ and the program, as tessera and as ./tessera. The commands of a tutorial run in
the folder that "tessera tutorial" generates, and have no other files. The tutorial's shaders have no findings, not
even notes."""
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Pages, each with the minimum number of its steps.
FURTHER = {"docs/tutorial-compute.md": 25, "docs/tutorial-baremetal.md": 25}
PAGES = {
    "README.md": 4, "examples/README.md": 1, "docs/tutorial-qpu.md": 30, "docs/tutorial-gp.md": 30, "docs/tutorial-a2xx.md": 30,
    "docs/asm.md": 4, "docs/check.md": 2, "docs/dis.md": 3, "docs/draw.md": 1, "docs/how-it-draws.md": 6, "docs/new.md": 2, "docs/run.md": 2, "docs/isa/gp.md": 2,
    "docs/isa/a2xx.md": 2, "docs/utgard/run.md": 6, "docs/a2xx/run.md": 3,
}
# Pages whose transcripts need more than a test machine has, with the thing that is missing.
ELSEWHERE = {
    "docs/gl.md": "Mesa's vc4 driver", "docs/gl-display.md": "Mesa's vc4 driver", "docs/gpgpu.md": "public programs",
    "docs/pi-machine.md": "kernels of the reader, and gdb", "docs/qpu.md": "public programs and gdb",
}


def png(path):
    """Returns the width and the rows of an 8-bit RGB file with unfiltered rows, which Tessera writes."""
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
    """Returns the steps of the page in order: ("file", name, text), ("pixels", name, text), ("run", command, output)
    and ("picture", name, shown file)."""
    lines, at = text.splitlines(), 0
    while at < len(lines):
        fence = re.match(r"```(asm|csv|c|text|pixels) (\S+)$", lines[at])
        command = re.match(r"    \$ (.*)", lines[at])
        picture = re.search(r"\]\((images/tutorial-(?:gp-|a2xx-|baremetal-)?([\w.-]+))\)", lines[at])
        at += 1
        start = at
        if fence:
            while lines[at] != "```":
                at += 1
            yield "pixels" if fence[1] == "pixels" else "file", fence[2], "\n".join(lines[start:at]) + "\n"
        elif command:
            words = command[1]
            while words.endswith("\\"):
                words = words[:-1] + lines[at].strip()
                at += 1
            start = at
            while at < len(lines) and re.match(r"    (?!\$ )", lines[at]):
                at += 1
            yield "run", words, "\n".join(line[4:] for line in lines[start:at])
        elif picture:
            yield "picture", picture[2], picture[1]


def like(promise, output):
    """Returns true if the output matches the page. "..." in the page matches any lines."""
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
    """Runs a step. Yields a description of each failure."""
    if kind == "file" and (folder / "examples").is_symlink():
        (folder / name).write_text(text)
    elif kind == "file":
        if (folder / name).read_text() != text:
            yield f"the program has another {name}"
    elif kind == "run" and (shown := re.fullmatch(r"cat (\S+)", name)) and not (folder / shown[1]).exists():
        (folder / shown[1]).write_text(text + "\n")
    elif kind == "run":
        done = subprocess.run(["bash", "-c", name], cwd=folder, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120)
        if not like(text, done.stdout):
            yield f"$ {name}\n{done.stdout}is not\n{text}"
    elif not (folder / name).is_file():
        yield f"there is no {name}"
    elif kind == "pixels":
        yield from check_pixels(folder, name, text)
    elif png(folder / name) != png(ROOT / "docs" / text):
        yield f"{name} is not the picture that the page shows"


def make_folder(tessera, name, folder):
    """Generates a tutorial's folder. Yields the errors in its files."""
    subprocess.run([tessera, "tutorial", name, folder], check=True, capture_output=True, timeout=60)
    for path in sorted(pathlib.Path(folder).iterdir()):
        if path.suffix in (".qasm", ".gp", ".a2xx"):
            checked = subprocess.run([tessera, "check", "-I", "examples/compute/host", path.name], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
            if checked.stdout or checked.stderr or checked.returncode:
                yield f"{path.name} does not pass the checker: {checked.stdout}{checked.stderr}"


def run(page, tessera, environment):
    """Runs a page. Returns its errors, and the number of its steps."""
    wrong, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        tutorial = re.fullmatch(r"docs/tutorial-(\w+)\.md", page)
        if tutorial:
            wrong += make_folder(tessera, tutorial[1], folder)
        else:
            os.symlink(ROOT / "examples", pathlib.Path(folder) / "examples")
            os.symlink(tessera, pathlib.Path(folder) / "tessera")
        for one in parts((ROOT / page).read_text()):
            wrong += step(pathlib.Path(folder), environment, *one)
            count += 1
    return wrong, count


def forgotten():
    """Yields an error for each page with a transcript that no test runs."""
    known = PAGES.keys() | FURTHER.keys() | ELSEWHERE.keys()
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]:
        page = str(path.relative_to(ROOT))
        if page not in known and any(kind == "run" and text.strip() for kind, _, text in parts(path.read_text())):
            yield f"{page}: its transcript is in no table of tests/house/tutorial.py"


def main():
    tessera = pathlib.Path(sys.argv[1]).resolve()
    environment = dict(os.environ, PATH=f"{tessera.parent}{os.pathsep}{os.environ['PATH']}")
    environment.pop("LD_LIBRARY_PATH", None)  # the test runner sets this variable, which readers do not have
    without_test = list(forgotten())
    print("\n".join(without_test))
    failed = bool(without_test)
    pages = PAGES | {page: FURTHER[page] for page in sys.argv[2:]}
    for page, least in pages.items():
        wrong, count = run(page, tessera, environment)
        print("\n".join(f"{page}: {text}" for text in wrong) or f"{page}: {count} steps")
        failed |= bool(wrong) or count < least
    return failed


if __name__ == "__main__":
    sys.exit(main())
