/* SPDX-License-Identifier: MIT */
/* check.c - tests the public functions of the checker: sources with comments, machine code in
 * several forms, options, statuses.
 *
 * Expected values follow docs/check.md. Lines and addresses were counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "../../register.h"
#include "finding/rules.h"

enum { SEEN_MAX = 32 };

struct seen {
    struct {
        const char *id;
        enum tess_level level;
        uint32_t line, address, other_line, distance;
        enum tess_shader_kind kind;
    } items[SEEN_MAX];
    unsigned count;
};

static void see(void *user, const struct tess_finding *finding)
{
    struct seen *seen = user;
    assert_true(finding->text && *finding->text && finding->hint && *finding->hint);
    if (seen->count == SEEN_MAX)
        return;
    seen->items[seen->count].id = tess_rule_find(finding->id, TESS_RULES_OF_CHECKS)->id;
    seen->items[seen->count].level = finding->level;
    seen->items[seen->count].line = finding->line;
    seen->items[seen->count].address = finding->check->place.address;
    seen->items[seen->count].other_line = finding->check->other.line;
    seen->items[seen->count].distance = finding->check->distance;
    seen->items[seen->count++].kind = finding->check->kind;
}

static struct seen check(const char *text, const struct tess_check_options *options,
                         enum tess_status wanted)
{
    static const struct tess_check_options none = {0};
    struct seen seen = {0};
    assert_int_equal(tess_check_bytes(text, strlen(text), "test", options ? options : &none,
                                      (struct tess_sink){0}, (struct tess_sink){see, &seen}),
                     wanted);
    return seen;
}

static void expect_rule(const struct seen *seen, unsigned number, const char *id, uint32_t line)
{
    assert_true(number < seen->count);
    assert_string_equal(seen->items[number].id, id);
    assert_int_equal(seen->items[number].line, line);
}

#define END  "nop; thrend\nnop\nnop\n"
#define LATE "mov ra1, unif\nmov r0, ra1\n"

TEST(test_source)
{
    struct seen seen = check(LATE END, NULL, TESS_WRONG);
    assert_int_equal(seen.count, 1);
    expect_rule(&seen, 0, "qpu-read-after-write", 2);
    assert_int_equal(seen.items[0].address, 8);
    assert_int_equal(seen.items[0].other_line, 1);
    assert_int_equal(seen.items[0].distance, 1);
    assert_int_equal(seen.items[0].level, TESS_ERROR);
    assert_int_equal(check("mov ra1, unif\nnop\nmov r0, ra1\n" END, NULL, TESS_OK).count, 0);
    /* An error of the assembler counts as an error of the file. */
    check("no such thing\n", NULL, TESS_WRONG);
}

static void take_text(void *user, const struct tess_finding *finding)
{
    char *text = user;
    snprintf(text, 200, "%s", finding->text);
}

/* Compares the text of the last finding of a source. */
static void expect_text(const char *source, const char *wanted)
{
    static const struct tess_check_options none = {0};
    char text[200] = "";
    tess_check_bytes(source, strlen(source), "test", &none, (struct tess_sink){0},
                     (struct tess_sink){take_text, text});
    assert_string_equal(text, wanted);
}

TEST(test_texts)
{
    expect_text("mov recip, unif\nnop\nmov r0, r4\n" END,
                "r4 is read 2 instructions after the SFU write; the minimum is 3 "
                "(see line 1, instruction at 0x00000000)");
    expect_text("# tessera: allow qpu-read-after-wirte\n" END,
                "invalid rule 'qpu-read-after-wirte'; did you mean "
                "'qpu-read-after-write'?");
    expect_text("# tessera: kid user\n" END, "invalid checker comment 'kid'; did you mean 'kind'?");
    expect_text("# tessera: kind vertx\n" END,
                "invalid kind of program 'vertx'; did you mean 'vertex'?");
    expect_text("# tessera: off\n" END, "the rule is missing");
}

/* Textures must not be taken for programs. An opaque pixel (0xffRRGGBB) has the signal of a
 * branch, but it also has bits 56 to 59 set, which are 0 in a branch (manual, figure 6). The
 * second text has 2^17 words that are branches (a texture of 512 * 512). The checker must visit
 * each word once, so that its time is linear. */
