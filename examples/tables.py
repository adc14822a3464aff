# SPDX-License-Identifier: MIT
"""Code shared by the scripts make-data: tables, matrices (as lists of columns) and pictures.

Numbers are written with few digits. The written numbers are the data."""
import math
import struct
import zlib


# --- files ---

def number(value):
    return f"{round(value, 4) + 0.0:g}"


def write(folder, name, lines):
    (folder / name).write_text("".join(f"{line}\n" for line in lines))


def vertices(folder, header, rows):
    write(folder, "vertices.csv", [header, *(",".join(map(number, row)) for row in rows)])


def uniforms(folder, **values):
    lines = []
    for name, rows in values.items():
        lines += [f"{name}[{i}]," + ",".join(map(number, row)) for i, row in enumerate(rows)]
    write(folder, "uniforms.csv", lines)


def picture(path, rows):
    """Writes rows of pixels, (red, green, blue) of 0 to 255, as a PNG file."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    raw = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in rows)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)) +
                     chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


# --- matrices ---

def times(a, b):
    return [[sum(a[k][row] * column[k] for k in range(4)) for row in range(4)] for column in b]


def turned(yaw, pitch):
    c, s, d, t = math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch)
    return times([[1, 0, 0, 0], [0, d, t, 0], [0, -t, d, 0], [0, 0, 0, 1]],
                 [[c, 0, -s, 0], [0, 1, 0, 0], [s, 0, c, 0], [0, 0, 0, 1]])


def moved(x, y, z):
    return [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [x, y, z, 1]]


def projection(zoom, near, far, width=320, height=240):
    """Returns a matrix like gluPerspective(): the eye looks along -z."""
    return [[zoom * height / width, 0, 0, 0], [0, zoom, 0, 0],
            [0, 0, -(far + near) / (far - near), -1], [0, 0, -2 * far * near / (far - near), 0]]


# --- shapes ---

QUAD = ((0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1))  # two triangles


def cube():
    """Yields the vertices of a cube from -1 to 1: face, position, and position on the face with coordinates 0 or 1."""
    for face in range(6):
        axis, side = face // 2, 1 - 2 * (face % 2)
        for u, v in QUAD:
            corner = [0, 0, 0]
            corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3] = side, 2 * u - 1, (2 * v - 1) * side
            yield face, corner, (u, v)


def bone(x, y, angle, reach):
    """Returns rows of a matrix that rotates by an angle about the near end of a bone, which is at
    "reach" along the arm, and moves that end to x, y."""
    c, s = math.cos(angle), math.sin(angle)
    return [(c, -s, 0, x - c * reach), (s, c, 0, y - s * reach), (0, 0, 1, 0)]
