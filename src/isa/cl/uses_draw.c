/* SPDX-License-Identifier: MIT */
/* uses_draw.c - the memory of shaders and of vertices.
 *
 * In:       shader state records and records that draw; shader records, programs and indices from
 *           memory.
 * Out:      ranges of shader records, code, uniforms, attributes, vertices and indices; draws.
 * Source:   manual, section 9, tables 38 and 45 to 47.
 * Left out: uniforms after the first branch of a program; textures, whose parameters a program
 *           reads from its uniforms.
 * Choices:  a program ends at its first program end signal, so that data after the program does not
 *           count as code. */

#include "base/array.h"
#include "base/bits.h"
#include "isa/cl/cl.h"
#include "isa/cl/uses_private.h"

enum {
    WORDS_MAX = 4096, /* most words of a program */
    ATTRIBUTES_MAX = 8,
};

/* Sizes of the parts of a GL shader record, in bytes. */
enum { GL_BYTES = 36, GL_ARRAY_BYTES = 8, GL_EXTENDED = 8, GL_EXTENDED_BYTES = GL_BYTES + 96 };

/* --- programs --- */

enum {
    SIGNAL_END = 3,
    SIGNAL_BRANCH = 15,
    SLOTS = 2,
    READ_UNIFORM = 32,
    SIGNAL_SMALL = 13,
    SIGNAL_IMMEDIATE = 14
};

/* Returns true if an ALU instruction reads a uniform through a port (manual, figure
 * 4 and table 14). */
static bool reads_uniform(uint64_t word, unsigned signal)
{
    if (signal == SIGNAL_IMMEDIATE || signal == SIGNAL_BRANCH)
        return false;
    return (word >> 18 & 63) == READ_UNIFORM ||
           (signal != SIGNAL_SMALL && (word >> 12 & 63) == READ_UNIFORM);
}

/* Returns the number of words up to the program's end. Stores the number of uniforms that are read
 * before the program's first branch in *uniforms. */
static uint32_t measure_program(struct cl_walk *walk, uint32_t code, uint32_t *uniforms)
{
    bool straight = true;
    *uniforms = 0;
    for (uint32_t n = 0; n < WORDS_MAX; n++) {
        const uint8_t *at = cl_walk_spend(walk) ? cl_walk_bytes(walk, code + n * 8, 8) : NULL;
        if (!at)
            return n;
        uint64_t word = load_le64(at);
        unsigned signal = (unsigned)(word >> 60);
        straight &= signal != SIGNAL_BRANCH;
        *uniforms += straight && reads_uniform(word, signal);
        if (signal == SIGNAL_END)
            return n + 1 + SLOTS;
    }
    return WORDS_MAX;
}

static void add_program(struct cl_walk *walk, enum cl_use_shader shader, uint32_t code,
                        uint32_t uniforms, uint8_t threads)
{
    uint32_t count, words = measure_program(walk, code & ~UINT32_C(7), &count);
    cl_walk_add(walk, CL_USE_CODE, code & ~UINT32_C(7), words * 8, (uint8_t)shader, threads);
    cl_walk_add(walk, CL_USE_UNIFORMS, uniforms & ~UINT32_C(3), count * 4, (uint8_t)shader,
                threads);
}

/* --- shader records --- */

static void take_gl_record(struct cl_walk *walk, uint32_t word)
{
    struct cl_walk_shader *shader = &walk->shader;
    shader->extended = word & GL_EXTENDED;
    shader->count = shader->extended || (word & 7) == 0 ? ATTRIBUTES_MAX : word & 7;
    uint32_t size = shader->extended ? GL_EXTENDED_BYTES
                                     : GL_BYTES + shader->count * GL_ARRAY_BYTES;
    const uint8_t *record = cl_walk_bytes(walk, shader->address, size);
    if (!record) {
        shader->address = 0;
        return;
    }
    cl_walk_add(walk, CL_USE_RECORD, shader->address, size, 0, CL_BY_BINNER | CL_BY_RENDERER);
    add_program(walk, CL_SHADER_FRAGMENT, load_le32(record + 4), load_le32(record + 8),
                CL_BY_RENDERER);
    add_program(walk, CL_SHADER_VERTEX, load_le32(record + 16), load_le32(record + 20),
                CL_BY_RENDERER);
    add_program(walk, CL_SHADER_COORDINATE, load_le32(record + 28), load_le32(record + 32),
                CL_BY_BINNER);
}

/* Adds the memory of an NV or VG shader record. Both kinds have the same first 12 bytes. */
static void take_short_record(struct cl_walk *walk, uint32_t size)
{
    const uint8_t *record = cl_walk_bytes(walk, walk->shader.address, size);
    if (!record) {
        walk->shader.address = 0;
        return;
    }
    cl_walk_add(walk, CL_USE_RECORD, walk->shader.address, size, 0, CL_BY_BINNER | CL_BY_RENDERER);
    add_program(walk, CL_SHADER_FRAGMENT, load_le32(record + 4), load_le32(record + 8),
                CL_BY_RENDERER);
}

void cl_walk_shader_state(struct cl_walk *walk, uint8_t code, const uint8_t *data)
{
    enum { NV_BYTES = 16, VG_BYTES = 12 };
    uint32_t word = load_le32(data);
    walk->shader = (struct cl_walk_shader){
        .code = code, .word = word, .address = word & ~UINT32_C(15)};
    switch (code) {
    case CL_GL_SHADER_STATE: take_gl_record(walk, word); break;
    case CL_NV_SHADER_STATE: take_short_record(walk, NV_BYTES); break;
    case CL_VG_SHADER_STATE: take_short_record(walk, VG_BYTES); break;
    default:
        add_program(walk, CL_SHADER_FRAGMENT, CL_GET_ADDRESS(data, VG_INLINE_SHADER_RECORD, CODE),
                    CL_GET(data, VG_INLINE_SHADER_RECORD, UNIFORMS), CL_BY_RENDERER);
    }
}

