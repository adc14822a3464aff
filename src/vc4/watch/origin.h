/* SPDX-License-Identifier: MIT */
/* origin.h - finds the uniform from which a wrong address may come.
 *
 * In:  the words that the program has read from its uniform stream so far, and an address.
 * Out: the uniform whose value equals the address or is slightly lower. */
#ifndef VC4_WATCH_ORIGIN_H
#define VC4_WATCH_ORIGIN_H

#include <stdint.h>

#include "vc4/memory/bus.h"

/* The part of its uniform stream that a program has read: the bus addresses of the first word read,
 * and of the word after the last word read. */
struct origin {
    uint32_t first, next;
};

enum { ORIGIN_SIZE = 112 };

/* Returns text such as "; the uniform at 0x40000058, number 3 of its stream, is 0x00000400", or ""
 * if no uniform matches. */
const char *origin_text(const struct origin *origin, struct bus *bus, uint32_t address,
                        char text[ORIGIN_SIZE]);

#endif
