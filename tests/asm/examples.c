/* SPDX-License-Identifier: MIT */
/* examples.c - checks that every scene of examples/vc4 assembles to the bytes and words that its
 * article published.
 *
 * Sources: "Triangle with NV Shader" (nv-triangle: lists, record and shader, byte for byte); "First
 * Triangle", "Shaders, Uniforms, and Varyings", "Texturing", "Vertex and Coordinate Shaders", and
 * "VPM, VCD, and VCM For Vertex Shaders" (words of the other shaders, records, vertices, the order
 * of the lists). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "../register.h"
#include "../vc4/vertex/pass_through.h"
#include "base/bits.h"

/* --- scenes --- */

static void show(void *user, const struct tess_finding *diag)
{
    (void)user;
    print_error("%s:%u:%u: %s\n", diag->file ? diag->file : "", diag->line, diag->column,
                diag->text);
}

static uint8_t *load(const char *name, size_t *size)
{
    char path[512];
    uint8_t *elf;
    snprintf(path, sizeof path, "%s/../examples/vc4/%s/%s.qasm", TEST_DATA, name, name);
    const char *const paths[] = {path};
    const struct tess_asm_options options = {.format = TESS_ASM_ELF};
    enum tess_status status = tess_assemble(paths, 1, &options, (struct tess_sink){show, NULL},
                                            &elf, size);
    assert_int_equal(status, TESS_OK);
    return elf;
}

/* Returns the stored bytes at a bus address. All of them must be in one segment. */
static const uint8_t *bytes_at(const uint8_t *elf, uint32_t address, uint32_t size)
{
    uint32_t count = load_le16(elf + 44);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *segment = elf + load_le32(elf + 28) + 32 * i;
        uint32_t start = load_le32(segment + 8), stored = load_le32(segment + 16);
        if (address >= start && address - start <= stored && size <= stored - (address - start))
            return elf + load_le32(segment + 4) + (address - start);
    }
    fail_msg("nothing at 0x%08x", address);
    return NULL;
}

static uint32_t symbol(const uint8_t *elf, const char *name)
{
    uint32_t sections = load_le32(elf + 32), count = load_le16(elf + 48);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *section = elf + sections + 40 * i;
        if (load_le32(section + 4) != 2)
            continue;
        const char *names = (const char *)elf +
                            load_le32(elf + sections + 40 * load_le32(section + 24) + 16);
        for (uint32_t at = 0; at < load_le32(section + 20); at += 16) {
            const uint8_t *entry = elf + load_le32(section + 16) + at;
            if (strcmp(names + load_le32(entry), name) == 0)
                return load_le32(entry + 4);
        }
    }
    fail_msg("no symbol %s", name);
    return 0;
}

static const char *const names[] = {
    "first-triangle",       "uniform-colour",           "varying-colour", "nv-triangle",
    "textured-triangle-lt", "textured-triangle-raster", "gl-triangle",    "textured-triangle",
};

TEST(test_all_assemble)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t size;
        uint8_t *elf = load(names[i], &size);
        /* Frame buffers occupy no bytes in the file. */
        assert_in_range(size, 1000, 64 << 10);
        assert_in_range(symbol(elf, "framebuffer"), 1, UINT32_MAX);
        tess_free(elf);
    }
}

/* --- NV triangle --- */

static const uint8_t nv_binning[] = {
    0x70, 0x00, 0x15, 0x42, 0x40, 0x00, 0x00, 0x01, 0x00, 0x00, 0x05, 0x42, 0x40, 0x0a, 0x08, 0x04,
    0x06, 0x07, 0x66, 0x00, 0x00, 0x00, 0x00, 0x80, 0x02, 0xe0, 0x01, 0x60, 0x05, 0x00, 0x00, 0x67,
    0x00, 0x14, 0x00, 0x0f, 0x69, 0x00, 0x00, 0xa0, 0x45, 0x00, 0x00, 0x70, 0x45, 0x41, 0x00, 0x14,
    0x42, 0x40, 0x21, 0x04, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04};

static const uint8_t nv_record[] = {0x01, 0x18, 0x00, 0x03, 0xf0, 0x04, 0x41, 0x40,
                                    0x00, 0x00, 0x00, 0x00, 0x68, 0x05, 0x41, 0x40};

/* The start of the rendering list, up to the second tile. The article omits the tiles between the
 * second and the last. */
