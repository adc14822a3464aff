/* SPDX-License-Identifier: MIT */
/* decode.c - tests the decoder with the lists, the shader record and the shader of the article
 * "QPU Demo: Triangle with NV Shader". Expected values are those of the article's tables. The
 * tile list is written by hand by manual tables 38 and 39. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "../register.h"
#include "base/buffer.h"

#include "fake_scene.h"

static const uint8_t bin_list[] = {
    0x70, 0x00, 0x15, 0x42, 0x40, 0x00, 0x00, 0x01, 0x00, 0x00, 0x05, 0x42, 0x40, 0x0a, 0x08, 0x04,
    0x06, 0x07, 0x66, 0x00, 0x00, 0x00, 0x00, 0x80, 0x02, 0xe0, 0x01, 0x60, 0x05, 0x00, 0x00, 0x67,
    0x00, 0x14, 0x00, 0x0f, 0x69, 0x00, 0x00, 0xa0, 0x45, 0x00, 0x00, 0x70, 0x45, 0x41, 0x00, 0x14,
    0x42, 0x40, 0x21, 0x04, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04,
};

static const uint8_t nv_record[] = {
    0x01, 0x18, 0x00, 0x03, 0xf0, 0x04, 0x41, 0x40, 0x00, 0x00, 0x00, 0x00, 0x68, 0x05, 0x41, 0x40,
};

static const uint8_t render_list[] = {
    0x72, 0x00, 0xff, 0xff, 0xff, 0x00, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x71, 0x00, 0x00, 0xac, 0x5e, 0x80, 0x02, 0xe0, 0x01, 0x04, 0x00, 0x73, 0x00, 0x00,
    0x1c, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x73, 0x00, 0x00, 0x08, 0x11, 0x00, 0x15,
    0x42, 0x40, 0x18, 0x73, 0x09, 0x07, 0x11, 0x00, 0x15, 0x42, 0x40, 0x19,
};

static const uint32_t shader[] = {
    0x203e303e, 0x100049e0, 0x019e7140, 0x10020827, 0x009e7000, 0x300009e7,
    0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7, 0x019e7340, 0x10020867,
};

/* A tile list: format 16-bit triangles, one absolute triangle 0 1 2, end, return. */
static const uint8_t tile_list[] = {0x38, 0x12, 0x30, 0x81, 0, 0, 1, 0, 2, 0, 0x80, 0x12};

static const struct fake_symbol symbols[] = {
    /* clang-format off */
    /* clang-format off */
    {"bin_list",        0x40420000},
    {"bin_list_end",    0x4042003d},
    {"render_list",     0x40420100},
    {"render_list_end", 0x40420136},
    {"nv_record",       0x40421400},
    {"tile_lists",      0x40421500},
    {"fs",              0x404104f0},
    {"vertices",        0x40410568},
    /* clang-format on */
    /* clang-format on */
};

static char place[64];
static uint32_t findings;

static void remember(void *user, const struct tess_finding *diag)
{
    (void)user;
    snprintf(place, sizeof place, "%s", diag->id);
    findings++;
}

static void gather(void *user, const char *text, size_t size)
{
    buffer_append(user, text, size);
}

static enum tess_status decode_with(const char *steps, const void *bin, uint32_t bin_size,
                                    const void *tiles, uint32_t tiles_size, uint64_t max_records,
                                    enum tess_decode_format format, struct buffer *out)
{
    uint8_t lists[0x200] = {0};
    memcpy(lists, bin, bin_size);
    memcpy(lists + 0x100, render_list, sizeof render_list);
    const struct fake_segment segments[] = {
        {0x40420000, 0x1000, lists, sizeof lists},
        {0x404104f0, 0x78, shader, sizeof shader},
        {0x40410568, 0x48, NULL, 0},
        {0x40421400, 0x100, nv_record, sizeof nv_record},
        {0x40421500, 0x100, tiles, tiles_size},
    };
    struct tess_scene_options options = {.quiet_files = true, .max_records = max_records};
    struct tess_sink sink = {remember, NULL};
    struct buffer file = fake_elf(steps, segments, 5, symbols, 8);
    struct tess_scene *scene;
    findings = 0;
    place[0] = 0;
    assert_int_equal(tess_scene_load_memory(&scene, file.data, file.size, "t.elf", sink), TESS_OK);
    enum tess_status status = tess_scene_decode(scene, &options, format,
                                                (struct tess_text_out){gather, out}, sink);
    buffer_byte(out, 0);
    tess_scene_free(scene);
    buffer_free(&file);
    buffer_free(&fake_log);
    return status;
}

static const char both[] = "bin bin_list bin_list_end\nrender render_list render_list_end\n";

static void expect_line(const struct buffer *out, const char *bytes, const char *value,
                        const char *words)
{
    const char *at = (const char *)out->data;
    char line[200];
    snprintf(line, sizeof line, "%-28s %-12s %s", bytes, value, words);
    if (!strstr(at, line))
        fail_msg("no line '%s' in:\n%s", line, at);
}

