/* SPDX-License-Identifier: MIT */
/* Tests programs for which the hardware would hang or have an undefined result. The run must end
 * with a finding that contains the rule, the place and the remedy. The verdict must be "wrong". The
 * picture of the earlier drawing must still be written.
 *
 * The scene draws a white triangle over the middle of a red frame. The broken primitive follows at
 * the lower right, so that tile (0, 0) is always finished earlier. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>
#include <tessera/scene.h>

#include "../register.h"
#include "base/file.h"
#include "base/image.h"

struct outcome {
    unsigned errors, nowhere, mute; /* errors in all; without a place; without a remedy */
    char rule[40], text[300];
    struct tess_place place;
};

static void note(void *user, const struct tess_finding *diag)
{
    struct outcome *outcome = user;
    if (diag->level != TESS_ERROR)
        return;
    if (outcome->errors++ == 0) {
        snprintf(outcome->rule, sizeof outcome->rule, "%s", diag->id);
        snprintf(outcome->text, sizeof outcome->text, "%s", diag->text);
        outcome->place = diag->place;
    }
    outcome->nowhere += diag->place.known == 0 && diag->line == 0;
    outcome->mute += diag->hint == NULL;
}

/* A case. Its fields replace pieces of the valid scene. NULL keeps the valid piece. */
struct broken {
    const char *name, *shader, *draw, *binning_end, *tiles, *rule;
    const char *record;
    bool tile_0_missing; /* the error occurs before any tile can be drawn */
};

#define GOOD_SHADER "nop\nnop\nldi tlbc, 0xFF00FF00\n"
#define GOOD_DRAW   "Vertex_Array_Primitives Mode_Triangles, 3, 3\n"
#define GOOD_END    "Flush\n"
#define GOOD_TILES  "Render_All_Tiles tile_allocation, 2, 2, 0\n"
#define GOOD_RECORD "NV_Shader_Record 1, 12, 0, second_shader, 0, vertices\n"
#define END         "nop; nop; sbdone\nnop; nop; thrend\nnop\nnop\n"

static const char scene_text[] =
    ".include \"control_list.inc\"\n"
    ".org 0x1000\n"
    "binning_list:\n"
    "Tile_Binning_Mode_Configuration tile_allocation, 0x4000, tile_state, 2, 2, "
    "Auto_Initialise_Tile_State_Data_Array\n"
    "Start_Tile_Binning\n"
    "Increment_Semaphore\n"
    "Clip_Window 0, 0, 128, 128\n"
    "Configuration_Bits Enable_Forward_Facing_Primitive + Enable_Reverse_Facing_Primitive\n"
    "Viewport_Offset 0, 0\n"
    "NV_Shader_State first_record\n"
    "Vertex_Array_Primitives Mode_Triangles, 3, 0\n"
    "NV_Shader_State second_record\n"
    "%s%s"
    "binning_list_end:\n"
    ".align 16\n"
    "rendering_list:\n"
    "Wait_On_Semaphore\n"
    "Clear_Colors 0xFF0000FF, 0, 0, 0\n"
    "Tile_Rendering_Mode_Configuration framebuffer, 128, 128, Color_Format_RGBA8888\n"
    "Tile_Coordinates 0, 0\n"
    "Store_Tile_Buffer_General 0, 0, 0\n"
    "%s"
    "rendering_list_end:\n"
    ".align 16\n"
    "first_record:\n"
    "NV_Shader_Record 1, 12, 0, first_shader, 0, vertices\n"
    "second_record:\n"
    "%s"
    ".align 16\n"
    "vertices:\n"
    "Shaded_Vertex 8, 8, 0e0.5, 0e1.0\n"
    "Shaded_Vertex 120, 8, 0e0.5, 0e1.0\n"
    "Shaded_Vertex 8, 120, 0e0.5, 0e1.0\n"
    "Shaded_Vertex 126, 70, 0e0.5, 0e1.0\n"
    "Shaded_Vertex 126, 126, 0e0.5, 0e1.0\n"
    "Shaded_Vertex 70, 126, 0e0.5, 0e1.0\n"
    ".align 16\n"
    "first_shader:\nnop\nnop\nldi tlbc, 0xFFFFFFFF\n" END "second_shader:\n%s" END ".org 0x10000\n"
    "tile_allocation: .space 0x4000\n"
    "tile_state: .space 48 * 4\n"
    ".org 0x20000\n"
    "framebuffer: .space 128 * 128 * 4\n"
    ".scene bin binning_list binning_list_end\n"
    ".scene render rendering_list rendering_list_end\n"
    ".scene image framebuffer 128 128 rgba8888 raster unused.png\n";

