#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the scenes of glmark2, a GLES2 program, on Mesa's vc4 driver with the modelled GPU, on softpipe and on
llvmpipe.

    glmark2.py [--seconds N] [--rounds N] [--threads N] TESSERA [SCENE...]

In:  the program tessera; names of scenes, as in glmark2 ("build:use-vbo=true"). Without names, glmark2's default
     scenes are measured.
Out: a table with a row per scene, and a last row with geometric means. The columns are frames per second of elapsed
     time, frames per second of processor time, and the ratio of the processor-time rates of vc4 and of each software
     driver.
All drivers run the same program, glmark2-es2-drm, off-screen at 800x600 on the display of Tessera's DRM device. With
LIBGL_ALWAYS_SOFTWARE=1 the system's Mesa uses that device only for the memory of pictures. The drivers run
alternately for each scene, and the best of several rounds is printed. The processor time is glmark2's own measurement,
which includes all threads of the process and excludes the scene's setup."""
import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys

PROGRAM = "glmark2-es2-drm"
MODE = "800x600"
# A window size that differs from the size of the mode. glmark2-es2-drm always uses the size of the mode, but glmark2
# 2023.01 does not create its window if the given size equals the size of the mode.
SIZE = "1x1"
SOFTWARE = ("softpipe", "llvmpipe")
DRIVERS = ("vc4", *SOFTWARE)

SCENES = (
    "build:use-vbo=false", "build:use-vbo=true", "texture:texture-filter=nearest", "texture:texture-filter=linear",
    "texture:texture-filter=mipmap", "shading:shading=gouraud", "shading:shading=blinn-phong-inf", "shading:shading=phong",
    "shading:shading=cel", "bump:bump-render=high-poly", "bump:bump-render=normals", "bump:bump-render=height",
    "effect2d:kernel=0,1,0;1,-4,1;0,1,0;", "effect2d:kernel=1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;",
    "pulsar:quads=5:texture=false:light=false", "desktop:windows=4:effect=blur:blur-radius=5:passes=1:separable=true",
    "desktop:windows=4:effect=shadow",
    "buffer:update-fraction=0.5:update-dispersion=0.9:columns=200:update-method=map:interleave=false",
    "buffer:update-fraction=0.5:update-dispersion=0.9:columns=200:update-method=subdata:interleave=false",
    "buffer:update-fraction=0.5:update-dispersion=0.9:columns=200:update-method=map:interleave=true",
    "ideas:speed=duration", "jellyfish", "terrain", "shadow", "refract", "conditionals:vertex-steps=0:fragment-steps=0",
    "conditionals:vertex-steps=0:fragment-steps=5", "conditionals:vertex-steps=5:fragment-steps=0",
    "function:fragment-steps=5:fragment-complexity=low", "function:fragment-steps=5:fragment-complexity=medium",
    "loop:vertex-steps=5:fragment-steps=5:fragment-loop=false", "loop:vertex-steps=5:fragment-steps=5:fragment-uniform=false",
    "loop:vertex-steps=5:fragment-steps=5:fragment-uniform=true",
)


def software_environment(shim, driver):
    """Returns the environment for the system's Mesa with one of its software drivers, on Tessera's display."""
    return dict(os.environ, LD_PRELOAD=shim, TESSERA_MODE=MODE, LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER=driver)


def command(options, driver, scene):
    program = [PROGRAM, "-s", SIZE, "--off-screen", "--results", "fps:cpu", "-b", f"{scene}:duration={options.seconds}"]
    if driver in SOFTWARE:
        return program
    threads = ["--threads", options.threads] if options.threads else []
    return [options.tessera, "gl", "--mode", MODE, *threads, "--", *program]


def milliseconds(options, driver, scene):
    """Returns the elapsed time and the processor time of a frame in ms, or None if the driver does not draw the scene."""
    environment = software_environment(options.shim, driver) if driver in SOFTWARE else None
    done = subprocess.run(command(options, driver, scene), env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    found = re.search(r"FrameTime: ([\d.]+) ms\s+\(User: ([\d.]+) ms, System: ([\d.]+) ms\)", done.stdout)
    if done.returncode:
        sys.exit(f"{scene} on {driver} ended with {done.returncode}:\n{done.stdout}")
    if not found:
        return None
    clock, user, system = map(float, found.groups())
    return max(clock, 0.001), max(user + system, 0.001)


def best(options, scene):
    """Returns {driver: (frames per second of elapsed time, of processor time)}."""
    rates = {driver: [] for driver in DRIVERS}
    for _ in range(options.rounds):
        for driver in DRIVERS:
            times = milliseconds(options, driver, scene)
            rates[driver] += [[1000 / ms for ms in times]] if times else []
    return {driver: tuple(map(max, zip(*found))) for driver, found in rates.items() if found}


def shim_of(tessera):
    """Returns the path of the shim. Ends the program if Mesa's vc4 driver or glmark2 is not installed."""
    listed = subprocess.run([tessera, "gl", "--list", "--json"], stdout=subprocess.PIPE, text=True)
    if listed.returncode or not shutil.which(PROGRAM):
        sys.exit(f"glmark2.py: skipped: {'no Mesa with vc4' if listed.returncode else f'no {PROGRAM}'}")
    return json.loads(listed.stdout)["shim"]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def arguments():
    parser = argparse.ArgumentParser(description="Measures the scenes of glmark2.")
    parser.add_argument("--seconds", type=float, default=3, help="duration of each run")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--threads", help="host threads of the model")
    parser.add_argument("tessera")
    parser.add_argument("scenes", nargs="*", default=SCENES)
    return parser.parse_args()


def row(scene, cells):
    print(f"| {scene} | " + " | ".join(cells) + " |", flush=True)


def main():
    options = arguments()
    options.shim = shim_of(options.tessera)
    clock = [[] for _ in DRIVERS]
    processor = [[] for _ in DRIVERS]
    columns = [f"{driver}{what}" for what in (", frames/s", ", of processor time") for driver in DRIVERS]
    row("scene", columns + [f"ratio to {driver}" for driver in SOFTWARE])
    row("---", ["---"] * (len(columns) + len(SOFTWARE)))
    for scene in options.scenes:
        rates = best(options, scene)
        if len(rates) < len(DRIVERS):
            row(scene, ["not drawn"])
            continue
        for i, driver in enumerate(DRIVERS):
            clock[i].append(rates[driver][0])
            processor[i].append(rates[driver][1])
        row(scene, [f"{values[-1]:.1f}" for values in clock + processor] +
            [f"{processor[0][-1] / other[-1]:.2f}" for other in processor[1:]])
    means = [geometric_mean(values) for values in clock + processor]
    ours = means[len(DRIVERS)]
    row("geometric mean", [f"{mean:.1f}" for mean in means] + [f"{ours / mean:.2f}" for mean in means[len(DRIVERS) + 1:]])
    return 0


if __name__ == "__main__":
    sys.exit(main())
