// SPDX-License-Identifier: MIT
// Lighting per pixel.
#version 100
precision highp float;
varying vec4 normal;
varying vec4 place;
uniform vec3 light;
uniform vec4 colour;
uniform float shine;

void main()
{
    vec3 n = normalize(normal.xyz);
    vec3 l = normalize(light - place.xyz);
    float diffuse = max(dot(n, l), 0.0);
    vec3 r = reflect(-l, n);
    float glance = pow(max(dot(r, normalize(-place.xyz)), 0.0625), shine);
    gl_FragColor = vec4(colour.rgb * (0.125 + diffuse) + glance, colour.a);
}
