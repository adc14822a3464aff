/* SPDX-License-Identifier: MIT */
/* list.h - writes control lists. A control record is an id byte, then its fields, without gaps. The
 * ids are those of table 38 of the "VideoCore IV 3D Architecture Reference Guide". */
#ifndef LIST_H
#define LIST_H

#include "board.h"
#include "screen.h"

struct list {
    uint8_t *at; /* the next free byte */
};

static inline void list_8(struct list *list, uint32_t value)
{
    *list->at++ = (uint8_t)value;
}

static inline void list_16(struct list *list, uint32_t value)
{
    list_8(list, value & 0xff);
    list_8(list, value >> 8);
}

static inline void list_32(struct list *list, uint32_t value)
{
    list_16(list, value & 0xffff);
    list_16(list, value >> 16);
}

static inline void list_float(struct list *list, float value)
{
    list_32(list, (union {
                      float number;
                      uint32_t bits;
                  }){value}
                      .bits);
}

static inline void list_address(struct list *list, const volatile void *memory)
{
    list_32(list, bus_address(memory));
}

/* Memory that the binner writes: the lists of tiles, and the state of tiles. */
enum { TILE = 64, TILE_BLOCK = 32, TILE_STATE = 48, ALLOCATION = 0x40000 };

struct tiles {
    uint8_t allocation[ALLOCATION] __attribute__((aligned(4096)));
    uint8_t state[TILE_STATE * 128] __attribute__((aligned(16)));
};

/* What a binning list draws. */
struct drawing {
    uint32_t configuration;     /* CONFIG_... */
    const void *shader;         /* the shader record, at a multiple of 16 */
    uint32_t arrays;            /* attribute arrays of a GL record, 0 for an NV record */
    uint32_t vertices;          /* number of vertices, or of indices */
    const uint16_t *indices;    /* or NULL */
    uint32_t last_vertex;       /* with indices: the highest one */
    int32_t centre_x, centre_y; /* the point (0, 0) of vertices, in pixels */
};

enum {
    CONFIG_FORWARD = 1 << 0,
    CONFIG_REVERSE = 1 << 1,
    CONFIG_CLOCKWISE = 1 << 2,
    CONFIG_DEPTH_LESS = 1 << 12,
    CONFIG_DEPTH_ALWAYS = 7 << 12,
    CONFIG_DEPTH_WRITE = 1 << 15,
};

/* Writes the list that sorts triangles into tiles. */
void list_binning(struct list *list, const struct screen *screen, const struct tiles *tiles,
                  const struct drawing *drawing);

/* Writes the list that draws all tiles of a page of the screen. */
void list_rendering(struct list *list, const struct screen *screen, uint32_t page,
                    const struct tiles *tiles, uint32_t clear_color);

#endif
