/* SPDX-License-Identifier: MIT */
/* check_list.c - see check_list.h.
 *
 * Source:   qpu_rules.def; manual, appendix A and table 38.
 * Left out: points whose vertices come from index lists or from shaders. The model reports wrong
 *           sizes of such points. */
#include "check/frame/check_list.h"

#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "isa/cl/cl.h"

enum {
    POINTS = 0, /* POINTS and LINE_LOOP are primitive modes of the control records 32 and 33 */
    LINE_LOOP = 2,
    INDICES = 1 << 16,    /* number of different vertex indices in a tile list, which have 16
                           * bits */
    CHANGES_MAX = 0x1ef0, /* largest number of state changes without a flush; Mesa, vc4_draw.c
                           * (VC4_HW_2116_COUNT) */
    POINTS_MAX = 1 << 20, /* largest number of vertices that are examined in a scene */
    A0_ROWS = 1024,
    T_FORMAT = 1,
};
static const float least_point = 0.125f;

static void report(struct check_list *list, enum check_rule rule, uint32_t address,
                   const char *text)
{
    for (uint32_t i = 0; i < list->kept_count; i++)
        if (list->kept[i].rule == rule && list->kept[i].address == address)
            return;
    if (list->kept_count == CHECK_LIST_KEPT)
        return;
    list->kept[list->kept_count].rule = rule;
    list->kept[list->kept_count++].address = address;
    list->found(list->user, rule, address, text);
}

/* --- state --- */

static void take_configuration(struct check_list *list, const uint8_t *data)
{
    list->coverage = CL_GET(data, CONFIGURATION_BITS, COVERAGE_PIPE);
    list->early_z |= CL_GET(data, CONFIGURATION_BITS, EARLY_Z);
}

static void take_point_size(struct check_list *list, uint32_t address, const uint8_t *data)
{
    char text[80];
    float size = bits_float(CL_GET(data, POINT_SIZE, SIZE));
    snprintf(text, sizeof text, "the point size is %g; the minimum is 0.125", (double)size);
    if (!(size >= least_point))
        report(list, CHECK_LIST_POINT_SIZE, address, text);
}

static void take_shader(struct check_list *list, uint32_t address, uint8_t code,
                        const struct check_list_shader *shader)
{
    if (list->has_shader && !list->drawn)
        report(list, CHECK_A0_SHADERS, address,
               "this shader state follows another shader state, and nothing is drawn between them");
    list->has_shader = true;
    list->drawn = false;
    list->vg = code == CL_VG_SHADER_STATE || code == CL_VG_INLINE_SHADER_RECORD;
    list->shader = *shader;
}

static void take_frame(struct check_list *list, uint32_t address, const uint8_t *data)
{
    list->multisample = CL_GET(data, TILE_RENDERING_MODE, MULTISAMPLE) &&
                        !CL_GET(data, TILE_RENDERING_MODE, EARLY_Z_DISABLE);
    if (CL_GET(data, TILE_RENDERING_MODE, HEIGHT) > A0_ROWS &&
        CL_GET(data, TILE_RENDERING_MODE, MEMORY_FORMAT) != T_FORMAT)
        report(list, CHECK_A0_HEIGHT, address, "the frame has more than 1024 rows");
}

static void take_load(struct check_list *list, uint32_t address, const uint8_t *data)
{
    if (!list->multisample || list->reloaded || CL_GET(data, LOAD_FULL_RES_TILE_BUFFER, DISABLE_ZS))
        return;
    list->reloaded = true;
    list->reload_at = address;
}

/* Reports a load of Z into multisample tiles if early Z is used. The binning list enables early Z,
 * and the rendering list loads Z. The scene may contain the two lists in either order. */
static void check_reload(struct check_list *list)
{
    if (list->reloaded && list->early_z)
        report(list, CHECK_LIST_EARLY_Z, list->reload_at,
               "the Z of a multisample tile is loaded, and early Z is used");
}

/* --- primitives --- */

static bool draws(uint8_t code)
{
    return code == CL_INDEXED_PRIMITIVE_LIST || code == CL_VERTEX_ARRAY_PRIMITIVES ||
           code == CL_VG_COORDINATE_ARRAY_PRIMITIVES || code == CL_VG_INLINE_PRIMITIVES ||
           code == CL_COMPRESSED_PRIMITIVE_LIST || code == CL_CLIPPED_PRIMITIVE_LIST;
}

static bool is_shader(uint8_t code)
{
    return code >= CL_GL_SHADER_STATE && code <= CL_VG_INLINE_SHADER_RECORD;
}

static bool is_state(uint8_t code)
{
    return is_shader(code) || code == CL_PRIMITIVE_LIST_FORMAT ||
           (code >= CL_CONFIGURATION_BITS && code <= CL_CLIPPER_Z_SCALE_OFFSET);
}

