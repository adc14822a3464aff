/* SPDX-License-Identifier: MIT */
/* ranges.h - the ranges of memory that a control list uses, each with the record that uses it. */
#ifndef ISA_CL_RANGES_H
#define ISA_CL_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bits of a bus address without the alias. */
#define CL_ADDRESS_MASK UINT32_C(0x3fffffff)

/* Access to memory. at() returns a pointer to the bytes from an address on and their number in
 * *left, or NULL if the address has no memory. */
struct cl_memory {
    const uint8_t *(*at)(void *user, uint32_t address, size_t *left);
    void *user;
};

enum cl_use_kind {
    /* Memory that the binner writes. */
    CL_USE_STATE,    /* tile state data array */
    CL_USE_BLOCKS,   /* first blocks of all tile lists */
    CL_USE_POOL,     /* the rest of the tile allocation memory */
    CL_USE_OVERFLOW, /* memory of V3D_BPOA and V3D_BPOS */
    /* Memory that store records write. */
    CL_USE_FRAME, /* colour */
    CL_USE_DEPTH, /* Z, with or without stencil */
    CL_USE_MASK,
    CL_USE_DUMP, /* dump of one tile, or adjacent dumps of several tiles */
    /* Memory that is read. */
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

/* Threads that read a range. A written range has the thread of its writer. */
enum { CL_BY_BINNER = 1, CL_BY_RENDERER = 2 };

enum cl_use_shader { CL_SHADER_FRAGMENT, CL_SHADER_VERTEX, CL_SHADER_COORDINATE };

struct cl_use {
    uint8_t kind, threads;
    uint8_t number;             /* index of an attribute array; enum cl_use_shader for
                                 * code and uniforms */
    uint8_t format, bits;       /* memory format and bits per pixel of an image */
    uint16_t width, height;     /* size of an image in pixels */
    uint32_t tiles;             /* number of tiles of the frame or of the tile state */
    uint32_t frame;             /* number, from 1, of the tile rendering mode (record 113) before
                                 * the use; 0 if the use belongs to all frames */
    uint32_t frame_address;     /* frame address in the same tile rendering mode */
    uint32_t address, size;     /* bytes that are accessed */
    uint32_t whole, whole_size; /* range shown in messages: with padding, or a whole memory area */
    uint32_t record;            /* address of the control record */
};

/* A record that draws, the shader state before it, and the range of its vertices. */
struct cl_draw {
    uint32_t record, shader; /* shader: the first 32 data bits of the shader state record */
    uint32_t first, last;
};

/* Memory that is written through one bus alias and read through another. The two aliases may use
 * different caches. */
struct cl_alias {
    const char *what;       /* name of the data, such as "the tile lists"; NULL if no memory has two
                             * aliases */
    uint32_t record;        /* address of the record that reads */
    uint32_t written, read; /* bus addresses */
};

/* The memory uses of a list. Must be zero-initialised before the first use. */
struct cl_uses {
    struct cl_use *item;
    size_t count;
    struct cl_draw *draw; /* draws of a binning list */
    size_t draws;
    uint32_t frames;
    bool has_semaphore;    /* the list has a semaphore record (7 or 8) */
    struct cl_alias alias; /* first memory that a rendering list accesses through two aliases */
    bool has_tile_lists;   /* the rendering list branches to tile lists of the binner */
    bool incomplete;       /* the host is out of memory, or the list exceeds a limit */
};

/* Adds a range that no list mentions, such as the binner's overflow memory. */
void cl_uses_add(struct cl_uses *uses, const struct cl_use *use);

/* Returns true if two uses share memory. */
bool cl_uses_meet(const struct cl_use *a, const struct cl_use *b);

void cl_uses_free(struct cl_uses *uses);

#endif
