// SPDX-License-Identifier: MIT
// matrixCompMult(), + and - of matrices, and a matrix times a scalar.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform mat2 m, n;
varying vec4 v;
varying vec4 w;

void main()
{
    mat2 p = matrixCompMult(m, n), q = m + n, r = (m - n) * a.w;
    v = vec4(p * a.xy, q * a.zw);
    w = vec4(r[0], r[1]);
    gl_Position = position;
}