static const uint8_t nv_rendering[] = {
    0x72, 0x00, 0xff, 0xff, 0xff, 0x00, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0x00, 0x71, 0x00,
    0x00, 0xac, 0x5e, 0x80, 0x02, 0xe0, 0x01, 0x04, 0x00, 0x73, 0x00, 0x00, 0x1c, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x73, 0x00, 0x00, 0x08, 0x11, 0x00, 0x15, 0x42, 0x40, 0x18, 0x73};
static const uint8_t nv_last_tile[] = {0x73, 0x09, 0x07, 0x11, 0xe0, 0x1e, 0x42, 0x40, 0x19};

static const uint32_t nv_shader[] = {
    0x203e303e, 0x100049e0, 0x019e7140, 0x10020827, 0x203e303e, 0x100049e1, 0x019e7340, 0x10020867,
    0x203e303e, 0x100049e2, 0x019e7540, 0x100208a7, 0xff000000, 0xe00208e7, 0x209e0007, 0xd16049e3,
    0x209e000f, 0xd15049e3, 0x209e0017, 0xd14049e3, 0x159e76c0, 0x50020ba7, 0x159c1fc0, 0xd00209a7,
    0x009e7000, 0x300009e7, 0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7};

static void check(const uint8_t *elf, uint32_t address, const uint8_t *expected, size_t size)
{
    assert_memory_equal(bytes_at(elf, address, (uint32_t)size), expected, size);
}

TEST(test_nv_triangle)
{
    size_t size;
    uint8_t *elf = load("nv-triangle", &size);
    uint32_t binning = symbol(elf, "binning_list"), rendering = symbol(elf, "rendering_list");
    check(elf, binning, nv_binning, sizeof nv_binning);
    assert_int_equal(symbol(elf, "binning_list_end") - binning, sizeof nv_binning);
    check(elf, 0x40421400, nv_record, sizeof nv_record);
    check(elf, rendering, nv_rendering, sizeof nv_rendering);
    /* Each of the 80 tiles has coordinates, a branch and a store. The first tile also has a wait
     * for the binner. */
    uint32_t end = rendering + 35 + 1 + 80 * 9;
    assert_int_equal(symbol(elf, "rendering_list_end"), end);
    check(elf, end - 9, nv_last_tile, sizeof nv_last_tile);
    for (uint32_t tile = 1; tile < 79; tile++) {
        const uint8_t *list = bytes_at(elf, rendering + 36 + tile * 9, 9);
        const uint8_t head[] = {0x73, (uint8_t)(tile % 10), (uint8_t)(tile / 10), 0x11};
        assert_memory_equal(list, head, sizeof head);
        assert_int_equal(load_le32(list + 4), 0x40421500 + tile * 32);
        assert_int_equal(list[8], 0x18);
    }
    for (uint32_t i = 0; i < sizeof nv_shader / sizeof nv_shader[0]; i++)
        assert_int_equal(load_le32(bytes_at(elf, 0x404104f0 + 4 * i, 4)), nv_shader[i]);
    tess_free(elf);
}

/* Compares the first word of each of the three vertices. y is in the upper half of the word. */
TEST(test_nv_vertices)
{
    static const int16_t places[3][2] = {{0, -3193}, {-3195, 3193}, {3195, 3193}};
    size_t size;
    uint8_t *elf = load("nv-triangle", &size);
    for (uint32_t i = 0; i < 3; i++) {
        const uint8_t *vertex = bytes_at(elf, 0x40410568 + 24 * i, 24);
        assert_int_equal((int16_t)load_le16(vertex), places[i][0]);
        assert_int_equal((int16_t)load_le16(vertex + 2), places[i][1]);
        assert_int_equal(load_le32(vertex + 4), float_bits(0.94f));
        assert_int_equal(load_le32(vertex + 8), float_bits(0.25f));
        for (uint32_t colour = 0; colour < 3; colour++)
            assert_int_equal(load_le32(vertex + 12 + 4 * colour), float_bits(colour == i));
    }
    tess_free(elf);
}

/* --- first triangle --- */

/* The article "First Triangle" writes its lists as macros. Their bytes were worked out by hand
 * from manual table 38. The article's list draws nine vertices, but the article shows only
 * three. The scene draws these three. */