TEST(the_seed_tables_come_out)
{
    static const char *const lines[][3] = {
        /* clang-format off */
        /* clang-format off */
        {"00 15 42 40", "0x40421500", "Tile Allocation Memory Address: tile_lists"},
        {"00 00 01 00", "0x10000",    "Tile Allocation Memory Size"},
        {"00 05 42 40", "0x40420500", "Tile State Data Array Base Address: render_list_end+0x3ca"},
        {"0a",          "10",         "Width (in tiles): 640 pixels"},
        {"08",          "8",          "Height (in tiles): 512 pixels"},
        {"04 [2]",      "1",          "Auto-initialise Tile State Data Array: on"},
        {"04 [0]",      "0",          "Multisample Mode (4x): off"},
        {"80 02",       "640",        "Clip Window Width in pixels"},
        {"e0 01",       "480",        "Clip Window Height in pixels"},
        {"05 [0]",      "1",          "Enable Forward Facing Primitive: on"},
        {"05 [2]",      "1",          "Clockwise Primitives: on"},
        {"00 14",       "320.0000",   "Viewport Centre X-coordinate"},
        {"00 0f",       "240.0000",   "Viewport Centre Y-coordinate"},
        {"00 00 a0 45", "5120",       "Viewport Half-Width in 1/16th of pixel: 320 pixels"},
        {"00 00 70 45", "3840",       "Viewport Half-Height in 1/16th of pixel: 240 pixels"},
        {"00 14 42 40", "0x40421400", "Memory Address of Shader Record: nv_record"},
        {"03 00 00 00", "3",          "Length (number of Vertices)"},
        {"01 [0]",      "1",          "Fragment Shader is single threaded: on"},
        {"18",          "24",         "Shaded Vertex Data Stride"},
        {"03",          "3",          "Fragment Shader Number of Varyings"},
        {"f0 04 41 40", "0x404104f0", "Fragment Shader Code Address: fs"},
        {"68 05 41 40", "0x40410568", "Shaded Vertex Data Address: vertices"},
        {"00 ff ff ff", "0xffffff00", "Clear Color (low word): bytes in memory 00 ff ff ff"},
        {"00 00 ac 5e", "0x5eac0000", "Memory Address"},
        {"09",          "9",          "Tile Column Number: from pixel column 576"},
        /* clang-format on */
        /* clang-format on */
    };
    struct buffer out = {0};
    assert_int_equal(decode_with(both, bin_list, sizeof bin_list, tile_list, sizeof tile_list, 0,
                                 TESS_DECODE_TEXT, &out),
                     TESS_OK);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        expect_line(&out, lines[i][0], lines[i][1], lines[i][2]);
    assert_non_null(strstr((char *)out.data, "Triangle 0 1 2, coding 3"));
    assert_non_null(strstr((char *)out.data, "Vertex 2"));
    /* The output ends with the program end and its two delay slots. */
    assert_non_null(strstr((char *)out.data, "0x40410510 <fs+0x20>: "));
    assert_null(strstr((char *)out.data, "0x40410518 <fs+0x28>: "));
    /* Here both tiles have the same list. */
    assert_non_null(strstr((char *)out.data, "(this list is shown above)"));
    buffer_free(&out);
}

TEST(json_is_balanced)
{
    struct buffer out = {0};
    assert_int_equal(decode_with(both, bin_list, sizeof bin_list, tile_list, sizeof tile_list, 0,
                                 TESS_DECODE_JSON, &out),
                     TESS_OK);
    int depth = 0;
    for (const char *at = (const char *)out.data; *at; at++) {
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        assert_true(depth >= 0);
    }
    assert_int_equal(depth, 0);
    assert_non_null(strstr((char *)out.data, "\"identifier\": \"tile_binning_mode\""));
    assert_non_null(strstr((char *)out.data, "\"value\": \"0x40421500\""));
    buffer_free(&out);
}

TEST(damage_is_reported)
{
    static const uint8_t unknown[] = {0x01, 0xff}, branch_away[] = {0x10, 0, 0, 0, 0};
    static const uint8_t loop[] = {0x01, 0x10, 0x00, 0x00, 0x42, 0x40};
    static const uint8_t reserved_id[] = {0x38, 0x12, 0x30,
                                          0x00}; /* a relative coding without a previous
                                                    primitive */
    static const struct {
        const void *bin, *tiles;
        uint32_t bin_size, tiles_size;
        const char *steps, *rule, *text;
    } cases[] = {
        {unknown, tile_list, 2, 12, "bin bin_list bin_list+2", "cl-unknown-record", "id 255"},
        {branch_away, tile_list, 5, 12, "bin bin_list bin_list+9", "bus-unmapped", "0x00000000"},
        {bin_list, tile_list, 61, 12, "bin bin_list bin_list+5", "cl-truncated", "has 16 bytes"},
        {bin_list, reserved_id, 61, 4, "render render_list render_list_end", "cl-compressed-list",
         "invalid compressed primitive"},
        {loop, tile_list, 6, 12, "bin bin_list bin_list+9", "", "shown above"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int format = TESS_DECODE_TEXT; format <= TESS_DECODE_JSON; format++) {
            struct buffer out = {0};
            enum tess_status status = decode_with(cases[i].steps, cases[i].bin, cases[i].bin_size,
                                                  cases[i].tiles, cases[i].tiles_size, 0,
                                                  (enum tess_decode_format)format, &out);
            assert_int_equal(status, *cases[i].rule ? TESS_WRONG : TESS_OK);
            assert_string_equal(place, cases[i].rule);
            assert_non_null(strstr((char *)out.data, cases[i].text));
            buffer_free(&out);
        }
    }
}

TEST(budgets_end_listings)
{
    for (uint64_t budget = 1; budget < 40; budget++) {
        struct buffer out = {0};
        assert_int_equal(decode_with(both, bin_list, sizeof bin_list, tile_list, sizeof tile_list,
                                     budget, TESS_DECODE_JSON, &out),
                         TESS_OK);
        if (budget < 20)
            assert_non_null(strstr((char *)out.data, "the limit on records is reached"));
        buffer_free(&out);
    }
}
