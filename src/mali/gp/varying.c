/* SPDX-License-Identifier: MIT */
/* varying.c - see varying.h. */
#include "mali/gp/varying.h"

#include <string.h>

#include "base/bits.h"
#include "base/text.h"
#include "mali/gp/code.h"
#include "mali/gp/find.h"

/* A value of four lanes. */
typedef uint32_t quad_words __attribute__((vector_size(16)));

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

/* Returns value / 2^shift, rounded to the nearest integer, ties to even. */
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

/* Returns the number of vertices, from vertex 0 on, whose component c fits in the buffer. */
static size_t fitting(const struct tess_gp_varying *varying, unsigned c)
{
    size_t end = (c + 1) * component_size(varying);
    if (varying->size < end)
        return 0;
    return varying->stride ? (varying->size - end) / varying->stride + 1 : SIZE_MAX;
}

static void put(const struct tess_gp_varying *varying, size_t vertex, unsigned c, uint32_t bits)
{
    uint8_t *at = (uint8_t *)varying->data + vertex * varying->stride + c * component_size(varying);
    if (varying->format == TESS_GP_OUT_F16)
        store_le16(at, gp_half(bits));
    else
        store_le32(at, bits);
}

/* True if the first `components` components of GP_LANES vertices are 32-bit floats inside the
 * buffer. */
static bool are_floats(const struct tess_gp_varying *varying, size_t first, unsigned components)
{
    size_t offset, end;
    return varying->format == TESS_GP_OUT_F32 &&
           !__builtin_mul_overflow(first + GP_LANES - 1, varying->stride, &offset) &&
           !__builtin_add_overflow(offset, components * sizeof(float), &end) &&
           end <= varying->size;
}

/* Writes the four components of four vertices, which are 32-bit floats. */
static void put_four(uint8_t *at, size_t stride, const quad_words component[GP_COMPONENTS])
{
    const quad_words *c = component;
    const quad_words xy[2] = {__builtin_shufflevector(c[0], c[1], 0, 4, 1, 5),
                              __builtin_shufflevector(c[0], c[1], 2, 6, 3, 7)};
    const quad_words zw[2] = {__builtin_shufflevector(c[2], c[3], 0, 4, 1, 5),
                              __builtin_shufflevector(c[2], c[3], 2, 6, 3, 7)};
    for (unsigned i = 0; i < 2; i++, at += 2 * stride) {
        const quad_words first = __builtin_shufflevector(xy[i], zw[i], 0, 1, 4, 5);
        const quad_words second = __builtin_shufflevector(xy[i], zw[i], 2, 3, 6, 7);
        memcpy(at, &first, sizeof first);
        memcpy(at + stride, &second, sizeof second);
    }
}

/* Writes the four components of all lanes, which are 32-bit floats inside the buffer. The values of
 * two vertices must not overlap. */
static void put_vectors(const struct tess_gp_varying *varying, size_t first,
                        const gp_lanes from[GP_COMPONENTS])
{
    uint8_t *at = (uint8_t *)varying->data + first * varying->stride;
    for (unsigned lane = 0; lane < GP_LANES; lane += 4, at += 4 * varying->stride) {
        quad_words component[GP_COMPONENTS];
        for (unsigned c = 0; c < GP_COMPONENTS; c++)
            memcpy(&component[c], (const uint32_t *)&from[c] + lane, sizeof component[c]);
        put_four(at, varying->stride, component);
    }
}

/* Writes a component of all lanes in a faster way. All components must be 32-bit floats inside the
 * buffer. */
static void put_all(const struct tess_gp_varying *varying, size_t first, unsigned c,
                    const gp_lanes *from)
{
    uint8_t *at = (uint8_t *)varying->data + first * varying->stride + c * sizeof(float);
    for (unsigned lane = 0; lane < GP_LANES; lane++, at += varying->stride)
        store_le32(at, (*from)[lane]);
}

