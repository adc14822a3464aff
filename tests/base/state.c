/* SPDX-License-Identifier: MIT */
/* state.c - tests of saved states. Expected bytes are written down by hand. */
#include "base/state.h"

#include <stdlib.h>
#include <string.h>

#include "../random.h"
#include "../register.h"

enum colour { RED, GREEN, BLUE, COLOURS };
enum { WORDS = 4, ITEMS_MAX = 1000 };

/* A machine with a field of each type. */
struct toy {
    bool flag, flags[3];
    uint8_t u8;
    uint16_t u16, u16s[2];
    uint32_t u32, u32s[WORDS];
    uint64_t u64, u64s[2];
    int8_t i8;
    int16_t i16;
    int32_t i32, i32s[2];
    int64_t i64;
    float f32, f32s[2];
    size_t size;
    enum colour colour;
    uint8_t below;   /* less than 10 */
    uint32_t in;     /* 5 to 7 */
    int16_t between; /* -3 to 3 */
    char text[8];
    uint8_t bytes[3];
    uint32_t count; /* number of items */
    uint32_t *items;
};

static void list_numbers(struct state_stream *stream, struct toy *toy)
{
    struct state_section section = state_open(stream, STATE_TAG('N', 'U', 'M', 'S'));
    state_bool(stream, &toy->flag);
    state_bools(stream, toy->flags, 3);
    state_u8(stream, &toy->u8);
    state_u16(stream, &toy->u16);
    state_u16s(stream, toy->u16s, 2);
    state_u32(stream, &toy->u32);
    state_u32s(stream, toy->u32s, WORDS);
    state_u64(stream, &toy->u64);
    state_u64s(stream, toy->u64s, 2);
    state_i8(stream, &toy->i8);
    state_i16(stream, &toy->i16);
    state_i32(stream, &toy->i32);
    state_i32s(stream, toy->i32s, 2);
    state_i64(stream, &toy->i64);
    state_f32(stream, &toy->f32);
    state_f32s(stream, toy->f32s, 2);
    state_size(stream, &toy->size);
    state_close(stream, &section);
}

static void list_items(struct state_stream *stream, struct toy *toy)
{
    struct state_section section = state_open(stream, STATE_TAG('I', 'T', 'E', 'M'));
    toy->count = state_count(stream, toy->count, ITEMS_MAX, sizeof *toy->items);
    if (state_allocate(stream, &toy->items, toy->count, sizeof *toy->items))
        state_u32s(stream, toy->items, toy->count);
    state_close(stream, &section);
}

static void list_toy(struct state_stream *stream, void *object)
{
    struct toy *toy = object;
    list_numbers(stream, toy);
    state_enum(stream, &toy->colour, COLOURS);
    state_below(stream, &toy->below, 10);
    state_in(stream, &toy->in, 5, 7);
    state_between(stream, &toy->between, -3, 3);
    state_text(stream, toy->text, sizeof toy->text);
    state_bytes(stream, toy->bytes, sizeof toy->bytes);
    list_items(stream, toy);
}

static const struct state_identity identity = {
    .machine = STATE_TAG('T', 'O', 'Y', ' '), .version = 3, .options = 0x1122334455667788};

static uint32_t items[2] = {7, 0xfffffffe};

static struct toy make_toy(void)
{
    struct toy toy = {
        .flag = true,
        .flags[1] = true,
        .u8 = 0xfe,
        .u16 = 0xfedc,
        .u16s[1] = 2,
        .u32 = 0xfedcba98,
        .u32s[3] = 4,
        .u64 = 0xfedcba9876543210,
        .u64s[1] = UINT64_MAX,
        .i8 = -2,
        .i16 = -3,
        .i32 = INT32_MIN,
        .i32s[0] = -1,
        .i64 = INT64_MIN,
        .f32 = bits_float(0x7fa00001), /* a signalling NaN stays one */
        .f32s[0] = -0.0f,
        .size = 12345,
        .colour = BLUE,
        .below = 9,
        .in = 6,
        .between = -3,
        .text = "seven77",
        .bytes[2] = 3,
        .count = 2,
        .items = items,
    };
    return toy;
}

static uint8_t *save(const struct toy *toy, size_t *size)
{
    *size = state_measure(list_toy, toy);
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(state_save(&identity, list_toy, toy, bytes, *size), TESS_OK);
    return bytes;
}

