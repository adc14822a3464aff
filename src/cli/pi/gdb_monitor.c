/* SPDX-License-Identifier: MIT */
/* gdb_monitor.c - the commands of gdb's "monitor", which show the state of the GPU and capture its
 * work.
 *
 * In:  a command.
 * Out: text; a scene. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>
#include <tessera/scene.h>
#include <tessera/vc4.h>

#include "cli/pi/capture.h"
#include "cli/pi/gdb_machine.h"

enum {
    V3D_SIZE = 0x1000,
    SLCACTL = 0x024,
    CT0CS = 0x100,
    CT0EA = 0x108,
    CT0CA = 0x110,
    CT00RA0 = 0x118,
    SRQPC = 0x430,
    PCTRC = 0x670,
};
enum { RUNS = 1 << 5, FAILED = 1 << 3, SEMAPHORE = 1 << 12 };

static void show_help(struct record *record, const char *argument, struct gdb_text *answer)
{
    (void)record;
    (void)argument;
    gdb_add(answer,
            "monitor v3d     registers of the V3D that are not 0\n"
            "monitor qpu N   state of QPU N, 0 to 15, which runs a user program\n"
            "monitor qpu     states of all QPUs\n"
            "monitor list    where the control-list threads are\n"
            "monitor time    time of the board\n"
            "monitor capture FILE\n"
            "                writes the work of the V3D up to now to FILE, for tessera run\n"
            "monitor help    this text\n");
}

static void show_time(struct record *record, const char *argument, struct gdb_text *answer)
{
    (void)argument;
    uint64_t time = tess_pi_machine_time(record->machine);
    gdb_add(answer, "time %" PRIu64 ".%09" PRIu64 " s, cycle %" PRIu64 " of core 0\n",
            time / 1000000000, time % 1000000000, tess_pi_machine_cycles(record->machine));
}

/* Registers that cannot be read. */
static bool is_write_only(uint32_t offset)
{
    return offset == SLCACTL || offset == SRQPC || offset == PCTRC;
}

/* Reads all registers, and takes back what the reads have changed. Returns false if the host is out
 * of memory. */
static bool read_registers(struct tess_vc4 *vc4, uint32_t *values)
{
    size_t size = tess_vc4_state_size(vc4);
    void *state = malloc(size ? size : 1);
    if (!state || tess_vc4_save_state(vc4, state, size) != TESS_OK) {
        free(state);
        return false;
    }
    for (uint32_t offset = 0; offset < V3D_SIZE; offset += 4)
        values[offset / 4] = tess_vc4_register_name(offset) && !is_write_only(offset)
                                 ? tess_vc4_read(vc4, offset)
                                 : 0;
    tess_vc4_restore_state(vc4, state, size);
    free(state);
    return true;
}

static void show_v3d(struct record *record, const char *argument, struct gdb_text *answer)
{
    struct tess_pi_machine *machine = record->machine;
    uint32_t values[V3D_SIZE / 4];
    (void)argument;
    if (!read_registers(tess_pi_machine_vc4(machine), values)) {
        gdb_add(answer, "out of memory\n");
        return;
    }
    if (!tess_pi_v3d_enabled(tess_pi_machine_pi(machine)))
        gdb_add(answer, "the V3D is off: the program has not sent mailbox tag 0x30012\n");
    for (uint32_t offset = 0; offset < V3D_SIZE; offset += 4)
        if (values[offset / 4])
            gdb_add(answer, "%-14s 0x%08" PRIx32 "\n", tess_vc4_register_name(offset),
                    values[offset / 4]);
    uint64_t writer = tess_pi_machine_v3d_writer(machine);
    if (writer)
        gdb_add(answer, "written last by the instruction at 0x%" PRIx64 "\n", writer);
}

static void show_list(struct record *record, const char *argument, struct gdb_text *answer)
{
    uint32_t values[V3D_SIZE / 4];
    (void)argument;
    if (!read_registers(tess_pi_machine_vc4(record->machine), values)) {
        gdb_add(answer, "out of memory\n");
        return;
    }
    for (unsigned thread = 0; thread < 2; thread++) {
        uint32_t status = values[CT0CS / 4 + thread];
        gdb_add(answer,
                "thread %u (%s): %s at 0x%08" PRIx32 ", end 0x%08" PRIx32
                ", returns to 0x%08" PRIx32 "%s\n",
                thread, thread ? "rendering" : "binning",
                status & FAILED ? "has failed"
                : status & RUNS ? "runs"
                                : "has stopped",
                values[CT0CA / 4 + thread], values[CT0EA / 4 + thread],
                values[CT00RA0 / 4 + thread], status & SEMAPHORE ? ", its semaphore is not 0" : "");
    }
}

