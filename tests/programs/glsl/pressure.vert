// SPDX-License-Identifier: MIT
// More values alive at once than the units hold: some go through registers.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;
varying vec4 w;

void main()
{
    vec4 p = a * b, q = a + b, r = a - b.wzyx, s = a.yzwx * b.zwxy;
    vec4 t = p * q.wzyx + r, u = q * r.yzwx + s, x = r * s.zwxy + p, y = s * p.yxwz + q;
    v = t * u.wzyx + x * y.yzwx + p * q + r * s;
    w = t * x - u * y.zwxy + p.yzwx - q.wxyz * r;
    gl_Position = position;
}
