/* SPDX-License-Identifier: MIT */
/* Tests of src/shim/drm/vc4/validate.c, validate_record.c and validate_texture.c. A correct job
 * must be accepted. For each rule, a job with one change must be refused with the message of that
 * rule.
 *
 * Expected: values worked out by hand from Linux, drivers/gpu/drm/vc4/vc4_validate.c, and from
 * tables 15 to 18 of the VideoCore IV 3D Architecture Reference Guide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <errno.h>

#include "../../../register.h"
#include "base/bits.h"
#include "shim/drm/vc4/validate.h"

enum { FRAGMENT, VERTEX, COORDINATE, VERTICES, TEXTURE, INDICES, BOS };
enum { LISTS = 0x100000, BINNER = 0x200000, SLOT = 512 * 1024, ROOM = 1024, RECORD = 44 };

/* Offsets in the list of the job. */
enum {
    CONFIGURATION = 0,
    START = 16,
    SHADER = 17,
    HANDLES = 22,
    ELEMENTS = 31,
    ARRAYS = 45,
    SEMAPHORE = 55,
    FLUSH = 56,
    END = 57
};

static struct shader shaders[3];
static struct shader_sample sample;
static struct bo objects[BOS], *bos[BOS];
static uint8_t list[ROOM], records[ROOM], uniforms[ROOM], copies[3][ROOM];
static struct validate_record seen[2];
static struct validation job;
static struct refusal why;

static void put_list(void)
{
    memset(list, 0, sizeof list);
    list[CONFIGURATION] = 112;
    list[CONFIGURATION + 13] = 4;
    list[CONFIGURATION + 14] = 3;
    list[START] = 6;
    list[SHADER] = 64;
    list[SHADER + 1] = 1; /* one attribute */
    list[HANDLES] = 254;
    store_le32(list + HANDLES + 1, INDICES);
    list[ELEMENTS] = 32;
    list[ELEMENTS + 1] = 0x14; /* 16-bit indices, triangles */
    store_le32(list + ELEMENTS + 2, 6);
    store_le32(list + ELEMENTS + 6, 64);
    store_le32(list + ELEMENTS + 10, 9);
    list[ARRAYS] = 33;
    list[ARRAYS + 1] = 4;
    store_le32(list + ARRAYS + 2, 3);
    store_le32(list + ARRAYS + 6, 5);
    list[SEMAPHORE] = 7;
    list[FLUSH] = 4;
}

/* Writes one shader record: the indices of its buffer objects, flags, three programs, and an
 * attribute. The attribute has 12 bytes, begins at byte 32 and has a stride of 16. */
static void put_records(void)
{
    static const uint32_t indices[] = {FRAGMENT, VERTEX, COORDINATE, VERTICES};
    memset(records, 0, sizeof records);
    for (unsigned i = 0; i < 4; i++)
        store_le32(records + 4 * i, indices[i]);
    uint8_t *record = records + 16;
    store_le16(record, 1); /* single-threaded */
    store_le32(record + 36, 32);
    record[40] = 11;
    record[41] = 16;
}

/* Writes the uniforms. The fragment shader has one TMU request with parameters 0 and 1: a texture
 * of 64 x 64 pixels, RGBA8888, at byte 4096. The vertex shader has two uniforms. The second one
 * receives the address of the first. */
static void put_uniforms(void)
{
    memset(uniforms, 0, sizeof uniforms);
    store_le32(uniforms, TEXTURE);
    store_le32(uniforms + 4, 4096);
    store_le32(uniforms + 8, 64 << 20 | 64 << 8);
    store_le32(uniforms + 12, 1234);
}

