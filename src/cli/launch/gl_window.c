/* SPDX-License-Identifier: MIT */
/* gl_window.c - see gl_window.h.
 *
 * In:  frames (packets of struct viewer_frame in front/viewer.h) from any process of the program.
 * Out: an SDL2 window.
 *
 * The pixels are read with pread(). A mapping would raise SIGBUS if the program truncated the
 * file. */
#define _GNU_SOURCE /* accept4() */
#include "cli/launch/gl_window.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/environment.h"
#include "cli/launch/sdl_window.h"
#include "front/viewer.h"

enum { CLIENTS = 8, TICK = 10 /* milliseconds */, PATIENCE = 3 /* seconds */, MOST_LEFT = 16 };

struct client {
    int socket; /* -1 if the slot is free */
    bool known; /* true if the client has sent the window's key */
    int files[VIEWER_BUFFERS];
};

static const struct client no_client = {-1, false, {-1, -1}};

struct gl_window {
    const char *title;
    struct sdl_window shown;
    int listener;
    char key[VIEWER_KEY + 1];
    struct client clients[CLIENTS];
    bool has_quit;
    time_t quit_time;
};

/* --- the socket --- */

static bool make_key(char key[VIEWER_KEY + 1])
{
    uint8_t bytes[VIEWER_KEY / 2];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(key + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* Listens on a socket in the abstract namespace. The socket's name is released when the process
 * ends. Returns false after an error message. */
static bool listen_for(struct gl_window *window)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(address.sun_path, sizeof address.sun_path, "@tessera-window-%ld",
                          (long)getpid());
    if (!make_key(window->key) ||
        !environment_set(window->title, "TESSERA_WINDOW", address.sun_path) ||
        !environment_set(window->title, "TESSERA_WINDOW_KEY", window->key))
        return false;
    address.sun_path[0] = 0;
    window->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)length);
    if (window->listener >= 0 && bind(window->listener, (struct sockaddr *)&address, size) == 0 &&
        listen(window->listener, CLIENTS) == 0)
        return true;
    fprintf(stderr, "%s: --window: %s\n", window->title, strerror(errno));
    return false;
}

static void drop(struct client *client)
{
    if (client->socket >= 0)
        close(client->socket);
    for (unsigned i = 0; i < VIEWER_BUFFERS; i++)
        if (client->files[i] >= 0)
            close(client->files[i]);
    *client = no_client;
}

/* Returns a free slot. If all slots are taken, disconnects the first client that has not sent the
 * key. Returns NULL if all slots are taken by clients that have sent the key. */
static struct client *make_room(struct gl_window *window)
{
    struct client *stranger = NULL;
    for (unsigned i = 0; i < CLIENTS; i++) {
        struct client *client = &window->clients[i];
        if (client->socket < 0)
            return client;
        if (!client->known && !stranger)
            stranger = client;
    }
    if (stranger)
        drop(stranger);
    return stranger;
}

static void welcome(struct gl_window *window)
{
    int socket = accept4(window->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    struct client *client = socket >= 0 ? make_room(window) : NULL;
    if (client)
        client->socket = socket;
    else if (socket >= 0)
        close(socket);
}

/* Returns the first descriptor of a message, or -1 if the message has no descriptor. Closes further
 * descriptors. The control buffer is for one descriptor, but its padding has room for another. */
static int take_descriptor(struct msghdr *message)
{
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    int first = -1, other;
    if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
        return -1;
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof first;
    for (size_t i = 0; i < count; i++) {
        memcpy(&other, CMSG_DATA(header) + i * sizeof other, sizeof other);
        if (i == 0)
            first = other;
        else
            close(other);
    }
    return first;
}

/* Receives a frame. Sets *file to the frame's descriptor, or to -1 if the frame has no descriptor.
 * Returns false if the frame is invalid or the connection has ended. */
static bool receive(int socket, struct viewer_frame *frame, int *file)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {frame, sizeof *frame};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t size;
    /* ECONNRESET means that the program ended without reading all replies. Frames of the program
     * may still be queued, so the receive is repeated. */
    do
        size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (size < 0 && errno == ECONNRESET);
    *file = size >= 0 ? take_descriptor(&message) : -1;
    return size == sizeof *frame && frame->magic == VIEWER_MAGIC &&
           frame->buffer < VIEWER_BUFFERS && frame->width && frame->width <= VIEWER_MOST &&
           frame->height && frame->height <= VIEWER_MOST;
}

/* --- the window --- */

