/* SPDX-License-Identifier: MIT */
/* code_lines.c - reads source lines from a DWARF line table.
 *
 * In:       the section .debug_line, with relocated addresses. All fields are checked before use.
 * Out:      lines of the image: one for each row that changes file, line or column, and one with
 *           line 0 at the end of a sequence.
 * Source:   DWARF 4, section 6.2; versions 2 and 3 differ in the header only. asm/dwarf.c
 *           writes such tables.
 * Left out: version 5 and 64-bit tables, whose units are skipped; information other than lines.
 *           Debian's libdw reads all of these, but it needs the whole file. Relocating objects for
 *           libdw would need more code than this reader has. */
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "code/code_read.h"

enum {
    LINES_MAX = 1 << 20,
    PATH_MAX_BYTES = 1024,
    SCANNED_MAX = 1 << 28, /* largest number of header bytes that are searched for file names */
    NO_FILE = UINT32_MAX,

    LNS_EXTENDED = 0,
    LNS_COPY,
    LNS_ADVANCE_PC,
    LNS_ADVANCE_LINE,
    LNS_SET_FILE,
    LNS_SET_COLUMN,
    LNS_CONST_ADD_PC = 8,
    LNS_FIXED_ADVANCE_PC = 9,
    LNE_END_SEQUENCE = 1,
    LNE_SET_ADDRESS,
};

/* Position in a section. A read past the end returns 0 and leaves the position at the end. */
struct cursor {
    const uint8_t *bytes;
    size_t at, end;
};

struct unit {
    struct code_image *image;
    struct cursor program;
    struct cursor names; /* the unit's list of folders, followed by its list of files */
    uint32_t version, minimum, line_range, opcode_base;
    int line_base;
    const uint8_t *lengths; /* operand counts of standard opcodes, from opcode 1 on */
    uint32_t file_number;   /* number of the file whose path is in the field file */
    const char *file;
    size_t scanned;
    bool no_memory;
};

struct row {
    uint32_t address, file, line, column;
};

static const uint8_t *take(struct cursor *cursor, size_t size)
{
    static const uint8_t nothing[8];
    bool inside = size <= cursor->end - cursor->at;
    const uint8_t *bytes = inside ? cursor->bytes + cursor->at : nothing;
    cursor->at = inside ? cursor->at + size : cursor->end;
    return bytes;
}

static uint32_t take_uleb(struct cursor *cursor)
{
    uint32_t value = 0, byte = 0x80;
    for (unsigned shift = 0; byte & 0x80; shift += 7) {
        byte = *take(cursor, 1);
        value |= shift < 32 ? (byte & 0x7f) << shift : 0;
    }
    return value;
}

static uint32_t take_sleb(struct cursor *cursor)
{
    uint32_t value = 0, byte = 0x80;
    unsigned shift = 0;
    for (; byte & 0x80; shift += 7) {
        byte = *take(cursor, 1);
        value |= shift < 32 ? (byte & 0x7f) << shift : 0;
    }
    return byte & 0x40 && shift < 32 ? value | UINT32_MAX << shift : value;
}

/* Returns the next string, or "" at the end of the table. */
static const char *take_string(struct cursor *cursor)
{
    const char *text = (const char *)cursor->bytes + cursor->at;
    size_t left = cursor->end - cursor->at;
    const char *end = left ? memchr(text, 0, left) : NULL;
    cursor->at = end ? cursor->at + (size_t)(end - text) + 1 : cursor->end;
    return end ? text : "";
}

/* --- files --- */

/* Returns the name of folder number wanted, counted from 1, or "" if there is no such folder. Moves
 * the cursor past the list of folders. */
static const char *find_folder(struct cursor *names, uint32_t wanted)
{
    const char *found = "";
    uint32_t number = 1;
    for (const char *text = take_string(names); *text; text = take_string(names), number++)
        if (number == wanted)
            found = text;
    return found;
}

/* Returns the name of file number wanted, counted from 1, and sets *folder to the number of the
 * file's folder. Returns NULL if there is no such file. */
static const char *find_file(struct cursor names, uint32_t wanted, uint32_t *folder)
{
    find_folder(&names, 0);
    uint32_t number = 1;
    for (const char *text = take_string(&names); *text; text = take_string(&names), number++) {
        *folder = take_uleb(&names);
        take_uleb(&names);
        take_uleb(&names);
        if (number == wanted)
            return text;
    }
    return NULL;
}

/* Returns the path of a file, with control characters replaced. */
static const char *file_path(struct unit *unit, uint32_t number)
{
    char path[PATH_MAX_BYTES];
    uint32_t folder_number = 0;
    unit->scanned += unit->names.end - unit->names.at;
    const char *name = unit->scanned > SCANNED_MAX ? NULL
                                                   : find_file(unit->names, number, &folder_number);
    if (!name)
        return NULL;
    struct cursor names = unit->names;
    const char *folder = name[0] == '/' ? "" : find_folder(&names, folder_number);
    snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name);
    for (char *at = path; *at; at++)
        if ((uint8_t)*at < ' ' || *at == 0x7f)
            *at = '?';
    const char *added = code_add_file(unit->image, path);
    unit->no_memory |= !added && unit->image->file_count < CODE_FILES_MAX;
    return added;
}

