/* SPDX-License-Identifier: MIT */
/* recognise_elf.c - finds the machine of an ELF file's program.
 *
 * In:     the file, by base/elf_view.h.
 * Out: the machine. The file is foreign if it has another class, byte order or processor, or if it
 *      is a program that Linux starts. Otherwise, the machine follows from the mapping symbol
 *      before instructions ("$g", "$s"), from the section ".tessera" (steps of a scene, or an
 *      interface), from the names of sources in the line table, or from the length of the code.
 * Source: Tool Interface Standard, ELF specification 1.2; System V ABI, machine numbers. */
#define _GNU_SOURCE /* memmem() */

#include <string.h>

#include "base/ascii.h"
#include "base/elf_view.h"
#include "code/recognise.h"

enum { GP_BYTES = 16, A2XX_BYTES = 12 };

struct part {
    const uint8_t *bytes;
    size_t size;
};

/* --- foreign files --- */

static const struct {
    uint16_t machine;
    const char *what;
} processors[] = {
    /* clang-format off */
    {3,   "a program for x86 processors"},
    {8,   "a program for MIPS processors"},
    {20,  "a program for PowerPC processors"},
    {21,  "a program for PowerPC processors"},
    {40,  "a program for ARM processors"},
    {62,  "a program for x86-64 processors"},
    {183, "a program for arm64 processors"},
    {243, "a program for RISC-V processors"},
    {258, "a program for LoongArch processors"},
    /* clang-format on */
};

static const char *processor_of(unsigned machine)
{
    for (size_t i = 0; i < sizeof processors / sizeof processors[0]; i++)
        if (processors[i].machine == machine)
            return processors[i].what;
    return "an ELF file for another processor";
}

bool recognise_may_hold_code(unsigned machine)
{
    return machine == 0 || machine == 40 || machine == 95 || machine == 137 || machine == 198;
}

static bool is_started_by_linux(const struct elf_view *file)
{
    struct elf_view_segment segment;
    for (uint32_t i = 0; elf_view_segment(file, i, &segment); i++)
        if (segment.type == ELF_PT_INTERP)
            return true;
    return false;
}

static bool is_foreign(const struct elf_view_ident *ident)
{
    return ident->class != ELF_CLASS_32 || ident->order != ELF_LITTLE ||
           !recognise_may_hold_code(ident->machine);
}

static void set_foreign(const struct elf_view_ident *ident, struct tess_file_kind *kind)
{
    kind->foreign = processor_of(ident->machine);
    kind->advice =
        "run programs of this computer with 'tessera qpu' or 'tessera gl', or give an ELF32 "
        "little-endian file that contains a GPU program";
}

/* --- sections --- */

static struct part content_of(const struct elf_view *file, const struct elf_view_section *section)
{
    const uint8_t *bytes = elf_view_bytes(file, section->offset, section->size);
    return bytes ? (struct part){bytes, (size_t)section->size} : (struct part){file->bytes, 0};
}

/* Returns true if a string table has exactly this name at an offset. */
static bool is_named(const struct elf_view *file, const struct elf_view_section *names,
                     uint32_t offset, const char *name)
{
    const char *text = elf_view_text(file, names, offset, strlen(name) + 1);
    return text && strcmp(text, name) == 0;
}

/* Returns the content of the section with that name. The size is 0 if no section has the name. */
static struct part section_called(const struct elf_view *file, const char *name)
{
    struct elf_view_section names, section;
    if (!elf_view_section(file, file->names, &names))
        return (struct part){file->bytes, 0};
    for (uint32_t i = 0; elf_view_section(file, i, &section); i++)
        if (is_named(file, &names, section.name, name))
            return content_of(file, &section);
    return (struct part){file->bytes, 0};
}

/* Returns the total size of all sections of instructions. */
static uint64_t code_size(const struct elf_view *file)
{
    struct elf_view_section section;
    uint64_t size = 0;
    for (uint32_t i = 0; elf_view_section(file, i, &section); i++)
        if (section.flags & ELF_SHF_EXECINSTR)
            size += content_of(file, &section).size;
    return size;
}

/* Returns true if a symbol table has a symbol with that name. */
static bool table_has_symbol(const struct elf_view *file, const struct elf_view_section *table,
                             const char *name)
{
    struct elf_view_section names;
    struct elf_view_symbol symbol;
    if (!elf_view_section(file, table->link, &names))
        return false;
    for (uint32_t i = 0; elf_view_symbol(file, table, i, &symbol); i++)
        if (is_named(file, &names, symbol.name, name))
            return true;
    return false;
}