static const char *or_good(const char *text, const char *good)
{
    return text ? text : good;
}

static enum tess_status run(const struct broken *broken, struct outcome *outcome,
                            struct image *image)
{
    char text[8000], output[200];
    snprintf(text, sizeof text, scene_text, or_good(broken->draw, GOOD_DRAW),
             or_good(broken->binning_end, GOOD_END), or_good(broken->tiles, GOOD_TILES),
             or_good(broken->record, GOOD_RECORD), or_good(broken->shader, GOOD_SHADER));
    snprintf(output, sizeof output, "broken-%s.png", broken->name);
    remove(output);
    const char *include = TEST_DATA "/programs";
    struct tess_asm_options options = {.machine = TESS_MACHINE_QPU,
                                       .format = TESS_ASM_ELF,
                                       .include_dirs = &include,
                                       .include_dir_count = 1};
    *outcome = (struct outcome){0};
    struct tess_sink sink = {note, outcome};
    uint8_t *elf;
    size_t size;
    enum tess_status assembled = tess_assemble_text(text, strlen(text), broken->name, &options,
                                                    sink, &elf, &size);
    if (assembled != TESS_OK)
        print_message("%s: %s: %s\n", broken->name, outcome->rule, outcome->text);
    assert_int_equal(assembled, TESS_OK);
    struct tess_scene *scene;
    assert_int_equal(tess_scene_load_memory(&scene, elf, size, broken->name, sink), TESS_OK);
    struct tess_scene_options settings = {
        .output = output, .max_instructions = 20000, .max_records = 20000};
    enum tess_status status = tess_scene_run(scene, &settings, sink, NULL);
    tess_scene_free(scene);
    tess_free(elf);

    struct buffer png;
    assert_int_equal(file_read(output, &png), TESS_OK);
    assert_int_equal(image_decode(image, IMAGE_RGB, png.data, png.size), TESS_OK);
    buffer_free(&png);
    return status;
}

static const uint8_t *pixel(const struct image *image, unsigned x, unsigned y)
{
    return image->pixels + 3 * (y * image->width + x);
}

TEST(the_scene_is_right_by_itself)
{
    struct broken nothing = {.name = "nothing"};
    struct outcome outcome;
    struct image image;
    enum tess_status status = run(&nothing, &outcome, &image);
    if (outcome.errors)
        print_message("%s: %s\n", outcome.rule, outcome.text);
    assert_int_equal(status, TESS_OK);
    assert_memory_equal(pixel(&image, 2, 2), "\xff\0\0", 3);
    assert_memory_equal(pixel(&image, 20, 20), "\xff\xff\xff", 3);
    assert_memory_equal(pixel(&image, 120, 120), "\0\xff\0", 3);
    image_free(&image);
}

