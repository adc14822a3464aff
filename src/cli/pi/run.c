/* SPDX-License-Identifier: MIT */
/* run.c - see run.h.
 *
 * In:  a loaded machine; bytes, keys and levels from outside.
 * Out: bytes, pictures, findings, messages; a status.
 *
 * The machine runs from picture to picture, 60 in a second of its time. Inputs are given to it in
 * between.
 *
 * Choices: a live run (with a terminal, a client or a window) is at most as fast as the board. If
 *          the host is slower than the board, the lost time is not caught up. The run does not end
 *          while an interrupt can wake the kernel, and a window stays open even then. */
#include "cli/pi/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "cli/pi/gdb_server.h"
#include "cli/pi/interrupt.h"
#include "cli/pi/symbols.h"

#define SECOND UINT64_C(1000000000)
enum { FRAME = 16666667, LATE = 100000000, DEFAULT_SECONDS = 10 }; /* FRAME, LATE: nanoseconds */

/* --- what the machine does --- */

void run_take_finding(void *user, const struct tess_finding *diag)
{
    struct run *run = user;
    if (run->record && !record_found(run->record))
        return;
    run->sink.report(run->sink.user, diag);
    preview_leave(&run->preview);
    if (run->machine)
        symbols_note(run->symbols, run->machine, diag, run->sink);
    run->has_finding |= diag->level != TESS_NOTE;
    if (run->until.finding && run->has_finding && run->machine)
        tess_pi_machine_stop(run->machine);
}

void run_take_byte(void *user, bool mini, uint8_t byte)
{
    struct run *run = user;
    (void)mini;
    if (run->record && !record_sent(run->record))
        return;
    line_put(&run->line, byte);
    preview_leave(&run->preview);
    awaited_add(&run->expected, (char)byte);
    if (awaited_add(&run->until.uart, (char)byte))
        tess_pi_machine_stop(run->machine);
}

void run_take_pin(void *user, uint64_t time, unsigned pin, bool level)
{
    struct run *run = user;
    /* Where gdb has gone back, changes up to the latest one were already written. */
    if (!run->record || record_is_new(run->record) || time > run->pin_log.latest)
        pin_log_add(&run->pin_log, time, pin, level);
}

/* --- inputs --- */

static void send_byte(struct run *run, uint8_t byte)
{
    if (run->record) {
        record_input(run->record, RECORD_UART, byte);
        return;
    }
    tess_pi_machine_send(run->machine, false, byte);
    tess_pi_machine_send(run->machine, true, byte);
}

/* Sends the bytes that have come, as far as the lines to the UARTs have room. */
static void send_bytes(struct run *run)
{
    int byte;
    line_look(&run->line);
    while (tess_pi_machine_send_room(run->machine) && (byte = line_next(&run->line)) >= 0)
        send_byte(run, (uint8_t)byte);
}

static void set_pin(void *user, unsigned pin, bool level)
{
    struct run *run = user;
    if (run->record)
        record_input(run->record, RECORD_PIN, pin * 2 + level);
    else
        tess_pi_machine_set_pin(run->machine, pin, level);
}

static void add_key(void *user, const void *bytes, size_t size)
{
    line_add(&((struct run *)user)->line, bytes, size);
}

/* --- pictures --- */

/* Looks at the display, and shows a new picture. */
static void look(struct run *run)
{
    bool is_new;
    if (!frames_look(&run->frames, run->machine, &is_new))
        run->broken = true;
    if (!is_new)
        return;
    capture_picture(&run->capture, run->frames.count, false);
    preview_look(&run->preview, &run->frames.picture);
    if (run->window && !window_show(run->window, &run->frames.picture, run->frames.count))
        run->broken = true;
}

/* --- time --- */

/* Returns true if a person or a program takes part in the run. A terminal alone is not enough:
 * kernels that hang are also started from terminals. */
static bool is_attended(const struct run *run)
{
    return run->window || run->line.listener >= 0 || run->line.typed;
}

/* Returns the time at which the run ends. */
static uint64_t end_time(const struct run *run)
{
    const struct until *until = &run->until;
    if (until->time)
        return until->time;
    bool other = until->uart.text[0] || until->frames || until->finding;
    return other || is_attended(run) ? UINT64_MAX : DEFAULT_SECONDS * SECOND;
}

static uint64_t host_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

/* Waits until the host's time has reached the board's. */
static void pace(struct run *run)
{
    uint64_t host = host_time(), board = run->host_start + run->now;
    if (host > board + LATE)
        run->host_start += host - board;
    if (host >= board)
        return;
    const struct timespec rest = {(time_t)((board - host) / SECOND),
                                  (long)((board - host) % SECOND)};
    nanosleep(&rest, NULL);
}

/* Waits, and handles what the user does, in a live run. */
static void meet_user(struct run *run)
{
    pace(run);
    if (run->window && !window_look(run->window, add_key, run))
        run->closed = true;
    run->closed |= interrupt_seen();
}

/* Runs the machine to the next picture, and gives it its inputs. Sets *ends to true if a condition
 * of --until is met. Where gdb has gone back, the inputs are those of the record. */
