#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests scripts/check-includes (the argument) on trees that have one file each, some correct and some wrong.

The expected results follow from the dependencies that the design allows: base <- asm <- isa <- models <- pi <-
scene. A model must not include another model or the assembler. Front ends and examples must include only public
headers."""
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
    ("src/pi/x.c", '#include "vc4/device.h"'),
    ("src/scene/x.c", '#include "pi/mailbox.h"'),
    ("src/cli/x.c", '#include "cli.h"'),
    ("src/cli/x.c", '#include "front/report.h"'),
    ("src/shim/vcio/x.c", '#include "front/report.h"'),
    ("examples/embed/x.c", '#include <tessera/vc4.h>'),
]

BAD = [
    ("src/base/x.c", '#include "asm/asm.h"'),
    ("src/asm/x.c", '#include "isa/public.h"'),
    ("src/isa/x.c", '#include "vc4/device.h"'),
    ("src/isa/qpu/x.h", '#include "vc4/device.h"'),
    ("src/vc4/x.c", '#include "asm/asm.h"'),
    ("src/vc4/x.c", '#include "a2xx/a2xx.h"'),
    ("src/vc4/x.c", '#include "pi/mailbox.h"'),
    ("src/utgard/x.c", '#include "vc4/device.h"'),
    ("src/a2xx/x.c", '#include "utgard/gp.h"'),
    ("src/pi/x.c", '#include "scene/machine.h"'),
    ("src/cli/x.c", '#include "vc4/device.h"'),
    ("src/shim/x.c", '#include "cli/cli.h"'),
    ("src/front/x.c", '#include "vc4/device.h"'),
    ("src/front/x.c", '#include "cli/cli.h"'),
    ("src/unknown/x.c", ''),
    ("include/tessera/x.h", '#include "base/buffer.h"'),
    ("include/tessera/x.h", '#include <base/buffer.h>'),
    ("examples/embed/x.c", '#include "vc4/device.h"'),
    # The same includes, in an unusual notation.
    ("src/cli/x.c", '#include <vc4/device.h>'),
    ("src/cli/x.c", '#include "../vc4/device.h"'),
    ("src/cli/x.c", '  #\tinclude\t"vc4/device.h"'),
    ("src/cli/x.c", '/* why */ #include "vc4/device.h"'),
    ("src/cli/x.c", '#include /* why */ "vc4/device.h"'),
    ("src/cli/x.c", '#inc\\\nlude "vc4/device.h"'),
    ("src/cli/x.c", '%:include "vc4/device.h"'),
    ("src/cli/x.c", '#define HEADER "vc4/device.h"\n#include HEADER'),
    ("src/isa/x.c", '#include "isa/../vc4/device.h"'),
    ("src/isa/x.def", '#include "vc4/faults.def"'),
]


def accepts(script, path, text):
    with tempfile.TemporaryDirectory() as root:
        file = pathlib.Path(root, path)
        file.parent.mkdir(parents=True)
        file.write_text(text + "\n")
        return subprocess.run([script, root], stdout=subprocess.DEVNULL).returncode == 0


def main():
    wrong = [f"refused: {row}" for row in GOOD if not accepts(sys.argv[1], *row)]
    wrong += [f"accepted: {row}" for row in BAD if accepts(sys.argv[1], *row)]
    print("\n".join(wrong) or f"{len(GOOD)} accepted, {len(BAD)} refused")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
