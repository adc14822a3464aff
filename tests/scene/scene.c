/* SPDX-License-Identifier: MIT */
/* scene.c - tests the loading and running of scenes. The tests build the files by the ELF
 * specification 1.2. Expected register writes follow the manual's table 48. Pixel formats follow
 * docs/scene.md and the NV demo's "BGRA8888, also known as 0xaarrggbb". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "../register.h"
#include "base/file.h"
#include "base/image.h"
#include "scene/scene_private.h"

#include "fake_scene.h"

/* The latest diagnostic. */
static struct {
    char rule[64], text[256], file[64];
    uint32_t line, column, count;
} last;

static void remember(void *user, const struct tess_finding *diag)
{
    (void)user;
    snprintf(last.rule, sizeof last.rule, "%s", diag->id);
    snprintf(last.text, sizeof last.text, "%s", diag->text);
    snprintf(last.file, sizeof last.file, "%s", diag->file ? diag->file : "");
    last.line = diag->line;
    last.column = diag->column;
    last.count++;
}

static const struct tess_sink sink = {remember, NULL};

static const uint8_t content[] = {0x11, 0x22, 0x33, 0x44, 0x80, 0xff, 0x00, 0x3c,
                                  0x00, 0x00, 0xc0, 0x3f, 0xff, 0x7f, 0x00, 0x80};
static const struct fake_segment memory[] = {{0x40001000, 0x1000, content, sizeof content}};
static const struct fake_symbol symbols[] = {
    /* clang-format off */
    {"list",     0x40001000},
    {"list_end", 0x40001010},
    {"width",    2},
    {"odd-name", 0x40001004},
    /* clang-format on */
};

static enum tess_status load_bytes(struct tess_scene **scene, const struct buffer *file)
{
    last.count = 0;
    last.rule[0] = 0;
    return tess_scene_load_memory(scene, file->data, file->size, "t.elf", sink);
}

static enum tess_status load(struct tess_scene **scene, const char *text)
{
    struct buffer file = fake_elf(text, memory, 1, symbols, 4);
    enum tess_status status = load_bytes(scene, &file);
    buffer_free(&file);
    return status;
}

/* --- loading --- */

TEST(a_good_scene_loads)
{
    struct tess_scene *scene;
    assert_int_equal(load(&scene, "# comment\n\n  bin list list_end # more\n"
                                  "image list+0x10 width 0b10 bgra8888 raster \"a b.png\"\r\n"
                                  "dump odd-name+4 2 f32 x.csv"),
                     TESS_OK);
    assert_int_equal(scene->step_count, 3);
    assert_int_equal(scene->steps[0].kind, STEP_BIN);
    assert_int_equal(scene->steps[0].line, 3);
    assert_int_equal(scene->steps[0].address, 0x40001000);
    assert_int_equal(scene->steps[0].end, 0x40001010);
    assert_int_equal(scene->steps[1].address, 0x40001010);
    assert_int_equal(scene->steps[1].width, 2);
    assert_int_equal(scene->steps[1].height, 2);
    assert_string_equal(scene->steps[1].file, "a b.png");
    assert_int_equal(scene->steps[2].address, 0x40001008);
    tess_scene_free(scene);
}

TEST(symbols_name_addresses)
{
    struct tess_scene *scene;
    uint32_t offset;
    assert_int_equal(load(&scene, "bin list list_end\n"), TESS_OK);
    assert_string_equal(tess_scene_symbol(scene, 0x40001002, &offset), "list");
    assert_int_equal(offset, 2);
    /* An address with another alias refers to the same memory. */
    assert_string_equal(tess_scene_symbol(scene, 0xc0001013, &offset), "list_end");
    assert_int_equal(offset, 3);
    assert_null(tess_scene_symbol(scene, 0x40000fff, &offset));
    assert_null(tess_scene_symbol(scene, 0x40002000, &offset));
    tess_scene_free(scene);
}

