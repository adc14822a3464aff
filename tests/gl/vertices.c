/* SPDX-License-Identifier: MIT */
/* vertices.c - tests vertex formats, strides, interleaving, buffers that change between draws.
 *
 * Expected: OpenGL ES 2.0.25, 2.8 (missing components are 0, 0, 1), 2.1.2 (normalised: unsigned c /
 * (2^b - 1), signed (2 c + 1) / (2^b - 1), or max(c / (2^(b-1) - 1), -1) as in later versions; the
 * tests accept both). */
#include "gl_test.h"

#include <stdio.h>
#include <string.h>

/* Uses a program whose colour is value * scale + offset. */
static void use_scaled(float scale, float offset)
{
    GLuint program = gl_program(
        "attribute vec4 position, value; uniform vec2 scale; varying vec4 v;"
        "void main() { gl_Position = position; v = value * scale.x + scale.y; }",
        gl_fragment_value);
    glUniform2f(gl_uniform(program, "scale"), scale, offset);
}

/* Draws four vertices that have the same value, in the given format. */
static void draw_value(GLint size, GLenum type, GLboolean normalized, const void *value,
                       size_t bytes)
{
    uint8_t values[4][16] = {{0}};
    for (int i = 0; i < 4; i++)
        memcpy(values[i], value, bytes);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(VALUE, size, type, normalized, 16, values);
    glEnableVertexAttribArray(VALUE);
    gl_quad(0, 0, 64, 64, 0);
    glDisableVertexAttribArray(VALUE);
}

/* Returns the colour after the components beyond size are replaced by 0, 0, 1. */
static struct rgba of_size(int size, struct rgba color)
{
    return RGBA(color.r, size > 1 ? color.g : 0, size > 2 ? color.b : 0, size > 3 ? color.a : 255);
}

static void unsigned_bytes(void)
{
    static const uint8_t value[] = {10, 128, 200, 255};
    for (int size = 1; size <= 4; size++) {
        use_scaled(1, 0);
        draw_value(size, GL_UNSIGNED_BYTE, GL_TRUE, value, 4);
        EXPECT_RECT(0, 0, 64, 64, of_size(size, RGBA(10, 128, 200, 255)), 0);
        use_scaled(1 / 255.0f, 0);
        draw_value(size, GL_UNSIGNED_BYTE, GL_FALSE, value, 4);
        struct rgba expected = of_size(size, RGBA(10, 128, 200, 255));
        if (size < 4)
            expected.a = 1; /* the integer 1 is 1 / 255 of the colour */
        EXPECT_RECT(0, 0, 64, 64, expected, 0);
    }
}

/* Shown as value / 2 + 1/2. The values -127, -1, 0, 127 become about 0, 127, 128, 255. */
static void signed_bytes(void)
{
    static const int8_t value[] = {-127, -64, 64, 127};
    use_scaled(0.5f, 0.5f);
    draw_value(4, GL_BYTE, GL_TRUE, value, 4);
    EXPECT_RECT(0, 0, 64, 64, RGBA(0, 63, 192, 255), 1);
    use_scaled(1 / 255.0f, 128 / 255.0f);
    draw_value(4, GL_BYTE, GL_FALSE, value, 4);
    EXPECT_RECT(0, 0, 64, 64, RGBA(1, 64, 192, 255), 0);
}

static void unsigned_shorts(void)
{
    static const uint16_t value[] = {0, 257 * 99, 257 * 180, 65535};
    for (int size = 1; size <= 4; size++) {
        use_scaled(1, 0);
        draw_value(size, GL_UNSIGNED_SHORT, GL_TRUE, value, 8);
        EXPECT_RECT(0, 0, 64, 64, of_size(size, RGBA(0, 99, 180, 255)), 0);
    }
    use_scaled(1 / 65535.0f, 0);
    draw_value(4, GL_UNSIGNED_SHORT, GL_FALSE, value, 8);
    EXPECT_RECT(0, 0, 64, 64, RGBA(0, 99, 180, 255), 1);
}

static void signed_shorts(void)
{
    static const int16_t value[] = {-32767, -16384, 16384, 32767};
    for (int size = 2; size <= 4; size++) {
        use_scaled(0.5f, 0.5f);
        draw_value(size, GL_SHORT, GL_TRUE, value, 8);
        struct rgba expected = RGBA(0, 64, size > 2 ? 191 : 128, 255);
        EXPECT_RECT(0, 0, 64, 64, expected, 1);
    }
    use_scaled(1 / 65536.0f, 0.5f);
    draw_value(3, GL_SHORT, GL_FALSE, value, 8);
    EXPECT_RECT(0, 0, 64, 64, RGBA(0, 64, 191, 128), 1);
}

