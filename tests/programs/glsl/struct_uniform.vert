// SPDX-License-Identifier: MIT
// A structure as uniform.
#version 100
struct Light {
    vec4 colour;
    float strength;
    vec3 place;
};

attribute vec4 position;
attribute vec4 a;
uniform Light light;
varying vec4 v;

void main()
{
    v = a * light.colour * light.strength + vec4(light.place, 1.0);
    gl_Position = position;
}
