/* SPDX-License-Identifier: MIT */
/* long_shader.c - tests shaders of hundreds of instructions, many uniforms, many live values,
 * branches, loops.
 *
 * Expected: OpenGL ES Shading Language 1.00. All values are small integers or sums of powers of
 * two. 32-bit floats represent them exactly, so that they can be computed in advance. */
#include "gl_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 16 };
static char text[LONGEST];

/* Appends a line to the shader's text. */
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#include <stdarg.h>
static void say(const char *format, ...)
{
    size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, sizeof(text) - used, format, list);
    va_end(list);
}

static void start(const char *declarations)
{
    text[0] = '\0';
    say("precision highp float;\n%s\nvoid main() {\n", declarations);
}

/* Ends the shader's text, compiles it, and draws over the whole target. The attribute value
 * increases from 0 to 64 in x and y. */
static GLuint finish(void)
{
    say("}\n");
    return gl_program(gl_vertex_texture, text);
}

static void draw(void)
{
    gl_textured_quad(0, 0, 64, 64, 0, 0, 64, 64);
}

/* The shader computes x = c - x 600 times, with c = i % 7. The C code computes the same. */
static void many_instructions(void)
{
    start("varying vec2 v; uniform float zero;");
    say("float x = floor(v.x) + zero;\n");
    for (int i = 0; i < 600; i++)
        say("x = %d.0 - x * (1.0 + zero);\n", i % 7);
    say("gl_FragColor = vec4(x / 255.0, 0, 0, 1);\n");
    GLuint program = finish();
    glUniform1f(gl_uniform(program, "zero"), 0);
    int sum = 0;
    for (int i = 0; i < 600; i++)
        sum = i % 7 - sum;
    /* After an even number of steps, the result is x plus the result for x = 0. */
    draw();
    for (int x = 0; x < 64; x++)
        EXPECT_RECT(x, 0, 1, 64, RGBA(sum + x < 0 ? 0 : sum + x, 0, 0, 255), 0);
}

/* The shader has 100 uniforms k / 4096. Their sum is 4950 / 4096, and the picture shows the sum
 * - 1 = 854 / 4096. */
static void many_uniforms(void)
{
    enum { COUNT = 100 };
    GLint most;
    glGetIntegerv(GL_MAX_FRAGMENT_UNIFORM_VECTORS, &most);
    CHECK(most >= 16);
    int vectors = most < COUNT / 4 + 1 ? most - 1 : COUNT / 4;
    start("varying vec2 v; uniform vec4 all[25];");
    say("vec4 sum = vec4(0);\n");
    for (int i = 0; i < vectors; i++)
        say("sum += all[%d];\n", i);
    say("gl_FragColor = vec4(dot(sum, vec4(1)) - 1.0, v.x / 64.0, 0, 1);\n");
    GLuint program = finish();
    float values[COUNT];
    for (int k = 0; k < COUNT; k++)
        values[k] = (float)k / 4096;
    glUniform4fv(gl_uniform(program, "all[0]"), COUNT / 4, values);
    draw();
    int sum = 4 * vectors * (4 * vectors - 1) / 2;
    for (int x = 0; x < 64; x++)
        EXPECT_RECT(x, 0, 1, 64, RGBA(gl_byte(sum / 4096.0 - 1), gl_byte((x + 0.5) / 64), 0, 255),
                    1);
}

/* The shader has 40 values x + i for i = 0..39. All of them are needed at the end, in an order
 * that allows no earlier addition. The C code also computes the sum of (x + i) (i % 3 - 1). */
