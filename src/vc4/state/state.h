/* SPDX-License-Identifier: MIT */
/* state.h - the dynamic state, and the shader records to which the state refers. Control records 56
 * and 64..106 set the state. Each control-list thread has its own copy, which persists from one
 * list to the next. */
#ifndef VC4_STATE_STATE_H
#define VC4_STATE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/cl/cl.h"
#include "vc4/memory/bus.h"

/* Primitive types of record 56, which are also used by the stages after primitive assembly. */
enum primitive_type { PRIMITIVE_POINT, PRIMITIVE_LINE, PRIMITIVE_TRIANGLE, PRIMITIVE_RHT };

struct cl_state {
    uint8_t shader_code;    /* code of the latest shader state record (64 to 67), or 0 if there was
                               none */
    uint32_t shader_word;   /* first 32 data bits of that record: an address, and flags in the low
                               bits */
    uint32_t shader_word1;  /* second 32 data bits, only in record 67 */
    uint32_t configuration; /* 24 bits of record 96 */
    bool configured;        /* true if record 96 has been executed since reset */
    uint32_t flat_shade;    /* bits of record 97 */
    float point_size;       /* record 98, pixels; reset 1.0 */
    float line_width;       /* record 99, pixels; reset 1.0 */
    int16_t rht_x;          /* record 100, 12.4 fixed point */
    uint32_t depth_offset;  /* 32 bits of record 101 */
    uint16_t clip_left, clip_bottom, clip_width, clip_height; /* record 102, pixels */
    int16_t viewport_x, viewport_y;                           /* record 103, 12.4 fixed point */
    float z_min, z_max;                      /* record 104; reset 0.0 and 1.0 (Broadcom's
                                                vg_hw_4.c) */
    float clipper_x, clipper_y;              /* record 105: half width and height in 1/16 pixel */
    float clipper_z_scale, clipper_z_offset; /* record 106; reset 0.5 and 0.5, a choice */
    uint8_t list_format;                     /* record 56: data type << 4 | primitive type; reset
                                                0x12 */
    uint8_t recognised_format;               /* value of .list_format at the latest shader state
                                                record */
};

/* Extracts a field of record 96 from the configuration in struct cl_state. Example:
 * CONFIGURATION_GET(bits, OVERSAMPLE). */
#define CONFIGURATION_GET(configuration, field)               \
    ((configuration) >> CL_CONFIGURATION_BITS_##field##_BIT & \
     ((UINT32_C(1) << CL_CONFIGURATION_BITS_##field##_WIDTH) - 1))

/* Sets the values after reset. */
void state_reset(struct cl_state *state);

/* Applies one of the records that are listed at the head of this file. data points to the bytes
 * after the record's code. Returns false for any other code. */
bool state_apply(struct cl_state *state, uint8_t code, const uint8_t *data);

/* Flag bits of GL and NV shader records. */
enum {
    SHADER_SINGLE_THREADED = 1 << 0,
    SHADER_POINT_SIZE = 1 << 1,
    SHADER_CLIPPING = 1 << 2,
    SHADER_CLIP_HEADER = 1 << 3, /* only in NV records */
};

/* Kinds of shader that process vertices in GL mode: one kind for rendering, one for binning. */
enum shader_stage { STAGE_VERTEX, STAGE_COORDINATE, SHADER_STAGES };

enum { SHADER_ATTRIBUTES = 8 };

/* A vertex or coordinate shader, with its selection of attribute arrays. */
struct shader_program {
    uint32_t code, uniforms;
    uint16_t uniform_count; /* declared number of uniforms, not used by the hardware; 0 if
                               unknown */
    uint16_t select;        /* bit n selects attribute array n */
    uint16_t bytes; /* total attributes size: number of bytes in the VPM that are reserved per
                       vertex */
};

/* One attribute array. */
struct shader_attribute {
    uint32_t address;
    uint32_t bytes;                 /* bytes of one vertex, 1..256 */
    uint32_t stride;                /* bytes per vertex, 1..256 */
    uint16_t offset[SHADER_STAGES]; /* byte offset of the array's first word in the VPM column of a
                                       vertex */
    /* Word of an extended record that has the upper bits of the stride. 0 in other records. */
    uint32_t extended;
};

/* Fields that all kinds of shader record have, then fields of GL and NV records (manual tables 45
 * to 47). */
struct shader_record {
    uint8_t code; /* code of the control record that refers to this record, such as
                     CL_NV_SHADER_STATE */
    uint32_t address;
    uint16_t flags;
    uint8_t varyings;
    uint32_t fragment_code, fragment_uniforms;
    uint8_t fragment_uniform_count; /* declared number of uniforms, not used by the hardware; 0 if
                                       unknown */
    uint8_t vertex_stride;          /* in bytes; only in NV records */
    uint32_t vertex_address;        /* only in NV records */

    /* The following members are set only for GL records. */
    uint8_t attributes; /* number of arrays in the record, 1..8 */
    struct shader_program program[SHADER_STAGES];
    struct shader_attribute attribute[SHADER_ATTRIBUTES];
};

struct state_stream;

/* List the fields for saved states (base/state.h). */
void cl_state_fields(struct state_stream *stream, struct cl_state *state);
void shader_record_fields(struct state_stream *stream, struct shader_record *record);

/* Reads the record to which state points. If there is no record, or if the record is not mapped,
 * reports a finding and returns false. */
bool shader_record_read(struct shader_record *record, const struct cl_state *state,
                        struct bus *bus);

/* Reports mistakes in a record. For a GL record, checks the shader of the given stage and the
 * fragment shader. Mistakes do not stop the model. */
void shader_record_check(const struct shader_record *record, enum shader_stage stage,
                         struct fault_log *log);

/* Returns the attribute arrays that a shader receives, as bits. These are the selected arrays that
 * the record contains. */
static inline uint32_t shader_selected(const struct shader_record *record, enum shader_stage stage)
{
    return record->program[stage].select & ((1u << record->attributes) - 1);
}

/* Returns the number of words of a VPM column that are reserved for a shader's attributes. For a
 * shader without attributes, the result is 1, because Broadcom's driver (glxx_hw_4.c) sets up one
 * array of one byte with a total size of 0, and the shader reads one row. */
static inline uint32_t shader_rows(const struct shader_record *record, enum shader_stage stage)
{
    uint32_t bytes = record->program[stage].bytes;
    return bytes ? (bytes + 3) / 4 : 1;
}

/* shader_attribute_words() returns the number of words that an attribute has in the VPM.
 * shader_attribute_row() returns the index of the attribute's first word in the vertex's VPM
 * column. */
static inline uint32_t shader_attribute_words(const struct shader_attribute *attribute)
{
    return (attribute->bytes + 3) / 4;
}

static inline uint32_t shader_attribute_row(const struct shader_attribute *attribute,
                                            enum shader_stage stage)
{
    return attribute->offset[stage] / 4u;
}

/* Returns a mask with the lowest n of 64 bits set, for the first n rows of a column. */
static inline uint64_t shader_first_rows(uint32_t n)
{
    return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

/* Returns, as bits, the words of a VPM column that an attribute fills. Words 64 and above are not
 * included. */
static inline uint64_t shader_attribute_rows(const struct shader_attribute *attribute,
                                             enum shader_stage stage)
{
    return shader_first_rows(shader_attribute_words(attribute))
           << shader_attribute_row(attribute, stage);
}

#endif
