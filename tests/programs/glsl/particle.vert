// SPDX-License-Identifier: MIT
// A thrown particle that bounces when it reaches the ground.
#version 100
attribute vec4 position;
attribute vec4 start;
attribute vec4 speed;
uniform float time;
varying float age;

void main()
{
    float t = time - start.w;
    vec3 p = start.xyz + speed.xyz * t;
    p.y -= 4.905 * t * t;
    if (p.y < 0.0) {
        p.y = -p.y * 0.5;
        p.x *= 0.75;
    }
    age = t * 0.25;
    gl_PointSize = 8.0 / (1.0 + age);
    gl_Position = vec4(p, 2.0) + position * 0.125;
}