TEST(mistakes_in_steps_are_placed)
{
    static const struct {
        const char *text, *rule;
        uint32_t line, column;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {"bin list",                             "scene-syntax",     1, 1},
        {"bin list list_end extra",              "scene-syntax",     1, 1},
        {"\nbun list list_end",                  "scene-step",       2, 1},
        {"bin list nowhere",                     "scene-symbol",     1, 10},
        {"bin list list+0",                      "scene-empty-list", 1, 10},
        {"bin list+zz list_end",                 "scene-number",     1, 10},
        {"bin 0x1ffffffff list_end",             "scene-number",     1, 5},
        {"bin 0b12 list_end",                    "scene-number",     1, 5},
        {"bin 12ab list_end",                    "scene-number",     1, 5},
        {"render list +",                        "scene-symbol",     1, 13},
        {"qpu list list 0",                      "scene-number",     1, 15},
        {"qpu list list 4096",                   "scene-number",     1, 15},
        {"image list -2 2 rgb565 raster a",      "scene-number",     1, 12},
        {"image list 2 9000 rgb565 raster a",    "scene-number",     1, 14},
        {"image list 2 2 rgb555 raster a",       "scene-name",       1, 16},
        {"image list 2 2 rgb565 tiled a",        "scene-name",       1, 23},
        {"image list 640 480 rgb565 raster a",   "scene-unmapped",   1, 7},
        {"image 0x50000000 1 1 rgb565 raster a", "scene-unmapped",   1, 7},
        {"image list 2 2 rgb565 raster \"a",     "scene-syntax",     1, 30},
        {"image list 2 2 rgb565 raster \"\"",    "scene-syntax",     1, 31},
        {"dump list 0 u8 a",                     "scene-number",     1, 11},
        {"dump list 4097 u8 a",                  "scene-unmapped",   1, 6},
        {"dump list 16777217 u8 a",              "scene-number",     1, 11},
        {"dump list 1 u64 a",                    "scene-name",       1, 13},
        {"a b c d e f g h i",                    "scene-syntax",     1, 17},
        {"run now",                              "scene-syntax",     1, 1},
        {"write V3D_CT0CA",                      "scene-syntax",     1, 1},
        {"write V3D_NOTHING 1",                  "scene-name",       1, 7},
        {"write 0x110 nowhere",                  "scene-symbol",     1, 13},
        {"data list 0 1",                        "scene-data",       1, 11},
        {"data list 0 0",                        "scene-number",     1, 13},
        {"data list 0 4097",                     "scene-unmapped",   1, 6},
        {"expect list 4097 1",                   "scene-unmapped",   1, 8},
        {"expect 0x50000000 1 1",                "scene-unmapped",   1, 8},
        {"expect list 4 list",                   "scene-number",     1, 15},
        {"expect list 4 0x10000000000000000",    "scene-number",     1, 15},
        {"interrupt 0 V3D_BPOA 1",               "scene-number",     1, 11},
        {"interrupt 1 V3D_BPO 1",                "scene-name",       1, 13},
        {"qpus 13",                              "scene-number",     1, 6},
        {"run\nqpus 12",                         "scene-syntax",     2, 1},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tess_scene *scene;
        assert_int_equal(load(&scene, cases[i].text), TESS_BAD_INPUT);
        assert_null(scene);
        assert_string_equal(last.rule, cases[i].rule);
        assert_int_equal(last.line, cases[i].line);
        assert_int_equal(last.column, cases[i].column);
        assert_int_equal(last.count, 1);
        assert_string_equal(last.file, "t.elf:.tessera");
    }
}

TEST(all_mistakes_are_reported)
{
    struct tess_scene *scene;
    assert_int_equal(load(&scene, "x\nbin list list_end\ny\n"), TESS_BAD_INPUT);
    assert_int_equal(last.count, 2);
    assert_int_equal(last.line, 3);
}