static const struct broken cases[] = {
    /* Shaders for which the hardware would wait forever. */
    {.name = "tmu-result", .shader = "nop; nop; ldtmu0\n", .rule = "tmu-empty"},
    {.name = "endless", .shader = "loop:\nbrr -, :loop\nnop\nnop\nnop\n", .rule = "budget"},
    {.name = "semaphore", .shader = "sacq -, 3\nnop\n", .rule = "qpu-hang"},
    {.name = "mutex-twice",
     .shader = "or -, mutex_acq, mutex_acq\nnop\nor -, mutex_acq, mutex_acq\n",
     .rule = "qpu-hang"},
    /* Shaders whose result is undefined. */
    {.name = "varying", .shader = "nop; mov r0, vary\n" GOOD_SHADER, .rule = "qpu-varying-none"},
    {.name = "uniforms",
     .shader = "mov r0, unif\n" GOOD_SHADER,
     .record = "NV_Shader_Record 1, 12, 0, second_shader, 0x3000000, vertices\n",
     .rule = "bus-unmapped"},
    {.name = "vpm", .shader = "mov vpm, 0\n" GOOD_SHADER, .rule = "qpu-vpm-in-fragment"},
    {.name = "register",
     .shader = "mov ra3, 1\nmov r0, ra3\n" GOOD_SHADER,
     .rule = "qpu-read-after-write"},
    {.name = "mask", .shader = "nop\nnop\nmov tlbam, 0\n" GOOD_SHADER, .rule = "tlb-config"},
    {.name = "lookup",
     .shader = "mov t0s, -4\nnop; nop; ldtmu0\n" GOOD_SHADER,
     .rule = "bus-unmapped"},
    /* Invalid shader records and vertices. */
    {.name = "shader-address",
     .record = "NV_Shader_Record 1, 12, 0, 0x3000000, 0, vertices\n",
     .rule = "qpu-pc"},
    {.name = "vertex-address",
     .record = "NV_Shader_Record 1, 12, 0, second_shader, 0, 0x3000000\n",
     .rule = "bus-unmapped"},
    {.name = "stride",
     .record = "NV_Shader_Record 1, 8, 0, second_shader, 0, vertices\n",
     .rule = "vertex-data"},
    {.name = "clip-header",
     .record = "NV_Shader_Record 5, 12, 0, second_shader, 0, vertices\n",
     .rule = "ptb-clip-header"},
    {.name = "gl-mode",
     .draw = ".byte 64\n.word second_record\n" GOOD_DRAW,
     .rule = "shader-record",
     .tile_0_missing = true},
    /* Invalid control lists. */
    {.name = "mode",
     .draw = "Vertex_Array_Primitives 9, 3, 3\n",
     .rule = "cl-field",
     .tile_0_missing = true},
    {.name = "no-flush",
     .binning_end = ".byte 1\n",
     .rule = "cl-semaphore-wait",
     .tile_0_missing = true},
    {.name = "unknown",
     .draw = GOOD_DRAW ".byte 77\n",
     .rule = "cl-unknown-record",
     .tile_0_missing = true},
    {.name = "short", .binning_end = GOOD_END ".byte 33, 4\n", .rule = "cl-truncated"},
    {.name = "wrong-list",
     .draw = GOOD_DRAW ".byte 24\n",
     .rule = "cl-wrong-list",
     .tile_0_missing = true},
    {.name = "tile-list",
     .tiles = "Tile_Coordinates 0, 0\nBranch_To_Sub_List tile_allocation\n.byte "
              "24\nTile_Coordinates 1, 1\nBranch_To_Sub_List 0x3000000\n.byte 25\n",
     .rule = "bus-unmapped"},
    {.name = "no-coordinates", .tiles = ".byte 24\n" GOOD_TILES, .rule = "tlb-order"},
};

TEST(broken_programs)
{
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outcome outcome;
        struct image image;
        enum tess_status status = run(&cases[i], &outcome, &image);
        bool rule_is_right = strcmp(outcome.rule, cases[i].rule) == 0;
        bool drawn = memcmp(pixel(&image, 2, 2), "\xff\0\0", 3) == 0 &&
                     memcmp(pixel(&image, 20, 20), "\xff\xff\xff", 3) == 0;
        image_free(&image);
        bool good = status == TESS_WRONG && rule_is_right && drawn != cases[i].tile_0_missing &&
                    outcome.nowhere == 0 && outcome.mute == 0;
        if (!good || getenv("SHOW"))
            print_message(
                "%s: status %d, %u errors (%u nowhere, %u mute), first %s (%s), tile 0 %s\n",
                cases[i].name, (int)status, outcome.errors, outcome.nowhere, outcome.mute,
                outcome.rule, outcome.text, drawn ? "drawn" : "missing");
        wrong += !good;
    }
    assert_int_equal(wrong, 0);
}
