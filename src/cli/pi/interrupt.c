/* SPDX-License-Identifier: MIT */
/* interrupt.c - see interrupt.h.
 *
 * In:  signals.
 * Out: a mark, or the end of the program. */
#include "cli/pi/interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "cli/pi/terminal.h"

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

enum { NUMBERS = sizeof numbers / sizeof *numbers };

static struct sigaction before[NUMBERS];
static volatile sig_atomic_t seen;

/* Gives the signals to their handlers before interrupt_begin(). */
static void give_back(void)
{
    for (unsigned i = 0; i < NUMBERS; i++)
        sigaction(numbers[i], &before[i], NULL);
}

static void take(int number)
{
    if (seen) {
        terminal_give_back();
        give_back();
        raise(number);
    }
    seen = 1;
}

void interrupt_begin(void)
{
    const struct sigaction action = {.sa_handler = take, .sa_flags = SA_RESTART};
    for (unsigned i = 0; i < NUMBERS; i++)
        sigaction(numbers[i], &action, &before[i]);
}

bool interrupt_seen(void)
{
    return seen;
}
