"""Reads the tables in src/, for scripts/make-tables and the tests."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
files_read = set()


def read(path):
    """Returns the text of a file of the repository. Adds the file to files_read."""
    files_read.add(ROOT / path)
    return (ROOT / path).read_text()


def rows(path, name):
    """Returns the argument text of every NAME(...) in a .def file, with strings joined."""
    text = re.sub(r"/\*.*?\*/", "", read(path), flags=re.DOTALL)
    return [" ".join(m.group(1).split()) for m in
            re.finditer(rf"^{name}\(((?:[^()\"]|\"(?:[^\"\\]|\\.)*\")*)\)", text, re.MULTILINE)]


def text_of(part):
    """Returns the text of one argument: of its strings, which C joins, or of a word."""
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', part)
    return re.sub(r'\\(["\\])', r"\1", "".join(strings)) if strings else part.strip()


def split(row):
    """Returns the arguments of one row, without quotes."""
    parts = re.findall(r'\s*((?:"(?:[^"\\]|\\.)*"\s*)+|[^,"]+)\s*(?:,|$)', row)
    return [text_of(part) for part in parts]
