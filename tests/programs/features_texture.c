/* SPDX-License-Identifier: MIT */
/* Tests textures and memory lookups of the whole machine. A rectangle whose texture coordinates
 * are at texel centres is compared with texels decoded by hand (manual section 4, tables 15 to
 * 18; docs/hardware/vc4.md, section 9.3). Filtered textures are compared with float64 arithmetic
 * of OpenGL ES 2.0 section 3.7. walk.h computes the addresses of texels. */
#include "../register.h"
#include "stage.h"
#include "walk.h"

#define BACK UINT32_C(0x80402010)

enum { TEXTURE = 0x200000, SECOND_TEXTURE = 0x280000 };
enum { NEAREST_FILTERS = 1 << 7 | 1 << 4, LINEAR_FILTERS = 0 };
enum { REPEAT, CLAMP, MIRROR, BORDER };
enum { FLIP_Y = 1 << 8, BSLOD = 1 };

/* Samples with S and T from varyings, and parameters from uniforms. The result is in r4. */
#define SAMPLE_0                                                                   \
    "fmul r0, ra15, vary\nfadd r0, r0, r5; fmul r1, ra15, vary\nfadd r1, r1, r5\n" \
    "mov t0t, r1\nmov t0s, r0\nnop; nop; ldtmu0\n"
#define SHADER_TEXTURE SAMPLE_0 "mov tlbc, r4\n" SHADER_END

/* Like SAMPLE_0, but also writes a uniform to R. */
#define SHADER_TEXTURE_R                                                           \
    "fmul r0, ra15, vary\nfadd r0, r0, r5; fmul r1, ra15, vary\nfadd r1, r1, r5\n" \
    "mov r2, unif\nmov t0r, r2\nmov t0t, r1\nmov t0s, r0\nnop; nop; ldtmu0\n"      \
    "mov tlbc, r4\n" SHADER_END

/* Like SAMPLE_0, but also writes a uniform to B, the level of detail. */
#define SHADER_TEXTURE_B                                                           \
    "fmul r0, ra15, vary\nfadd r0, r0, r5; fmul r1, ra15, vary\nfadd r1, r1, r5\n" \
    "mov r2, unif\nmov t0t, r1\nmov t0b, r2\nmov t0s, r0\nnop; nop; ldtmu0\n"      \
    "mov tlbc, r4\n" SHADER_END

static const struct pass cleared = {
    .address = STAGE_FRAME, .flags = FRAME_8888, .clear = {BACK, BACK}, .clear_z = 0xffffff};

static uint32_t parameter_0(uint32_t base, unsigned type, unsigned levels)
{
    return base | (type & 15) << 4 | (levels - 1);
}

static uint32_t parameter_1(unsigned type, unsigned width, unsigned height, unsigned filters,
                            unsigned wrap_s, unsigned wrap_t)
{
    return (uint32_t)type >> 4 << 31 | height << 20 | width << 8 | filters | wrap_t << 2 | wrap_s;
}

/* Draws a rectangle over width x height pixels from (0, 0), with S and T from s0, t0 to s1, t1. */
static void draw_textured(struct stage *stage, uint32_t code, uint32_t uniforms, unsigned width,
                          unsigned height, const double s[2], const double t[2])
{
    struct corner corners[4];
    rectangle_corners(corners, 0, 0, width, height, 0.5f);
    for (unsigned i = 0; i < 4; i++) {
        corners[i].v[0] = (float)s[i & 1];
        corners[i].v[1] = (float)t[i >> 1];
    }
    stage_begin(stage);
    stage_draw(stage, TRIANGLE_STRIP, code, uniforms, 2, corners, 4);
}

static const double whole[2] = {0, 1};

/* --- formats --- */

static uint32_t rgba(uint32_t r, uint32_t g, uint32_t b, uint32_t a)
{
    return r | g << 8 | b << 16 | a << 24;
}

static uint32_t wide5(uint32_t v)
{
    return v << 3 | v >> 2;
}

