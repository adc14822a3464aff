/* SPDX-License-Identifier: MIT */
/* vertex_fetch.c - vertex fetches: see fetch.h.
 *
 * Source:  docs/hardware/a2xx.md, sections 14, 16, 17 and 26; xenia,
 *          src/xenia/gpu/shader_interpreter.cc.
 * Choice:  docs/a2xx/texture.md, "Vertex fetches". */
#include <math.h>
#include <string.h>

#include "a2xx/fetch/constant.h"
#include "a2xx/fetch/format.h"
#include "base/bits.h"
#include "isa/a2xx/facts.h"

/* Position of a buffer's elements in memory. */
struct elements {
    const struct a2xx_memory *memory;
    uint64_t base, size; /* address and size of the buffer, in bytes */
    int64_t stride, offset;
    unsigned bytes; /* bytes per element */
    uint32_t endian;
    bool round;
    /* start of the buffer in the user's memory, and number of bytes from there to the end of the
     * range */
    const uint8_t *host;
    size_t host_size;
};

/* Rounds an index to an integer. Indices outside of 32 bits are limited to 32 bits, and are then
 * outside of every buffer. */
static int64_t whole_index(const struct elements *elements, float index)
{
    float whole = floorf(elements->round ? index + 0.5F : index);
    if (!(whole > -0x1p31f))
        return isnan(whole) ? 0 : INT32_MIN;
    return whole < 0x1p31f ? (int64_t)whole : INT32_MAX;
}

/* Loads an element that extends past the end of the buffer or of mapped memory. Missing bytes are
 * 0. */
static void load_slowly(const struct elements *elements, int64_t at, unsigned lane,
                        uint8_t bytes[16], struct a2xx_fetch_report *report)
{
    int64_t size = (int64_t)elements->size;
    unsigned wanted = elements->endian ? (elements->bytes + 3) & ~3U : elements->bytes;
    int64_t from = at < 0 ? -at : 0, to = size - at < wanted ? size - at : wanted;
    memset(bytes, 0, 16);
    if ((at < 0 || at + elements->bytes > size) && !report->lanes[A2XX_FETCH_BEYOND])
        report->at = at;
    if (at < 0 || at + elements->bytes > size)
        report->lanes[A2XX_FETCH_BEYOND] |= UINT64_C(1) << lane;
    if (from >= to)
        return;
    uint32_t address = (uint32_t)(elements->base + (uint64_t)(at + from));
    if (a2xx_memory_load(elements->memory, address, bytes + from, (size_t)(to - from)))
        return;
    if (!report->lanes[A2XX_FETCH_UNMAPPED])
        report->address = address;
    report->lanes[A2XX_FETCH_UNMAPPED] |= UINT64_C(1) << lane;
}

static void load_elements(const struct elements *elements, const float index[A2XX_LANES],
                          uint64_t active, uint32_t words[4][A2XX_LANES],
                          struct a2xx_fetch_report *report)
{
    size_t within = elements->host_size < elements->size ? elements->host_size : elements->size;
    for (uint64_t left = active; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint8_t copy[16];
        const uint8_t *bytes = copy;
        if (!isfinite(index[lane]))
            report->lanes[A2XX_FETCH_INDEX] |= UINT64_C(1) << lane;
        int64_t at = elements->offset + elements->stride * whole_index(elements, index[lane]);
        if (at >= 0 && (uint64_t)at + sizeof copy <= within)
            bytes = elements->host + at;
        else
            load_slowly(elements, at, lane, copy, report);
        for (unsigned i = 0; i < 4; i++)
            words[i][lane] = load_le32(bytes + 4 * i);
    }
    if (elements->endian)
        for (unsigned i = 0; i < 4; i++)
            a2xx_swap(words[i], elements->endian);
}

