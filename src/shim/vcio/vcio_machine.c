/* SPDX-License-Identifier: MIT */
/* vcio_machine.c - see vcio_machine.h.
 *
 * In:  register accesses, property buffers, and calls that wait.
 * Out: results of the model; reports through report.h.
 *
 * Source: the models' own interfaces, tessera/vc4.h and tessera/pi.h.
 * Choices: work that a register write starts stays pending until the program can observe the
 *          result. The program can observe it when it reads a register, waits in the C library,
 *          accesses GPU memory (guard.c), or ends. So programs that are started together run
 *          together, and the results do not depend on the host's timing. */
#include "shim/vcio/vcio_machine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "shim/common/device_lock.h"
#include "shim/common/exit_hooks.h"
#include "shim/common/lock.h"
#include "shim/common/next.h"
#include "shim/common/report.h"
#include "shim/common/signal_mask.h"
#include "shim/vcio/access.h"
#include "shim/vcio/guard.h"
#include "shim/vcio/kept_files.h"
#include "shim/vcio/options.h"
#include "shim/vcio/reservations.h"
#include "shim/vcio/signals.h"
#include "shim/vcio/trap.h"

enum {
    /* Capacity of the queue of V3D_SRQPC in programs (VideoCore IV 3D Architecture Reference Guide,
     * section 10). */
    QUEUE_ROOM = 16,
    QUEUE_LENGTH = 0x3f, /* bits of V3D_SRQCS that contain the queue's length */
    V3D_SIZE = 0x1000,   /* size of V3D's registers, in bytes */
    /* number of reads of V3D, without a write between them, after which the program is ended */
    POLLS_UNTIL_REPORT = 1 << 16,
};

/* highest number of control records in a run; an endless list ends after some seconds */
#define MOST_RECORDS (UINT64_C(1) << 28)

static struct {
    struct tess_vc4_options options;
    struct tess_vc4 *vc4;
    struct tess_pi *pi;
    int file;        /* number (kept_files.h) of the file that contains physical memory */
    uint8_t *memory; /* mapping of VideoCore's part of the physical memory */
    uint32_t memory_start, memory_size;
    atomic_bool exists, pending;
    atomic_bool running; /* true while the model runs; a signal handler may interrupt the model */
    bool failed;         /* true if creating the machine has failed */
    bool stuck;          /* true if the latest run stopped because V3D could not continue */
    bool undone;         /* true if programs or lists were not finished after the latest run */
    bool told;           /* true if the reason why V3D could not continue has been reported */
    uint32_t polls;      /* number of reads of V3D since the latest write */
} machine = {.file = -1};

/* --- Creation --- */

const struct tess_pi_board *machine_board(void)
{
    return tess_pi_board_find(options_get()->board);
}

static bool make_memory(const struct tess_pi_board *board, uint32_t size)
{
    uint32_t end = tess_pi_board_memory_end(board);
    machine.file = kept_files_make("tessera-physical-memory", end,
                                   F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    if (machine.file < 0 || size > end)
        return false;
    machine.memory_start = end - size;
    machine.memory_size = size;
    machine.memory = real_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                               kept_files_fd(machine.file), machine.memory_start);
    return machine.memory != MAP_FAILED;
}

