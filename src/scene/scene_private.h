/* SPDX-License-Identifier: MIT */
/* scene_private.h - a loaded scene, as scene.c builds it and run.c and decode.c read it. */
#ifndef SCENE_PRIVATE_H
#define SCENE_PRIVATE_H

#include <tessera/scene.h>

#include "scene/elf.h"
#include "vc4/layout.h"

enum {
    SCENE_MAX_STEPS = 1 << 18,
    SCENE_MAX_SIDE = 8192,      /* pixels of an image step */
    SCENE_MAX_VALUES = 1 << 24, /* of a dump step */
    SCENE_MAX_UNIFORMS = 4095,  /* what V3D_SRQUL holds */
};

/* Memory without gaps: touching segments are one region, as they would be on a board. */
struct scene_region {
    uint32_t base, size;
};

/* How a pixel's word is cut into channels. */
struct pixel_format {
    const char *name;
    uint32_t bits;
    struct {
        uint8_t shift, width;
    } channel[4]; /* R, G, B, A; A of width 0 is written as opaque RGB */
};

enum value_kind { VALUE_UNSIGNED, VALUE_SIGNED, VALUE_HEX, VALUE_FLOAT };

struct value_type {
    const char *name;
    uint32_t bytes;
    enum value_kind kind;
};

enum step_kind {
    STEP_BIN,
    STEP_RENDER,
    STEP_QPU,
    STEP_IMAGE,
    STEP_DUMP,
    STEP_WRITE,
    STEP_RUN,
    STEP_DATA,
    STEP_EXPECT,
    STEP_INTERRUPT,
    STEP_QPUS,
    STEP_KINDS
};

struct scene_step {
    enum step_kind kind;
    uint32_t line;     /* of the text */
    uint32_t address;  /* start of list, shader, picture, values or bytes; offset of a register */
    uint32_t end;      /* bin, render */
    uint32_t uniforms; /* qpu: address */
    uint32_t count; /* qpu: uniforms; dump: values; data, expect: bytes; interrupt: which; qpus */
    uint32_t value; /* write, interrupt: for the register; data: offset in the section */
    uint64_t hash;  /* expect */
    bool counted;   /* qpu: count was given */
    uint32_t width, height;
    enum layout layout;
    const struct pixel_format *format;
    const struct value_type *type;
    char *file;
};

struct hang;

struct tess_scene {
    char *name;
    char *text_name; /* name of the step text in diagnostics */
    struct buffer file;
    struct elf elf;
    struct hang *hang; /* the file was the state of a hung GPU; NULL: a scene */
    struct scene_region *regions; /* by base */
    uint32_t region_count;
    struct elf_symbol *by_address; /* those that name mapped memory, alias bits masked off */
    uint32_t by_address_count;
    struct scene_step *steps;
    uint32_t step_count;
    uint32_t qpus; /* of the chip; 0: nothing is said */
    uint64_t work; /* of all steps that look at memory (steps.c) */
};

extern const char *const scene_step_names[STEP_KINDS];

/* The region that holds the byte at a bus address, or NULL. */
const struct scene_region *scene_region_at(const struct tess_scene *scene, uint32_t address);

/* Names of pixel layouts in the text of steps. */
extern const char *const scene_layout_names[];

/* Bytes that an image step reads. */
uint32_t scene_image_bytes(const struct scene_step *step, struct image_layout *layout);

#endif
