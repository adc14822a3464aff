#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""citations.py - tests that the citations of the VideoCore IV 3D Architecture Reference Guide in rules and findings
exist. Cited sections must exist, and so must headings in them, and tables and figures within the named section. The
lists below are the manual's own contents."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from tables import rows, split  # noqa: E402

HEADINGS = {
    1: (""),
    2: (""),
    3: ("Quad Processor Architecture; Core Pipeline Operation; Processor Registers; ALUs; Signaling Bits; Load Immediate; Small Immediates; "
        "Branches; Horizontal Vector Rotation; Pack and Unpack; Thread Control; Inter-Processor Synchronisation; Register-Mapped "
        "Input/Output; Varyings; Uniforms; Texture and Memory Units; Special Functions Unit; Vertex Pipeline Memory; Tile Buffer; Inter-"
        "Processor Mutex; Host Interrupt; Processor Stalls; QPU Instruction Encoding; ALU Instructions; Condition Codes; ALU Input Muxes; "
        "Small Immediate; Pack/Unpack Bits; Load Immediate Instructions; Semaphore Instruction; Branch Instruction; QPU Instruction Set; Op "
        "Add; Op Mul; Summary of Instruction Restrictions; QPU Register Address Map"),
    4: ("QPU Interface; Texture Data Storage; Texture and Memory Lookup Unit Setup; Texture Data Types; Texture Filter Types; Texture "
        "Modes; Normal 2D Texture Mode; Cube Map Mode; Interface Registers"),
    5: ("QPU Interface; Scoreboard; Color Read and Write; Z and Stencil; Coverage Read; Tile Buffer Access Restrictions; QPU Registers for "
        "Tile Buffer Access"),
    6: ("Initial Data; Varyings Interpolation"),
    7: ("QPU Reading and Writing of VPM; QPU Control of VCD and VDW; QPU Registers for VPM and VCD Functions; VPM Vertex Data Formats; "
        "Vertex Attribute Format in VPM from VCD; Shaded Vertex Format in VPM for PSE; Shaded Coordinates Format in VPM for PTB"),
    8: ("System Operation; System Pipelines and Modes"),
    9: ("Control Record IDs and Data Summary; Primitive List Formats; VG Coordinate Array Primitives (ID=41); VG Inline Primitives (ID=42); "
        "Compressed Primitive List (ID=48); Clipped Primitive (with Compressed Primitive List) (ID=49); Shader State Record Formats; Shaded "
        "Vertex Format in Memory"),
    10: ("V3D Register Address Map; V3D Register Definitions; Control List Executor Registers (Per Thread); V3D Pipeline Registers; QPU "
        "Scheduler Registers; VPM Registers; Cache Control Registers; QPU Interrupt Control; Pipeline Interrupt Control; V3D Miscellaneous "
        "Registers; V3D Identity Registers; Performance Counters; Error and Diagnostic Registers"),
    11: ("Micro-tiles; Texture Format (T-format); Linear-tile Format (LT-Format)"),
}
TABLES = {3: range(1, 15), 4: range(15, 25), 5: range(25, 29), 6: range(29, 31), 7: range(31, 38), 9: range(38, 48), 10: range(48, 94)}
FIGURES = {2: range(1, 2), 3: range(2, 8), 7: range(8, 12), 9: range(12, 13), 11: range(13, 16)}


def numbers(text):
    """Returns the numbers of a text such as "tables 9, 11 and 12 to 14"."""
    found = []
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", text):
        found += range(int(first), int(last or first) + 1)
    return found


def wrong_numbers(citation, section, word, places):
    for listed in re.findall(rf"\b{word}s? ((?:\d+(?: to \d+)?(?:, (?=\d)| and (?=\d))?)+)", citation):
        for number in numbers(listed):
            home = next((key for key, have in places.items() if number in have), None)
            if home is None or (section and home != section):
                yield f"{word} {number} is not in section {section}"


def wrong(citation):
    section = re.search(r"\bsection (\d+)", citation)
    section = int(section.group(1)) if section else None
    if section and section not in HEADINGS:
        yield f"there is no section {section}"
        return
    yield from wrong_numbers(citation, section, "table", TABLES)
    yield from wrong_numbers(citation, section, "figure", FIGURES)
    headings = re.sub(r"\([^)]*\)", "", re.sub(r"^.*?section \d+,? ?", "", citation)) if section else ""
    headings = re.sub(r"^the manual.*|(?:tables?|figures?|V3D_\w+) .*|V3D_\w+|says that .*", "", headings)
    for heading in re.split(r", and |, ", headings):
        if heading.strip() and heading.strip() not in HEADINGS[section].split("; "):
            yield f"section {section} has no '{heading.strip()}'"


def citations(source):
    """Yields the parts of a source that cite the manual: the parts that begin with "manual", and sections that
    follow such a part."""
    manual = False
    for part in source.split(";"):
        part = part.strip()
        manual = part.startswith(("manual", "the manual")) or (manual and part.startswith(("section", "table")))
        if manual:
            yield part


def main():
    bad = 0
    for path, kind in ("src/vc4/fault/faults.def", "FAULT"), ("src/check/qpu/qpu_rules.def", "RULE"):
        for row in map(split, rows(path, kind)):
            for citation in citations(row[-1]):
                for text in wrong(citation):
                    print(f"{row[1]}: '{citation}': {text}")
                    bad += 1
    sys.exit(1 if bad else 0)


main()