TEST(test_textures)
{
    static const char pixels[] =
        ".word 0xff102030, 0xff102030, 0xff405060, 0xff405060, 0xff405060, 0xff405060\n";
    char text[1000];
    snprintf(text, sizeof text, "%s%s%s", END, pixels, END);
    assert_int_equal(check(text, NULL, TESS_OK).count, 0);
    snprintf(text, sizeof text, "%s.rep i, 131072\n.word 8, 0xf0000000\n.endr\n", END);
    assert_int_equal(check(text, NULL, TESS_OK).count, 0);
}

/* Checks a program as hexadecimal numbers, low word first, and as bytes. */
TEST(test_forms)
{
    static const char hex[] =
        "0x15827d80, 0x10020067,\n0x15067d80, 0x10020827,\n0x009e7000, 0x300009e7,\n"
        "0x009e7000, 0x100009e7,\n0x009e7000, 0x100009e7\n";
    static const uint8_t raw[40] = {0x80, 0x7d, 0x82, 0x15, 0x67, 0x00, 0x02, 0x10, 0x80, 0x7d,
                                    0x06, 0x15, 0x27, 0x08, 0x02, 0x10, 0x00, 0x70, 0x9e, 0x00,
                                    0xe7, 0x09, 0x00, 0x30, 0x00, 0x70, 0x9e, 0x00, 0xe7, 0x09,
                                    0x00, 0x10, 0x00, 0x70, 0x9e, 0x00, 0xe7, 0x09, 0x00, 0x10};
    const struct tess_check_options options = {.address = 0x1000};
    struct seen seen = check(hex, &options, TESS_WRONG);
    expect_rule(&seen, 0, "qpu-read-after-write", 0);
    assert_int_equal(seen.items[0].address, 0x1008);
    seen = (struct seen){0};
    assert_int_equal(tess_check_bytes(raw, sizeof raw, NULL, &options, (struct tess_sink){0},
                                      (struct tess_sink){see, &seen}),
                     TESS_WRONG);
    expect_rule(&seen, 0, "qpu-read-after-write", 0);
}

TEST(test_allow)
{
    static const char *const allowed[] = {
        "mov ra1, unif\nmov r0, ra1 # tessera: allow qpu-read-after-write\n" END,
        "mov ra1, unif\n# tessera: allow qpu-sfu-latency, qpu-read-after-write\n\nmov r0, "
        "ra1\n" END,
        "mov ra1, unif\nmov r0, ra1 // tessera: allow all\n" END,
        "# tessera: off qpu-read-after-write\n" LATE END,
        /* The comment is in the macro's definition, and then at its call. */
        ".macro late\nmov ra1, unif\nmov r0, ra1 # tessera: allow "
        "qpu-read-after-write\n.endm\nlate\n" END,
        ".macro late\nmov ra1, unif\nmov r0, ra1\n.endm\nlate # tessera: allow "
        "qpu-read-after-write\n" END,
    };
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        check(allowed[i], NULL, TESS_OK);
    struct seen seen = check("# tessera: off all\n" LATE "# tessera: on\n" LATE END, NULL,
                             TESS_WRONG);
    expect_rule(&seen, 0, "qpu-read-after-write", 6);
    /* The string contains text like that of a comment, and has no effect. */
    check(".macro x, y\n.endm\nmov ra1, unif\nmov r0, ra1; x \"# tessera: allow all\"\n" END, NULL,
          TESS_WRONG);
}

TEST(test_unused_suppression)
{
    struct seen seen = check("nop # tessera: allow qpu-sfu-latency\n" END, NULL, TESS_OK);
    assert_int_equal(seen.count, 1);
    expect_rule(&seen, 0, "unused-suppression", 1);
    seen = check("mov ra1, unif\nmov r0, ra1 # tessera: allow qpu-read-after-write\n" END, NULL,
                 TESS_OK);
    assert_int_equal(seen.count, 0);
}

TEST(test_unknown_rule)
{
    struct seen seen = check("nop\nnop # tessera: allow no-such-rule\n" END, NULL, TESS_WRONG);
    expect_rule(&seen, 0, "unknown-rule", 2);
    check("# tessera: frobnicate\n" END, NULL, TESS_WRONG);
    check("# tessera: kind pink\n" END, NULL, TESS_WRONG);
    assert_int_equal(check("# about tessera: it is a mosaic\n" END, NULL, TESS_OK).count, 0);
}

/* A program that has more paths than the checker follows, because a subroutine returns to each
 * of many calls. */
