/* SPDX-License-Identifier: MIT */
/* recognise_elf.c - finds the machine of an ELF file's program.
 *
 * In:     the file. Every field is checked against the file's size before it is used.
 * Out: the machine. The file is foreign if it has another class, byte order or processor, or if it
 *      is a program that Linux starts. Otherwise, the machine follows from the mapping symbol
 *      before instructions ("$g", "$s"), from the section ".tessera" (steps of a scene, or an
 *      interface), from the names of sources in the line table, or from the length of the code.
 * Source: Tool Interface Standard, ELF specification 1.2; System V ABI, machine numbers. */
#include <string.h>

#include "base/bits.h"
#include "code/recognise.h"

enum {
    EHDR_BYTES = 52,
    PHDR_BYTES = 32,
    SHDR_BYTES = 40,
    SYM_BYTES = 16,
    EI_CLASS = 4,
    EI_DATA = 5,
    MACHINE_AT = 18,
    PT_INTERP = 3,
    SHT_SYMTAB = 2,
    SHF_EXECUTE = 4,
    GP_BYTES = 16,
    A2XX_BYTES = 12,
};

struct view {
    const uint8_t *bytes;
    size_t size;
};

struct part {
    const uint8_t *bytes;
    size_t size;
};

static struct part part_of(const struct view *file, uint32_t offset, uint32_t size)
{
    if (offset > file->size || size > file->size - offset)
        return (struct part){file->bytes, 0};
    return (struct part){file->bytes + offset, size};
}

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

/* Returns true for the ELF machine numbers of files that may contain QPU code: none, ARM (objects
 * for its linker), and VideoCore 1, 3 and 5. */
static bool may_hold_code(uint16_t machine)
{
    return machine == 0 || machine == 40 || machine == 95 || machine == 137 || machine == 198;
}

static bool is_started_by_linux(const struct view *file)
{
    uint32_t table = load_le32(file->bytes + 28), count = load_le16(file->bytes + 44);
    struct part headers = part_of(file, table, count * PHDR_BYTES);
    for (size_t at = 0; at + PHDR_BYTES <= headers.size; at += PHDR_BYTES)
        if (load_le32(headers.bytes + at) == PT_INTERP)
            return true;
    return false;
}

static bool is_foreign(const struct view *file)
{
    const uint8_t *bytes = file->bytes;
    bool little_32 = bytes[EI_CLASS] == 1 && bytes[EI_DATA] == 1;
    return !little_32 || !may_hold_code(load_le16(bytes + MACHINE_AT)) ||
           (file->size >= EHDR_BYTES && is_started_by_linux(file));
}

static void set_foreign(const struct view *file, struct tess_file_kind *kind)
{
    const uint8_t *machine = file->bytes + MACHINE_AT;
    bool big = file->bytes[EI_DATA] == 2;
    kind->foreign = processor_of(big ? machine[0] * 256u + machine[1] : load_le16(machine));
    kind->advice =
        "run programs of this computer with 'tessera qpu' or 'tessera gl', or give an ELF32 "
        "little-endian file that contains a GPU program";
}

/* --- sections --- */

static struct part header_of(const struct view *file, uint32_t index)
{
    uint32_t table = load_le32(file->bytes + 32), count = load_le16(file->bytes + 48);
    struct part all = part_of(file, table, count * SHDR_BYTES);
    if (index >= all.size / SHDR_BYTES)
        return (struct part){file->bytes, 0};
    return (struct part){all.bytes + (size_t)index * SHDR_BYTES, SHDR_BYTES};
}

static struct part content_of(const struct view *file, const uint8_t *header)
{
    return part_of(file, load_le32(header + 16), load_le32(header + 20));
}

/* Returns true if a string table has exactly this name at an offset. */
static bool is_named(const struct part *names, uint32_t offset, const char *name)
{
    size_t size = strlen(name) + 1;
    return offset < names->size && size <= names->size - offset &&
           memcmp(names->bytes + offset, name, size) == 0;
}

/* Returns the content of the section with that name. The size is 0 if no section has the name. */
static struct part section_called(const struct view *file, const char *name)
{
    struct part header = header_of(file, load_le16(file->bytes + 50));
    struct part names = header.size ? content_of(file, header.bytes) : header;
    for (uint32_t i = 0; (header = header_of(file, i)).size; i++)
        if (is_named(&names, load_le32(header.bytes), name))
            return content_of(file, header.bytes);
    return (struct part){file->bytes, 0};
}

/* Returns the total size of all sections of instructions. */
static uint64_t code_size(const struct view *file)
{
    struct part header;
    uint64_t size = 0;
    for (uint32_t i = 0; (header = header_of(file, i)).size; i++)
        if (load_le32(header.bytes + 8) & SHF_EXECUTE)
            size += content_of(file, header.bytes).size;
    return size;
}

static bool has_symbol(const struct view *file, const char *name)
{
    struct part header;
    for (uint32_t i = 0; (header = header_of(file, i)).size; i++) {
        if (load_le32(header.bytes + 4) != SHT_SYMTAB)
            continue;
        struct part symbols = content_of(file, header.bytes);
        struct part names = header_of(file, load_le32(header.bytes + 24));
        names = names.size ? content_of(file, names.bytes) : names;
        for (size_t at = 0; at + SYM_BYTES <= symbols.size; at += SYM_BYTES)
            if (is_named(&names, load_le32(symbols.bytes + at), name))
                return true;
        return false; /* an ELF file has at most one symbol table */
    }
    return false;
}

static bool contains(struct part part, const char *text, size_t size)
{
    for (size_t at = 0; at + size <= part.size; at++)
        if (memcmp(part.bytes + at, text, size) == 0)
            return true;
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
                                            blank + 1 < line && blank[1] >= '0' && blank[1] <= '9')
                              : 0;
        any |= line > at;
        at = end ? end + 1 : stop;
    }
    return any ? machines : 0;
}

/* Decides between the GP and the A2xx for a program whose interface is valid for both. Uses the
 * extension of a source name in the line table or, if there is none, the length of the code. */
static enum tess_machine by_traces(const struct view *file)
{
    struct part lines = section_called(file, ".debug_line");
    uint64_t size = code_size(file);
    if (contains(lines, ".a2xx", sizeof ".a2xx"))
        return TESS_MACHINE_A2XX;
    if (contains(lines, ".gp", sizeof ".gp"))
        return TESS_MACHINE_GP;
    return size % GP_BYTES && size % A2XX_BYTES == 0 ? TESS_MACHINE_A2XX : TESS_MACHINE_GP;
}

static enum tess_machine machine_of(const struct view *file, unsigned interface)
{
    if (has_symbol(file, "$g") || interface == GP)
        return TESS_MACHINE_GP;
    if (has_symbol(file, "$s") || interface == A2XX)
        return TESS_MACHINE_A2XX;
    return interface ? by_traces(file) : TESS_MACHINE_QPU;
}

void recognise_elf(const uint8_t *bytes, size_t size, struct tess_file_kind *kind)
{
    const struct view file = {bytes, size};
    if (size < MACHINE_AT + 2)
        return;
    if (is_foreign(&file)) {
        set_foreign(&file, kind);
        return;
    }
    if (size < EHDR_BYTES)
        return;
    struct part steps = section_called(&file, ".tessera");
    kind->machine = machine_of(&file, interface_of(steps));
    kind->has_machine = true;
    kind->scene = kind->machine == TESS_MACHINE_QPU && steps.size > 0;
}
