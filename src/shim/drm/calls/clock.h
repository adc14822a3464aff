/* SPDX-License-Identifier: MIT */
/* clock.h - the refresh of the screen, and events at vertical blanks.
 *
 * In:  the mode, page flips.
 * Out: times and numbers of vertical blanks; events, which are sent at the times of blanks.
 *
 * The screen uses adaptive synchronisation. A picture is shown as soon as it is ready, but at least
 * one period after the previous picture. So a program that is slower than the screen never waits
 * for the screen, and a faster program is slowed down to the screen's rate. Without new pictures, a
 * vertical blank occurs every period. All functions are called with the device's lock
 * (device_lock.h). */
#ifndef SHIM_DRM_CALLS_CLOCK_H
#define SHIM_DRM_CALLS_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shim/drm/calls/file.h"

#define CLOCK_SECOND 1000000000ull

/* A vertical blank. `number` is the blank's number and `time` its time in nanoseconds of
 * CLOCK_MONOTONIC. */
struct clock_blank {
    uint64_t number, time;
};

/* Sets the refresh rate, in thousandths of a hertz. */
void clock_start(uint32_t rate);

uint64_t clock_now(void);

/* clock_last() returns the latest blank. clock_blank() returns the blank with a number. */
struct clock_blank clock_last(void);
struct clock_blank clock_blank(uint64_t number);

/* Returns the blank at which a picture that is ready now becomes visible. If at_once is true, that
 * is now. Otherwise it is now or one period after the last flip, whichever is later. */
struct clock_blank clock_flip(bool at_once);

/* True if the blank of the last flip is in the future. */
bool clock_is_flipping(void);

/* True if the file's queue has room for one more event. Pending and unread events count. */
bool clock_has_room(const struct file *file);

/* Sends a copy of an event at the given time, or at once if the time has passed. Error: ENOMEM. */
int clock_send(struct file *file, const void *event, size_t size, uint64_t time);

/* Drops the pending events of a file. */
void clock_forget(const struct file *file);

/* Calls a function once, with the lock, at the next blank at which a new picture may become
 * visible. If such a call is already pending, does nothing. */
void clock_call(void (*call)(void));

/* Calls a function, with the lock, at each blank from now on. NULL stops the calls. */
void clock_watch(void (*call)(void));

/* clock_delay() makes the next clock_wait() of this thread sleep until the given time. clock_wait()
 * is called without the lock after each request. */
void clock_delay(uint64_t time);
void clock_wait(void);

#endif
