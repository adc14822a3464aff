/* SPDX-License-Identifier: MIT */
/* tags.h - the tags of the property interface, and their handlers. */
#ifndef BOARD_PI_TAGS_H
#define BOARD_PI_TAGS_H

#include <stdbool.h>
#include <stdint.h>

enum { TAG_WORDS = 260 }; /* words of the longest value, a palette of 256 colours, rounded up */

/* A copy of a tag's value buffer. The handler overwrites the request with the reply. */
struct tag_value {
    uint32_t word[TAG_WORDS]; /* the request, followed by zeros */
    uint32_t given;           /* size of the value buffer in bytes, at most 4 * TAG_WORDS */
    uint32_t reply;           /* size of the reply in bytes, which a handler may change */
};

struct tess_pi;

/* Executes a tag on its value, in place. Returns false if the firmware rejects the tag. */
typedef bool tag_handler(struct tess_pi *pi, struct tag_value *value);

struct tag {
    uint32_t id, reply;
    tag_handler *handler;
};

/* Returns the tag with an id, or NULL if the model has no such tag. */
const struct tag *tag_find(uint32_t id);

#define TAG(id, reply, name) tag_handler tag_##name;
#include "board/pi/tags.def"
#undef TAG

#endif