TEST(test_limit)
{
    enum { CALLS = 600, LINE = 64 };
    char *text = calloc(CALLS * 2, LINE), *at = text;
    assert_non_null(text);
    for (int i = 0; i < CALLS; i++)
        at += sprintf(at, "brr ra1, r:sub%d\nnop\nnop\nnop\n", i % 300);
    at += sprintf(at, END);
    for (int i = 0; i < 300; i++)
        at += sprintf(at, ":sub%d\nbra -, ra1\nnop\nnop\nnop\n", i);
    struct seen seen = {0};
    const struct tess_check_options options = {0};
    tess_check_bytes(text, strlen(text), "test", &options, (struct tess_sink){0},
                     (struct tess_sink){see, &seen});
    bool limited = false;
    for (unsigned i = 0; i < seen.count; i++)
        limited |= strcmp(seen.items[i].id, "check-limit") == 0;
    assert_true(limited);
    free(text);
}

TEST(test_kinds)
{
    /* The file has two programs. Each is checked by the rules of its kind. */
    static const char two[] = "# tessera: kind vertex\nmov r0, vary\n" END
                              "# tessera: kind fragment\n# tessera: varyings 2\nmov r0, vary\n" END;
    struct seen seen = check(two, NULL, TESS_WRONG);
    assert_int_equal(seen.items[0].kind, TESS_SHADER_VERTEX);
    bool outside = false, left = false;
    for (unsigned i = 0; i < seen.count; i++) {
        outside |= strcmp(seen.items[i].id, "qpu-not-fragment") == 0 && seen.items[i].line == 2;
        left |= strcmp(seen.items[i].id, "qpu-varying-unread") == 0 &&
                seen.items[i].kind == TESS_SHADER_FRAGMENT;
    }
    assert_true(outside && left);
    const struct tess_check_options user = {.kind = TESS_SHADER_USER},
                                    varyings = {.varyings_plus_1 = 3};
    check("mov r0, vary\n" END, &user, TESS_WRONG);
    check("mov r0, vary\n" END, NULL, TESS_OK);
    check("mov r0, vary\n" END, &varyings, TESS_WRONG);
}

/* The scene determines the kinds of its programs. The shader record has three varyings, and the
 * step runs a user program. */
static const char scene[] = ".org 0x1000\n"
                            ":list\n.byte 65\n.int record\n.byte 0\n:list_end\n"
                            ".align 16\n:record\n.byte 0, 24, 0, 3\n.int fragment, 0, 0\n"
                            ":fragment\nmov r0, vary\nmov r0, vary\n" END
                            ":user\nmov r0, vary\n" END
                            ".scene bin list list_end\n.scene qpu user record 1\n";

static void expect_scene(const struct seen *seen)
{
    bool left = false, outside = false;
    for (unsigned i = 0; i < seen->count; i++) {
        left |= strcmp(seen->items[i].id, "qpu-varying-unread") == 0;
        outside |= strcmp(seen->items[i].id, "qpu-not-fragment") == 0 &&
                   seen->items[i].kind == TESS_SHADER_USER;
    }
    assert_true(left && outside);
}

TEST(test_scene)
{
    struct seen seen = check(scene, NULL, TESS_WRONG);
    expect_scene(&seen);
    const struct tess_asm_options elf = {.format = TESS_ASM_ELF, .skip_check = true};
    const struct tess_check_options options = {0};
    uint8_t *bytes;
    size_t size;
    assert_int_equal(tess_assemble_text(scene, strlen(scene), "scene", &elf, (struct tess_sink){0},
                                        &bytes, &size),
                     TESS_OK);
    seen = (struct seen){0};
    assert_int_equal(tess_check_bytes(bytes, size, "scene.elf", &options, (struct tess_sink){0},
                                      (struct tess_sink){see, &seen}),
                     TESS_WRONG);
    expect_scene(&seen);
    tess_free(bytes);
}

TEST(test_levels)
{
    const struct tess_check_setting off = {"qpu-read-after-write", TESS_OFF},
                                    note = {"all", TESS_NOTE}, wrong = {"none", TESS_OFF};
    struct tess_check_options options = {.settings = &off, .setting_count = 1};
    assert_int_equal(check(LATE END, &options, TESS_OK).count, 0);
    options.settings = &note;
    assert_int_equal(check(LATE END, &options, TESS_OK).items[0].level, TESS_NOTE);
    options.settings = &wrong;
    check(LATE END, &options, TESS_INVALID);
    const struct tess_check_options strict = {.warnings_are_errors = true};
    assert_int_equal(check("nop\nnop\nmov t0s, unif\n" END, &strict, TESS_WRONG).items[0].level,
                     TESS_ERROR);
}

