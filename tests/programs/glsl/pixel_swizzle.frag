// SPDX-License-Identifier: MIT
// Components in other orders.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;

void main()
{
    vec4 t = a.wzyx;
    t.xz = b.yw;
    t.yw += a.xx;
    gl_FragColor = t.yxwz;
}
