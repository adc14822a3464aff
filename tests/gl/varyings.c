/* SPDX-License-Identifier: MIT */
/* varyings.c - tests the implementation's maximum numbers of varyings, attributes and textures.
 *
 * Expected: OpenGL ES 2.0.25, 6.2 (at least 8 of each, and 8 textures). Sums of whole bytes were
 * computed by hand. */
#include "gl_test.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The text of a shader under construction. */
struct source {
    char text[8192];
    size_t size;
};

static struct source vertex, fragment;

__attribute__((format(printf, 2, 3))) static void add(struct source *source, const char *format,
                                                      ...)
{
    va_list values;
    size_t room = sizeof(source->text) - source->size;
    va_start(values, format);
    int length = vsnprintf(source->text + source->size, room, format, values);
    va_end(values);
    CHECK(length >= 0 && (size_t)length < room);
    source->size += (size_t)length;
}

static void begin(struct source *source, const char *text)
{
    source->size = 0;
    add(source, "%s", text);
}

static int limit(GLenum name, int most)
{
    GLint value;
    glGetIntegerv(name, &value);
    return value < most ? value : most;
}

/* Varying i is (i, 3 i, value, i * value) / 255, where value goes from 0 at the left to 64 at the
 * right. Four rows of pixels show each varying. */
static void all_varyings(void)
{
    int count = limit(GL_MAX_VARYING_VECTORS, 16);
    CHECK(count >= 8);
    begin(&vertex, "attribute vec4 position; attribute float value;\n");
    begin(&fragment, "precision highp float; uniform float number;\n");
    for (int i = 0; i < count; i++) {
        add(&vertex, "varying vec4 v%d;\n", i);
        add(&fragment, "varying vec4 v%d;\n", i);
    }
    add(&vertex, "void main() { gl_Position = position;\n");
    add(&fragment, "void main() { vec4 c = vec4(0);\n");
    for (int i = 0; i < count; i++) {
        add(&vertex, "v%d = vec4(%d.0, %d.0, value, value * %d.0) / 255.0;\n", i, i, 3 * i, i);
        add(&fragment, "if (number == %d.0) c = v%d;\n", i, i);
    }
    add(&vertex, "}");
    add(&fragment, "gl_FragColor = c; }");
    GLuint program = gl_program(vertex.text, fragment.text);
    for (int i = 0; i < count; i++) {
        glUniform1f(gl_uniform(program, "number"), (float)i);
        gl_textured_quad(0, (float)(4 * i), 64, (float)(4 * i + 4), 0, 0, 64, 0);
    }
    /* The attribute "value" is x + 1/2 at pixel x, from 0 to 64. Multiplied by i, it is an
     * integer for even i, and may be rounded either way for odd i. */
    for (int i = 0; i < count; i++)
        for (int x = 0; x < 64; x += 13) {
            int last = i * (2 * x + 1) / 2;
            EXPECT_RECT(x, 4 * i, 1, 4, RGBA(i, 3 * i, x, last > 255 ? 255 : last), 1);
        }
}

/* Uses varyings of several types together: float, vec2, vec3, vec4 and mat2, which need at most
 * 1, 1, 1, 1 and 2 vectors. */
static void mixed_varyings(void)
{
    gl_program("attribute vec4 position, value; varying float a; varying vec2 b; varying vec3 c; "
               "varying vec4 d; varying mat2 m;"
               "void main() { gl_Position = position; float k = value.x; a = k; b = vec2(k, 2.0 * "
               "k); c = vec3(k, 2.0 * k, 3.0 * k);"
               "d = vec4(4.0, 3.0, 2.0, 1.0) * k; m = mat2(k, 2.0 * k, 3.0 * k, 4.0 * k); }",
               "precision highp float; varying float a; varying vec2 b; varying vec3 c; varying "
               "vec4 d; varying mat2 m;"
               "void main() { gl_FragColor = vec4(a + b.y, c.z + d.x, m[0].y + m[1].x, d.w + "
               "m[1].y) / 255.0; }");
    /* The expected values are 3 k, 7 k, 5 k and 5 k, where k = x / 2 + 1/4 at pixel x of 64. k
     * is from 0 to 32. */
    gl_textured_quad(0, 0, 64, 64, 0, 0, 32, 0);
    for (int x = 0; x < 64; x += 7) {
        double k = x / 2.0 + 0.25;
        EXPECT_RECT(x, 0, 1, 64,
                    RGBA(gl_byte(3 * k / 255), gl_byte(7 * k / 255), gl_byte(5 * k / 255),
                         gl_byte(5 * k / 255)),
                    1);
    }
}

/* Uses all attributes. Each is a vec4 with the attribute's number. Some are arrays, and some are
 * constant. The shader adds them up. */
