// SPDX-License-Identifier: MIT
// A discard within nested conditions.
#version 100
precision highp float;
varying vec4 a;
varying vec4 b;

void main()
{
    if (a.x > 0.0) {
        if (a.y > 0.0)
            discard;
        gl_FragColor = a;
    } else {
        gl_FragColor = b;
    }
}
