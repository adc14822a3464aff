// SPDX-License-Identifier: MIT
// Fog by depth.
#version 100
precision highp float;
varying vec4 a;
uniform vec4 fog;

void main()
{
    float t = clamp(exp2(-fog.w * gl_FragCoord.z), 0.0, 1.0);
    gl_FragColor = vec4(mix(fog.rgb, a.rgb, t), a.a);
}
