/* SPDX-License-Identifier: MIT */
/* state.c - see state.h. */
#include "base/state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Offsets of the header's fields. */
enum {
    AT_MAGIC = 0,
    AT_MACHINE = 8,
    AT_VERSION = 12,
    AT_OPTIONS = 16,
    AT_SIZE = 24, /* header and body */
    AT_CHECKSUM = 32,
};

static const uint8_t magic[8] = {'T', 'E', 'S', 'S', 'A', 'V', 'E', '\n'};

/* --- bytes --- */

/* Returns true if count bytes can be copied at .at. */
static bool has_room(struct state_stream *stream, size_t count)
{
    if (stream->direction != STATE_MEASURE && !stream->bad)
        stream->bad = count > stream->size - stream->at;
    return !stream->bad;
}

static const uint8_t *take(struct state_stream *stream, size_t count)
{
    const uint8_t *bytes = stream->from + stream->at;
    if (!has_room(stream, count))
        return NULL;
    stream->at += count;
    return bytes;
}

void state_bytes(struct state_stream *stream, void *bytes, size_t count)
{
    bool fits = has_room(stream, count);
    if (state_is_reading(stream) && count && fits)
        memcpy(bytes, stream->from + stream->at, count);
    else if (state_is_reading(stream) && count)
        memset(bytes, 0, count);
    else if (stream->direction == STATE_WRITE && count && fits)
        memcpy(stream->to + stream->at, bytes, count);
    if (fits)
        stream->at += count;
}

/* --- integers --- */

bool state_require(struct state_stream *stream, bool condition)
{
    if (state_is_reading(stream) && !condition)
        stream->bad = true;
    return !stream->bad;
}

