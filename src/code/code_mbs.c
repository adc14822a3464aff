/* SPDX-License-Identifier: MIT */
/* code_mbs.c - reads the vertex program from an MBS file, written by ARM's offline compiler for
 * Mali-200 to Mali-450.
 *
 * In:       the file: nested chunks of a four-letter tag, a size and that many bytes.
 *               MBS1 > CVER > a version, FINS, SUNI, SATT, SVAR, DBIN
 *           Every size is checked against the enclosing chunk.
 * Out: the vertex program (chunk DBIN) as a segment; the uniforms, attributes and varyings (chunks
 *      SUNI, SATT and SVAR) as lines of an interface (gp/interface.c).
 * Source:   limadriver.org, page "MBS File Format"; docs/hardware/utgard.md, section 22; Mesa
 *           22.3.6, src/gallium/drivers/lima/standalone/lima_disasm.c.
 * Left out: fragment programs (chunk CFRA); members of structures and symbols that do not begin at
 *           a row, which the lines of an interface cannot express; symbols whose form differs from
 *           the page "MBS File Format". */
#include <string.h>

#include "base/bits.h"
#include "base/text.h"
#include "code/code_read.h"

enum {
    HEADER_BYTES = 8,
    SYMBOL_BYTES = 20, /* bytes of a symbol after its name */
    ROW = 4,           /* floats of a row */
    ROWS = 512,
    PORTS = 16, /* number of attributes, and of varyings */
    TYPE_MATRIX = 4,
    NO_PARENT = 0xffff,
    NAME_MAX_BYTES = 100,
};

struct mbs {
    struct code_reader *reader;
    struct buffer steps;
    size_t programs;
};

/* A range of the file, from offset start up to end. */
struct span {
    size_t start, end;
};

struct chunk {
    char tag[5]; /* '?' replaces bytes that are not printable */
    struct span content;
};

#define REFUSE(mbs, hint, ...) code_refuse((mbs)->reader, "code-mbs", 0, 0, (hint), __VA_ARGS__)

static bool is_tag(const struct chunk *chunk, const char *tag)
{
    return strcmp(chunk->tag, tag) == 0;
}

/* Reads the first chunk of *rest, and removes the chunk from *rest. */
static enum tess_status take_chunk(const struct mbs *mbs, struct span *rest, struct chunk *chunk)
{
    const uint8_t *bytes = mbs->reader->bytes + rest->start;
    size_t left = rest->end - rest->start;
    if (left < HEADER_BYTES)
        return REFUSE(mbs, "check that the file is complete",
                      "at 0x%zx, a chunk's tag and size are expected, but only %zu bytes are left",
                      rest->start, left);
    for (size_t i = 0; i < 4; i++)
        chunk->tag[i] = bytes[i] > ' ' && bytes[i] < 0x7f ? (char)bytes[i] : '?';
    chunk->tag[4] = 0;
    uint32_t size = load_le32(bytes + 4);
    if (size > left - HEADER_BYTES)
        return REFUSE(
            mbs, "check that the file is complete",
            "chunk '%s' at 0x%zx has 0x%x bytes, but only 0x%zx are left in the enclosing chunk",
            chunk->tag, rest->start, (unsigned)size, left - HEADER_BYTES);
    chunk->content.start = rest->start + HEADER_BYTES;
    chunk->content.end = chunk->content.start + size;
    rest->start = chunk->content.end;
    return TESS_OK;
}

static enum tess_status take_word(const struct mbs *mbs, struct span *rest, const char *what,
                                  uint32_t *word)
{
    if (rest->end - rest->start < 4)
        return REFUSE(mbs, "check that the file is complete", "at 0x%zx, %s is missing",
                      rest->start, what);
    *word = load_le32(mbs->reader->bytes + rest->start);
    rest->start += 4;
    return TESS_OK;
}

/* --- symbols --- */

struct symbol {
    char name[NAME_MAX_BYTES + 1];
    unsigned type, components, size, entries, stride, offset, parent; /* sizes are in floats */
};

/* Reads a name and makes it valid for the assembler: "light.position" becomes "light_position". */
static bool read_name(const struct mbs *mbs, struct span span, char name[NAME_MAX_BYTES + 1])
{
    const uint8_t *bytes = mbs->reader->bytes + span.start;
    size_t size = span.end - span.start, length = 0;
    while (length < size && bytes[length])
        length++;
    if (length == 0 || length == size || length > NAME_MAX_BYTES)
        return false;
    for (size_t i = 0; i < length; i++) {
        uint8_t c = bytes[i], letter = c | 0x20;
        bool digit = c >= '0' && c <= '9';
        if (c <= ' ' || c >= 0x7f)
            return false;
        name[i] = (letter >= 'a' && letter <= 'z') || (digit && i > 0) ? (char)c : '_';
    }
    name[length] = 0;
    return true;
}

/* Reads a symbol's chunk. Returns false if its form is unexpected. */
static bool read_symbol(const struct mbs *mbs, struct span rest, const struct chunk *name,
                        struct symbol *symbol)
{
    const uint8_t *bytes = mbs->reader->bytes + rest.start;
    if (!is_tag(name, "STRI") || rest.end - rest.start < SYMBOL_BYTES ||
        !read_name(mbs, name->content, symbol->name))
        return false;
    symbol->type = bytes[1];
    symbol->components = load_le16(bytes + 2);
    symbol->size = load_le16(bytes + 4);
    symbol->entries = load_le16(bytes + 6);
    symbol->stride = load_le16(bytes + 8);
    symbol->offset = load_le16(bytes + 16);
    symbol->parent = load_le16(bytes + 18);
    return symbol->parent == NO_PARENT && symbol->offset % ROW == 0;
}

