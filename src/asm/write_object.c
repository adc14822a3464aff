/* SPDX-License-Identifier: MIT */
/* write_object.c - writes an assembled program as a relocatable object for ARM linkers.
 *
 * Out:    section .rodata with code and data; the global symbols, and NAME, NAME_end and NAME_size,
 *         named after the file; labels as local symbols; mapping symbols "$q" and "$d" where
 *         instructions and data begin; source lines. Addresses of labels in the bytes become
 *         relocations (R_ARM_ABS32). To find these addresses, the program is compared with the same
 *         program assembled at another address. A word that differs by the distance of the two
 *         programs is an address. Any other difference is an error.
 * Source: System V ABI, chapter 4; ELF for the ARM Architecture. The symbols' names and types and
 *         the section's name are those of vc4asm's option -e (src/WriteELF.cpp). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "asm/dwarf.h"
#include "asm/source.h"
#include "asm/write_elf.h"
#include "asm/write_private.h"
#include "base/bits.h"
#include "base/diag.h"

enum {
    ARM_EABI_5 = 0x5000000,
    ARM_ABS32 = 2,
    RELOCATION_SIZE = 8,
    MOVED_FAR = 0x10000000,
    MISTAKES_MAX = 20,
};

struct object {
    const struct asm_program *program;
    const struct asm_image *image;
    const struct asm_output *output;
    struct tess_sink sink;
    struct elf_file file;
    struct asm_origin *origins;
    struct asm_export *exports;
    size_t origin_count, export_count;
    char *name;
    uint32_t alignment;
    uint32_t code;                                          /* number of the code's section */
    uint32_t code_symbol, abbreviation_symbol, line_symbol; /* symbols of the sections, by number */
    struct buffer relocations;                              /* offsets in the code, 4 bytes each */
};

static uint32_t alignment_of(const struct asm_program *program)
{
    uint32_t alignment = asm_alignment(program);
    return program->alignment > alignment ? program->alignment : alignment;
}

uint32_t asm_moved_address(const struct asm_program *program)
{
    return MOVED_FAR + alignment_of(program);
}

/* --- errors --- */

static struct tess_finding diag_at(enum tess_level severity, const struct source_line *line,
                                   uint32_t column, const char *hint)
{
    struct tess_finding diag = {.level = severity, .id = "asm-object", .hint = hint};
    if (line) {
        diag.file = line->file->path;
        diag.line = line->number;
        diag.column = column;
        diag.source_line = line->raw;
    }
    return diag;
}

/* Returns the last origin that begins at or before the byte at offset, or NULL if there is none. */
static const struct asm_origin *statement_at(const struct object *o, size_t offset)
{
    uint64_t address = (uint64_t)o->image->start + offset;
    size_t next = asm_origin_from(o->origins, o->origin_count, address + 1);
    return next > 0 ? &o->origins[next - 1] : NULL;
}

static void refuse_statement(const struct object *o, const struct asm_origin *origin)
{
    struct tess_finding diag = diag_at(TESS_ERROR, origin ? origin->line : NULL,
                                       origin ? origin->column : 0,
                                       "use distances between labels, or write a scene, whose "
                                       "addresses are known; a relocation can only add an address "
                                       "to a 32-bit word");
    diag.setting = TESS_SETTING_SCENE;
    diag_report(o->sink, &diag,
                "the result depends on the program's address, which is unknown in an object file");
}

/* Rejects .org: an object file has one section, whose address the linker chooses. */
static bool check_regions(const struct object *o)
{
    const struct asm_regions *regions = &o->program->regions;
    for (size_t i = 0; i < regions->count; i++) {
        if (region_size(&regions->items[i]) == 0 || !regions->items[i].line)
            continue;
        struct tess_finding diag = diag_at(TESS_ERROR, regions->items[i].line, 0,
                                           "write a scene (format elf)");
        diag.setting = TESS_SETTING_SCENE;
        diag_report(o->sink, &diag,
                    "'.org' sets an address, but the linker chooses the address of an object file");
        return false;
    }
    return true;
}