/* The files are valid except for one field. */
TEST(malformed_files_are_refused)
{
    enum { SEGMENT = FAKE_EHDR, SECTIONS = FAKE_EHDR + FAKE_PHDR };
    static const struct {
        uint32_t offset, bytes, value;
        const char *rule;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {0,                             1, 0,          "elf-magic"},
        {4,                             1, 2,          "elf-class"},
        {5,                             1, 2,          "elf-byte-order"},
        {18,                            2, 62,         "elf-machine"},
        {28,                            4, 0xfffffff0, "elf-program-headers"},
        {42,                            2, 56,         "elf-program-headers"},
        {44,                            2, 0,          "elf-no-memory"},
        {44,                            2, 0xffff,     "elf-program-headers"},
        {32,                            4, 0xfffffff0, "elf-section-headers"},
        {46,                            2, 41,         "elf-section-headers"},
        {48,                            2, 0,          "elf-no-steps"},
        {48,                            2, 0xfff0,     "elf-section-headers"},
        {50,                            2, 77,         "elf-strings"},
        {50,                            2, 1,          "elf-strings"},
        {SEGMENT,                       4, 2,          "elf-no-memory"},
        {SEGMENT + 4,                   4, 0xffffffff, "elf-segment"},
        {SEGMENT + 8,                   4, 0x7ffff001, "elf-segment"},
        {SEGMENT + 16,                  4, 0x2000,     "elf-segment"},
        {SEGMENT + 20,                  4, 8,          "elf-segment"},
        {SEGMENT + 20,                  4, 0xffffffff, "elf-segment"},
        {SECTIONS + FAKE_SHDR + 0,      4, 10,         "elf-no-steps"},
        {SECTIONS + FAKE_SHDR + 4,      4, 8,          "elf-steps"},
        {SECTIONS + FAKE_SHDR + 16,     4, 0xffffff,   "elf-steps"},
        {SECTIONS + FAKE_SHDR + 20,     4, 0xffffffff, "elf-steps"},
        {SECTIONS + 2 * FAKE_SHDR + 0,  4, 1,          "elf-steps"},
        {SECTIONS + 3 * FAKE_SHDR + 16, 4, 0xfffffff0, "elf-symbols"},
        {SECTIONS + 3 * FAKE_SHDR + 24, 4, 1,          "elf-strings"},
        {SECTIONS + 3 * FAKE_SHDR + 36, 4, 0,          "elf-symbols"},
        {SECTIONS + 4 * FAKE_SHDR + 20, 4, 0xfffffff0, "elf-strings"},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buffer file = fake_elf("bin list list_end", memory, 1, symbols, 4);
        struct tess_scene *scene;
        for (uint32_t k = 0; k < cases[i].bytes; k++)
            file.data[cases[i].offset + k] = (uint8_t)(cases[i].value >> (8 * k));
        assert_int_equal(load_bytes(&scene, &file), TESS_BAD_INPUT);
        assert_null(scene);
        assert_string_equal(last.rule, cases[i].rule);
        assert_string_equal(last.file, "t.elf");
        buffer_free(&file);
    }
}

/* If the file is cut off at any place, no byte after the end may be read. Sanitizers check the
 * accesses. */
TEST(cut_files_are_refused)
{
    struct buffer file = fake_elf("bin list list_end", memory, 1, symbols, 4);
    for (size_t size = 0; size < file.size; size++) {
        struct tess_scene *scene;
        uint8_t *copy = malloc(size + !size);
        memcpy(copy, file.data, size);
        assert_int_equal(tess_scene_load_memory(&scene, copy, size, "t.elf", sink), TESS_BAD_INPUT);
        free(copy);
    }
    buffer_free(&file);
}

TEST(overlaps_are_seen_through_aliases)
{
    struct fake_segment two[] = {{0x40001000, 0x100, NULL, 0}, {0xc00010ff, 0x100, NULL, 0}};
    struct tess_scene *scene;
    struct buffer file = fake_elf("bin list list_end", two, 2, symbols, 4);
    assert_int_equal(load_bytes(&scene, &file), TESS_BAD_INPUT);
    assert_string_equal(last.rule, "elf-overlap");
    buffer_free(&file);

    /* Adjacent segments must become one region. */
    two[1].address = 0xc0001100;
    file = fake_elf("dump list 512 u8 a", two, 2, symbols, 4);
    assert_int_equal(load_bytes(&scene, &file), TESS_OK);
    assert_int_equal(scene->region_count, 1);
    assert_int_equal(scene->regions[0].base, 0x1000);
    assert_int_equal(scene->regions[0].size, 0x200);
    tess_scene_free(scene);
    buffer_free(&file);
}