static unsigned rows_of(const struct symbol *symbol)
{
    unsigned rows = symbol->type == TYPE_MATRIX ? symbol->components
                                                : (symbol->size + ROW - 1) / ROW;
    if (rows < symbol->stride / ROW && symbol->entries)
        rows = symbol->stride / ROW;
    rows *= symbol->entries ? symbol->entries : 1;
    return rows ? rows : 1;
}

/* Returns true if the interface already has a line that begins with start. */
static bool is_known(const struct mbs *mbs, const char *start)
{
    size_t length = strlen(start);
    const struct buffer *steps = &mbs->steps;
    for (size_t at = 0; at + length <= steps->size;) {
        const uint8_t *end = memchr(steps->data + at, '\n', steps->size - at);
        if (memcmp(steps->data + at, start, length) == 0)
            return true;
        at = (size_t)(end - steps->data) + 1;
    }
    return false;
}

static void put_symbol(struct mbs *mbs, const char *kind, const struct symbol *symbol)
{
    bool uniform = strcmp(kind, "uniform") == 0;
    unsigned number = symbol->offset / ROW, most = uniform ? ROWS : PORTS;
    char start[NAME_MAX_BYTES + 32];
    struct text text = {start, sizeof start, 0};
    text_put(&text, "%s %s ", kind, symbol->name);
    if (number >= most || mbs->steps.failed || is_known(mbs, start))
        return;
    unsigned count = uniform ? rows_of(symbol) : symbol->components;
    unsigned largest = uniform ? ROWS - number : ROW;
    count = count > largest ? largest : count ? count : 1;
    buffer_printf(&mbs->steps, "%s%u %u\n", start, number, count);
}

static enum tess_status read_table(struct mbs *mbs, struct span rest, const char *kind)
{
    uint32_t count = 0;
    enum tess_status status = take_word(mbs, &rest, "the number of symbols", &count);
    for (uint32_t i = 0; i < count && status == TESS_OK; i++) {
        struct chunk chunk, name;
        struct symbol symbol;
        status = take_chunk(mbs, &rest, &chunk);
        if (status == TESS_OK)
            status = take_chunk(mbs, &chunk.content, &name);
        if (status == TESS_OK && read_symbol(mbs, chunk.content, &name, &symbol))
            put_symbol(mbs, kind, &symbol);
    }
    return status;
}

/* --- programs --- */

static enum tess_status add_code(struct mbs *mbs, struct span code)
{
    struct buffer bytes = {0};
    if (mbs->programs++)
        return REFUSE(mbs, NULL, "there is a second vertex program (DBIN) at 0x%zx", code.start);
    if (code.end == code.start)
        return REFUSE(mbs, NULL, "the vertex program (DBIN) at 0x%zx is empty", code.start);
    buffer_append(&bytes, mbs->reader->bytes + code.start, code.end - code.start);
    return code_add_segment(mbs->reader->image, mbs->reader->base, &bytes, NULL, 0);
}

static enum tess_status take_part(struct mbs *mbs, const struct chunk *chunk)
{
    static const struct {
        const char *tag, *kind;
    } tables[] = {
        {"SUNI", "uniform"},
        {"SATT", "attribute"},
        {"SVAR", "varying"},
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (is_tag(chunk, tables[i].tag))
            return read_table(mbs, chunk->content, tables[i].kind);
    return is_tag(chunk, "DBIN") ? add_code(mbs, chunk->content) : TESS_OK;
}

static enum tess_status read_vertex(struct mbs *mbs, struct span rest)
{
    struct chunk chunk;
    uint32_t version = 0;
    enum tess_status status = take_word(mbs, &rest, "the version of the vertex program", &version);
    while (status == TESS_OK && rest.start < rest.end) {
        status = take_chunk(mbs, &rest, &chunk);
        if (status == TESS_OK)
            status = take_part(mbs, &chunk);
    }
    return status;
}

static enum tess_status read_file(struct mbs *mbs)
{
    struct span rest = {0, mbs->reader->size};
    struct chunk chunk;
    bool fragment = false;
    enum tess_status status = take_chunk(mbs, &rest, &chunk);
    if (status == TESS_OK && !is_tag(&chunk, "MBS1"))
        return REFUSE(mbs, NULL, "an MBS file begins with 'MBS1', not '%s'", chunk.tag);
    rest = chunk.content;
    while (status == TESS_OK && rest.start < rest.end) {
        status = take_chunk(mbs, &rest, &chunk);
        fragment |= status == TESS_OK && is_tag(&chunk, "CFRA");
        if (status == TESS_OK && is_tag(&chunk, "CVER"))
            status = read_vertex(mbs, chunk.content);
    }
    if (status == TESS_OK && mbs->programs == 0)
        return REFUSE(mbs,
                      "give a file with a vertex program; programs of the pixel processor (CFRA) "
                      "are not supported",
                      "the file has no vertex program (DBIN in CVER)%s",
                      fragment ? ", only a fragment program" : "");
    return status;
}

enum tess_status code_read_mbs(struct code_reader *reader)
{
    struct mbs mbs = {.reader = reader};
    enum tess_status status = read_file(&mbs);
    buffer_byte(&mbs.steps, 0);
    if (mbs.steps.failed)
        status = TESS_NO_MEMORY;
    if (status == TESS_OK)
        reader->image->steps = (char *)mbs.steps.data;
    else
        buffer_free(&mbs.steps);
    return status;
}
