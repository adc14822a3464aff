/* SPDX-License-Identifier: MIT */
/* viewer.h - how a program's pictures come to the window of tessera gl --window.
 *
 * The window listens at a Unix socket for packets (SOCK_SEQPACKET), whose name is in TESSERA_WINDOW: a path, or "@" and a name
 * of the abstract kind. A process with a display connects and sends a viewer_frame for each picture. Its pixels, 0x00RRGGBB row
 * by row from the top, are in a file in memory, whose descriptor comes with the first frame that uses it; there are
 * VIEWER_BUFFERS of them. The window answers with a viewer_done when it has read them, and the buffer may be used again.
 *
 * Names of the abstract kind are everybody's: so the window takes pictures from those alone that know what is in
 * TESSERA_WINDOW_KEY, which they send first; and they send pictures to a socket of their own user, or root's, alone. */
#ifndef FRONT_VIEWER_H
#define FRONT_VIEWER_H

#include <stdint.h>

enum {
    VIEWER_BUFFERS = 2,
    VIEWER_MAGIC = 0x54535657,
    VIEWER_MOST = 4096, /* pixels, across and down */
    VIEWER_KEY = 32     /* characters */
};

/* Comes first, where there is a key. */
struct viewer_hello {
    uint32_t magic;
    char key[VIEWER_KEY];
};

struct viewer_frame {
    uint32_t magic;
    uint32_t buffer; /* below VIEWER_BUFFERS */
    uint32_t width, height;
    uint32_t number; /* of the frame, from 1 */
};

struct viewer_done {
    uint32_t buffer;
};

#endif
