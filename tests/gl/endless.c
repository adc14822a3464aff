/* SPDX-License-Identifier: MIT */
/* endless.c - draws a correct picture, and then runs a shader that never ends. Used by
 * looking.py. */
#include "gl_test.h"

static void square(void)
{
    static const float corners[] = {-.5f, -.5f, .5f, -.5f, -.5f, .5f, .5f, .5f};
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glFinish();
}

static void good(void)
{
    gl_use_color(0, 1, 0, 1);
    square();
    EXPECT_RECT(16, 16, 32, 32, GREEN, 0);
}

/* The loop decrements its counter in every pixel and never ends, because the value exceeds one half
 * everywhere. */
static void endless(void)
{
    gl_program("attribute vec2 position;\n"
               "varying float value;\n"
               "void main() { gl_Position = vec4(position, 0, 1); value = position.x + 1.5; }\n",
               "precision mediump float;\n"
               "varying float value;\n"
               "void main() {\n"
               "    float sum = 0.0;\n"
               "    for (int i = 0; i < 1000; i++) {\n"
               "        if (value > 0.5)\n"
               "            i -= 1;\n"
               "        sum += 0.001 * value;\n"
               "    }\n"
               "    gl_FragColor = vec4(sum, 0, 0, 1);\n"
               "}\n");
    square();
}

const struct gl_case gl_cases[] = {{"good", good, ON_FBO}, {"endless", endless, ON_FBO}, {0}};
