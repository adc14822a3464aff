/* SPDX-License-Identifier: MIT */
/* state.c - see state.h.
 *
 * Source: manual table 38 (records 56..106) and tables 45 to 47 (shader records). Reset values that the
 * manual does not give: point size and line width 1, no clip window, Z limits 0 and 1 (Broadcom's
 * released driver, vg_hw_4.c, calls them the reset defaults), Z scale and offset 0.5 (a choice).
 * Left out: GL shader records (not modelled yet). */
#include "vc4/state.h"

void state_reset(struct cl_state *state)
{
    *state = (struct cl_state){
        .point_size = 1.0f,
        .line_width = 1.0f,
        .clip_width = UINT16_MAX,
        .clip_height = UINT16_MAX,
        .z_min = 0.0f,
        .z_max = 1.0f,
        .clipper_z_scale = 0.5f,
        .clipper_z_offset = 0.5f,
        .list_format = 0x12,
    };
}

static void set_shader(struct cl_state *state, uint8_t code, const uint8_t *data)
{
    state->shader_code = code;
    state->shader_word = load_le32(data);
    state->shader_word1 = code == CL_VG_INLINE_SHADER_RECORD ? load_le32(data + 4) : 0;
}

bool state_apply(struct cl_state *state, uint8_t code, const uint8_t *data)
{
    switch (code) {
    case CL_PRIMITIVE_LIST_FORMAT: state->list_format = data[0]; return true;
    case CL_GL_SHADER_STATE:
    case CL_NV_SHADER_STATE:
    case CL_VG_SHADER_STATE:
    case CL_VG_INLINE_SHADER_RECORD: set_shader(state, code, data); return true;
    case CL_CONFIGURATION_BITS:
        state->configuration = cl_bits(data, 0, 24);
        state->configured = true;
        return true;
    case CL_FLAT_SHADE_FLAGS: state->flat_shade = load_le32(data); return true;
    case CL_POINT_SIZE: state->point_size = bits_float(load_le32(data)); return true;
    case CL_LINE_WIDTH: state->line_width = bits_float(load_le32(data)); return true;
    case CL_RHT_X_BOUNDARY: state->rht_x = (int16_t)load_le16(data); return true;
    case CL_DEPTH_OFFSET: state->depth_offset = load_le32(data); return true;
    case CL_CLIP_WINDOW:
        state->clip_left = load_le16(data);
        state->clip_bottom = load_le16(data + 2);
        state->clip_width = load_le16(data + 4);
        state->clip_height = load_le16(data + 6);
        return true;
    case CL_VIEWPORT_OFFSET:
        state->viewport_x = (int16_t)load_le16(data);
        state->viewport_y = (int16_t)load_le16(data + 2);
        return true;
    case CL_Z_MIN_MAX:
        state->z_min = bits_float(load_le32(data));
        state->z_max = bits_float(load_le32(data + 4));
        return true;
    case CL_CLIPPER_XY_SCALING:
        state->clipper_x = bits_float(load_le32(data));
        state->clipper_y = bits_float(load_le32(data + 4));
        return true;
    case CL_CLIPPER_Z_SCALE_OFFSET:
        state->clipper_z_scale = bits_float(load_le32(data));
        state->clipper_z_offset = bits_float(load_le32(data + 4));
        return true;
    default: return false;
    }
}

enum { NV_RECORD_BYTES = 16, VG_RECORD_BYTES = 12, RECORD_ALIGNMENT = 16 };

static bool read_nv_record(struct shader_record *record, struct bus *bus)
{
    const uint8_t *bytes = bus_get(bus, BUS_CLE, record->address, NV_RECORD_BYTES,
                                   "NV shader state record");
    if (!bytes)
        return false;
    if (record->address % RECORD_ALIGNMENT)
        fault_at(bus->log, FAULT_RECORD, record->address,
                 "NV shader state record at 0x%08x is not 16-byte aligned", record->address);

    record->flags = bytes[0];
    record->vertex_stride = bytes[1];
    record->varyings = bytes[3];
    record->fragment_code = load_le32(bytes + 4);
    record->fragment_uniforms = load_le32(bytes + 8);
    record->vertex_address = load_le32(bytes + 12);
    return true;
}

/* Record 66's address, or record 67's own words; VG vertices have no varyings. */
static bool read_vg_record(struct shader_record *record, const struct cl_state *state,
                           struct bus *bus)
{
    if (record->code == CL_VG_INLINE_SHADER_RECORD) {
        record->flags = state->shader_word & SHADER_SINGLE_THREADED;
        record->fragment_code = state->shader_word & ~(uint32_t)7;
        record->fragment_uniforms = state->shader_word1;
        return true;
    }
    const uint8_t *bytes = bus_get(bus, BUS_CLE, record->address, VG_RECORD_BYTES,
                                   "VG shader state record");
    if (!bytes)
        return false;
    if (record->address % RECORD_ALIGNMENT)
        fault_at(bus->log, FAULT_RECORD, record->address,
                 "VG shader state record at 0x%08x is not 16-byte aligned", record->address);
    if (bytes[3])
        fault_at(bus->log, FAULT_RECORD, record->address,
                 "the VG shader state record has %u varyings; VG primitives have none", bytes[3]);
    record->flags = bytes[0];
    record->fragment_code = load_le32(bytes + 4);
    record->fragment_uniforms = load_le32(bytes + 8);
    return true;
}

bool shader_record_read(struct shader_record *record, const struct cl_state *state, struct bus *bus)
{
    *record = (struct shader_record){.code = state->shader_code, .address = state->shader_word};
    switch (state->shader_code) {
    case CL_NV_SHADER_STATE: return read_nv_record(record, bus);
    case CL_GL_SHADER_STATE:
        fault(bus->log, FAULT_NOT_MODELLED,
              "GL mode (vertex and coordinate shaders) is not modelled");
        return false;
    case CL_VG_SHADER_STATE:
    case CL_VG_INLINE_SHADER_RECORD: return read_vg_record(record, state, bus);
    default:
        fault(bus->log, FAULT_CL_ORDER, "primitives come before any shader state record");
        return false;
    }
}
