# SPDX-License-Identifier: MIT
"""freedreno_peer - finds and runs Mesa's tools for the Adreno A2xx, and compares Tessera with them, for several tests.

In:      TESSERA_FREEDRENO, the folder where Mesa is installed (docs/a2xx/mesa.md): its driver, its fake device, and
         its disassembler, libdisasm_a2xx.so.
Out:     listings; "" or an error message."""
import ctypes
import json
import os
import pathlib
import re
import sys
import tempfile

LIBRARIES = {"driver": "msm_dri.so", "device": "libfreedreno_noop_drm_shim.so", "egl": "libEGL.so.1"}
DISASSEMBLER = "libdisasm_a2xx.so"
STAGES = (0, 4)  # numbers of the stages in Mesa's gl_shader_stage
CHIP = "200"


class Mesa:
    """An installed Mesa."""

    def __init__(self, folder):
        found = {path.name: path for path in sorted(folder.rglob("*.so*"))}
        self.missing = [name for name in (*LIBRARIES.values(), DISASSEMBLER) if name not in found]
        if self.missing:
            return
        self.libraries = {key: found[name] for key, name in LIBRARIES.items()}
        self.library = ctypes.CDLL(str(found[DISASSEMBLER]))

    def environment(self):
        """Returns the environment for a program that draws on the fake device. The environment enables binning and
        the printing of shaders."""
        return dict(os.environ, LD_LIBRARY_PATH=str(self.libraries["egl"].parent), LD_PRELOAD=str(self.libraries["device"]),
                    LIBGL_DRIVERS_PATH=str(self.libraries["driver"].parent), FD_MESA_DEBUG="disasm,gmem",
                    FD_GPU_ID=os.environ.get("TESSERA_FREEDRENO_CHIP", CHIP))

    def listing(self, words, stage):
        """Returns the lines that Mesa's disassembler prints to standard output."""
        code = (ctypes.c_uint32 * (len(words) + 3))(*words)
        libc = ctypes.CDLL(None)
        sys.stdout.flush()
        with tempfile.TemporaryFile() as file:
            before = os.dup(1)
            os.dup2(file.fileno(), 1)
            self.library.disasm_a2xx(code, len(words), 0, STAGES[stage])
            libc.fflush(None)
            os.dup2(before, 1)
            os.close(before)
            file.seek(0)
            return file.read().decode().splitlines()


def mesa():
    """Returns the Mesa that TESSERA_FREEDRENO names, or None after printing the reason."""
    folder = os.environ.get("TESSERA_FREEDRENO", "")
    if not folder:
        print("TESSERA_FREEDRENO names no folder: see docs/a2xx/mesa.md")
        return None
    found = Mesa(pathlib.Path(folder))
    if found.missing:
        print(f"{folder} has no {', '.join(found.missing)}: see docs/a2xx/mesa.md")
        return None
    return found


def hex_lines(words):
    """Returns a line for each slot."""
    return "".join(" ".join(f"0x{word:08x}" for word in words[i:i + 3]) + "\n" for i in range(0, len(words), 3))


def round_trip(call, tessera, file, words, *options, raw=0):
    """Disassembles a file of words, and assembles the resulting text again. raw: the number of slots that may be
    written as words."""
    status, text, messages = call(tessera, "dis", "-m", "a2xx", *options, file)
    if status:
        return messages.partition("\n")[0] or f"exit status {status}"
    without = re.findall(r"(?:ALU|FETCH): *0x\w+.*|^CF .*" + (r"|^\.layout.*" if not raw else ""), text, re.MULTILINE)
    if len(without) > raw:
        return "not as a text: " + without[0]
    source, binary = file.with_suffix(".a2xx"), file.with_suffix(".bin")
    source.write_text(text)
    status, _, messages = call(tessera, "asm", "-m", "a2xx", *options, "--no-check", "-f", "bin", "-o", binary, source)
    if status:
        return messages.partition("\n")[0] or f"exit status {status}"
    return "" if binary.read_bytes() == b"".join(word.to_bytes(4, "little") for word in words) else "other bits"


def as_mesa(line):
    """A constant's number has eight bits, but Mesa's printer reads only six of them."""
    return re.sub(r"\bC(\d+)", lambda match: f"C{int(match.group(1)) & 63}", line).rstrip()


def compare_lines(call, tessera, file, wanted):
    """Compares the listing in Mesa's style with Mesa's listing, line by line."""
    status, text, messages = call(tessera, "dis", "-m", "a2xx", "--style=mesa", file)
    if status:
        return messages.partition("\n")[0] or f"exit status {status}"
    wanted, found = [line.rstrip() for line in wanted], [as_mesa(line) for line in text.splitlines()]
    for one, other in zip(wanted, found):
        if one != other:
            return f"{other!r} where Mesa prints {one!r}"
    return "" if len(wanted) == len(found) else f"{len(found)} lines where Mesa prints {len(wanted)}"


def check(call, tessera, file, allowed=(), *options):
    """Runs the checker. Expects neither errors nor warnings, except for allowed rules."""
    status, text, messages = call(tessera, "check", "-m", "a2xx", *options, "--json", file)
    if status > 1:
        return messages.partition("\n")[0] or f"exit status {status}"
    return "; ".join(f"{one['text']} [{one['rule']}]" for one in json.loads(text)["findings"]
                     if one["level"] != "note" and one["rule"] not in allowed)
