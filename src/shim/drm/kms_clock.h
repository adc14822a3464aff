/* SPDX-License-Identifier: MIT */
/* kms_clock.h - when the screen is refreshed, and what happens then.
 *
 * In:  the mode, page flips. Out: times and counts of vertical blanks; events that are sent when their time has come.
 *
 * The screen follows what drives it (adaptive synchronisation): a picture is shown as soon as it is there, but never sooner
 * than a period after the one before. So a program that is slower than the screen never waits for it, and one that is faster is
 * slowed down to its rate. While no pictures come, there is a vertical blank every period. All functions are called with the
 * device's lock (gpu.h). */
#ifndef SHIM_DRM_KMS_CLOCK_H
#define SHIM_DRM_KMS_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file.h"

#define CLOCK_SECOND 1000000000ull

/* A vertical blank: its number, and its time in nanoseconds of CLOCK_MONOTONIC. */
struct clock_blank {
    uint64_t number, time;
};

/* The screen is refreshed at so many thousandths of a hertz from now on. */
void clock_start(uint32_t rate);

uint64_t clock_now(void);

/* The last blank so far, and one by its number. */
struct clock_blank clock_last(void);
struct clock_blank clock_blank(uint64_t number);

/* The blank after which a picture that is there now is seen: the next one that may be, or this very moment. */
struct clock_blank clock_flip(bool at_once);

/* Whether the last flip's blank is yet to come. */
bool clock_is_flipping(void);

/* Whether there is room for one more event: what is to come and what is unread count. */
bool clock_has_room(const struct file *file);

/* Sends an event, which is copied, when its time has come; at once if it has. Errors: ENOMEM. */
int clock_send(struct file *file, const void *event, size_t size, uint64_t time);

/* Drops the events of a file. */
void clock_forget(const struct file *file);

/* Has a function called, with the lock, at the next blank after which a picture may be seen; once, however often it was asked
 * for. */
void clock_call(void (*call)(void));

/* Has a function called, with the lock, at each blank from now on; NULL: none. */
void clock_watch(void (*call)(void));

/* Makes kms_wait() sleep until then. */
void clock_wait(uint64_t time);

#endif
