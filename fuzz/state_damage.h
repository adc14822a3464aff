/* SPDX-License-Identifier: MIT */
/* state_damage.h - what the fuzz targets of saved states share: the bytes of a state, and the
 * damage that an input describes.
 *
 * Input: a byte of the target's choice, number of steps before the state is saved, kind. Kind 0:
 * the following groups are an offset in the state's body and a new byte. Kind 1: the following
 * bytes are the body. The checksum is corrected in both kinds. */
#ifndef FUZZ_STATE_DAMAGE_H
#define FUZZ_STATE_DAMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/tessera.h>

enum { STATE_INPUT = 3 }; /* least number of bytes of an input */

struct state_image {
    uint8_t *bytes;
    size_t size;
};

/* Ends the program if the condition is false. */
void check(bool good);

/* A sink that checks each finding and counts it in *user, an unsigned. */
void count_finding(void *user, const struct tess_finding *diag);

/* Allocates an image of `size` bytes, which the caller frees. */
struct state_image image_of_size(size_t size);

/* Damages an image as an input of at least STATE_INPUT bytes describes. An offset has
 * offset_bytes bytes, 1 to 4. */
void image_damage(struct state_image *image, const uint8_t *data, size_t size,
                  unsigned offset_bytes);

/* Checks the state after a restore: that of the restored bytes, or that before a refusal. Frees the
 * three images. */
void image_check_restored(enum tess_status status, struct state_image before,
                          struct state_image damaged, struct state_image after);

#endif