/* Returns the result word of a raw texel, by docs/hardware/vc4.md, section 9.3. */
static uint32_t decode(unsigned type, uint32_t v)
{
    switch (type) {
    case 0: return v;
    case 16: return v;
    case 1: return v | 0xff000000;
    case 2: return rgba((v >> 12) * 17, (v >> 8 & 15) * 17, (v >> 4 & 15) * 17, (v & 15) * 17);
    case 3: return rgba(wide5(v >> 11), wide5(v >> 6 & 31), wide5(v >> 1 & 31), v & 1 ? 255 : 0);
    case 4: return rgba(wide5(v >> 11), (v >> 5 & 63) << 2 | (v >> 9 & 3), wide5(v & 31), 255);
    case 5: return rgba(v, v, v, 255);
    case 6: return rgba(0, 0, 0, v);
    case 7: return rgba(v & 255, v & 255, v & 255, v >> 8);
    default: return v; /* S16F, S8, S16: the texel's bits are the result */
    }
}

static unsigned texel_bytes(unsigned type)
{
    static const uint8_t bytes[17] = {4, 4, 2, 2, 2, 1, 1, 2, 0, 2, 1, 2, 0, 0, 0, 0, 4};
    return bytes[type];
}

/* Returns the layout: LT if width or height is at most four microtiles, else T-format
 * (docs/hardware/vc4.md, section 9.4). */
static unsigned texture_layout(unsigned type, unsigned width, unsigned height)
{
    unsigned bytes = texel_bytes(type);
    if (type == 16)
        return WALK_RASTER;
    return width <= (bytes == 4 ? 16 : 32) || height <= (bytes == 1 ? 32 : 16) ? WALK_LT : WALK_T;
}

static struct walk walk;
static uint32_t texels[WALK_MAX][WALK_MAX]; /* raw texels of the texture */

/* Returns the number of texels in a raster row. The hardware rounds it up to a power of two
 * (erratum HW-2898). */
static unsigned row_length(unsigned type, unsigned width)
{
    unsigned length = 1;
    while (length < width)
        length *= 2;
    return type == 16 ? length : width;
}

/* Writes a texture of random texels at an address. */
static void make_texture(struct stage *stage, uint32_t address, unsigned type, unsigned width,
                         unsigned height, uint32_t seed)
{
    unsigned bytes = texel_bytes(type);
    walk_image(&walk, texture_layout(type, width, height), bytes, row_length(type, width), height);
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++) {
            uint32_t value = next_random(&seed) & (0xffffffffu >> (32 - 8 * bytes));
            texels[y][x] = value;
            for (unsigned i = 0; i < bytes; i++)
                stage->rig->memory[address + walk.at[y][x] * bytes + i] = (uint8_t)(value >> 8 * i);
        }
}

static uint32_t same_texel(const void *user, unsigned x, unsigned y)
{
    const unsigned *type_and_size = user;
    if (x >= type_and_size[1] || y >= type_and_size[2])
        return BACK;
    return decode(type_and_size[0], texels[y][x]);
}

/* Draws one pixel per texel, for all formats of whole bytes, with sizes on both sides of the LT
 * limit. */
TEST(formats)
{
    static const unsigned types[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 16};
    static const unsigned sizes[][2] = {
        /* clang-format off */
        {1,   1},
        {13,  9},
        {16,  64},
        {17,  17},
        {64,  64},
        {33,  32},
        {100, 70},
        {200, 16},
        {33,  33},
        {199, 133},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            unsigned type = types[i], width = sizes[s][0], height = sizes[s][1];
            struct stage stage = stage_new(200, 136);
            make_texture(&stage, TEXTURE, type, width, height, 17 * type + width);
            uint32_t uniforms[2] = {
                parameter_0(TEXTURE, type, 1),
                parameter_1(type, width, height, NEAREST_FILTERS, CLAMP, CLAMP)};
            draw_textured(&stage, stage_shader(&stage, SHADER_TEXTURE),
                          stage_words(&stage, uniforms, 2), width, height, whole, whole);
            if (type == 16 && width & (width - 1)) { /* erratum HW-2898 is reported */
                stage_run(&stage, &cleared);
                assert_string_equal(stage.rig->rules[0], "tmu-raster-width");
            } else {
                stage_pass(&stage, &cleared);
            }
            stage_compare(&stage, same_texel, (unsigned[]){type, width, height}, "texel");
            stage_free(&stage);
        }
}