/* --- addresses in the code --- */

/* Compares the program with the same program assembled at another address (`moved`), and adds a
 * relocation for each word that is an address. Returns the number of errors: words that differ but
 * are not addresses. */
static unsigned compare_images(struct object *o, const struct asm_image *moved)
{
    const uint8_t *here = o->image->bytes, *there = moved->bytes;
    uint32_t distance = moved->start - o->image->start;
    size_t low = (size_t)__builtin_ctz(distance) /
                 8; /* lowest byte in which the addresses differ */
    const struct asm_origin *refused = NULL;
    unsigned mistakes = 0;
    for (size_t at = 0; at < o->image->size && mistakes < MISTAKES_MAX; at++) {
        if (here[at] == there[at])
            continue;
        size_t word = at - low;
        if (at >= low && o->image->size - word >= 4 &&
            load_le32(there + word) - load_le32(here + word) == distance) {
            buffer_le32(&o->relocations, (uint32_t)word);
            at = word + 3;
            continue;
        }
        const struct asm_origin *origin = statement_at(o, at);
        if (mistakes == 0 || origin != refused) {
            refuse_statement(o, origin);
            mistakes++;
        }
        refused = origin;
    }
    return mistakes;
}

static void warn_relocations(const struct object *o)
{
    size_t count = o->relocations.size / 4;
    if (count == 0 || o->relocations.failed)
        return;
    const struct asm_origin *origin = statement_at(o, load_le32(o->relocations.data));
    struct tess_finding diag = diag_at(
        TESS_WARNING, origin ? origin->line : NULL, origin ? origin->column : 0,
        "check that the GPU sees the section at the address that the linker assigns");
    diag_report(o->sink, &diag,
                "the linker will set %zu label address%s, which may not be bus addresses", count,
                count == 1 ? "" : "es");
}

static enum tess_status find_relocations(struct object *o)
{
    const struct asm_program *program = o->output->moved;
    struct asm_image moved = {0};
    enum tess_status status = program ? asm_flatten(program, o->sink, &moved) : TESS_OK;
    if (status != TESS_OK)
        return status;
    if (o->image->size == 0) {
        status = TESS_OK;
    } else if (!program || moved.size != o->image->size) {
        struct tess_finding diag = diag_at(TESS_ERROR, NULL, 0, NULL);
        diag.file = o->output->source;
        diag_report(o->sink, &diag,
                    "the size of the program depends on its address, which is unknown in an "
                    "object file");
        status = TESS_WRONG;
    } else if (compare_images(o, &moved) > 0) {
        status = TESS_WRONG;
    }
    free(moved.bytes);
    return status;
}

/* --- symbols --- */

static uint32_t add_symbol(struct object *o, const char *name, uint32_t value, uint32_t info,
                           uint32_t section)
{
    return elf_file_symbol(&o->file, &(struct elf_symbol_entry){name, value, 0, info, section});
}

static bool is_defined(const struct object *o, const char *name)
{
    for (size_t i = 0; i < o->export_count; i++)
        if (strcmp(o->exports[i].name, name) == 0)
            return true;
    return false;
}

static void add_automatic(struct object *o, const char *ending, uint32_t value, uint32_t size,
                          uint32_t section)
{
    struct buffer name = {0};
    buffer_printf(&name, "%s%s", o->name, ending);
    buffer_byte(&name, '\0');
    if (!name.failed && !is_defined(o, (const char *)name.data))
        elf_file_symbol(&o->file,
                        &(struct elf_symbol_entry){(const char *)name.data, value, size,
                                                   ELF_SYMBOL_OBJECT | ELF_BIND_GLOBAL, section});
    o->relocations.failed = o->relocations.failed || name.failed;
    buffer_free(&name);
}

