/* SPDX-License-Identifier: MIT */
/* tags.c - see tags.h. Looks up tags in the table of tags.def. The handlers are in tags_board.c,
 * tags_clock.c, tags_display.c, tags_gpio.c and tags_program.c. */
#include "board/pi/tags.h"

#include <stddef.h>

static const struct tag tags[] = {
#define TAG(id, reply, name) {id, reply, tag_##name},
#include "board/pi/tags.def"
#undef TAG
};

const struct tag *tag_find(uint32_t id)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (tags[i].id == id)
            return &tags[i];
    return NULL;
}