/* Copies the picture's rows from the file. Rows after the end of the file keep their pixels. */
static void read_picture(SDL_Surface *picture, int file)
{
    size_t row = (size_t)picture->w * 4;
    for (int y = 0; y < picture->h; y++)
        if (pread(file, (uint8_t *)picture->pixels + (size_t)y * (size_t)picture->pitch, row,
                  (off_t)(row * (size_t)y)) != (ssize_t)row)
            return;
}

static void show(struct gl_window *window, struct client *client, const struct viewer_frame *frame)
{
    char title[64];
    struct viewer_done done = {frame->buffer};
    struct sdl_window *shown = &window->shown;
    if (sdl_window_prepare(shown, (int)frame->width, (int)frame->height)) {
        read_picture(shown->picture, client->files[frame->buffer]);
        snprintf(title, sizeof title, "Tessera: picture %u", frame->number);
        shown->sdl.SetWindowTitle(shown->window, title);
        sdl_window_draw(shown);
    }
    /* An error means that the program has ended. The error is ignored, since the socket's queue may
     * still contain the program's last frames. */
    send(client->socket, &done, sizeof done, MSG_NOSIGNAL);
}

/* Checks the first packet of a client. Disconnects a client that does not send the key. */
static void greet(const struct gl_window *window, struct client *client)
{
    struct viewer_hello hello;
    client->known = recv(client->socket, &hello, sizeof hello, 0) == sizeof hello &&
                    hello.magic == VIEWER_MAGIC &&
                    memcmp(hello.key, window->key, sizeof hello.key) == 0;
    if (!client->known)
        drop(client);
}

static void serve(struct gl_window *window, struct client *client)
{
    struct viewer_frame frame;
    int file;
    if (!client->known) {
        greet(window, client);
        return;
    }
    bool good = receive(client->socket, &frame, &file);
    if (!good) {
        if (file >= 0)
            close(file);
        drop(client);
        return;
    }
    if (file >= 0) {
        if (client->files[frame.buffer] >= 0)
            close(client->files[frame.buffer]);
        client->files[frame.buffer] = file;
    }
    show(window, client, &frame);
}

/* Waits up to `patience` milliseconds for a socket to become ready, and handles all ready sockets.
 * Returns false if no socket became ready. */
static bool wait_for_pictures(struct gl_window *window, int patience)
{
    struct pollfd waits[CLIENTS + 1] = {{.fd = window->listener, .events = POLLIN}};
    for (unsigned i = 0; i < CLIENTS; i++)
        waits[1 + i] = (struct pollfd){.fd = window->clients[i].socket, .events = POLLIN};
    if (poll(waits, CLIENTS + 1, patience) <= 0)
        return false;
    for (unsigned i = 0; i < CLIENTS; i++)
        if (waits[1 + i].revents)
            serve(window, &window->clients[i]);
    if (waits[0].revents)
        welcome(window); /* last, since a new client may replace a client in `waits` */
    return true;
}

static void look_at_events(struct gl_window *window, pid_t process)
{
    SDL_Event event;
    while (window->shown.sdl.PollEvent(&event)) {
        if (event.type == SDL_QUIT && !window->has_quit) {
            window->has_quit = true;
            window->quit_time = time(NULL);
            kill(process, SIGTERM);
        }
        if (event.type == SDL_WINDOWEVENT)
            sdl_window_draw(&window->shown);
    }
    if (window->has_quit && time(NULL) > window->quit_time + PATIENCE)
        kill(process, SIGKILL);
}

static bool has_ended(pid_t process)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid == process;
}

/* --- start and end --- */

struct gl_window *gl_window_open(const char *title)
{
    struct gl_window *window = calloc(1, sizeof *window);
    if (!window)
        return NULL;
    *window = (struct gl_window){.title = title, .listener = -1};
    for (unsigned i = 0; i < CLIENTS; i++)
        window->clients[i] = no_client;
    if (!sdl_window_start(&window->shown, title)) {
        free(window);
        return NULL;
    }
    if (listen_for(window))
        return window;
    gl_window_close(window);
    return NULL;
}

bool gl_window_show(void *context, pid_t process)
{
    struct gl_window *window = context;
    while (!has_ended(process)) {
        wait_for_pictures(window, TICK);
        look_at_events(window, process);
    }
    for (unsigned i = 0; i < MOST_LEFT && wait_for_pictures(window, 0); i++)
        continue; /* shows the frames that were still queued when the program ended */
    return window->has_quit;
}

void gl_window_close(struct gl_window *window)
{
    if (!window)
        return;
    for (unsigned i = 0; i < CLIENTS; i++)
        drop(&window->clients[i]);
    if (window->listener >= 0)
        close(window->listener);
    sdl_window_stop(&window->shown);
    free(window);
}
