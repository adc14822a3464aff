/* SPDX-License-Identifier: MIT */
/* varying.c - see varying.h. */
#include "utgard/varying.h"

#include "base/bits.h"
#include "utgard/code.h"
#include "utgard/find.h"

static size_t component_size(const struct tess_gp_varying *varying)
{
    return varying->format == TESS_GP_OUT_F16 ? 2 : 4;
}

bool gp_varying_is_valid(const struct tess_gp_varying *varying)
{
    return !varying->data ||
           (varying->components >= 1 && varying->components <= GP_COMPONENTS &&
            (varying->format == TESS_GP_OUT_F32 || varying->format == TESS_GP_OUT_F16));
}

/* value / 2^shift, to nearest even. */
static uint32_t shifted(uint32_t value, unsigned shift)
{
    uint32_t half = UINT32_C(1) << (shift - 1), odd = value >> shift & 1;
    return (value + half - 1 + odd) >> shift;
}

uint16_t gp_half(uint32_t bits)
{
    uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    const uint32_t infinite = 0x7f800000, least_normal = (127 - 14) << 23, least = (127 - 25) << 23;
    if (magnitude > infinite)
        return 0x7e00;
    if (magnitude < least)
        return (uint16_t)sign;
    if (magnitude < least_normal) {
        uint32_t exponent = magnitude >> 23, fraction = (magnitude & 0x7fffff) | 0x800000;
        return (uint16_t)(sign | shifted(fraction, 126 - exponent));
    }
    uint32_t half = shifted(magnitude - ((127 - 15) << 23), 13);
    return (uint16_t)(sign | (half > 0x7c00 ? 0x7c00 : half));
}

static void put(const struct tess_gp_varying *varying, uint8_t *at, uint32_t bits)
{
    if (varying->format == TESS_GP_OUT_F16)
        store_le16(at, gp_half(bits));
    else
        store_le32(at, bits);
}

/* Where component c of a vertex goes; NULL beyond the buffer. */
static uint8_t *place(const struct tess_gp_varying *varying, size_t vertex, unsigned c)
{
    size_t size = component_size(varying);
    if (varying->stride && vertex > varying->size / varying->stride)
        return NULL;
    size_t offset = vertex * varying->stride + c * size;
    bool inside = offset <= varying->size && varying->size - offset >= size;
    return inside ? (uint8_t *)varying->data + offset : NULL;
}

static void write_component(struct gp_machine *machine, const struct tess_gp_varying *varying,
                            unsigned number, unsigned c, gp_mask lanes)
{
    const gp_lanes *from = &machine->memory->varyings[number][c];
    gp_mask beyond = 0;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = gp_first_lane(lanes);
        uint8_t *at = place(varying, machine->first_vertex + lane, c);
        if (at)
            put(varying, at, (*from)[lane]);
        else
            beyond |= (gp_mask)1 << lane;
    }
    if (beyond && machine->code->checked)
        gp_find_at(machine, FAULT_VARYING_BEYOND, number * 4 + c, beyond,
                   "component %c of varying %u does not fit", "xyzw"[c], number);
}

void gp_varyings_check(struct gp_machine *machine, gp_mask lanes)
{
    const struct tess_gp_varying *varyings = machine->batch->varyings;
    for (unsigned number = 0; varyings && number < TESS_GP_VARYINGS; number++)
        for (unsigned c = 0; varyings[number].data && c < varyings[number].components; c++) {
            gp_mask unwritten = lanes & ~machine->varyings_written[number][c];
            if (unwritten)
                gp_find_at(machine, FAULT_VARYING_UNWRITTEN, number * 4 + c, unwritten,
                           "component %c of varying %u has not been stored", "xyzw"[c], number);
        }
}

void gp_varyings_write(struct gp_machine *machine, gp_mask lanes)
{
    const struct tess_gp_varying *varyings = machine->batch->varyings;
    for (unsigned number = 0; varyings && number < TESS_GP_VARYINGS; number++)
        for (unsigned c = 0; varyings[number].data && c < varyings[number].components; c++)
            write_component(machine, &varyings[number], number, c,
                            machine->varyings_written[number][c] & lanes);
}