static void many_values(void)
{
    enum { COUNT = 40 };
    start("varying vec2 v; uniform float zero;");
    say("float x = floor(v.x);\n");
    for (int i = 0; i < COUNT; i++)
        say("float a%d = x * (1.0 + zero * %d.0) + %d.0;\n", i, i, i);
    /* Each value depends once on another value, which keeps all of them live. */
    for (int i = 0; i < COUNT; i++)
        say("a%d = a%d - a%d * zero;\n", i, i, (i + COUNT / 2) % COUNT);
    say("float sum = 0.0;\n");
    for (int i = COUNT - 1; i >= 0; i--)
        say("sum += a%d * %d.0;\n", i, i % 3 - 1);
    say("gl_FragColor = vec4((sum + 64.0) / 255.0, 0, 0, 1);\n");
    GLuint program = finish();
    glUniform1f(gl_uniform(program, "zero"), 0);
    draw();
    for (int x = 0; x < 64; x++) {
        int sum = 0;
        for (int i = 0; i < COUNT; i++)
            sum += (x + i) * (i % 3 - 1);
        EXPECT_RECT(x, 0, 1, 64,
                    RGBA(sum + 64 < 0     ? 0
                         : sum + 64 > 255 ? 255
                                          : sum + 64,
                         0, 0, 255),
                    0);
    }
}

/* Returns the expected colour. Neighbouring pixels, which hardware runs in groups of four, take
 * different branches. */
static int branch_value(int x, int y)
{
    if (x % 2 == 1)
        return y % 4 < 2 ? 40 : (y % 4 == 2 ? 80 : 120);
    return x > y ? 160 : 200;
}

static struct rgba branches_picture(int x, int y)
{
    return RGBA(branch_value(x, y), 0, 0, 255);
}

static void branches(void)
{
    start("varying vec2 v;");
    say("float x = floor(v.x), y = floor(v.y), r, rest = y - 4.0 * floor(y * 0.25);\n"
        "if (x - 2.0 * floor(x * 0.5) > 0.5) { if (rest < 1.5) r = 40.0; else if (rest < 2.5) r = "
        "80.0; else r = 120.0; }\n"
        "else { if (x > y) r = 160.0; else r = 200.0; }\n"
        "gl_FragColor = vec4(r / 255.0, 0, 0, 1);\n");
    finish();
    draw();
    EXPECT_PICTURE(branches_picture, 0);
}

/* Tests a loop with a constant count. The sum of 0..19 is 190. */
static void constant_loop(void)
{
    start("varying vec2 v; uniform float one;");
    say("float sum = 0.0; for (int i = 0; i < 20; i++) sum += float(i) * one;\n"
        "gl_FragColor = vec4(sum / 255.0, v.x / 64.0, 0, 1);\n");
    GLuint program = finish();
    glUniform1f(gl_uniform(program, "one"), 1);
    draw();
    for (int x = 0; x < 64; x += 9)
        EXPECT_RECT(x, 0, 1, 64, RGBA(190, gl_byte((x + 0.5) / 64), 0, 255), 1);
}

/* Tests loops whose count differs per pixel. They are optional in GLSL ES 1.00 (appendix A), but
 * a conditional break is not. Pixel x adds 3 in each of x % 16 iterations. The nested loops
 * repeat this y % 4 times. */
static struct rgba loops_picture(int x, int y)
{
    return RGBA(3 * (x % 16), 3 * (x % 16) * (y % 4), 0, 255);
}

static void pixel_loops(void)
{
    start("varying vec2 v;");
    say("float x = floor(v.x), y = floor(v.y), sum = 0.0, all = 0.0;\n"
        "x -= 16.0 * floor(x / 16.0); y -= 4.0 * floor(y / 4.0);\n"
        "for (int i = 0; i < 100; i++) { if (float(i) >= x) break; sum += 3.0; }\n"
        "for (int j = 0; j < 50; j++) { if (float(j) >= y) break;\n"
        "    for (int i = 0; i < 100; i++) { if (float(i) >= x) break; all += 3.0; } }\n"
        "gl_FragColor = vec4(sum / 255.0, all / 255.0, 0, 1);\n");
    finish();
    draw();
    EXPECT_PICTURE(loops_picture, 0);
}

/* Samples textures in a loop and under a condition. The result is the sum of the first n of the
 * texels 10, 20, 30, 40. */