/* --- wrap modes --- */

/* Returns the index of the texel by the wrap modes of OpenGL ES 2.0, 3.7.7. The border is -1. */
static int wrapped(unsigned mode, int at, int size)
{
    int period = ((at % (2 * size)) + 2 * size) % (2 * size);
    switch (mode) {
    case REPEAT: return period % size;
    case CLAMP: return at < 0 ? 0 : at >= size ? size - 1 : at;
    case MIRROR: return period < size ? period : 2 * size - 1 - period;
    default: return at < 0 || at >= size ? -1 : at;
    }
}

struct wrapping {
    unsigned mode_s, mode_t;
    int width, height;
    bool flip;
};

enum { BORDER_COLOUR = 0x11335577, OFFSET = 40 };

static uint32_t wrapped_texel(const void *user, unsigned x, unsigned y)
{
    const struct wrapping *w = user;
    int s = wrapped(w->mode_s, (int)x - OFFSET, w->width),
        t = wrapped(w->mode_t, (int)y - OFFSET, w->height);
    if (s < 0 || t < 0)
        return BORDER_COLOUR;
    return texels[w->flip ? w->height - 1 - t : t][s];
}

/* Samples coordinates from far below 0 to far above 1, with all pairs of modes, and with the
 * image upside down. */
TEST(wrap_modes)
{
    for (unsigned i = 0; i < 64; i++) {
        struct wrapping w = {i & 3, i >> 2 & 3, i & 32 ? 20 : 16, i & 32 ? 36 : 32, i & 16};
        struct stage stage = stage_new(128, 128);
        make_texture(&stage, TEXTURE, 0, (unsigned)w.width, (unsigned)w.height, 5);
        uint32_t uniforms[4] = {BORDER_COLOUR, parameter_0(TEXTURE, 0, 1) | (w.flip ? FLIP_Y : 0),
                                parameter_1(0, (unsigned)w.width, (unsigned)w.height,
                                            NEAREST_FILTERS, w.mode_s, w.mode_t),
                                0};
        double s[2] = {-(double)OFFSET / w.width, (128.0 - OFFSET) / w.width};
        double t[2] = {-(double)OFFSET / w.height, (128.0 - OFFSET) / w.height};
        draw_textured(&stage, stage_shader(&stage, SHADER_TEXTURE_R),
                      stage_words(&stage, uniforms, 4), 128, 128, s, t);
        stage_pass(&stage, &cleared);
        stage_compare(&stage, wrapped_texel, &w, "wrap");
        stage_free(&stage);
    }
}

/* --- filters --- */

static double channel(const struct wrapping *w, int s, int t, unsigned byte)
{
    int x = wrapped(w->mode_s, s, w->width), y = wrapped(w->mode_t, t, w->height);
    uint32_t texel = x < 0 || y < 0 ? BORDER_COLOUR : texels[y][x];
    return texel >> 8 * byte & 0xff;
}

/* Bilinear magnification by 8, in all pairs of wrap modes. Results must be within 1.5 of
 * float64. Weights of 8 bits have an error of 1/512 on each axis, which is half a step of a
 * channel on each axis. The rounding of the sum adds half a step. */
