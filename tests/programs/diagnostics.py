#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""diagnostics.py - scenes that hang the hardware or leave its result undefined: diagnostics.py TESSERA [NAME...]. Each
scene must end quickly with status 1, report the broken rule, the place and a remedy, and still write its drawing.
With NAMEs, only these scenes are run, and the messages are printed.

Each scene is the valid frame below with some of its parts replaced."""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SECONDS = 60

PARTS = {
    "config": "Tile_Binning_Mode_Configuration tile_allocation, 0x2000, tile_state, 2, 1, 4",
    "start": "Start_Tile_Binning",
    "increment": "Increment_Semaphore",
    "state": """Clip_Window 0, 0, 128, 64
        Configuration_Bits Enable_Forward_Facing_Primitive + Enable_Reverse_Facing_Primitive + Depth_Test_Always
        Viewport_Offset 0, 0
        Clipper_XY_Scaling 64 * 16.0, 32 * 16.0""",
    "shader_state": "NV_Shader_State shader_record",
    "draw": "Vertex_Array_Primitives Mode_Triangles, 3, 0",
    "flush": "Flush",
    "wait": "Wait_On_Semaphore",
    "clear": "Clear_Colors 0xFF00FFFF, 0xFFFFFF, 0, 0",
    "frame": "Tile_Rendering_Mode_Configuration framebuffer, 128, 64, Color_Format_RGBA8888",
    "first": "Tile_Coordinates 0, 0\n Store_Tile_Buffer_General 0, 0, 0",
    "tiles": "Render_All_Tiles tile_allocation, 2, 1, 0",
    "record": "NV_Shader_Record 0, 3 * 4 + 4, 1, fragment_shader, uniforms, vertices",
    "uniforms": ".word texture, 16 << 20 | 16 << 8",
    "shader": """fmul r0, ra15, vary
        fadd t0t, r0, r5
        mov t0s, r0
        nop; nop; ldtmu0
        mov tlbc, r4
        nop; nop; sbdone
        nop; nop; thrend
        nop
        nop""",
    "more": "",
    "steps": ".scene bin bin_list bin_end\n.scene render render_list render_end",
}

SCENE = """
.include "%s/tests/programs/control_list.inc"
.org 0x40001000
bin_list:
    {config}
    {start}
    {increment}
    {state}
    {shader_state}
    {draw}
    {flush}
bin_end:
.org 0x40001800
render_list:
    {wait}
    {clear}
    {frame}
    {first}
    {tiles}
render_end:
.org 0x40002000
shader_record:
    {record}
.org 0x40002040
vertices:
    Shaded_Vertex 64, 4, 0e0.5, 0e1.0
    .single 0.0
    Shaded_Vertex 4, 60, 0e0.5, 0e1.0
    .single 0.5
    Shaded_Vertex 124, 60, 0e0.5, 0e1.0
    .single 1.0
.org 0x40002100
uniforms:
    {uniforms}
.org 0x40002400
fragment_shader:
    {shader}
.org 0x40004000
texture:
    .fill 1024, 1, 0x7f
.org 0x40008000
tile_allocation:
    .space 0x2000
tile_state:
    .space 48 * 2
