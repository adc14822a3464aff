#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""freedreno.py TESSERA REFERENCE CAPTURE [NAME...] - tests GLSL shaders that Mesa compiles for the Adreno A2xx
(docs/a2xx/mesa.md). REFERENCE is the program of tests/programs/glsl_a2xx.c, and CAPTURE that of freedreno/capture.c.

TESSERA_FREEDRENO names the folder where Mesa is installed. The exit status is 77 if the variable is not set or CAPTURE
is missing. Each shader of glsl/, or each NAME (with its ending), draws on Mesa's fake device. The test decodes the
driver's commands to the chip. The steps for each shader are:
  text      the words of the shader and of the driver's own programs disassemble, and assemble to the same bits
  mesa      the Mesa-style listing equals the output of Mesa's own disassembler
  check     the checker reports neither errors nor warnings
  run       REFERENCE finds that the outputs are those of the GLSL
TESSERA_FREEDRENO_KEEP names a folder for the captures and cases. TESSERA_FREEDRENO_CHIP is 200, 201 or 220. A shader
that Mesa refuses is listed, but is not a failure as long as Mesa compiles 60 of each stage."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import freedreno_peer
import freedreno_rd as rd

SKIPPED = 77
SECONDS = 60
FEWEST = 60
SHADERS = pathlib.Path(__file__).resolve().parent / "glsl"
STRIP = 6  # code of a primitive in the capture that the driver itself does not use
BASES = {rd.VERTEX: 32, rd.PIXEL: 288}  # first constants of the stages, from FD2/fd2_util.h
SIZES = {rd.VERTEX: 256, rd.PIXEL: 224}
TILE = 4 * (288 + 64)  # word of the constant that contains the corner of the tile; the first tile is at (0, 0)
ATTRIBUTES = 60  # vertex constant of the first attribute
COMPONENTS = {"float": 1, "vec2": 2, "vec3": 3, "vec4": 4}

# Findings that are correct for Mesa's code. The code does not wait for a texture fetch before a dependent fetch. Its
# loops use jumps, which diverge when lanes leave a loop at different times.
KNOWN = {"sample_dependent.frag": ("a2xx-fetch-result",)}
DIVERGENT = "a2xx-divergent-jump"

# Shaders that Mesa compiles incorrectly. If several varyings share an export, a write to one varying overwrites
# components of another.
WRONG = ("varying_columns.vert", "varying_types.vert")

STEPS = ("text", "mesa", "check", "run")

# Before the driver compiles a shader, it prints the shader's declarations, with the locations of uniforms and inputs.
DECLARATION = re.compile(r"^decl_var (uniform|shader_in) \w+ (?:(?:high|medium|low)p )?\S+ (\S+) \([^()]*?(\d+), \d+\)$",
                         re.MULTILINE)


def declared(text, word):
    """Returns the types and names that a shader declares with this qualifier."""
    lines = re.findall(rf"^{word} (?:(?:high|medium|low)p )?(\w+) ([^;]+);", text, re.MULTILINE)
    return [(kind, name.strip()) for kind, names in lines for name in names.split(",")]


def companion(path):
    """Returns a minimal shader of the other stage, which writes the varyings or reads all of them."""
    varyings = declared(path.read_text(), "varying")
    lines = [f"varying {kind} {name};" for kind, name in varyings]
    if path.suffix == ".vert":
        body = ["gl_FragColor = vec4(0.0);"]
        body += [f"gl_FragColor.{'xyzw'[:COMPONENTS[kind]]} += {name};" for kind, name in varyings]
        first = "precision highp float;"
    else:
        lines += [f"attribute {kind} to_{name};" for kind, name in varyings]
        body = ["gl_Position = position;"] + [f"{name} = to_{name};" for kind, name in varyings]
        first = "attribute vec4 position;"
    return "\n".join(["#version 100", first] + lines + ["void main()", "{"] + body + ["}", ""])


