#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Frames of glmark2 as captures, for scripts that need the same GL work in every run.

    frames.py TESSERA

In:  a tessera whose `gl` finds a Mesa with vc4; glmark2-es2-drm.
Out: a capture (docs/scene.md) for each scene of FRAMES in tessera/frames of the user's cache, and their names on
     standard output. Captures that exist are kept, because glmark2 animates by the clock: a second capture would
     contain another moment.

A capture contains the GL jobs of some frames, and the hash of all memory that a job changes, so that `tessera run`
compares the pictures."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAM = "glmark2-es2-drm"

# The twelve scenes of glmark2 that differ most: {name: (scene, first and last job, seconds)}. The jobs are one or two
# frames. Earlier jobs upload textures and their smaller levels.
FRAMES = {
    "build": ("build:use-vbo=true", "4-5", 1),
    "texture": ("texture:texture-filter=mipmap", "12-13", 1),
    "phong": ("shading:shading=phong", "4-5", 1),
    "bump": ("bump:bump-render=height", "4-5", 1),
    "edges": ("effect2d:kernel=0,1,0;1,-4,1;0,1,0;", "4-5", 1),
    "pulsar": ("pulsar:quads=5:texture=false:light=false", "4-5", 1),
    "desktop": ("desktop:windows=4:effect=blur:blur-radius=5:passes=1:separable=true", "12-20", 2),
    "jellyfish": ("jellyfish", "4-5", 1),
    "terrain": ("terrain", "81-132", 8),
    "shadow": ("shadow", "4-5", 1),
    "refract": ("refract", "2-12", 1),
    "conditionals": ("conditionals:vertex-steps=0:fragment-steps=5", "4-5", 1),
}


def cache():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base, "tessera", "frames")


def captures():
    """Returns {name: path} of the captures that exist."""
    paths = {name: cache() / f"{name}.elf" for name in FRAMES}
    return {name: path for name, path in paths.items() if path.is_file()}


def why_not(tessera):
    """Returns the reason why no frames can be captured, or None."""
    if not shutil.which(PROGRAM):
        return f"no {PROGRAM}"
    listed = subprocess.run([tessera, "gl", "--list"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return "no Mesa with vc4 (scripts/mesa-vc4)" if listed.returncode else None


def capture(tessera, name):
    """Writes the capture of a scene. The file appears complete or not at all."""
    scene, jobs, seconds = FRAMES[name]
    cache().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache()) as folder:
        made = pathlib.Path(folder, "capture.elf")
        done = subprocess.run([tessera, "gl", "--mode", "800x600", "--capture", made, "--jobs", jobs, "--", PROGRAM, "-s", "1x1",
                               "--off-screen", "-b", f"{scene}:duration={seconds}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode or not made.is_file():
            sys.exit(f"cannot capture {scene}:\n{done.stdout}")
        made.rename(cache() / f"{name}.elf")


def make(tessera):
    """Makes the captures that are missing, if that is possible. Returns {name: path}."""
    missing = [name for name in FRAMES if name not in captures()]
    if missing and not why_not(tessera):
        for name in missing:
            capture(tessera, name)
    return captures()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    made = make(sys.argv[1])
    print(*made.values(), sep="\n")
    sys.exit(0 if len(made) == len(FRAMES) else f"frames.py: {why_not(sys.argv[1])}")
