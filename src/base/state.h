/* SPDX-License-Identifier: MIT */
/* state.h - saved states of machines: a stream of typed fields that one function per block
 * measures, writes and reads.
 *
 * In:      the fields of a machine, in an order that never depends on the host.
 * Out:     a header and a body. Integers are little-endian and have fixed widths; there is no
 *          padding. Equal machines have equal bytes on every host.
 * Reading: the bytes may be damaged, or come from somewhere else. Each field is checked. After the
 *          first wrong field, the stream is bad, and every further field reads as 0.
 *
 * A block lists its fields once:
 *
 *     void fifo_state(struct state_stream *stream, struct fifo *fifo)
 *     {
 *         struct state_section section = state_open(stream, STATE_TAG('F', 'I', 'F', 'O'));
 *         STATE_FIELDS(stream, &fifo->stalled, &fifo->time);
 *         state_enum(stream, &fifo->mode, FIFO_MODES);
 *         state_below(stream, &fifo->count, FIFO_SIZE + 1);
 *         state_u32s(stream, fifo->word, fifo->count);
 *         state_close(stream, &section);
 *     }
 *
 * A machine has a state_fields function, which calls the functions of its blocks, and saves with
 * state_save(). To restore, the machine reads into a scratch object with state_restore(), and
 * replaces its own state only after success. */
#ifndef BASE_STATE_H
#define BASE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/tessera.h>

#include "base/bits.h"
#include "base/hash.h"

enum { STATE_HEADER = 40 }; /* size of the header in bytes */

enum state_direction {
    STATE_MEASURE, /* counts bytes */
    STATE_WRITE,   /* copies fields to bytes */
    STATE_READ,    /* copies bytes to fields */
};

struct state_stream {
    enum state_direction direction;
    uint8_t *to;         /* for STATE_WRITE */
    const uint8_t *from; /* for STATE_READ */
    size_t at;           /* number of bytes before the next field */
    size_t size;         /* end of the bytes, or of the open section when reading */
    size_t counted;      /* when not reading: least end of the arrays that state_count() announced
                          * in the open section */
    bool bad;            /* the bytes are damaged (STATE_READ) or do not fit (STATE_WRITE) */
    bool no_memory;      /* the host is out of memory; only for STATE_READ, with .bad */
};

/* What a state belongs to. A state is restored only if all members are equal. */
struct state_identity {
    uint32_t machine; /* a STATE_TAG */
    uint32_t version; /* version of the body's format; changes with every change of the fields */
    uint64_t options; /* hash of the options that the state depends on: state_hash() */
};

/* Lists the fields of an object. When measuring and writing, the function must not change the
 * object. */
typedef void state_fields(struct state_stream *stream, void *object);

/* --- whole states --- */

/* Returns the size of an object's state in bytes, with its header. */
size_t state_measure(state_fields *fields, const void *object);

/* Writes an object's state. Returns TESS_INVALID, and writes nothing, if size is less than
 * state_measure(). The function may write less than size bytes. */
enum tess_status state_save(const struct state_identity *identity, state_fields *fields,
                            const void *object, void *to, size_t size);

/* Reads a state into a scratch object. The object's pointers must be NULL, or as `fields` expects
 * them. After a failure, the object may be filled in part; the caller frees it. Bytes after the
 * state are ignored. Returns TESS_BAD_INPUT if the bytes are damaged or not a state, TESS_MISMATCH
 * if the identity differs, or TESS_NO_MEMORY. */
enum tess_status state_restore(const struct state_identity *identity, state_fields *fields,
                               void *scratch, const void *from, size_t size);

/* Exchanges two objects of `size` bytes that do not overlap. A machine gives its old memory to the
 * scratch object in this way, which frees the memory. */
void state_exchange(void *one, void *other, size_t size);

/* Sets the checksum in the header of `size` bytes to the checksum of the body, so that tests and
 * fuzz targets reach the checks of the fields. Does nothing if the bytes are too short. */
void state_fix_checksum(uint8_t *bytes, size_t size);

/* Returns hash extended by an integer, for struct state_identity. The first hash is HASH_START. */
static inline uint64_t state_hash(uint64_t hash, uint64_t value)
{
    uint8_t bytes[8];
    store_le64(bytes, value);
    return hash_bytes(hash, bytes, sizeof bytes);
}

/* --- sections --- */

#define STATE_TAG(a, b, c, d) \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

struct state_section {
    size_t start;   /* position of the first field */
    size_t size;    /* .size of the stream before the section */
    size_t counted; /* .counted of the stream before the section */
};

/* Begins and ends a section: a tag, a length, and fields. Sections may be nested. When reading, the
 * tag must be equal, and the fields must fill the section. */
struct state_section state_open(struct state_stream *stream, uint32_t tag);
void state_close(struct state_stream *stream, const struct state_section *section);

/* --- fields --- */

static inline bool state_is_reading(const struct state_stream *stream)
{
    return stream->direction == STATE_READ;
}

/* Marks a stream as bad unless the condition is true. Blocks call it for relations between fields;
 * it has an effect only when reading. Returns true if the stream is good. */
bool state_require(struct state_stream *stream, bool condition);

/* Measures, writes or reads an integer of `width` bytes (1 to 8), and returns the integer; 0 if the
 * stream is bad. */
uint64_t state_integer(struct state_stream *stream, uint64_t value, unsigned width);

