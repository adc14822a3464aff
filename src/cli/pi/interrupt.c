/* SPDX-License-Identifier: MIT */
/* interrupt.c - see interrupt.h.
 *
 * In:  signals.
 * Out: a mark, or the end of the program. */
#include "cli/pi/interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "cli/pi/terminal.h"

/* Signals that end programs. The first one that `asks` is a request of the user. */
static const struct {
    int number;
    bool asks;
} numbers[] = {
    {SIGINT, true},   {SIGTERM, true},  {SIGHUP, true},   {SIGQUIT, false}, {SIGPIPE, false},
    {SIGALRM, false}, {SIGUSR1, false}, {SIGUSR2, false}, {SIGXCPU, false}, {SIGVTALRM, false},
};

enum { NUMBERS = sizeof numbers / sizeof *numbers };

static struct sigaction before[NUMBERS];
static volatile sig_atomic_t seen;
static bool begun;

static bool asks(int number)
{
    for (unsigned i = 0; i < NUMBERS; i++)
        if (numbers[i].number == number)
            return numbers[i].asks;
    return false;
}

static void take(int number)
{
    if (!seen && asks(number)) {
        seen = 1;
        return;
    }
    terminal_give_back();
    for (unsigned i = 0; i < NUMBERS; i++)
        sigaction(numbers[i].number, &before[i], NULL);
    raise(number);
}

void interrupt_begin(void)
{
    const struct sigaction action = {.sa_handler = take, .sa_flags = SA_RESTART};
    for (unsigned i = 0; !begun && i < NUMBERS; i++)
        if (sigaction(numbers[i].number, NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
            sigaction(numbers[i].number, &action, NULL);
    begun = true;
}

bool interrupt_seen(void)
{
    return seen;
}
