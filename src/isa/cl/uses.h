/* SPDX-License-Identifier: MIT */
/* uses.h - what memory control lists use: what their records, and what these point to, read and
 * write.
 *
 * In:  memory; where a list begins and ends. Tile lists of the binner are left out: what they say
 * is in the binning list.
 * Out: ranges of memory, each with the record that says so. */
#ifndef ISA_CL_USES_H
#define ISA_CL_USES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes from an address on, and how many there are; NULL if there are none. */
struct cl_memory {
    const uint8_t *(*at)(void *user, uint32_t address, size_t *left);
    void *user;
};

enum cl_use_kind {
    /* Written by the binner. */
    CL_USE_STATE,    /* tile state data array */
    CL_USE_BLOCKS,   /* first blocks of all tile lists */
    CL_USE_POOL,     /* the rest of the tile allocation memory */
    CL_USE_OVERFLOW, /* V3D_BPOA, V3D_BPOS */
    /* Written by stores. */
    CL_USE_FRAME, /* colour */
    CL_USE_DEPTH, /* Z, with or without stencil */
    CL_USE_MASK,
    CL_USE_DUMP, /* of one tile or several ones side by side */
    /* Read. */
    CL_USE_LOAD,
    CL_USE_LIST,
    CL_USE_RECORD,
    CL_USE_CODE,
    CL_USE_UNIFORMS,
    CL_USE_VERTICES,
    CL_USE_ATTRIBUTES,
    CL_USE_INDICES,
    CL_USE_TEXTURE,
    CL_USE_KINDS
};

/* Which threads read a range; what is written has that of the writer. */
enum { CL_BY_BINNER = 1, CL_BY_RENDERER = 2 };

enum cl_use_shader { CL_SHADER_FRAGMENT, CL_SHADER_VERTEX, CL_SHADER_COORDINATE };

struct cl_use {
    uint8_t kind, threads;
    uint8_t number;             /* of an attribute array; enum cl_use_shader of code and uniforms */
    uint8_t format, bits;       /* of an image: memory format, bits of a pixel */
    uint16_t width, height;     /* of an image: pixels */
    uint32_t tiles;             /* of the frame, or of the tile state */
    uint32_t frame;             /* which record 113 of the list it belongs to, from 1; 0: to all */
    uint32_t frame_address;     /* what that record says */
    uint32_t address, size;     /* bytes that are touched */
    uint32_t whole, whole_size; /* what messages name: with padding, or all of a memory */
    uint32_t record;            /* address of the control record */
};

/* A record that draws, the shader state before it, and the vertices that it takes. */
struct cl_draw {
    uint32_t record, shader; /* shader: the first 32 data bits of the shader state record */
    uint32_t first, last;
};

/* Memory that is written by one bus alias and read by another: the caches behind them differ. */
struct cl_alias {
    const char *what;       /* "the tile lists"; NULL: there is none */
    uint32_t record;        /* that reads */
    uint32_t written, read; /* addresses */
};

/* Zero-initialise it. */
struct cl_uses {
    struct cl_use *item;
    size_t count, capacity;
    struct cl_draw *draw; /* of a binning list */
    size_t draws, draw_capacity;
    uint32_t frames;
    bool has_semaphore;    /* record 7 or 8 */
    struct cl_alias alias; /* the first one of a rendering list */
    bool has_tile_lists;   /* of a rendering list: it branches to lists of the binner */
    bool incomplete;       /* the host had no memory, or the list has too many records */
};

/* Finds what a list uses, up to its first record that cannot be read, and forgets what earlier
 * lists used. A binning list without record
 * 112 has the memory of the earlier one. binning: uses of the binner's latest list, whose tile
 * lists a rendering
 * list branches to; NULL for a binning list. */
void cl_uses_bin(struct cl_uses *uses, const struct cl_memory *memory, uint32_t start,
                 uint32_t end);
void cl_uses_render(struct cl_uses *uses, const struct cl_memory *memory, uint32_t start,
                    uint32_t end, const struct cl_uses *binning);

/* Adds a range that no list names. */
void cl_uses_add(struct cl_uses *uses, const struct cl_use *use);

void cl_uses_free(struct cl_uses *uses);

#endif