/* --- running --- */

static char *expected_log(const char *text, enum tess_status expected,
                          const struct tess_scene_options *options)
{
    struct tess_scene *scene;
    struct tess_vc4_stats stats;
    assert_int_equal(load(&scene, text), TESS_OK);
    buffer_free(&fake_log);
    assert_int_equal(tess_scene_run(scene, options, sink, &stats), expected);
    assert_int_equal(stats.records, 1);
    tess_scene_free(scene);
    buffer_byte(&fake_log, 0);
    return (char *)fake_log.data;
}

TEST(threads_start_together)
{
    static const struct {
        const char *text, *log;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {"bin 16 32\nrender 48 64",           "[110]=10 [108]=20 [114]=30 [10c]=40 run "},
        {"bin 16 32\nbin 48 64",              "[110]=10 [108]=20 run [110]=30 [108]=40 run "},
        {"bin 16 32\nqpu 8 4\nqpu 24 0 7\nbin 16 32",
         "[110]=10 [108]=20 run [434]=4 [438]=fff [430]=8 [434]=0 [438]=7 [430]=18 run [110]=10 "
         "[108]=20 " "run "},
        {"",                                  ""},
        {"run",                               "run "},
        {"bin 16 32\nwrite 0x30 1\nrun\nrun", "[110]=10 [108]=20 [30]=1 run run "},
        {"write V3D_CT0CA list",              "[110]=40001000 "},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(expected_log(cases[i].text, TESS_OK, NULL), cases[i].log);
}

TEST(a_stuck_device_is_left_alone)
{
    char path[] = "/tmp/tessera-scene-XXXXXX";
    close(mkstemp(path));
    struct tess_scene_options options = {.output = path};
    fake_stop = TESS_VC4_STUCK;
    /* A failed step ends the run, so the second step is not started. The picture is still
     * written. */
    assert_string_equal(
        expected_log("bin 16 32\nbin 48 64\nrender 1 2\nimage list 1 1 rgb565 raster x", TESS_WRONG,
                     &options),
        "[110]=10 [108]=20 run ");
    fake_stop = TESS_VC4_IDLE;
    struct buffer png;
    assert_int_equal(file_read(path, &png), TESS_OK);
    assert_true(png.size > 8);
    buffer_free(&png);
    unlink(path);
}

/* If the file of the last step cannot be written, the files of the first steps are not written
 * either. */
TEST(files_come_together)
{
    char folder[] = "/tmp/tessera-scene-XXXXXX", text[200];
    struct tess_scene_options options = {.directory = mkdtemp(folder)};
    assert_non_null(options.directory);
    expected_log("image list 1 1 rgb565 raster a.png\ndump list 1 u8 /dev/full", TESS_IO, &options);
    expected_log("image list 1 1 rgb565 raster a.png\ndump list 1 u8 none/b.csv", TESS_IO,
                 &options);
    expected_log("image list 1 1 rgb565 raster a.png\ndump list 1 u8 ./a.png", TESS_IO, &options);
    assert_int_equal(rmdir(folder), 0); /* the folder must be empty */
    assert_non_null(mkdtemp(strcpy(folder, "/tmp/tessera-scene-XXXXXX")));
    expected_log("image list 1 1 rgb565 raster a.png\ndump list 1 u8 b.csv", TESS_OK, &options);
    snprintf(text, sizeof text, "%s/a.png", folder);
    assert_int_equal(unlink(text), 0);
    snprintf(text, sizeof text, "%s/b.csv", folder);
    assert_int_equal(unlink(text), 0);
    assert_int_equal(rmdir(folder), 0);
}

TEST(findings_make_it_wrong)
{
    fake_errors = 1;
    expected_log("bin 16 32", TESS_WRONG, NULL);
    fake_errors = 0;
}

static void expect_picture(const char *format, const uint8_t *pixel, uint32_t channels)
{
    char path[] = "/tmp/tessera-scene-XXXXXX", text[100];
    struct tess_scene_options options = {.output = path};
    struct buffer png;
    struct image image;
    close(mkstemp(path));
    snprintf(text, sizeof text, "image list 1 1 %s raster x.png", format);
    expected_log(text, TESS_OK, &options);
    assert_int_equal(file_read(path, &png), TESS_OK);
    unlink(path);
    assert_int_equal(image_decode(&image, channels, png.data, png.size), TESS_OK);
    assert_memory_equal(image.pixels, pixel, channels);
    image_free(&image);
    buffer_free(&png);
}

/* Memory contains 11 22 33 44. As a 565 pixel, 0x2211 is 00100 010000 10001. */
TEST(formats_choose_channels)
{
    expect_picture("rgba8888", (const uint8_t[]){0x11, 0x22, 0x33, 0xff}, IMAGE_RGBA);
    expect_picture("rgbx8888", (const uint8_t[]){0x11, 0x22, 0x33}, IMAGE_RGB);
    expect_picture("bgra8888", (const uint8_t[]){0x33, 0x22, 0x11, 0xff}, IMAGE_RGBA);
    expect_picture("bgrx8888", (const uint8_t[]){0x33, 0x22, 0x11}, IMAGE_RGB);
    expect_picture("rgba8888a", (const uint8_t[]){0x11, 0x22, 0x33, 0x44}, IMAGE_RGBA);
    expect_picture("bgra8888a", (const uint8_t[]){0x33, 0x22, 0x11, 0x44}, IMAGE_RGBA);
    expect_picture("rgb565", (const uint8_t[]){0x21, 0x41, 0x8c}, IMAGE_RGB);
    expect_picture("bgr565", (const uint8_t[]){0x8c, 0x41, 0x21}, IMAGE_RGB);
}

TEST(dumps_print_values)
{
    static const struct {
        const char *step, *csv;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {"list+4 3 u8",   "128\n255\n0\n"},
        {"list+4 3 s8",   "-128\n-1\n0\n"},
        {"list+4 1 u16",  "65408\n"},
        {"list+4 1 s16",  "-128\n"},
        {"list 1 u32",    "1144201745\n"},
        {"list+12 1 s32", "-2147450881\n"},
        {"list 1 x32",    "0x44332211\n"},
        {"list+8 1 f32",  "1.5\n"},
        {"list+6 1 f16",  "1\n"},
        {"list+12 2 f16", "nan\n-0\n"},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[] = "/tmp/tessera-scene-XXXXXX", text[100];
        struct buffer csv;
        close(mkstemp(path));
        snprintf(text, sizeof text, "dump %s %s", cases[i].step, path);
        expected_log(text, TESS_OK, NULL);
        assert_int_equal(file_read(path, &csv), TESS_OK);
        assert_string_equal((const char *)csv.data, cases[i].csv);
        buffer_free(&csv);
        unlink(path);
    }
}

TEST(failing_files_are_reported)
{
    struct tess_scene_options options = {.directory = "/nonexistent"};
    expected_log("dump list 1 u8 x.csv\n", TESS_IO, &options);
    assert_string_equal(last.rule, "io");
    assert_non_null(strstr(last.text, "/nonexistent/x.csv"));
    assert_int_equal(last.line, 1);
    options.quiet_files = true;
    expected_log("dump list 1 u8 x.csv\n", TESS_OK, &options);
}

TEST(missing_files_are_reported)
{
    struct tess_scene *scene;
    assert_int_equal(tess_scene_load(&scene, "/nonexistent/x.elf", sink), TESS_IO);
    assert_string_equal(last.rule, "io");
}

static int release_log(void **state)
{
    (void)state;
    buffer_free(&fake_log);
    return 0;
}

TEST_GROUP(NULL, release_log)
