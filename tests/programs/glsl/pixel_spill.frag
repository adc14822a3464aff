// SPDX-License-Identifier: MIT
// Many live values at once.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;

void main()
{
    vec4 p = a * b, q = a + b.wzyx, r = a - b.yzwx, s = a.yzwx * b.zwxy;
    vec4 t = p * q.wzyx + r, u = q * r.yzwx + s, x = r * s.zwxy + p, y = s * p.yxwz + q;
    gl_FragColor = t * u.wzyx + x * y.yzwx + p * q + r * s;
}
