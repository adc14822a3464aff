#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""walks.py - tests the guides to the source: docs/walks.md, and the README of each room. A room is a folder of src/ with
.c, .h or .S files.

- Each room and each folder above a room has a README.md. Its links lead to existing files.
- A README names only existing files and rooms. A name without a folder is a file of the README's folder. After "Uses:"
  are exactly the lower rooms (src/rooms.txt) that the room's files include. A README of a room states what comes in,
  what goes out and which file to read first. If the README has a table of files, the README names every module.
- Each step of a walk begins with a file, and names only existing files. A function is named after its file, or as
  "`function()` of `file`", and occurs in that file."""
import fnmatch
import pathlib
import re
import runpy
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/house"))
from pages import missing, wide_lines  # noqa: E402

ARROWS = runpy.run_path(str(ROOT / "scripts/arrows"))

SRC, WALKS = ROOT / "src", ROOT / "docs/walks.md"
SOURCES = {".c", ".h", ".S"}
FILE = re.compile(r"(?<![\w/.*-])([\w*-]+(?:/[\w*-]+)*\.(?:c|h|def|S|md|build|py))\b(?!\.)")
STEP = re.compile(r"^(\d+)\. (.*(?:\n .*)*)", re.M)
# In a step: a file, or a function, which may be followed by "of" and its file.
NAMED = re.compile(r"`(\w[\w/.-]*\.\w+)`|`(\w+)\(\)`(?:,?\s+of\s+`(\w[\w/.-]*\.\w+)`)?")
LEAST_STEPS = 15
LINES = ("- In: ", "- Out: ", "- Read first: ")


def rooms():
    return {path.parent for path in SRC.rglob("*") if path.suffix in SOURCES}


def folders():
    """Returns the rooms and all folders above them."""
    return sorted({folder for room in rooms() for folder in (room, *room.parents) if folder == SRC or SRC in folder.parents})


def lower_rooms():
    """Returns the lower rooms that each room includes: {"vc4/tmu": {"base", ...}, ...}."""
    order = list(ARROWS["read_rooms"](SRC / "rooms.txt"))
    used = {room: set() for room in order}
    for include in ARROWS["Tree"](ROOT).between_rooms():
        user, target = (ARROWS["room"](name) for name in (include.file, include.target))
        if order.index(target) < order.index(user):
            used[user].add(target)
    return used


USED = lower_rooms()


def wrong_uses(folder, text):
    """Yields the differences between the line "Uses:" and the includes. "all rooms of X" stands for the rooms of X."""
    line = re.search(r"^- Uses: ((?:.+\n)(?:  .+\n)*)", text + "\n", re.M)
    named = set(re.findall(r"(?<!all rooms of )`([\w/]+)`", line[1])) if line else set()
    groups = re.findall(r"all rooms of\s+`([\w/]+)`", line[1]) if line else []
    used = {room for room in USED[folder.relative_to(SRC).as_posix()]
            if not any(room == group or room.startswith(group + "/") for group in groups)}
    yield from (f"'Uses:' lacks {room}" for room in sorted(used - named))
    yield from (f"'Uses:' names {room}, which no file includes" for room in sorted(named - used))


def unnamed(folder, text):
    """Yields the modules of a room that a README with a table of files does not name. `a_*.c` names all files a_."""
    named = {re.sub(r"\.[chS]$", "", name) for name in FILE.findall(without_links(text)) if "/" not in name}
    modules = {path.stem for path in folder.iterdir() if path.suffix in SOURCES}
    for module in sorted(modules if "| files |" in text else ()):
        if not any(fnmatch.fnmatchcase(module, name) for name in named):
            yield f"does not name {module}"


def without_links(text):
    return re.sub(r"\]\([^)]*\)", "]", text)


def wrong_readme(folder):
    path = folder / "README.md"
    if not path.exists():
        yield f"there is no {path.relative_to(ROOT)}"
        return
    text, where = path.read_text(), path.relative_to(ROOT)
    yield from (f"{where}: there is no {name}" for name in missing(path))
    yield from wide_lines(path)
    for name in FILE.findall(without_links(text)):
        if not any(any(place.glob(name)) for place in (folder, ROOT)):
            yield f"{where}: there is no {name}"
    if folder in rooms():
        yield from (f"{where}: {error}" for error in [*wrong_uses(folder, text), *unnamed(folder, text)])
        yield from (f"{where}: has no line '{line}'" for line in LINES if line not in text)


def wrong_step(step):
    """Yields the errors of a step's text."""
    file = None
    for name, function, owner in NAMED.findall(step):
        path = name or owner or file
        if not path:
            yield f"{function}() has no file"
        elif not (ROOT / path).is_file():
            yield f"there is no {path}"
        elif function and not re.search(rf"\b{function}\(", (ROOT / path).read_text()):
            yield f"{path} has no {function}()"
        file = name or file
    if not step.startswith("`src/"):
        yield "does not begin with a file of src/"


def wrong_walk(walk):
    title, text = walk.split("\n", 1)
    steps = STEP.findall(text)
    for number, (printed, step) in enumerate(steps, 1):
        errors = [*wrong_step(step)] + ([] if int(printed) == number else [f"is step {number}"])
        yield from (f"docs/walks.md: {title}, step {printed}: {error}" for error in errors)
    if len(steps) < LEAST_STEPS:
        yield f"docs/walks.md: {title}: has {len(steps)} steps, fewer than {LEAST_STEPS}"


def main():
    walks = WALKS.read_text().split("\n## ")[1:]
    bad = [error for folder in folders() for error in wrong_readme(folder)]
    bad += [error for walk in walks for error in wrong_walk(walk)]
    bad += [f"docs/walks.md: there is no {name}" for name in FILE.findall(without_links(WALKS.read_text()))
            if "/" not in name and not (ROOT / "docs" / name).exists()]
    print("\n".join(bad))
    return 1 if bad or len(walks) < 3 else 0


if __name__ == "__main__":
    sys.exit(main())
