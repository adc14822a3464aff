/* SPDX-License-Identifier: MIT */
/* programs.h - random programs and data for the GP, the same on every host. */
#ifndef TESTS_UTGARD_PROGRAMS_H
#define TESTS_UTGARD_PROGRAMS_H

#include <string.h>

#include <tessera/utgard.h>

#include "../../random.h"
#include "base/bits.h"
#include "isa/gp/gp_isa.h"

enum { VERTICES = 75, LIMIT = 300, INSTRUCTIONS = 40 };

struct world {
    uint32_t seed;
    uint32_t words[INSTRUCTIONS * 4], instructions;
    float rows[512][4];
    uint32_t attributes[16][VERTICES][4];
    uint32_t out[16][VERTICES][4];
    struct tess_gp_attribute attribute[16];
    struct tess_gp_varying varying[16];
    struct tess_gp_options options;
    uint64_t executed;
};

static inline uint32_t below(struct world *world, uint32_t end)
{
    return next_random(&world->seed) % end;
}

/* Returns a small integer in most cases, and sometimes a special value. */
static inline uint32_t random_float(struct world *world)
{
    static const uint32_t strange[] = {0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                       0xffc12345, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff};
    if (below(world, 8) == 0)
        return strange[below(world, sizeof strange / sizeof strange[0])];
    if (below(world, 8) == 0)
        return next_random(&world->seed);
    return float_bits((float)((int)below(world, 17) - 8) / (float)(1u << below(world, 3)));
}

static inline uint16_t random_source(struct world *world)
{
    static const uint16_t likely[] = {0,  1,  2,  3,  12, 13, 16, 17, 18,
                                      19, 20, 22, 23, 24, 26, 28, 4,  5};
    return below(world, 12) ? (uint16_t)likely[below(world, sizeof likely / sizeof likely[0])]
                            : (uint16_t)below(world, 32);
}

static inline uint16_t pick(struct world *world, const uint16_t *list, size_t count)
{
    return list[below(world, (uint32_t)count)];
}

#define PICK(world, ...) \
    pick(world, (const uint16_t[]){__VA_ARGS__}, sizeof((const uint16_t[]){__VA_ARGS__}) / 2)

/* Returns an instruction in which most units are busy. */
static inline struct gp_insn random_instruction(struct world *world)
{
    struct gp_insn insn = gp_nop();
    for (unsigned i = 0; i < GP_FIELDS; i++) {
        enum gp_kind kind = gp_fields[i].kind;
        bool source = kind == GP_KIND_SOURCE || kind == GP_KIND_MUL_SOURCE1 ||
                      kind == GP_KIND_ACC_SOURCE1;
        if (source && below(world, 4))
            gp_field_set(&insn, i, random_source(world));
        else if (kind == GP_KIND_FLAG && below(world, 3) == 0)
            gp_field_set(&insn, i, 1);
    }
    insn.mul_op = PICK(world, 0, 0, 0, 1, 3, 4, 4, 2);
    insn.acc_op = PICK(world, 0, 0, 1, 2, 4, 5, 6, 7, 3);
    insn.pass_op = PICK(world, 2, 2, 2, 4, 5, 6, 0);
    insn.complex_op = PICK(world, 0, 2, 3, 4, 5, 9, 10, 12, 13, 14, 15, 1);
    insn.load_addr = PICK(world, 0, 1, 2, 3, 500);
    insn.load_offset = PICK(world, 7, 7, 7, 1, 2, 3, 0);
    insn.register0_addr = (uint16_t)below(world, 4);
    insn.register1_addr = (uint16_t)below(world, 4);
    insn.store0_addr = (uint16_t)below(world, 4);
    insn.store1_addr = (uint16_t)below(world, 4);
    insn.store0_src_x = (uint16_t)below(world, 8);
    insn.store0_src_y = (uint16_t)below(world, 8);
    insn.store1_src_z = (uint16_t)below(world, 8);
    insn.store1_src_w = (uint16_t)below(world, 8);
    insn.store0_temporary = insn.store0_temporary && below(world, 4) == 0;
    insn.store1_temporary = insn.store1_temporary && below(world, 4) == 0;
    insn.branch = insn.branch && below(world, 2);
    gp_set_branch_target(&insn, below(world, world->instructions + 1));
    return insn;
}

static inline void make_program(struct world *world, bool strange)
{
    world->instructions = 1 + below(world, INSTRUCTIONS);
    for (uint32_t k = 0; k < world->instructions; k++) {
        struct gp_insn insn = random_instruction(world);
        gp_encode(&insn, world->words + 4 * k);
        for (unsigned i = 0; strange && i < 4; i++)
            world->words[4 * k + i] = next_random(&world->seed);
    }
}

static inline void make_data(struct world *world)
{
    for (unsigned i = 0; i < 512 * 4; i++) {
        uint32_t bits = random_float(world);
        memcpy(&world->rows[i / 4][i % 4], &bits, sizeof bits);
    }
    for (unsigned a = 0; a < 16; a++) {
        for (unsigned i = 0; i < VERTICES * 4; i++)
            world->attributes[a][i / 4][i % 4] = random_float(world);
        world->attribute[a] = (struct tess_gp_attribute){
            world->attributes[a], sizeof world->attributes[a], 16, TESS_GP_F32, 4};
        world->varying[a] = (struct tess_gp_varying){world->out[a], sizeof world->out[a], 16,
                                                     TESS_GP_OUT_F32, 4};
    }
    world->options = (struct tess_gp_options){
        .choices = {.keep_denormals = below(world, 2),
                    .nan_wins = below(world, 2),
                    .zero_times_inf_is_zero = below(world, 2)},
        .machine.threads = 1,
        .machine.max_instructions = LIMIT,
    };
}

#endif
