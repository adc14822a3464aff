/* SPDX-License-Identifier: MIT */
/* dwarf.c - writes the line tables of an assembled program.
 *
 * In:       the statements that emitted bytes, both instructions and data.
 * Out:      a compilation unit and a line program for each region with statements. Bytes from a
 *           macro, a loop or an included file have the line in the body or in the included file,
 *           not the line of the call.
 * Source:   DWARF Debugging Information Format, version 4: chapters 3.1, 6.2 and 7.
 * Left out: special opcodes, which only save space; the compilation directory, so that equal
 *           sources produce equal files on every machine. */
#include "asm/dwarf.h"

#include <stdlib.h>
#include <string.h>

#include "asm/source.h"
#include "asm/write_private.h"
#include "base/bits.h"

enum {
    VERSION = 4,
    ADDRESS_SIZE = 4,
    TAG_COMPILE_UNIT = 0x11,
    AT_NAME = 0x03,
    AT_STMT_LIST = 0x10,
    AT_LOW_PC = 0x11,
    AT_HIGH_PC = 0x12,
    AT_LANGUAGE = 0x13,
    AT_PRODUCER = 0x25,
    FORM_ADDR = 0x01,
    FORM_DATA2 = 0x05,
    FORM_DATA4 = 0x06,
    FORM_STRING = 0x08,
    FORM_SEC_OFFSET = 0x17,
    LANGUAGE_ASSEMBLER = 0x8001, /* DW_LANG_Mips_Assembler, which GNU as writes for all machines */
    LINE_COPY = 1,
    LINE_ADVANCE_PC = 2,
    LINE_ADVANCE_LINE = 3,
    LINE_SET_FILE = 4,
    LINE_SET_COLUMN = 5,
    LINE_END_SEQUENCE = 1,
    LINE_SET_ADDRESS = 2,
};

static const uint8_t abbreviations[] = {
    1,
    TAG_COMPILE_UNIT,
    0, /* the entry has no children */
    AT_PRODUCER,
    FORM_STRING,
    AT_LANGUAGE,
    FORM_DATA2,
    AT_NAME,
    FORM_STRING,
    AT_STMT_LIST,
    FORM_SEC_OFFSET,
    AT_LOW_PC,
    FORM_ADDR,
    AT_HIGH_PC,
    FORM_DATA4,
    0,
    0,
    0,
};

/* Number of operands of the standard opcodes 1 to 12. */
static const uint8_t opcode_lengths[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};

/* One compilation unit: the statements of one region. */
struct unit {
    const struct asm_region *region;
    const struct asm_origin *origins;
    size_t count;
    const struct source_file **files; /* file number in the unit is the index + 1 */
    size_t file_count;
};

/* --- encodings --- */

static void append_text(struct buffer *out, const char *text)
{
    buffer_append(out, text, strlen(text) + 1);
}

static void append_uleb(struct buffer *out, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        buffer_byte(out, (uint8_t)(value | 0x80));
    buffer_byte(out, (uint8_t)value);
}

static void append_sleb(struct buffer *out, int64_t value)
{
    while (value < -64 || value > 63) {
        buffer_byte(out, (uint8_t)(value | 0x80));
        value >>= 7;
    }
    buffer_byte(out, (uint8_t)(value & 0x7f));
}

static void append_fixup(struct buffer *out, struct buffer *fixups, enum dwarf_target target,
                         uint32_t value)
{
    struct dwarf_fixup fixup = {(uint32_t)out->size, target};
    buffer_append(fixups, &fixup, sizeof fixup);
    buffer_le32(out, value);
}

/* Reserves the word of a length, which close_length() fills in. */
static size_t open_length(struct buffer *out)
{
    buffer_le32(out, 0);
    return out->size;
}

static void close_length(struct buffer *out, size_t start)
{
    if (!out->failed)
        store_le32(out->data + start - 4, (uint32_t)(out->size - start));
}

/* --- .debug_line --- */

static uint32_t file_number(struct unit *unit, const struct source_file *file, uint32_t hint)
{
    if (hint > 0 && unit->files[hint - 1] == file)
        return hint;
    for (size_t i = 0; i < unit->file_count; i++)
        if (unit->files[i] == file)
            return (uint32_t)i + 1;
    unit->files[unit->file_count++] = file;
    return (uint32_t)unit->file_count;
}

static void find_files(struct unit *unit)
{
    uint32_t number = 0;
    for (size_t i = 0; i < unit->count; i++)
        number = file_number(unit, unit->origins[i].line->file, number);
}

static void write_line_header(const struct unit *unit, struct buffer *out)
{
    buffer_le16(out, VERSION);
    size_t start = open_length(out);
    /* minimum_instruction_length: 1 byte, because data also has lines. */
    buffer_byte(out, 1);
    buffer_byte(out, 1); /* maximum_operations_per_instruction */
    buffer_byte(out, 1); /* default_is_stmt: every row is a statement */
    /* line_base and line_range of special opcodes, which are unused. */
    buffer_byte(out, (uint8_t)-5);
    buffer_byte(out, 14);
    buffer_byte(out, sizeof opcode_lengths + 1);
    buffer_append(out, opcode_lengths, sizeof opcode_lengths);
    buffer_byte(out, 0); /* no include directories */
    for (size_t i = 0; i < unit->file_count; i++) {
        append_text(out, unit->files[i]->path);
        buffer_append(out, "\0\0\0", 3); /* no directory, time or size */
    }
    buffer_byte(out, 0);
    close_length(out, start);
}

