/* SPDX-License-Identifier: MIT */
/* state_damage.c - see state_damage.h. */
#include "state_damage.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/state.h"

enum { SIZE_OFFSET = 24 }; /* of the header's field with the size of the state */

void check(bool good)
{
    if (!good)
        abort();
}

void count_finding(void *user, const struct tess_finding *diag)
{
    unsigned *findings = user;
    check(diag->text && *diag->text && diag->id);
    ++*findings;
}

struct state_image image_of_size(size_t size)
{
    struct state_image image = {malloc(size), size};
    check(image.bytes != NULL);
    return image;
}

static void replace_body(struct state_image *image, const uint8_t *data, size_t size)
{
    image->bytes = realloc(image->bytes, STATE_HEADER + size);
    check(image->bytes != NULL);
    image->size = STATE_HEADER + size;
    if (size)
        memcpy(image->bytes + STATE_HEADER, data, size);
    store_le64(image->bytes + SIZE_OFFSET, image->size);
}

static void change_bytes(struct state_image *image, const uint8_t *data, size_t size,
                         unsigned offset_bytes)
{
    for (; size > offset_bytes; data += offset_bytes + 1, size -= offset_bytes + 1) {
        uint32_t offset = 0;
        for (unsigned i = 0; i < offset_bytes; i++)
            offset |= (uint32_t)data[i] << 8 * i;
        image->bytes[STATE_HEADER + offset % (image->size - STATE_HEADER)] = data[offset_bytes];
    }
}

void image_damage(struct state_image *image, const uint8_t *data, size_t size,
                  unsigned offset_bytes)
{
    if (data[2] & 1)
        replace_body(image, data + STATE_INPUT, size - STATE_INPUT);
    else
        change_bytes(image, data + STATE_INPUT, size - STATE_INPUT, offset_bytes);
    state_fix_checksum(image->bytes, image->size);
}

static bool is_same(const struct state_image *a, const struct state_image *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

void image_check_restored(enum tess_status status, struct state_image before,
                          struct state_image damaged, struct state_image after)
{
    check(status == TESS_OK || status == TESS_BAD_INPUT);
    check(is_same(&after, status ? &before : &damaged));
    free(before.bytes);
    free(damaged.bytes);
    free(after.bytes);
}