static void write_component(struct gp_machine *machine, const struct tess_gp_varying *varying,
                            unsigned number, unsigned c, gp_mask lanes)
{
    const gp_lanes *from = &machine->memory->varyings[number][c];
    size_t first = machine->first_vertex, fit;
    gp_mask beyond = 0;
    if (lanes == GP_ALL_LANES && are_floats(varying, first, c + 1)) {
        put_all(varying, first, c, from);
        return;
    }
    fit = fitting(varying, c);
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = first_lane(lanes);
        if (first + lane < fit)
            put(varying, first + lane, c, (*from)[lane]);
        else
            beyond |= (gp_mask)1 << lane;
    }
    if (beyond && machine->code->checked)
        gp_find_at(machine, FAULT_VARYING_BEYOND, FAULT_NO_LINE + number * 4 + c, beyond,
                   "component %c of varying %u does not fit into its buffer", "xyzw"[c], number);
}

static void write_varying(struct gp_machine *machine, const struct tess_gp_varying *varying,
                          unsigned number, gp_mask lanes)
{
    const gp_mask *written = machine->varyings_written[number];
    if ((lanes & written[0] & written[1] & written[2] & written[3]) == GP_ALL_LANES &&
        varying->components == GP_COMPONENTS && varying->stride >= sizeof(float[GP_COMPONENTS]) &&
        are_floats(varying, machine->first_vertex, GP_COMPONENTS)) {
        put_vectors(varying, machine->first_vertex, machine->memory->varyings[number]);
        return;
    }
    for (unsigned c = 0; c < varying->components; c++)
        write_component(machine, varying, number, c, written[c] & lanes);
}

/* Writes a list of components to text, such as "y, z and w". components has bits 1 << c. */
static void put_components(struct text *text, unsigned components)
{
    while (components) {
        unsigned c = (unsigned)__builtin_ctz(components);
        components &= components - 1;
        text_put(text, "%c%s", "xyzw"[c],
                 !components                     ? ""
                 : components & (components - 1) ? ", "
                                                 : " and ");
    }
}

/* Reports varying components that were not stored. The message lists the missing components of the
 * first lane with missing components. */
static void report_unwritten(struct gp_machine *machine, unsigned number, gp_mask lanes,
                             const gp_mask unwritten[GP_COMPONENTS])
{
    unsigned components = 0, lane = first_lane(lanes);
    char list[16];
    struct text text = {list, sizeof list, 0};
    for (unsigned c = 0; c < GP_COMPONENTS; c++)
        components |= (unsigned)(unwritten[c] >> lane & 1) << c;
    put_components(&text, components);
    bool position = (int)number == machine->code->position;
    gp_find_at(machine, position ? FAULT_POSITION_UNWRITTEN : FAULT_VARYING_UNWRITTEN,
               FAULT_NO_LINE + number * GP_COMPONENTS, lanes,
               "component%s %s of varying %u %s not been stored",
               components & (components - 1) ? "s" : "", list, number,
               components & (components - 1) ? "have" : "has");
}

void gp_varyings_check(struct gp_machine *machine, gp_mask lanes)
{
    const struct tess_gp_varying *varyings = machine->batch->varyings;
    for (unsigned number = 0; varyings && number < TESS_GP_VARYINGS; number++) {
        gp_mask unwritten[GP_COMPONENTS] = {0}, any = 0;
        for (unsigned c = 0; varyings[number].data && c < varyings[number].components; c++) {
            unwritten[c] = lanes & ~machine->varyings_written[number][c];
            any |= unwritten[c];
        }
        if (any)
            report_unwritten(machine, number, any, unwritten);
    }
}

void gp_varyings_write(struct gp_machine *machine, gp_mask lanes)
{
    const struct tess_gp_varying *varyings = machine->batch->varyings;
    for (unsigned number = 0; varyings && number < TESS_GP_VARYINGS; number++)
        if (varyings[number].data)
            write_varying(machine, &varyings[number], number, lanes);
}
