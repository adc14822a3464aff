# SPDX-License-Identifier: MIT
"""Text that scripts/make-manual cannot read from "tessera VERB --help": values of options, the environment, examples."""

# Completed values of options: for all verbs with the option, or for one verb ("verb option").
VALUES = {
    "--machine": "qpu gp a2xx",
    "--variant": "adreno xenos",
    "asm --format": "bin hex c c-file header header-extern obj elf",
    "dis --format": "auto raw bin hex c elf mbs listing xenos",
    "--kind": "fragment vertex coordinate user",
    "--board": "zero pi1 pi2 pi3",
    "--qpus": "12 16",
    "--style": "tessera mesa",
    "--stage": "vertex pixel",
    "--primitive": "triangles strip fan lines line-strip points",
    "--cull": "clockwise counter-clockwise",
    "--front": "clockwise counter-clockwise",
    "--choose": "keep-denormals nan-wins zero-times-inf-is-zero fused-muladd",
    "--color": "auto always never",
    "--fail-on": "error warning note",
    "check --format": "text json sarif github junit",
    "run --format": "text json sarif github junit",
}
# Options whose values are folders; options whose values are ids of rules; options whose values are any ids with an
# explanation.
FOLDERS = ("--include", "--driver", "--frames")
RULES, IDS = ("--rule",), ("--explain",)
# Completed operands of verbs: words, or None for files.
OPERANDS = {"new": "qpu scene compute gp a2xx gl", "tutorial": "qpu compute gp a2xx", "help": "VERBS"}

BOTH = ("qpu", "gl")
# Variables, the verbs that read them, and their meanings.
ENVIRONMENT = {
    "TESSERA_BOARD": (BOTH, "The board that the program finds, as by --board: zero, pi1, pi2 or pi3."),
    "TESSERA_MEMORY": (BOTH, "Bytes of GPU memory; --memory gives them in MiB."),
    "TESSERA_THREADS": (BOTH, "Host threads, as by --threads."),
    "TESSERA_SANITIZE": (BOTH, "1: --sanitize."),
    "TESSERA_STRICT": (BOTH, "1: --strict."),
    "TESSERA_STATS": (BOTH, "Where statistics go; - is standard error."),
    "TESSERA_JSON": (BOTH, "1: --json."),
    "TESSERA_CAPTURE": (BOTH, "The file of --capture."),
    "TESSERA_TIMEOUT": (("qpu",), "Seconds of --timeout."),
    "TESSERA_TRACE": (("qpu",), "The file of --trace."),
    "TESSERA_SOURCE": (("qpu",), "Files of --source, with colons between."),
    "TESSERA_POLLS": (("qpu",), "How often a program may read registers of the 3D block without writing one, before it counts as waiting for ever; "
                               "default 1048576."),
    "TESSERA_MESA": (("gl",), "The folder of --driver."),
    "TESSERA_JOBS": (("gl",), "The range of --jobs."),
    "TESSERA_DUMP": (("gl",), "decode: --dump."),
    "TESSERA_HANG": (("gl",), "The file of --hang."),
    "TESSERA_MODE": (("gl",), "The mode of --mode."),
    "TESSERA_FRAMES": (("gl",), "The folder of --frames."),
    "TESSERA_FPS": (("gl",), "1, or the rate of --fps."),
    "TESSERA_COUNT": (("gl",), "The number of --count."),
    "TESSERA_SHIM": (BOTH, "Where the library in front of the program is, if tessera does not find it; with colons between more than one."),
    "TESSERA_TREE": (("gl",), "Set for the program: the folder with the files of its device. Not to be set by hand."),
    "TESSERA_VERDICT": (BOTH, "Set for the program: a file by which the library reports errors. Not to be set by hand."),
    "TESSERA_VERDICT_FD": (BOTH, "Set for the program: a descriptor of that file, for a process that may no longer open it. Not to be set by hand."),
    "TESSERA_WINDOW_KEY": (("gl",), "Set for the program: what the window wants to hear first. Not to be set by hand."),
    "TESSERA_WINDOW": (("gl",), "Set for the program: the window's socket. Not to be set by hand."),
    "TESSERA_STATS_NOW": (BOTH, "Set for the program: where statistics go until it has ended. Not to be set by hand."),
    "TESSERA_TRACE_NOW": (("qpu",), "Set for the program: where the trace goes until it has ended. Not to be set by hand."),
    "XDG_CACHE_HOME": (("gl",), "The folder of caches, by default ~/.cache; scripts/mesa-vc4 puts Mesa there."),
    "SDL_VIDEODRIVER": (("gl",), "The kind of window of --window, as SDL takes it."),
    "TMPDIR": (BOTH, "The folder of temporary files, by default /tmp."),
    "TESSERA_RULES": (BOTH, "Levels of --rule: ID=LEVEL, with colons between."),
    "TESSERA_FAIL_ON": (BOTH, "The level of --fail-on."),
    "TESSERA_BASELINE": (BOTH, "The file of --baseline."),
    "TESSERA_COLOR": (BOTH, "The choice of --color."),
    "TESSERA_MAX_MESSAGES": (BOTH, "The number of --max-messages."),
    "TESSERA_LEARN": (BOTH, "Set for the program: report all findings for --write-baseline. Not to be set by hand."),
    "TESSERA_FINDINGS": (BOTH, "Set for the program: the form in which the library reports findings (--format). Not to be set by hand."),
    "TERM": (("asm", "dis", "check", "run", "decode", "qpu", "gl"), "If it is dumb or not set, messages have no colours."),
    "NO_COLOR": (("asm", "dis", "check", "run", "decode", "qpu", "gl"), "If it is set and not empty, messages have no colours unless --color=always asks for them."),
}