class Shader:
    """A shader of glsl/, and the result of Mesa's compilation."""

    def __init__(self, path, mesa, capture, folder):
        self.path, self.name = path, path.stem
        self.stage = rd.VERTEX if path.suffix == ".vert" else rd.PIXEL
        self.file = folder / path.name
        other = self.file.with_suffix(".other")
        other.write_text(companion(path))
        pair = (path, other) if self.stage == rd.VERTEX else (other, path)
        done = subprocess.run([capture, self.file.with_suffix(path.suffix + ".rd"), *pair], env=mesa.environment(), text=True,
                              capture_output=True, timeout=SECONDS, check=False)
        self.refused = done.returncode != 0
        self.complaint = done.stderr.strip()
        if self.refused:
            return
        self.capture = rd.Capture(self.file.with_suffix(path.suffix + ".rd"))
        draws = [draw for draw in self.capture.draws if draw.primitive == STRIP and not draw.is_binning()]
        self.draw = min(draws, key=lambda draw: draw.constants[rd.FLOATS][TILE:TILE + 2])
        self.words = self.draw.programs[self.stage]
        self.programs = []  # the shader's own outputs first, then those of the driver
        for one in [(self.stage, self.words)] + self.capture.loads:
            if one not in self.programs:
                self.programs.append(one)
        # The driver prints its input twice, before and after its own passes, and prints vertex shaders again for each
        # variant.
        shaders = done.stdout.split("shader: MESA_SHADER_")
        self.declarations = {}
        for stage, word in ((rd.VERTEX, "VERTEX"), (rd.PIXEL, "FRAGMENT")):
            self.declarations[stage] = DECLARATION.findall([one for one in shaders if one.startswith(word)][-1])

    def components(self, word, number):
        """Returns the contents of an input of the fragment shader as (name, component, number, component). An input
        "packed:p,q.xy" consists of p and a part of q. They are in the order of their sizes, by which Mesa sorts
        packed inputs."""
        sizes = {name: COMPONENTS[kind] for kind, name in declared(self.path.read_text(), "varying")}
        parts = [part.partition(".") for part in word.removeprefix("packed:").split(",")]
        parts.sort(key=lambda part: (4, 2, 1, 3).index(sizes.get(part[0], 4)))
        places = []
        for name, _, letters in parts:
            for letter in letters or "xyzw"[:sizes.get(name, 4)]:
                places.append((name, "xyzw".index(letter), number, len(places)))
        return places

    def case(self):
        """Returns the text of the case that REFERENCE reads."""
        constants, stage = self.draw.constants, self.stage
        lines = ["stage " + ("vertex", "pixel")[stage], "code " + " ".join(f"{word:x}" for word in self.words)]
        for number in range(SIZES[stage]):
            row = constants[rd.FLOATS][4 * (BASES[stage] + number):][:4]
            if any(row):
                lines.append(f"constant {number} " + " ".join(f"{word:x}" for word in row))
        lines.append("fetch 0 " + " ".join(f"{word:x}" for word in constants[rd.FETCHES]))
        for address, body in self.draw.memory:
            file = self.file.with_suffix(f"{self.path.suffix}.{address:08x}")
            file.write_bytes(body)
            lines.append(f"memory {address:x} {file}")
        for kind, name, place in self.declarations[stage]:
            if kind == "uniform":
                lines.append(f"uniform {name} {place}")
            elif stage == rd.VERTEX:
                lines.append(f"attribute {name} {ATTRIBUTES + int(place)}")
        inputs = [name for kind, name, _ in self.declarations[rd.PIXEL] if kind == "shader_in"]
        for number, name in enumerate(inputs):
            if name == "gl_FragCoord":  # the lower half of this varying is in another input
                places = [(name, 2, number, 0), (name, 3, number, 1)]
            else:
                places = self.components(name, number)
            word = "output" if stage == rd.VERTEX else "input"
            lines += [f"{word} {' '.join(map(str, place))}" for place in places]
        if stage == rd.PIXEL and constants[rd.REGISTERS][rd.PROGRAM_CNTL] >> 18 & 1:
            lines.append(f"parameter {constants[rd.REGISTERS][rd.CONTEXT_MISC] >> 8 & 0xFF}")
        lines += [f"allow {rule}" for rule in (DIVERGENT, *KNOWN.get(self.path.name, ()))]
        return "\n".join(lines) + "\n"


class Test:
    """The test's steps. Each returns "" or an error message."""

    def __init__(self, tessera, reference, mesa):
        self.tessera, self.reference, self.mesa_tools = tessera, reference, mesa

    def call(self, *arguments):
        done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, timeout=SECONDS,
                              check=False)
        return done.returncode, done.stdout, (done.stderr + done.stdout).strip()

    def hexed(self, shader, words):
        file = shader.file.with_suffix(shader.path.suffix + ".hex")
        file.write_text(freedreno_peer.hex_lines(words))
        return file

    def text(self, shader):
        for _, words in shader.programs:
            wrong = freedreno_peer.round_trip(self.call, self.tessera, self.hexed(shader, words), words)
            if wrong:
                return wrong
        return ""

    def mesa(self, shader):
        for stage, words in shader.programs:
            wrong = freedreno_peer.compare_lines(self.call, self.tessera, self.hexed(shader, words),
                                                 self.mesa_tools.listing(words, stage))
            if wrong:
                return wrong
        return ""

    def check(self, shader):
        return freedreno_peer.check(self.call, self.tessera, self.hexed(shader, shader.words), KNOWN.get(shader.path.name, ()))

    def run(self, shader):
        case = shader.file.with_suffix(shader.path.suffix + ".case")
        case.write_text(shader.case())
        status, _, messages = self.call(self.reference, shader.name, case)
        if shader.path.name in WRONG:
            return "" if status == 1 else "Mesa is expected to make this wrong"
        return "" if status == 0 else messages or f"exit status {status}"


def main():
    tessera, reference, capture, names = *map(os.path.abspath, sys.argv[1:4]), sys.argv[4:]
    mesa = freedreno_peer.mesa()
    if not mesa:
        return SKIPPED
    if not os.access(capture, os.X_OK):
        print("freedreno_capture has not been built: see docs/a2xx/mesa.md")
        return SKIPPED
    paths = [SHADERS / name for name in names] or sorted(SHADERS.glob("*.vert")) + sorted(SHADERS.glob("*.frag"))
    test, good = Test(tessera, reference, mesa), True
    passed = {ending: dict.fromkeys(STEPS, 0) for ending in (".vert", ".frag")}
    total, slots, refused = {".vert": 0, ".frag": 0}, 0, []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(os.environ.get("TESSERA_FREEDRENO_KEEP", temporary))
        for path in paths:
            shader = Shader(path, mesa, capture, folder)
            if shader.refused:
                refused.append(f"{path.name} ({shader.complaint.splitlines()[-1] if shader.complaint else ''})")
                continue
            total[path.suffix] += 1
            slots += len(shader.words) // 3
            for step in STEPS:
                wrong = getattr(test, step)(shader)
                passed[path.suffix][step] += not wrong
                if wrong:
                    print(f"{path.name}: {step}: {wrong}")
                    good = False
    for one in refused:
        print("Mesa refuses", one)
    for ending, count in total.items():
        print(f"{count} *{ending} compile;", ", ".join(f"{step} {passed[ending][step]}" for step in STEPS))
    print(f"{slots} slots; what {', '.join(WRONG)} give is Mesa's mistake")
    return 0 if good and (names or min(total.values()) >= FEWEST) else 1


if __name__ == "__main__":
    sys.exit(main())
