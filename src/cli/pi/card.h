/* SPDX-License-Identifier: MIT */
/* card.h - the image file of the SD card. */
#ifndef CLI_PI_CARD_H
#define CLI_PI_CARD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct card {
    FILE *file; /* NULL if there is no card */
    uint64_t size;
};

/* Opens an image for reading and writing; path may be NULL. Returns false after an error message.
 * */
bool card_open(const char *title, const char *path, struct card *card);

void card_close(struct card *card);

/* Read and write a range. Return false if the file cannot be read or written. */
bool card_read(struct card *card, uint64_t position, void *to, uint32_t size);
bool card_write(struct card *card, uint64_t position, const void *from, uint32_t size);

#endif