# Explanations and commands.
EXAMPLES = {
    "asm": [
        ("Assemble a scene, and run it:", ["tessera asm -o triangle.elf triangle.qasm", "tessera run triangle.elf"]),
        ("Make the elements of a C array, and a header with the program's symbols:", ["tessera asm -C code.hex -h code.h code.qasm"]),
        ("Assemble a vertex program of the Mali GP for reading:", ["tessera asm -f hex -o - shader.gp"]),
    ],
    "dis": [
        ("Explain a shader that is given as hexadecimal words:", ["echo 0x203e303e, 0x100049e0 | tessera dis --explain -"]),
        ("Disassemble bytes of an Adreno's program as Mesa would print them:", ["tessera dis -m a2xx --style=mesa program.bin"]),
    ],
    "check": [
        ("Check a shader before it meets the hardware:", ["tessera check --kind fragment --varyings 3 shader.qasm"]),
        ("Check all programs of a project:", ["tessera check shaders"]),
        ("What is behind a rule?", ["tessera check --explain vpm-setup"]),
    ],
    "run": [
        ("Assemble and run a scene, and put its picture elsewhere:", ["tessera run -o picture.png triangle.qasm"]),
        ("Where does the time go?", ["tessera run --stats triangle.elf"]),
        ("Run a vertex program over a table, and draw the result:",
         ["tessera run --attributes vertices.csv --uniforms uniforms.csv --draw picture.png --size 320x240 shader.gp"]),
        ("Draw with a vertex and a pixel program of an Adreno:",
         ["tessera run --attributes vertices.csv --pixel pixel.a2xx --texture 0=crate.png --draw picture.png vertex.a2xx"]),
    ],
    "decode": [("Look into a scene's control lists:", ["tessera decode triangle.elf | less"])],
    "qpu": [
        ("Run a program that wants a Raspberry Pi 2, and profile its shaders:", ["tessera qpu --board pi2 --stats -- ./hello_fft.bin 12"]),
        ("Find every mistake that can be found, with source lines:", ["tessera qpu --strict --source code.qasm -- ./program"]),
    ],
    "gl": [
        ("Show ten pictures of a program that draws by OpenGL ES, and keep them:", ["tessera gl --count 10 --frames pictures -- kmscube"]),
        ("What is missing?", ["tessera gl --list"]),
    ],
    "new": [("Begin with a program for the QPUs of a Raspberry Pi:", ["tessera new compute saxpy", "make -C saxpy run"])],
    "tutorial": [("Learn to write QPU code:", ["tessera tutorial qpu"])],
    "help": [("How is check used?", ["tessera help check"]), ("What is behind a finding?", ["tessera help tmu-empty"]),
             ("Print a page:", ["tessera help docs/scene.md"])],
}
PAGES = {
    "asm": "docs/asm.md", "dis": "docs/dis.md", "check": "docs/check.md", "run": "docs/run.md", "decode": "docs/decode.md", "qpu": "docs/qpu.md",
    "gl": "docs/gl.md", "new": "docs/new.md", "tutorial": "docs/new.md", "help": "docs/README.md",
}