static int reset(void **state)
{
    static uint32_t slots[] = {1};
    (void)state;
    sample = (struct shader_sample){.offset = {0, 4, SHADER_NOWHERE, SHADER_NOWHERE}};
    shaders[FRAGMENT] = (struct shader){
        .uniforms_size = 8, .source_size = 12, .samples = &sample, .sample_count = 1};
    shaders[VERTEX] = (struct shader){
        .uniforms_size = 8, .source_size = 8, .address_slots = slots, .address_count = 1};
    shaders[COORDINATE] = (struct shader){0};
    for (unsigned i = 0; i < BOS; i++) {
        objects[i] = (struct bo){
            .memory = {.address = (i + 1) << 16}, .size = 0x8000, .number = i + 1};
        objects[i].is_shader = i <= COORDINATE;
        objects[i].data = objects[i].is_shader ? &shaders[i] : NULL;
        bos[i] = &objects[i];
    }
    put_list();
    put_records();
    put_uniforms();
    memset(copies, 0xcc, sizeof copies);
    job = (struct validation){
        .list = list,
        .list_size = END,
        .list_to = copies[0],
        .records = {.from = records, .left = 16 + RECORD, .to = copies[1], .address = LISTS},
        .uniforms = {.from = uniforms, .left = 20, .to = copies[2], .address = LISTS + ROOM},
        .seen = seen,
        .record_count = 1,
        .bos = bos,
        .bo_count = BOS,
        .binner_address = BINNER,
        .binner_size = SLOT,
    };
    return 0;
}

static void expect(const char *rule, const char *text)
{
    assert_int_equal(validate_job(&job, &why), EINVAL);
    assert_string_equal(why.text, text);
    assert_string_equal(why.rule, rule);
    assert_non_null(why.instead);
}

static void expect_list(const char *text)
{
    expect("drm-bin-list", text);
}

static void expect_record(const char *text)
{
    expect("drm-shader-record", text);
}

static void expect_texture(const char *text)
{
    expect("drm-texture", text);
}

/* Ends the list at byte `at` with packets 7 and 4. */
static void end_list(uint32_t at)
{
    list[at] = 7;
    list[at + 1] = 4;
    job.list_size = at + 2;
}

/* --- accepted jobs --- */

TEST_WITH(test_copy, reset, NULL)
{
    if (validate_job(&job, &why))
        fail_msg("%s", why.text);
    const uint8_t *copy = copies[0];
    assert_int_equal(job.list_bytes, END - 9); /* packet 254 is not in the copy */
    assert_int_equal(job.tile_lists, BINNER + 4096);
    assert_int_equal(load_le32(copy + 1), BINNER + 4096);
    assert_int_equal(load_le32(copy + 5), SLOT - 4096);
    assert_int_equal(load_le32(copy + 9), BINNER);
    /* blocks of 128 bytes, first blocks of 32 bytes, tile state is initialised */
    assert_int_equal(copy[15], 2 << 5 | 1 << 2);
    assert_int_equal(load_le32(copy + SHADER + 1), LISTS | 1);
    assert_int_equal(copy[HANDLES], 32);
    assert_int_equal(load_le32(copy + HANDLES + 6), objects[INDICES].memory.address + 64);
    assert_int_equal(seen[0].max_index, 9);

    copy = copies[1];
    assert_int_equal(load_le16(copy), 1);
    assert_int_equal(load_le32(copy + 4), objects[FRAGMENT].memory.address);
    assert_int_equal(load_le32(copy + 8), LISTS + ROOM);
    assert_int_equal(load_le32(copy + 16), objects[VERTEX].memory.address);
    assert_int_equal(load_le32(copy + 20), LISTS + ROOM + 8);
    assert_int_equal(load_le32(copy + 28), objects[COORDINATE].memory.address);
    assert_int_equal(load_le32(copy + 32), LISTS + ROOM + 16);
    assert_int_equal(load_le32(copy + 36), objects[VERTICES].memory.address + 32);
    assert_int_equal(copy[40], 11);
    assert_int_equal(copy[41], 16);

    copy = copies[2];
    assert_int_equal(load_le32(copy), objects[TEXTURE].memory.address + 4096);
    assert_int_equal(load_le32(copy + 4), 64 << 20 | 64 << 8);
    assert_int_equal(load_le32(copy + 8), 1234);
    assert_int_equal(load_le32(copy + 12), LISTS + ROOM + 8);
    assert_int_equal(copy[16], 0xcc);
}

