// SPDX-License-Identifier: MIT
// A cube map.
#version 100
precision highp float;
varying vec3 way;
uniform samplerCube cube_nearest;

void main()
{
    gl_FragColor = textureCube(cube_nearest, way);
}
