/* SPDX-License-Identifier: MIT */
/* primlist.c - encodes and decodes compressed primitive lists.
 *
 * In:      bytes of a list, or vertices.
 * Out:     vertices, or bytes: the shortest coding that the tables allow.
 * Source:  manual, tables 39 to 43. Bits are counted from bit 0 of an item's first byte.
 * Choices: a first byte from 128 to 130 is a special code, not an item of coding 0. In coding 0, it
 *          would be the difference -32 (for coordinates -64 or -63, because bit 8 is the lowest bit
 *          of the field "7:2, 8"). Coding 2 of points, "not implemented" in silicon, is rejected.
 *          Sums wrap to the width of an index or coordinate. The writer never relies on the
 *          wrap. */
#include "isa/cl/primlist.h"

#include <string.h>

#include "isa/cl/cl.h"

/* Layouts of the items. Lines and RHTs of indices have the same layout. */
enum layout { TRIANGLE_INDEX, PAIR_INDEX, POINT_INDEX, TRIANGLE_XY, PAIR_XY, LAYOUTS };

enum { CODINGS = 4, ABSOLUTE = 3, MAX_DELTAS = 4 };

/* A stored difference for one axis of a vertex. Axis 0 is an index or x, axis 1 is y. The
 * difference is relative to the vertex with the same number in the previous primitive, or to the
 * absolute vertex if the coding has one. A split field consists of bits 7:2 and, as its lowest bit,
 * bit 8. */
struct delta {
    uint8_t vertex, axis, bit, width;
    bool split;
};

struct coding {
    uint8_t bytes;    /* number of bytes before the absolute vertices */
    uint8_t code;     /* fixed low bits of the first byte */
    uint8_t absolute; /* number of vertices stored in full, from the first vertex on */
    uint8_t sharing;  /* number of values of the selector, which names the vertices shared with the
                       * previous primitive; 0 if there is no selector */
    uint8_t selector; /* bit position of the selector */
    uint8_t delta_count;
    struct delta delta[MAX_DELTAS];
};

/* clang-format off */
static const struct coding codings[LAYOUTS][CODINGS] = {
    [TRIANGLE_INDEX] = { /* table 39 */
        {1, 0,   0, 3, 0, 1, {{2, 0, 2, 6, false}}},
        {2, 3,   0, 0, 0, 3, {{0, 0, 4, 4, false}, {1, 0, 8, 4, false}, {2, 0, 12, 4, false}}},
        {2, 15,  1, 0, 0, 2, {{1, 0, 4, 6, false}, {2, 0, 10, 6, false}}},
        {1, 129, 3, 0, 0, 0, {{0}}},
    },
    [PAIR_INDEX] = { /* table 40 */
        {1, 0,   0, 2, 0, 1, {{1, 0, 2, 6, false}}},
        {2, 3,   0, 0, 0, 2, {{0, 0, 4, 4, false}, {1, 0, 8, 4, false}}},
        {1, 2,   1, 0, 0, 1, {{1, 0, 2, 6, false}}},
        {1, 129, 2, 0, 0, 0, {{0}}},
    },
    [POINT_INDEX] = { /* table 41; there is no coding 2 */
        {1, 0,   0, 0, 0, 1, {{0, 0, 2, 6, false}}},
        {2, 3,   0, 0, 0, 1, {{0, 0, 2, 14, false}}},
        {0},
        {1, 129, 1, 0, 0, 0, {{0}}},
    },
    [TRIANGLE_XY] = { /* table 42 */
        {2, 0,   0, 3, 0, 2, {{2, 0, 2, 7, true}, {2, 1, 9, 7, false}}},
        {3, 3,   0, 3, 2, 2, {{2, 0, 4, 10, false}, {2, 1, 14, 10, false}}},
        {4, 15,  1, 0, 0, 4, {{1, 0, 4, 7, false}, {1, 1, 11, 7, false},
                              {2, 0, 18, 7, false}, {2, 1, 25, 7, false}}},
        {1, 129, 3, 0, 0, 0, {{0}}},
    },
    [PAIR_XY] = { /* table 43 */
        {2, 0,   0, 2, 0, 2, {{1, 0, 2, 7, true}, {1, 1, 9, 7, false}}},
        {3, 3,   0, 2, 2, 2, {{1, 0, 4, 10, false}, {1, 1, 14, 10, false}}},
        {2, 2,   1, 0, 0, 2, {{1, 0, 2, 7, true}, {1, 1, 9, 7, false}}},
        {1, 129, 2, 0, 0, 0, {{0}}},
    },
};

/* For each selector, the vertices of the previous primitive that become the first
 * vertices of the new one. */
static const uint8_t shared_triangle[3][2] = {{2, 1}, {0, 2}, {1, 0}};
static const uint8_t shared_pair[3][1] = {{1}, {0}, {1}};
/* clang-format on */

enum { TYPE_POINTS, TYPE_LINES, TYPE_TRIANGLES, TYPE_RHTS };

