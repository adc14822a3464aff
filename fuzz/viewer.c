/* SPDX-License-Identifier: MIT */
/* viewer.c - fuzz target: the window of tessera gl --window, src/cli/launch/gl_window.c, which
 * receives packets of front/viewer.h. The input is a series of packets from programs. Packets have
 * any bytes, are sent with or without the key, and may carry descriptors of memory files, pipes and
 * folders. At the end, no descriptor may stay open. */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/launch/gl_window.h"
#include "front/viewer.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CLIENTS = 10, PACKETS = 24, LARGEST = 64, SENT_MOST = 3, NOBODY = 0x3fffffff };

static struct gl_window *window;
static int clients[CLIENTS], files[4];
static struct sockaddr_un address;
static socklen_t address_size;
static char key[VIEWER_KEY];

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    int ends[2];
    (void)count;
    (void)arguments;
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    window = gl_window_open("fuzz");
    if (!window || pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        abort();
    const char *name = getenv("TESSERA_WINDOW");
    memcpy(key, getenv("TESSERA_WINDOW_KEY"), sizeof key);
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path, name, strlen(name));
    address.sun_path[0] = 0;
    address_size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
    files[0] = memfd_create("pixels", MFD_CLOEXEC);
    files[1] = ends[0];
    files[2] = open("/", O_PATH | O_CLOEXEC);
    files[3] = memfd_create("few", MFD_CLOEXEC);
    if (ftruncate(files[0], 1 << 20) != 0 || ftruncate(files[3], 100) != 0)
        abort();
    for (int i = 0; i < CLIENTS; i++)
        clients[i] = -1;
    return 0;
}

static void reconnect(int client)
{
    if (clients[client] >= 0)
        close(clients[client]);
    clients[client] = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (clients[client] < 0)
        abort();
    /* The socket's queue may be full. */
    if (connect(clients[client], (struct sockaddr *)&address, address_size) != 0) {
        close(clients[client]);
        clients[client] = -1;
    }
}

static void send_packet(int client, const void *bytes, size_t size, unsigned descriptors)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(SENT_MOST * sizeof(int))];
    } control = {0};
    struct iovec part = {(void *)(uintptr_t)bytes, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    unsigned count = descriptors >> 2 & 3;
    if (count) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){.cmsg_len = CMSG_LEN(count * sizeof(int)),
                                   .cmsg_level = SOL_SOCKET,
                                   .cmsg_type = SCM_RIGHTS};
        for (unsigned i = 0; i < count; i++)
            memcpy(CMSG_DATA(header) + i * sizeof(int), &files[(descriptors + i) & 3], sizeof(int));
    }
    if (clients[client] >= 0)
        sendmsg(clients[client], &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void send_hello(int client)
{
    struct viewer_hello hello = {.magic = VIEWER_MAGIC};
    memcpy(hello.key, key, sizeof hello.key);
    send_packet(client, &hello, sizeof hello, 0);
}

static void send_frame(int client, const uint8_t bytes[6])
{
    struct viewer_frame frame = {.magic = VIEWER_MAGIC,
                                 .buffer = bytes[0] & 3,
                                 .width = bytes[1],
                                 .height = bytes[2],
                                 .number = bytes[3]};
    if (bytes[4] & 1)
        frame.width = bytes[1] * 0x01010101u;
    send_packet(client, &frame, sizeof frame, bytes[5]);
}

/* Checks that a client with the key receives an answer, whatever other clients have sent. */
static void expect_answer(void)
{
    struct viewer_done done;
    const uint8_t frame[6] = {1, 8, 8, 1, 0, 4};
    if (clients[0] >= 0)
        close(clients[0]);
    clients[0] = -1;
    for (int i = 0; i < 2; i++)
        gl_window_show(window, NOBODY);
    reconnect(0);
    send_hello(0);
    send_frame(0, frame);
    for (int i = 0; i < 2; i++)
        gl_window_show(window, NOBODY);
    if (recv(clients[0], &done, sizeof done, MSG_DONTWAIT) != sizeof done || done.buffer != 1)
        abort();
}

static int open_descriptors(void)
{
    int found = 0;
    for (int i = 0; i < 256; i++)
        found += fcntl(i, F_GETFD) >= 0;
    return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size;
    const int before = open_descriptors();
    for (unsigned packets = 0; packets < PACKETS && end - data >= 7; packets++) {
        int client = data[0] >> 4 & 7;
        size_t length = data[6] % LARGEST;
        data += 7;
        switch (data[-7] & 7) {
        case 0: reconnect(client); break;
        case 1: reconnect(client), send_hello(client); break;
        case 2: send_hello(client); break;
        case 3:
            length = length < (size_t)(end - data) ? length : (size_t)(end - data);
            send_packet(client, data, length, data[-6]);
            data += length;
            break;
        case 4: gl_window_show(window, NOBODY); break;
        default: send_frame(client, data - 6); break;
        }
    }
    expect_answer();
    for (int i = 0; i < CLIENTS; i++) {
        if (clients[i] >= 0)
            close(clients[i]);
        clients[i] = -1;
    }
    for (int i = 0; i < 4; i++)
        gl_window_show(window, NOBODY);
    if (open_descriptors() != before)
        abort();
    return 0;
}
