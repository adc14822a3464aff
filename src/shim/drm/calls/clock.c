/* SPDX-License-Identifier: MIT */
/* clock.c - see clock.h.
 *
 * In:  CLOCK_MONOTONIC.
 * Out: events, in the order of their times.
 *
 * If an event is due at the time of the request, the thread that made the request sends it. Later
 * events are sent by a clock thread, which is started at first use. That thread takes the device's
 * lock, so it may send an event late while the GPU runs. The time in the event is still right. */
#include "shim/drm/calls/clock.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "shim/common/device_lock.h"

enum { MOST_EVENT = FILE_EVENT_BYTES, EVENT_SPACE = 4096, STACK = 1 << 18 };

struct pending {
    struct pending *next;
    uint64_t time;
    struct file *file;
    size_t size;
    uint8_t event[MOST_EVENT];
};

static uint64_t period = CLOCK_SECOND / 60;
/* the last flip's blank; later blanks follow at multiples of the period */
static struct clock_blank last_flip;
static void (*called)(void); /* function to call at call_time, or NULL */
static uint64_t call_time;
static void (*watcher)(void); /* function to call at watch_time and at each later blank, or NULL */
static uint64_t watch_time;
static struct pending *pending; /* list of pending events, ordered by time */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* protects alarm_time and awake */
static pthread_cond_t changed;
static uint64_t alarm_time = UINT64_MAX; /* time at which the clock thread wakes up */
static bool awake;                       /* true if the clock thread has started to run */
static bool running;                     /* true if the clock thread exists */

static _Thread_local uint64_t wake; /* time at which clock_wait() returns; 0 if it need not wait */

uint64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * CLOCK_SECOND + (uint64_t)now.tv_nsec;
}

/* --- blanks --- */

void clock_start(uint32_t rate)
{
    last_flip = clock_last();
    last_flip.time = clock_now();
    period = rate ? 1000 * CLOCK_SECOND / rate : CLOCK_SECOND;
}

struct clock_blank clock_blank(uint64_t number)
{
    return (struct clock_blank){number, last_flip.time + (number - last_flip.number) * period};
}

struct clock_blank clock_last(void)
{
    uint64_t now = clock_now();
    return clock_blank(last_flip.number +
                       (now > last_flip.time ? (now - last_flip.time) / period : 0));
}

struct clock_blank clock_flip(bool at_once)
{
    uint64_t now = clock_now(), soonest = at_once ? last_flip.time : last_flip.time + period;
    uint64_t time = now > soonest ? now : soonest,
             periods = (time - last_flip.time + period - 1) / period;
    last_flip.number += periods ? periods : 1;
    last_flip.time = time;
    return last_flip;
}

bool clock_is_flipping(void)
{
    return clock_now() < last_flip.time;
}

void clock_delay(uint64_t time)
{
    wake = time;
}

/* --- serving what is due --- */

static void send_due(uint64_t now)
{
    while (pending && pending->time <= now) {
        struct pending *first = pending;
        pending = first->next;
        file_send_event(first->file, first->event, first->size);
        free(first);
    }
}

void clock_wait(void)
{
    struct timespec until = {.tv_sec = (time_t)(wake / CLOCK_SECOND),
                             .tv_nsec = (long)(wake % CLOCK_SECOND)};
    if (!wake)
        return;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        continue;
    wake = 0;
    device_lock();
    send_due(clock_now()); /* the clock thread may wake later than this thread */
    device_unlock();
}

static void call_due(uint64_t now)
{
    void (*call)(void) = called;
    if (!call || call_time > now)
        return;
    called = NULL;
    call();
}

static uint64_t next_blank(void)
{
    return clock_blank(clock_last().number + 1).time;
}

static void call_watcher(uint64_t now)
{
    if (!watcher || watch_time > now)
        return;
    watch_time = next_blank();
    watcher();
}