unsigned primlist_vertices(const struct primlist_format *format)
{
    if (format->type == TYPE_TRIANGLES)
        return 3;
    return format->type == TYPE_POINTS ? 1 : 2;
}

static bool is_xy(const struct primlist_format *format)
{
    return format->index_bytes == 4;
}

/* Returns the layout of a format, or LAYOUTS if the hardware does not have the format. */
static enum layout layout_of(const struct primlist_format *format)
{
    if (format->type > TYPE_RHTS || format->index_bytes < 2 || format->index_bytes > 4)
        return LAYOUTS;
    switch (format->type) {
    case TYPE_TRIANGLES: return is_xy(format) ? TRIANGLE_XY : TRIANGLE_INDEX;
    case TYPE_RHTS: return is_xy(format) ? PAIR_XY : PAIR_INDEX;
    case TYPE_LINES: return is_xy(format) ? LAYOUTS : PAIR_INDEX;
    default: return is_xy(format) ? LAYOUTS : POINT_INDEX;
    }
}

static uint32_t axis_get(const struct primlist_format *format, uint32_t vertex, unsigned axis)
{
    return is_xy(format) ? vertex >> (16 * axis) & 0xffff : vertex;
}

static uint32_t axis_set(const struct primlist_format *format, uint32_t vertex, unsigned axis,
                         uint32_t value)
{
    if (!is_xy(format))
        return (uint32_t)bits_get(value, 8u * format->index_bytes - 1, 0);
    return (uint32_t)bits_set(vertex, 16 * axis + 15, 16 * axis, value);
}

static void share(unsigned vertices, const uint32_t previous[3], uint32_t selector,
                  uint32_t vertex[3])
{
    for (unsigned i = 0; i + 1 < vertices; i++)
        vertex[i] =
            previous[vertices == 3 ? shared_triangle[selector][i] : shared_pair[selector][i]];
}

/* Returns the value to which a difference is relative. */
static uint32_t delta_base(const struct primlist_format *format, const struct coding *coding,
                           const struct delta *delta, const uint32_t vertex[3],
                           const uint32_t previous[3])
{
    return axis_get(format, coding->absolute != 0 ? vertex[0] : previous[delta->vertex],
                    delta->axis);
}

/* Returns the coding that a first byte selects, or CODINGS if the byte is reserved. */
static unsigned coding_of(enum layout layout, uint8_t byte)
{
    unsigned low = byte & 3, next = byte >> 2 & 3;
    bool triangle = layout == TRIANGLE_INDEX || layout == TRIANGLE_XY;
    if (byte == PRIMLIST_ABSOLUTE)
        return ABSOLUTE;
    if (low < 2 || (low == 2 && triangle))
        return 0;
    if (layout == POINT_INDEX)
        return low == 3 ? 1 : CODINGS;
    if (low == 2)
        return 2;
    if (next < 3)
        return 1;
    return triangle ? 2 : CODINGS;
}

static uint32_t load_vertex(const struct primlist_format *format, const uint8_t *bytes)
{
    return cl_bits(bytes, 0, 8u * format->index_bytes);
}

static int32_t load_delta(const struct delta *delta, const uint8_t *bytes)
{
    uint32_t raw = cl_bits(bytes, delta->bit, delta->width);
    if (delta->split)
        raw = (raw & 0x3f) << 1 | raw >> 6;
    return bits_signed(raw, delta->width);
}

static void read_vertices(const struct primlist_format *format, const struct coding *coding,
                          const uint8_t *bytes, const uint32_t previous[3], uint32_t vertex[3])
{
    for (unsigned i = 0; i < coding->absolute; i++)
        vertex[i] = load_vertex(format, bytes + coding->bytes + i * format->index_bytes);
    if (coding->sharing != 0)
        share(primlist_vertices(format), previous, cl_bits(bytes, coding->selector, 2), vertex);
    for (unsigned i = 0; i < coding->delta_count; i++) {
        const struct delta *delta = &coding->delta[i];
        uint32_t base = delta_base(format, coding, delta, vertex, previous);
        uint32_t value = base + (uint32_t)load_delta(delta, bytes);
        vertex[delta->vertex] = axis_set(format, vertex[delta->vertex], delta->axis, value);
    }
}

static enum primlist_item read_branch(const uint8_t *bytes, size_t size, size_t *used,
                                      int32_t *jump)
{
    if (size < 3)
        return PRIMLIST_BAD;
    *used = 3;
    *jump = (int16_t)load_le16(bytes + 1) * PRIMLIST_BRANCH_UNIT;
    return PRIMLIST_JUMP;
}

