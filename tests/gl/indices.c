/* SPDX-License-Identifier: MIT */
/* indices.c - tests elements of bytes, shorts and ints, from client memory and from buffers, with
 * offsets, and with large indices.
 *
 * Expected: OpenGL ES 2.0.25, sections 2.8 and 2.9.2; OES_element_index_uint. */
#include "gl_test.h"

#include <stdlib.h>

/* A grid of 17 x 17 corners. A cell has 4 x 4 pixels and is two triangles. */
enum { CELLS = 16, CORNERS = CELLS + 1, ALL = CORNERS * CORNERS };

static float positions[2 * 70000];

/* Sets the grid's positions in the vertices from `first` on. */
static void set_grid(int first)
{
    for (int i = 0; i < ALL; i++) {
        positions[2 * (first + i)] = gl_ndc((float)(i % CORNERS * 4));
        positions[2 * (first + i) + 1] = gl_ndc((float)(i / CORNERS * 4));
    }
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, positions);
    glEnableVertexAttribArray(POSITION);
    gl_use_color(0, 1, 0, 1);
}

static int cell_corner(int cell, int i)
{
    static const int order[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
    return (cell / CELLS + order[i][1]) * CORNERS + cell % CELLS + order[i][0];
}

/* Returns the expected colour: every second cell is drawn, as on a chequerboard. */
static struct rgba chequered_picture(int x, int y)
{
    return (x / 4 + y / 4) % 2 ? GREEN : BLACK;
}

static bool is_wanted(int cell)
{
    return (cell % CELLS + cell / CELLS) % 2;
}

/* Fills an array with elements of `size` bytes. Returns their number. */
static int make_elements(void *elements, int size, int first)
{
    int count = 0;
    for (int cell = 0; cell < CELLS * CELLS; cell++)
        for (int i = 0; i < 6 && is_wanted(cell); i++, count++) {
            int element = first + cell_corner(cell, i);
            if (size == 2)
                ((uint16_t *)elements)[count] = (uint16_t)element;
            else
                ((uint32_t *)elements)[count] = (uint32_t)element;
        }
    return count;
}

static uint16_t shorts[CELLS * CELLS * 6 + 8];
static uint32_t ints[CELLS * CELLS * 6 + 8];

static void client_shorts(void)
{
    set_grid(0);
    glDrawElements(GL_TRIANGLES, make_elements(shorts, 2, 0), GL_UNSIGNED_SHORT, shorts);
    EXPECT_PICTURE(chequered_picture, 0);
}

static GLuint make_buffer(GLenum target, const void *data, size_t size)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, (GLsizeiptr)size, data, GL_STATIC_DRAW);
    return buffer;
}

/* Elements are in a buffer, and drawn in parts from the third element on. */
static void buffered_shorts(void)
{
    set_grid(0);
    int count = make_elements(shorts + 3, 2, 0);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, shorts, sizeof(shorts));
    for (int part = 0; part < count; part += 96)
        glDrawElements(GL_TRIANGLES, count - part < 96 ? count - part : 96, GL_UNSIGNED_SHORT,
                       (const void *)(intptr_t)(2 * (3 + part)));
    EXPECT_PICTURE(chequered_picture, 0);
}

/* Bytes can refer to 256 corners, which are the lower 14 rows of cells. The second draw reads
 * the bytes from a buffer at an odd offset. */
static struct rgba lower_picture(int x, int y)
{
    return y < 56 ? chequered_picture(x, y) : BLACK;
}

static int make_bytes(uint8_t *bytes)
{
    int count = 0;
    for (int cell = 0; cell < 14 * CELLS; cell++)
        for (int i = 0; i < 6 && is_wanted(cell); i++)
            bytes[count++] = (uint8_t)cell_corner(cell, i);
    return count;
}

static void bytes(void)
{
    static uint8_t elements[CELLS * CELLS * 6 + 8];
    set_grid(0);
    int count = make_bytes(elements);
    glDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_BYTE, elements);
    EXPECT_PICTURE(lower_picture, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    make_bytes(elements + 5);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, elements, sizeof(elements));
    glDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_BYTE, (const void *)5);
    EXPECT_PICTURE(lower_picture, 0);
}

