/* SPDX-License-Identifier: MIT */
/* terminals.c - see terminals.h.
 *
 * In:  calls.
 * Out: named sockets, answers.
 *
 * The descriptor of a terminal is a named datagram socket, like that of a node (nodes.c). The
 * socket never has data to read, and drops all data that is written. One terminal is active. A
 * request to activate another terminal takes effect at once.
 *
 * Source: the manual page ioctl_console(2); Linux, include/uapi/linux/vt.h, kd.h.
 * Left out: text, keys and line disciplines. */
#include "shim/drm/interpose/terminals.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/kd.h>
#include <linux/vt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "shim/common/device_lock.h"
#include "shim/common/next.h"
#include "shim/common/user.h"
#include "shim/drm/interpose/named_socket.h"

#define NAME "tessera-tty-"

enum { COUNT = 64, FIRST_FREE = 2, MUTE = 0x4b51 /* KDSKBMUTE, which kd.h does not export */ };

/* Settings by terminal. The value 0 of a setting is the kernel's default. */
static struct {
    unsigned active;
    struct {
        uint32_t mode, keys;
        struct vt_mode process;
    } each[COUNT];
} terminals = {.active = 1};

bool terminals_path(const char *path, unsigned *number)
{
    static const char prefix[] = "/dev/tty";
    char *end;
    if (!path || strncmp(path, prefix, sizeof prefix - 1) != 0)
        return false;
    const char *digits = path + sizeof prefix - 1;
    unsigned long value = *digits >= '0' && *digits <= '9' ? strtoul(digits, &end, 10) : COUNT;
    if (value >= COUNT || *end || (*digits == '0' && digits[1]))
        return false;
    *number = (unsigned)value;
    return true;
}

/* --- descriptors --- */

/* Attaches a filter that drops all messages. Writes still succeed, but the socket's queue stays
 * empty. Without the filter, the queue would become full, because no one reads it. Source: Linux,
 * net/unix/af_unix.c (unix_dgram_sendmsg); the manual page socket(7). */
static bool drop_all(int fd)
{
    struct sock_filter nothing = {.code = BPF_RET | BPF_K, .k = 0};
    const struct sock_fprog filter = {.len = 1, .filter = &nothing};
    return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) == 0;
}

int terminals_open(unsigned number, int flags)
{
    char name[sizeof NAME + 10]; /* room for the number */
    snprintf(name, sizeof name, NAME "%u", number ? number : terminals.active);
    const int fd = named_socket_make(name, flags);
    if (fd < 0 || drop_all(fd))
        return fd;
    real_close(fd);
    errno = ENOMEM;
    return -1;
}

bool terminals_is(int fd, unsigned *number)
{
    char name[NAMED_SOCKET_BYTES];
    if (!named_socket_read(fd, name) || strncmp(name, NAME, sizeof NAME - 1) != 0)
        return false;
    *number = (unsigned)strtoul(name + sizeof NAME - 1, NULL, 10) % COUNT;
    return true;
}

/* --- requests --- */

static int give(uint64_t argument, const void *bytes, size_t size)
{
    return user_write(argument, bytes, size) ? 0 : EFAULT;
}

static int give_number(uint64_t argument, uint32_t number)
{
    return give(argument, &number, sizeof number);
}

static int report_state(uint64_t argument)
{
    const struct vt_stat state = {.v_active = (unsigned short)terminals.active,
                                  .v_state = (unsigned short)(1 | 1u << terminals.active)};
    return give(argument, &state, sizeof state);
}

static int activate(uint64_t number)
{
    if (number == 0 || number >= COUNT)
        return ENXIO;
    terminals.active = (unsigned)number;
    return 0;
}

static int set_process(unsigned number, uint64_t argument)
{
    struct vt_mode mode;
    if (!user_read(&mode, argument, sizeof mode))
        return EFAULT;
    if (mode.mode != VT_AUTO && mode.mode != VT_PROCESS)
        return EINVAL;
    terminals.each[number].process = mode;
    return 0;
}

static int set_mode(unsigned number, uint64_t mode)
{
    if (mode > KD_GRAPHICS)
        return EINVAL;
    terminals.each[number].mode = (uint32_t)mode;
    return 0;
}

/* The keyboard mode is stored plus 1. The stored value 0 means the default mode. */
static int set_keys(unsigned number, uint64_t mode)
{
    if (mode > K_OFF)
        return EINVAL;
    terminals.each[number].keys = (uint32_t)mode + 1;
    return 0;
}

static uint32_t get_keys(unsigned number)
{
    uint32_t keys = terminals.each[number].keys;
    return keys ? keys - 1 : K_UNICODE;
}

static int carry_out(unsigned number, unsigned long request, uint64_t argument)
{
    const struct winsize size = {.ws_row = 25, .ws_col = 80};
    const uint8_t kind = KB_101;
    switch ((uint32_t)request) {
    case KDGETMODE: return give_number(argument, terminals.each[number].mode);
    case KDSETMODE: return set_mode(number, argument);
    case KDGKBMODE: return give_number(argument, get_keys(number));
    case KDSKBMODE: return set_keys(number, argument);
    case KDGKBTYPE: return give(argument, &kind, sizeof kind);
    case VT_GETMODE: return give(argument, &terminals.each[number].process, sizeof(struct vt_mode));
    case VT_SETMODE: return set_process(number, argument);
    case VT_GETSTATE: return report_state(argument);
    case VT_OPENQRY: return give_number(argument, FIRST_FREE);
    case VT_ACTIVATE: return activate(argument);
    case TIOCGWINSZ: return give(argument, &size, sizeof size);
    case VT_WAITACTIVE:
    case VT_RELDISP:
    case MUTE:
    case TIOCSCTTY: return 0;
    default: return ENOTTY;
    }
}

int terminals_ioctl(unsigned number, unsigned long request, uint64_t argument)
{
    device_lock();
    int error = carry_out(number, request, argument);
    device_unlock();
    return error;
}
