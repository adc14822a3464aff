/* SPDX-License-Identifier: MIT */
/* list.c - control lists that draw into the framebuffer. */
#include "list.h"

static uint32_t across(uint32_t pixels)
{
    return (pixels + TILE - 1) / TILE;
}

void list_binning(struct list *list, const struct screen *screen, const struct tiles *tiles,
                  const struct drawing *drawing)
{
    list_8(list, 112); /* Tile Binning Mode Configuration */
    list_address(list, tiles->allocation);
    list_32(list, sizeof tiles->allocation);
    list_address(list, tiles->state);
    list_8(list, across(screen->width));
    list_8(list, across(screen->height));
    list_8(list, 1 << 2); /* initialise the state */
    list_8(list, 6);      /* Start Tile Binning */
    list_8(list, 7);      /* Increment Semaphore: when all tile lists are complete */
    list_8(list, 102);    /* Clip Window */
    list_32(list, 0);
    list_16(list, screen->width);
    list_16(list, screen->height);
    list_8(list, 96); /* Configuration Bits */
    list_16(list, drawing->configuration);
    list_8(list, 0);
    list_8(list, 103); /* Viewport Offset, in sixteenths of pixels */
    list_16(list, drawing->centre_x * 16 & 0xffff);
    list_16(list, drawing->centre_y * 16 & 0xffff);
    list_8(list, 105); /* Clipper XY Scaling, in sixteenths of pixels */
    list_float(list, screen->width * 8.0f);
    list_float(list, screen->height * 8.0f);
    list_8(list, 106); /* Clipper Z Scale and Offset: clip space -1 to 1 becomes 0 to 1 */
    list_float(list, 0.5f);
    list_float(list, 0.5f);
    list_8(list, drawing->arrays ? 64 : 65); /* GL or NV Shader State */
    list_32(list, bus_address(drawing->shader) | drawing->arrays);
    list_8(list, drawing->indices ? 32 : 33);  /* Indexed Primitive List, Vertex Array Primitives */
    list_8(list, drawing->indices ? 0x14 : 4); /* triangles; indices of 16 bits */
    list_32(list, drawing->vertices);
    if (drawing->indices) {
        list_address(list, drawing->indices);
        list_32(list, drawing->last_vertex);
    } else {
        list_32(list, 0); /* the first vertex */
    }
    list_8(list, 4); /* Flush */
}

void list_rendering(struct list *list, const struct screen *screen, uint32_t page,
                    const struct tiles *tiles, uint32_t clear_color)
{
    uint32_t columns = across(screen->width), count = columns * across(screen->height);
    list_8(list, 8);   /* Wait on Semaphore */
    list_8(list, 114); /* Clear Colors */
    list_32(list, clear_color);
    list_32(list, clear_color);
    list_32(list, 0xffffff); /* the farthest depth */
    list_8(list, 0);
    list_8(list, 113); /* Tile Rendering Mode Configuration */
    list_32(list, screen->bus + page * screen->height * screen->pitch);
    list_16(list, screen->width);
    list_16(list, screen->height);
    list_16(list, 1 << 2); /* RGBA8888 */
    list_8(list, 115); /* Tile Coordinates, and Store Tile Buffer General of nothing: clears it */
    list_16(list, 0);
    list_8(list, 28);
    list_32(list, 0);
    list_16(list, 0);
    for (uint32_t tile = 0; tile < count; tile++) {
        list_8(list, 115); /* Tile Coordinates */
        list_8(list, tile % columns);
        list_8(list, tile / columns);
        list_8(list, 17); /* Branch to Sub-list: the list that the binner writes for this tile */
        list_address(list, tiles->allocation + tile * TILE_BLOCK);
        list_8(list, tile + 1 < count ? 24 : 25); /* Store; the last one ends the frame */
    }
}
