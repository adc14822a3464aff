// SPDX-License-Identifier: MIT
// Diffuse and specular light at each vertex.
#version 100
attribute vec4 position;
attribute vec3 normal;
uniform mat4 mvp, model;
uniform vec3 light, eye;
uniform vec4 ambient, diffuse;
uniform float shine;
varying vec4 colour;

void main()
{
    vec3 n = normalize((model * vec4(normal, 0.0)).xyz);
    vec3 place = (model * position).xyz;
    vec3 l = normalize(light - place), e = normalize(eye - place);
    float lit = max(dot(n, l), 0.0);
    float glint = lit > 0.0 ? pow(max(dot(n, normalize(l + e)), 0.0), shine) : 0.0;
    colour = ambient + diffuse * lit + vec4(glint);
    gl_Position = mvp * position;
}
