/* SPDX-License-Identifier: MIT */
/* a2xx_fetch.c - fuzz target: the fetch units of the A2xx, with any fetch instruction, constants,
 * coordinates and memory. A lane that runs alone must have the same result as together with other
 * lanes.
 *
 * Input: two bytes of flags (variant, quads, coordinates), the mask of active lanes, and the
 * instruction. The constants, the coordinates and the memory repeat the input's bytes from
 * different positions. */
#include <stdlib.h>
#include <string.h>

#include "a2xx/fetch/fetch.h"
#include "base/bits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BASE = 0x1000, PIECE = 0x3000, GAP = 0x800, PIECES = 4, HEADER = 22 };

struct input {
    struct a2xx_fetch insn;
    struct a2xx_fetch_unit unit;
    uint32_t constants[TESS_A2XX_FETCH_WORDS];
    float coords[3][A2XX_LANES];
    struct a2xx_texture_state state;
    uint64_t active;
    bool quads;
};

struct result {
    float data[4][A2XX_LANES];
    struct a2xx_fetch_report report;
};

static void check(bool good)
{
    if (!good)
        abort();
}

/* Fills memory with bytes of the input, which are repeated. from: position of the first byte. */
static void fill(void *to, size_t size, const uint8_t *data, size_t from, size_t count)
{
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)to)[i] = data[(from + i) % count];
}

static void run(const struct input *input, uint64_t active, struct result *result)
{
    struct a2xx_texture_state state = input->state;
    memset(result, 0, sizeof *result);
    if (input->insn.form == A2XX_FORM_VERTEX)
        a2xx_vertex_fetch(&input->unit, &input->insn.vertex, &input->insn.vertex, input->coords[0],
                          active, result->data, &result->report);
    else
        a2xx_texture_fetch(&input->unit, &input->insn.texture,
                           (const float(*)[A2XX_LANES])input->coords, active, input->quads, &state,
                           result->data, &result->report);
}

static void compare(const struct input *input, const struct result *all)
{
    for (unsigned lane = 0; lane < A2XX_LANES; lane += 21) {
        struct result one;
        run(input, UINT64_C(1) << lane & input->active, &one);
        for (unsigned i = 0; i < 4; i++)
            check(memcmp(&one.data[i][lane], &all->data[i][lane], sizeof(float)) == 0);
        for (unsigned i = 0; i < A2XX_FETCH_FAULTS; i++)
            check(one.report.lanes[i] == (all->report.lanes[i] & UINT64_C(1) << lane));
    }
}

static void map(struct a2xx_memory *memory, const uint8_t *data, size_t size,
                uint8_t *bytes[PIECES])
{
    for (uint32_t i = 0; i < PIECES; i++) {
        size_t room = PIECE - 5 * (size_t)i;
        bytes[i] = malloc(room);
        check(bytes[i]);
        fill(bytes[i], room, data, 7 * (size_t)i, size);
        check(a2xx_memory_map(memory, BASE + (uint32_t)i * (PIECE + (i > 1 ? (uint32_t)GAP : 0)),
                              bytes[i], room, false) == TESS_OK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= HEADER)
        return 0;
    struct input input = {.active = load_le64(data + 2), .quads = data[0] >> 1 & 1};
    uint32_t words[3] = {load_le32(data + 10), load_le32(data + 14), load_le32(data + 18)};
    input.insn = a2xx_decode_fetch(words);
    fill(input.constants, sizeof input.constants, data, HEADER, size);
    fill(input.coords, sizeof input.coords, data, size / 2, size);
    fill(&input.state, sizeof input.state, data, size / 3, size);
    if (data[1] & 1) /* replaces the coordinates by small numbers, mostly inside of textures */
        for (unsigned i = 0; i < 3 * A2XX_LANES; i++)
            input.coords[i / A2XX_LANES][i % A2XX_LANES] = (float)data[i % size] / 64;
    struct a2xx_memory memory = {0};
    uint8_t *bytes[PIECES];
    map(&memory, data, size, bytes);
    input.unit = (struct a2xx_fetch_unit){data[0] & 1 ? TESS_A2XX_XENOS : TESS_A2XX_ADRENO,
                                          input.constants, &memory};
    struct result all;
    run(&input, input.active, &all);
    compare(&input, &all);
    a2xx_memory_free(&memory);
    for (unsigned i = 0; i < PIECES; i++)
        free(bytes[i]);
    return 0;
}