static void all_attributes(void)
{
    int count = limit(GL_MAX_VERTEX_ATTRIBS, 16);
    CHECK(count >= 8);
    begin(&vertex, "attribute vec4 position; varying vec4 sum;\n");
    for (int i = 1; i < count; i++)
        add(&vertex, "attribute vec4 a%d;\n", i);
    add(&vertex, "void main() { gl_Position = position; sum = vec4(0)");
    for (int i = 1; i < count; i++)
        add(&vertex, " + a%d", i);
    add(&vertex, "; }");
    GLuint program = gl_program(
        vertex.text,
        "precision mediump float; varying vec4 sum; void main() { gl_FragColor = sum; }");
    float arrays[16][4];
    for (int i = 1; i < count; i++) {
        char name[8];
        snprintf(name, sizeof(name), "a%d", i);
        GLint where = glGetAttribLocation(program, name);
        CHECK(where > 0);
        float value = (float)i / 255;
        if (i % 3 == 0) {
            glVertexAttrib4f((GLuint)where, value, 2 * value, 0, value);
            continue;
        }
        for (int k = 0; k < 4; k++)
            arrays[i][k] = value;
        /* The attribute is (value, 0, 0, 1). */
        glVertexAttribPointer((GLuint)where, 1, GL_FLOAT, GL_FALSE, 0, arrays[i]);
        glEnableVertexAttribArray((GLuint)where);
    }
    int red = 0, green = 0;
    for (int i = 1; i < count; i++) {
        red += i;
        green += i % 3 == 0 ? 2 * i : 0;
    }
    gl_quad(0, 0, 64, 64, 0);
    EXPECT_RECT(0, 0, 64, 64, RGBA(red, green, 0, 255), 1);
}

/* One shader uses up to sixteen textures of one colour each: red is i, and green 2^i % 16. */
static void all_textures(void)
{
    int count = limit(GL_MAX_TEXTURE_IMAGE_UNITS, 16);
    CHECK(count >= 8);
    begin(&fragment, "precision mediump float; varying vec2 v;\n");
    for (int i = 0; i < count; i++)
        add(&fragment, "uniform sampler2D t%d;\n", i);
    add(&fragment, "void main() { gl_FragColor = vec4(0)");
    for (int i = 0; i < count; i++)
        add(&fragment, " + texture2D(t%d, v)", i);
    add(&fragment, "; }");
    GLuint program = gl_program(gl_vertex_texture, fragment.text);
    int red = 0, green = 0;
    for (int i = 0; i < count; i++) {
        char name[8];
        uint8_t texels[3][4] = {{(uint8_t)i, (uint8_t)(1 << i % 4), 0, 1},
                                {(uint8_t)i, (uint8_t)(1 << i % 4), 5, 1}};
        snprintf(name, sizeof(name), "t%d", i);
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 2, 1, texels);
        glUniform1i(gl_uniform(program, name), i);
        red += i;
        green += 1 << i % 4;
    }
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    EXPECT_RECT(0, 0, 32, 64, RGBA(red, green, 0, count), 1);
    EXPECT_RECT(32, 0, 32, 64, RGBA(red, green, 5 * count, count), 1);
}

/* One texture is sampled many times at dependent coordinates. Each texel is the coordinate of
 * the next. */
static void dependent_textures(void)
{
    uint8_t texels[16 * 4];
    for (int i = 0; i < 16; i++) {
        texels[4 * i] = (uint8_t)((i * 5 + 3) % 16 * 16 + 8); /* the coordinate of the middle of
                                                                 texel 5 i + 3 */
        texels[4 * i + 1] = (uint8_t)(i * 15);
        texels[4 * i + 2] = 0;
        texels[4 * i + 3] = 255;
    }
    gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 16, 1, texels);
    gl_program(gl_vertex_texture,
               "precision highp float; uniform sampler2D texture; varying vec2 v; void main() { "
               "vec4 c = vec4(v.x);"
               "for (int i = 0; i < 6; i++) c = texture2D(texture, vec2(c.r, 0.5));"
               "gl_FragColor = c; }");
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    for (int x = 0; x < 64; x++) {
        int at = x / 4;
        for (int i = 0; i < 5; i++)
            at = (at * 5 + 3) % 16;
        EXPECT_RECT(x, 0, 1, 64, RGBA((at * 5 + 3) % 16 * 16 + 8, at * 15, 0, 255), 0);
    }
}

/* Samples textures in the vertex shader, if supported. A texel is the height of each vertex. */
static void vertex_textures(void)
{
    if (limit(GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, 1) == 0)
        gl_skip("no textures in vertex shaders");
    static const uint8_t texels[] = {0, 255, 0, 255, 255, 0, 0, 255};
    gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 2, 1, texels);
    gl_program("attribute vec4 position, value; uniform sampler2D texture; varying vec4 v;"
               "void main() { gl_Position = position; v = texture2DLod(texture, value.xy, 0.0); }",
               gl_fragment_value);
    gl_textured_quad(0, 0, 32, 64, 0.25f, 0.5f, 0.25f, 0.5f);
    gl_textured_quad(32, 0, 64, 64, 0.75f, 0.5f, 0.75f, 0.5f);
    EXPECT_RECT(0, 0, 32, 64, GREEN, 0);
    EXPECT_RECT(32, 0, 32, 64, RED, 0);
}

const struct gl_case gl_cases[] = {
    {"all_varyings", all_varyings, ON_FBO},
    {"mixed_varyings", mixed_varyings, ON_FBO},
    {"all_attributes", all_attributes, ON_FBO},
    {"all_textures", all_textures, ON_FBO},
    {"dependent_textures", dependent_textures, ON_FBO},
    {"vertex_textures", vertex_textures, ON_FBO},
    {NULL, NULL, ON_BOTH},
};