/* --- rows --- */

static void add_line(struct unit *unit, struct code_line line)
{
    if (unit->image->line_count < LINES_MAX)
        unit->no_memory |= code_add_line(unit->image, line) != TESS_OK;
}

static void add_row(struct unit *unit, const struct row *row)
{
    if (row->file != unit->file_number) {
        unit->file_number = row->file;
        unit->file = file_path(unit, row->file);
    }
    struct code_line line = {row->address, unit->file ? row->line : 0, row->column, unit->file};
    struct code_line *last = unit->image->line_count
                                 ? &unit->image->lines[unit->image->line_count - 1]
                                 : NULL;
    if (last && last->line && last->address == line.address)
        *last = line; /* if several rows have one address, the last row takes effect */
    else
        add_line(unit, line);
}

static void special(struct unit *unit, struct row *row, unsigned opcode)
{
    unsigned adjusted = opcode - unit->opcode_base;
    row->address += adjusted / unit->line_range * unit->minimum;
    row->line += (uint32_t)unit->line_base + adjusted % unit->line_range;
    add_row(unit, row);
}

static void extended(struct unit *unit, struct row *row)
{
    struct cursor *program = &unit->program;
    uint32_t size = take_uleb(program);
    struct cursor inner = *program;
    take(program, size);
    inner.end = program->at;
    switch (*take(&inner, 1)) {
    case LNE_END_SEQUENCE:
        add_line(unit, (struct code_line){.address = row->address});
        *row = (struct row){.file = 1, .line = 1};
        break;
    case LNE_SET_ADDRESS: row->address = load_le32(take(&inner, 4)); break;
    }
}

static void standard(struct unit *unit, struct row *row, unsigned opcode)
{
    struct cursor *program = &unit->program;
    switch (opcode) {
    case LNS_EXTENDED: extended(unit, row); return;
    case LNS_COPY: add_row(unit, row); return;
    case LNS_ADVANCE_PC: row->address += take_uleb(program) * unit->minimum; return;
    case LNS_ADVANCE_LINE: row->line += take_sleb(program); return;
    case LNS_SET_FILE: row->file = take_uleb(program); return;
    case LNS_SET_COLUMN: row->column = take_uleb(program); return;
    case LNS_CONST_ADD_PC:
        row->address += (255 - unit->opcode_base) / unit->line_range * unit->minimum;
        return;
    case LNS_FIXED_ADVANCE_PC: row->address += load_le16(take(program, 2)); return;
    }
    for (unsigned i = 0; i < unit->lengths[opcode - 1]; i++)
        take_uleb(program);
}

static void run_program(struct unit *unit)
{
    struct row row = {.file = 1, .line = 1};
    while (unit->program.at < unit->program.end && unit->image->line_count < LINES_MAX &&
           !unit->no_memory) {
        unsigned opcode = *take(&unit->program, 1);
        if (opcode >= unit->opcode_base)
            special(unit, &row, opcode);
        else
            standard(unit, &row, opcode);
    }
}

/* --- units --- */

/* Reads the header of a unit; the cursor is after the unit's length. Returns false if the header's
 * version or form is not supported. */
static bool read_header(struct unit *unit, struct cursor cursor)
{
    unit->version = load_le16(take(&cursor, 2));
    uint32_t length = load_le32(take(&cursor, 4));
    if (unit->version < 2 || unit->version > 4 || length > cursor.end - cursor.at)
        return false;
    unit->program = cursor;
    unit->program.at += length;
    cursor.end = unit->program.at;
    unit->minimum = *take(&cursor, 1);
    take(&cursor,
         unit->version >= 4 ? 2 : 1); /* skip the number of operations per instruction (version 4
                                       * only) and the flag default_is_stmt */
    unit->line_base = (int8_t)*take(&cursor, 1);
    unit->line_range = *take(&cursor, 1);
    unit->opcode_base = *take(&cursor, 1);
    if (unit->line_range == 0 || unit->opcode_base == 0 ||
        unit->opcode_base - 1 > cursor.end - cursor.at)
        return false;
    unit->lengths = cursor.bytes + cursor.at;
    take(&cursor, unit->opcode_base - 1);
    unit->names = cursor;
    return true;
}

enum tess_status code_read_lines(struct code_image *image, const uint8_t *bytes, size_t size)
{
    struct cursor cursor = {bytes, 0, size};
    struct unit unit = {.image = image};
    while (cursor.at < cursor.end && !unit.no_memory) {
        uint32_t length = load_le32(take(&cursor, 4));
        struct cursor inner = cursor;
        if (length > cursor.end - cursor.at)
            break;
        take(&cursor, length);
        inner.end = cursor.at;
        unit.file_number = NO_FILE;
        unit.file = NULL;
        if (read_header(&unit, inner))
            run_program(&unit);
    }
    return unit.no_memory ? TESS_NO_MEMORY : TESS_OK;
}
