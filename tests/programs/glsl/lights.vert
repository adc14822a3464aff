// SPDX-License-Identifier: MIT
// Four lights with attenuation, in a loop.
#version 100
attribute vec4 position;
attribute vec3 normal;
uniform vec4 light[4];
uniform vec4 tint[4];
varying vec4 colour;

void main()
{
    vec4 sum = vec4(0.125);
    for (int i = 0; i < 4; i++) {
        vec3 d = light[i].xyz - position.xyz;
        float near = inversesqrt(dot(d, d));
        sum += tint[i] * (max(dot(normal, d * near), 0.0) * near);
    }
    colour = sum;
    gl_Position = position;
}
