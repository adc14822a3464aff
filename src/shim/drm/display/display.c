/* SPDX-License-Identifier: MIT */
/* display.c - see display.h.
 *
 * In:  the screen (display.h); options.h.
 * Out: files, packets for the viewer, lines on standard error, signals.
 *
 * Choices: a picture is computed only if an option needs it. A file receives its final name when it
 *          is complete. That happens before the request that showed the picture returns, so that no
 *          file is lost when the process ends. After the last requested frame the process receives
 *          SIGTERM. If the process is still running after PATIENCE, it is killed. */
#include "shim/drm/display/display.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <tessera/output.h>

#include "shim/common/device_lock.h"
#include "shim/common/report.h"
#include "shim/drm/calls/clock.h"
#include "shim/drm/display/png.h"
#include "shim/drm/display/window.h"
#include "shim/drm/options.h"

enum { PATH_BYTES = 4096, PATIENCE = 3 /* PATIENCE is in seconds */ };

static struct {
    const struct display_screen *screen;
    uint32_t width, height; /* size of the pictures in pixels, or 0 before the first one */
    uint32_t *shown, *next; /* pixels of the last picture, and a buffer for the next picture */
    uint32_t frames;
    uint64_t begin, last; /* times of the first and of the last frame, in ns */
    uint64_t told;        /* time at which the rate was last printed, in ns, or 0 */
    uint64_t memory;      /* hash of the screen's memory at the last check */
    uint32_t inherited;   /* number of frames before the fork that created this process, or 0 */
    uint32_t reported_frames, total_told;
    bool ending;
    bool complained; /* true if a message about a failed output has been printed */
} display;

/* --- files --- */

static void complain(const char *why)
{
    if (display.complained)
        return;
    fprintf(stderr, "tessera: %s\n", why);
    report_count_error();
    display.complained = true;
}

static void save(const char *folder)
{
    char path[PATH_BYTES];
    uint8_t *bytes;
    size_t size;
    snprintf(path, sizeof path, "%s/frame-%04u.png", folder, display.frames);
    int error = png_encode(&bytes, &size, display.shown, display.width, display.height);
    if (error) {
        complain(strerror(error));
        return;
    }
    if (display.frames == 1)
        mkdir(folder, 0777);
    if (tess_output_write(path, bytes, size) != TESS_OK)
        complain(tess_outputs_error());
    free(bytes);
}

/* --- frame rate --- */

/* Prints the number of frames, a time span given in ns, and the rate. The rate is computed from
 * `after`, which does not count a frame at the very beginning of the time span. */
static void report_rate(uint32_t frames, uint32_t after, uint64_t time)
{
    fprintf(stderr, "tessera: %u pictures in %.2f s, %.1f per second\n", frames,
            (double)time / CLOCK_SECOND, after * (double)CLOCK_SECOND / (double)(time ? time : 1));
}

static void count_rate(void)
{
    uint64_t now = clock_now();
    display.last = now;
    if (!display.told) {
        display.begin = display.told = now;
        display.reported_frames = display.frames;
    }
    if (now - display.told < CLOCK_SECOND)
        return;
    uint32_t frames = display.frames - display.reported_frames;
    report_rate(frames, frames, now - display.told);
    display.told = now;
    display.reported_frames = display.frames;
}

/* --- the end --- */

static void *end_hard(void *unused)
{
    struct timespec patience = {.tv_sec = PATIENCE};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &patience, NULL);
    device_lock();
    display.screen->end();
    kill(getpid(), SIGKILL);
    return unused;
}

/* Writes to the verdict file that tessera ended the process. The program's exit status then does
 * not count. */
static void report_verdict(void)
{
    const char *verdict = options_get()->common.verdict;
    int file = verdict ? report_open_verdict(verdict) : -1;
    if (file < 0)
        return;
    dprintf(file, "ended\n");
    close(file);
}

static void end_process(void)
{
    pthread_t thread;
    sigset_t all, before;
    display.ending = true;
    report_verdict();
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool good = pthread_create(&thread, NULL, end_hard, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!good)
        end_hard(NULL);
    kill(getpid(), SIGTERM);
}

/* --- pictures --- */

static bool is_blank(void)
{
    return !display.screen || display.screen->is_blank();
}

static bool is_watched(void)
{
    const struct options *options = options_get();
    return options->frames || options->window || options->count;
}

static void forget_pictures(void)
{
    free(display.shown);
    free(display.next);
    display.shown = display.next = NULL;
    display.width = display.height = 0;
}

/* Allocates the pixel buffers for pictures of the mode's size. Returns false if there is no
 * memory. */
static bool make_room(void)
{
    uint32_t width, height;
    display.screen->size(&width, &height);
    const size_t count = (size_t)width * height;
    if (display.width == width && display.height == height)
        return true;
    forget_pictures();
    display.shown = calloc(count, sizeof *display.shown);
    display.next = calloc(count, sizeof *display.next);
    if (!display.shown || !display.next) {
        forget_pictures();
        return false;
    }
    display.width = width;
    display.height = height;
    return true;
}

/* Counts a frame. has_picture is true if display.shown contains the frame's pixels. */
static void count_frame(bool has_picture)
{
    const struct options *options = options_get();
    display.frames++;
    if (has_picture && options->frames)
        save(options->frames);
    if (has_picture && options->window)
        window_show(options->window, display.shown, display.width, display.height, display.frames);
    if (options->show_rate)
        count_rate();
    if (options->count && display.frames >= options->count)
        end_process();
}

/* Called at each vertical blank. Counts a frame if the program has changed the pixels of the
 * picture on the screen since the last check. */
static void refresh(void)
{
    if (is_blank() || display.ending) {
        clock_watch(NULL);
        return;
    }
    uint64_t memory = display.screen->hash();
    if (memory == display.memory)
        return;
    display.memory = memory;
    if (is_watched())
        display_look();
    else
        count_frame(false);
}

/* Starts checking the screen's memory at each vertical blank. Called before the picture is
 * computed, so that a later change is noticed. */
static void watch_memory(void)
{
    if (!is_watched() && !options_get()->show_rate)
        return;
    display.memory = display.screen->hash();
    clock_watch(refresh);
}

void display_begin(const struct display_screen *screen)
{
    display.screen = screen;
}

void display_show(void)
{
    if (is_blank() || display.ending)
        return;
    watch_memory();
    bool has_picture = is_watched() && make_room();
    if (has_picture)
        display.screen->picture(display.shown);
    count_frame(has_picture);
}

void display_look(void)
{
    if (is_blank() || display.ending || !is_watched() || !make_room())
        return;
    watch_memory();
    display.screen->picture(display.next);
    if (memcmp(display.shown, display.next,
               (size_t)display.width * display.height * sizeof *display.shown) == 0)
        return;
    uint32_t *last = display.shown;
    display.shown = display.next;
    display.next = last;
    count_frame(true);
}

void display_change(void)
{
    clock_call(display_look);
}

static void tell_total(void)
{
    uint32_t frames = display.frames - display.inherited;
    if (frames < 2)
        fprintf(stderr, "tessera: %u picture%s\n", frames, frames == 1 ? "" : "s");
    else
        report_rate(frames, frames - 1, display.last - display.begin);
}

void display_end(void)
{
    display_look();
    if (options_get()->show_rate && display.frames != display.total_told)
        tell_total();
    display.total_told = display.frames;
}

void display_in_child(void)
{
    display.inherited = display.total_told = display.frames;
    display.told = 0;
}