static void floats(void)
{
    static const float value[] = {0.2f, 0.4f, 0.6f, 0.8f};
    for (int size = 1; size <= 4; size++) {
        use_scaled(1, 0);
        draw_value(size, GL_FLOAT, GL_FALSE, value, 16);
        EXPECT_RECT(0, 0, 64, 64, of_size(size, RGBA(51, 102, 153, 204)), 0);
    }
}

/* Numbers in 16.16 fixed point: 65536 is 1. */
static void fixed(void)
{
    static const int32_t value[] = {13107, 26214, 39322, 65536};
    for (int size = 1; size <= 4; size++) {
        use_scaled(1, 0);
        draw_value(size, GL_FIXED, GL_FALSE, value, 16);
        EXPECT_RECT(0, 0, 64, 64, of_size(size, RGBA(51, 102, 153, 255)), 0);
    }
}

/* Numbers of OES_vertex_half_float: 0x3266 is 0.19995, 0x3666 is 0.39990, 0x38cd is 0.60010, and
 * 0x3c00 is 1. */
static void half_floats(void)
{
    static const uint16_t value[] = {0x3266, 0x3666, 0x38cd, 0x3c00};
    gl_need("GL_OES_vertex_half_float");
    for (int size = 1; size <= 4; size++) {
        use_scaled(1, 0);
        draw_value(size, GL_HALF_FLOAT_OES, GL_FALSE, value, 8);
        EXPECT_RECT(0, 0, 64, 64, of_size(size, RGBA(51, 102, 153, 255)), 0);
    }
}

/* One buffer with odd strides contains a position of shorts, a colour of bytes, and unused bytes
 * between them. */
struct interleaved {
    int16_t x, y;
    uint8_t unused[3], color[3];
    uint8_t more;
    uint8_t end;
};

static void interleaved(void)
{
    enum { CELLS = 64 };
    static struct interleaved all[6 * CELLS];
    static const int order[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
    GLuint buffer;
    for (int i = 0; i < 6 * CELLS; i++) {
        int cell = i / 6;
        all[i] = (struct interleaved){
            .x = (int16_t)((cell % 8 + order[i % 6][0]) * 8),
            .y = (int16_t)((cell / 8 + order[i % 6][1]) * 8),
            .color = {(uint8_t)(4 * cell), (uint8_t)(255 - cell), (uint8_t)(cell * 7 % 256)},
        };
    }
    gl_program(
        "attribute vec2 position; attribute vec3 value; varying vec4 v;"
        "void main() { gl_Position = vec4(position / 32.0 - 1.0, 0, 1); v = vec4(value, 1); }",
        gl_fragment_value);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof(all), all, GL_STATIC_DRAW);
    glVertexAttribPointer(POSITION, 2, GL_SHORT, GL_FALSE, sizeof(*all),
                          (const void *)offsetof(struct interleaved, x));
    glVertexAttribPointer(VALUE, 3, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(*all),
                          (const void *)offsetof(struct interleaved, color));
    glEnableVertexAttribArray(POSITION);
    glEnableVertexAttribArray(VALUE);
    glDrawArrays(GL_TRIANGLES, 0, 6 * CELLS);
    for (int cell = 0; cell < CELLS; cell++)
        EXPECT_RECT(cell % 8 * 8, cell / 8 * 8, 8, 8,
                    RGBA(4 * cell, 255 - cell, cell * 7 % 256, 255), 0);
}

/* Draws three bytes with all strides from 3 to 40. */
static void strides(void)
{
    static uint8_t bytes[4 * 40];
    use_scaled(1, 0);
    for (int stride = 3; stride <= 40; stride++) {
        for (int i = 0; i < 4; i++) {
            bytes[i * stride] = (uint8_t)stride;
            bytes[i * stride + 1] = (uint8_t)(5 * stride);
            bytes[i * stride + 2] = (uint8_t)(255 - stride);
        }
        glVertexAttribPointer(VALUE, 3, GL_UNSIGNED_BYTE, GL_TRUE, stride, bytes);
        glEnableVertexAttribArray(VALUE);
        gl_quad(0, 0, 64, 64, 0);
        EXPECT_RECT(0, 0, 64, 64, RGBA(stride, 5 * stride, 255 - stride, 255), 0);
    }
}

/* The colours in a buffer change between the 64 draws of a frame. Each draw must use the colours
 * at the time of the draw. */
