// SPDX-License-Identifier: MIT
// A structure.
#version 100
precision highp float;
varying vec4 a;
struct Light {
    vec4 colour;
    float strength;
    vec3 place;
};
uniform Light light;

void main()
{
    gl_FragColor = a * light.colour * light.strength + vec4(light.place, 1.0);
}
