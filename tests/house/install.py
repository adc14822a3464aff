#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the installation: installs a build into a temporary folder, compiles the embedding example with only
pkg-config's flags against the shared and then the static library, runs it, and checks its picture.

If the shim was built, the installed program must find it.

    install.py BUILD PREFIX SANITIZERS SHIM COMPILER..."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/embed/triangle.c"
WIDTH, HEIGHT = 640, 480
WHITE, YELLOW = b"\xff\xff\xff", b"\xff\xff\x00"
FILES = [
    "bin/tessera",
    "include/tessera/tessera.h", "include/tessera/isa.h", "include/tessera/vc4.h", "include/tessera/scene.h",
    "include/tessera/pi.h", "include/tessera/output.h",
    "share/man/man1/tessera.1",
    "share/bash-completion/completions/tessera",
    "share/zsh/site-functions/_tessera",
    "share/fish/vendor_completions.d/tessera.fish",
    "share/doc/tessera/README.md",
    "share/doc/tessera/docs/findings/tmu-empty.md", "share/doc/tessera/docs/utgard/findings/gp-runaway.md",
    "share/doc/tessera/docs/a2xx/findings/a2xx-runaway.md",
    "share/doc/tessera/editor/vscode/package.json", "share/doc/tessera/editor/vscode/syntaxes/qpu.tmLanguage.json",
    "share/doc/tessera/editor/vim/compiler/tessera.vim", "share/doc/tessera/editor/vim/syntax/tesseraqpu.vim",
    "share/doc/tessera/editor/emacs/tessera.el",
]


def check_pages(root):
    """Checks the installed documentation. It must have all pages that messages name, all targets of links, and a man
    page for each verb. The program must find the pages."""
    folder = root / "share/doc/tessera"
    source = EXAMPLE.parents[2]
    for path in [*source.glob("src/**/*.[ch]"), *source.glob("src/**/*.def"), *source.glob("include/**/*.h")]:
        for name in re.findall(r"\bdocs/[\w/.-]+\.md\b", path.read_text()):
            assert (folder / name).is_file(), f"{path} names {name}, which is not installed"
    for page in folder.rglob("*.md"):
        for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.DOTALL)):
            there = (page.parent / link).resolve()
            assert there.is_relative_to(folder.resolve()) and there.exists(), f"{page} links to {link}, which is not installed"
    verbs = re.findall(r"^  (\w+) ", run(root / "bin/tessera", "help", text=True), re.MULTILINE)
    for verb in verbs:
        assert (root / f"share/man/man1/tessera-{verb}.1").is_file(), f"tessera-{verb}(1) is not installed"
    assert str(folder) in run(root / "bin/tessera", "help", text=True), "the program does not find its pages"
    assert run(root / "bin/tessera", "help", "docs/run.md", text=True) == (folder / "docs/run.md").read_text()


def anchors(page):
    """Yields the anchors of a page's headings. Anchors have lower-case letters, and dashes in place of blanks."""
    for heading in re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE):
        yield re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def check_help_links(root, prefix):
    """Checks that the page of each rule in a SARIF log exists and has the rule's heading. The logs are those of
    "check" and of a run."""
    scene = ".org 0x1000\ns: nop; nop; thrend\nnop\nnop\n.scene qpu s 0 1\n"
    known = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("s.qasm", scene), ("s.gp", "main:\n ; nop\n"), ("s.a2xx", "EXEC_END\n")):
            path = pathlib.Path(folder) / name
            path.write_text(text)
            for verb, *more in (("check", "--sarif", path), ("run", "--format", "sarif", "--findings", path.with_suffix(".json"), path)):
                done = subprocess.run([root / "bin/tessera", verb, *more], capture_output=True, text=True)
                log = json.loads(done.stdout if verb == "check" else path.with_suffix(".json").read_text())
                driver = log["runs"][0]["tool"]["driver"]
                for link in [driver["informationUri"], *(rule["helpUri"] for rule in driver["rules"])]:
                    page, _, anchor = link.removeprefix("file://" + prefix).partition("#")
                    file = pathlib.Path(str(root) + page)
                    assert file.is_file(), f"{link} leads nowhere"
                    names = known.setdefault(file, set(anchors(file)))
                    assert not anchor or anchor in names, f"{file} has no heading {anchor}"
    assert len(known) > 100, "runs describe no findings"