TEST(bilinear)
{
    for (unsigned i = 0; i < 16; i++) {
        struct wrapping w = {i & 3, i >> 2 & 3, 8, 8, false};
        struct stage stage = stage_new(192, 128);
        make_texture(&stage, TEXTURE, 0, 8, 8, 11);
        uint32_t uniforms[4] = {BORDER_COLOUR, parameter_0(TEXTURE, 0, 1),
                                parameter_1(0, 8, 8, LINEAR_FILTERS, w.mode_s, w.mode_t), 0};
        double s[2] = {-1, 2}, t[2] = {-0.5, 1.5};
        draw_textured(&stage, stage_shader(&stage, SHADER_TEXTURE_R),
                      stage_words(&stage, uniforms, 4), 192, 128, s, t);
        stage_pass(&stage, &cleared);
        double worst = 0;
        for (unsigned y = 0; y < 128; y++)
            for (unsigned x = 0; x < 192; x++) {
                double u = 8 * (-1 + 3 * (x + 0.5) / 192) - 0.5,
                       v = 8 * (-0.5 + 2 * (y + 0.5) / 128) - 0.5;
                int x0 = (int)floor(u), y0 = (int)floor(v);
                double a = u - x0, b = v - y0;
                for (unsigned c = 0; c < 4; c++) {
                    double want = (1 - a) * (1 - b) * channel(&w, x0, y0, c) +
                                  a * (1 - b) * channel(&w, x0 + 1, y0, c) +
                                  (1 - a) * b * channel(&w, x0, y0 + 1, c) +
                                  a * b * channel(&w, x0 + 1, y0 + 1, c);
                    double got = stage_pixel(&stage, x, y) >> 8 * c & 0xff;
                    worst = fmax(worst, fabs(got - want));
                }
            }
        if (worst > 1.5)
            print_message("bilinear, wrap %u: %g\n", i, worst);
        assert_true(worst <= 1.5);
        stage_free(&stage);
    }
}

/* --- levels --- */

static const uint32_t level_colours[7] = {0xff000001, 0xff000202, 0xff030003, 0xff040400,
                                          0xff050005, 0xff060606, 0xff777777};

/* Levels of 64 x 64 RGBA8888 texels, each of one colour. Level 1 is the 4 KiB below the base,
 * level 2 the 1 KiB below level 1, and the other levels have 256, 64, 64 and 64 bytes, because a
 * level has at least one microtile. */
static void make_levels(struct stage *stage)
{
    static const uint32_t sizes[7] = {0x4000, 0x1000, 0x400, 0x100, 0x40, 0x40, 0x40};
    uint32_t at = TEXTURE;
    for (unsigned level = 0; level < 7; level++) {
        at -= level ? sizes[level] : 0;
        for (uint32_t i = 0; i < sizes[level]; i += 4)
            store_le32(stage->rig->memory + at + i, level_colours[level]);
    }
}

/* "Nearest level, nearest texel": a picture 2^n times smaller than the texture shows level n. The
 * bias shifts the level. With BSLOD, B is the level itself. */
TEST(mipmap_levels)
{
    for (unsigned n = 0; n < 7; n++)
        for (int bias = -1; bias <= 2; bias++)
            for (unsigned absolute = 0; absolute < 2; absolute++) {
                struct stage stage = stage_new(64, 64);
                make_levels(&stage);
                float b = (float)(absolute ? bias + 1 : bias);
                uint32_t uniforms[4] = {float_bits(b), parameter_0(TEXTURE, 0, 7),
                                        parameter_1(0, 64, 64, 2 << 4 | 1 << 7, CLAMP, CLAMP),
                                        absolute ? 1u << 30 | BSLOD : 0};
                draw_textured(&stage, stage_shader(&stage, SHADER_TEXTURE_B),
                              stage_words(&stage, uniforms, 4), 64 >> n, 64 >> n, whole, whole);
                stage_pass(&stage, &cleared);
                int level = absolute ? bias + 1 : (int)n + bias;
                level = level < 0 ? 0 : level > 6 ? 6 : level;
                assert_int_equal(stage_count(&stage, level_colours[level]), (64 >> n) * (64 >> n));
                stage_free(&stage);
            }
}

/* --- several requests --- */

static uint32_t sum_of_two(const void *user, unsigned x, unsigned y)
{
    const uint32_t(*other)[WALK_MAX] = user;
    return x < 50 && y < 40 ? (texels[y][x] & 0xffff0000) | other[y][x] : BACK;
}

/* Samples one texture on each unit: RGBA8888 through TMU 0, and S16, the raw equivalent of
 * LUMALPHA, through TMU 1. The requests are in either order. A third shader samples both
 * textures on one unit. */
