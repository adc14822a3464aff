// SPDX-License-Identifier: MIT
// && || ^^ ! of bools.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    bool p = a.x > 0.0, q = a.y > 0.0, r = a.z > 0.0;
    v = vec4(float(p && q), float(q || r), float(p ^^ r), float(!q));
    gl_Position = position;
}
