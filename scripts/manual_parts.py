# SPDX-License-Identifier: MIT
"""Parts of the manual that the rows of options do not contain: operands, environment variables, examples."""

# Operands that the shells complete. Operands of other verbs are files or programs.
OPERANDS = {"new": "qpu scene compute gp a2xx gl", "tutorial": "qpu compute gp a2xx", "help": "VERBS"}

BOTH = ("qpu", "gl")
# Variables, the verbs that read or set them, and their descriptions.
ENVIRONMENT = {
    "TESSERA_BOARD": (BOTH, "The board that the program sees, as set by --board: zero, pi1, pi2, pi3 or zero2."),
    "TESSERA_MEMORY": (BOTH, "The size of the GPU memory in bytes; --memory sets it in MiB."),
    "TESSERA_THREADS": (BOTH, "The number of host threads, as set by --threads."),
    "TESSERA_KERNELS": (("run", *BOTH), "portable to use only the baseline instructions of this computer's architecture, which is slower. "
                                       "Results do not change."),
    "TESSERA_SANITIZE": (BOTH, "1 to enable --sanitize."),
    "TESSERA_STRICT": (BOTH, "1 to enable --strict."),
    "TESSERA_STATS": (BOTH, "The file of --stats; - for standard error."),
    "TESSERA_JSON": (BOTH, "1 to enable --json."),
    "TESSERA_CAPTURE": (BOTH, "The file of --capture."),
    "TESSERA_TIMEOUT": (("qpu",), "The seconds of --timeout."),
    "TESSERA_TRACE": (("qpu",), "The file of --trace."),
    "TESSERA_SOURCE": (("qpu",), "The files of --source, separated by colons."),
    "TESSERA_POLLS": (("qpu",), "The number of times that a program may read registers of the 3D block without writing one, before it counts as "
                               "hung; default 1048576."),
    "TESSERA_MESA": (("gl",), "The folder of --driver."),
    "TESSERA_GPU": (("gl",), "The GPU of --gpu: vc4 or lima."),
    "TESSERA_JOBS": (("gl",), "The range of --jobs."),
    "TESSERA_DUMP": (("gl",), "decode to enable --dump."),
    "TESSERA_HANG": (("gl",), "The file of --hang."),
    "TESSERA_MODE": (("gl",), "The mode of --mode."),
    "TESSERA_FRAMES": (("gl",), "The folder of --frames."),
    "TESSERA_FPS": (("gl",), "1 for --fps, or the rate of --fps=RATE."),
    "TESSERA_COUNT": (("gl",), "The number of --count."),
    "TESSERA_SHIM": (BOTH, "The path of the shim library, if tessera does not find it; several paths are separated by colons."),
    "TESSERA_TREE": (("gl",), "Set for the program: the folder with the files of the modelled device. Do not set it."),
    "TESSERA_VERDICT": (BOTH, "Set for the program: the file to which the shim reports errors. Do not set it."),
    "TESSERA_VERDICT_FD": (BOTH, "Set for the program: a descriptor of the file of TESSERA_VERDICT, for a process that cannot open the file. "
                            "Do not set it."),
    "TESSERA_WINDOW_KEY": (("gl",), "Set for the program: the key that a process sends to the window first. Do not set it."),
    "TESSERA_WINDOW": (("gl",), "Set for the program: the socket of the window. Do not set it."),
    "TESSERA_STATS_NOW": (BOTH, "Set for the program: the temporary file of statistics until the program ends. Do not set it."),
    "TESSERA_TRACE_NOW": (("qpu",), "Set for the program: the temporary file of the trace until the program ends. Do not set it."),
    "XDG_CACHE_HOME": (("gl",), "The folder of caches, ~/.cache by default; scripts/mesa-vc4 installs Mesa there."),
    "SDL_VIDEODRIVER": (("gl", "pi"), "The SDL video driver of --window."),
    "TMPDIR": (BOTH, "The folder of temporary files, /tmp by default."),
    "TESSERA_RULES": (BOTH, "The levels of --rule: ID=LEVEL, separated by colons."),
    "TESSERA_FAIL_ON": (BOTH, "The level of --fail-on."),
    "TESSERA_BASELINE": (BOTH, "The file of --baseline."),
    "TESSERA_COLOR": (BOTH, "The choice of --color."),
    "TESSERA_MAX_MESSAGES": (BOTH, "The number of --max-messages."),
    "TESSERA_LEARN": (BOTH, "Set for the program: report all findings for --write-baseline. Do not set it."),
    "TESSERA_FINDINGS": (BOTH, "Set for the program: the form in which the shim reports findings (--format). Do not set it."),
    "TERM": (("asm", "dis", "check", "run", "decode", "qpu", "gl", "pi"), "Messages have no colours if TERM is dumb or not set."),
    "NO_COLOR": (("asm", "dis", "check", "run", "decode", "qpu", "gl", "pi"), "Messages have no colours if NO_COLOR is set and not empty, unless --color=always is given."),
}