/* Searches the first symbol table. An ELF file has at most one. */
static bool has_symbol(const struct elf_view *file, const char *name)
{
    struct elf_view_section section;
    for (uint32_t i = 0; elf_view_section(file, i, &section); i++)
        if (section.type == ELF_SHT_SYMTAB)
            return table_has_symbol(file, &section, name);
    return false;
}

/* --- machine --- */

enum { GP = 1 << TESS_MACHINE_GP, A2XX = 1 << TESS_MACHINE_A2XX };

/* Returns the machines whose interfaces have lines with this first word. digit is true if the
 * second word begins with a digit. */
static unsigned machines_of(const char *word, size_t length, bool digit)
{
    static const struct {
        const char *word;
        unsigned with_name, with_number;
    } words[] = {
        /* clang-format off */
        {"attribute", GP | A2XX, 0},
        {"varying",   GP | A2XX, 0},
        {"uniform",   GP | A2XX, 0},
        {"constant",  GP,        A2XX},
        {"temporary", GP,        0},
        {"sampler",   A2XX,      0},
        {"bool",      0,         A2XX},
        {"loop",      0,         A2XX},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].word) == length && memcmp(words[i].word, word, length) == 0)
            return digit ? words[i].with_number : words[i].with_name;
    return 0;
}

/* Returns the machines that accept all lines of a ".tessera" section, or 0 if the section has
 * steps or is empty. */
static unsigned interface_of(struct part text)
{
    const char *at = (const char *)text.bytes, *stop = at + text.size;
    unsigned machines = GP | A2XX;
    bool any = false;
    while (at < stop && machines) {
        const char *end = memchr(at, '\n', (size_t)(stop - at));
        const char *line = end ? end : stop, *blank = memchr(at, ' ', (size_t)(line - at));
        if (line > at)
            machines &= blank ? machines_of(at, (size_t)(blank - at),
                                            blank + 1 < line && ascii_is_digit(blank[1]))
                              : 0;
        any |= line > at;
        at = end ? end + 1 : stop;
    }
    return any ? machines : 0;
}

/* Decides between the GP and the A2xx for a program whose interface is valid for both. Uses the
 * extension of a source name in the line table or, if there is none, the length of the code. */
static enum tess_machine by_traces(const struct elf_view *file)
{
    struct part lines = section_called(file, ".debug_line");
    uint64_t size = code_size(file);
    if (memmem(lines.bytes, lines.size, ".a2xx", sizeof ".a2xx"))
        return TESS_MACHINE_A2XX;
    if (memmem(lines.bytes, lines.size, ".gp", sizeof ".gp"))
        return TESS_MACHINE_GP;
    return size % GP_BYTES && size % A2XX_BYTES == 0 ? TESS_MACHINE_A2XX : TESS_MACHINE_GP;
}

static enum tess_machine machine_of(const struct elf_view *file, unsigned interface)
{
    if (has_symbol(file, "$g") || interface == GP)
        return TESS_MACHINE_GP;
    if (has_symbol(file, "$s") || interface == A2XX)
        return TESS_MACHINE_A2XX;
    return interface ? by_traces(file) : TESS_MACHINE_QPU;
}

/* Leaves out a table that is not whole. Headers have the sizes of a 32-bit file, whatever the file
 * header states; the readers report a file that states other sizes. */
static void take_table(const struct elf_view *file, struct elf_view_table *table, uint32_t bytes)
{
    table->entry = bytes;
    table->count = elf_view_has_table(file, table) ? table->count : 0;
}

/* Finds the machine of a file that may contain a program. */
static void find_machine(const struct elf_view *file, struct tess_file_kind *kind)
{
    const struct part steps = section_called(file, ".tessera");
    kind->machine = machine_of(file, interface_of(steps));
    kind->has_machine = true;
    kind->scene = kind->machine == TESS_MACHINE_QPU && steps.size > 0;
}

void recognise_elf(const uint8_t *bytes, size_t size, struct tess_file_kind *kind)
{
    struct elf_view_ident ident;
    struct elf_view file;
    if (!elf_view_identify(bytes, size, &ident))
        return;
    if (is_foreign(&ident)) {
        set_foreign(&ident, kind);
        return;
    }
    if (!elf_view_open(&file, bytes, size))
        return;
    take_table(&file, &file.segments, ELF32_SEGMENT_BYTES);
    take_table(&file, &file.sections, ELF32_SECTION_BYTES);
    if (is_started_by_linux(&file))
        set_foreign(&ident, kind);
    else
        find_machine(&file, kind);
}
