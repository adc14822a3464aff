/* SPDX-License-Identifier: MIT */
/* viewer.h - protocol between a program's display and the window of tessera gl --window.
 *
 * The window listens on a Unix socket for packets (SOCK_SEQPACKET). TESSERA_WINDOW contains the
 * socket's name: a path, or "@" and an abstract name. A process with a display connects and sends a
 * viewer_frame for each picture. The pixels, 0x00RRGGBB row by row from the top, are in a memory
 * file, whose descriptor is passed with the first frame that uses it. There are VIEWER_BUFFERS such
 * files. When the window has read the pixels, it sends a viewer_done. The program may then reuse
 * the buffer.
 *
 * Any user can connect to an abstract name. The window therefore only accepts pictures after a
 * viewer_hello with the key from TESSERA_WINDOW_KEY. Programs only send pictures to a socket whose
 * owner is the same user or root. */
#ifndef FRONT_VIEWER_H
#define FRONT_VIEWER_H

#include <stdint.h>

enum {
    VIEWER_BUFFERS = 2,
    VIEWER_MAGIC = 0x54535657,
    VIEWER_MOST = 4096, /* maximum width and height in pixels */
    VIEWER_KEY = 32     /* length of the key in characters */
};

/* The first packet of a connection, if TESSERA_WINDOW_KEY contains a key. */
struct viewer_hello {
    uint32_t magic;
    char key[VIEWER_KEY];
};

struct viewer_frame {
    uint32_t magic;
    uint32_t buffer; /* number of the buffer, less than VIEWER_BUFFERS */
    uint32_t width, height;
    uint32_t number; /* number of the frame, from 1 */
};

struct viewer_done {
    uint32_t buffer;
};

#endif
