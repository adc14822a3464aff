// SPDX-License-Identifier: MIT
// More values alive at once than there are registers.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
attribute vec4 c;
uniform mat4 m, n;
varying vec4 v;
varying vec4 w;

void main()
{
    mat4 p = m * n, q = n * m;
    vec4 t = p * a, u = q * b, r = a * p, s = b * q;
    mat4 x = mat4(t, u, r, s);
    v = x * c + t * u;
    w = c * x + r * s;
    gl_Position = position;
}
