/* SPDX-License-Identifier: MIT */
/* validate_record.c - validates a job: its list for the binner (validate.c), then its shader
 * records with programs, attributes and uniforms.
 *
 * In:  for each record, the record and the indices of its buffer objects; the uniforms of all
 *      programs.
 * Out: records and uniforms that contain addresses, as V3D reads them.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_validate.c (validate_gl_shader_rec).
 * Choices: unlike the kernel, this code requires that the buffer object of a program contains a
 *          validated shader, and that there are enough uniforms for all programs of all records
 *          together. The kernel compares the uniforms of each program with the size of all
 *          uniforms. */
#include <errno.h>
#include <string.h>

#include "base/bits.h"
#include "isa/cl/cl.h"
#include "shim/drm/vc4/validate.h"

enum { FRAGMENT, VERTEX, COORDINATE, PROGRAMS };
enum { MOST_ATTRIBUTES = 8, MOST_BOS = PROGRAMS + MOST_ATTRIBUTES };
enum { RECORD_ALIGNMENT = 16, RECORD_BASE = 36, ATTRIBUTE_BYTES = 8, LONG_STRIDES = 100 };
enum { RECORD_HAS_LONG_STRIDES = 1 << CL_GL_SHADER_STATE_EXTENDED_BIT };

static const struct {
    const char *name;
    /* offset of the code's address in a record; the address of the uniforms follows it */
    uint32_t offset;
} programs[PROGRAMS] = {
    [FRAGMENT] = {"fragment", CL_GL_RECORD_CODE_BIT / 8},
    [VERTEX] = {"vertex", CL_GL_RECORD_VERTEX_CODE_BIT / 8},
    [COORDINATE] = {"coordinate", CL_GL_RECORD_COORDINATE_CODE_BIT / 8},
};

/* A record and its buffer objects. */
struct record {
    uint32_t bits, attribute_count, bytes, max_index;
    const uint8_t *from;
    uint8_t *to;
    struct bo *bos[MOST_BOS]; /* buffer objects of the programs, then of the attributes */
};

/* --- streams --- */

/* Reads `bytes` bytes of the program's data. Returns NULL if fewer are left. */
static const uint8_t *take(struct validate_stream *stream, uint32_t bytes)
{
    if (bytes > stream->left)
        return NULL;
    const uint8_t *taken = stream->from;
    stream->from += bytes;
    stream->left -= bytes;
    return taken;
}

static uint8_t *give(struct validate_stream *stream, uint32_t bytes)
{
    uint8_t *place = stream->to;
    stream->to += bytes;
    stream->address += bytes;
    return place;
}

/* --- buffer objects --- */

static int take_program(struct validation *v, struct record *record, unsigned program,
                        uint32_t index)
{
    if (index >= v->bo_count)
        return refuse(
            v->why, "use the index of a submitted buffer object",
            "%s shader: buffer object index %u is out of range; the job has %u buffer objects",
            programs[program].name, index, v->bo_count);
    if (!v->bos[index]->is_shader)
        return refuse(v->why, "use a buffer object created by DRM_IOCTL_VC4_CREATE_SHADER_BO",
                      "%s shader: buffer object %u is not a shader", programs[program].name,
                      v->bos[index]->number);
    record->bos[program] = v->bos[index];
    return 0;
}

static int take_bos(struct validation *v, struct record *record, const uint8_t *indices)
{
    for (unsigned i = 0; i < PROGRAMS; i++)
        if (take_program(v, record, i, load_le32(indices + 4 * i)))
            return EINVAL;
    for (unsigned i = PROGRAMS; i < PROGRAMS + record->attribute_count; i++) {
        record->bos[i] = validate_bo(v, load_le32(indices + 4 * i));
        if (!record->bos[i])
            return EINVAL;
    }
    return 0;
}

static int check_threads(struct validation *v, const struct record *record)
{
    const bool is_threaded = !CL_GET(record->from, GL_RECORD, SINGLE_THREADED);
    if (is_threaded != bo_shader(record->bos[FRAGMENT])->is_threaded)
        return refuse(v->why,
                      "set the record's single-threaded flag if the fragment shader has no thread "
                      "switches, and clear it otherwise",
                      "the record marks the fragment shader as %s-threaded, but it is not",
                      is_threaded ? "multi" : "single");
    if (bo_shader(record->bos[VERTEX])->is_threaded ||
        bo_shader(record->bos[COORDINATE])->is_threaded)
        return refuse(v->why, "remove the thread switches",
                      "a vertex or coordinate shader has thread switches");
    return 0;
}

/* --- programs and their uniforms --- */

static int copy_samples(struct validation *v, const struct shader *shader, const uint8_t *indices,
                        const uint8_t *uniforms, uint8_t *to)
{
    for (uint32_t i = 0; i < shader->sample_count; i++) {
        const struct bo *bo = validate_bo(v, load_le32(indices + 4 * i));
        if (!bo || validate_sample(&shader->samples[i], bo, uniforms, to, v->why))
            return EINVAL;
    }
    return 0;
}

/* True if all offsets of TMU parameters are inside the program's uniforms. If a load-immediate
 * instruction starts a direct read, it reads no uniform, so its offset may be after the end. The
 * kernel then accesses memory after the uniforms. */