static void store(uint64_t active, const float value[A2XX_LANES], float factor,
                  float data[A2XX_LANES])
{
    if (active == UINT64_MAX) {
        for (unsigned lane = 0; lane < A2XX_LANES; lane++)
            data[lane] = value[lane] * factor;
        return;
    }
    for (unsigned lane = 0; lane < A2XX_LANES; lane++)
        data[lane] = active >> lane & 1 ? value[lane] * factor : data[lane];
}

static void store_zeros(uint64_t active, float data[4][A2XX_LANES])
{
    static const float zeros[A2XX_LANES];
    for (unsigned i = 0; i < 4; i++)
        store(active, zeros, 1, data[i]);
}

/* Records errors of the instruction and its constant. Returns false if an error makes the result
 * 0. */
static bool check(const struct a2xx_format *format, const uint32_t *words,
                  const struct elements *elements, uint64_t active,
                  struct a2xx_fetch_report *report)
{
    bool unset = !words[0] && !words[1];
    bool unknown = !format->name || format->kind == A2XX_FORMAT_NONE;
    bool plain = a2xx_format_is_plain(format);
    const bool faults[A2XX_FETCH_FAULTS] = {
        [A2XX_FETCH_UNSET] = unset,
        [A2XX_FETCH_FORMAT] = unknown,
        [A2XX_FETCH_KIND] = !unknown && !plain,
        [A2XX_FETCH_TYPE] = !unset && (words[0] & 3) != A2XX_TYPE_VERTEX,
        [A2XX_FETCH_ALIGN] = (elements->stride | elements->offset) & 3,
        [A2XX_FETCH_OFFSET] = plain && a2xx_passes_stride(&report->element),
    };
    for (unsigned i = 0; i < A2XX_FETCH_FAULTS; i++)
        if (faults[i])
            report->lanes[i] |= active;
    return plain && !unset;
}

void a2xx_vertex_fetch(const struct a2xx_fetch_unit *unit, const struct a2xx_vertex *insn,
                       const struct a2xx_vertex *full, const float index[A2XX_LANES],
                       uint64_t active, float data[4][A2XX_LANES], struct a2xx_fetch_report *report)
{
    if (unit->variant != TESS_A2XX_XENOS || !insn->mini_fetch || !full)
        full = insn;
    unsigned number = (full->const_index * 3 + full->const_sel) % A2XX_VERTEX_CONSTANTS;
    const uint32_t *constant_words = unit->constants + (size_t)number * A2XX_VERTEX_WORDS;
    struct a2xx_vertex_constant constant = a2xx_decode_vertex(constant_words);
    const struct a2xx_format *format = &a2xx_formats[unit->variant][insn->format];
    struct elements elements = {
        .memory = unit->memory,
        .base = (uint64_t)constant.address * 4,
        .size = (uint64_t)constant.size * 4,
        .bytes = format->bytes,
        .endian = constant.endian,
        .round = full->index_round,
    };
    report->element = a2xx_element(insn, full, unit->variant);
    report->constant = number;
    report->size = elements.size;
    elements.stride = report->element.stride;
    elements.offset = report->element.offset;
    if (!check(format, constant_words, &elements, active, report)) {
        store_zeros(active, data);
        return;
    }
    elements.host = a2xx_memory_at(unit->memory, constant.address * 4, &elements.host_size);
    uint32_t words[4][A2XX_LANES] = {0};
    load_elements(&elements, index, active, words, report);
    struct a2xx_numbers numbers = {
        .sign = insn->format_comp_all ? A2XX_SIGNED : A2XX_UNSIGNED,
        .whole = insn->num_format_all,
        .no_zero = insn->signed_rf_mode_all,
    };
    float factor = ldexpf(1, a2xx_signed(insn->exp_adjust_all, 6));
    for (unsigned i = 0; i < 4; i++) {
        float value[A2XX_LANES];
        struct a2xx_component component = a2xx_format_component(format, i, unit->variant, numbers);
        a2xx_unpack(&component, (const uint32_t(*)[A2XX_LANES])words, value);
        store(active, value, factor, data[i]);
    }
}