/* The second record must begin at the next multiple of 16 bytes after the first. */
TEST_WITH(test_two_records, reset, NULL)
{
    memmove(list + SHADER + 5, list + SHADER, END - SHADER);
    memcpy(records + 16 + RECORD, records, 16 + RECORD);
    memcpy(uniforms + 20, uniforms, 20);
    job.list_size = END + 5;
    job.record_count = 2;
    job.records.left *= 2;
    job.uniforms.left *= 2;
    assert_int_equal(validate_job(&job, &why), 0);
    assert_int_equal(load_le32(copies[0] + SHADER + 6), (LISTS + 48) | 1);
    assert_int_equal(load_le32(copies[1] + 48 + 8), LISTS + ROOM + 16);
    assert_int_equal(load_le32(copies[2] + 16), objects[TEXTURE].memory.address + 4096);
}

TEST_WITH(test_every_packet, reset, NULL)
{
    static const uint8_t ids[] = {1, 5, 56, 96, 97, 98, 99, 100, 101, 102, 103, 105, 106},
                         sizes[] = {1, 1, 2, 4, 5, 5, 5, 3, 5, 9, 5, 9, 9};
    uint32_t at = START + 1;
    for (unsigned i = 0; i < sizeof ids; i++) {
        list[at] = ids[i];
        for (unsigned byte = 1; byte < sizes[i]; byte++)
            list[at + byte] = (uint8_t)byte;
        at += sizes[i];
    }
    end_list(at);
    assert_int_equal(validate_job(&job, &why), 0);
    assert_memory_equal(copies[0] + START, list + START, at + 2 - START);
}

/* --- the list --- */

TEST_WITH(test_refused_packets, reset, NULL)
{
    static const uint8_t refused[] = {2,  8,  16, 17,  18,  24,  28,  41,
                                      48, 65, 66, 104, 113, 115, 253, 255};
    for (unsigned i = 0; i < sizeof refused; i++) {
        char text[96];
        reset(NULL);
        list[START] = refused[i];
        snprintf(text, sizeof text, "byte 16 of the list, packet %u: this packet is not allowed",
                 refused[i]);
        expect_list(text);
    }
}

TEST_WITH(test_cut_packet, reset, NULL)
{
    job.list_size = SHADER + 4;
    expect_list("byte 17 of the list, packet 64, GL Shader State: the packet has 5 bytes, but only "
                "4 are left in the list");
}

TEST_WITH(test_order, reset, NULL)
{
    list[START] = 1;
    expect_list("the list does not start tile binning");
    reset(NULL);
    list[SEMAPHORE] = 1;
    expect_list("the list does not end with a semaphore and a flush");
    reset(NULL);
    list[FLUSH] = 5;
    expect_list("the list does not end with a semaphore and a flush");
    reset(NULL);
    list[SEMAPHORE] = 4;
    expect_list("byte 55 of the list, packet 4, Flush: this packet must be the last");
    reset(NULL);
    list[START] = 7;
    expect_list("byte 16 of the list, packet 7, Increment Semaphore: this packet must be the "
                "second to last");
    reset(NULL);
    list[SHADER] = 6;
    expect_list("byte 17 of the list, packet 6, Start Tile Binning: tile binning is started twice");
    reset(NULL);
    list[0] = 6;
    expect_list("byte 0 of the list, packet 6, Start Tile Binning: tile binning is not configured");
    reset(NULL);
    job.list_size = 0;
    expect_list("the list does not start tile binning");
}

/* V3D stops at a halt, so later packets must not be checked. */
TEST_WITH(test_halt, reset, NULL)
{
    list[START] = 0;
    list[SHADER] = 255;
    expect_list("the list does not start tile binning");
}

