// SPDX-License-Identifier: MIT
// The colour of old photographs.
#version 100
precision highp float;
varying vec4 a;

void main()
{
    float grey = dot(a.rgb, vec3(0.25, 0.5, 0.125));
    gl_FragColor = vec4(mix(a.rgb, vec3(1.0, 0.75, 0.5) * grey, 0.75), a.a);
}