static uint64_t sooner(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

static uint64_t next_time(void)
{
    uint64_t time = sooner(called ? call_time : UINT64_MAX, watcher ? watch_time : UINT64_MAX);
    return sooner(time, pending ? pending->time : UINT64_MAX);
}

/* --- the thread --- */

/* Waits until alarm_time. Called with the mutex. */
static void sleep_until_alarm(void)
{
    while (clock_now() < alarm_time) {
        struct timespec until = {.tv_sec = (time_t)(alarm_time / CLOCK_SECOND),
                                 .tv_nsec = (long)(alarm_time % CLOCK_SECOND)};
        if (alarm_time == UINT64_MAX)
            pthread_cond_wait(&changed, &mutex);
        else
            pthread_cond_timedwait(&changed, &mutex, &until);
    }
    alarm_time = UINT64_MAX;
}

/* Makes the clock thread wake up at `time` at the latest. Called with the device's lock. */
static void set_alarm(uint64_t time)
{
    pthread_mutex_lock(&mutex);
    if (time < alarm_time) {
        alarm_time = time;
        pthread_cond_signal(&changed);
    }
    pthread_mutex_unlock(&mutex);
}

static void *run(void *unused)
{
    pthread_mutex_lock(&mutex);
    awake = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    for (;;) {
        pthread_mutex_lock(&mutex);
        sleep_until_alarm();
        pthread_mutex_unlock(&mutex);
        device_lock();
        send_due(clock_now());
        call_due(clock_now());
        call_watcher(clock_now());
        set_alarm(next_time());
        device_unlock();
    }
    return unused;
}

/* Resets the clock in a child of fork(). The child has no clock thread and drops the pending
 * events. The forking thread held the device's lock, but the mutex may be in any state. */
static void in_child(void)
{
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    while (pending) {
        struct pending *first = pending;
        pending = first->next;
        free(first);
    }
    called = watcher = NULL;
    alarm_time = UINT64_MAX;
    awake = running = false;
}

static void prepare(void)
{
    static bool prepared;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    pthread_condattr_destroy(&attributes);
    if (!prepared)
        pthread_atfork(NULL, NULL, in_child);
    prepared = true;
}

/* Waits until the new thread runs. While a thread starts, it may hold locks of an allocator or a
 * sanitizer. If the process forked during that time, these locks would stay taken in the child. */
static void wait_until_awake(void)
{
    pthread_mutex_lock(&mutex);
    while (!awake)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

/* Starts the clock thread if it does not exist. The thread has all signals blocked. Returns false
 * on error. */
static bool begin(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    if (running)
        return true;
    prepare();
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK);
    running = pthread_create(&thread, &attributes, run, NULL) == 0;
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (running)
        wait_until_awake();
    return running;
}

/* --- requests for the future --- */

/* Source: Linux, drivers/gpu/drm/drm_file.c (event_space, drm_event_reserve_init). */
bool clock_has_room(const struct file *file)
{
    size_t used = file_unread(file);
    for (const struct pending *one = pending; one; one = one->next)
        used += one->file == file ? one->size : 0;
    return used + FILE_EVENT_BYTES <= EVENT_SPACE;
}

int clock_send(struct file *file, const void *event, size_t size, uint64_t time)
{
    struct pending *added, **place = &pending;
    if (!clock_has_room(file))
        return ENOMEM;
    if (time <= clock_now() && (!pending || pending->time > time)) {
        file_send_event(file, event, size);
        return 0;
    }
    added = begin() ? malloc(sizeof *added) : NULL;
    if (!added)
        return ENOMEM;
    while (*place && (*place)->time <= time)
        place = &(*place)->next;
    *added = (struct pending){.next = *place, .time = time, .file = file, .size = size};
    memcpy(added->event, event, size);
    *place = added;
    set_alarm(time);
    return 0;
}

void clock_forget(const struct file *file)
{
    struct pending **place = &pending;
    while (*place) {
        struct pending *one = *place;
        if (one->file == file) {
            *place = one->next;
            free(one);
        } else {
            place = &one->next;
        }
    }
}

void clock_call(void (*call)(void))
{
    uint64_t soonest = last_flip.time + period;
    if (called)
        return;
    if (soonest <= clock_now() || !begin()) {
        call();
        return;
    }
    called = call;
    call_time = soonest;
    set_alarm(soonest);
}

void clock_watch(void (*call)(void))
{
    if (call == watcher || (call && !begin()))
        return;
    watcher = call;
    watch_time = next_blank();
    if (call)
        set_alarm(watch_time);
}