static void show_vector(struct gdb_text *answer, const char *name, unsigned number,
                        const uint32_t *elements)
{
    bool same = true;
    for (unsigned i = 1; i < 16; i++)
        same &= elements[i] == elements[0];
    if (same && !elements[0])
        return;
    gdb_add(answer, "%s%-3u", name, number);
    for (unsigned i = 0; i < (same ? 1 : 16); i++)
        gdb_add(answer, " %08" PRIx32, elements[i]);
    gdb_add(answer, same ? " in all elements\n" : "\n");
}

/* Shows the registers that are not 0. The accumulators come first, because an answer has a
 * limit. */
static void show_registers(const struct tess_vc4_qpu *qpu, struct gdb_text *answer)
{
    gdb_add(answer, "flags z %04x, n %04x, c %04x\n", qpu->z, qpu->n, qpu->c);
    for (unsigned i = 0; i < 6; i++)
        show_vector(answer, "r", i, qpu->r[i]);
    for (unsigned i = 0; i < 32; i++) {
        show_vector(answer, "ra", i, qpu->ra[i]);
        show_vector(answer, "rb", i, qpu->rb[i]);
    }
}

static void show_qpu(struct record *record, const char *argument, struct gdb_text *answer)
{
    const struct tess_vc4 *vc4 = tess_pi_machine_vc4(record->machine);
    struct tess_vc4_qpu qpu;
    char *end;
    unsigned long wanted = strtoul(argument, &end, 0);
    bool one = end != argument;
    if (one && (*end || wanted > 15)) {
        gdb_add(answer, "expected a number from 0 to 15\n");
        return;
    }
    for (unsigned i = one ? (unsigned)wanted : 0; tess_vc4_get_qpu(vc4, i, &qpu);
         i = one ? 16 : i + 1) {
        gdb_add(answer, "QPU %u: %s", i, qpu.state);
        if (qpu.start || qpu.pc)
            gdb_add(answer,
                    ", program 0x%08" PRIx32 ", next instruction 0x%08" PRIx32
                    ", next uniform 0x%08" PRIx32,
                    qpu.start, qpu.pc, qpu.uniform);
        gdb_add(answer, "\n");
        if (one)
            show_registers(&qpu, answer);
    }
}

/* --- capture --- */

struct capturing {
    struct capture capture;
    struct tess_pi_machine *machine;
    const char *path;
    struct gdb_text *answer;
};

static bool begin_capture(void *user)
{
    struct capturing *own = user;
    return capture_begin(&own->capture, own->machine);
}

static bool write_file(const struct capturing *own, const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(own->path, "wb");
    bool good = file && fwrite(bytes, 1, size, file) == size;
    good = file && fclose(file) == 0 && good;
    if (!good)
        gdb_add(own->answer, "cannot write '%s': %s\n", own->path, strerror(errno));
    return good;
}

static bool end_capture(void *user)
{
    struct capturing *own = user;
    uint8_t *bytes;
    size_t size;
    capture_picture(&own->capture, 1, true);
    bool good = tess_capture_save_memory(own->capture.now, &bytes, &size, (struct tess_sink){0}) ==
                TESS_OK;
    capture_end(&own->capture);
    good = good && write_file(own, bytes, size);
    tess_free(bytes);
    return good;
}

/* Runs the machine from the beginning to the present time again, with a capture. */
static void write_capture(struct record *record, const char *argument, struct gdb_text *answer)
{
    struct capturing own = {.machine = record->machine, .path = argument, .answer = answer};
    if (!*argument)
        gdb_add(answer, "expected a file: monitor capture FILE\n");
    else if (record_repeat(record, begin_capture, end_capture, &own))
        gdb_add(answer, "wrote '%s'; show it by: tessera run '%s'\n", argument, argument);
    else
        gdb_add(answer, "no capture was written\n");
}

void gdb_monitor(struct record *record, const char *command, struct gdb_text *answer)
{
    static const struct {
        const char *name;
        void (*carry_out)(struct record *record, const char *argument, struct gdb_text *answer);
    } commands[] = {
        {"help", show_help}, {"v3d", show_v3d},   {"qpu", show_qpu},
        {"list", show_list}, {"time", show_time}, {"capture", write_capture},
    };
    size_t length = strcspn(command, " ");
    const char *argument = command + length + strspn(command + length, " ");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strlen(commands[i].name) == length && strncmp(commands[i].name, command, length) == 0) {
            commands[i].carry_out(record, argument, answer);
            return;
        }
    gdb_add(answer, "unknown command '%s'; try: monitor help\n", command);
}
