/* SPDX-License-Identifier: MIT */
/* nodes.c - see nodes.h.
 *
 * In:  calls.
 * Out: descriptors, open files.
 *
 * Choices: the descriptor of a node is a datagram socket. The socket's name identifies the node.
 *          poll(), epoll and read() find the node's events in the socket's queue. Duplicates and
 *          children share the socket. Another process that receives the descriptor, or a program
 *          started with exec, recognizes the node by the socket's name. Each process has its own
 *          open file (file.h) for the descriptor.
 * Source: the manual page unix(7). */
#include "shim/drm/interpose/nodes.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/common/device_lock.h"
#include "shim/common/lock.h"
#include "shim/common/next.h"
#include "shim/drm/device/device.h"
#include "shim/drm/interpose/named_socket.h"

/* Beginnings of the names of the nodes' sockets. */
static const char *const node_names[] = {
    [FILE_CARD] = "tessera-drm-card0", [FILE_RENDER] = "tessera-drm-renderD128"};

enum {
    MOST = 1 << 20, /* number of descriptors in the table */
    MOST_EVENTS = 512,
    EVENT_BYTES = 64,
    NODE_KINDS = sizeof node_names / sizeof *node_names,
};

/* Open files by descriptor. The program may close a descriptor in a way that the shim does not
 * notice. The descriptor's inode number then differs from the one in the open file. A thread
 * without the lock may check whether an entry is NULL. */
typedef struct file *_Atomic known_file;
static struct {
    known_file *_Atomic files;
    int end; /* one more than the highest descriptor so far */
} known;

static struct lock reading; /* held while an event is read */
static atomic_uint readers; /* number of threads that wait for events */

void nodes_in_child(void)
{
    atomic_store(&readers, 0);
}

/* --- open files by descriptor --- */

