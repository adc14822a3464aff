/* SPDX-License-Identifier: MIT */
/* window.c - see window.h.
 *
 * In:  pictures.
 * Out: files in memory that contain pixels, and packets that refer to these files.
 *
 *The program waits at most 100 ms for the viewer. If the viewer needs longer, the picture is
 *skipped. */
#include "shim/drm/display/window.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "front/viewer.h"

enum { PATIENCE = 100 }; /* longest wait for the viewer, in milliseconds */

static int viewer = -1;
/* true if connecting to the viewer has failed, or the viewer has closed the connection */
static bool gone;

static struct buffer {
    uint32_t *pixels; /* mapped pixels, or NULL */
    uint32_t width, height;
    int file; /* descriptor to send to the viewer, or -1 after it has been sent */
    bool busy;
} buffers[VIEWER_BUFFERS];

static bool connect_socket(const char *name, size_t length)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, name, length);
    if (name[0] == '@')
        address.sun_path[0] = 0;
    viewer = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    return viewer >= 0 &&
           connect(viewer, (struct sockaddr *)&address,
                   (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length)) == 0;
}

/* True if the viewer belongs to this user or to root. Root may have started the viewer and the
 * program, and the program may then have changed its user. */
static bool is_no_stranger(void)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(viewer, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
        (peer.uid == geteuid() || peer.uid == getuid() || peer.uid == 0))
        return true;
    errno = EACCES;
    return false;
}

static bool say_hello(void)
{
    const char *key = getenv("TESSERA_WINDOW_KEY");
    struct viewer_hello hello = {.magic = VIEWER_MAGIC};
    if (!key)
        return true;
    memcpy(hello.key, key, strnlen(key, sizeof hello.key));
    return send(viewer, &hello, sizeof hello, MSG_NOSIGNAL) == sizeof hello;
}

static bool connect_to(const char *name)
{
    size_t length = strlen(name);
    if (gone || length >= sizeof((struct sockaddr_un *)0)->sun_path)
        return false;
    if (connect_socket(name, length) && is_no_stranger() && say_hello())
        return true;
    fprintf(stderr, "tessera: cannot connect to the window (%s): %s\n", name, strerror(errno));
    return false;
}

static void give_up(void)
{
    if (viewer >= 0)
        close(viewer);
    viewer = -1;
    gone = true;
}

/* Receives the numbers of buffers that the viewer does not need any more. Waits up to `patience`
 * milliseconds for the first number. */
static void receive(int patience)
{
    struct pollfd wait = {.fd = viewer, .events = POLLIN};
    struct viewer_done done;
    while (poll(&wait, 1, patience) > 0) {
        ssize_t size = recv(viewer, &done, sizeof done, MSG_DONTWAIT);
        if (size != sizeof done || done.buffer >= VIEWER_BUFFERS) {
            give_up();
            return;
        }
        buffers[done.buffer].busy = false;
        patience = 0;
    }
}

static struct buffer *find_free(void)
{
    for (unsigned i = 0; i < VIEWER_BUFFERS; i++)
        if (!buffers[i].busy)
            return &buffers[i];
    return NULL;
}

static size_t bytes_of(const struct buffer *buffer)
{
    return (size_t)buffer->width * buffer->height * sizeof *buffer->pixels;
}

static void drop(struct buffer *buffer)
{
    if (buffer->pixels)
        munmap(buffer->pixels, bytes_of(buffer));
    if (buffer->file >= 0 && buffer->pixels)
        close(buffer->file);
    *buffer = (struct buffer){.file = -1};
}

static bool make(struct buffer *buffer, uint32_t width, uint32_t height)
{
    if (buffer->pixels && buffer->width == width && buffer->height == height)
        return true;
    drop(buffer);
    buffer->width = width;
    buffer->height = height;
    buffer->file = memfd_create("tessera-window", MFD_CLOEXEC);
    if (buffer->file < 0)
        return false;
    void *pixels = ftruncate(buffer->file, (off_t)bytes_of(buffer)) == 0
                       ? mmap(NULL, bytes_of(buffer), PROT_READ | PROT_WRITE, MAP_SHARED,
                              buffer->file, 0)
                       : MAP_FAILED;
    if (pixels == MAP_FAILED) {
        close(buffer->file);
        buffer->file = -1;
        return false;
    }
    buffer->pixels = pixels;
    return true;
}

/* Sends a frame. Also sends the buffer's file if the viewer does not have it yet. */
static bool send_frame(struct buffer *buffer, uint32_t number)
{
    struct viewer_frame frame = {.magic = VIEWER_MAGIC,
                                 .buffer = (uint32_t)(buffer - buffers),
                                 .width = buffer->width,
                                 .height = buffer->height,
                                 .number = number};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {&frame, sizeof frame};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (buffer->file >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(&control.header), &buffer->file, sizeof(int));
    }
    if (sendmsg(viewer, &message, MSG_NOSIGNAL) < 0)
        return false;
    if (buffer->file >= 0)
        close(buffer->file);
    buffer->file = -1;
    buffer->busy = true;
    return true;
}

void window_show(const char *name, const uint32_t *pixels, uint32_t width, uint32_t height,
                 uint32_t number)
{
    if (viewer < 0 && !connect_to(name)) {
        give_up();
        return;
    }
    receive(find_free() ? 0 : PATIENCE);
    struct buffer *buffer = find_free();
    if (viewer < 0 || !buffer || !make(buffer, width, height))
        return;
    memcpy(buffer->pixels, pixels, bytes_of(buffer));
    if (!send_frame(buffer, number))
        give_up();
}
