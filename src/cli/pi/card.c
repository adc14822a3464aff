/* SPDX-License-Identifier: MIT */
/* card.c - the image file of the SD card.
 *
 * In:  a file; ranges.
 * Out: bytes. */
#define _FILE_OFFSET_BITS 64
#include "cli/pi/card.h"

#include <errno.h>
#include <string.h>

bool card_open(const char *title, const char *path, struct card *card)
{
    *card = (struct card){0};
    if (!path)
        return true;
    card->file = fopen(path, "r+b");
    if (!card->file || fseeko(card->file, 0, SEEK_END) != 0) {
        fprintf(stderr, "%s: cannot open the card's image '%s' for reading and writing: %s\n",
                title, path, strerror(errno));
        return false;
    }
    card->size = (uint64_t)ftello(card->file);
    return true;
}

void card_close(struct card *card)
{
    if (card->file)
        fclose(card->file);
}

static bool seek(struct card *card, uint64_t position, uint32_t size)
{
    return card->file && position + size <= card->size &&
           fseeko(card->file, (off_t)position, SEEK_SET) == 0;
}

bool card_read(struct card *card, uint64_t position, void *to, uint32_t size)
{
    return seek(card, position, size) && fread(to, 1, size, card->file) == size;
}

bool card_write(struct card *card, uint64_t position, const void *from, uint32_t size)
{
    return seek(card, position, size) && fwrite(from, 1, size, card->file) == size &&
           fflush(card->file) == 0;
}