static bool make_table(void)
{
    if (known.files)
        return true;
    void *start = real_mmap(NULL, MOST * sizeof *known.files, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        return false;
    atomic_store(&known.files, start);
    return true;
}

static struct file *known_at(int fd)
{
    known_file *files = atomic_load(&known.files);
    return files && fd >= 0 && fd < MOST ? atomic_load(&files[fd]) : NULL;
}

static void set(int fd, struct file *file)
{
    atomic_store(&known.files[fd], file);
    if (fd >= known.end)
        known.end = fd + 1;
}

/* Returns another descriptor of the file, or -1 if none exists. */
static int other_descriptor(const struct file *file)
{
    for (int fd = 0; fd < known.end; fd++)
        if (known_at(fd) == file)
            return fd;
    return -1;
}

static void forget(int fd)
{
    struct file *file = known_at(fd);
    if (!file)
        return;
    set(fd, NULL);
    if (file->descriptor != fd)
        return;
    file->descriptor = other_descriptor(file);
    if (file->descriptor < 0)
        file_destroy(file);
}

static bool learn(int fd, struct file *file)
{
    if (known_at(fd) == file)
        return true;
    forget(fd);
    if (fd >= MOST || !make_table())
        return false;
    set(fd, file);
    if (file->descriptor < 0)
        file->descriptor = fd;
    return true;
}

/* --- sockets --- */

static bool is_socket(int fd, uint64_t *inode)
{
    struct stat64 status;
    if (fd < 0 || real_fstat(fd, &status) != 0 || !S_ISSOCK(status.st_mode))
        return false;
    *inode = status.st_ino;
    return true;
}

/* Finds the node that a socket's name identifies. Returns false if the name is not a node's. */
static bool read_name(int fd, enum file_node *node)
{
    char name[NAMED_SOCKET_BYTES];
    if (!named_socket_read(fd, name))
        return false;
    for (int i = 0; i < NODE_KINDS; i++)
        if (strncmp(name, node_names[i], strlen(node_names[i])) == 0) {
            *node = (enum file_node)i;
            return true;
        }
    return false;
}

/* --- files --- */

static struct file *make_file(int fd, enum file_node node, uint64_t inode)
{
    device_begin();
    struct file *file = file_create(node);
    if (!file)
        return NULL;
    file->inode = inode;
    if (learn(fd, file))
        return file;
    file_destroy(file);
    return NULL;
}

int nodes_open(enum file_node node, int flags)
{
    uint64_t inode = 0;
    int fd = named_socket_make(node_names[node], flags);
    if (fd < 0)
        return -1;
    device_lock();
    bool made = is_socket(fd, &inode) && make_file(fd, node, inode);
    device_unlock();
    if (made)
        return fd;
    real_close(fd);
    errno = ENOMEM;
    return -1;
}

static struct file *file_with(uint64_t inode)
{
    for (struct file *file = file_first(); file; file = file->next)
        if (file->inode == inode)
            return file;
    return NULL;
}

struct file *nodes_find(int fd)
{
    uint64_t inode;
    enum file_node node;
    if (!is_socket(fd, &inode)) {
        forget(fd);
        return NULL;
    }
    struct file *file = known_at(fd);
    if (file && file->inode == inode)
        return file;
    file = file_with(inode);
    if (file)
        return learn(fd, file) ? file : NULL;
    forget(fd);
    return read_name(fd, &node) ? make_file(fd, node, inode) : NULL;
}

bool nodes_is(int fd, enum file_node *node)
{
    uint64_t inode;
    return is_socket(fd, &inode) && read_name(fd, node);
}

bool nodes_knows(int fd)
{
    enum file_node node;
    return known_at(fd) && nodes_is(fd, &node);
}

/* --- reading --- */

/* True if the buffer's address is valid, like access_ok(). read() checks the address before
 * anything else. */
static bool may_be_memory(const void *to, size_t size)
{
    return size <= INTPTR_MAX && (sizeof to == 4 ? (uintptr_t)to <= UINTPTR_MAX - size
                                                 : (uintptr_t)to <= INTPTR_MAX - size);
}

/* Reads one event if it fits and the memory is writable. Otherwise the event stays queued. Returns
 * the result of read(), or 0 if the event does not fit or another thread has read it. */
static ssize_t take_event(int fd, void *to, size_t size)
{
    ssize_t length = recv(fd, NULL, 0, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
    if (length >= 0 && (size_t)length > size)
        return 0;
    if (length >= 0)
        length = recv(fd, to, size, MSG_PEEK | MSG_DONTWAIT);
    return length < 0 ? length : recv(fd, to, size, MSG_DONTWAIT);
}

static ssize_t take_event_alone(int fd, void *to, size_t size)
{
    struct lock_before before;
    lock_take(&reading, &before);
    const ssize_t got = take_event(fd, to, size);
    lock_give(&reading, &before);
    return got;
}

/* Waits for an event. On error, returns false with the errno of recv(). */
static bool wait_for_event(int fd)
{
    atomic_fetch_add(&readers, 1);
    const ssize_t length = recv(fd, NULL, 0, MSG_PEEK | MSG_TRUNC);
    atomic_fetch_sub(&readers, 1);
    return length >= 0;
}

/* Wakes another waiting thread. The system wakes only one thread for an event. If this thread's
 * buffer is too small for the event, this function receives all events and sends them again in the
 * same order, which wakes another thread. */
static void wake_next(int fd)
{
    static uint8_t events[MOST_EVENTS][EVENT_BYTES]; /* protected by `reading` */
    static ssize_t sizes[MOST_EVENTS];
    struct lock_before before;
    unsigned count = 0;
    if (atomic_load(&readers) == 0)
        return;
    device_lock(); /* prevents other threads from sending */
    lock_take(&reading, &before);
    struct file *file = nodes_find(fd);
    while (file && count < MOST_EVENTS &&
           (sizes[count] = recv(fd, events[count], EVENT_BYTES, MSG_DONTWAIT)) > 0)
        count++;
    for (unsigned i = 0; i < count; i++)
        file_send_event(file, events[i], (size_t)sizes[i]);
    lock_give(&reading, &before);
    device_unlock();
}

/* Reads events while whole events fit. Returns the result of read(). If other threads have read all
 * events, returns -1 with errno EAGAIN. */
static ssize_t take_events(int fd, void *to, size_t size)
{
    size_t done = 0;
    ssize_t got;
    do {
        got = take_event_alone(fd, (char *)to + done, size - done);
        done += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    if (got == 0)
        wake_next(fd);
    return done ? (ssize_t)done : got;
}

/* Carries out read() of a node. Source: Linux, fs/read_write.c (vfs_read),
 * drivers/gpu/drm/drm_file.c (drm_read). */
ssize_t nodes_read(int fd, void *to, size_t size)
{
    ssize_t got = -1;
    errno = may_be_memory(to, size) ? EAGAIN : EFAULT;
    while (got < 0 && errno == EAGAIN && wait_for_event(fd))
        got = take_events(fd, to, size);
    return got;
}

void nodes_duplicated(int from, int to)
{
    if (from == to || (!known_at(from) && !known_at(to)) || !device_is_own_process())
        return;
    device_lock();
    struct file *file = known_at(from);
    forget(to);
    if (file)
        learn(to, file);
    device_unlock();
}

int nodes_close(int fd, int (*real)(int fd))
{
    if (!known_at(fd) || !device_is_own_process())
        return real(fd);
    device_lock();
    forget(fd);
    device_unlock();
    return real(fd);
}

void nodes_closed(unsigned first, unsigned last)
{
    if (!device_is_own_process())
        return;
    device_lock();
    for (unsigned fd = first; fd <= last && fd < (unsigned)known.end; fd++)
        forget((int)fd);
    device_unlock();
}
