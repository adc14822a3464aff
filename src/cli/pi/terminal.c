/* SPDX-License-Identifier: MIT */
/* terminal.c - see terminal.h.
 *
 * In:  keys of standard input.
 * Out: bytes; settings of the terminal.
 *
 * Source: termios(3); "VT330/VT340 Programmer Reference Manual", device attributes (parameter 4:
 *         sixel graphics).
 * Choices: Ctrl-Z and Ctrl-\ go to the kernel. */
#include "cli/pi/terminal.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { PATIENCE = 200 /* milliseconds */, LONGEST_ANSWER = 128 };

static struct termios before;  /* the settings that terminal_give_back() restores */
static volatile bool is_taken; /* also read by signal handlers */

bool terminal_has_keys(void)
{
    return isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

bool terminal_take_keys(void)
{
    struct termios keys;
    if (tcgetattr(STDIN_FILENO, &before) != 0)
        return false;
    keys = before;
    keys.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | IXON | ISTRIP);
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
    keys.c_cc[VMIN] = 0;
    keys.c_cc[VTIME] = 0;
    keys.c_cc[VSUSP] = keys.c_cc[VQUIT] = _POSIX_VDISABLE;
    is_taken = tcsetattr(STDIN_FILENO, TCSADRAIN, &keys) == 0;
    return is_taken;
}

void terminal_give_back(void)
{
    if (is_taken)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
    is_taken = false;
}

int terminal_read(uint8_t *keys, size_t size)
{
    struct pollfd poller = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&poller, 1, 0) <= 0)
        return 0;
    ssize_t length = read(STDIN_FILENO, keys, size);
    if (length < 0 && (errno == EINTR || errno == EAGAIN))
        return 0;
    return length > 0 ? (int)length : -1;
}

struct terminal_size terminal_get_size(void)
{
    struct winsize window = {0};
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col && window.ws_row;
    struct terminal_size size = {
        .columns = known ? window.ws_col : 80,
        .lines = known ? window.ws_row : 24,
        .cell_height = known ? (unsigned)window.ws_ypixel / window.ws_row : 0,
    };
    size.width = known && window.ws_xpixel ? window.ws_xpixel : size.columns * 10;
    if (!size.cell_height)
        size.cell_height = 20;
    return size;
}

/* Reads up to the letter that ends an answer. */
static void read_answer(char *answer)
{
    struct pollfd poller = {.fd = STDIN_FILENO, .events = POLLIN};
    size_t length = 0;
    while (length < LONGEST_ANSWER - 1 && poll(&poller, 1, PATIENCE) > 0 &&
           read(STDIN_FILENO, answer + length, 1) == 1)
        if (answer[length++] == 'c')
            break;
    answer[length] = 0;
}

/* Returns true if "ESC [ ? N ; N ... c" has a parameter 4 after the first. */
static bool has_parameter_4(const char *answer)
{
    for (const char *at = strchr(answer, ';'); at; at = strchr(at + 1, ';'))
        if (at[1] == '4' && (at[2] == ';' || at[2] == 'c'))
            return true;
    return false;
}

bool terminal_has_sixel(void)
{
    static const char ask[] = "\033[c";
    char answer[LONGEST_ANSWER] = "";
    if (!terminal_has_keys() || !isatty(STDOUT_FILENO) || !terminal_take_keys())
        return false;
    if (write(STDOUT_FILENO, ask, strlen(ask)) == (ssize_t)strlen(ask))
        read_answer(answer);
    terminal_give_back();
    return has_parameter_4(answer);
}