/* state_integer() with bounds. Returns low if the value read is not low..high. */
uint64_t state_unsigned(struct state_stream *stream, uint64_t value, unsigned width, uint64_t low,
                        uint64_t high);
int64_t state_signed(struct state_stream *stream, int64_t value, unsigned width, int64_t low,
                     int64_t high);

/* Fields of any value. state_size() has 64 bits and fails if the host's size_t is smaller. */
void state_bool(struct state_stream *stream, bool *field);
void state_u8(struct state_stream *stream, uint8_t *field);
void state_u16(struct state_stream *stream, uint16_t *field);
void state_u32(struct state_stream *stream, uint32_t *field);
void state_u64(struct state_stream *stream, uint64_t *field);
void state_i8(struct state_stream *stream, int8_t *field);
void state_i16(struct state_stream *stream, int16_t *field);
void state_i32(struct state_stream *stream, int32_t *field);
void state_i64(struct state_stream *stream, int64_t *field);
void state_f32(struct state_stream *stream, float *field);
void state_size(struct state_stream *stream, size_t *field);

/* Lists fields with the functions above, except state_size(). The arguments after `stream`, 40 at
 * most, are the addresses of the fields. Their types select the functions. */
#define STATE_FIELDS(stream, ...) STATE_SCAN(STATE_EACH(stream, __VA_ARGS__))

#define STATE_FIELD(stream, field) \
    _Generic((field), bool *: state_bool, uint8_t *: state_u8, uint16_t *: state_u16,    \
             uint32_t *: state_u32, uint64_t *: state_u64, int8_t *: state_i8,           \
             int16_t *: state_i16, int32_t *: state_i32, int64_t *: state_i64,           \
             float *: state_f32)(stream, field)

/* The preprocessor replaces STATE_NEXT by STATE_EACH() for the next field each time that it scans
 * the text. */
#define STATE_EACH(stream, field, ...) \
    STATE_FIELD(stream, field) __VA_OPT__(, STATE_NEXT STATE_NONE(stream, __VA_ARGS__))
#define STATE_NEXT()      STATE_EACH
#define STATE_NONE        ()
#define STATE_SCAN(...)   STATE_SCAN_3(STATE_SCAN_3(STATE_SCAN_3(__VA_ARGS__)))
#define STATE_SCAN_3(...) STATE_SCAN_2(STATE_SCAN_2(STATE_SCAN_2(__VA_ARGS__)))
#define STATE_SCAN_2(...) STATE_SCAN_1(STATE_SCAN_1(STATE_SCAN_1(__VA_ARGS__)))
#define STATE_SCAN_1(...) __VA_ARGS__

/* An unsigned field less than limit. The field has a type of fixed width, or is `unsigned`. A wrong
 * value reads as 0. */
#define state_below(stream, field, limit) state_in(stream, field, 0, (limit)-UINT64_C(1))

/* An unsigned field from low to high. A wrong value reads as low. */
#define state_in(stream, field, low, high)                                                        \
    do {                                                                                          \
        uint64_t state_value = state_unsigned(stream, (uint64_t) * (field), sizeof *(field), low, \
                                              high);                                              \
        if (state_is_reading(stream))                                                             \
            *(field) = (__typeof__(*(field)))state_value;                                         \
    } while (0)

/* A signed field from low to high. A wrong value reads as low. */
#define state_between(stream, field, low, high)                                           \
    do {                                                                                  \
        int64_t state_value = state_signed(stream, *(field), sizeof *(field), low, high); \
        if (state_is_reading(stream))                                                     \
            *(field) = (__typeof__(*(field)))state_value;                                 \
    } while (0)

/* An enumeration with values 0 to count - 1, in 32 bits. A wrong value reads as 0. */
#define state_enum(stream, field, count)                                                       \
    do {                                                                                       \
        uint64_t state_value = state_unsigned(stream, (uint64_t) * (field), 4, 0, (count)-1u); \
        if (state_is_reading(stream))                                                          \
            *(field) = (__typeof__(*(field)))state_value;                                      \
    } while (0)

/* Arrays of `count` elements. */
void state_bytes(struct state_stream *stream, void *bytes, size_t count);
void state_bools(struct state_stream *stream, bool *values, size_t count);
void state_u16s(struct state_stream *stream, uint16_t *values, size_t count);
void state_u32s(struct state_stream *stream, uint32_t *values, size_t count);
void state_i32s(struct state_stream *stream, int32_t *values, size_t count);
void state_u64s(struct state_stream *stream, uint64_t *values, size_t count);
void state_f32s(struct state_stream *stream, float *values, size_t count);

/* Text with a NUL in an array of `size` bytes. Writes the length and the characters. */
void state_text(struct state_stream *stream, char *text, size_t size);

/* The number of elements of an array that the object allocates, in 32 bits. When reading, the
 * number is at most limit, and at most the remaining bytes divided by the least number of bytes
 * that an element has in the stream, so damaged bytes cannot demand much memory. Returns the
 * number; 0 if the stream is bad. */
uint32_t state_count(struct state_stream *stream, uint32_t count, uint32_t limit, size_t least);

/* When reading, allocates count elements of size bytes, filled with 0, for an array whose fields
 * follow. Stores the pointer at *memory, which the object's owner frees; NULL if count is 0.
 * Returns true if the fields can follow: always when measuring and writing. */
bool state_allocate(struct state_stream *stream, void *memory, size_t count, size_t size);

#endif
