/* SPDX-License-Identifier: MIT */
/* tags.h - the tags of the property interface, and their handlers. */
#ifndef PI_TAGS_H
#define PI_TAGS_H

#include <stdbool.h>
#include <stdint.h>

enum { TAG_WORDS = 260 }; /* words of the longest tag: a palette of 256 colours, rounded up */

/* A tag's value buffer: the request, which the handler overwrites with the reply. */
struct tag_value {
    uint32_t word[TAG_WORDS]; /* zero past the request */
    uint32_t given;           /* bytes of the value buffer, at most 4 * TAG_WORDS */
    uint32_t reply;           /* bytes of the reply; a handler may change it */
};

struct tess_pi;

/* Executes a tag on its value, in place. Returns false if the firmware rejects the tag. */
typedef bool tag_handler(struct tess_pi *pi, struct tag_value *value);

struct tag {
    uint32_t id, reply;
    tag_handler *handler;
};

/* Returns the tag with a number, or NULL if the firmware has no such tag. */
const struct tag *tag_find(uint32_t id);

#define TAG(id, reply, name) tag_handler tag_##name;
#include "pi/tags.def"
#undef TAG

#endif