/* --- scenes --- */

/* A scene with a list and parts of a shader. The arguments are the step, the list, the uniforms,
 * and the shader. */
#define SCENE(step, list, uniforms, shader)                                                 \
    ".org 0x40000000\nlist:\n" list "\nlist_end:\n.align 16\nrecord: shader.nv "            \
    "single_threaded, point_size, stride=20, varyings=1, code=program, uniforms=words, "    \
    "vertices=points\n.align 16\nplain: shader.nv single_threaded, stride=12, varyings=0, " \
    "code=empty, uniforms=words, vertices=points\n.align 16\nvg: shader.vg code=empty, "    \
    "uniforms=words\npoints: .rept 2\nvertex.nv x=1, y=1, z=0.5, inverse_w=1, "             \
    "point_size=1, varyings=[0.0]\n.endr\nvertex.nv x=1, y=1, z=0.5, inverse_w=1, "         \
    "point_size=0, varyings=[0.0]\nwords:\n" uniforms "\n.align 8\nprogram:\nnop\nmov r0, " \
    "vary\nnop\n" shader "\n" END "empty: nop\n" END ".scene " step " list list_end\n"

#define DRAW    "cl.vertex_array_primitives mode=triangles, length=3\n"
#define NV      "cl.nv_shader_state record\n"
#define PLAIN   "cl.nv_shader_state plain\n"
#define TEXTURE "mov t0t, r0\nmov t0s, r0\nldtmu0; nop\n"
#define CHILD   "mov t0t, r0\nmov t0r, r0\nmov t0b, r0\nmov t0s, r0\nldtmu0; nop\n"
#define FLOATS  "uniform.texture base=0x40001000, type=s16f, width=4, height=4"
#define RASTER  "uniform.texture base=0x40001000, type=rgba32r, height=4, width="
#define PARENT                                                                               \
    "uniform.texture base=0x40001000, type=bw1, width=2048, height=32, mag_filter=nearest, " \
    "min_filter=nearest\n"                                                                   \
    "uniform.child_offset\n"
#define MULTISAMPLE "cl.tile_rendering_mode address=0x40002000, width=64, height=64, multisample"
#define FRAME       "cl.tile_rendering_mode address=0x40002000, width=64, height="
#define RELOAD      "\ncl.load_full_res_tile_buffer 0x40003000"
#define EARLY       "\ncl.configuration_bits forward, early_z\n"

/* Errata of manual appendix A and of the drivers. Each has a wrong scene and a similar scene
 * that is correct. */
