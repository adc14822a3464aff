/* SPDX-License-Identifier: MIT */
/* preview.h - the display's picture in a terminal: --preview. */
#ifndef CLI_PI_PREVIEW_H
#define CLI_PI_PREVIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/pi/picture.h"

enum preview_kind {
    PREVIEW_NONE,
    PREVIEW_AUTO,   /* sixel if the terminal can show it, otherwise blocks */
    PREVIEW_SIXEL,  /* sixel graphics */
    PREVIEW_BLOCKS, /* a character for two pixels, with colours of 24 bits */
};

struct preview {
    enum preview_kind kind;
    bool live;       /* standard output is a terminal: each new picture replaces the one before */
    bool pending;    /* there is a newer picture than the one that was shown */
    unsigned rows;   /* lines of the latest picture above the cursor, 0 after other text */
    uint64_t latest; /* time at which it was shown, in milliseconds */
};

/* Reads the value of --preview, which may be NULL. Returns false after an error message. */
bool preview_take(const char *title, const char *value, enum preview_kind *kind);

/* Chooses a kind if it is PREVIEW_AUTO. */
void preview_open(struct preview *preview, enum preview_kind kind);

/* Shows a new picture if standard output is a terminal, at most twenty times a second. */
void preview_look(struct preview *preview, const struct picture *picture);

/* Shows the last picture, if it was not shown before. */
void preview_end(struct preview *preview, const struct picture *picture);

/* Other text has been printed: the next picture comes below it. */
void preview_leave(struct preview *preview);

#endif
