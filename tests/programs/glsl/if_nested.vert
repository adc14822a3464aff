// SPDX-License-Identifier: MIT
// An if within an if.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    vec4 t = b;
    if (a.x > 0.0) {
        t = exp2(t * a);
        if (a.y > 0.0)
            t = t / (1.0 + t.x * t.x) + sqrt(t.yzwx + 2.0);
        else
            t = t * t - exp2(-t * a.wzyx);
        t += a * a.yzwx;
    } else {
        t = 1.0 / (t * t + 1.0) + a * t * t * t;
    }
    v = t;
    gl_Position = position;
}
