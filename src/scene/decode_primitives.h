/* SPDX-License-Identifier: MIT */
/* decode_primitives.h - lists the vertices, coordinates and compressed primitives of control
 * lists. */
#ifndef SCENE_DECODE_PRIMITIVES_H
#define SCENE_DECODE_PRIMITIVES_H

#include "scene/decoder.h"

/* Shows the first vertices of a primitive list. `indices` is NULL for consecutive vertices. */
void decode_vertices(struct decoder *decoder, uint32_t first, uint32_t length,
                     const uint8_t *indices, uint32_t index_bytes);

/* Shows the first vertices of record 32, whose bytes after the id are at data. */
void decode_indexed_vertices(struct decoder *decoder, const uint8_t *data);

/* Shows the first coordinates of record 41, whose bytes after the id are at data. */
void decode_coordinate_array(struct decoder *decoder, const uint8_t *data);

/* Shows the coordinates after record 42. Returns the address after the end marker, or 0 if there is
 * no end marker. */
uint32_t decode_inline_coordinates(struct decoder *decoder, uint32_t address, uint32_t type);

/* Decodes a compressed primitive list. Returns the address after the list, or 0 if the list has no
 * end. */
uint32_t decode_items(struct decoder *decoder, uint32_t address);

/* Shows the clipped vertices of record 49, whose bytes after the id are at data. */
void decode_clipped(struct decoder *decoder, const uint8_t *data);

#endif
