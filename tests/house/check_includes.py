#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests scripts/check-includes (the argument) on trees that have one file each, some correct and some wrong.

The expected results follow from the dependencies that the design allows: base <- asm <- isa <- code <- check <-
program <- models <- board <- scene. A model must not include another model, the assembler or the checker. Front ends
and examples must include only public headers; shims may also include the layout of instructions and records (isa)."""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

GOOD = [
    ("src/base/x.c", '#include <stdio.h>'),
    ("src/base/x.c", '#include <tessera/tessera.h>'),
    ("src/base/x.c", '#include "base/buffer.h"'),
    ("src/isa/qpu/x.c", '#include "asm/asm.h"'),
    ("src/vc4/x.c", '#include "isa/qpu/qpu_isa.h"'),
    ("src/vc4/x.c", '/* as in\n#include "cli/cli.h"\n*/'),
    ("src/board/pi/x.c", '#include "vc4/device/device.h"'),
    ("src/check/qpu/x.c", '#include "code/code.h"'),
    ("src/dis/x.c", '#include "check/frame/check.h"'),
    ("src/language/x.c", '#include "dis/dis_map.h"'),
    ("src/vc4/x.c", '#include "program/program_read.h"'),
    ("src/scene/x.c", '#include "board/pi/pi.h"'),
    ("src/cli/x.c", '#include "cli.h"'),
    ("src/cli/x.c", '#include "front/report.h"'),
    ("src/shim/vcio/x.c", '#include "front/report.h"'),
    ("src/shim/drm/vc4/x.c", '#include "isa/cl/cl.h"'),
    ("examples/embed/x.c", '#include <tessera/vc4.h>'),
]

BAD = [
    ("src/base/x.c", '#include "asm/asm.h"'),
    ("src/asm/x.c", '#include "isa/dis_isa.h"'),
    ("src/isa/x.c", '#include "vc4/device/device.h"'),
    ("src/isa/qpu/x.h", '#include "vc4/device/device.h"'),
    ("src/isa/x.c", '#include "check/frame/rules.h"'),
    ("src/code/x.c", '#include "check/frame/rules.h"'),
    ("src/check/x.c", '#include "dis/dis_map.h"'),
    ("src/vc4/x.c", '#include "check/frame/check.h"'),
    ("src/vc4/x.c", '#include "language/assemble.h"'),
    ("src/vc4/x.c", '#include "asm/asm.h"'),
    ("src/vc4/x.c", '#include "a2xx/a2xx.h"'),
    ("src/vc4/x.c", '#include "board/pi/pi.h"'),
    ("src/mali/gp/x.c", '#include "vc4/device/device.h"'),
    ("src/a2xx/x.c", '#include "mali/gp/gp.h"'),
    ("src/board/pi/x.c", '#include "scene/scene_machine.h"'),
    ("src/cli/x.c", '#include "vc4/device/device.h"'),
    ("src/shim/x.c", '#include "cli/cli.h"'),
    ("src/shim/drm/vc4/x.c", '#include "vc4/device/device.h"'),
    ("src/front/x.c", '#include "vc4/device/device.h"'),
    ("src/front/x.c", '#include "cli/cli.h"'),
    ("src/unknown/x.c", ''),
    ("include/tessera/x.h", '#include "base/buffer.h"'),
    ("include/tessera/x.h", '#include <base/buffer.h>'),
    ("examples/embed/x.c", '#include "vc4/device/device.h"'),
    # The same includes, in an unusual notation.
    ("src/cli/x.c", '#include <vc4/device/device.h>'),
    ("src/cli/x.c", '#include "../vc4/device/device.h"'),
    ("src/cli/x.c", '  #\tinclude\t"vc4/device/device.h"'),
    ("src/cli/x.c", '/* why */ #include "vc4/device/device.h"'),
    ("src/cli/x.c", '#include /* why */ "vc4/device/device.h"'),
    ("src/cli/x.c", '#inc\\\nlude "vc4/device/device.h"'),
    ("src/cli/x.c", '%:include "vc4/device/device.h"'),
    ("src/cli/x.c", '#define HEADER "vc4/device/device.h"\n#include HEADER'),
    ("src/isa/x.c", '#include "isa/../vc4/device/device.h"'),
    ("src/isa/x.def", '#include "vc4/fault/faults.def"'),
]


def load(script):
    """Returns the script as a module. A process for each tree would take most of the test's time."""
    loader = importlib.machinery.SourceFileLoader("check_includes_script", script)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def accepts(accept, path, text):
    with tempfile.TemporaryDirectory() as root:
        file = pathlib.Path(root, path)
        file.parent.mkdir(parents=True)
        file.write_text(text + "\n")
        return accept(root)


def main():
    sys.dont_write_bytecode = True
    script = load(sys.argv[1])
    accept = lambda root: not list(script.violations(pathlib.Path(root)))
    command = lambda root: subprocess.run([sys.argv[1], root], stdout=subprocess.DEVNULL).returncode == 0
    wrong = [f"refused: {row}" for row in GOOD if not accepts(accept, *row)]
    wrong += [f"accepted: {row}" for row in BAD if accepts(accept, *row)]
    # The exit status of the command.
    wrong += [f"refused by the command: {row}" for row in GOOD[:1] if not accepts(command, *row)]
    wrong += [f"accepted by the command: {row}" for row in BAD[:1] if accepts(command, *row)]
    print("\n".join(wrong) or f"{len(GOOD)} accepted, {len(BAD)} refused")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
