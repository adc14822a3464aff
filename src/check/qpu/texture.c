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
#include "base/bits.h"
#include "check/qpu/qpu_walk.h"
#include "isa/cl/texture_words.h"
#include "isa/qpu/sides.h"

enum {
    S16F = 9, /* texture types, manual table 18 */
    RGBA64 = 15,
    RASTER_TYPES = 16, /* type 16 (RGBA32R) and type 17 (YUYV422R) */
    MIN_NEAREST = 1,   /* filters, manual table 16 */
    MIN_NEAREST_MIP_NEAREST = 2,
};

/* --- the stream --- */

unsigned walk_uniform(const struct walk *walk)
{
    struct range read = walk->state->uniforms;
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
    struct state *state = walk->state;
    if (walk->facts->accesses & ACCESS_UNIFORM)
        state->uniforms = range_add(state->uniforms, 1, 1);
    if (walk->facts->accesses & ACCESS_UNIFORM_ADDRESS)
        state->uniforms = (struct range){0, UNLIMITED};
}

/* --- textures --- */

unsigned walk_texture(const struct walk *walk, uint32_t words[PARAMETERS_MAX])
{
    const struct queue *queue = walk_request(walk);
    struct range before = queue ? queue->parameters : (struct range){0, 0};
    if (before.high == 0 || before.low != before.high || before.low >= PARAMETERS_MAX)
        return 0;
    for (unsigned i = 0; i <= before.low; i++)
        if (!uniform(walk, i < before.low ? queue->at[i] : walk_uniform(walk), &words[i]))
            return 0;
    return before.low + 1u;
}

void qpu_check_raster(const struct walk *walk)
{
    uint32_t words[PARAMETERS_MAX];
    bool raster = walk_texture(walk, words) && texture_type(words) >= RASTER_TYPES;
    uint32_t width = raster ? texture_size(TEXTURE_READ(words, TEXTURE, WIDTH)) : 0;
    if (width & (width - 1))
        FOUND(walk, CHECK_TEXTURE_RASTER, CHECK_NONE, 0,
              "the raster texture is %u texels wide, which is not a power of two", width);
}

bool qpu_filters_half_floats(const struct walk *walk)
{
    uint32_t words[PARAMETERS_MAX];
    if (!walk_texture(walk, words))
        return false;
    uint32_t type = texture_type(words), filter = TEXTURE_READ(words, TEXTURE, MIN_FILTER);
    bool nearest = TEXTURE_READ(words, TEXTURE, MAG_FILTER) &&
                   (filter == MIN_NEAREST || filter == MIN_NEAREST_MIP_NEAREST);
    return (type == S16F || type == RGBA64) && !nearest;
}

bool qpu_has_large_child(const struct walk *walk)
{
    uint32_t words[PARAMETERS_MAX];
    unsigned count = walk_texture(walk, words);
    for (unsigned i = 2; i < count; i++)
        if (TEXTURE_READ(&words[i], TEXTURE_CHILD_SIZE, PTYPE) == TEXTURE_PTYPE_CHILD_SIZE &&
            (TEXTURE_READ(&words[i], TEXTURE_CHILD_SIZE, WIDTH) == 0 ||
             TEXTURE_READ(&words[i], TEXTURE_CHILD_SIZE, HEIGHT) == 0))
            return true;
    return false;
}

/* --- stencil --- */

bool walk_word(const struct walk *walk, unsigned unit, uint32_t *value)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    if (walk_result(walk, unit, value))
        return true;
    unsigned mux = unit == 0 ? insn->add_a : insn->mul_a;
    bool port = (mux == QPU_MUX_A && walk->facts->port[0] == QPU_RD_UNIFORM) ||
                (mux == QPU_MUX_B && walk->facts->port[1] == QPU_RD_UNIFORM);
    return qpu_moves(insn, unit == 1) && port && uniform(walk, walk_uniform(walk), value);
}

/* Reports stencil setups that are for one face only. */
void qpu_check_stencil(const struct walk *walk)
{
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &walk->facts->write[unit];
        uint32_t value;
        if (!write->present || write->address != QPU_WR_STENCIL_SETUP ||
            !walk_word(walk, unit, &value))
            continue;
        uint32_t faces = setup_get(value, SETUP_STENCIL_FACES);
        if (faces == SETUP_FACES_FRONT || faces == SETUP_FACES_BACK)
            FOUND(walk, CHECK_STENCIL_FACES, CHECK_NONE, unit,
                  "the stencil setup is for %s faces only",
                  faces == SETUP_FACES_FRONT ? "front" : "back");
    }
}
