/* SPDX-License-Identifier: MIT */
/* scene_private.h - a loaded scene. scene.c builds it, run.c and decode.c read it. */
#ifndef SCENE_PRIVATE_H
#define SCENE_PRIVATE_H

#include <tessera/scene.h>

#include "scene/scene_elf.h"
#include "vc4/memory/layout.h"

enum {
    SCENE_MAX_STEPS = 1 << 18,
    SCENE_MAX_SIDE = 8192,      /* width and height limit of an image step, in pixels */
    SCENE_MAX_VALUES = 1 << 24, /* maximum number of values of a dump step */
    SCENE_MAX_UNIFORMS = 4095,  /* maximum of V3D_SRQUL */
};

/* A contiguous range of memory. Adjacent segments form one region. */
struct scene_region {
    uint32_t base, size;
};

/* A pixel format, with the positions of the channels in a pixel's word. */
struct pixel_format {
    const char *name;
    uint32_t bits;
    struct {
        uint8_t shift, width;
    } channel[4]; /* channels R, G, B and A; if the width of A is 0, the PNG file is RGB */
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
    uint32_t line; /* line in the scene's text */
    /* Address of the list, shader, picture, values or bytes. For "write" and "interrupt", offset of
     * the register. */
    uint32_t address;
    uint32_t end;      /* for "bin" and "render", end of the list */
    uint32_t uniforms; /* for "qpu", address of the uniforms */
    /* Number of uniforms ("qpu"), values ("dump"), bytes ("data" and "expect") or QPUs ("qpus").
     * For "interrupt", number of the handler's call. */
    uint32_t count;
    uint32_t value; /* for "write" and "interrupt", value; for "data", offset in ".tessera.data" */
    uint64_t hash;  /* for "expect", hash of the bytes */
    bool counted;   /* for "qpu", true if the step specifies count */
    uint32_t width, height;
    enum layout layout;
    const struct pixel_format *format;
    const struct value_type *type;
    char *file;
};

struct hang;

struct tess_scene {
    char *name;
    char *text_name; /* name of the steps' text in diagnostics */
    struct buffer file;
    struct elf elf;
    struct hang *hang;            /* state of a hung GPU, or NULL for an ELF file */
    struct scene_region *regions; /* regions, sorted by base */
    uint32_t region_count;
    /* Symbols of mapped memory, without alias bits, sorted by address. */
    struct elf_symbol *by_address;
    uint32_t by_address_count;
    struct scene_step *steps;
    uint32_t step_count;
    uint32_t qpus; /* number of QPUs of the chip, or 0 if the scene does not specify the number */
    uint64_t work; /* total cost of the steps that read memory, as allow() in steps.c counts it */
};

extern const char *const scene_step_names[STEP_KINDS];

/* Returns the region that contains a bus address, or NULL if the address is unmapped. */
const struct scene_region *scene_region_at(const struct tess_scene *scene, uint32_t address);

/* Names of memory layouts in steps. */
extern const char *const scene_layout_names[];

/* Initialises *layout for an image step and returns the number of bytes that the step reads. */
uint32_t scene_image_bytes(const struct scene_step *step, struct image_layout *layout);

#endif