/* Registers of the state machine for line numbers (DWARF 4, 6.2.2). */
struct row {
    uint32_t address, line, file, column;
};

static void write_row(struct buffer *out, struct row *row, const struct row *next)
{
    if (next->address != row->address) {
        buffer_byte(out, LINE_ADVANCE_PC);
        append_uleb(out, next->address - row->address);
    }
    if (next->line != row->line) {
        buffer_byte(out, LINE_ADVANCE_LINE);
        append_sleb(out, (int64_t)next->line - row->line);
    }
    if (next->file != row->file) {
        buffer_byte(out, LINE_SET_FILE);
        append_uleb(out, next->file);
    }
    if (next->column != row->column) {
        buffer_byte(out, LINE_SET_COLUMN);
        append_uleb(out, next->column);
    }
    buffer_byte(out, LINE_COPY);
    *row = *next;
}

static void write_rows(struct unit *unit, struct dwarf *dwarf)
{
    struct buffer *out = &dwarf->lines;
    struct row row = {.address = unit->region->address, .line = 1, .file = 1};
    buffer_append(out, (const uint8_t[]){0, 1 + ADDRESS_SIZE, LINE_SET_ADDRESS}, 3);
    append_fixup(out, &dwarf->line_fixups, DWARF_TO_CODE, row.address);
    for (size_t i = 0; i < unit->count; i++) {
        const struct asm_origin *origin = &unit->origins[i];
        struct row next = {origin->address, origin->line->number,
                           file_number(unit, origin->line->file, row.file), origin->column};
        bool same = i > 0 && next.line == row.line && next.file == row.file &&
                    next.column == row.column;
        if (!same)
            write_row(out, &row, &next);
    }
    const struct asm_origin *last = &unit->origins[unit->count - 1];
    buffer_byte(out, LINE_ADVANCE_PC);
    append_uleb(out, last->address + last->size - row.address);
    buffer_append(out, (const uint8_t[]){0, 1, LINE_END_SEQUENCE}, 3);
}

/* --- .debug_info --- */

static void write_info(const struct unit *unit, uint32_t lines, struct dwarf *dwarf)
{
    struct buffer *out = &dwarf->info, *fixups = &dwarf->info_fixups;
    const struct asm_origin *last = &unit->origins[unit->count - 1];
    size_t start = open_length(out);
    buffer_le16(out, VERSION);
    append_fixup(out, fixups, DWARF_TO_ABBREVIATIONS, 0);
    buffer_byte(out, ADDRESS_SIZE);
    append_uleb(out, 1);
    append_text(out, "tessera " TESS_VERSION);
    buffer_le16(out, LANGUAGE_ASSEMBLER);
    append_text(out, unit->files[0]->path);
    append_fixup(out, fixups, DWARF_TO_LINES, lines);
    append_fixup(out, fixups, DWARF_TO_CODE, unit->region->address);
    buffer_le32(out, last->address + last->size - unit->region->address);
    close_length(out, start);
}

/* --- units --- */

static bool write_unit(struct unit *unit, struct dwarf *dwarf)
{
    unit->files = calloc(unit->count, sizeof *unit->files);
    if (!unit->files)
        return false;
    find_files(unit);
    uint32_t lines = (uint32_t)dwarf->lines.size;
    size_t start = open_length(&dwarf->lines);
    write_line_header(unit, &dwarf->lines);
    write_rows(unit, dwarf);
    close_length(&dwarf->lines, start);
    write_info(unit, lines, dwarf);
    free(unit->files);
    return true;
}

bool dwarf_write(const struct asm_program *program, struct dwarf *dwarf)
{
    size_t count = 0;
    struct asm_origin *origins = asm_origins(program, &count);
    bool good = origins != NULL;
    for (size_t i = 0; good && count > 0 && i < program->regions.count; i++) {
        const struct asm_region *region = &program->regions.items[i];
        size_t first = asm_origin_from(origins, count, region->address);
        size_t end = asm_origin_from(origins, count,
                                     (uint64_t)region->address + region_size(region));
        struct unit unit = {region, origins + first, end - first, NULL, 0};
        if (unit.count > 0)
            good = write_unit(&unit, dwarf);
    }
    free(origins);
    if (dwarf->info.size > 0)
        buffer_append(&dwarf->abbreviations, abbreviations, sizeof abbreviations);
    return good && !dwarf->info.failed && !dwarf->abbreviations.failed && !dwarf->lines.failed &&
           !dwarf->info_fixups.failed && !dwarf->line_fixups.failed;
}

void dwarf_free(struct dwarf *dwarf)
{
    buffer_free(&dwarf->info);
    buffer_free(&dwarf->abbreviations);
    buffer_free(&dwarf->lines);
    buffer_free(&dwarf->info_fixups);
    buffer_free(&dwarf->line_fixups);
}
