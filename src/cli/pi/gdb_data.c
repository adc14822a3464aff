/* SPDX-License-Identifier: MIT */
/* gdb_data.c - registers and memory for gdb.
 *
 * In:  the packets g, G, p, P, m and M.
 * Out: hexadecimal digits.
 *
 * Source: "Debugging with GDB", appendices E.2, "Packets", and G.5.1 and G.5.2, features of
 *         AArch64 and ARM.
 * Left out: registers of floating point and of coprocessors. */
#include "cli/pi/gdb.h"

enum { REGISTERS_32 = 17, REGISTERS_64 = 34 };

/* A register in gdb's order. */
struct row {
    unsigned reg, size; /* size in bytes */
};

static unsigned count_of(const struct gdb *gdb)
{
    return gdb->target->wide ? REGISTERS_64 : REGISTERS_32;
}

static struct row row_of(const struct gdb *gdb, unsigned number)
{
    bool wide = gdb->target->wide;
    unsigned last = count_of(gdb) - 1;
    if (number == last)
        return (struct row){GDB_PSR, 4};
    if (wide && number >= 31)
        return (struct row){number == 31 ? GDB_SP : GDB_PC, 8};
    return (struct row){number, wide ? 8 : 4};
}

void gdb_read_registers(struct gdb *gdb, struct gdb_text *answer)
{
    const struct gdb_target *target = gdb->target;
    for (unsigned i = 0; i < count_of(gdb); i++) {
        struct row row = row_of(gdb, i);
        gdb_add_value(answer, target->get(target->user, gdb->core, row.reg), row.size);
    }
}

/* Sets a register from digits. Returns the number of digits, or 0 if there are too few. */
static size_t set_register(struct gdb *gdb, struct row row, const char *at)
{
    uint8_t bytes[8] = {0};
    uint64_t value = 0;
    if (gdb_bytes(at, bytes, row.size) != row.size)
        return 0;
    for (unsigned i = 0; i < row.size; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    gdb->target->set(gdb->target->user, gdb->core, row.reg, value);
    return (size_t)2 * row.size;
}

static void finish(struct gdb_text *answer, bool good)
{
    gdb_add(answer, good ? "OK" : "E01");
}

void gdb_write_registers(struct gdb *gdb, const char *at, struct gdb_text *answer)
{
    bool good = true;
    /* The CPSR comes first, because it selects the registers of the mode. */
    const char *last = at;
    for (unsigned i = 0; good && i < count_of(gdb); i++) {
        uint8_t bytes[8];
        unsigned size = row_of(gdb, i).size;
        good = gdb_bytes(last, bytes, size) == size;
        last += i + 1 < count_of(gdb) ? (size_t)2 * size : 0;
    }
    good = good && set_register(gdb, row_of(gdb, count_of(gdb) - 1), last);
    for (unsigned i = 0; good && i + 1 < count_of(gdb); i++)
        at += set_register(gdb, row_of(gdb, i), at);
    finish(answer, good);
}

void gdb_read_register(struct gdb *gdb, const char *at, struct gdb_text *answer)
{
    const struct gdb_target *target = gdb->target;
    uint64_t number;
    if (!gdb_number(&at, &number) || number >= count_of(gdb)) {
        finish(answer, false);
        return;
    }
    struct row row = row_of(gdb, (unsigned)number);
    gdb_add_value(answer, target->get(target->user, gdb->core, row.reg), row.size);
}

void gdb_write_register(struct gdb *gdb, const char *at, struct gdb_text *answer)
{
    uint64_t number;
    bool good = gdb_number(&at, &number) && number < count_of(gdb) && *at == '=';
    finish(answer, good && set_register(gdb, row_of(gdb, (unsigned)number), at + 1));
}

/* Reads "address,size". */
static bool take_range(const char **at, uint64_t *address, uint64_t *size)
{
    if (!gdb_number(at, address) || **at != ',')
        return false;
    ++*at;
    return gdb_number(at, size);
}

void gdb_read_memory(struct gdb *gdb, const char *at, struct gdb_text *answer)
{
    const struct gdb_target *target = gdb->target;
    uint8_t bytes[GDB_PACKET / 2];
    uint64_t address, size;
    bool good = take_range(&at, &address, &size);
    if (good && size > sizeof bytes)
        size = sizeof bytes;
    size_t done = good ? target->read(target->user, gdb->core, address, bytes, (size_t)size) : 0;
    if (done || (good && !size))
        gdb_add_hex(answer, bytes, done);
    else
        finish(answer, false);
}

void gdb_write_memory(struct gdb *gdb, const char *at, struct gdb_text *answer)
{
    const struct gdb_target *target = gdb->target;
    uint8_t bytes[GDB_PACKET / 2];
    uint64_t address, size;
    bool good = take_range(&at, &address, &size) && *at == ':' && size <= sizeof bytes &&
                gdb_bytes(at + 1, bytes, (size_t)size) == size;
    finish(answer, good && target->write(target->user, gdb->core, address, bytes, (size_t)size) ==
                               (size_t)size);
}

/* --- the description --- */

static void describe_32(struct gdb_text *text)
{
    gdb_add(text, "<architecture>arm</architecture><feature name=\"org.gnu.gdb.arm.core\">");
    for (unsigned i = 0; i < 13; i++)
        gdb_add(text, "<reg name=\"r%u\" bitsize=\"32\"/>", i);
    gdb_add(text, "<reg name=\"sp\" bitsize=\"32\" type=\"data_ptr\"/>"
                  "<reg name=\"lr\" bitsize=\"32\"/>"
                  "<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\"/>"
                  "<reg name=\"cpsr\" bitsize=\"32\"/>");
}

static void describe_64(struct gdb_text *text)
{
    gdb_add(text, "<architecture>aarch64</architecture>"
                  "<feature name=\"org.gnu.gdb.aarch64.core\">");
    for (unsigned i = 0; i < 31; i++)
        gdb_add(text, "<reg name=\"x%u\" bitsize=\"64\"/>", i);
    gdb_add(text, "<reg name=\"sp\" bitsize=\"64\" type=\"data_ptr\"/>"
                  "<reg name=\"pc\" bitsize=\"64\" type=\"code_ptr\"/>"
                  "<reg name=\"cpsr\" bitsize=\"32\"/>");
}

void gdb_describe(const struct gdb *gdb, struct gdb_text *description)
{
    gdb_add(description, "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">"
                         "<target version=\"1.0\">");
    if (gdb->target->wide)
        describe_64(description);
    else
        describe_32(description);
    gdb_add(description, "</feature></target>");
}