static enum tess_status restore(struct toy *toy, const void *bytes, size_t size)
{
    *toy = (struct toy){0};
    return state_restore(&identity, list_toy, toy, bytes, size);
}

TEST(restores_every_field)
{
    size_t size, again_size;
    struct toy toy = make_toy(), again;
    uint8_t *bytes = save(&toy, &size);
    assert_int_equal(restore(&again, bytes, size), TESS_OK);
    assert_int_equal(again.i16, -3);
    assert_int_equal(again.i64, INT64_MIN);
    assert_int_equal(float_bits(again.f32), 0x7fa00001);
    assert_int_equal(again.colour, BLUE);
    assert_int_equal(again.between, -3);
    assert_string_equal(again.text, "seven77");
    assert_memory_equal(again.items, items, sizeof items);
    uint8_t *same = save(&again, &again_size);
    assert_int_equal(again_size, size);
    assert_memory_equal(same, bytes, size);
    free(again.items);
    free(bytes);
    free(same);
}

/* A machine of two fields, for tests of exact bytes. */
struct pair {
    int16_t a;
    uint32_t b;
};

static void list_pair(struct state_stream *stream, void *object)
{
    struct pair *pair = object;
    state_i16(stream, &pair->a);
    struct state_section section = state_open(stream, STATE_TAG('B', 'B', ' ', ' '));
    state_u32(stream, &pair->b);
    state_close(stream, &section);
}

#define PAIR_HEADER                                           \
    "TESSAVE\nTOY \x03\0\0\0\x88\x77\x66\x55\x44\x33\x22\x11" \
    "\x3a\0\0\0\0\0\0\0"
#define PAIR_BODY \
    "\xfe\xff"    \
    "BB  \x04\0\0\0\0\0\0\0\x98\xba\xdc\xfe"

TEST(has_the_same_bytes_on_every_host)
{
    const struct pair pair = {.a = -2, .b = 0xfedcba98};
    uint8_t bytes[58];
    assert_int_equal(state_measure(list_pair, &pair), sizeof bytes);
    assert_int_equal(state_save(&identity, list_pair, &pair, bytes, sizeof bytes), TESS_OK);
    assert_memory_equal(bytes, PAIR_HEADER, 32);
    assert_memory_equal(bytes + 40, PAIR_BODY, 18);
    assert_true(load_le64(bytes + 32) == hash_bytes(HASH_START, (const uint8_t *)PAIR_BODY, 18));
}

TEST(writes_only_if_the_state_fits)
{
    const struct pair pair = {.a = 1, .b = 2};
    uint8_t bytes[64], untouched[64];
    memset(bytes, 0xee, sizeof bytes);
    memset(untouched, 0xee, sizeof untouched);
    assert_int_equal(state_save(&identity, list_pair, &pair, bytes, 57), TESS_INVALID);
    assert_int_equal(state_save(&identity, list_pair, &pair, NULL, 64), TESS_INVALID);
    assert_memory_equal(bytes, untouched, sizeof bytes);
    assert_int_equal(state_save(&identity, list_pair, &pair, bytes, 64), TESS_OK);
    assert_memory_equal(bytes + 58, untouched + 58, 6);
    struct pair again = {0};
    assert_int_equal(state_restore(&identity, list_pair, &again, bytes, 64), TESS_OK);
    assert_int_equal(again.b, 2);
}

TEST(refuses_other_identities)
{
    size_t size;
    struct toy toy = make_toy(), again = {0};
    uint8_t *bytes = save(&toy, &size);
    struct state_identity other = identity;
    other.machine++;
    assert_int_equal(state_restore(&other, list_toy, &again, bytes, size), TESS_MISMATCH);
    other = identity;
    other.version++;
    assert_int_equal(state_restore(&other, list_toy, &again, bytes, size), TESS_MISMATCH);
    other = identity;
    other.options ^= UINT64_C(1) << 63;
    assert_int_equal(state_restore(&other, list_toy, &again, bytes, size), TESS_MISMATCH);
    assert_int_equal(again.u8, 0);
    free(bytes);
}