static enum tess_pi_end_reason run_frame(void *user, bool *ends)
{
    struct run *run = user;
    if (run->record)
        run->now = tess_pi_machine_time(run->machine);
    uint64_t end = end_time(run), next = run->now + FRAME;
    bool old = run->record && !record_is_new(run->record);
    if (!old)
        next = pins_next(&run->pins, next < end ? next : end);
    struct record_stop stop;
    enum tess_pi_end_reason reason = run->record ? record_run(run->record, next, &stop)
                                                 : tess_pi_machine_run(run->machine, next);
    run->now = run->record ? tess_pi_machine_time(run->machine) : next;
    if (old || (run->record && reason != TESS_PI_END_TIME))
        return reason;
    pins_apply(&run->pins, run->now, set_pin, run);
    send_bytes(run);
    look(run);
    if (run->live)
        meet_user(run);
    run->closed |= run->line.ended;
    *ends = run->broken || run->closed || run->now >= end ||
            (run->until.frames && run->frames.count >= run->until.frames);
    return reason;
}

static enum tess_pi_end_reason run_frames(struct run *run)
{
    enum tess_pi_end_reason reason = TESS_PI_END_TIME;
    bool ends = false;
    while (reason == TESS_PI_END_TIME && !ends)
        reason = run_frame(run, &ends);
    return reason;
}

/* Runs the machine under gdb's control. */
static enum tess_pi_end_reason run_debugged(struct run *run)
{
    const struct arguments *arguments = run->arguments;
    struct record record;
    struct gdb_machine machine = {.record = &record, .run = run_frame, .user = run};
    record_open(&record, run->machine);
    run->record = &record;
    enum gdb_end end = gdb_serve(arguments->title, (unsigned)arguments->gdb_port, &machine);
    run->record = NULL;
    record_close(&record);
    run->broken = end == GDB_FAILS;
    run->now = tess_pi_machine_time(run->machine);
    return end == GDB_DETACHES ? run_frames(run) : TESS_PI_END_STOPPED;
}

/* --- the end --- */

/* Returns true if the run has ended at the default time. */
static bool is_late(const struct run *run, enum tess_pi_end_reason reason)
{
    return reason == TESS_PI_END_TIME && !run->until.time && end_time(run) != UINT64_MAX;
}

static void print_end(const struct run *run, enum tess_pi_end_reason reason)
{
    const struct tess_pi_end *end = tess_pi_machine_get_end(run->machine);
    double seconds = (double)tess_pi_machine_time(run->machine) / 1e9;
    if (run->line.keyboard && run->line.is_open)
        fputc('\n', stderr);
    if (reason == TESS_PI_END_BROKEN && end->text)
        fprintf(stderr, "%s: core %u cannot continue at 0x%" PRIx64 ": %s\n", run->arguments->title,
                end->core, end->pc, end->text);
    else if (!run->arguments->quiet && run->closed)
        fprintf(stderr, "note: after %.6f s of the board's time: you have ended the run\n",
                seconds);
    else if (!run->arguments->quiet && end->text && reason != TESS_PI_END_STOPPED)
        fprintf(stderr, "note: after %.6f s of the board's time: %s\n", seconds, end->text);
    else if (!run->arguments->quiet && is_late(run, reason))
        fprintf(stderr, "note: stopped after %d s of the board's time; use --until to run longer\n",
                DEFAULT_SECONDS);
    if (run->arguments->stats)
        fprintf(stderr, "time %.6f s, cycles %" PRIu64 ", pictures %u\n", seconds,
                tess_pi_machine_cycles(run->machine), run->frames.count);
}

static bool meets_expectations(const struct run *run)
{
    const struct arguments *arguments = run->arguments;
    bool good = true;
    if (run->expected.text[0] && !run->expected.found) {
        fprintf(stderr, "%s: the kernel has not sent the text of --expect-uart\n",
                arguments->title);
        good = false;
    }
    if (arguments->expect_frame)
        good &= frames_expect(arguments->title, run->machine, arguments->expect_frame);
    return good;
}

/* Reports what the V3D waits for, if the kernel may not have come to its end because of it: all
 * cores wait, the default time is over, or the user had enough. */
static void report_stuck(const struct run *run, enum tess_pi_end_reason reason)
{
    if (reason == TESS_PI_END_WAITS || is_late(run, reason) || run->closed)
        tess_vc4_report_stuck(tess_pi_machine_vc4(run->machine));
}

/* Shows and writes the last picture, and writes the capture. Returns false after an error
 * message. */
static bool write_last(struct run *run)
{
    const struct arguments *arguments = run->arguments;
    look(run);
    preview_end(&run->preview, &run->frames.picture);
    capture_picture(&run->capture, run->frames.count, true);
    if (arguments->capture && !capture_save(&run->capture, arguments->capture, run->sink))
        return false;
    return !arguments->output || frames_write(arguments->title, run->machine, arguments->output);
}

enum tess_status run_machine(struct run *run)
{
    bool gdb = run->arguments->gdb_port != ARGUMENTS_NONE;
    run->host_start = host_time();
    if (run->live)
        interrupt_begin();
    if (run->line.keyboard && !run->arguments->quiet)
        fprintf(stderr, "note: keys go to the UARTs; Ctrl-C or Ctrl-A x ends the run\n");
    enum tess_pi_end_reason reason = gdb ? run_debugged(run) : run_frames(run);
    report_stuck(run, reason);
    print_end(run, reason);
    if (!write_last(run) || run->broken)
        return TESS_IO;
    return meets_expectations(run) && reason != TESS_PI_END_BROKEN ? TESS_OK : TESS_WRONG;
}
