// SPDX-License-Identifier: MIT
// < <= > >= of scalars.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

void main()
{
    v = vec4(float(a.x < b.x), float(a.y <= b.y), float(a.z > b.z), float(a.w >= b.w));
    gl_Position = position;
}