static void add_local_symbols(struct object *o)
{
    const struct asm_symbols *labels = &o->program->labels;
    elf_file_mapping(&o->file, o->program->unit, o->origins, o->origin_count, o->image->start,
                     o->code);
    for (size_t i = 0; i < labels->count; i++)
        if (labels->items[i].pass != 0 && !labels->items[i].global)
            add_symbol(o, labels->items[i].name,
                       (uint32_t)labels->items[i].value.integer - o->image->start,
                       ELF_SYMBOL_UNTYPED, o->code);
}

static void add_export(struct object *o, const struct asm_export *export)
{
    uint32_t info = ELF_SYMBOL_OBJECT | ELF_BIND_GLOBAL;
    int64_t number = export->value->integer;
    if (export->label) {
        add_symbol(o, export->name, (uint32_t)number - o->image->start, info, o->code);
    } else if (export->value->kind == ASM_FLOAT) {
        float real = (float)export->value->real;
        uint32_t bits;
        memcpy(&bits, &real, sizeof bits);
        add_symbol(o, export->name, bits, info, ELF_INDEX_ABSOLUTE);
    } else if (number >= INT32_MIN && number <= UINT32_MAX) {
        add_symbol(o, export->name, (uint32_t)number, info, ELF_INDEX_ABSOLUTE);
    } else {
        struct tess_finding diag = diag_at(TESS_WARNING, NULL, 0, NULL);
        diag.file = o->output->source;
        diag_report(o->sink, &diag,
                    "global symbol '%s' is omitted: %" PRId64 " does not fit in 32 bits",
                    export->name, number);
    }
}

static void add_symbols(struct object *o)
{
    uint32_t size = (uint32_t)o->image->size;
    add_local_symbols(o);
    o->file.local_count = o->file.symbol_count;
    if (!o->output->no_symbols) {
        add_automatic(o, "", 0, size, o->code);
        add_automatic(o, "_end", size, 0, o->code);
        add_automatic(o, "_size", size, 0, ELF_INDEX_ABSOLUTE);
    }
    for (size_t i = 0; i < o->export_count; i++)
        add_export(o, &o->exports[i]);
}

/* --- sections --- */

static uint32_t add_section(struct object *o, const char *name, uint32_t flags, uint32_t alignment,
                            const void *content, size_t size)
{
    return elf_file_content(
        &o->file,
        (struct elf_section){
            .name = name, .type = ELF_SECTION_PROGRAM, .flags = flags, .alignment = alignment},
        content, size);
}

static void add_relocations(struct object *o, const char *name, uint32_t target, uint32_t symbols,
                            const struct buffer *entries)
{
    struct elf_section section = {.name = name,
                                  .type = ELF_SECTION_RELOCATIONS,
                                  .flags = ELF_FLAG_INFO_LINK,
                                  .link = symbols,
                                  .info = target,
                                  .alignment = 4,
                                  .entry_size = RELOCATION_SIZE};
    if (entries->size > 0)
        elf_file_content(&o->file, section, entries->data, entries->size);
    o->relocations.failed = o->relocations.failed || entries->failed;
}

static void append_relocation(struct buffer *entries, uint32_t offset, uint32_t symbol)
{
    buffer_le32(entries, offset);
    buffer_le32(entries, symbol << 8 | ARM_ABS32);
}

static void add_code_relocations(struct object *o, uint32_t symbols)
{
    struct buffer entries = {0};
    for (size_t i = 0; i + 4 <= o->relocations.size; i += 4)
        append_relocation(&entries, load_le32(o->relocations.data + i), o->code_symbol);
    add_relocations(o, ".rel.rodata", o->code, symbols, &entries);
    buffer_free(&entries);
}