TEST(two_textures)
{
    static const char *const shaders[] = {
        SAMPLE_0 "mov r3, r4\nmov t1t, r1\nmov t1s, r0\nnop; nop; ldtmu1\n",
        "fmul r0, ra15, vary\nfadd r0, r0, r5; fmul r1, ra15, vary\nfadd r1, r1, r5\n"
        "mov t0t, r1\nmov t0s, r0\nmov t1t, r1\nmov t1s, r0\n"
        "nop; nop; ldtmu0\nmov r3, r4\nnop; nop; ldtmu1\n",
        "fmul r0, ra15, vary\nfadd r0, r0, r5; fmul r1, ra15, vary\nfadd r1, r1, r5\n"
        "mov t1t, r1\nmov t0t, r1\nmov t1s, r0\nmov t0s, r0\n"
        "nop; nop; ldtmu1\nmov r3, r4\nnop; nop; ldtmu0\n",
        "fmul r0, ra15, vary\nfadd r0, r0, r5; fmul r1, ra15, vary\nfadd r1, r1, r5\n"
        "mov t0t, r1\nmov t0s, r0\nmov t0t, r1\nmov t0s, r0\n"
        "nop; nop; ldtmu0\nmov r3, r4\nnop; nop; ldtmu0\n",
    };
    for (unsigned i = 0; i < 4; i++) {
        struct stage stage = stage_new(64, 64);
        static uint32_t other[WALK_MAX][WALK_MAX];
        make_texture(&stage, SECOND_TEXTURE, 11, 50, 40, 3);
        memcpy(other, texels, sizeof other);
        make_texture(&stage, TEXTURE, 0, 50, 40, 4);
        char text[800];
        snprintf(text, sizeof text,
                 "%smov r2, r4\nmov r0, unif\nxor r1, r0, -1\nand r3, r3, r0\n"
                 "and r2, r2, r1\nor tlbc, r2, r3\n" SHADER_END,
                 shaders[i]);
        uint32_t first[2] = {parameter_0(TEXTURE, 0, 1),
                             parameter_1(0, 50, 40, NEAREST_FILTERS, CLAMP, CLAMP)};
        uint32_t second[2] = {parameter_0(SECOND_TEXTURE, 11, 1),
                              parameter_1(11, 50, 40, NEAREST_FILTERS, CLAMP, CLAMP)};
        /* Uniforms are in the order of the writes: shader 2 writes alternately to the two units. */
        uint32_t uniforms[5] = {first[0], first[1], second[0], second[1], 0xffff0000};
        if (i == 2)
            memcpy(uniforms, (uint32_t[]){first[0], second[0], first[1], second[1]}, 16);
        draw_textured(&stage, stage_shader(&stage, text), stage_words(&stage, uniforms, 5), 50, 40,
                      whole, whole);
        stage_pass(&stage, &cleared);
        stage_compare(&stage, sum_of_two, other, "two textures");
        stage_free(&stage);
    }
}

/* The thread switches between request and result. Its shader record is for two threads (flag bit
 * 0 clear). */
TEST(thread_switches)
{
    struct stage stage = stage_new(200, 136);
    make_texture(&stage, TEXTURE, 0, 100, 70, 6);
    uint32_t code = stage_shader(&stage,
                                 "fmul r0, ra15, vary\nfadd r0, r0, r5; fmul r1, ra15, vary\n"
                                 "fadd r1, r1, r5\nmov t0t, r1\nmov t0s, r0; nop; lthrsw\n"
                                 "mov ra1, unif\nnop\nnop; nop; ldtmu0\n"
                                 "xor tlbc, r4, ra1\n" SHADER_END);
    uint32_t uniforms[3] = {parameter_0(TEXTURE, 0, 1),
                            parameter_1(0, 100, 70, NEAREST_FILTERS, CLAMP, CLAMP), 0};
    uint32_t stream = stage_words(&stage, uniforms, 3);
    struct corner corners[4];
    rectangle_corners(corners, 0, 0, 100, 70, 0.5f);
    stage_begin(&stage);
    stage_draw(&stage, TRIANGLE_STRIP, code, stream, 2, corners, 4);
    stage.rig->memory[stage.data - 16] = 0; /* clears the record's flags, which selects two
                                               threads */
    stage_pass(&stage, &cleared);
    stage_compare(&stage, same_texel, (unsigned[]){0, 100, 70}, "threaded");
    stage_free(&stage);
}