TEST_WITH(test_configuration, reset, NULL)
{
    list[13] = 0;
    expect_list("byte 0 of the list, packet 112, Tile Binning Mode Configuration: the frame has 0 "
                "x 3 tiles");
    reset(NULL);
    list[15] = 1 << 1;
    expect_list("byte 0 of the list, packet 112, Tile Binning Mode Configuration: flags 0x02 are "
                "not allowed");
    reset(NULL);
    list[15] = 1 << 7;
    expect_list("byte 0 of the list, packet 112, Tile Binning Mode Configuration: flags 0x80 are "
                "not allowed");
    reset(NULL);
    memmove(list + 16, list, END);
    job.list_size = END + 16;
    expect_list("byte 16 of the list, packet 112, Tile Binning Mode Configuration: tile binning is "
                "configured twice");
    reset(NULL);
    /* each of 16384 tiles needs 48 bytes of state and 32 bytes of list */
    list[13] = list[14] = 128;
    expect_list("byte 0 of the list, packet 112, Tile Binning Mode Configuration: the state of 128 "
                "x 128 tiles does not fit in the binner's memory of 524288 bytes");
    reset(NULL);
    /* the largest picture, 4096 x 4096 pixels, has this number of tiles */
    list[13] = list[14] = 64;
    list[15] = 1 | 3 << 3 | 1 << 5;
    assert_int_equal(validate_job(&job, &why), 0);
    assert_int_equal(job.tile_lists, BINNER + 48 * 4096);
    assert_int_equal(copies[0][15], 1 | 2 << 5 | 1 << 2);
}

TEST_WITH(test_primitives, reset, NULL)
{
    list[SHADER] = 97;
    expect_list("byte 31 of the list, packet 32, Indexed Primitive List: the primitives have no "
                "shader record");
    reset(NULL);
    store_le32(list + ELEMENTS + 2, 0x4000 - 31); /* one index more than fits after byte 64 */
    expect_list("byte 31 of the list, packet 32, Indexed Primitive List: 16353 indices of 2 bytes "
                "from byte 64 on exceed buffer object 6, which has 32768 bytes");
    reset(NULL);
    list[ELEMENTS + 1] = 4;
    store_le32(list + ELEMENTS + 6, 0x8001);
    expect_list("byte 31 of the list, packet 32, Indexed Primitive List: 6 indices of 1 bytes from "
                "byte 32769 on exceed buffer object 6, which has 32768 bytes");
    reset(NULL);
    store_le32(list + HANDLES + 1, BOS);
    expect_list("byte 31 of the list, packet 32, Indexed Primitive List: buffer object index 6 is "
                "out of range; the job has 6 buffer objects");
    reset(NULL);
    store_le32(list + HANDLES + 1, VERTEX);
    expect_list(
        "byte 31 of the list, packet 32, Indexed Primitive List: buffer object 2 is a shader");
    reset(NULL);
    store_le32(list + ARRAYS + 6, UINT32_MAX - 2);
    expect_list("byte 45 of the list, packet 33, Vertex Array Primitives: 3 vertices from index "
                "4294967293 on exceed the 32-bit range");
}

/* --- records --- */

TEST_WITH(test_record_packets, reset, NULL)
{
    job.record_count = 0;
    expect_list("byte 17 of the list, packet 64, GL Shader State: the list has more shader records "
                "than shader_rec_count, which is 0");
    reset(NULL);
    list[SHADER + 1] = 0x11;
    expect_list("byte 17 of the list, packet 64, GL Shader State: the address of the shader record "
                "is 0x11, not 0");
}

TEST_WITH(test_short_records, reset, NULL)
{
    job.records.left = 15;
    expect_record(
        "shader record 0: the record needs 4 indices and 44 bytes, but the data ends earlier");
    reset(NULL);
    job.records.left = 16 + RECORD - 1;
    expect_record(
        "shader record 0: the record needs 4 indices and 44 bytes, but the data ends earlier");
    reset(NULL);
    list[SHADER + 1] = 0; /* 0 means eight attributes */
    expect_record(
        "shader record 0: the record needs 11 indices and 100 bytes, but the data ends earlier");
    reset(NULL);
    list[SHADER + 1] = 8 | 1; /* one attribute, with a long stride */
    expect_record(
        "shader record 0: the record needs 4 indices and 104 bytes, but the data ends earlier");
}

