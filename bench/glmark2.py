#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures GLES2 programs: the scenes of glmark2 on Mesa's vc4 driver with the modelled GPU, on softpipe and on llvmpipe.

    glmark2.py [--seconds N] [--rounds N] [--threads N] TESSERA [SCENE...]

In:  our program; scenes as glmark2 names them ("build:use-vbo=true"), all that it runs by default if none is given.
Out: a table, a scene in a row: frames a second by the clock, what one second of processor time draws, and how often that is
     what Mesa's software drivers draw; at the end geometric means.
One program for all, glmark2-es2-drm, on the display that Tessera's DRM device offers: off-screen, 800x600. With
LIBGL_ALWAYS_SOFTWARE=1 the system's Mesa only takes memory for pictures from that device. Drivers take turns in each scene;
of several rounds the best one counts. Processor time is the process's own, of all its threads, without the scene's setup, as
glmark2 tells it."""
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
# A size unlike the mode's; the program takes the mode's, but with the same size glmark2 2023.01 forgets to make its window.
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
    """The system's Mesa and one of its software drivers, on our display."""
    return dict(os.environ, LD_PRELOAD=shim, TESSERA_MODE=MODE, LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER=driver)


def command(options, driver, scene):
    program = [PROGRAM, "-s", SIZE, "--off-screen", "--results", "fps:cpu", "-b", f"{scene}:duration={options.seconds}"]
    if driver in SOFTWARE:
        return program
    threads = ["--threads", options.threads] if options.threads else []
    return [options.tessera, "gl", "--mode", MODE, *threads, "--", *program]


def milliseconds(options, driver, scene):
    """(by the clock, of processor time) of a frame; None if the driver does not draw the scene."""
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
    """{driver: (frames a second by the clock, of processor time)}"""
    rates = {driver: [] for driver in DRIVERS}
    for _ in range(options.rounds):
        for driver in DRIVERS:
            times = milliseconds(options, driver, scene)
            rates[driver] += [[1000 / ms for ms in times]] if times else []
    return {driver: tuple(map(max, zip(*found))) for driver, found in rates.items() if found}


def shim_of(tessera):
    """The shim's file; ends the program where there is nothing to measure."""
    listed = subprocess.run([tessera, "gl", "--list", "--json"], stdout=subprocess.PIPE, text=True)
    if listed.returncode or not shutil.which(PROGRAM):
        sys.exit(f"glmark2.py: skipped: {'no Mesa with vc4' if listed.returncode else f'no {PROGRAM}'}")
    return json.loads(listed.stdout)["shim"]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def arguments():
    parser = argparse.ArgumentParser(description="Measures the scenes of glmark2.")
    parser.add_argument("--seconds", type=float, default=3, help="each run takes so long")
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


sys.exit(main())