static const struct {
    const char *rule, *bad, *good;
} scenes[] = {
    {"ptb-point-size", SCENE("bin", "cl.point_size 0.12", "", ""),
     SCENE("bin", "cl.point_size 0.125", "", "")},
    {"list-vertex-point-size",
     SCENE("bin", NV "cl.vertex_array_primitives mode=points, length=3\n", "", ""),
     SCENE("bin", NV "cl.vertex_array_primitives mode=points, length=2\n", "", "")},
    {"cl-index-wrap",
     SCENE("bin", NV "cl.vertex_array_primitives mode=triangles, length=3, first=65534\n", "", ""),
     SCENE("bin", NV "cl.vertex_array_primitives mode=triangles, length=3, first=65533\n", "", "")},
    {"cl-line-loop",
     SCENE("bin",
           NV "cl.indexed_primitive_list mode=line_loop, length=2, address=list, maximum_index=9\n",
           "", ""),
     SCENE("bin",
           NV "cl.indexed_primitive_list mode=line_loop, length=3, address=list, maximum_index=9\n",
           "", "")},
    {"cap-after-varyings",
     SCENE("bin", NV DRAW "cl.configuration_bits forward, coverage_pipe\n" DRAW, "", ""),
     SCENE("bin", NV DRAW PLAIN DRAW "cl.configuration_bits forward, coverage_pipe\n" DRAW, "",
           "")},
    {"tlb-early-z-reload", SCENE("render", MULTISAMPLE RELOAD EARLY, "", ""),
     SCENE("render", MULTISAMPLE ", early_z_disable" RELOAD EARLY, "", "")},
    {"tlb-early-z-reload", SCENE("render", EARLY MULTISAMPLE RELOAD, "", ""),
     SCENE("render", EARLY MULTISAMPLE RELOAD ", disable_zs", "", "")},
    {"ptb-state-counter", SCENE("bin", NV ".rept 7921\n" DRAW "cl.line_width 1\n.endr\n", "", ""),
     SCENE("bin",
           NV ".rept 7920\n" DRAW "cl.line_width 1\n.endr\ncl.flush_all_state\n" DRAW
              "cl.line_width 1\n",
           "", "")},
    {"texture-half-filter", SCENE("bin", NV, FLOATS, TEXTURE),
     SCENE("bin", NV, FLOATS ", mag_filter=nearest, min_filter=near_mip_near", TEXTURE)},
    {"tmu-raster-width", SCENE("bin", NV, RASTER "12", TEXTURE),
     SCENE("bin", NV, RASTER "16", TEXTURE)},
    /* The texture's parameters are the uniforms that the TMU reads. They are not always the
  * stream's first uniforms. */
    {"tmu-raster-width", SCENE("bin", NV, ".word 0\n" RASTER "12", "mov r1, unif\n" TEXTURE),
     SCENE("bin", NV, ".word 0\n" RASTER "12", TEXTURE)},
    {"tmu-child-2048", SCENE("bin", NV, PARENT "uniform.child_size width=0, height=32", CHILD),
     SCENE("bin", NV, PARENT "uniform.child_size width=2047, height=32", CHILD)},
    {"vg-interleaved",
     SCENE("bin",
           "cl.vg_shader_state vg\n"
           "cl.vg_coordinate_array_primitives type=triangles, length=3, address=list\n" PLAIN DRAW,
           "", ""),
     SCENE("bin",
           PLAIN DRAW "cl.vg_shader_state vg\n"
                      "cl.vg_coordinate_array_primitives type=triangles, length=3, address=list\n",
           "", "")},
    {"a0-frame-height", SCENE("render", FRAME "1025", "", ""),
     SCENE("render", FRAME "1024", "", "")},
    {"a0-frame-height", SCENE("render", FRAME "1025, memory_format=lt_format", "", ""),
     SCENE("render", FRAME "1025, memory_format=t_format", "", "")},
    {"a0-shader-unused", SCENE("bin", NV PLAIN DRAW, "", ""),
     SCENE("bin", NV DRAW PLAIN DRAW, "", "")},
    /* The decoder must find the record after an inline list. */
    {"ptb-point-size",
     SCENE("bin",
           "cl.vg_inline_primitives triangles\n.rept 3\nvertex.vg 98, 98\n.endr\n"
           ".int 0, 0, 0xbfff0000\ncl.point_size 0",
           "", ""),
     SCENE("bin",
           "cl.vg_inline_primitives triangles\n.rept 3\n.byte 98, 0, 0, 0\n.endr\n"
           ".int 0, 0, 0xbfff0000\n",
           "", "")},
};

static void no_mistake(void *user, const struct tess_finding *diag)
{
    (void)user;
    fail_msg("line %u: %s", diag->line, diag->text);
}

static bool broken(const char *text, const char *rule)
{
    struct seen seen = {0};
    static const struct tess_check_options none = {0};
    enum tess_status status = tess_check_bytes(text, strlen(text), "scene", &none,
                                               (struct tess_sink){no_mistake, NULL},
                                               (struct tess_sink){see, &seen});
    assert_true(status == TESS_OK || status == TESS_WRONG);
    for (unsigned i = 0; i < seen.count; i++)
        if (strcmp(seen.items[i].id, rule) == 0)
            return true;
    return false;
}

TEST(test_scenes)
{
    unsigned failed = 0;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        bool bad = broken(scenes[i].bad, scenes[i].rule),
             good = broken(scenes[i].good, scenes[i].rule);
        if (!bad || good) {
            print_error("%s (case %zu): %s\n", scenes[i].rule, i,
                        bad ? "false alarm" : "not found");
            failed++;
        }
    }
    assert_int_equal(failed, 0);
}

