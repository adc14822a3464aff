// SPDX-License-Identifier: MIT
// Counts steps until a point of the plane leaves the circle of radius 2.
#version 100
precision highp float;
varying vec4 a;
uniform float limit;

void main()
{
    vec2 z = vec2(0.0);
    float steps = 0.0;
    for (float i = 0.0; i < limit; i += 1.0) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + a.xy;
        if (dot(z, z) > 4.0)
            break;
        steps += 1.0;
    }
    gl_FragColor = vec4(steps);
}
