// SPDX-License-Identifier: MIT
// Operators of bools.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;

void main()
{
    bvec4 less = lessThan(a, b);
    gl_FragColor = vec4(any(less), all(less), !less.x && less.y || less.z, a.x == b.x ^^ less.w);
}