TEST(test_first_triangle_lists)
{
    size_t size;
    uint8_t *elf = load("first-triangle", &size);
    uint32_t allocation = symbol(elf, "tile_allocation");
    uint8_t binning[] = {
        0x70, 0, 0, 0,  0, 0,    0, 1,    0, 0,
        0,    0, 0, 10, 8, 4,                   /* binning mode with auto- initialise */
        0x06, 7,                                /* start tile binning, increment semaphore */
        0x66, 0, 0, 0,  0, 0x80, 2, 0xe0, 1,    /* the clip window */
        0x60, 3, 0, 2,                          /* configuration: both faces, early Z updates */
        0x67, 0, 0, 0,  0,                      /* a viewport offset */
        0x41, 0, 0, 0,  0,                      /* an NV shader state */
        0x21, 4, 3, 0,  0, 0,    0, 0,    0, 0, /* a draw of triangles */
        0x04,
    };
    store_le32(binning + 1, allocation);
    store_le32(binning + 9, symbol(elf, "tile_state"));
    store_le32(binning + 37, symbol(elf, "shader_record"));
    check(elf, symbol(elf, "binning_list"), binning, sizeof binning);
    uint8_t head[] = {
        0x08,                                                                /* semaphore wait */
        0x72, 0xff, 0xff, 0,    0xff, 0xff, 0xff, 0,    0xff, 0, 0, 0, 0, 0, /* clear colour */
        0x71, 0,    0,    0,    0,    0x80, 2,    0xe0, 1,    4, 0,          /* mode: RGBA8888 */
        0x73, 0,    0,    0x1c, 0,    0,    0,    0,    0,    0,             /* stores nothing */
    };
    store_le32(head + 16, symbol(elf, "framebuffer"));
    uint32_t at = symbol(elf, "rendering_list");
    check(elf, at, head, sizeof head);
    at += sizeof head;
    for (uint32_t tile = 0; tile < 80; tile++, at += 9) {
        uint8_t entry[9] = {0x73, (uint8_t)(tile % 10), (uint8_t)(tile / 10), 0x11};
        store_le32(entry + 4, allocation + tile * 32);
        entry[8] = tile < 79 ? 0x18 : 0x19;
        check(elf, at, entry, sizeof entry);
    }
    assert_int_equal(symbol(elf, "rendering_list_end"), at);
    tess_free(elf);
}

/* Compares consecutive words at the address of a symbol. */
static void check_words(const uint8_t *elf, const char *name, const uint32_t *words, uint32_t count)
{
    uint32_t address = symbol(elf, name);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(load_le32(bytes_at(elf, address + 4 * i, 4)), words[i]);
}

/* The records and data of the article "Shaders, Uniforms, and Varyings". */
TEST(test_uniforms_and_varyings)
{
    size_t size;
    uint8_t *elf = load("uniform-colour", &size);
    const uint32_t record[] = {3 * 4 << 8, symbol(elf, "fragment_shader"), symbol(elf, "uniforms"),
                               symbol(elf, "vertices")};
    static const uint32_t green[] = {0, ARTICLE_1, 0, ARTICLE_1};
    check_words(elf, "shader_record", record, 4);
    check_words(elf, "uniforms", green, 4);
    tess_free(elf);
    elf = load("varying-colour", &size);
    const uint32_t with_varyings[] = {24 << 8 | 3 << 24, symbol(elf, "fragment_shader"), 0,
                                      symbol(elf, "vertices")};
    static const uint32_t top[] = {ARTICLE_XY(320, 32), ARTICLE_1, ARTICLE_1, ARTICLE_1, 0, 0};
    check_words(elf, "shader_record", with_varyings, 4);
    check_words(elf, "vertices", top, 6);
    tess_free(elf);
}

/* --- vertex shaders --- */

/* Compares the record and both shaders with those of the article, and the vertices that the
 * article prints. */