static bool is_inside(const struct shader *shader)
{
    for (uint32_t i = 0; i < shader->sample_count; i++)
        for (unsigned p = 0; p < SHADER_PARAMETERS; p++)
            if (shader->samples[i].offset[p] != SHADER_NOWHERE &&
                shader->samples[i].offset[p] >= shader->uniforms_size)
                return false;
    return true;
}

static int copy_program(struct validation *v, const struct record *record, unsigned program)
{
    const uint32_t offset = programs[program].offset;
    const struct bo *bo = record->bos[program];
    const struct shader *shader = bo_shader(bo);
    if (load_le32(record->from + offset) != 0)
        return refuse(v->why,
                      "set the address to 0: a program begins at the start of its buffer object",
                      "the %s shader's address is 0x%x, not 0", programs[program].name,
                      load_le32(record->from + offset));
    const uint8_t *indices = take(&v->uniforms, shader->source_size);
    if (!indices || !is_inside(shader))
        return refuse(
            v->why,
            "submit the data of the fragment, vertex and coordinate shader in this order: "
            "an index for each request to a TMU, then the uniforms",
            "the %s shader needs %u bytes of uniforms, but only %u are left",
            programs[program].name, shader->source_size, v->uniforms.left);
    const uint8_t *uniforms = indices + 4 * (size_t)shader->sample_count;
    const uint32_t address = v->uniforms.address;
    uint8_t *to = give(&v->uniforms, shader->uniforms_size);
    memcpy(to, uniforms, shader->uniforms_size);
    const int error = copy_samples(v, shader, indices, uniforms, to);
    for (uint32_t i = 0; i < shader->address_count; i++)
        store_le32(to + 4 * (size_t)shader->address_slots[i], address);
    store_le32(record->to + offset, bo->memory.address);
    store_le32(record->to + offset + 4, address);
    return error;
}

/* --- attributes --- */

static int copy_attribute(struct validation *v, const struct record *record, uint32_t number)
{
    const struct bo *bo = record->bos[PROGRAMS + number];
    const uint8_t *from = record->from + RECORD_BASE + ATTRIBUTE_BYTES * number;
    const uint32_t offset = CL_GET(from, GL_ATTRIBUTE, ADDRESS),
                   size = CL_GET(from, GL_ATTRIBUTE, BYTES) + 1;
    uint32_t stride = CL_GET(from, GL_ATTRIBUTE, STRIDE);
    if (record->bits & RECORD_HAS_LONG_STRIDES)
        stride |= load_le32(record->from + LONG_STRIDES + 4 * number) & ~UINT32_C(0xff);
    if (bo->size < offset || bo->size - offset < size)
        return refuse(
            v->why, "read attributes from inside their buffer object",
            "attribute %u needs %u bytes from byte %u on, but buffer object %u has only %u bytes",
            number, size, offset, bo->number, bo->size);
    if (stride && record->max_index > (bo->size - offset - size) / stride)
        return refuse(v->why,
                      "set the maximum index of the primitives to the largest index in use, and "
                      "submit enough vertices",
                      "attribute %u: primitives use index %u, but the largest index in buffer "
                      "object %u is %u",
                      number, record->max_index, bo->number, (bo->size - offset - size) / stride);
    store_le32(record->to + RECORD_BASE + ATTRIBUTE_BYTES * number, bo->memory.address + offset);
    return 0;
}

/* --- records --- */

static uint32_t record_bytes(const struct record *record)
{
    return record->bits & RECORD_HAS_LONG_STRIDES
               ? LONG_STRIDES + 4 * record->attribute_count
               : RECORD_BASE + ATTRIBUTE_BYTES * record->attribute_count;
}

static int take_record(struct validation *v, struct record *record)
{
    const uint8_t *indices = take(&v->records, 4 * (PROGRAMS + record->attribute_count));
    record->bytes = record_bytes(record);
    record->from = indices ? take(&v->records, record->bytes) : NULL;
    if (!record->from)
        return refuse(v->why, "submit an index for each shader and attribute, then the record",
                      "the record needs %u indices and %u bytes, but the data ends earlier",
                      PROGRAMS + record->attribute_count, record->bytes);
    record->to = give(&v->records,
                      (record->bytes + RECORD_ALIGNMENT - 1) / RECORD_ALIGNMENT * RECORD_ALIGNMENT);
    memcpy(record->to, record->from, record->bytes);
    return take_bos(v, record, indices);
}

static int copy_record(struct validation *v, const struct validate_record *seen)
{
    struct record record = {
        .bits = seen->attributes,
        .attribute_count = seen->attributes & 7 ? seen->attributes & 7 : MOST_ATTRIBUTES,
        .max_index = seen->max_index,
    };
    int error = take_record(v, &record);
    if (!error)
        error = check_threads(v, &record);
    for (unsigned i = 0; i < PROGRAMS && !error; i++)
        error = copy_program(v, &record, i);
    for (uint32_t i = 0; i < record.attribute_count && !error; i++)
        error = copy_attribute(v, &record, i);
    return error;
}

static int check_records(struct validation *v)
{
    v->why->rule = "drm-shader-record";
    for (uint32_t i = 0; i < v->seen_count; i++) {
        const int error = copy_record(v, &v->seen[i]);
        if (error)
            return refused_at(v->why, error, "shader record %u", i);
    }
    return 0;
}

int validate_job(struct validation *v, struct refusal *why)
{
    *why = (struct refusal){.rule = "drm-bin-list"};
    v->why = why;
    v->records_address = v->records.address;
    const int error = validate_list(v);
    return error ? error : check_records(v);
}
