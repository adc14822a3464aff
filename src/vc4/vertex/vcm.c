/* SPDX-License-Identifier: MIT */
/* vcm.c - see vcm.h.
 *
 * Source: manual figure 12 (shaded vertex formats in memory) and table 38 (primitive modes).
 * Modelled: vertex fetch in NV mode. vertex_pipe.c has batches, shading and caching. */
#include "vc4/vertex/vcm.h"

#include <string.h>

enum { CLIP_HEADER_WORDS = 4, FIXED_WORDS = 3 };

bool vcm_fetch_nv(struct vertex *vertex, const struct shader_record *record,
                  const struct cl_state *state, struct bus *bus, uint32_t index, bool with_varyings)
{
    bool has_header = record->flags & SHADER_CLIP_HEADER;
    bool has_size = record->flags & SHADER_POINT_SIZE;
    if (record->varyings > VERTEX_MAX_VARYINGS) {
        fault(bus->log, FAULT_RECORD,
              "the shader record has %u varyings, but the hardware supports at most %u" WITH_HINT
              "set byte 3 of the record to the number of varyings, each of one word",
              record->varyings, VERTEX_MAX_VARYINGS);
        return false;
    }
    uint32_t words = (has_header ? CLIP_HEADER_WORDS : 0u) + FIXED_WORDS + has_size +
                     record->varyings;
    if (words * 4 > record->vertex_stride)
        fault_at(bus->log, FAULT_VERTEX, record->address,
                 "vertices of %u bytes overlap at a stride of %u bytes", words * 4,
                 record->vertex_stride);

    uint32_t address = record->vertex_address + index * record->vertex_stride;
    const uint8_t *at = bus_peek(bus, address, words * 4);
    bus_observe(bus, BUS_VCD, address, words * 4, false);
    if (!at) {
        fault_at(
            bus->log, FAULT_BUS_UNMAPPED, address,
            "vertex fetch (VCD): %u bytes at 0x%08x are outside mapped memory; the vertices of "
            "the shader record at 0x%08x begin at 0x%08x with a stride of %u bytes, and "
            "vertex %u is read",
            words * 4, address, record->address, record->vertex_address, record->vertex_stride,
            index);
        return false;
    }

    memset(vertex->clip, 0, sizeof vertex->clip);
    if (has_header) {
        for (unsigned i = 0; i < CLIP_HEADER_WORDS; i++, at += 4)
            vertex->clip[i] = bits_float(load_le32(at));
    }
    vertex->x = (int16_t)load_le16(at);
    vertex->y = (int16_t)load_le16(at + 2);
    vertex->z = bits_float(load_le32(at + 4));
    vertex->inv_w = bits_float(load_le32(at + 8));
    at += FIXED_WORDS * 4;
    vertex->point_size = state->point_size;
    if (has_size) {
        vertex->point_size = bits_float(load_le32(at));
        at += 4;
    }
    for (unsigned i = 0; with_varyings && i < record->varyings; i++)
        vertex->varying[i] = bits_float(load_le32(at + i * 4));
    return true;
}

enum primitive_type vcm_mode_type(enum primitive_mode mode)
{
    switch (mode) {
    case MODE_POINTS: return PRIMITIVE_POINT;
    case MODE_LINES:
    case MODE_LINE_LOOP:
    case MODE_LINE_STRIP: return PRIMITIVE_LINE;
    default: return PRIMITIVE_TRIANGLE;
    }
}

uint32_t vcm_primitive_count(enum primitive_mode mode, uint32_t count)
{
    switch (mode) {
    case MODE_POINTS: return count;
    case MODE_LINES: return count / 2;
    /* The silicon draws nothing for a loop of two vertices. Mesa's vc4_draw.c therefore converts
     * such a loop to a line. */
    case MODE_LINE_LOOP: return count > 2 ? count : 0;
    case MODE_LINE_STRIP: return count > 1 ? count - 1 : 0;
    case MODE_TRIANGLES: return count / 3;
    case MODE_TRIANGLE_STRIP:
    case MODE_TRIANGLE_FAN: return count > 2 ? count - 2 : 0;
    default: return 0;
    }
}

unsigned vcm_primitive_vertices(enum primitive_mode mode, uint32_t count, uint32_t n,
                                uint32_t position[3])
{
    switch (mode) {
    case MODE_POINTS: position[0] = n; return 1;
    case MODE_LINES:
        position[0] = 2 * n;
        position[1] = 2 * n + 1;
        return 2;
    case MODE_LINE_LOOP:
    case MODE_LINE_STRIP:
        position[0] = n;
        position[1] = n + 1 == count ? 0 : n + 1;
        return 2;
    case MODE_TRIANGLES:
        for (unsigned k = 0; k < 3; k++)
            position[k] = 3 * n + k;
        return 3;
    case MODE_TRIANGLE_STRIP:
        position[0] = n + (n & 1);
        position[1] = n + !(n & 1);
        position[2] = n + 2;
        return 3;
    default:
        position[0] = 0;
        position[1] = n + 1;
        position[2] = n + 2;
        return 3;
    }
}