static void texture_loop(void)
{
    static const uint8_t texels[] = {10, 0, 0, 255, 20, 0, 0, 255, 30, 0, 0, 255, 40, 0, 0, 255};
    gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 4, 1, texels);
    start("varying vec2 v; uniform sampler2D texture;");
    say("float n = floor(v.x / 16.0) + 1.0, sum = 0.0;\n"
        "for (int i = 0; i < 4; i++) if (float(i) < n) sum += texture2D(texture, vec2((float(i) + "
        "0.5) / 4.0, 0.5)).r;\n"
        "gl_FragColor = vec4(sum, 0, 0, 1);\n");
    finish();
    draw();
    EXPECT_RECT(0, 0, 16, 64, RGBA(10, 0, 0, 255), 0);
    EXPECT_RECT(16, 0, 16, 64, RGBA(30, 0, 0, 255), 0);
    EXPECT_RECT(32, 0, 16, 64, RGBA(60, 0, 0, 255), 0);
    EXPECT_RECT(48, 0, 16, 64, RGBA(100, 0, 0, 255), 0);
}

/* A vertex attribute is the index of a uniform array, so that the shader reads uniforms as
 * memory. */
static void indexed_uniforms(void)
{
    enum { COUNT = 32 };
    GLuint program = gl_program(
        "attribute vec4 position; attribute float value; uniform float all[32]; varying float v;"
        "void main() { gl_Position = position; v = all[int(value)]; }",
        "precision mediump float; varying float v; void main() { gl_FragColor = vec4(v, 0, 0, 1); "
        "}");
    float values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = (float)(i * 5 % 32 * 8) / 255;
    glUniform1fv(gl_uniform(program, "all[0]"), COUNT, values);
    for (int i = 0; i < COUNT; i++) {
        glVertexAttrib1f(VALUE, (float)i);
        gl_quad((float)(2 * i), 0, (float)(2 * i + 2), 64, 0);
    }
    for (int i = 0; i < COUNT; i++)
        EXPECT_RECT(2 * i, 0, 2, 64, RGBA(i * 5 % 32 * 8, 0, 0, 255), 0);
}

/* Tests a vertex shader of hundreds of instructions. It makes 154 moves of 1/64 to the right and
 * 146 back. */
static void long_vertex_shader(void)
{
    text[0] = '\0';
    say("attribute vec4 position; uniform float zero;\nvoid main() {\nvec4 p = position;\n");
    for (int i = 0; i < 300; i++)
        say("p.x = p.x * (1.0 + zero) + %s0.015625;\n", i < 154 ? "" : "-");
    say("gl_Position = p;\n}\n");
    GLuint program = gl_program(text, "void main() { gl_FragColor = vec4(0, 1, 0, 1); }");
    glUniform1f(gl_uniform(program, "zero"), 0);
    gl_quad(10, 10, 20, 20, 0); /* the net move, (154 - 146) / 64, is 4 pixels */
    EXPECT_RECT(14, 10, 10, 10, GREEN, 0);
    CHECK(gl_count(GL_SIDE, GL_SIDE, GREEN) == 100);
}

/* Uses 40 programs one after the other within a frame. */
static void many_programs(void)
{
    for (int i = 0; i < 40; i++) {
        start("varying vec2 v;");
        say("gl_FragColor = vec4(%d.0 / 255.0, floor(v.y) * %d.0 / 255.0, 0, 1);\n", 6 * i, i % 4);
        finish();
        gl_textured_quad((float)i, 0, (float)i + 1, 64, 0, 0, 1, 64);
    }
    for (int i = 0; i < 40; i++)
        for (int y = 0; y < 64; y += 21)
            EXPECT_PIXEL(i, y, RGBA(6 * i, y * (i % 4), 0, 255), 0);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"many_instructions",  many_instructions,  ON_FBO},
    {"many_uniforms",      many_uniforms,      ON_FBO},
    {"many_values",        many_values,        ON_FBO},
    {"branches",           branches,           ON_FBO},
    {"constant_loop",      constant_loop,      ON_FBO},
    {"pixel_loops",        pixel_loops,        ON_FBO},
    {"texture_loop",       texture_loop,       ON_FBO},
    {"indexed_uniforms",   indexed_uniforms,   ON_FBO},
    {"long_vertex_shader", long_vertex_shader, ON_BOTH},
    {"many_programs",      many_programs,      ON_FBO},
    {NULL,                 NULL,               ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
