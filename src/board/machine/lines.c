/* SPDX-License-Identifier: MIT */
/* lines.c - see lines.h.
 *
 * In:  the sections .debug_line, .debug_str and .debug_line_str.
 * Out: rows of address, file and line.
 *
 * Source: DWARF 5, section 6.2; DWARF 2 to 4 have other headers.
 * Left out: tables of 64-bit DWARF, columns, names of folders. */
#include "board/machine/lines.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 1 << 22, FILES_MAX = 4096, FORMATS_MAX = 16 };

enum {
    FORM_BLOCK2 = 0x03,
    FORM_BLOCK4 = 0x04,
    FORM_DATA2 = 0x05,
    FORM_DATA4 = 0x06,
    FORM_DATA8 = 0x07,
    FORM_STRING = 0x08,
    FORM_BLOCK = 0x09,
    FORM_BLOCK1 = 0x0a,
    FORM_DATA1 = 0x0b,
    FORM_STRP = 0x0e,
    FORM_UDATA = 0x0f,
    FORM_DATA16 = 0x1e,
    FORM_LINE_STRP = 0x1f,
    CONTENT_PATH = 1,
};

enum {
    LNS_EXTENDED,
    LNS_COPY,
    LNS_ADVANCE_PC,
    LNS_ADVANCE_LINE,
    LNS_SET_FILE,
    LNS_CONST_ADD_PC = 8,
    LNS_FIXED_ADVANCE_PC = 9,
    LNE_END_SEQUENCE = 1,
    LNE_SET_ADDRESS = 2,
};

/* Bytes that are read from the front. A read past the end is 0, and sets .bad. */
struct cursor {
    const uint8_t *at;
    size_t left;
    bool bad;
};

struct unit {
    struct lines *lines;
    const struct lines_sections *sections;
    struct cursor program;
    unsigned version, minimum, line_range, opcode_base;
    int line_base;
    const uint8_t *operands; /* numbers of operands of the standard opcodes, from 1 on */
    const char *files[FILES_MAX];
    uint32_t file_count;
};

/* --- bytes --- */

static const uint8_t *take(struct cursor *cursor, uint64_t size)
{
    const uint8_t *at = cursor->at;
    if (size > cursor->left) {
        cursor->bad = true;
        cursor->left = 0;
        return NULL;
    }
    cursor->at += size;
    cursor->left -= (size_t)size;
    return at;
}

