/* SPDX-License-Identifier: MIT */
/* gdb.c - fuzz target: sessions of gdb's remote protocol with a target that has no machine. Every
 * answer must be a whole packet, and no packet may reach memory or registers that do not exist.
 *
 * Input: a first byte: bit 0 is set for cores of 64 bits, bit 1 for raw bytes of the stream.
 * Without bit 1, the rest is a series of packets, which end with newlines and get right
 * checksums. */
#include <stdlib.h>
#include <string.h>

#include "cli/pi/gdb.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CORES = 4, MEMORY = 64, BASE = 0x8000, REGISTERS = 35, WIDE = 1, RAW = 2 };

struct fake {
    uint64_t registers[CORES][REGISTERS];
    uint8_t memory[MEMORY];
    unsigned events;
    size_t sent;
};

static void check(bool holds)
{
    if (!holds)
        abort();
}

static uint64_t get(void *user, unsigned core, unsigned reg)
{
    check(core < CORES && reg < REGISTERS);
    return ((struct fake *)user)->registers[core][reg];
}

static void set(void *user, unsigned core, unsigned reg, uint64_t value)
{
    check(core < CORES && reg < REGISTERS);
    ((struct fake *)user)->registers[core][reg] = value;
}

static size_t part_of(uint64_t address, size_t size)
{
    size_t left = address - BASE < MEMORY ? (size_t)(MEMORY - (address - BASE)) : 0;
    return size < left ? size : left;
}

static size_t read_memory(void *user, unsigned core, uint64_t address, void *to, size_t size)
{
    size_t part = part_of(address, size);
    check(core < CORES);
    if (part)
        memcpy(to, ((struct fake *)user)->memory + (address - BASE), part);
    return part;
}

static size_t write_memory(void *user, unsigned core, uint64_t address, const void *from,
                           size_t size)
{
    size_t part = part_of(address, size);
    check(core < CORES);
    if (part)
        memcpy(((struct fake *)user)->memory + (address - BASE), from, part);
    return part;
}

static bool breakpoint(void *user, uint64_t address, bool set_it)
{
    (void)user;
    return set_it || address & 1;
}

static bool watch(void *user, enum gdb_watched kind, unsigned core, uint64_t address, size_t size,
                  bool set_it)
{
    (void)kind;
    (void)user;
    check(core < CORES);
    return set_it || (address & 1) || size > 1;
}

static struct gdb_stop next_stop(struct fake *fake)
{
    unsigned number = fake->events++;
    return (struct gdb_stop){number % (GDB_END + 1), number % (CORES + 1),
                             number * UINT64_C(0x123456789), number % (GDB_ACCESSES + 1)};
}

static struct gdb_stop step(void *user, unsigned core)
{
    check(core < CORES);
    return next_stop(user);
}

static struct gdb_stop run(void *user)
{
    return next_stop(user);
}

static void describe(void *user, unsigned core, char *text, size_t size)
{
    (void)user;
    check(core < CORES && size > 8);
    memcpy(text, "a core", sizeof "a core");
}

static void monitor(void *user, const char *command, struct gdb_text *answer)
{
    (void)user;
    for (unsigned i = 0; i < 40; i++)
        gdb_add(answer, "%s\n", command);
}

/* Checks that a sent text is an acknowledgement or a packet. */
static void take_sent(void *user, const void *bytes, size_t size)
{
    const char *text = bytes;
    struct gdb_reader reader = {0};
    ((struct fake *)user)->sent += size;
    if (size == 1) {
        check(*text == '+' || *text == '-');
        return;
    }
    for (size_t i = 0; i + 1 < size; i++)
        check(gdb_take(&reader, (uint8_t)text[i]) == GDB_MORE);
    check(gdb_take(&reader, (uint8_t)text[size - 1]) == GDB_COMPLETE);
}

static void send_packet(struct gdb *gdb, const char *bytes, size_t size)
{
    static char frame[GDB_FRAME];
    struct gdb_text text = {0};
    text.length = size < GDB_PACKET ? size : GDB_PACKET;
    memcpy(text.text, bytes, text.length);
    gdb_receive(gdb, (const uint8_t *)frame, gdb_frame(&text, frame));
}

static void send_packets(struct gdb *gdb, const uint8_t *data, size_t size)
{
    while (size) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t length = end ? (size_t)(end - data) : size;
        send_packet(gdb, (const char *)data, length);
        gdb_turn(gdb);
        gdb_turn(gdb);
        data += length + (end != NULL);
        size -= length + (end != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct gdb gdb;
    struct fake fake = {0};
    if (!size)
        return 0;
    const struct gdb_target target = {
        .user = &fake,
        .cores = CORES,
        .wide = data[0] & WIDE,
        .get = get,
        .set = set,
        .read = read_memory,
        .write = write_memory,
        .breakpoint = breakpoint,
        .watch = watch,
        .step = step,
        .run = run,
        .step_back = step,
        .run_back = step,
        .describe = describe,
        .monitor = monitor,
    };
    gdb_open(&gdb, &target, take_sent, &fake);
    if (data[0] & RAW) {
        gdb_receive(&gdb, data + 1, size - 1);
        gdb_turn(&gdb);
    } else {
        send_packets(&gdb, data + 1, size - 1);
    }
    return 0;
}