TEST_WITH(test_record_bos, reset, NULL)
{
    store_le32(records, BOS);
    expect_record("shader record 0: fragment shader: buffer object index 6 is out of range; the "
                  "job has 6 buffer objects");
    reset(NULL);
    store_le32(records + 8, VERTICES);
    expect_record("shader record 0: coordinate shader: buffer object 4 is not a shader");
    reset(NULL);
    store_le32(records + 12, BOS);
    expect_record(
        "shader record 0: buffer object index 6 is out of range; the job has 6 buffer objects");
    reset(NULL);
    store_le32(records + 12, FRAGMENT);
    expect_record("shader record 0: buffer object 1 is a shader");
}

TEST_WITH(test_threads, reset, NULL)
{
    store_le16(records + 16, 0);
    expect_record(
        "shader record 0: the record marks the fragment shader as multi-threaded, but it is not");
    reset(NULL);
    shaders[FRAGMENT].is_threaded = true;
    expect_record(
        "shader record 0: the record marks the fragment shader as single-threaded, but it is not");
    reset(NULL);
    shaders[COORDINATE].is_threaded = true;
    expect_record("shader record 0: a vertex or coordinate shader has thread switches");
}

TEST_WITH(test_programs, reset, NULL)
{
    store_le32(records + 16 + 16, 8);
    expect_record("shader record 0: the vertex shader's address is 0x8, not 0");
    reset(NULL);
    job.uniforms.left = 19;
    expect_record(
        "shader record 0: the vertex shader needs 8 bytes of uniforms, but only 7 are left");
    reset(NULL);
    sample.offset[0] = 8; /* the offset is after the uniforms that the shader reads */
    expect_record(
        "shader record 0: the fragment shader needs 12 bytes of uniforms, but only 8 are left");
}

TEST_WITH(test_attributes, reset, NULL)
{
    store_le32(records + 16 + 36, 0x8000 - 11);
    expect_record("shader record 0: attribute 0 needs 12 bytes from byte 32757 on, but buffer "
                  "object 4 has only 32768 bytes");
    reset(NULL);
    objects[VERTICES].size = 32 + 9 * 16 + 11; /* one byte too few for index 9 */
    expect_record("shader record 0: attribute 0: primitives use index 9, but the largest index in "
                  "buffer object 4 is 8");
    reset(NULL);
    objects[VERTICES].size = 32 + 9 * 16 + 12;
    assert_int_equal(validate_job(&job, &why), 0);
    reset(NULL);
    records[16 + 41] = 0; /* with stride 0 all vertices read the same data */
    objects[VERTICES].size = 32 + 12;
    assert_int_equal(validate_job(&job, &why), 0);
}

TEST_WITH(test_long_stride, reset, NULL)
{
    list[SHADER + 1] = 8 | 1;
    job.records.left = 16 + 104;
    /* the stride is 0x110 together with the stride byte of the record */
    store_le32(records + 16 + 100, 0x0100);
    objects[VERTICES].size = 32 + 9 * 0x110 + 12;
    assert_int_equal(validate_job(&job, &why), 0);
    assert_int_equal(load_le32(copies[1] + 100), 0x0100);
    reset(NULL);
    list[SHADER + 1] = 8 | 1;
    job.records.left = 16 + 104;
    store_le32(records + 16 + 100, 0x0100);
    objects[VERTICES].size = 32 + 9 * 0x110 + 11;
    expect_record("shader record 0: attribute 0: primitives use index 9, but the largest index in "
                  "buffer object 4 is 8");
}

/* --- textures --- */

static void set_texture(uint32_t p0, uint32_t p1)
{
    reset(NULL);
    store_le32(uniforms + 4, p0);
    store_le32(uniforms + 8, p1);
}