static uint64_t take_fixed(struct cursor *cursor, unsigned size)
{
    const uint8_t *at = take(cursor, size);
    uint64_t value = 0;
    for (unsigned i = 0; at && i < size; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static uint64_t take_variable(struct cursor *cursor, bool has_sign)
{
    uint64_t value = 0, byte = 0x80;
    unsigned shift = 0;
    for (; byte & 0x80; shift += 7) {
        byte = take_fixed(cursor, 1);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
    }
    if (has_sign && byte & 0x40 && shift < 64)
        value |= ~UINT64_C(0) << shift;
    return value;
}

static uint64_t take_unsigned(struct cursor *cursor)
{
    return take_variable(cursor, false);
}

static const char *take_string(struct cursor *cursor)
{
    const uint8_t *end = cursor->left ? memchr(cursor->at, 0, cursor->left) : NULL;
    const uint8_t *at = take(cursor, end ? (uint64_t)(end - cursor->at) + 1 : cursor->left + 1);
    return at ? (const char *)at : "";
}

static const char *string_at(const struct lines_part *part, uint64_t offset)
{
    if (offset >= part->size || !memchr(part->bytes + offset, 0, part->size - (size_t)offset))
        return "";
    return (const char *)part->bytes + offset;
}

static const char *without_folder(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

/* --- headers --- */

static void add_file(struct unit *unit, const char *name)
{
    if (unit->file_count < FILES_MAX)
        unit->files[unit->file_count++] = without_folder(name);
}

/* The lists of folders and files before version 5. Files count from 1. */
static void read_old_files(struct unit *unit, struct cursor *header)
{
    while (!header->bad && *take_string(header))
        ;
    add_file(unit, "");
    while (!header->bad) {
        const char *name = take_string(header);
        if (!*name)
            break;
        add_file(unit, name);
        for (unsigned i = 0; i < 3; i++) /* folder, time, size */
            take_unsigned(header);
    }
}

/* Reads a field of a list of version 5. Returns its text, or NULL if it is not a text. */
static const char *take_form(const struct unit *unit, struct cursor *header, uint64_t form)
{
    switch (form) {
    case FORM_STRING: return take_string(header);
    case FORM_STRP: return string_at(&unit->sections->strings, take_fixed(header, 4));
    case FORM_LINE_STRP: return string_at(&unit->sections->line_strings, take_fixed(header, 4));
    case FORM_UDATA: take_unsigned(header); break;
    case FORM_DATA1: take(header, 1); break;
    case FORM_DATA2: take(header, 2); break;
    case FORM_DATA4: take(header, 4); break;
    case FORM_DATA8: take(header, 8); break;
    case FORM_DATA16: take(header, 16); break;
    case FORM_BLOCK: take(header, take_unsigned(header)); break;
    case FORM_BLOCK1: take(header, take_fixed(header, 1)); break;
    case FORM_BLOCK2: take(header, take_fixed(header, 2)); break;
    case FORM_BLOCK4: take(header, take_fixed(header, 4)); break;
    default: header->bad = true;
    }
    return NULL;
}

/* Reads a list of folders or files of version 5. Files count from 0. */
static void read_list(struct unit *unit, struct cursor *header, bool files)
{
    uint64_t formats[FORMATS_MAX][2] = {{0}};
    uint64_t format_count = take_fixed(header, 1);
    if (format_count > FORMATS_MAX)
        header->bad = true;
    for (uint64_t i = 0; i < format_count && !header->bad; i++) {
        formats[i][0] = take_unsigned(header);
        formats[i][1] = take_unsigned(header);
    }
    uint64_t count = take_unsigned(header);
    for (uint64_t i = 0; i < count && format_count && !header->bad; i++) {
        const char *name = "";
        for (uint64_t n = 0; n < format_count && !header->bad; n++) {
            const char *text = take_form(unit, header, formats[n][1]);
            if (text && formats[n][0] == CONTENT_PATH)
                name = text;
        }
        if (files)
            add_file(unit, name);
    }
}

/* Reads the header of a unit. Returns false if the unit is of an unknown kind. */
static bool read_header(struct unit *unit, struct cursor *all)
{
    unit->file_count = 0;
    unit->version = (unsigned)take_fixed(all, 2);
    if (unit->version < 2 || unit->version > 5)
        return false;
    if (unit->version == 5)
        take(all, 2); /* sizes of an address and of a segment selector */
    uint64_t size = take_fixed(all, 4);
    const uint8_t *at = take(all, size);
    if (!at)
        return false;
    struct cursor header = {at, (size_t)size, false};
    unit->program = *all;
    unit->minimum = (unsigned)take_fixed(&header, 1);
    if (unit->version >= 4)
        take(&header, 1); /* operations of an instruction */
    take(&header, 1);     /* whether a row begins a statement */
    unit->line_base = (int8_t)take_fixed(&header, 1);
    unit->line_range = (unsigned)take_fixed(&header, 1);
    unit->opcode_base = (unsigned)take_fixed(&header, 1);
    unit->operands = unit->opcode_base ? take(&header, unit->opcode_base - 1) : NULL;
    if (!unit->operands || !unit->line_range)
        return false;
    if (unit->version == 5) {
        read_list(unit, &header, false);
        read_list(unit, &header, true);
    } else {
        read_old_files(unit, &header);
    }
    return true;
}

/* --- programs --- */

/* The registers of the program. */
struct state {
    uint64_t address, file;
    uint32_t line;
};

static void add_row(struct unit *unit, const struct state *state, bool end)
{
    struct lines *lines = unit->lines;
    if (lines->count == lines->room) {
        size_t room = lines->room ? 2 * lines->room : 1024;
        struct lines_row *rows = room <= ROWS_MAX ? realloc(lines->rows, room * sizeof *rows)
                                                  : NULL;
        if (!rows)
            return;
        lines->rows = rows;
        lines->room = room;
    }
    const char *file = state->file < unit->file_count ? unit->files[state->file] : "";
    lines->rows[lines->count] = (struct lines_row){state->address, end ? NULL : file, state->line,
                                                   (uint32_t)lines->count};
    lines->count++;
}

static void start(struct state *state)
{
    *state = (struct state){.file = 1, .line = 1};
}

static void run_extended(struct unit *unit, struct state *state)
{
    uint64_t size = take_unsigned(&unit->program);
    const uint8_t *at = take(&unit->program, size);
    if (!at || !size)
        return;
    struct cursor operands = {at + 1, (size_t)size - 1, false};
    if (*at == LNE_SET_ADDRESS)
        state->address = take_fixed(&operands, size > 8 ? 8 : (unsigned)size - 1);
    if (*at == LNE_END_SEQUENCE) {
        add_row(unit, state, true);
        start(state);
    }
}

static void run_special(struct unit *unit, struct state *state, unsigned opcode)
{
    unsigned number = opcode - unit->opcode_base;
    state->address += (uint64_t)(number / unit->line_range) * unit->minimum;
    state->line += (uint32_t)(unit->line_base + (int)(number % unit->line_range));
}

static void run_standard(struct unit *unit, struct state *state, unsigned opcode)
{
    struct cursor *program = &unit->program;
    switch (opcode) {
    case LNS_COPY: add_row(unit, state, false); break;
    case LNS_ADVANCE_PC: state->address += take_unsigned(program) * unit->minimum; break;
    case LNS_ADVANCE_LINE: state->line += (uint32_t)take_variable(program, true); break;
    case LNS_SET_FILE: state->file = take_unsigned(program); break;
    case LNS_CONST_ADD_PC: {
        uint32_t line = state->line;
        run_special(unit, state, 255);
        state->line = line;
        break;
    }
    case LNS_FIXED_ADVANCE_PC: state->address += take_fixed(program, 2); break;
    default:
        for (unsigned i = 0; i < unit->operands[opcode - 1]; i++)
            take_unsigned(program);
    }
}

static void run_program(struct unit *unit)
{
    struct state state;
    start(&state);
    while (unit->program.left && !unit->program.bad) {
        unsigned opcode = (unsigned)take_fixed(&unit->program, 1);
        if (opcode == LNS_EXTENDED) {
            run_extended(unit, &state);
        } else if (opcode >= unit->opcode_base) {
            run_special(unit, &state, opcode);
            add_row(unit, &state, false);
        } else {
            run_standard(unit, &state, opcode);
        }
    }
}

/* --- all tables --- */

static int compare(const void *one, const void *other)
{
    const struct lines_row *a = one, *b = other;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if ((a->file == NULL) != (b->file == NULL)) /* an end is before a start */
        return a->file ? 1 : -1;
    return a->order < b->order ? -1 : 1;
}

void lines_read(struct lines *lines, const struct lines_sections *sections)
{
    struct cursor all = {sections->line.bytes, sections->line.size, false};
    struct unit *unit = calloc(1, sizeof *unit);
    while (unit && all.left && !all.bad) {
        uint64_t size = take_fixed(&all, 4);
        const uint8_t *at = take(&all, size);
        if (!at)
            break;
        struct cursor one = {at, (size_t)size, false};
        unit->lines = lines;
        unit->sections = sections;
        if (read_header(unit, &one))
            run_program(unit);
    }
    free(unit);
    if (lines->count)
        qsort(lines->rows, lines->count, sizeof lines->rows[0], compare);
}

void lines_free(struct lines *lines)
{
    free(lines->rows);
    *lines = (struct lines){0};
}

bool lines_find(const struct lines *lines, uint64_t address, const char **file, uint32_t *line)
{
    size_t low = 0, high = lines->count;
    *file = NULL;
    *line = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lines->rows[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || !lines->rows[low - 1].file || !*lines->rows[low - 1].file)
        return false;
    *file = lines->rows[low - 1].file;
    *line = lines->rows[low - 1].line;
    return true;
}