static void unsigned_ints(void)
{
    gl_need("GL_OES_element_index_uint");
    set_grid(0);
    glDrawElements(GL_TRIANGLES, make_elements(ints, 4, 0), GL_UNSIGNED_INT, ints);
    EXPECT_PICTURE(chequered_picture, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    int count = make_elements(ints + 2, 4, 0);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, ints, sizeof(ints));
    glDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT, (const void *)8);
    EXPECT_PICTURE(chequered_picture, 0);
}

/* Uses the largest values of shorts, up to 65535. */
static void large_shorts(void)
{
    set_grid(65536 - ALL);
    glDrawElements(GL_TRIANGLES, make_elements(shorts, 2, 65536 - ALL), GL_UNSIGNED_SHORT, shorts);
    EXPECT_PICTURE(chequered_picture, 0);
}

/* Vertices are in a buffer, from vertex 40000 on. */
static void vertex_offset(void)
{
    set_grid(40000);
    make_buffer(GL_ARRAY_BUFFER, positions, sizeof(positions));
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0,
                          (const void *)(40000 * sizeof(float[2])));
    glDrawElements(GL_TRIANGLES, make_elements(shorts, 2, 0), GL_UNSIGNED_SHORT, shorts);
    EXPECT_PICTURE(chequered_picture, 0);
}

/* glDrawArrays starts at vertex 65000, and continues beyond the limit of 16 bits. */
static void far_arrays(void)
{
    enum { FIRST = 65000, COUNT = 3000 };
    for (int i = 0; i < COUNT; i += 6)
        for (int k = 0; k < 6; k++) {
            int cell = i / 6 % (CELLS * CELLS), corner = cell_corner(cell, k);
            positions[2 * (FIRST + i + k)] = gl_ndc((float)(corner % CORNERS * 4));
            positions[2 * (FIRST + i + k) + 1] = gl_ndc((float)(corner / CORNERS * 4));
        }
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, positions);
    glEnableVertexAttribArray(POSITION);
    gl_use_color(0, 1, 0, 1);
    glDrawArrays(GL_TRIANGLES, FIRST, COUNT);
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
}

/* Draws strips and fans of elements. Repeated elements form triangles without area. */
static void strip_with_repeats(void)
{
    static const uint16_t order[] = {0, 1, 17, 18, 18, 4, 4, 5, 21, 22};
    set_grid(0);
    glDrawElements(GL_TRIANGLE_STRIP, 10, GL_UNSIGNED_SHORT, order);
    EXPECT_RECT(0, 0, 4, 4, GREEN, 0);
    EXPECT_RECT(16, 0, 4, 4, GREEN, 0);
    CHECK(gl_count(GL_SIDE, GL_SIDE, GREEN) == 32);
}

/* The contents of an element buffer change between two draws. */
static void changed_between(void)
{
    static const uint16_t one[] = {0, 1, 17, 17, 1, 18}, other[] = {2, 3, 19, 19, 3, 20};
    set_grid(0);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, one, sizeof(one));
    glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, NULL);
    glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, sizeof(other), other);
    glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, NULL);
    EXPECT_RECT(0, 0, 4, 4, GREEN, 0);
    EXPECT_RECT(4, 0, 4, 4, BLACK, 0);
    EXPECT_RECT(8, 0, 4, 4, GREEN, 0);
    CHECK(gl_count(GL_SIDE, GL_SIDE, GREEN) == 32);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"client_shorts",      client_shorts,      ON_BOTH},
    {"buffered_shorts",    buffered_shorts,    ON_FBO},
    {"bytes",              bytes,              ON_FBO},
    {"unsigned_ints",      unsigned_ints,      ON_FBO},
    {"large_shorts",       large_shorts,       ON_FBO},
    {"vertex_offset",      vertex_offset,      ON_FBO},
    {"far_arrays",         far_arrays,         ON_FBO},
    {"strip_with_repeats", strip_with_repeats, ON_FBO},
    {"changed_between",    changed_between,    ON_FBO},
    {NULL,                 NULL,               ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