TEST(test_gl_triangle)
{
    size_t size;
    uint8_t *elf = load("gl-triangle", &size);
    uint32_t vertices = symbol(elf, "vertices_for_vertex_shader");
    uint32_t coordinates = symbol(elf, "vertices_for_coordinate_shader");
    const uint32_t record[] = {4,
                               symbol(elf, "fragment_shader"),
                               0,
                               1 << 16 | 12 << 24,
                               symbol(elf, "vertex_shader"),
                               0,
                               2 << 16 | 28 << 24,
                               symbol(elf, "coordinate_shader"),
                               0,
                               vertices,
                               11 | 12 << 8,
                               coordinates,
                               27 | 28 << 8};
    check_words(elf, "shader_record", record, sizeof record / 4);
    assert_int_equal(symbol(elf, "shader_record") % 16, 0);
    check_words(elf, "vertex_shader", article_vertex_shader, sizeof article_vertex_shader / 4);
    check_words(elf, "coordinate_shader", article_coordinate_shader,
                sizeof article_coordinate_shader / 4);
    check_words(elf, "vertices_for_vertex_shader", article_vertex_stream[0], 6);
    const uint32_t shown[2][7] = {{float_bits(0.00156494522f), float_bits(-0.86638830897f),
                                   ARTICLE_1, ARTICLE_1, ARTICLE_XY(320, 32), ARTICLE_1, ARTICLE_1},
                                  {float_bits(-0.89984350547f), float_bits(0.87056367432f),
                                   ARTICLE_1, ARTICLE_1, ARTICLE_XY(32, 448), ARTICLE_1,
                                   ARTICLE_1}};
    check_words(elf, "vertices_for_coordinate_shader", shown[0], 14);
    tess_free(elf);
}

/* Compares the program and the uniforms with the article's. The scene adds a wait before the
 * last four instructions, which is skipped. */
TEST(test_coordinate_shader)
{
    static const uint32_t program[] = {
        0x009e7000, 0x100009e7, 0x15827df7, 0x10020027, 0x15827df7, 0x10020067, 0x15827df7,
        0x100200a7, 0x17bc1ac2, 0xe0021c67, 0x00000000, 0xe0020c27, 0x3f800000, 0xe0020c27,
        0x15027df7, 0x10020c27, 0x15067df7, 0x10020c27, 0x150a7df7, 0x10020c27, 0x0e004dc0,
        0xd2020827, 0x0e004dc0, 0xd4020867, 0x080001f7, 0x10022827, 0x080003f7, 0x10022867,
        0x3b4d1ed9, 0xe00208a7, 0x3b88d181, 0xe00208e7, 0x20000dc2, 0x100079e0, 0x20000dcb,
        0x100079e1, 0x020201c0, 0xd0020827, 0x020203c0, 0xd0020867, 0x17bc1ac0, 0xe0021c67,
        0x159e7000, 0x10020c27, 0x159e7249, 0x10020c27, 0x83904000, 0xe0021c67, 0x15800df7,
        0xd0021ca7,
    };
    static const uint32_t ending[] = {0x009e7000, 0x500009e7, 0x009e7000, 0x300009e7,
                                      0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7};
    size_t size;
    uint8_t *elf = load("coordinate-shader-test", &size);
    check_words(elf, "program", program, sizeof program / 4);
    uint32_t rest = symbol(elf, "program") + sizeof program + 8;
    for (uint32_t i = 0; i < sizeof ending / 4; i++)
        assert_int_equal(load_le32(bytes_at(elf, rest + 4 * i, 4)), ending[i]);
    const uint32_t uniforms[] = {ARTICLE_XY(32, 448), ARTICLE_1, ARTICLE_1, symbol(elf, "rows")};
    check_words(elf, "uniforms", uniforms, 4);
    tess_free(elf);
}

/* --- shader words --- */

/* Words of shaders. low and high are the words that the article prints. instruction is the index
 * in the scene's shader. */
static const struct {
    const char *scene;
    uint32_t instruction, low, high;
} words[] = {
    /* clang-format off */
    /* clang-format off */
    /* The article "First Triangle". The scene's shader has one more nop at the start. */
    {"first-triangle",    1, 0x009E7000, 0x100009E7},
    {"first-triangle",    2, 0xFFFFFFFF, 0xE0020BA7},
    {"first-triangle",    3, 0x009E7000, 0x500009E7},
    {"first-triangle",    4, 0x009E7000, 0x300009E7},
    {"first-triangle",    5, 0x009E7000, 0x100009E7},
    {"first-triangle",    6, 0x009E7000, 0x100009E7},
    /* The article "Shaders, Uniforms, and Varyings". */
    {"uniform-colour",    0, 0x20820DF7, 0xD14059E5},
    {"varying-colour",    1, 0x213E3177, 0x11024821},
    /* The article "Texturing". */
    {"textured-triangle", 0, 0x203E3DF7, 0x110059E0},
    {"textured-triangle", 1, 0x213E3177, 0x11024821},
    {"textured-triangle", 2, 0x013E3377, 0x11020E67},
    {"textured-triangle", 3, 0x159E7000, 0x10020E27},
    {"textured-triangle", 4, 0x009E7000, 0xA00009E7},
    {"textured-triangle", 5, 0x159E7924, 0x10020BA7},
    /* clang-format on */
    /* clang-format on */
};

