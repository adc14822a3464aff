// SPDX-License-Identifier: MIT
// A structure as local variable, parameter and result.
#version 100
attribute vec4 position;
attribute vec4 a;
attribute vec4 b;
varying vec4 v;

struct Ray {
    vec3 origin, direction;
};

vec3 at(Ray r, float t)
{
    return r.origin + r.direction * t;
}

void main()
{
    Ray r = Ray(a.xyz, b.xyz);
    v = vec4(at(r, a.w), 1.0);
    gl_Position = position;
}