enum primlist_item primlist_read(const struct primlist_format *format, const uint8_t *bytes,
                                 size_t size, struct primlist_primitive *previous, size_t *used,
                                 unsigned *coding, int32_t *jump)
{
    enum layout layout = layout_of(format);
    *used = 0;
    if (layout == LAYOUTS || size == 0)
        return PRIMLIST_BAD;
    if (bytes[0] == PRIMLIST_ESCAPE) {
        *used = 1;
        return PRIMLIST_END;
    }
    if (bytes[0] == PRIMLIST_BRANCH)
        return read_branch(bytes, size, used, jump);

    unsigned number = coding_of(layout, bytes[0]);
    if (number == CODINGS)
        return PRIMLIST_BAD;
    const struct coding *chosen = &codings[layout][number];
    size_t length = (size_t)chosen->bytes + (size_t)chosen->absolute * format->index_bytes;
    if (size < length || (chosen->absolute == 0 && !previous->valid))
        return PRIMLIST_BAD;

    uint32_t vertex[3] = {0};
    read_vertices(format, chosen, bytes, previous->vertex, vertex);
    memcpy(previous->vertex, vertex, sizeof vertex);
    previous->valid = true;
    *used = length;
    *coding = number;
    return PRIMLIST_PRIMITIVE;
}

/* Finds the selector that yields the new primitive's first vertices. Returns false if no selector
 * does. */
static bool find_selector(unsigned vertices, const struct coding *coding,
                          const uint32_t previous[3], const uint32_t vertex[3], uint32_t *selector)
{
    for (uint32_t s = 0; s < coding->sharing; s++) {
        uint32_t first[3];
        share(vertices, previous, s, first);
        if (memcmp(first, vertex, (vertices - 1) * sizeof *first) == 0) {
            *selector = s;
            return true;
        }
    }
    return false;
}

/* Computes the difference between one axis of the new vertex and its base value. Coordinates are
 * signed, indices are unsigned. Returns false if the delta's field is too narrow. */
static bool find_delta(const struct primlist_format *format, const struct coding *coding,
                       const struct delta *delta, const uint32_t vertex[3],
                       const uint32_t previous[3], int32_t *difference)
{
    uint32_t from = delta_base(format, coding, delta, vertex, previous);
    uint32_t to = axis_get(format, vertex[delta->vertex], delta->axis);
    int32_t limit = INT32_C(1) << (delta->width - 1);
    *difference = is_xy(format) ? (int16_t)to - (int16_t)from : (int32_t)to - (int32_t)from;
    return *difference >= -limit && *difference < limit;
}

static bool write_deltas(const struct primlist_format *format, const struct coding *coding,
                         const uint32_t vertex[3], const uint32_t previous[3], uint8_t *out)
{
    for (unsigned i = 0; i < coding->delta_count; i++) {
        const struct delta *delta = &coding->delta[i];
        int32_t difference;
        if (!find_delta(format, coding, delta, vertex, previous, &difference))
            return false;
        uint32_t raw = (uint32_t)bits_get((uint32_t)difference, delta->width - 1u, 0);
        if (delta->split)
            raw = raw >> 1 | (raw & 1) << 6;
        cl_put_bits(out, delta->bit, delta->width, raw);
    }
    return true;
}

/* Writes a primitive in one coding. Returns the length in bytes, or 0 if the coding cannot express
 * the primitive. */
static size_t write_coding(const struct primlist_format *format, const struct coding *coding,
                           const uint32_t vertex[3], const struct primlist_primitive *previous,
                           uint8_t *out)
{
    uint32_t selector = 0;
    if (coding->bytes == 0 || (coding->absolute == 0 && !previous->valid))
        return 0;
    if (coding->sharing != 0 &&
        !find_selector(primlist_vertices(format), coding, previous->vertex, vertex, &selector))
        return 0;

    memset(out, 0, PRIMLIST_MAX_ITEM);
    out[0] = (uint8_t)(coding->code | selector << coding->selector);
    if (!write_deltas(format, coding, vertex, previous->vertex, out))
        return 0;
    if (coding->code != PRIMLIST_ABSOLUTE && out[0] >= PRIMLIST_ESCAPE && out[0] <= PRIMLIST_BRANCH)
        return 0;
    for (uint32_t i = 0; i < coding->absolute; i++)
        cl_put_bits(out, 8u * (coding->bytes + i * format->index_bytes), 8u * format->index_bytes,
                    vertex[i]);
    return (size_t)coding->bytes + (size_t)coding->absolute * format->index_bytes;
}

size_t primlist_write(const struct primlist_format *format, const uint32_t vertex[3],
                      struct primlist_primitive *previous, uint8_t out[PRIMLIST_MAX_ITEM])
{
    enum layout layout = layout_of(format);
    if (layout == LAYOUTS)
        return 0;

    struct primlist_primitive next = {.valid = true};
    for (unsigned i = 0; i < primlist_vertices(format); i++)
        next.vertex[i] = (uint32_t)bits_get(vertex[i], 8u * format->index_bytes - 1, 0);

    size_t length = 0; /* codings are ordered by length; the last one can express every primitive */
    for (unsigned i = 0; length == 0 && i < CODINGS; i++)
        length = write_coding(format, &codings[layout][i], next.vertex, previous, out);
    *previous = next;
    return length;
}
