// SPDX-License-Identifier: MIT
// Branches to instructions beyond number 255.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform mat4 m;
uniform float n;
varying vec4 v;

void turn(inout vec4 t, inout vec4 u)
{
    t = inversesqrt(t * t + 8.0) + m * u;
    u = 1.0 / (u * u + 4.0) - t * m;
    t = exp2(t.yzwx * 0.125) + sqrt(t * t + u * u);
    u = log2(t * t + u * u + 1.0) - t.wzyx * 0.25;
}

void main()
{
    vec4 t = a, u = a.wzyx;
    for (float i = 0.0; i < n; i += 1.0) {
        turn(t, u);
        turn(u, t);
        turn(t, u);
    }
    for (float i = 0.0; i < n; i += 2.0) {
        if (t.x > t.y)
            t = exp2(t.wzyx * 0.125) + 1.0 / (t * t + 2.0);
        else
            t = inversesqrt(t * t + 1.0) + t.yzwx * u.x * 0.0625;
    }
    v = t;
    gl_Position = position;
}