/* --- vertices --- */

/* Adds vertices first to last of an array. bytes is the size of an element. */
static void add_array(struct cl_walk *walk, enum cl_use_kind kind, uint32_t address,
                      uint32_t stride, uint32_t bytes, uint32_t first, uint32_t last,
                      uint8_t number, uint8_t threads)
{
    uint64_t size = (uint64_t)(last - first) * stride + bytes;
    if (size <= CL_ADDRESS_MASK)
        cl_walk_add(walk, kind, address + first * stride, (uint32_t)size, number, threads);
}

static void add_attributes(struct cl_walk *walk, const uint8_t *record, uint32_t first,
                           uint32_t last)
{
    enum { SELECT_VERTEX = 14, SELECT_COORDINATE = 26, STRIDES = GL_BYTES + 64 };
    for (uint32_t n = 0; n < walk->shader.count; n++) {
        const uint8_t *array = record + GL_BYTES + n * GL_ARRAY_BYTES;
        uint32_t stride = array[5];
        if (walk->shader.extended)
            stride |= load_le32(record + STRIDES + 4 * n) & UINT32_C(0x03ffff00);
        uint8_t threads = (uint8_t)((record[SELECT_VERTEX] >> n & 1 ? CL_BY_RENDERER : 0) |
                                    (record[SELECT_COORDINATE] >> n & 1 ? CL_BY_BINNER : 0));
        if (threads)
            add_array(walk, CL_USE_ATTRIBUTES, load_le32(array), stride, array[4] + 1u, first, last,
                      (uint8_t)n, threads);
    }
}

static void add_vertices(struct cl_walk *walk, uint32_t first, uint32_t last)
{
    enum { NV_BYTES = 16, LEAST_BYTES = 12, GL_MOST = GL_EXTENDED_BYTES };
    const struct cl_walk_shader *shader = &walk->shader;
    bool gl = shader->code == CL_GL_SHADER_STATE;
    uint32_t size = gl ? shader->extended ? GL_MOST : GL_BYTES + shader->count * GL_ARRAY_BYTES
                       : NV_BYTES;
    const uint8_t *record = shader->address ? cl_walk_bytes(walk, shader->address, size) : NULL;
    if (!record || (!gl && shader->code != CL_NV_SHADER_STATE))
        return;
    if (gl)
        add_attributes(walk, record, first, last);
    else
        add_array(walk, CL_USE_VERTICES, load_le32(record + 12), record[1],
                  record[1] ? record[1] : LEAST_BYTES, first, last, 0,
                  CL_BY_BINNER | CL_BY_RENDERER);
}

void cl_walk_draw(struct cl_walk *walk, uint32_t first, uint32_t last)
{
    struct cl_uses *uses = walk->uses;
    if (walk->thread != CL_BY_BINNER)
        return;
    if (ARRAY_GROW(uses->draw, uses->draws))
        uses->draw[uses->draws++] = (struct cl_draw){walk->record, walk->shader.word, first, last};
    else
        uses->incomplete = true;
}

void cl_walk_array(struct cl_walk *walk, const uint8_t *data)
{
    uint32_t length = CL_GET(data, VERTEX_ARRAY_PRIMITIVES, LENGTH);
    uint32_t first = CL_GET(data, VERTEX_ARRAY_PRIMITIVES, FIRST);
    if (length == 0 || length > UINT16_MAX + 1u || first > UINT16_MAX + 1u - length)
        return;
    add_vertices(walk, first, first + length - 1);
    cl_walk_draw(walk, first, first + length - 1);
}

/* Finds the lowest and the highest index of a list. Returns false if the list is not
 * entirely in memory. */
static bool index_range(struct cl_walk *walk, uint32_t address, uint32_t length, uint32_t bytes,
                        uint32_t *low, uint32_t *high)
{
    *low = UINT32_MAX;
    *high = 0;
    for (uint32_t n = 0; n < length;) {
        size_t left = 0;
        const uint8_t *at = walk->memory->at(walk->memory->user, address + n * bytes, &left);
        if (!at || left < bytes || walk->work == 0)
            return false;
        for (; n < length && left >= bytes && cl_walk_spend(walk);
             n++, at += bytes, left -= bytes) {
            uint32_t index = bytes == 1 ? at[0] : load_le16(at);
            *low = index < *low ? index : *low;
            *high = index > *high ? index : *high;
        }
    }
    return length > 0;
}

void cl_walk_indexed(struct cl_walk *walk, const uint8_t *data)
{
    uint32_t length = CL_GET(data, INDEXED_PRIMITIVE_LIST, LENGTH), low, high;
    uint32_t bytes = CL_GET(data, INDEXED_PRIMITIVE_LIST, INDEX_TYPE) ? 2 : 1;
    uint32_t address = CL_GET_ADDRESS(data, INDEXED_PRIMITIVE_LIST, ADDRESS);
    uint32_t most = CL_GET(data, INDEXED_PRIMITIVE_LIST, MAXIMUM_INDEX);
    if (!index_range(walk, address, length, bytes, &low, &high))
        return;
    cl_walk_add(walk, CL_USE_INDICES, address, length * bytes, 0, walk->thread);
    add_vertices(walk, low < most ? low : most, high < most ? high : most);
    cl_walk_draw(walk, low < most ? low : most, high < most ? high : most);
}