TEST(test_words)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t size;
        uint8_t *elf = load(words[i].scene, &size);
        uint32_t address = symbol(elf, "fragment_shader") + 8 * words[i].instruction;
        uint64_t word = load_le64(bytes_at(elf, address, 8));
        uint64_t expected = (uint64_t)words[i].high << 32 | words[i].low;
        if (word != expected)
            fail_msg("%s, instruction %u: %016llx, not %016llx", words[i].scene,
                     words[i].instruction, (unsigned long long)word, (unsigned long long)expected);
        tess_free(elf);
    }
}

/* --- textures --- */

/* Checks the colour of a texel. */
static void check_texel(const uint8_t *texel, uint32_t x, uint32_t y)
{
    assert_int_equal(texel[0], x * 2);
    assert_int_equal(texel[1], y * 2);
    assert_int_equal(texel[2], (x ^ y) & 1 ? 0x40 : 0xc0);
    assert_int_equal(texel[3], 255);
}

/* The T-format order of the article "Texturing": the order of the four subtiles of 16x16 texels
 * in tiles of even and of odd rows, and the direction of the rows. */
TEST(test_t_format)
{
    static const uint8_t order[2][4][2] = {{{0, 0}, {0, 1}, {1, 1}, {1, 0}},
                                           {{1, 1}, {1, 0}, {0, 0}, {0, 1}}};
    static const uint8_t tiles[6][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {1, 1}, {0, 1}};
    size_t size;
    uint8_t *elf = load("textured-triangle", &size);
    const uint8_t *texel = bytes_at(elf, symbol(elf, "texture"), 96 * 64 * 4);
    for (uint32_t tile = 0; tile < 6; tile++)
        for (uint32_t slot = 0; slot < 4; slot++)
            for (uint32_t microtile = 0; microtile < 16; microtile++)
                for (uint32_t i = 0; i < 16; i++, texel += 4) {
                    const uint8_t *subtile = order[tiles[tile][1] & 1][slot];
                    uint32_t x = tiles[tile][0] * 32u + subtile[0] * 16u + microtile % 4 * 4 +
                                 i % 4;
                    uint32_t y = tiles[tile][1] * 32u + subtile[1] * 16u + microtile / 4 * 4 +
                                 i / 4;
                    check_texel(texel, x, y);
                }
    tess_free(elf);
}

TEST(test_lt_and_raster)
{
    size_t size;
    uint8_t *elf = load("textured-triangle-lt", &size);
    const uint8_t *texels = bytes_at(elf, symbol(elf, "texture"), 16 * 16 * 4);
    check_texel(texels, 0, 0);
    check_texel(texels + 4 * 4, 0, 1);  /* the microtile's second row */
    check_texel(texels + 64, 4, 0);     /* the second microtile */
    check_texel(texels + 64 * 4, 0, 4); /* the second row of microtiles */
    check_texel(texels + 1020, 15, 15);
    tess_free(elf);
    elf = load("textured-triangle-raster", &size);
    texels = bytes_at(elf, symbol(elf, "texture"), 64 * 64 * 4);
    check_texel(texels + 4 * 64, 0, 1);
    check_texel(texels + 4 * (64 * 33 + 21), 21, 33);
    tess_free(elf);
}

/* Texture parameters by manual tables 17 and 18: nearest filters, clamped coordinates. */
TEST(test_texture_parameters)
{
    static const struct {
        const char *scene;
        uint32_t type, width, height;
    } textures[] = {{"textured-triangle", 0, 96, 64},
                    {"textured-triangle-lt", 0, 16, 16},
                    {"textured-triangle-raster", 16, 64, 64}};
    for (size_t i = 0; i < 3; i++) {
        size_t size;
        uint8_t *elf = load(textures[i].scene, &size);
        const uint8_t *parameters = bytes_at(elf, symbol(elf, "uniforms"), 8);
        uint32_t first = load_le32(parameters), second = load_le32(parameters + 4);
        assert_int_equal(first & ~0xfffu, symbol(elf, "texture"));
        assert_int_equal(bits_get(first, 7, 4) | bits_get(second, 31, 31) << 4, textures[i].type);
        assert_int_equal(bits_get(second, 30, 20), textures[i].height);
        assert_int_equal(bits_get(second, 18, 8), textures[i].width);
        assert_int_equal(bits_get(second, 7, 0), 0x95);
        tess_free(elf);
    }
}