def run(*command, **options):
    result = subprocess.run(command, stdout=subprocess.PIPE, **options)
    if result.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return result.stdout


def white_in_row(y):
    """Returns the number of pixels of row y inside the triangle (320,32) (32,448) (608,448). After 416 rows its
    edges are 288 pixels away from x = 320. A pixel is inside if its centre is inside. In units of 1/26 pixel, half
    the row's width is 9 (2 (y - 32) + 1)."""
    half = 9 * (2 * (y - 32) + 1)
    return sum(-half <= 26 * x + 13 - 320 * 26 < half for x in range(WIDTH)) if 32 <= y < 448 else 0


def check_picture(ppm):
    header = b"P6 %d %d 255\n" % (WIDTH, HEIGHT)
    assert ppm.startswith(header), "no PPM header"
    pixels = [ppm[i:i + 3] for i in range(len(header), len(ppm), 3)]
    assert len(pixels) == WIDTH * HEIGHT, "wrong size"
    for (x, y), colour in {(0, 0): YELLOW, (320, 31): YELLOW, (320, 40): WHITE, (31, 447): YELLOW,
                           (40, 447): WHITE, (600, 447): WHITE, (320, 448): YELLOW}.items():
        assert pixels[y * WIDTH + x] == colour, f"wrong pixel at {x},{y}"
    for y in range(HEIGHT):
        row = pixels[y * WIDTH:(y + 1) * WIDTH]
        assert row.count(WHITE) == white_in_row(y), f"row {y}: {row.count(WHITE)} white pixels"
        assert row.count(WHITE) + row.count(YELLOW) == WIDTH, f"row {y}: other colours"


def check_simpenrose(compiler, root, environment, folder):
    """Compiles a program as Mesa does: the header is in a folder of its own, and pkg-config finds the library."""
    program = folder + "/simpenrose"
    source = ("#include <simpenrose/simpenrose.h>\nstatic char memory[4096];\n"
              "int main(void) { simpenrose_init_hardware_supply_mem(memory, 4096); return simpenrose_hw_addr(memory + 16) != 16; }\n")
    flags = run("pkg-config", f"--define-variable=prefix={root}", "--cflags", "--libs", "simpenrose", env=environment, text=True).split()
    run(*compiler, "-Wall", "-Wextra", "-Werror", "-x", "c", "-", "-x", "none", *flags, "-o", program, input=source.encode())
    run(program, env=environment)


def main():
    build, prefix, sanitizers, shim, *compiler = sys.argv[1:]
    if sanitizers != "none":
        compiler.append(f"-fsanitize={sanitizers}")
    with tempfile.TemporaryDirectory() as destination:
        run("meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", destination)
        root = pathlib.Path(destination + prefix)
        for file in FILES:
            assert (root / file).is_file(), f"{file} is not installed"
        check_pages(root)
        check_help_links(root, prefix)
        pc = next(root.glob("**/pkgconfig/tessera.pc"))
        libraries = pc.parent.parent
        environment = dict(os.environ, PKG_CONFIG_PATH=str(pc.parent), LD_LIBRARY_PATH=str(libraries))

        def build_and_check(*pkg_config_options):
            flags = run("pkg-config", f"--define-variable=prefix={root}", "--cflags", "--libs",
                        *pkg_config_options, "tessera", env=environment, text=True).split()
            program = destination + "/triangle"
            run(*compiler, "-Wall", "-Wextra", "-Werror", EXAMPLE, *flags, "-o", program)
            check_picture(run(program, env=environment))
            return run("ldd", program, env=environment, text=True)

        if (pc.parent / "simpenrose.pc").exists():
            check_simpenrose(compiler, root, environment, destination)
        assert "libtessera" in build_and_check(), "not linked with the shared library"
        for shared in libraries.glob("libtessera.so*"):
            shared.unlink()
        assert "libtessera" not in build_and_check("--static"), "not linked with the static library"
        run(root / "bin/tessera", "--version")
        if shim == "shim":
            model = run(root / "bin/tessera", "qpu", "--board", "pi2", "--", "cat", "/proc/device-tree/model")
            assert model == b"Raspberry Pi 2 Model B Rev 1.1\0", f"the shim is not found: {model}"


if __name__ == "__main__":
    main()
