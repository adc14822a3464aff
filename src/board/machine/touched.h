/* SPDX-License-Identifier: MIT */
/* touched.h - finds the pages of a large allocation are surely zero without reading them. */
#ifndef BOARD_MACHINE_TOUCHED_H
#define BOARD_MACHINE_TOUCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOUCHED_PAGE = 4096 };

/* Returns `count` flags for the pages of `memory`, which was allocated as zeros: false for pages
 * that have not been accessed since. The caller frees the flags. Returns NULL if the host is out of
 * memory. */
bool *touched_pages(const uint8_t *memory, size_t count);

#endif
