/* SPDX-License-Identifier: MIT */
/* uses_private.h - the walk through a control list, which the files of uses.h share. uses.c follows
 * the records. It calls uses_draw.c for shaders and vertices, and uses_tile.c for loads and
 * stores. */
#ifndef ISA_CL_USES_PRIVATE_H
#define ISA_CL_USES_PRIVATE_H

#include "isa/cl/primlist.h"
#include "isa/cl/ranges.h"

enum {
    CL_SUB_LISTS_MAX = 2,
    CL_RECENT = 4, /* number of recent loads and stores that are compared with a new one */
};

/* The latest shader state record. */
struct cl_walk_shader {
    uint8_t code;     /* id of the latest shader state record; 0 before the first one */
    uint32_t word;    /* first 32 data bits of the latest shader state record */
    uint32_t address; /* address of the shader record; 0 if the record is not in memory */
    uint32_t count;   /* number of attribute arrays */
    bool extended;
};

struct cl_walk {
    struct cl_uses *uses;
    const struct cl_memory *memory;
    const struct cl_uses *binning;
    uint8_t thread; /* CL_BY_BINNER or CL_BY_RENDERER */
    uint32_t record;
    struct cl_walk_shader shader;
    struct primlist_format format; /* latest primitive list format (record 56) */
    const uint8_t *frame;          /* data of the latest tile rendering mode (record 113) */
    uint32_t frame_record;
    uint32_t back[CL_SUB_LISTS_MAX];
    unsigned depth;
    uint32_t work;                          /* remainder of WORK_MAX */
    size_t recent[CL_USE_KINDS][CL_RECENT]; /* indices of the latest loads and stores, plus 1 */
    unsigned next[CL_USE_KINDS];
    size_t list; /* index of the latest CL_USE_LIST, plus 1; 0 before the first */
    size_t kept; /* number of uses, from index 0 on, from an earlier list's tile binning mode
                  * (record 112) */
};

/* Adds a range of memory that the current record uses. */
static inline void cl_walk_add(struct cl_walk *walk, enum cl_use_kind kind, uint32_t address,
                               uint32_t size, uint8_t number, uint8_t threads)
{
    cl_uses_add(walk->uses, &(struct cl_use){.kind = (uint8_t)kind,
                                             .threads = threads,
                                             .number = number,
                                             .address = address,
                                             .size = size,
                                             .record = walk->record});
}

/* Returns a pointer to size bytes of memory, or NULL if some of the bytes are not in memory. */
static inline const uint8_t *cl_walk_bytes(const struct cl_walk *walk, uint32_t address,
                                           size_t size)
{
    size_t left = 0;
    const uint8_t *bytes = walk->memory->at(walk->memory->user, address, &left);
    return bytes && left >= size ? bytes : NULL;
}

/* Uses one unit of work. Returns false if none is left. */
static inline bool cl_walk_spend(struct cl_walk *walk)
{
    walk->uses->incomplete |= walk->work == 0;
    walk->work -= walk->work > 0;
    return walk->work > 0;
}

/* Records an alias if two bus addresses, of a write and of a read, differ in their alias. Only the
 * first alias is kept. */
static inline void cl_walk_note_alias(struct cl_walk *walk, const char *what, uint32_t written,
                                      uint32_t read)
{
    struct cl_alias *alias = &walk->uses->alias;
    if (!alias->what && (written ^ read) & ~CL_ADDRESS_MASK)
        *alias = (struct cl_alias){what, walk->record, written, read};
}

/* --- uses_draw.c --- */

/* Adds the memory of a shader state record (64 to 67): the shader record, programs and uniforms. */
void cl_walk_shader_state(struct cl_walk *walk, uint8_t code, const uint8_t *data);

/* Adds the vertices of record 33. */
void cl_walk_array(struct cl_walk *walk, const uint8_t *data);

/* Adds the indices and the vertices of record 32. */
void cl_walk_indexed(struct cl_walk *walk, const uint8_t *data);

/* Adds a draw of the vertices first to last to the draws of a binning list. */
void cl_walk_draw(struct cl_walk *walk, uint32_t first, uint32_t last);

/* --- uses_tile.c --- */

/* Adds the memory of a record that configures the frame, or that loads or stores a tile. */
void cl_walk_tile(struct cl_walk *walk, uint8_t code, const uint8_t *data);

#endif