TEST(test_entries)
{
    const char *label = "second", *none = "third";
    struct tess_check_options options = {
        .entries = &label, .entry_count = 1, .kind = TESS_SHADER_FRAGMENT};
    /* The label begins a program, so the wait for the scoreboard is in the program's second
     * instruction. */
    struct seen seen = check("nop\nnop\n:second\nnop\nsbwait; nop\nmov tlbc, unif\n" END, &options,
                             TESS_WRONG);
    expect_rule(&seen, 0, "qpu-scoreboard-early", 5);
    options.entries = &none;
    check(END, &options, TESS_BAD_INPUT);
}

TEST(test_rules)
{
    assert_true(CHECK_RULES > 80);
    assert_int_equal(tess_rule_get(CHECK_RULES - 1)->of, TESS_RULE_CHECK);
    assert_int_not_equal(tess_rule_get(CHECK_RULES)->of, TESS_RULE_CHECK);
    assert_null(tess_rule_find("none", TESS_RULES_OF_CHECKS));
    assert_ptr_equal(tess_rule_find("qpu-end-rules", TESS_RULES_OF_CHECKS),
                     tess_rule_find("qpu-end-rules", TESS_RULES_OF_CHECKS));
    enum tess_shader_kind kind;
    assert_true(tess_shader_kind_find("coordinate", &kind) && kind == TESS_SHADER_COORDINATE);
    assert_false(tess_shader_kind_find("pixle", &kind));
    assert_true(tess_shader_kind_find("pixel", &kind) && kind == TESS_SHADER_FRAGMENT);
    assert_true(tess_shader_kind_find("coord", &kind) && kind == TESS_SHADER_COORDINATE);
    assert_string_equal(tess_shader_kind_name(TESS_SHADER_USER), "user");
}

static void take_diag(void *user, const struct tess_finding *diag)
{
    assert_int_equal(diag->level, TESS_WARNING);
    assert_string_equal(diag->id, "qpu-read-after-write");
    assert_int_equal(diag->line, 2);
    assert_non_null(diag->source_line);
    ++*(unsigned *)user;
}

/* The assembler reports the same mistakes as warnings, and continues. */
TEST(test_assembler)
{
    unsigned warnings = 0;
    struct tess_asm_options options = {.format = TESS_ASM_BIN};
    uint8_t *bytes;
    size_t size;
    static const char text[] = LATE END;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tess_assemble_text(text, strlen(text), "test", &options,
                                            (struct tess_sink){take_diag, &warnings}, &bytes,
                                            &size),
                         TESS_OK);
        assert_int_equal(size, 40);
        assert_int_equal(warnings, 1);
        tess_free(bytes);
        options.skip_check = true;
    }
}

/* --- the GP --- */

#define GP_STORE "load.unif 0; acc0.mov unif.x; store0.reg 3, acc0, _\n"
#define GP_EARLY GP_STORE "load.reg0 3; acc0.mov reg0.x; store0.varying 0, acc0, _\n"

static const struct tess_check_options gp = {.machine = TESS_MACHINE_GP};

static void see_place(void *user, const struct tess_finding *finding)
{
    struct tess_check_place *seen = user;
    assert_int_equal(finding->machine, TESS_MACHINE_GP);
    assert_int_equal(finding->count, 1);
    *seen = finding->check->place;
}

/* The address of an instruction is a multiple of 16, and a finding has the whole word. The word
 * of the second line follows docs/hardware/utgard.md, section 2. acc0 adds 0 and -identity of
 * load unit 0 (register 3), and stores the result to varying 0. */
TEST(test_gp_source)
{
    struct seen seen = check(GP_EARLY, &gp, TESS_WRONG);
    assert_int_equal(seen.count, 1);
    expect_rule(&seen, 0, "gp-register-early", 2);
    assert_int_equal(seen.items[0].address, 16);
    assert_int_equal(seen.items[0].other_line, 1);
    assert_int_equal(seen.items[0].kind, TESS_SHADER_VERTEX);
    struct tess_check_place place;
    tess_check_bytes(GP_EARLY, strlen(GP_EARLY), "test", &gp, (struct tess_sink){0},
                     (struct tess_sink){see_place, &place});
    assert_int_equal(place.instruction_bytes, 16);
    assert_int_equal(place.instruction, UINT64_C(0x0f800ab5b00ad6b5));
    assert_int_equal(place.instruction_high, UINT64_C(0x000ad5004007fc00));
    check("acc0.add\n", &gp, TESS_WRONG);
}

