// SPDX-License-Identifier: MIT
// Rotates a vector by a quaternion.
#version 100
attribute vec4 position;
attribute vec4 q;
attribute vec4 a;
varying vec4 v;

void main()
{
    vec3 t = 2.0 * cross(q.xyz, a.xyz);
    v = vec4(a.xyz + q.w * t + cross(q.xyz, t), a.w);
    gl_Position = position;
}
