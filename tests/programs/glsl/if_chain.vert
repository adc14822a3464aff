// SPDX-License-Identifier: MIT
// A chain of if, else if, else.
#version 100
attribute vec4 position;
attribute vec4 a;
uniform float mode;
varying vec4 v;

void main()
{
    vec4 t;
    if (mode < 1.0)
        t = exp2(a) + exp2(a.yzwx * 0.5);
    else if (mode < 2.0)
        t = sqrt(a * a + 1.0) * inversesqrt(a.wzyx * a.wzyx + 2.0);
    else if (mode == 2.0)
        t = a * a * a - 2.0 * a * a.yzwx + 3.0 * a.zwxy - 4.0;
    else
        t = vec4(dot(a, a), a.xyz);
    v = t;
    gl_Position = position;
}
