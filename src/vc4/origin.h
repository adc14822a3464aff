/* SPDX-License-Identifier: MIT */
/* origin.h - where a wrong address may come from: the uniforms that a program has read.
 *
 * In:  the words that the program has taken from its uniform stream so far, and an address.
 * Out: the uniform that is that address, or lies close below it. */
#ifndef VC4_ORIGIN_H
#define VC4_ORIGIN_H

#include <stddef.h>
#include <stdint.h>

#include "vc4/bus.h"

/* Bus addresses: the first word of the stream, and the one after the word that was read last. */
struct origin {
    uint32_t first, next;
};

enum { ORIGIN_SIZE = 112 };

/* "; the uniform at 0x40000058, the third of its stream, is 0x00000400"; "" if no uniform was read
 * that fits. */
const char *origin_text(const struct origin *origin, struct bus *bus, uint32_t address,
                        char text[ORIGIN_SIZE]);

#endif