.org 0x40010000
framebuffer:
    .space 128 * 64 * 4
{more}
{steps}
.scene image framebuffer 128 64 rgba8888 raster out.png
""" % ROOT

END = "\n nop; nop; thrend\n nop\n nop"
WHITE = "mov r0, vary\n nop\n ldi tlbc, -1\n nop; nop; sbdone" + END
FAR = "0x3F000000"


def part(name, old, new):
    assert old in PARTS[name]
    return {name: PARTS[name].replace(old, new)}


def body(text):
    """A fragment shader that executes instructions before it draws."""
    return {"shader": text + "\n" + WHITE}


def user(text):
    """A user program instead of a frame."""
    return {"more": ".org 0x40030000\nprogram: " + text, "steps": ".scene qpu program uniforms 2"}


# Fields of a message that identify the place of a finding, for each kind of place.
LIST, TILE, SHADER = {"list", "record_name"}, {"tile_column", "tile_row"}, {"shader", "pc", "disassembly", "qpu"}
BIN, FRAGMENT = LIST, LIST | TILE | SHADER
UNFETCHED = {"shader", "pc", "qpu"}  # no memory is mapped at the address, so there is no instruction

# name: (rule, place, text in the plain-text message, parts of the frame to replace)
CASES = {
    # Errors with semaphores between the lists.
    "never incremented": ("cl-semaphore-wait", LIST, "reached its end", {"increment": ""}),
    "incremented after the flush": ("cl-semaphore-wait", LIST, "no Flush after it",
                                    {"increment": "", "flush": "Flush\n Increment_Semaphore"}),
    "never flushed": ("cl-semaphore-wait", LIST, "no Flush after it", {"flush": ""}),
    "both wait": ("cl-semaphore-wait", LIST, "also waits", {"increment": "Wait_On_Semaphore\n Increment_Semaphore"}),
    "binning never started": ("cl-semaphore-wait", LIST, "never started",
                              {"steps": ".scene render render_list render_end"}),
    "halt in the binning list": ("cl-semaphore-wait", LIST, "halted", {"draw": "Halt"}),
    "halt in the rendering list": ("list-halted", {"list"}, "before its end", {"first": "Halt"}),
    # Errors in control records.
    "truncated list": ("cl-truncated", LIST, "ends after 5",
                       part("steps", "bin_list bin_end", "bin_list bin_list+5")),
    "end before the start": ("bus-unmapped", {"list", "address"}, "the list's end address is",
                             part("steps", "bin_list bin_end", "bin_end bin_list")),
    "list outside memory": ("bus-unmapped", {"list", "address"}, "no memory",
                            part("steps", "bin_list bin_end", "0x3F000000 0x3F000010")),
    "unknown record": ("cl-unknown-record", {"list", "address"}, "c8 01 02", {"draw": ".byte 200, 1, 2"}),
    "rendering a binning list": ("cl-wrong-list", LIST, "binning",
                                 part("steps", "render_list render_end", "bin_list bin_end")),
    "no Start Tile Binning": ("cl-order", BIN, "Start Tile Binning", {"start": ""}),
    "no record 112": ("cl-order", BIN, "112", {"config": ""}),
    "no record 113": ("tlb-order", LIST, "113", {"frame": ""}),
    "no Tile Coordinates": ("cl-order", LIST, "Tile Coordinates",
                            {"first": "", "tiles": "Branch_To_Sub_List tile_allocation"}),
    "no shader state": ("cl-order", BIN, "shader state", {"shader_state": ""}),
    "no first store": ("tlb-order", LIST | TILE, "neither cleared nor loaded", {"first": ""}),
    "reserved primitive mode": ("cl-field", BIN, "mode 9", {"draw": "Vertex_Array_Primitives 9, 3, 0"}),
    "endless list": ("budget", LIST, "without ending", {"draw": "1: Branch 1b", "options": ["--max-records", "9999"]}),
    "sub-list calls itself": ("cl-nesting", LIST, "sub-list", {"draw": "1: Branch_To_Sub_List 1b"}),
    "sub-list that is none": ("cl-unknown-record", {"list", "address"} | TILE, "7f 7f",
                              part("tiles", "tile_allocation", "texture")),
    "sub-list outside memory": ("bus-unmapped", {"list", "address"} | TILE, "no memory",
                                part("tiles", "tile_allocation", FAR)),
    "index too large": ("cl-index", BIN, "index 7", {"draw": ".byte 32, 4\n .word 3, indices, 2",
                                                     "more": ".org 0x40030000\nindices: .byte 0, 1, 7"}),
    "semaphore too high": ("cl-order", LIST, "maximum of 7", {"increment": "Increment_Semaphore\n" * 9}),
    "VG primitives with an NV shader": ("vg-shader", BIN, "coordinate", {"draw": ".byte 41, 4\n .word 0, 0"}),
    # Errors in the binner's configuration.
    "no tile allocation memory": ("ptb-config", BIN, "32 bytes", part("config", "0x2000", "32")),
    "tile allocation outside memory": ("bus-unmapped", BIN, "tile list", part("config", "tile_allocation", FAR)),
    "tile state outside memory": ("bus-unmapped", BIN, "tile state", part("config", "tile_state", FAR)),
    "binner out of memory": ("ptb-out-of-memory", BIN, "run out", {
        "config": PARTS["config"].replace("0x2000", "0x1000"),
        "draw": "Branch_To_Sub_List many",
        "more": ".org 0x40030000\nmany:\n.rep i, 500\n Configuration_Bits 3 | (i & 7) << 12\n"
                " Vertex_Array_Primitives Mode_Triangles, 3, 0\n.endr\n Return_From_Sub_List"}),
    # Accesses to wrong memory.
    "shader outside memory": ("qpu-pc", LIST | TILE | UNFETCHED, "address 0x3f000000 is not mapped", part("record", "fragment_shader", FAR)),
    "uniforms outside memory": ("bus-unmapped", FRAGMENT, "uniform", part("record", "uniforms", FAR)),
    "no uniforms": ("qpu-no-uniforms", FRAGMENT, "uniform", part("record", "uniforms", "0")),
    "vertices outside memory": ("bus-unmapped", BIN, "vertex", part("record", "vertices", FAR)),
    "shader record outside memory": ("bus-unmapped", BIN, "shader state record",
                                     {"shader_state": "NV_Shader_State " + FAR}),
    "texture outside memory": ("bus-unmapped", FRAGMENT, "texture", part("uniforms", "texture", FAR)),
    "frame buffer outside memory": ("bus-unmapped", LIST | TILE, "4096 of 4096", part("frame", "framebuffer", FAR)),
    "frame buffer over the tile lists": ("cl-", {"list"}, "", part("frame", "framebuffer", "tile_allocation - 0x4000")),
    # Errors in programs.
    "endless program": ("budget", FRAGMENT, "without ending", dict(body("nop\n :1 brr -, :1b\n nop\n nop\n nop"),
                                                                   options=["--max-instructions", "9999"])),
    "program without an end": ("qpu-pc", FRAGMENT, "no memory", {"shader": "mov r0, vary\n nop\n ldi tlbc, -1"}),
    "branch to nowhere": ("qpu-pc", FRAGMENT, "this branch jumps to 0x3e000000", body("bra -, 0x3E000000\n nop\n nop\n nop")),
    "branch into an instruction": ("qpu-pc", FRAGMENT, "multiple of 8", body("brr -, 12\n nop\n nop\n nop")),
    "breakpoint": ("qpu-breakpoint", FRAGMENT, "", body("bkpt")),
    "no texture requested": ("tmu-empty", FRAGMENT, "TMU0", body("nop; nop; ldtmu0")),
    "too many textures": ("tmu-overflow", FRAGMENT, "", body("ldi r1, 0x40004000\n" + "mov t0s, r1\n" * 9)),
    "semaphore never released": ("qpu-hang", FRAGMENT, "semaphore 3", body("sacq.setf -, 3")),
    "semaphore released too often": ("qpu-hang", FRAGMENT, "maximum", body("srel.setf -, 3\n" * 17)),
    "mutex taken twice": ("mutex-acquired-twice", FRAGMENT, "acquires the mutex again, after the instruction at",
                          {**body("read mutex\n read mutex\n nop\n mov mutex, 0"), "options": ["--strict"]}),
    "mutex kept": ("qpu-hang", FRAGMENT, "which QPU 0 holds; the program that acquired it has ended", body("read mutex")),
    "varying left": ("qpu-varying-unread", FRAGMENT, "1 of 1", {"shader": WHITE.replace("vary", "0")}),
    "varying missing": ("qpu-varying-none", FRAGMENT, "", body("mov r0, vary")),
    "VPM in a fragment shader": ("qpu-vpm-in-fragment", FRAGMENT, "VPM", body("mov vpm, r0")),
    "tile buffer after the unlock": ("qpu-scoreboard-unlocked", FRAGMENT, "", {
        "shader": WHITE.replace("sbdone", "sbdone\n mov tlbc, 0")}),
    "uniform after the end": ("qpu-end-rules", FRAGMENT, "", {"shader": WHITE[:-4] + "\n mov r0, unif"}),
    "register read too early": ("qpu-read-after-write", FRAGMENT, "", body("mov ra1, 0\n mov r1, ra1")),
    "SFU read too early": ("qpu-sfu-latency", FRAGMENT, "", body("mov recip, r0\n mov r1, r4")),
    "two peripherals at once": ("qpu-two-peripherals", FRAGMENT, "", body("mov t0s, r0; mov recip, r0")),
    # Errors in user programs.
    "user program outside memory": ("qpu-pc", UNFETCHED, "address 0x3f000000 is not mapped", {"steps": ".scene qpu 0x3F000000 uniforms 2"}),
    "user program in a deadlock": ("qpu-hang", SHADER, "semaphore 5", user("sacq.setf -, 5" + END)),
    "endless user program": ("budget", SHADER, "without ending", dict(
        user("brr -, :program\n nop\n nop\n nop" + END), options=["--max-instructions", "9999"])),
    "tile buffer in a user program": ("qpu-not-fragment", SHADER, "", user("mov tlbc, 0" + END)),
    "VPM read without setup": ("vpm-empty", SHADER, "", user("mov r0, vpm" + END)),
}

# Scenes with steps that cannot be executed at all. The status must be 2, and the message must name the line.
STEPS = {
    "unknown step": (".scene frobnicate 1 2", "unknown step"),
    "missing operand": (".scene bin bin_list", "usage: bin"),
    "unknown symbol": (".scene bin nowhere bin_end", "unknown symbol 'nowhere'"),
    "empty list": (".scene bin bin_list bin_list", "empty"),
    "number too large": (".scene image framebuffer 99999999999 1 rgba8888 raster x.png", "32-bit"),
    "picture too large": (".scene image framebuffer 8192 8192 rgba8888 raster x.png", "not all in the scene's memory"),
    "picture of nothing": (".scene image framebuffer 0 1 rgba8888 raster x.png", "must be from 1 to"),
    "unknown format": (".scene image framebuffer 8 8 yuv raster x.png", "rgba8888"),
    "unknown layout": (".scene image framebuffer 8 8 rgba8888 spiral x.png", "raster"),
    "dump too long": (".scene dump framebuffer 0x1000000 u32 x.csv", "not all in the scene's memory"),
    "quotation mark": ('.scene dump framebuffer 1 u32 "x.csv', "unterminated quoted string"),
}


class Runner:
    def __init__(self, tessera, folder, show):
        self.tessera, self.folder, self.show, self.failed = tessera, folder, show, 0

    def call(self, *arguments):
        return subprocess.run([self.tessera, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=SECONDS, check=False)

    def run(self, parts):
        source = os.path.join(self.folder, "scene.qasm")
        options = parts.get("options", [])
        with open(source, "w", encoding="utf-8") as file:
            file.write(SCENE.format(**{**PARTS, **parts}))
        done = self.call("asm", "-o", "scene.elf", source)
        if done.returncode:
            return done, done
        return self.call("run", "--json", *options, "scene.elf"), self.call("run", *options, "scene.elf")

    def check(self, name, conditions, output):
        wrong = [what for what, good in conditions.items() if not good]
        if self.show:
            print("--- %s\n%s" % (name, output))
        if wrong:
            self.failed += 1
            print("%s: %s\n%s" % (name, "; ".join(wrong), output))

    def case(self, name, rule, place, words, parts):
        picture = os.path.join(self.folder, "out.png")
        machine, person = self.run(parts)
        findings = []
        if machine.stderr.startswith("{"):
            findings = [json.loads(line) for line in machine.stderr.splitlines()]
        hits = [found for found in findings if found["rule"].startswith(rule) and words in found["text"]
                and place <= set(found) and (place & UNFETCHED != UNFETCHED or "disassembly" in place
                                             or "disassembly" not in found)]
        self.check(name, {
            "status is %d" % person.returncode: person.returncode == machine.returncode == 1,
            "no finding %s with %s and '%s'" % (rule, sorted(place), words): hits,
            "no error": any(found["severity"] == "error" for found in hits),
            "no hint": all(found.get("hint") for found in hits),
            "no picture": os.path.exists(picture),
            "texts differ": all(found["text"] in person.stderr for found in hits),
            "a place is missing": "  at " in person.stderr,
        }, person.stderr)
        if os.path.exists(picture):
            os.remove(picture)

    def step(self, name, line, words):
        """The error of a step is reported by the assembler, at the step's line."""
        _, person = self.run({"steps": line})
        with open(os.path.join(self.folder, "scene.qasm"), encoding="utf-8") as file:
            number = file.read().splitlines().index(line.splitlines()[0]) + 1
        self.check(name, {
            "status is %d" % person.returncode: person.returncode == 1,
            "the line is not named": "scene.qasm:%d:" % number in person.stderr,
            "'%s' is not said" % words: words in person.stderr,
        }, person.stderr)


def main():
    tessera, names = os.path.abspath(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(tessera, folder, bool(names))
        for name, case in CASES.items():
            if not names or name in names:
                runner.case(name, *case)
        for name, step in STEPS.items():
            if not names or name in names:
                runner.step(name, *step)
        machine, person = runner.run({})
        runner.check("the valid scene", {"status": person.returncode == 0, "silence": machine.stderr == ""},
                     person.stderr)
    sys.exit(1 if runner.failed else 0)


main()
