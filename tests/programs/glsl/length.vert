// SPDX-License-Identifier: MIT
// length() of two, three and four components.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    v = vec4(length(a.xy), length(a.xyz), length(a), length(a.w));
    gl_Position = position;
}