static uint64_t read_integer(struct state_stream *stream, unsigned width)
{
    const uint8_t *bytes = take(stream, width);
    uint64_t value = 0;
    for (unsigned i = 0; bytes && i < width; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

uint64_t state_integer(struct state_stream *stream, uint64_t value, unsigned width)
{
    uint8_t bytes[8];
    if (state_is_reading(stream))
        return read_integer(stream, width);
    store_le64(bytes, value);
    state_bytes(stream, bytes, width);
    return value;
}

uint64_t state_unsigned(struct state_stream *stream, uint64_t value, unsigned width, uint64_t low,
                        uint64_t high)
{
    assert(state_is_reading(stream) || (value >= low && value <= high));
    value = state_integer(stream, value, width);
    return state_require(stream, value >= low && value <= high) ? value : low;
}

static int64_t sign_extended(uint64_t value, unsigned width)
{
    uint64_t sign = UINT64_C(1) << (8 * width - 1);
    return (int64_t)(((value & (sign | (sign - 1))) ^ sign) - sign);
}

int64_t state_signed(struct state_stream *stream, int64_t value, unsigned width, int64_t low,
                     int64_t high)
{
    assert(state_is_reading(stream) || (value >= low && value <= high));
    value = sign_extended(state_integer(stream, (uint64_t)value, width), width);
    return state_require(stream, value >= low && value <= high) ? value : low;
}

/* --- fields --- */

void state_bool(struct state_stream *stream, bool *field)
{
    state_below(stream, field, 2);
}

#define FIELD(name, type)                                                        \
    void name(struct state_stream *stream, type *field)                          \
    {                                                                            \
        uint64_t value = state_integer(stream, (uint64_t)*field, sizeof *field); \
        if (state_is_reading(stream))                                            \
            *field = (type)value;                                                \
    }

FIELD(state_u8, uint8_t)
FIELD(state_u16, uint16_t)
FIELD(state_u32, uint32_t)
FIELD(state_u64, uint64_t)
FIELD(state_i8, int8_t)
FIELD(state_i16, int16_t)
FIELD(state_i32, int32_t)
FIELD(state_i64, int64_t)

void state_f32(struct state_stream *stream, float *field)
{
    state_f32s(stream, field, 1);
}

void state_size(struct state_stream *stream, size_t *field)
{
    uint64_t value = state_unsigned(stream, *field, 8, 0, SIZE_MAX);
    if (state_is_reading(stream))
        *field = (size_t)value;
}

/* --- arrays --- */

static bool is_true_or_false(const uint8_t *bytes, size_t count)
{
    uint8_t all = 0;
    for (size_t i = 0; i < count; i++)
        all |= bytes[i];
    return all <= 1;
}

void state_bools(struct state_stream *stream, bool *values, size_t count)
{
    _Static_assert(sizeof(bool) == 1, "a bool is a byte of 0 or 1");
    if (state_is_reading(stream) && has_room(stream, count))
        state_require(stream, is_true_or_false(stream->from + stream->at, count));
    state_bytes(stream, values, count);
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARRAY(name, type, field)                                       \
    void name(struct state_stream *stream, type *values, size_t count) \
    {                                                                  \
        state_bytes(stream, values, count * sizeof *values);           \
    }
#else
#define ARRAY(name, type, field)                                       \
    void name(struct state_stream *stream, type *values, size_t count) \
    {                                                                  \
        for (size_t i = 0; i < count; i++)                             \
            field(stream, values + i);                                 \
    }

static void f32_field(struct state_stream *stream, float *field)
{
    uint32_t bits = (uint32_t)state_integer(stream, float_bits(*field), sizeof bits);
    if (state_is_reading(stream))
        *field = bits_float(bits);
}
#endif

ARRAY(state_u16s, uint16_t, state_u16)
ARRAY(state_u32s, uint32_t, state_u32)
ARRAY(state_i32s, int32_t, state_i32)
ARRAY(state_u64s, uint64_t, state_u64)
ARRAY(state_f32s, float, f32_field)

void state_text(struct state_stream *stream, char *text, size_t size)
{
    uint32_t length = state_is_reading(stream) ? 0 : (uint32_t)strlen(text);
    state_below(stream, &length, size);
    state_bytes(stream, text, length);
    if (state_is_reading(stream))
        memset(text + length, 0, size - length);
    state_require(stream, memchr(text, 0, length) == NULL);
}

uint32_t state_count(struct state_stream *stream, uint32_t count, uint32_t limit, size_t least)
{
    state_in(stream, &count, 0, limit);
    if (!state_is_reading(stream) && stream->counted < stream->at + count * least)
        stream->counted = stream->at + count * least;
    bool fits = count <= (stream->size - stream->at) / least;
    return state_require(stream, fits) || !state_is_reading(stream) ? count : 0;
}

bool state_allocate(struct state_stream *stream, void *memory, size_t count, size_t size)
{
    void *made = NULL;
    if (!state_is_reading(stream))
        return true;
    if (count && !stream->bad) {
        made = calloc(count, size);
        stream->no_memory = stream->bad = made == NULL;
    }
    memcpy(memory, &made, sizeof made);
    return !stream->bad;
}

/* Asserts that the arrays of the open section have the bytes that state_count() announced. If an
 * announced size were too large, a good state would be refused. */
static void check_counted(const struct state_stream *stream)
{
    assert(state_is_reading(stream) || stream->bad || stream->counted <= stream->at);
    (void)stream;
}

/* --- sections --- */

enum { SECTION_HEAD = 12 }; /* a tag of 4 bytes and a length of 8 bytes */

/* Limits the stream to the length that a section has. */
static void enter(struct state_stream *stream, uint64_t length)
{
    if (state_require(stream, length <= stream->size - stream->at))
        stream->size = stream->at + (size_t)length;
}

struct state_section state_open(struct state_stream *stream, uint32_t tag)
{
    struct state_section section = {.size = stream->size, .counted = stream->counted};
    state_unsigned(stream, tag, 4, tag, tag);
    uint64_t length = state_integer(stream, 0, 8);
    if (state_is_reading(stream))
        enter(stream, length);
    section.start = stream->at;
    stream->counted = 0;
    return section;
}

void state_close(struct state_stream *stream, const struct state_section *section)
{
    if (stream->direction == STATE_WRITE && !stream->bad)
        store_le64(stream->to + section->start - 8, stream->at - section->start);
    state_require(stream, stream->at == stream->size);
    check_counted(stream);
    stream->size = section->size;
    stream->counted = section->counted;
}

/* --- whole states --- */

size_t state_measure(state_fields *fields, const void *object)
{
    struct state_stream stream = {.direction = STATE_MEASURE, .at = STATE_HEADER};
    fields(&stream, (void *)object);
    check_counted(&stream);
    return stream.at;
}

static uint64_t checksum(const uint8_t *bytes, size_t size)
{
    return hash_bytes(HASH_START, bytes + STATE_HEADER, size - STATE_HEADER);
}

static void write_header(const struct state_identity *identity, uint8_t *to, size_t size)
{
    memcpy(to + AT_MAGIC, magic, sizeof magic);
    store_le32(to + AT_MACHINE, identity->machine);
    store_le32(to + AT_VERSION, identity->version);
    store_le64(to + AT_OPTIONS, identity->options);
    store_le64(to + AT_SIZE, size);
    store_le64(to + AT_CHECKSUM, checksum(to, size));
}

enum tess_status state_save(const struct state_identity *identity, state_fields *fields,
                            const void *object, void *to, size_t size)
{
    size_t needed = state_measure(fields, object);
    if (!to || size < needed)
        return TESS_INVALID;
    struct state_stream stream = {
        .direction = STATE_WRITE, .to = to, .at = STATE_HEADER, .size = needed};
    fields(&stream, (void *)object);
    assert(!stream.bad && stream.at == needed);
    write_header(identity, to, needed);
    return TESS_OK;
}

/* Checks everything of a header except the identity. */
static bool is_whole(const uint8_t *bytes, size_t size)
{
    if (size < STATE_HEADER || memcmp(bytes + AT_MAGIC, magic, sizeof magic) != 0)
        return false;
    uint64_t length = load_le64(bytes + AT_SIZE);
    return length >= STATE_HEADER && length <= size &&
           checksum(bytes, (size_t)length) == load_le64(bytes + AT_CHECKSUM);
}

static bool has_identity(const uint8_t *bytes, const struct state_identity *identity)
{
    return load_le32(bytes + AT_MACHINE) == identity->machine &&
           load_le32(bytes + AT_VERSION) == identity->version &&
           load_le64(bytes + AT_OPTIONS) == identity->options;
}

enum tess_status state_restore(const struct state_identity *identity, state_fields *fields,
                               void *scratch, const void *from, size_t size)
{
    if (!from || !is_whole(from, size))
        return TESS_BAD_INPUT;
    if (!has_identity(from, identity))
        return TESS_MISMATCH;
    struct state_stream stream = {.direction = STATE_READ,
                                  .from = from,
                                  .at = STATE_HEADER,
                                  .size = (size_t)load_le64((const uint8_t *)from + AT_SIZE)};
    fields(&stream, scratch);
    state_require(&stream, stream.at == stream.size);
    if (stream.no_memory)
        return TESS_NO_MEMORY;
    return stream.bad ? TESS_BAD_INPUT : TESS_OK;
}

void state_exchange(void *one, void *other, size_t size)
{
    uint8_t *a = one, *b = other;
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

void state_fix_checksum(uint8_t *bytes, size_t size)
{
    if (size >= STATE_HEADER)
        store_le64(bytes + AT_CHECKSUM, checksum(bytes, size));
}