/* The program of test_gp_source() as words, and as an ELF file with an interface. */
TEST(test_gp_forms)
{
    static const char words[] = "b30ad6b5 038002b5 0c07fc00 000ad500\n"
                                "b00ad6b5 0f800ab5 4007fc00 000ad500\n";
    static const char source[] = ".varying gl_Position, 0\n.uniform u\n" GP_EARLY;
    struct seen seen = check(words, &gp, TESS_WRONG);
    expect_rule(&seen, 0, "gp-register-early", 0);
    const struct tess_asm_options options = {
        .machine = TESS_MACHINE_GP, .format = TESS_ASM_ELF, .skip_check = true};
    uint8_t *bytes;
    size_t size;
    seen = (struct seen){0};
    assert_int_equal(tess_assemble_text(source, strlen(source), "test", &options,
                                        (struct tess_sink){0}, &bytes, &size),
                     TESS_OK);
    tess_check_bytes(bytes, size, "test", &gp, (struct tess_sink){0},
                     (struct tess_sink){see, &seen});
    tess_free(bytes);
    assert_int_equal(seen.count, 2);
    expect_rule(&seen, 0, "gp-register-early", 4);
    expect_rule(&seen, 1, "gp-position-unwritten", 4);
}

TEST(test_gp_comments)
{
    check(GP_STORE "# tessera: allow gp-register-early\n"
                   "load.reg0 3; acc0.mov reg0.x; store0.varying 0, acc0, _\n",
          &gp, TESS_OK);
    /* Rules of the QPU are unknown for the GP, and rules of the GP for the QPU. GP programs have
     * no kinds. */
    struct seen seen = check("# tessera: allow qpu-read-after-write\nnop\n", &gp, TESS_WRONG);
    expect_rule(&seen, 0, "unknown-rule", 1);
    seen = check("# tessera: kind vertex\nnop\n", &gp, TESS_WRONG);
    expect_rule(&seen, 0, "unknown-rule", 1);
    seen = check("# tessera: allow gp-flags\n" END, NULL, TESS_WRONG);
    expect_rule(&seen, 0, "unknown-rule", 1);
    seen = check("# tessera: allow gp-flags\nnop\n", &gp, TESS_OK);
    expect_rule(&seen, 0, "unused-suppression", 1);
}

/* Each entry begins a program. Its instructions are numbered from the entry. */
TEST(test_gp_entries)
{
    static const char text[] =
        "nop\nnop\n:second load.unif 0; pass.mov unif.x; branch second\nnop\n";
    const char *label = "second";
    struct tess_check_options options = gp;
    /* Without an entry, instructions are numbered from the start of the file, so the branch to
     * instruction 2 branches to itself. */
    struct seen seen = check(text, &options, TESS_WRONG);
    expect_rule(&seen, 0, "gp-branch-self", 3);
    options.entries = &label;
    options.entry_count = 1;
    seen = check(text, &options, TESS_WRONG);
    expect_rule(&seen, 0, "gp-branch-outside", 3);
}

static void take_gp_diag(void *user, const struct tess_finding *diag)
{
    assert_int_equal(diag->level, TESS_WARNING);
    assert_string_equal(diag->id, "gp-register-early");
    assert_int_equal(diag->line, 2);
    ++*(unsigned *)user;
}

TEST(test_gp_assembler)
{
    const struct tess_asm_options options = {.machine = TESS_MACHINE_GP};
    unsigned warnings = 0;
    uint8_t *bytes;
    size_t size;
    assert_int_equal(tess_assemble_text(GP_EARLY, strlen(GP_EARLY), "test", &options,
                                        (struct tess_sink){take_gp_diag, &warnings}, &bytes, &size),
                     TESS_OK);
    assert_int_equal(warnings, 1);
    tess_free(bytes);
}

TEST(test_misuse)
{
    const struct tess_check_options options = {0};
    const char *path = "/no/such/file";
    const struct tess_sink sink = {0};
    const struct tess_sink findings = {0};
    assert_int_equal(tess_check_bytes(NULL, 0, NULL, &options, sink, findings), TESS_INVALID);
    assert_int_equal(tess_check_bytes("", 0, NULL, NULL, sink, findings), TESS_INVALID);
    assert_int_equal(tess_check_bytes("", 0, NULL, &options, sink, findings), TESS_OK);
    assert_int_equal(tess_check(&path, 1, &options, sink, findings), TESS_IO);
}
