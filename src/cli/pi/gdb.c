/* SPDX-License-Identifier: MIT */
/* gdb.c - see gdb.h: takes packets, and lets the target run.
 *
 * In:  bytes from gdb.
 * Out: answers; calls of the target's functions.
 *
 * Source: "Debugging with GDB", appendices E.2 to E.6.
 * Choices: all cores stop together (all-stop). Core n is thread n + 1. */
#include "cli/pi/gdb.h"

#include <inttypes.h>
#include <string.h>

enum { SIGNAL_INTERRUPT = 2, SIGNAL_TRAP = 5 };

void gdb_open(struct gdb *gdb, const struct gdb_target *target,
              void (*send)(void *user, const void *bytes, size_t size), void *send_user)
{
    memset(gdb, 0, sizeof *gdb);
    gdb->target = target;
    gdb->send = send;
    gdb->send_user = send_user;
}

static void send_latest(struct gdb *gdb)
{
    char frame[GDB_FRAME];
    gdb->send(gdb->send_user, frame, gdb_frame(&gdb->latest, frame));
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* --- stops --- */

static void describe_stop(struct gdb *gdb, const struct gdb_stop *stop, unsigned signal)
{
    static const char *const watches[] = {
        [GDB_WRITES] = "watch", [GDB_READS] = "rwatch", [GDB_ACCESSES] = "awatch"};
    struct gdb_text *text = &gdb->latest;
    *text = (struct gdb_text){0};
    if (stop->event == GDB_END) {
        gdb_add(text, "W00");
        return;
    }
    gdb_add(text, "T%02xthread:%x;", signal, stop->core + 1);
    if (stop->event == GDB_BREAKPOINT)
        gdb_add(text, "swbreak:;");
    if (stop->event == GDB_WATCH)
        gdb_add(text, "%s:%" PRIx64 ";", watches[stop->kind], stop->address);
    if (stop->event == GDB_BEGIN)
        gdb_add(text, "replaylog:begin;");
}

static void tell_stop(struct gdb *gdb, struct gdb_stop stop, unsigned signal)
{
    gdb->running = false;
    if (stop.core < gdb->target->cores)
        gdb->core = stop.core;
    stop.core = gdb->core;
    describe_stop(gdb, &stop, signal);
    send_latest(gdb);
}

void gdb_turn(struct gdb *gdb)
{
    if (!gdb->running)
        return;
    struct gdb_stop stop = gdb->target->run(gdb->target->user);
    if (stop.event != GDB_NOTHING)
        tell_stop(gdb, stop, SIGNAL_TRAP);
}

static void step(struct gdb *gdb, unsigned core)
{
    struct gdb_stop stop = gdb->target->step(gdb->target->user, core);
    if (stop.event == GDB_NOTHING)
        stop.event = GDB_DONE;
    tell_stop(gdb, stop, SIGNAL_TRAP);
}

static void go_back(struct gdb *gdb, bool steps)
{
    const struct gdb_target *target = gdb->target;
    tell_stop(gdb,
              steps ? target->step_back(target->user, gdb->core)
                    : target->run_back(target->user, gdb->core),
              SIGNAL_TRAP);
}

/* Reads the number of a thread. 0 and -1 stand for any thread, which is the present one. */
static bool take_thread(const struct gdb *gdb, const char *at, unsigned *core)
{
    uint64_t number;
    *core = gdb->core;
    if (begins(at, "-1"))
        return true;
    if (!gdb_number(&at, &number) || number > gdb->target->cores)
        return false;
    if (number)
        *core = (unsigned)number - 1;
    return true;
}

/* "vCont;action:thread;action": a step of one core, or all cores run. */
static void resume(struct gdb *gdb, const char *actions, struct gdb_text *answer)
{
    unsigned core = gdb->core;
    for (const char *at = actions; (at = strchr(at, ';')); at++) {
        const char *thread = at + 1 + strcspn(at + 1, ":;");
        if (at[1] != 's' && at[1] != 'S')
            continue;
        if (*thread == ':' && !take_thread(gdb, thread + 1, &core)) {
            gdb_add(answer, "E01");
            return;
        }
        step(gdb, core);
        return;
    }
    gdb->running = true;
}

/* "c", "s" and their kinds with a signal, which has no meaning here; an address may follow. */
static void resume_old(struct gdb *gdb, char letter, const char *at)
{
    uint64_t value;
    const char *address = letter == 'C' || letter == 'S' ? strchr(at, ';') : at;
    if (address && *address == ';')
        address++;
    if (address && gdb_number(&address, &value))
        gdb->target->set(gdb->target->user, gdb->core, GDB_PC, value);
    if (letter == 's' || letter == 'S')
        step(gdb, gdb->core);
    else
        gdb->running = true;
}

/* --- breakpoints --- */

/* "type,address,size"; the types are breakpoints up to WATCH, then watchpoints */
static void change_breakpoint(struct gdb *gdb, const char *at, bool set, struct gdb_text *answer)
{
    enum { WATCH = 2 };
    const struct gdb_target *target = gdb->target;
    uint64_t type, address, size;
    bool known = gdb_number(&at, &type) && *at++ == ',' && gdb_number(&at, &address) &&
                 *at++ == ',' && gdb_number(&at, &size);
    if (!known) {
        gdb_add(answer, "E01");
        return;
    }
    if (type > WATCH + GDB_ACCESSES)
        return;
    bool good = type >= WATCH ? size <= GDB_PACKET &&
                                    target->watch(target->user, (enum gdb_watched)(type - WATCH),
                                                  gdb->core, address, (size_t)size, set)
                              : target->breakpoint(target->user, address, set);
    gdb_add(answer, good ? "OK" : "E02");
}

/* --- queries --- */

static void list_threads(const struct gdb *gdb, struct gdb_text *answer)
{
    gdb_add(answer, "m");
    for (unsigned i = 0; i < gdb->target->cores; i++)
        gdb_add(answer, "%s%x", i ? "," : "", i + 1);
}

static void describe_thread(struct gdb *gdb, const char *at, struct gdb_text *answer)
{
    char text[128];
    unsigned core;
    if (!take_thread(gdb, at, &core)) {
        gdb_add(answer, "E01");
        return;
    }
    gdb->target->describe(gdb->target->user, core, text, sizeof text);
    gdb_add_hex(answer, text, strlen(text));
}

/* "offset,size" of the description of registers */
static void send_description(const struct gdb *gdb, const char *at, struct gdb_text *answer)
{
    struct gdb_text whole = {0};
    uint64_t offset, size;
    gdb_describe(gdb, &whole);
    if (!gdb_number(&at, &offset) || *at++ != ',' || !gdb_number(&at, &size)) {
        gdb_add(answer, "E01");
        return;
    }
    offset = offset < whole.length ? offset : whole.length;
    size = size < whole.length - offset ? size : whole.length - offset;
    size = size < GDB_PACKET - 1 ? size : GDB_PACKET - 1;
    gdb_add(answer, "%c%.*s", offset + size < whole.length ? 'm' : 'l', (int)size,
            whole.text + offset);
}

static void monitor(struct gdb *gdb, const char *at, struct gdb_text *answer)
{
    char command[GDB_PACKET / 2 + 1];
    struct gdb_text text = {0};
    size_t size = gdb_bytes(at, command, sizeof command - 1);
    command[size] = 0;
    gdb->target->monitor(gdb->target->user, command, &text);
    if (text.length)
        gdb_add_hex(answer, text.text, text.length);
    else
        gdb_add(answer, "OK");
}

static void query(struct gdb *gdb, const char *text, struct gdb_text *answer)
{
    static const char description[] = "qXfer:features:read:target.xml:";
    if (begins(text, "qSupported"))
        gdb_add(answer,
                "PacketSize=%x;qXfer:features:read+;swbreak+;vContSupported+;QStartNoAckMode+;"
                "ReverseStep+;ReverseContinue+",
                GDB_PACKET);
    else if (begins(text, description))
        send_description(gdb, text + sizeof description - 1, answer);
    else if (strcmp(text, "qfThreadInfo") == 0)
        list_threads(gdb, answer);
    else if (strcmp(text, "qsThreadInfo") == 0)
        gdb_add(answer, "l");
    else if (begins(text, "qThreadExtraInfo,"))
        describe_thread(gdb, text + strlen("qThreadExtraInfo,"), answer);
    else if (strcmp(text, "qC") == 0)
        gdb_add(answer, "QC%x", gdb->core + 1);
    else if (begins(text, "qAttached"))
        gdb_add(answer, "1");
    else if (begins(text, "qRcmd,"))
        monitor(gdb, text + strlen("qRcmd,"), answer);
    else if (strcmp(text, "QStartNoAckMode") == 0) {
        gdb->no_acknowledge = true;
        gdb_add(answer, "OK");
    }
}

static void select_thread(struct gdb *gdb, const char *at, struct gdb_text *answer)
{
    unsigned core;
    bool good = (*at == 'g' || *at == 'c') && take_thread(gdb, at + 1, &core);
    if (good)
        gdb->core = core;
    gdb_add(answer, good ? "OK" : "E01");
}

/* --- packets --- */

/* Carries out a packet that lets the target run. Returns false for other packets. */
static bool carry_out_run(struct gdb *gdb, const char *text, struct gdb_text *answer)
{
    switch (*text) {
    case 'c':
    case 'C':
    case 's':
    case 'S': resume_old(gdb, *text, text + 1); return true;
    case 'b':
        if (strcmp(text, "bs") != 0 && strcmp(text, "bc") != 0)
            return false;
        go_back(gdb, text[1] == 's');
        return true;
    case 'v':
        if (!begins(text, "vCont;"))
            return false;
        resume(gdb, text + strlen("vCont"), answer);
        return !answer->length;
    default: return false;
    }
}

static void carry_out(struct gdb *gdb, const char *text, struct gdb_text *answer)
{
    unsigned core;
    switch (*text) {
    case '?': gdb_add(answer, "T%02xthread:%x;", SIGNAL_TRAP, gdb->core + 1); break;
    case 'g': gdb_read_registers(gdb, answer); break;
    case 'G': gdb_write_registers(gdb, text + 1, answer); break;
    case 'p': gdb_read_register(gdb, text + 1, answer); break;
    case 'P': gdb_write_register(gdb, text + 1, answer); break;
    case 'm': gdb_read_memory(gdb, text + 1, answer); break;
    case 'M': gdb_write_memory(gdb, text + 1, answer); break;
    case 'H': select_thread(gdb, text + 1, answer); break;
    case 'T': gdb_add(answer, take_thread(gdb, text + 1, &core) ? "OK" : "E01"); break;
    case 'Z':
    case 'z': change_breakpoint(gdb, text + 1, *text == 'Z', answer); break;
    case 'q':
    case 'Q': query(gdb, text, answer); break;
    case 'D':
        gdb->detached = true;
        gdb_add(answer, "OK");
        break;
    case 'v':
        if (strcmp(text, "vCont?") == 0)
            gdb_add(answer, "vCont;c;C;s;S");
        if (begins(text, "vKill")) {
            gdb->killed = true;
            gdb_add(answer, "OK");
        }
        break;
    default: break;
    }
}

static void take_packet(struct gdb *gdb)
{
    const char *text = gdb->reader.text;
    struct gdb_text answer = {0};
    if (!gdb->no_acknowledge)
        gdb->send(gdb->send_user, "+", 1);
    if (strcmp(text, "k") == 0) {
        gdb->killed = true;
        return;
    }
    if (gdb->running || carry_out_run(gdb, text, &answer))
        return;
    if (!answer.length)
        carry_out(gdb, text, &answer);
    gdb->latest = answer;
    send_latest(gdb);
}

void gdb_receive(struct gdb *gdb, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size && !gdb->killed && !gdb->detached; i++)
        switch (gdb_take(&gdb->reader, bytes[i])) {
        case GDB_COMPLETE: take_packet(gdb); break;
        case GDB_DAMAGED:
            if (!gdb->no_acknowledge)
                gdb->send(gdb->send_user, "-", 1);
            break;
        case GDB_REPEAT:
            if (gdb->latest.length)
                send_latest(gdb);
            break;
        case GDB_INTERRUPT:
            if (gdb->running)
                tell_stop(gdb, (struct gdb_stop){.event = GDB_DONE, .core = gdb->core},
                          SIGNAL_INTERRUPT);
            break;
        case GDB_MORE: break;
        }
}