TEST_WITH(test_texture_size, reset, NULL)
{
    /* A picture of 64 x 64 x 4 bytes has 16 KiB. So 0x8000 - 0x4000 is the last valid offset. */
    set_texture(0x4000, 64 << 20 | 64 << 8);
    assert_int_equal(validate_job(&job, &why), 0);
    set_texture(0x5000, 64 << 20 | 64 << 8);
    expect_texture("shader record 0: a picture of 64 x 64 pixels needs 16384 bytes from byte 20480 "
                   "on, but buffer object 5 has only 32768 bytes");
    /* In T-format, 33 x 33 pixels are padded to tiles of 32 x 32. In LT-format, 16 x 33 pixels are
     * padded to microtiles of 4 x 4. */
    set_texture(0x5000, 33 << 20 | 33 << 8);
    expect_texture("shader record 0: a picture of 33 x 33 pixels needs 16384 bytes from byte 20480 "
                   "on, but buffer object 5 has only 32768 bytes");
    set_texture(0x7000, 33 << 20 | 17 << 8);
    expect_texture("shader record 0: a picture of 17 x 33 pixels needs 8192 bytes from byte 28672 "
                   "on, but buffer object 5 has only 32768 bytes");
    set_texture(0x7000, 33 << 20 | 16 << 8); /* padded to 16 x 36 pixels: 2304 bytes */
    assert_int_equal(validate_job(&job, &why), 0);
    set_texture(0, 0); /* a size of 0 means 2048 */
    expect_texture("shader record 0: a picture of 2048 x 2048 pixels needs 16777216 bytes from "
                   "byte 0 on, but buffer object 5 has only 32768 bytes");
}

TEST_WITH(test_texture_types, reset, NULL)
{
    static const uint8_t bytes[18] = {4, 4, 2, 2, 2, 1, 1, 2, 0, 2, 1, 2, 0, 0, 0, 0, 4, 0};
    for (unsigned type = 0; type < sizeof bytes; type++) {
        const uint32_t p0 = (type & 15) << 4, p1 = (uint32_t)(type >> 4) << 31 | 64 << 20 | 64 << 8;
        if (type == 8) /* ETC1 has the test test_etc1() */
            continue;
        set_texture(p0, p1);
        objects[TEXTURE].size = bytes[type] * 64u * 64u;
        if (!bytes[type]) {
            char text[64];
            snprintf(text, sizeof text, "shader record 0: texture type %u is not allowed", type);
            expect_texture(text);
        } else {
            assert_int_equal(validate_job(&job, &why), 0);
            set_texture(p0, p1);
            objects[TEXTURE].size = bytes[type] * 64u * 64u - 1;
            assert_int_equal(validate_job(&job, &why), EINVAL);
        }
    }
}

/* In ETC1, a block of 4 x 4 pixels has 8 bytes, and a microtile has 2 x 4 blocks. 33 x 33 pixels
 * have 9 x 9 blocks, which are padded to 10 x 12. */
TEST_WITH(test_etc1, reset, NULL)
{
    set_texture(8 << 4, 33 << 20 | 33 << 8);
    objects[TEXTURE].size = 10 * 12 * 8;
    assert_int_equal(validate_job(&job, &why), 0);
    set_texture(8 << 4, 33 << 20 | 33 << 8);
    objects[TEXTURE].size = 10 * 12 * 8 - 1;
    expect_texture("shader record 0: a picture of 9 x 9 pixels needs 960 bytes from byte 0 on, but "
                   "buffer object 5 has only 959 bytes");
}

/* The smaller levels of a texture of 64 x 64 pixels precede it. They have these sizes: 4096 bytes
 * for 32 x 32 in T-format, 1024 for 16 x 16 in LT-format, 256 for 8 x 8, 64 for 4 x 4, and 64 each
 * for 2 x 2 and 1 x 1, which are padded. The sum is 5568. */