/* --- rendering to a texture --- */

enum { STEP_X = 0x35a7c3, STEP_Y = 0x9be51d };

static uint32_t pattern(const void *user, unsigned x, unsigned y)
{
    (void)user;
    return STEP_X * x + STEP_Y * y;
}

static uint32_t stored_depth(const void *user, unsigned x, unsigned y)
{
    (void)user;
    (void)x;
    (void)y;
    return 0x40000077;
}

/* One frame stores its colours, or Z and stencil, in the layout of a texture of its size. The next
 * frame samples that memory. */
TEST(render_to_texture)
{
    static const unsigned sizes[][2] = {{200, 136}, {64, 64}, {99, 70}, {16, 120}, {130, 12}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned depth = 0; depth < 2; depth++) {
            unsigned width = sizes[i][0], height = sizes[i][1];
            struct stage stage = stage_new(width, height);
            uint32_t code = stage_shader(&stage,
                                         "mov r0, unif\nmov r1, unif\nmul24 r0, r0, x_coord\n"
                                         "mul24 r1, r1, y_coord\nmov tlbz, rb15\n"
                                         "add tlbc, r0, r1\n" SHADER_END);
            stage_begin(&stage);
            stage_configuration(&stage, BOTH_FACES | DEPTH_ALWAYS | Z_UPDATES);
            stage_rectangle(&stage, code, stage_words(&stage, (uint32_t[]){STEP_X, STEP_Y}, 2), 0,
                            0, width, height, 0.25f);
            unsigned layout = texture_layout(0, width, height) == WALK_T ? GENERAL_T : GENERAL_LT;
            struct pass first = {
                .address = STAGE_FRAME,
                .flags = FRAME_8888,
                .clear_stencil = 0x77,
                .stores = 1,
                .store = {
                    {28, (uint16_t)((depth ? GENERAL_ZS : GENERAL_COLOUR) | layout), TEXTURE}}};
            stage_pass(&stage, &first);
            uint32_t uniforms[2] = {parameter_0(TEXTURE, 0, 1),
                                    parameter_1(0, width, height, NEAREST_FILTERS, CLAMP, CLAMP)};
            draw_textured(&stage, stage_shader(&stage, SHADER_TEXTURE),
                          stage_words(&stage, uniforms, 2), width, height, whole, whole);
            stage_pass(&stage, &cleared);
            stage_compare(&stage, depth ? stored_depth : pattern, NULL, "rendered texture");
            stage_free(&stage);
        }
}

/* A width or height of 0 means 2048. One pixel is drawn for each texel except the last, whose
 * far side does not fit 12.4. */
TEST(widest_textures)
{
    for (unsigned tall = 0; tall < 2; tall++) {
        unsigned width = tall ? 8 : 2048, height = tall ? 2048 : 8;
        struct stage stage = stage_new(tall ? width : width - 1, tall ? height - 1 : height);
        for (unsigned y = 0; y < height; y++)
            for (unsigned x = 0; x < width; x++) { /* LT format */
                unsigned tile = y / 4 * (width / 4) + x / 4;
                store_le32(stage.rig->memory + TEXTURE + (tile * 16 + y % 4 * 4 + x % 4) * 4,
                           pattern(NULL, x, y));
            }
        uint32_t uniforms[2] = {
            parameter_0(TEXTURE, 0, 1),
            parameter_1(0, width % 2048, height % 2048, NEAREST_FILTERS, CLAMP, CLAMP)};
        double s[2] = {0, (double)stage.width / width}, t[2] = {0, (double)stage.height / height};
        draw_textured(&stage, stage_shader(&stage, SHADER_TEXTURE),
                      stage_words(&stage, uniforms, 2), stage.width, stage.height, s, t);
        stage_pass(&stage, &cleared);
        stage_compare(&stage, pattern, NULL, "2048");
        stage_free(&stage);
    }
}

