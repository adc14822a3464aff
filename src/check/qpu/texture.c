/* SPDX-License-Identifier: MIT */
/* texture.c - checks values in the scene's uniforms: texture parameters and stencil setups
 * that trigger errata.
 *
 * In:       an instruction with the state before it; the program's uniform stream, if the
 *           scene contains it.
 * Out:      findings; the number of uniforms read.
 * Left out: streams that the program leaves by writing the uniform address, or reads differently on
 *           different paths.
 * Source:   qpu_rules.def; manual, tables 15 to 17 and 27. */
#include <string.h>

#include "base/bits.h"
#include "check/qpu/qpu_walk.h"
#include "isa/cl/cl.h"
#include "isa/qpu/words.h"

enum {
    S16F = 9, /* texture types, manual table 18 */
    RGBA64 = 15,
    RASTER_TYPES = 16, /* type 16 (RGBA32R) and type 17 (YUYV422R) */
    CHILD_SIZE = 2,    /* PTYPE, manual table 17 */
    MIN_NEAREST = 1,   /* filters, manual table 16 */
    MIN_NEAREST_MIP_NEAREST = 2,
};

/* --- the stream --- */

unsigned walk_uniform(const struct walk *walk)
{
    struct range read = walk->state.uniforms;
    return read.low == read.high ? read.low : UNLIMITED;
}

/* Stores the uniform at an index of the stream in *value. Returns false if the uniform is
 * unknown. */
static bool uniform(const struct walk *walk, unsigned at, uint32_t *value)
{
    const struct check_entry *entry = &walk->checker->entry;
    if (!entry->uniforms || at >= entry->uniform_words || at >= UNLIMITED)
        return false;
    *value = load_le32(entry->uniforms + 4 * (size_t)at);
    return true;
}

/* Counts the uniforms that the instruction reads through a port. walk_tmu() counts the uniforms
 * that TMU writes fetch. */
void walk_uniforms(struct walk *walk)
{
    struct state *state = &walk->state;
    if (walk->facts->accesses & ACCESS_UNIFORM)
        state->uniforms = range_add(state->uniforms, 1, 1);
    if (walk->facts->accesses & ACCESS_UNIFORM_ADDRESS)
        state->uniforms = (struct range){0, UNLIMITED};
}

/* --- textures --- */

/* Returns the value of a field of a texture parameter. records.def describes the fields. */
static uint32_t field(enum cl_part_id part, const char *identifier, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < cl_parts[part].field_count; i++)
        if (strcmp(cl_parts[part].fields[i].identifier, identifier) == 0)
            return cl_field_value(&cl_parts[part].fields[i], bytes);
    return 0;
}

static void check_raster(struct walk *walk, const uint8_t *bytes)
{
    uint32_t width = field(CL_PART_TEXTURE, "width", bytes);
    if (field(CL_PART_TEXTURE, "type", bytes) >= RASTER_TYPES && (width & (width - 1)))
        REPORT(walk, CHECK_TEXTURE_RASTER, FLOW_NONE, 0,
               "the raster texture is %u texels wide, which is not a power of two", width);
}

static void check_half(struct walk *walk, const uint8_t *bytes)
{
    uint32_t type = field(CL_PART_TEXTURE, "type", bytes),
             filter = field(CL_PART_TEXTURE, "min_filter", bytes);
    bool nearest = field(CL_PART_TEXTURE, "mag_filter", bytes) &&
                   (filter == MIN_NEAREST || filter == MIN_NEAREST_MIP_NEAREST);
    if ((type == S16F || type == RGBA64) && !nearest)
        walk_title(walk, CHECK_TEXTURE_HALF, FLOW_NONE);
}

static void check_child(struct walk *walk, uint32_t word)
{
    uint8_t bytes[4];
    store_le32(bytes, word);
    if (field(CL_PART_TEXTURE_CHILD_SIZE, "ptype", bytes) == CHILD_SIZE &&
        (field(CL_PART_TEXTURE_CHILD_SIZE, "width", bytes) == 0 ||
         field(CL_PART_TEXTURE_CHILD_SIZE, "height", bytes) == 0))
        walk_title(walk, CHECK_TEXTURE_CHILD, FLOW_NONE);
}

void check_texture(struct walk *walk, const uint8_t at[], unsigned count)
{
    uint8_t bytes[8];
    uint32_t word[PARAMETERS_MAX];
    for (unsigned i = 0; i < count; i++)
        if (!uniform(walk, at[i], &word[i]))
            return;
    if (count < 2)
        return;
    store_le32(bytes, word[0]);
    store_le32(bytes + 4, word[1]);
    check_texture_memory(walk, word);
    check_raster(walk, bytes);
    check_half(walk, bytes);
    for (unsigned i = 2; i < count; i++)
        check_child(walk, word[i]);
}

/* --- stencil --- */

bool walk_word(const struct walk *walk, unsigned unit, uint32_t *value)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    if (walk_result(walk, unit, value))
        return true;
    bool move = unit == 0 ? insn->op_add == QPU_ADD_OR && insn->add_a == insn->add_b
                          : insn->op_mul == QPU_MUL_V8MIN && insn->mul_a == insn->mul_b;
    unsigned mux = unit == 0 ? insn->add_a : insn->mul_a;
    bool port = (mux == QPU_MUX_A && walk->facts->port[0] == QPU_RD_UNIFORM) ||
                (mux == QPU_MUX_B && walk->facts->port[1] == QPU_RD_UNIFORM);
    return move && port && uniform(walk, walk_uniform(walk), value);
}

/* Reports stencil setups that are for one face only. Bits 31:30 of a setup are 1 for front faces, 2
 * for back faces and 3 for both. Value 0 sets the masks of both faces. */
void walk_stencil(struct walk *walk)
{
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &walk->facts->write[unit];
        uint32_t value;
        if (!write->present || write->address != QPU_WR_STENCIL_SETUP ||
            !walk_word(walk, unit, &value) || (value >> 30 != 1 && value >> 30 != 2))
            continue;
        REPORT(walk, CHECK_STENCIL_FACES, FLOW_NONE, unit, "the stencil setup is for %s faces only",
               value >> 30 == 1 ? "front" : "back");
    }
}