# Explanations and commands.
EXAMPLES = {
    "asm": [
        ("Assemble a scene and run it:", ["tessera asm -o triangle.elf triangle.qasm", "tessera run triangle.elf"]),
        ("Write the elements of a C array, and a header with the program's symbols:", ["tessera asm -C code.hex -h code.h code.qasm"]),
        ("Print the words of a vertex program of the Mali GP:", ["tessera asm -f hex -o - shader.gp"]),
    ],
    "dis": [
        ("Explain a shader from hexadecimal words:", ["echo 0x203e303e, 0x100049e0 | tessera dis --explain -"]),
        ("Disassemble an Adreno program in the style of Mesa:", ["tessera dis -m a2xx --style=mesa program.bin"]),
    ],
    "check": [
        ("Check a shader before running it on hardware:", ["tessera check --kind fragment --varyings 3 shader.qasm"]),
        ("Check all programs of a project:", ["tessera check shaders"]),
        ("Explain a rule:", ["tessera check --explain vpm-setup"]),
    ],
    "run": [
        ("Assemble and run a scene, and write its picture to another file:", ["tessera run -o picture.png triangle.qasm"]),
        ("Profile a scene:", ["tessera run --stats triangle.elf"]),
        ("Run a vertex program over a table and draw the result:",
         ["tessera run --attributes vertices.csv --uniforms uniforms.csv --draw picture.png --size 320x240 shader.gp"]),
        ("Draw with a vertex and a pixel program of an Adreno:",
         ["tessera run --attributes vertices.csv --pixel pixel.a2xx --texture 0=crate.png --draw picture.png vertex.a2xx"]),
    ],
    "decode": [("Read the control lists of a scene:", ["tessera decode triangle.elf | less"])],
    "pi": [
        ("Run a kernel and write its last picture:", ["tessera pi -o picture.png kernel.img"]),
        ("Show a kernel's pictures in a window, and type into its UART:", ["tessera pi --window kernel.img"]),
        ("Write ten pictures of a kernel to files:", ["tessera pi --count 10 --frames pictures kernel.img"]),
        ("Capture the V3D's work, and run it again:", ["tessera pi --capture work.elf kernel.img", "tessera run work.elf"]),
        ("Run a boot folder until it sends OK, and compare its picture:",
         ["tessera pi --until uart:OK --expect-frame expected.png boot"]),
    ],
    "qpu": [
        ("Run a program for a Raspberry Pi 2 and profile its shaders:", ["tessera qpu --board pi2 --stats -- ./hello_fft.bin 12"]),
        ("Report all findings with source lines, warnings as errors:", ["tessera qpu --strict --source code.qasm -- ./program"]),
    ],
    "gl": [
        ("Write ten pictures of an OpenGL ES program to files:", ["tessera gl --count 10 --frames pictures -- kmscube"]),
        ("Find out why a program cannot run:", ["tessera gl --list"]),
    ],
    "new": [("Start a project with a program for the QPUs of a Raspberry Pi:", ["tessera new compute saxpy", "make -C saxpy run"])],
    "tutorial": [("Learn to write QPU code:", ["tessera tutorial qpu"])],
    "help": [("Print the help of check:", ["tessera help check"]), ("Explain a finding:", ["tessera help tmu-empty"]),
             ("Print a page:", ["tessera help docs/scene.md"])],
}
PAGES = {
    "asm": "docs/asm.md", "dis": "docs/dis.md", "check": "docs/check.md", "run": "docs/run.md", "decode": "docs/decode.md", "qpu": "docs/qpu.md", "pi": "docs/pi-machine.md",
    "gl": "docs/gl.md", "new": "docs/new.md", "tutorial": "docs/new.md", "help": "docs/README.md",
}
