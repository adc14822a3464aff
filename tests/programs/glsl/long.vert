// SPDX-License-Identifier: MIT
// A long polynomial in each component.
#version 100
attribute vec4 position;
attribute vec4 a;
varying vec4 v;

void main()
{
    vec4 t = vec4(0.03125);
    t = t * a + 0.5;
    t = t * a + -0.25;
    t = t * a + 0.75;
    t = t * a + -1.5;
    t = t * a + 0.0625;
    t = t * a + 1.25;
    t = t * a + -0.375;
    t = t * a + 0.875;
    t = t * a + -0.125;
    t = t * a + 2.0;
    t = t * a + -1.75;
    t = t * a + 0.625;
    v = t;
    gl_Position = position;
}