static uint64_t microseconds(void *user)
{
    struct timespec now;
    (void)user;
    NEXT(clock_gettime)(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Receives the firmware's findings in strict mode, and turns warnings into errors. The firmware
 * itself has no strict mode. */
static void report_strictly(void *user, const struct tess_finding *diag)
{
    const struct tess_sink *sink = user;
    struct tess_finding stricter = *diag;
    if (stricter.level == TESS_WARNING)
        stricter.level = TESS_ERROR;
    sink->report(sink->user, &stricter);
}

static void begin_report(const struct options *options)
{
    machine.options = (struct tess_vc4_options){.max_records = MOST_RECORDS};
    report_begin(
        &(struct report_options){.settings = &options->common,
                                 .trace = options->trace,
                                 .capture = options->common.capture,
                                 .sources = options->source,
                                 .budgets = "--timeout, or the timeout of the mailbox call"},
        &machine.options);
}

static bool make_devices(void)
{
    struct tess_sink *const sink = &machine.options.machine.sink;
    const struct tess_pi_options pi = {
        .sink = machine.options.machine.strict ? (struct tess_sink){report_strictly, sink} : *sink,
        .board = machine_board(),
        .vc_size = machine.memory_size,
        .memory = machine.memory,
        .time = microseconds,
        .claim = reservations_take,
        .unclaim = reservations_give_back,
    };
    if (tess_vc4_create(&machine.vc4, &machine.options) != TESS_OK ||
        tess_pi_create(&machine.pi, machine.vc4, &pi) != TESS_OK)
        return false;
    report_watch(machine.vc4, machine.pi);
    return true;
}

/* Runs in the copy of a process that a signal kills. The copy does not do pending work, because the
 * model cannot run in the copy. */
static void end_copy(void)
{
    if (machine_exists())
        report_end();
}

static bool make(void)
{
    const struct options *options = options_get();
    bool made = reservations_make() && make_memory(machine_board(), options->memory);
    if (made)
        begin_report(options);
    made = made && make_devices() && trap_install();
    if (made)
        exit_hooks_install(machine_end, end_copy);
    else
        fprintf(stderr, "tessera: cannot create a machine with %u MiB of GPU memory: %s\n",
                options->memory >> 20, errno ? strerror(errno) : "the board has less memory");
    return made;
}

bool machine_get(void)
{
    if (atomic_load(&machine.exists))
        return true;
    device_lock();
    if (!machine.exists && !machine.failed) {
        errno = 0;
        machine.failed = !make();
        atomic_store(&machine.exists, !machine.failed);
    }
    device_unlock();
    return atomic_load(&machine.exists);
}

bool machine_exists(void)
{
    return atomic_load(&machine.exists);
}

/* --- Running --- */

static bool is_pending(void)
{
    return atomic_load(&machine.pending);
}

static void report_stuck(void)
{
    if (machine.running)
        return;
    if (machine.undone && !machine.told)
        tess_vc4_report_stuck(machine.vc4);
    machine.told = true;
}

static void set_pending(bool pending)
{
    if (atomic_exchange(&machine.pending, pending) == pending)
        return;
    if (pending)
        guard_close();
    else
        guard_open();
}

/* State of the thread before the model runs. */
struct interrupted {
    sigset_t signals;
    bool deferred; /* signals_defer() */
};

/* Also unblocks SIGSEGV, because a signal handler of the program that interrupts the model may
 * access registers, too. */
static void begin_running(struct interrupted *interrupted)
{
    machine.running = true;
    interrupted->deferred = signals_defer(false);
    device_let_signals(SIGSEGV, &interrupted->signals);
}

static void end_running(const struct interrupted *interrupted)
{
    change_signal_mask(SIG_SETMASK, &interrupted->signals, NULL);
    signals_defer(interrupted->deferred);
    machine.running = false;
}

/* Returns the limit in clocks for user programs that register writes start. The limit ends endless
 * loops. Programs that the mailbox starts have their own timeout. */
static uint64_t clock_limit(void)
{
    uint64_t seconds = options_get()->timeout;
    uint64_t limit = seconds * tess_pi_clock_rate(machine.pi, TESS_PI_CLOCK_V3D);
    return limit ? limit : UINT64_MAX;
}

/* Does pending work. The guard opens after the work is done, so that other threads wait. But if a
 * signal handler has interrupted the model, the guard opens at once, because that handler cannot
 * wait. The handler then sees memory in its current state. */
static void run(void)
{
    struct interrupted before;
    if (machine.running)
        guard_open();
    if (!is_pending() || machine.running)
        return;
    begin_running(&before);
    tess_vc4_set_clock_limit(machine.vc4, clock_limit());
    enum tess_vc4_stop stop = tess_vc4_run(machine.vc4);
    tess_vc4_set_clock_limit(machine.vc4, 0);
    tess_vc4_report_late(machine.vc4);
    end_running(&before);
    machine.stuck = stop == TESS_VC4_STUCK;
    machine.undone = stop != TESS_VC4_IDLE;
    machine.told = false;
    set_pending(false);
}

void machine_refuse(void)
{
    static atomic_bool told;
    if (!atomic_load(&machine.running) || atomic_exchange(&told, true))
        return;
    fprintf(stderr, "tessera: error: a signal handler uses V3D while the model runs, or has left "
                    "the model by longjmp(); the request is refused\n");
    report_count_error();
}

/* Takes the lock. Returns false if the model cannot be used: in a signal handler that has
 * interrupted the model, in a thread of the model, and after the program has left such a handler by
 * longjmp(). */
static bool enter(void)
{
    if (lock_is_inside() && atomic_load(&machine.running)) {
        machine_refuse();
        return false;
    }
    device_lock();
    return true;
}

void machine_let_run(void)
{
    if (is_pending() && !atomic_load(&machine.running))
        machine_settle();
}

void machine_settle(void)
{
    if (!is_pending())
        return;
    if (lock_is_own_thread()) {
        guard_open(); /* The run is not over, and it waits for this thread. */
        return;
    }
    device_lock();
    run();
    device_unlock();
}

int machine_request(int (*carry_out)(unsigned long request, uintptr_t argument),
                    unsigned long request, uintptr_t argument)
{
    machine_settle();
    device_lock();
    int error = carry_out(request, argument);
    device_unlock();
    if (error)
        errno = error;
    return error ? -1 : 0;
}

/* --- Registers --- */

static bool is_v3d(uint32_t offset)
{
    return offset - TESS_PI_V3D < V3D_SIZE;
}

static void end_polling(void)
{
    report_stuck();
    fprintf(stderr,
            "tessera: error: the program has read V3D's registers %u times without a write, and "
            "waits for something that cannot happen; ending the program\n",
            options_get()->polls);
    fflush(NULL);
    machine_end();
    NEXT(_exit)(1);
}

static void count_poll(void)
{
    machine.polls++;
    if (machine.polls == POLLS_UNTIL_REPORT)
        report_stuck();
    if (machine.polls == options_get()->polls)
        end_polling();
}

uint32_t machine_read(uint32_t offset)
{
    uint32_t value = 0;
    if (!machine_get())
        return 0;
    const bool entered = enter();
    if (entered) {
        run();
        value = tess_pi_read(machine.pi, offset);
    }
    if (is_v3d(offset) && !lock_is_own_thread())
        count_poll();
    if (!entered)
        return 0;
    device_unlock();
    return value;
}

static bool queue_is_full(void)
{
    return (tess_vc4_read(machine.vc4, V3D_SRQCS) & QUEUE_LENGTH) >= QUEUE_ROOM;
}

/* True if a write of a V3D register starts work. If the latest run got stuck, any write may let V3D
 * continue. */
static bool starts_work(uint32_t v3d_offset)
{
    return v3d_offset == V3D_SRQPC || v3d_offset == V3D_CT0EA || v3d_offset == V3D_CT1EA ||
           v3d_offset == V3D_CT0CS || v3d_offset == V3D_CT1CS || machine.stuck;
}

static void write_v3d(uint32_t offset, uint32_t value)
{
    uint32_t v3d_offset = offset - TESS_PI_V3D;
    bool on = tess_pi_v3d_enabled(machine.pi);
    machine.polls = 0;
    if (on && v3d_offset == V3D_SRQPC && queue_is_full())
        run();
    tess_pi_write(machine.pi, offset, value);
    if (on && starts_work(v3d_offset))
        set_pending(true);
}

static void write_register(uint32_t offset, uint32_t value)
{
    if (is_v3d(offset)) {
        write_v3d(offset, value);
        return;
    }
    run();
    tess_pi_write(machine.pi, offset, value);
}

void machine_write(uint32_t offset, uint32_t value)
{
    if (!machine_get())
        return;
    if (!enter())
        return;
    write_register(offset, value);
    device_unlock();
}

/* True if a property buffer contains the tag that executes programs. A tag consists of its number,
 * the size of its values in bytes, a code, and the values. */
static bool executes_programs(const uint32_t *words, uint32_t count)
{
    enum { EXECUTE_QPU = 0x30011, HEADER = 3 };
    uint32_t at = 2;
    while (at + HEADER <= count && words[at] != 0 && words[at + 1] / 4 < count - at) {
        if (words[at] == EXECUTE_QPU)
            return true;
        at += HEADER + (words[at + 1] + 3) / 4;
    }
    return false;
}

static uint32_t carry_out(void *buffer, uint32_t size)
{
    struct interrupted before;
    if (!executes_programs(buffer, size / 4))
        return tess_pi_property(machine.pi, buffer, size);
    begin_running(&before);
    uint32_t response = tess_pi_property(machine.pi, buffer, size);
    end_running(&before);
    return response;
}

uint32_t machine_property(void *buffer, uint32_t size)
{
    if (!machine_get())
        return 0;
    if (!enter())
        return 0;
    run();
    machine.polls = 0;
    uint32_t response = carry_out(buffer, size);
    device_unlock();
    return response;
}

/* --- Parts of the machine --- */

struct tess_pi *machine_pi(void)
{
    return machine_get() ? machine.pi : NULL;
}

uint8_t *machine_memory(uint32_t physical, uint32_t size)
{
    uint32_t offset = physical - machine.memory_start;
    if (!machine_get() || physical < machine.memory_start || offset > machine.memory_size ||
        size > machine.memory_size - offset)
        return NULL;
    return machine.memory + offset;
}

int machine_file(void)
{
    return machine_get() ? machine.file : -1;
}

/* --- End of the process --- */

void machine_end(void)
{
    if (!machine_exists())
        return;
    device_lock();
    run();
    report_stuck();
    report_end();
    device_unlock();
}

/* --- fork() --- */

static void (*at_renew)(void);

void machine_at_renew(void (*call)(void))
{
    at_renew = call;
}

/* Creates new devices in the child, because the copied ones were in the middle of a run. */
static void renew(void)
{
    machine.running = false;
    set_pending(false);
    if (at_renew)
        at_renew();
    machine.failed = !make_devices();
    atomic_store(&machine.exists, !machine.failed);
}

static void in_child(bool whole)
{
    if (!machine_exists())
        return;
    reservations_inherit();
    if (!whole)
        renew();
    report_child();
}

/* The forking thread first does pending work. So the child has a copy of idle devices. It has the
 * same physical memory. */
__attribute__((constructor)) static void register_hooks(void)
{
    static const struct access_ports ports = {machine_read, machine_write, machine_settle};
    access_use(&ports);
    exit_hooks_watch_forks(run, in_child);
}