/* --- memory lookups --- */

static uint32_t looked_up(const void *user, unsigned x, unsigned y)
{
    return ((const uint32_t *)user)[y * 128 + x];
}

/* The address is base + 512 * y + 4 * x. Its two low bits are set, and must be ignored. */
TEST(memory_lookups)
{
    struct stage stage = stage_new(128, 128);
    static uint32_t table[128 * 128];
    uint32_t seed = 8;
    for (unsigned i = 0; i < 128 * 128; i++) {
        table[i] = next_random(&seed);
        store_le32(stage.rig->memory + TEXTURE + 4 * i, table[i]);
    }
    uint32_t code = stage_shader(&stage,
                                 "mov r0, y_coord\nshl r0, r0, 9\nmov r1, x_coord\nshl r1, r1, 2\n"
                                 "add r0, r0, r1\nadd r0, r0, 3\nadd t1s, r0, unif\n"
                                 "nop; nop; ldtmu1\nmov tlbc, r4\n" SHADER_END);
    stage_begin(&stage);
    stage_rectangle(&stage, code, stage_word(&stage, TEXTURE), 0, 0, 128, 128, 0.5f);
    stage_pass(&stage, &cleared);
    stage_compare(&stage, looked_up, table, "lookup");
    stage_free(&stage);
}

/* A unit's queue holds eight lookups of S, or four requests of S and T, although silicon keeps
 * only four separate. Results arrive in order. A ninth word causes a finding, and so does a read
 * of a result that was not requested. No such program may draw a wrong picture without a
 * finding. */
TEST(queue_limits)
{
    static const struct {
        unsigned asked, read;
        const char *rule; /* expected rule; NULL if the program is valid */
        bool is_error;
    } cases[] = {{4, 4, NULL, false},
                 {8, 8, "tmu-direct-loads", false},
                 {9, 8, "tmu-overflow", true},
                 {2, 3, "tmu-empty", true},
                 {3, 2, "tmu-unread", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stage stage = stage_new(64, 64);
        for (unsigned n = 0; n < 9; n++)
            store_le32(stage.rig->memory + TEXTURE + 4 * n, n + 1);
        char text[600];
        snprintf(text, sizeof text,
                 "mov r0, unif\n.rep i, %u\nmov t0s, r0\nadd r0, r0, 4\n.endr\nmov r1, 0\n"
                 ".rep i, %u\nnop; nop; ldtmu0\nadd r1, r1, r1\nadd r1, r1, r4\n.endr\nmov tlbc, "
                 "r1\n" SHADER_END,
                 cases[i].asked, cases[i].read);
        stage_begin(&stage);
        stage_rectangle(&stage, stage_shader(&stage, text), stage_word(&stage, TEXTURE), 0, 0, 64,
                        64, 0.5f);
        if (!cases[i].rule) {
            stage_pass(&stage, &cleared);
            uint32_t want = 0;
            for (unsigned n = 1; n <= cases[i].read; n++)
                want = 2 * want + n;
            assert_int_equal(stage_count(&stage, want), 64 * 64);
        } else {
            stage_run(&stage, &cleared);
            tess_vc4_report_stuck(stage.rig->vc4);
            assert_string_equal(stage.rig->rules[0], cases[i].rule);
            assert_int_equal(stage.rig->errors > 0, cases[i].is_error);
        }
        stage_free(&stage);
    }
}

/* T without S makes no request. The uniform that the write to T has read is lost. */
TEST(unfinished_requests)
{
    struct stage stage = stage_new(64, 64);
    stage_begin(&stage);
    stage_rectangle(&stage,
                    stage_shader(&stage, "mov r0, 0\nmov t0t, r0\nmov tlbc, r0\n" SHADER_END),
                    stage_word(&stage, TEXTURE), 0, 0, 64, 64, 0.5f);
    stage_run(&stage, &cleared);
    assert_string_equal(stage.rig->rules[0], "tmu-unfinished");
    assert_int_equal(stage.rig->errors, 0);
    stage_free(&stage);
}
