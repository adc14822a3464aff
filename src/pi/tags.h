/* SPDX-License-Identifier: MIT */
/* tags.h - the tags of the property interface, and who carries them out. */
#ifndef PI_TAGS_H
#define PI_TAGS_H

#include <stdbool.h>
#include <stdint.h>

enum { TAG_WORDS = 260 }; /* the longest: a palette of 256 colours and two words */

/* A tag's value buffer: what came, and what goes back. */
struct tag_value {
    uint32_t word[TAG_WORDS]; /* zero beyond what was given */
    uint32_t given;           /* bytes of the value buffer, at most all of the words */
    uint32_t reply;           /* bytes of the reply; a handler may change it */
};

struct tess_pi;

/* Works on the value in place. False: the firmware refuses the tag. */
typedef bool tag_handler(struct tess_pi *pi, struct tag_value *value);

struct tag {
    uint32_t id, reply;
    tag_handler *handler;
};

/* NULL: the firmware does not know it. */
const struct tag *tag_find(uint32_t id);

#define TAG(id, reply, name) tag_handler tag_##name;
#include "pi/tags.def"
#undef TAG

#endif
