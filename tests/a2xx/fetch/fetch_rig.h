/* SPDX-License-Identifier: MIT */
/* fetch_rig.h - a fetch unit with memory and constants, for the tests of fetches. */
#ifndef TEST_A2XX_FETCH_RIG_H
#define TEST_A2XX_FETCH_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "a2xx/fetch/constant.h"
#include "a2xx/fetch/fetch.h"

enum { RIG_ADDRESS = 0x100000, RIG_BYTES = 1 << 20 };

#define ALL_LANES UINT64_MAX

struct rig {
    uint32_t constants[TESS_A2XX_FETCH_WORDS];
    struct a2xx_memory memory;
    struct a2xx_fetch_unit unit;
    struct a2xx_texture_state state;
    float index[A2XX_LANES], coords[3][A2XX_LANES], data[4][A2XX_LANES];
    struct a2xx_fetch_report report;
    uint8_t bytes[RIG_BYTES];
};

static inline void rig_start(struct rig *rig, enum tess_a2xx_variant variant)
{
    memset(rig, 0, sizeof *rig);
    rig->unit = (struct a2xx_fetch_unit){variant, rig->constants, &rig->memory};
    assert_int_equal(a2xx_memory_map(&rig->memory, RIG_ADDRESS, rig->bytes, RIG_BYTES, false),
                     TESS_OK);
}

static inline void rig_stop(struct rig *rig)
{
    a2xx_memory_free(&rig->memory);
}

/* Executes the fetch for all lanes. The destination is filled with 7 before. The faults are
 * those of this fetch only. */
static inline void rig_vertex(struct rig *rig, const struct a2xx_vertex *insn)
{
    for (unsigned i = 0; i < 4 * A2XX_LANES; i++)
        rig->data[i / A2XX_LANES][i % A2XX_LANES] = 7;
    rig->report = (struct a2xx_fetch_report){0};
    a2xx_vertex_fetch(&rig->unit, insn, insn, rig->index, ALL_LANES, rig->data, &rig->report);
}

static inline void rig_texture(struct rig *rig, const struct a2xx_texture *insn, bool quads)
{
    for (unsigned i = 0; i < 4 * A2XX_LANES; i++)
        rig->data[i / A2XX_LANES][i % A2XX_LANES] = 7;
    rig->report = (struct a2xx_fetch_report){0};
    a2xx_texture_fetch(&rig->unit, insn, (const float(*)[A2XX_LANES])rig->coords, ALL_LANES, quads,
                       &rig->state, rig->data, &rig->report);
}

/* Fails the test unless `fault` is the only reported fault, for exactly the given lanes. */
static inline void rig_faults(const struct rig *rig, unsigned fault, uint64_t lanes)
{
    for (unsigned i = 0; i < A2XX_FETCH_FAULTS; i++)
        if (rig->report.lanes[i] != (i == fault ? lanes : 0))
            fail_msg("fault %u: lanes %016llx", i, (unsigned long long)rig->report.lanes[i]);
}

#define NO_FAULT A2XX_FETCH_FAULTS

static inline void rig_same(const struct rig *rig, unsigned lane, const float wanted[4],
                            const char *what)
{
    for (unsigned i = 0; i < 4; i++)
        if (memcmp(&rig->data[i][lane], &wanted[i], sizeof(float)) != 0 &&
            !(rig->data[i][lane] == 0 && wanted[i] == 0))
            fail_msg("%s, lane %u, component %u: %.9g, not %.9g", what, lane, i,
                     (double)rig->data[i][lane], (double)wanted[i]);
}

#define RIG_SAME(rig, lane, ...) rig_same(rig, lane, (const float[4]){__VA_ARGS__}, __func__)

#endif