/* Checks the point sizes in an array of shaded vertices. */
static void check_sizes(struct check_list *list, uint32_t address, uint64_t first, uint64_t length)
{
    char text[80];
    for (uint64_t i = first; i < first + length && i < INDICES && list->shader.sizes; i++) {
        size_t left = 0;
        if (list->points++ >= POINTS_MAX)
            return;
        const uint8_t *bytes = list->memory(
            list->user, list->shader.sizes + (uint32_t)i * list->shader.stride, &left);
        if (!bytes || left < 4)
            return;
        float size = bits_float(load_le32(bytes));
        if (size >= least_point)
            continue;
        snprintf(text, sizeof text, "the point size of vertex %u is %g; the minimum is 0.125",
                 (unsigned)i, (double)size);
        report(list, CHECK_LIST_VERTEX_POINT, address, text);
    }
}

/* Checks 1/Wc in an array of shaded vertices. */
static void check_inverse_w(struct check_list *list, uint32_t address, uint64_t first,
                            uint64_t length)
{
    char text[80];
    for (uint64_t i = first; i < first + length && i < INDICES && list->shader.inverse_w; i++) {
        size_t left = 0;
        if (list->points++ >= POINTS_MAX)
            return;
        const uint8_t *bytes = list->memory(
            list->user, list->shader.inverse_w + (uint32_t)i * list->shader.stride, &left);
        if (!bytes || left < 4)
            return;
        if (load_le32(bytes) << 1 != 0)
            continue;
        snprintf(text, sizeof text, "vertex %u has 1/Wc = 0 and %u varying%s", (unsigned)i,
                 list->shader.varyings, list->shader.varyings == 1 ? "" : "s");
        report(list, CHECK_LIST_INVERSE_W, address, text);
    }
}

static void check_vertices(struct check_list *list, uint32_t address, const uint8_t *record)
{
    const uint8_t *data = record + 1;
    bool array = record[0] == CL_VERTEX_ARRAY_PRIMITIVES;
    if (!array && record[0] != CL_INDEXED_PRIMITIVE_LIST)
        return;
    uint64_t length = array ? CL_GET(data, VERTEX_ARRAY_PRIMITIVES, LENGTH)
                            : CL_GET(data, INDEXED_PRIMITIVE_LIST, LENGTH);
    uint64_t first = array ? CL_GET(data, VERTEX_ARRAY_PRIMITIVES, FIRST) : 0;
    uint32_t mode = array ? CL_GET(data, VERTEX_ARRAY_PRIMITIVES, MODE)
                          : CL_GET(data, INDEXED_PRIMITIVE_LIST, MODE);
    char text[80];
    snprintf(text, sizeof text, "vertices %llu to %llu are drawn; the maximum is 65535",
             (unsigned long long)first, (unsigned long long)(first + length - 1));
    if (array && length > 0 && first + length > INDICES)
        report(list, CHECK_LIST_INDEX_WRAP, address, text);
    if (array && list->shader.varyings > 0)
        check_inverse_w(list, address, first, length);
    if (array && mode == POINTS)
        check_sizes(list, address, first, length);
    if (mode == LINE_LOOP && length == 2)
        report(list, CHECK_LIST_LINE_LOOP, address, "a line loop of two vertices is not drawn");
}

static void take_primitives(struct check_list *list, uint32_t address, const uint8_t *record)
{
    check_vertices(list, address, record);
    if (list->vg_drawn && !list->vg)
        report(list, CHECK_A0_VG, address, "a GL or NV shader is used after a VG shader");
    if (list->coverage && list->varyings_drawn)
        report(list, CHECK_LIST_COVERAGE, address,
               "the coverage pipe is used after primitives with varyings");
    if (!list->coverage)
        list->varyings_drawn = list->shader.varyings > 0;
    list->vg_drawn |= list->vg;
    list->drawn = list->primitives = true;
}

static void count_change(struct check_list *list, uint32_t address)
{
    list->changes += list->primitives;
    list->primitives = false;
    if (list->changes == CHANGES_MAX + 1)
        report(
            list, CHECK_LIST_STATE_COUNTER, address,
            "the state has changed after primitives 7921 times without a flush; the limit is 7920");
}

/* --- lists --- */

void check_list_begin(struct check_list *list)
{
    list->has_shader = list->drawn = list->primitives = list->coverage = list->multisample = false;
    list->changes = 0;
}

void check_list_record(struct check_list *list, uint32_t address, const uint8_t *record,
                       const struct check_list_shader *shader)
{
    const uint8_t *data = record + 1;
    if (is_state(record[0]))
        count_change(list, address);
    if (is_shader(record[0]))
        take_shader(list, address, record[0], shader);
    if (draws(record[0]))
        take_primitives(list, address, record);
    switch (record[0]) {
    case CL_START_TILE_BINNING:
    case CL_FLUSH_ALL_STATE: list->changes = 0; break;
    case CL_CONFIGURATION_BITS: take_configuration(list, data); break;
    case CL_POINT_SIZE: take_point_size(list, address, data); break;
    case CL_TILE_RENDERING_MODE: take_frame(list, address, data); break;
    case CL_LOAD_FULL_RES_TILE_BUFFER: take_load(list, address, data); break;
    }
    check_reload(list);
}