static void changed_between(void)
{
    GLuint buffer;
    use_scaled(1, 0);
    glGenBuffers(1, &buffer);
    for (int i = 0; i < 64; i++) {
        uint8_t colors[16];
        for (int k = 0; k < 16; k++)
            colors[k] = k % 4 == 0 ? (uint8_t)(4 * i) : k % 4 == 1 ? (uint8_t)(255 - i) : 255;
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        if (i % 8 == 0)
            glBufferData(GL_ARRAY_BUFFER, sizeof(colors), colors, GL_STREAM_DRAW);
        else
            glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(colors), colors);
        glVertexAttribPointer(VALUE, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, NULL);
        glEnableVertexAttribArray(VALUE);
        gl_quad((float)(i % 8 * 8), (float)(i / 8 * 8), (float)(i % 8 * 8 + 8),
                (float)(i / 8 * 8 + 8), 0);
    }
    for (int i = 0; i < 64; i++)
        EXPECT_RECT(i % 8 * 8, i / 8 * 8, 8, 8, RGBA(4 * i, 255 - i, 255, 255), 0);
}

/* The buffer is changed through mappings between draws (OES_mapbuffer). */
static void mapped(void)
{
    gl_need("GL_OES_mapbuffer");
    PFNGLMAPBUFFEROESPROC map = gl_function("glMapBufferOES");
    PFNGLUNMAPBUFFEROESPROC unmap = gl_function("glUnmapBufferOES");
    GLuint buffer;
    use_scaled(1, 0);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 16, NULL, GL_DYNAMIC_DRAW);
    for (int i = 0; i < 16; i++) {
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        uint8_t *bytes = map(GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES);
        CHECK(bytes);
        for (int k = 0; k < 16; k++)
            bytes[k] = (uint8_t)(k % 4 == 0 ? 16 * i : 255 - i);
        CHECK(unmap(GL_ARRAY_BUFFER));
        glVertexAttribPointer(VALUE, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, NULL);
        glEnableVertexAttribArray(VALUE);
        gl_quad((float)(i * 4), 0, (float)(i * 4 + 4), 64, 0);
    }
    for (int i = 0; i < 16; i++)
        EXPECT_RECT(i * 4, 0, 4, 64, RGBA(16 * i, 255 - i, 255 - i, 255 - i), 0);
}

/* A buffer of 4 MiB contains 43690 triangles. Every thousandth triangle is on the target. */
static void large_buffer(void)
{
    enum { COUNT = 3 * 43690 };
    static float positions[COUNT][8];
    GLuint buffer;
    for (int i = 0; i < COUNT; i++) {
        int triangle = i / 3, column = triangle / 1000;
        bool seen = triangle % 1000 == 999;
        positions[i][0] = seen ? gl_ndc((float)(column + (i % 3 == 1 ? 2 : 0))) : -5;
        positions[i][1] = seen ? gl_ndc(i % 3 == 2 ? 128 : 0) : -5;
    }
    gl_use_color(0, 1, 0, 1);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof(positions), positions, GL_STATIC_DRAW);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, sizeof(*positions), NULL);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLES, 0, COUNT);
    /* Each column c of 0..42 has a triangle (c, 0), (c + 2, 0), (c, 128), which is at least one
     * pixel wide for y < 64. */
    EXPECT_RECT(0, 0, 43, 63, GREEN, 0);
    EXPECT_RECT(45, 0, 19, 64, BLACK, 0);
}

/* Tests glVertexAttrib*() without an array, and arrays that are enabled and disabled. */
static void constant_values(void)
{
    static const float array[16] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
    use_scaled(1, 0);
    for (int i = 0; i < 8; i++) {
        glVertexAttrib3f(VALUE, 0, (float)i / 5, 1);
        glVertexAttribPointer(VALUE, 4, GL_FLOAT, GL_FALSE, 0, array);
        if (i % 2)
            glEnableVertexAttribArray(VALUE);
        else
            glDisableVertexAttribArray(VALUE);
        gl_quad((float)(i * 8), 0, (float)(i * 8 + 8), 64, 0);
    }
    for (int i = 0; i < 8; i++)
        EXPECT_RECT(i * 8, 0, 8, 64, i % 2 ? RED : RGBA(0, i * 51 > 255 ? 255 : i * 51, 255, 255),
                    0);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"unsigned_bytes",  unsigned_bytes,  ON_FBO},
    {"signed_bytes",    signed_bytes,    ON_FBO},
    {"unsigned_shorts", unsigned_shorts, ON_FBO},
    {"signed_shorts",   signed_shorts,   ON_FBO},
    {"floats",          floats,          ON_FBO},
    {"fixed",           fixed,           ON_FBO},
    {"half_floats",     half_floats,     ON_FBO},
    {"interleaved",     interleaved,     ON_FBO},
    {"strides",         strides,         ON_FBO},
    {"changed_between", changed_between, ON_BOTH},
    {"mapped",          mapped,          ON_FBO},
    {"large_buffer",    large_buffer,    ON_FBO},
    {"constant_values", constant_values, ON_FBO},
    {NULL,              NULL,            ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
