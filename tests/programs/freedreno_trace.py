#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""freedreno_trace.py TESSERA - tests with a capture from an Adreno 201, and the output of Mesa's own tools for it
(docs/a2xx/mesa.md).

TESSERA_FREEDRENO_TRACES names the folder .gitlab-ci of Mesa's src/freedreno. Without it the exit status is 77. The
steps for each shader of the A2xx capture are:
  log       the words and the Mesa-style listing are those of the log beside the capture
  text      the words disassemble, and the text assembles to the same bits
  check     the checker reports neither errors nor warnings
  run       the shader computes the results of its few instructions, on test data, because the capture has no data"""
import csv
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import zlib

import freedreno_peer
import freedreno_rd as rd

SKIPPED = 77
NAME = "dEQP-GLES2.functional.texture.specification.basic_teximage2d.rgba16f_2d"

# Format of the log: a shader's heading, then its lines. A line begins with the words of control flow, or with the words
# of an instruction and the number of its slot. The second line of an instruction has no words or number.
HEADING = re.compile(r"^\t+(vertex|fragment) shader, start=\w+, size=(\w+)$")
LINE = re.compile(r"^\t+ *(?:\w\w: )?((?:\w{8} ){2}\w{8}|(?:\w{4} ){2}\w{4})? *(\t.*)$")


class Logged:
    """A shader of the log."""

    def __init__(self, stage, size):
        self.stage, self.size, self.lines, self.halves, self.slots = stage, size, [], [], []

    def add(self, words, line):
        self.lines.append(line.rstrip())
        numbers = [int(word, 16) for word in words.split()]
        if len(words) == len("0000 0000 0000"):
            self.halves += numbers
        else:
            self.slots += numbers

    def words(self):
        """Returns the words in the order of memory. Control flow comes first. The log prints it in halves."""
        return [low | high << 16 for low, high in zip(self.halves[::2], self.halves[1::2])] + self.slots


def log_shaders(text):
    shaders, current = [], None
    for line in text.splitlines():
        heading, match = HEADING.match(line), LINE.match(line)
        if heading:
            current = Logged(rd.VERTEX if heading.group(1) == "vertex" else rd.PIXEL, int(heading.group(2), 16))
            shaders.append(current)
        elif current and match:
            current.add(*match.groups(""))
        else:
            current = None
    return shaders


def call(*arguments):
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, (done.stderr + done.stdout).strip()


def log_step(tessera, file, shader):
    """Compares the words with those in the capture, and the log's lines with Tessera's lines."""
    if shader.words() != shader.captured or len(shader.captured) != shader.size:
        return "the log has other words than the capture"
    return freedreno_peer.compare_lines(call, tessera, file, shader.lines)


def text_step(tessera, file, shader):
    return freedreno_peer.round_trip(call, tessera, file, shader.captured)


def check_step(tessera, file, _):
    return freedreno_peer.check(call, tessera, file)


FETCH = re.compile(r"VERTEX\t(R\d+)\.(\w+) = R0\.x FMT_(\w+) \w+ STRIDE\((\d+)\)(?: OFFSET\((\d+)\))? CONST\((\d+), (\d)\)")
EXPORT = re.compile(r"MAXv\texport(\d+)(?:\.(\w+))? = (R\d+|C0), \3\t?")
SAMPLE = re.compile(r"SAMPLE\tR0\.xyzw = R0\.xyz CONST\(0\)")
VERTICES = 40
WIDTH, HEIGHT = 8, 4  # size of the texture, in texels


def rows(text):
    """Returns a table as lists of float32, by column."""
    lines = list(csv.reader(text.splitlines()))
    return {name: [struct.unpack("f", struct.pack("f", float(line[i])))[0] for line in lines[1:]]
            for i, name in enumerate(lines[0])}


def expected(lines, data):
    """Computes the exports of a vertex program that consists of fetches and moves. Returns {column: values}."""
    registers, columns = {}, {}
    for line in lines:
        for name, letters, form, stride, offset, _, _ in FETCH.findall(line):
            count = form.count("32")
            for vertex in range(VERTICES):
                place = int(stride) * vertex + int(offset or 0)
                fetched = struct.unpack_from(f"<{count}f", data, place) + (0.0,) * (4 - count)
                registers.setdefault(name, []).append([{"0": 0.0, "1": 1.0}.get(letter, fetched["xyzw".find(letter)])
                                                       for letter in letters])
        for number, mask, register in EXPORT.findall(line):
            name = "gl_Position" if number == "62" else f"export{number}"
            for i, letter in enumerate(mask or "xyzw"):
                if letter != "_":
                    columns[f"{name}.{'xyzw'[i]}"] = [row[i] for row in registers[register]]
    return columns


def run_vertices(tessera, file, shader):
    """All fetches read the same bytes. The memory to which binning writes is not mapped."""
    numbers = random.Random(1)
    data = struct.pack("<1024f", *[numbers.uniform(-2, 2) for _ in range(1024)])
    buffer = file.with_suffix(".data")
    buffer.write_bytes(data)
    constants = {int(index) * 3 + int(third) for line in shader.lines for *_, index, third in FETCH.findall(line)}
    options = [word for number in sorted(constants) for word in ("--buffer", f"{number}={buffer}")]
    status, text, messages = call(tessera, "run", "-m", "a2xx", "--no-sanitize", *options, "--vertices", VERTICES, file)
    if status:
        return messages
    found = rows(text)
    for column, values in expected(shader.lines, data).items():
        if found.get(column) != values:
            return f"{column} is not what was fetched"
    return ""


def png(texel):
    """Writes a picture of four bytes per texel."""
    raw = b"".join(b"\0" + b"".join(bytes(texel(x, y)) for x in range(WIDTH)) for y in range(HEIGHT))
    chunks = ((b"IHDR", struct.pack(">2I5B", WIDTH, HEIGHT, 8, 6, 0, 0, 0)), (b"IDAT", zlib.compress(raw)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
                                            for kind, body in chunks)


def run_sample(tessera, file):
    """Samples each texel once, at its centre, from a texture of the capture's kind: 16-bit floats, nearest filter,
    clamped."""
    def texel(x, y):
        return x * 30, y * 60, x ^ y, 255 - x
    picture, table = file.with_suffix(".png"), file.with_suffix(".csv")
    picture.write_bytes(png(texel))
    places = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
    table.write_text("R0.x,R0.y\n" + "".join(f"{(x + 0.5) / WIDTH},{(y + 0.5) / HEIGHT}\n" for x, y in places))
    status, text, messages = call(tessera, "run", "-m", "a2xx", "--stage", "pixel", "--attributes", table, "--texture",
                                  f"0={picture},format=16_16_16_16_FLOAT,filter=point,wrap=clamp", file)
    if status:
        return messages
    found = rows(text)
    for i, component in enumerate("xyzw"):
        for value, (x, y) in zip(found[f"gl_FragColor.{component}"], places):
            if abs(value - texel(x, y)[i] / 255) > 2 ** -11:
                return f"texel {x}, {y} is {value}"
    return ""


def run_step(tessera, file, shader):
    if shader.stage == rd.VERTEX:
        return run_vertices(tessera, file, shader)
    if any(SAMPLE.search(line) for line in shader.lines):
        return run_sample(tessera, file)
    status, text, messages = call(tessera, "run", "-m", "a2xx", "--stage", "pixel", "--uniform", "C0=0.5,1,2,3", "--vertices", 1,
                                  file)
    colour = {f"gl_FragColor.{component}": [value] for component, value in zip("xyzw", (0.5, 1, 2, 3))}
    return messages if status else "" if rows(text) == colour else "another colour than C0"


STEPS = {"log": log_step, "text": text_step, "check": check_step, "run": run_step}


def main():
    tessera = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(os.environ.get("TESSERA_FREEDRENO_TRACES", ""))
    trace, log = folder / "traces" / (NAME + ".rd.gz"), folder / "reference" / (NAME + ".log")
    if not trace.exists() or not log.exists():
        print("TESSERA_FREEDRENO_TRACES has no capture of an A2xx: see docs/a2xx/mesa.md")
        return SKIPPED
    shaders = log_shaders(log.read_text())
    captured = rd.Capture(trace).loads
    passed, programs = dict.fromkeys(STEPS, 0), set()
    with tempfile.TemporaryDirectory() as temporary:
        file = pathlib.Path(temporary) / "shader.hex"
        for shader in shaders:
            shader.captured = next((words for stage, words in captured if (stage, words) == (shader.stage, shader.words())), [])
            programs.add(tuple(shader.captured))
            file.write_text(freedreno_peer.hex_lines(shader.captured))
            for name, step in STEPS.items():
                wrong = step(tessera, file, shader)
                passed[name] += not wrong
                if wrong:
                    print(f"{name}: {wrong}")
    print(f"{len(shaders)} shaders, {len(programs)} of them different;",
          ", ".join(f"{name} {count}" for name, count in passed.items()))
    return 0 if shaders and all(count == len(shaders) for count in passed.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
