// SPDX-License-Identifier: MIT
// An if and else that is long enough for a branch.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    vec4 t;
    if (a.x + a.y > b.x) {
        t = sqrt(a * a + b * b);
        t = t * t.yzwx + a / (b * b + 1.0);
    } else {
        t = (a - b) * (a + b.wzyx) * (a.yxwz - b);
        t += inversesqrt(b * b + 1.0);
    }
    v = t;
    gl_Position = position;
}