TEST(refuses_truncated_states)
{
    size_t size;
    struct toy toy = make_toy(), again;
    uint8_t *bytes = save(&toy, &size);
    assert_int_equal(restore(&again, NULL, 0), TESS_BAD_INPUT);
    for (size_t i = 0; i < size; i++) {
        uint8_t *part = malloc(i ? i : 1); /* a separate block shows reads past the end */
        memcpy(part, bytes, i);
        assert_int_equal(restore(&again, part, i), TESS_BAD_INPUT);
        if (i > STATE_HEADER) {
            store_le64(part + 24, i);
            state_fix_checksum(part, i);
            assert_int_equal(restore(&again, part, i), TESS_BAD_INPUT);
        }
        free(again.items);
        free(part);
    }
    free(bytes);
}

TEST(refuses_flipped_bits)
{
    size_t size;
    struct toy toy = make_toy(), again;
    uint8_t *bytes = save(&toy, &size);
    for (size_t i = 0; i < 8 * size; i++) {
        bytes[i / 8] ^= (uint8_t)(1 << i % 8);
        assert_true(restore(&again, bytes, size) == TESS_BAD_INPUT ||
                    restore(&again, bytes, size) == TESS_MISMATCH);
        bytes[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    free(bytes);
}

/* Wrong bytes with a right checksum: what is read is within the ranges of the fields. */
TEST(checks_every_field)
{
    size_t size;
    uint32_t random = 1;
    struct toy toy = make_toy(), again;
    uint8_t *bytes = save(&toy, &size), *damaged = malloc(size);
    for (int round = 0; round < 20000; round++) {
        memcpy(damaged, bytes, size);
        for (int i = 0; i < 3; i++)
            damaged[STATE_HEADER + next_random(&random) % (size - STATE_HEADER)] =
                (uint8_t)next_random(&random);
        state_fix_checksum(damaged, size);
        enum tess_status status = restore(&again, damaged, size);
        assert_true(status == TESS_OK || status == TESS_BAD_INPUT);
        assert_true(again.colour < COLOURS && again.below < 10);
        assert_true(status != TESS_OK || (again.in >= 5 && again.in <= 7));
        assert_true(again.between >= -3 && again.between <= 3);
        assert_true(strlen(again.text) < sizeof again.text && again.count <= ITEMS_MAX);
        free(again.items);
    }
    free(bytes);
    free(damaged);
}

/* Returns a stream that reads count bytes. */
static struct state_stream reader(const uint8_t *bytes, size_t count)
{
    return (struct state_stream){.direction = STATE_READ, .from = bytes, .size = count};
}

TEST(wrong_values_leave_safe_values)
{
    const uint8_t bytes[] = {2, 0, 0, 0, 0, 0, 0, 0};
    struct state_stream stream = reader(bytes, sizeof bytes);
    bool flag = true;
    uint8_t next = 7;
    state_bool(&stream, &flag);
    state_u8(&stream, &next);
    assert_true(stream.bad);
    assert_false(flag);
    assert_int_equal(next, 0);
    stream = reader(bytes, sizeof bytes);
    uint32_t bounded = 0;
    state_in(&stream, &bounded, 5, 6);
    assert_true(stream.bad);
    assert_int_equal(bounded, 5);
}

TEST(counts_are_bounded_by_the_bytes)
{
    const uint8_t bytes[] = {3, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    struct state_stream stream = reader(bytes, sizeof bytes);
    assert_int_equal(state_count(&stream, 0, 100, 2), 3);
    stream = reader(bytes, sizeof bytes);
    assert_int_equal(state_count(&stream, 0, 100, 4), 0);
    assert_true(stream.bad);
    stream = reader(bytes, sizeof bytes);
    assert_int_equal(state_count(&stream, 0, 2, 1), 0);
    assert_true(stream.bad);
}

TEST(sections_must_be_filled)
{
    const uint8_t bytes[] = {'A', ' ', ' ', ' ', 2, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3};
    struct state_stream stream = reader(bytes, sizeof bytes);
    uint8_t byte;
    struct state_section section = state_open(&stream, STATE_TAG('A', ' ', ' ', ' '));
    state_u8(&stream, &byte);
    state_close(&stream, &section);
    assert_true(stream.bad);
    stream = reader(bytes, sizeof bytes);
    section = state_open(&stream, STATE_TAG('A', ' ', ' ', ' '));
    for (int i = 0; i < 3; i++)
        state_u8(&stream, &byte);
    assert_true(stream.bad); /* the third byte is outside of the section */
    state_close(&stream, &section);
    stream = reader(bytes, sizeof bytes);
    state_open(&stream, STATE_TAG('B', ' ', ' ', ' '));
    assert_true(stream.bad);
}
