/* SPDX-License-Identifier: MIT */
/* programs.h - random programs and data for the A2xx, the same on every host. */
#ifndef TESTS_A2XX_PROGRAMS_H
#define TESTS_A2XX_PROGRAMS_H

#include <tessera/a2xx.h>

#include "../../random.h"
#include "base/bits.h"
#include "isa/a2xx/a2xx_isa.h"

enum { LANES = 70, MANY = 2000, LIMIT = 300, CONTROL = 7, CODE = 24, SLOTS = CONTROL + CODE };

struct world {
    uint32_t seed;
    uint32_t words[SLOTS * A2XX_WORDS];
    float constants[256][4];
    bool bools[256];
    uint8_t loops[32][3];
    float registers[64][MANY][4], out[64][MANY][4];
    uint8_t killed[MANY];
    struct tess_a2xx_options options;
    enum tess_a2xx_variant variant;
};

static inline uint32_t below(struct world *world, uint32_t end)
{
    return next_random(&world->seed) % end;
}

/* Returns a small number in most cases, and sometimes a special value. */
static inline float random_float(struct world *world)
{
    static const uint32_t strange[] = {0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                       0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff};
    if (below(world, 8) == 0)
        return bits_float(strange[below(world, sizeof strange / sizeof strange[0])]);
    if (below(world, 12) == 0)
        return bits_float(next_random(&world->seed));
    return (float)((int)below(world, 17) - 8) / (float)(1u << below(world, 3));
}

static inline void random_alu(struct world *world, uint32_t words[A2XX_WORDS])
{
    struct a2xx_alu alu;
    for (unsigned i = 0; i < A2XX_WORDS; i++)
        words[i] = next_random(&world->seed);
    alu = a2xx_decode_alu(words);
    alu.is_predicated &= below(world, 2);
    alu.export_data = below(world, 4) == 0;
    alu.vector_dest_rel &= below(world, 2);
    a2xx_encode_alu(&alu, words);
}

/* Returns a random control-flow instruction: a clause, a loop without break, or a jump. Most
 * jumps go forward. */
static inline uint64_t random_control(struct world *world, unsigned place)
{
    uint64_t bits = next_random(&world->seed) | (uint64_t)next_random(&world->seed) << 32;
    struct a2xx_cf cf = a2xx_decode_cf(bits & UINT64_C(0xffffffffffff));
    uint32_t ahead = place + 1 + below(world, 2 * CONTROL - place), target;
    target = below(world, 4) ? ahead : below(world, 2 * CONTROL);
    if (cf.form == A2XX_FORM_EXEC) {
        cf.exec.address = CONTROL + below(world, CODE);
        cf.exec.count = below(world, 7);
        cf.exec.sequence &= 0xaaa;
        if (a2xx_is_end(cf.opcode) && below(world, 3))
            cf.opcode = (uint8_t)(cf.exec.opcode = A2XX_CF_EXEC);
    } else if (cf.form == A2XX_FORM_LOOP) {
        cf.loop.address = cf.opcode == A2XX_CF_LOOP_END ? below(world, place + 1) : ahead;
        cf.loop.predicated_break = 0;
    } else if (cf.form == A2XX_FORM_JUMP) {
        cf.jump.address = target;
    }
    return a2xx_encode_cf(&cf);
}

static inline void random_program(struct world *world)
{
    const struct a2xx_cf end = {
        .form = A2XX_FORM_EXEC,
        .opcode = A2XX_CF_EXEC_END,
        .exec = {.opcode = A2XX_CF_EXEC_END, .address = CONTROL, .count = 3},
    };
    for (unsigned i = 0; i < 2 * CONTROL - 1; i++)
        a2xx_set_cf_half(world->words + i / 2 * A2XX_WORDS, i % 2, random_control(world, i));
    a2xx_set_cf_half(world->words + (CONTROL - 1) * A2XX_WORDS, 1, a2xx_encode_cf(&end));
    for (unsigned i = CONTROL; i < SLOTS; i++)
        random_alu(world, world->words + (size_t)i * A2XX_WORDS);
}

static inline void random_data(struct world *world, unsigned lanes)
{
    for (unsigned i = 0; i < 256; i++) {
        for (unsigned c = 0; c < 4; c++)
            world->constants[i][c] = random_float(world);
        world->bools[i] = below(world, 2);
    }
    for (unsigned i = 0; i < 32; i++) {
        world->loops[i][0] = (uint8_t)below(world, 4);
        world->loops[i][1] = (uint8_t)below(world, 256);
        world->loops[i][2] = (uint8_t)below(world, 256);
    }
    for (unsigned i = 0; i < 64; i++)
        for (unsigned lane = 0; lane < lanes; lane++)
            for (unsigned c = 0; c < 4; c++)
                world->registers[i][lane][c] = random_float(world);
}

#endif