static void add_line_relocations(struct object *o, const char *name, uint32_t target,
                                 uint32_t symbols, const struct buffer *fixups)
{
    const uint32_t section_symbols[] = {
        [DWARF_TO_CODE] = o->code_symbol,
        [DWARF_TO_ABBREVIATIONS] = o->abbreviation_symbol,
        [DWARF_TO_LINES] = o->line_symbol,
    };
    struct buffer entries = {0};
    struct dwarf_fixup fixup;
    for (size_t i = 0; i + sizeof fixup <= fixups->size; i += sizeof fixup) {
        memcpy(&fixup, fixups->data + i, sizeof fixup);
        append_relocation(&entries, fixup.offset, section_symbols[fixup.target]);
    }
    add_relocations(o, name, target, symbols, &entries);
    buffer_free(&entries);
}

static void write_sections(struct object *o, const struct dwarf *dwarf)
{
    const struct buffer *info = &dwarf->info, *abbreviations = &dwarf->abbreviations,
                        *lines = &dwarf->lines;
    const char *source = o->output->source ? o->output->source : o->name;
    /* The section is executable, although it has no ARM code, because GNU tools look up source
     * lines only in executable sections. */
    o->code = add_section(o, ".rodata", ELF_FLAG_ALLOCATE | ELF_FLAG_EXECUTE, o->alignment,
                          o->image->bytes, o->image->size);
    uint32_t info_section = add_section(o, ".debug_info", 0, 1, info->data, info->size);
    uint32_t abbreviation_section = add_section(o, ".debug_abbrev", 0, 1, abbreviations->data,
                                                abbreviations->size);
    uint32_t line_section = add_section(o, ".debug_line", 0, 1, lines->data, lines->size);
    /* This empty section declares that the stack need not be executable. */
    add_section(o, ".note.GNU-stack", 0, 1, NULL, 0);

    add_symbol(o, asm_base_name(source), 0, ELF_SYMBOL_FILE, ELF_INDEX_ABSOLUTE);
    o->code_symbol = add_symbol(o, "", 0, ELF_SYMBOL_SECTION, o->code);
    o->abbreviation_symbol = add_symbol(o, "", 0, ELF_SYMBOL_SECTION, abbreviation_section);
    o->line_symbol = add_symbol(o, "", 0, ELF_SYMBOL_SECTION, line_section);
    add_symbols(o);
    uint32_t symbols = elf_file_symbol_table(&o->file);
    add_code_relocations(o, symbols);
    add_line_relocations(o, ".rel.debug_info", info_section, symbols, &dwarf->info_fixups);
    add_line_relocations(o, ".rel.debug_line", line_section, symbols, &dwarf->line_fixups);
}

static enum tess_status write_object(struct object *o, struct buffer *out)
{
    struct dwarf dwarf = {0};
    if (!check_regions(o))
        return TESS_WRONG;
    enum tess_status status = find_relocations(o);
    if (status != TESS_OK)
        return status;
    warn_relocations(o);
    bool good = dwarf_write(o->program, &dwarf);
    elf_file_begin(&o->file, out, ELF_TYPE_RELOCATABLE, ELF_MACHINE_ARM, ARM_EABI_5, 0);
    write_sections(o, &dwarf);
    good = elf_file_end(&o->file) && good && !o->relocations.failed;
    dwarf_free(&dwarf);
    return good ? TESS_OK : TESS_NO_MEMORY;
}

enum tess_status asm_write_object(const struct asm_program *program, const struct asm_image *image,
                                  const struct asm_output *output, struct tess_sink sink,
                                  struct buffer *out)
{
    struct object o = {.program = program,
                       .image = image,
                       .output = output,
                       .sink = sink,
                       .alignment = alignment_of(program)};
    o.name = asm_symbol_name(output->name);
    o.origins = asm_origins(program, &o.origin_count);
    o.exports = asm_exports(program, &o.export_count);
    enum tess_status status = o.name && o.origins && o.exports ? write_object(&o, out)
                                                               : TESS_NO_MEMORY;
    free(o.name);
    free(o.origins);
    free(o.exports);
    buffer_free(&o.relocations);
    return status;
}