TEST_WITH(test_levels, reset, NULL)
{
    set_texture(0x2000 | 6, 64 << 20 | 64 << 8);
    assert_int_equal(validate_job(&job, &why), 0);
    set_texture(0x1000 | 1, 64 << 20 | 64 << 8);
    assert_int_equal(validate_job(&job, &why), 0);
    set_texture(0x1000 | 2, 64 << 20 | 64 << 8);
    expect_texture("shader record 0: level 2 (16 x 16) needs 1024 bytes, but only 0 are available "
                   "before the next larger level");
}

TEST_WITH(test_cube, reset, NULL)
{
    const uint32_t cube = 1 << 9, size = 32 << 20 | 32 << 8; /* 4096 bytes per face */
    set_texture(cube, size);
    expect_texture("shader record 0: the stride of the cube map is not set");

    set_texture(cube, size);
    sample.offset[2] =
        4; /* parameter 1 is the same word: bit 30 means height 1024, and bit 12 width 16 */
    store_le32(uniforms + 8, 1u << 30 | 0x1000);
    expect_texture("shader record 0: a picture of 16 x 1024 pixels needs 65536 bytes from byte "
                   "20480 on, but buffer object 5 has only 32768 bytes");
}

TEST_WITH(test_cube_stride, reset, NULL)
{
    shaders[FRAGMENT].uniforms_size = 16;
    shaders[FRAGMENT].source_size = 20;
    sample.offset[2] = 8;
    sample.offset[3] = 12;
    job.uniforms.left = 28;
    store_le32(uniforms + 4, 1 << 9);
    store_le32(uniforms + 8, 32 << 20 | 32 << 8);
    store_le32(uniforms + 12, 1u << 30 | 0x1000);
    store_le32(uniforms + 16, 2u << 30);
    objects[TEXTURE].size = 6 * 0x1000;
    assert_int_equal(validate_job(&job, &why), 0);
    store_le32(uniforms + 16, 1u << 30 | 0x1000);
    job.seen_count = 0;
    const struct shader_sample request = sample;
    uint8_t copy[16];
    assert_int_equal(validate_sample(&request, bos[TEXTURE], uniforms + 4, copy, &why), EINVAL);
    store_le32(uniforms + 16, 0);
    objects[TEXTURE].size = 6 * 0x1000 - 1;
    assert_int_equal(validate_sample(&request, bos[TEXTURE], uniforms + 4, copy, &why), EINVAL);
}

TEST_WITH(test_direct, reset, NULL)
{
    sample.is_direct = true;
    set_texture(0x7ffc, 0);
    sample.is_direct = true;
    assert_int_equal(validate_job(&job, &why), 0);
    assert_int_equal(load_le32(copies[2]), objects[TEXTURE].memory.address + 0x7ffc);
    set_texture(0x7ffd, 0);
    sample.is_direct = true;
    expect_texture("shader record 0: words are read from byte 32765 on, but buffer object 5 has "
                   "only 32768 bytes");
    set_texture(0x7000, 0xffd);
    sample.is_direct = true;
    expect_texture("shader record 0: words are read from byte 28672 on, with offsets up to 4093, "
                   "but buffer object 5 has only 32768 bytes");
}

TEST_WITH(test_texture_bo, reset, NULL)
{
    store_le32(uniforms, 99);
    expect_record(
        "shader record 0: buffer object index 99 is out of range; the job has 6 buffer objects");
    reset(NULL);
    store_le32(uniforms, FRAGMENT);
    expect_record("shader record 0: buffer object 1 is a shader");
}

/* --- the parts of a job --- */

TEST(test_place)
{
    uint32_t at_records, at_uniforms, size;
    assert_true(validate_place(57, 60, 20, &at_records, &at_uniforms, &size));
    assert_int_equal(at_records, 64);
    assert_int_equal(at_uniforms, 124);
    assert_int_equal(size, 144);
    assert_false(validate_place(UINT32_MAX, 0, 0, &at_records, &at_uniforms, &size));
    assert_false(validate_place(1, UINT32_MAX - 15, 0, &at_records, &at_uniforms, &size));
    assert_false(validate_place(1, UINT32_MAX - 20, 5, &at_records, &at_uniforms, &size));
}
