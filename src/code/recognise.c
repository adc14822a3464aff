/* SPDX-License-Identifier: MIT */
/* recognise.c - recognises a file by its magic number or, if the content does not show the machine,
 * by the extension of its name.
 *
 * In:     the file's bytes and name.
 * Out:    struct tess_file_kind: the machine of the programs in the file, or the name of
 *         the foreign format.
 * Source: magic numbers of the formats' specifications, as in file(1): PNG (ISO 15948, 5.2),
 *         JPEG (ISO 10918-1, B.1.1.3), ZIP (APPNOTE 4.3.7), gzip (RFC 1952), PDF (ISO 32000-1,
 *         7.5.2), SPIR-V (3.1). */
#define _GNU_SOURCE /* memmem() */

#include "code/recognise.h"

#include <string.h>

#include "base/ascii.h"
#include "base/diag.h"
#include "code/code_read.h"

static const char advice_picture[] = "give a source, words as text or bytes, or an ELF file; a "
                                     "picture can only be a texture of a run";
static const char advice_archive[] = "unpack it, and give one of the files inside";
static const char advice_program[] =
    "give a source, words as text or bytes, or an ELF file that contains a GPU program";
static const char advice_started[] = "run such programs with 'tessera qpu' or 'tessera gl'";
static const char advice_empty[] = "give a file that contains a program";

/* --- by content --- */

/* Magic numbers: bytes at an offset, with the name of the format and advice. */
static const struct magic {
    const char *bytes;
    uint8_t size, at;
    const char *what, *advice;
} magics[] = {
    /* clang-format off */
    {"\x89PNG\r\n\x1a\n",  8,  0, "a PNG picture",                 advice_picture},
    {"\xff\xd8\xff",       3,  0, "a JPEG picture",                advice_picture},
    {"GIF8",               4,  0, "a GIF picture",                 advice_picture},
    {"WEBP",               4,  8, "a WebP picture",                advice_picture},
    {"II*\0",              4,  0, "a TIFF picture",                advice_picture},
    {"MM\0*",              4,  0, "a TIFF picture",                advice_picture},
    {"DDS ",               4,  0, "a DDS texture",                 advice_picture},
    {"\xabKTX ",           5,  0, "a KTX texture",                 advice_picture},
    {"PK\3\4",             4,  0, "a ZIP archive",                 advice_archive},
    {"PK\5\6",             4,  0, "an empty ZIP archive",          advice_archive},
    {"\x1f\x8b\x08",       3,  0, "a gzip archive",                advice_archive},
    {"BZh",                3,  0, "a bzip2 archive",               advice_archive},
    {"\xfd" "7zXZ\0",      6,  0, "an xz archive",                 advice_archive},
    {"\x28\xb5\x2f\xfd",   4,  0, "a Zstandard archive",           advice_archive},
    {"7z\xbc\xaf\x27\x1c", 6,  0, "a 7-Zip archive",               advice_archive},
    {"!<arch>\n",          8,  0, "an archive of objects",         advice_archive},
    {"%PDF-",              5,  0, "a PDF document",                advice_program},
    {"SQLite format 3",    15, 0, "an SQLite database",            advice_program},
    {"\3\2\x23\7",         4,  0, "a SPIR-V module",               advice_program},
    {"\0asm",              4,  0, "a WebAssembly module",          advice_program},
    {"\xca\xfe\xba\xbe",   4,  0, "a Java class or a Mach-O file", advice_program},
    {"\xcf\xfa\xed\xfe",   4,  0, "a Mach-O program",              advice_program},
    {"MZ\x90\0",           4,  0, "a Windows program",             advice_program},
    {"OggS",               4,  0, "an Ogg file",                   advice_program},
    {"ftyp",               4,  4, "a video",                       advice_program},
    {"#!",                 2,  0, "a script",                      advice_started},
    {"<?xml",              5,  0, "an XML document",               advice_program},
    {"<!DOCTYPE",          9,  0, "an HTML document",              advice_program},
    {"<html",              5,  0, "an HTML document",              advice_program},
    /* clang-format on */
};

static const struct magic *find_magic(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++) {
        const struct magic *magic = &magics[i];
        if (size >= (size_t)magic->at + magic->size &&
            memcmp(bytes + magic->at, magic->bytes, magic->size) == 0)
            return magic;
    }
    return NULL;
}

static bool starts(const uint8_t *bytes, size_t size, const char *magic)
{
    return size >= 4 && memcmp(bytes, magic, 4) == 0;
}

static void set_machine(struct tess_file_kind *kind, enum tess_machine machine)
{
    kind->has_machine = true;
    kind->machine = machine;
}

/* Returns true for a shader container of a pixel or vertex shader. */
static bool is_xenos(const uint8_t *bytes, size_t size)
{
    return starts(bytes, size, "\x10\x2a\x11\0") || starts(bytes, size, "\x10\x2a\x11\1");
}

static void set_xenos(struct tess_file_kind *kind)
{
    set_machine(kind, TESS_MACHINE_A2XX);
    kind->variant = TESS_A2XX_XENOS;
}

bool recognise_is_text(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] == 0x7f || (bytes[i] < 32 && (bytes[i] < 7 || bytes[i] > 13)))
            return false;
    return true;
}

static void set_foreign(struct tess_file_kind *kind, const char *what, const char *advice)
{
    kind->foreign = what;
    kind->advice = advice;
}

/* Returns true if the magic number is "#!" and the first line contains "tessera". A source that
 * begins with "#!/usr/bin/env -S tessera run" is an executable script, but not a foreign file. */
static bool names_tessera(const uint8_t *bytes, size_t size, const struct magic *magic)
{
    const uint8_t *end = memchr(bytes, '\n', size);
    size_t length = end ? (size_t)(end - bytes) : size;
    return magic->bytes[0] == '#' && memmem(bytes, length, "tessera", 7);
}

/* --- listings of other tools --- */

/* Returns the offset of the first character that is not blank, or size if all are blank. */
static size_t first_word(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size &&
           (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n'))
        at++;
    return at;
}

/* Returns true if the text begins with a control-flow instruction in the syntax of the emulator
 * Xenia. A condition may precede the instruction. */
static bool is_xenia_control(const char *text, size_t size)
{
    static const char *const words[] = {"exec",    "exece", "cexec", "cexece", "loop",
                                        "endloop", "call",  "ccall", "ret",    "jmp",
                                        "cjmp",    "alloc", "cnop"};
    size_t at = 0, length = 0;
    while (at < size && strchr(" \t(!p0)", text[at]))
        at++;
    while (at + length < size && text[at + length] >= 'a' && text[at + length] <= 'z')
        length++;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text + at, length) == 0)
            return true;
    return false;
}

/* Returns true if the text begins with a numbered control-flow instruction in the form of Xenia's
 * shader_translator.cc. The number is a C comment, as in "/" "* 0.0 *" "/ exec". A line with a
 * label may precede the instruction. */
static bool is_xenia(const char *text, size_t size)
{
    size_t at = first_word(text, size), digits = 0, points = 0;
    if (size - at > 8 && memcmp(text + at, "label L", 7) == 0) {
        const char *end = memchr(text + at, '\n', size - at);
        at = end ? (size_t)(end - text) + 1 : size;
        at += first_word(text + at, size - at);
    }
    if (size - at < 8 || memcmp(text + at, "/*", 2) != 0)
        return false;
    for (at += 2; at < size && strchr(" .0123456789", text[at]); at++) {
        digits += ascii_is_digit(text[at]);
        points += text[at] == '.';
    }
    return digits >= 2 && points == 1 && size - at > 3 && memcmp(text + at, "*/", 2) == 0 &&
           is_xenia_control(text + at + 2, size - at - 2);
}

static void look_at_listing(const uint8_t *bytes, size_t size, struct tess_file_kind *kind)
{
    const struct code_reader reader = {.bytes = bytes, .size = size};
    if (code_is_listing(&reader))
        set_machine(kind, TESS_MACHINE_A2XX);
    else if (is_xenia((const char *)bytes, size)) {
        set_foreign(kind, "a listing of microcode by Xenia, without its words",
                    "give the file .ucode.bin.vert or .ucode.bin.frag that Xenia writes beside it, "
                    "with the machine a2xx and the variant xenos");
        kind->setting = TESS_SETTING_XENOS;
    } else if (code_is_vc4c(&reader) && !code_has_words(&reader))
        set_foreign(kind, "assembly in VC4C's syntax, which no assembler accepts",
                    "give the output of vc4c --hex or vc4c --bin");
}

static void look_inside(const uint8_t *bytes, size_t size, struct tess_file_kind *kind)
{
    const struct magic *magic = find_magic(bytes, size);
    if (size == 0)
        set_foreign(kind, "an empty file", advice_empty);
    else if (magic && !names_tessera(bytes, size, magic))
        set_foreign(kind, magic->what, magic->advice);
    else if (starts(bytes, size, "\177ELF"))
        recognise_elf(bytes, size, kind);
    else if (starts(bytes, size, "MBS1"))
        set_machine(kind, TESS_MACHINE_GP);
    else if (is_xenos(bytes, size))
        set_xenos(kind);
    else
        kind->text = recognise_is_text(bytes, size);
    if (kind->text)
        look_at_listing(bytes, size, kind);
}

/* --- by name --- */

static const struct {
    const char *ending;
    enum tess_machine machine;
} endings[] = {
    /* clang-format off */
    {".qinc", TESS_MACHINE_QPU},
    {".mbs",  TESS_MACHINE_GP},
/* clang-format on */
#define MACHINE(NAME, name, extension, prefix, MODEL) {extension, TESS_MACHINE_##NAME},
#include "isa/machines.def"
};

static void look_at_name(const char *name, struct tess_file_kind *kind)
{
    const char *ending = name ? strrchr(name, '.') : NULL;
    for (size_t i = 0; ending && i < sizeof endings / sizeof endings[0]; i++)
        if (strcmp(ending, endings[i].ending) == 0)
            set_machine(kind, endings[i].machine);
}

/* --- by content and name --- */

void tess_file_recognise(const void *bytes, size_t size, const char *name,
                         struct tess_file_kind *kind)
{
    *kind = (struct tess_file_kind){.machine = TESS_MACHINE_QPU};
    if (bytes || size == 0)
        look_inside(bytes, size, kind);
    if (!kind->has_machine && !kind->foreign)
        look_at_name(name, kind);
}

bool recognise_refuse(const void *bytes, size_t size, const char *name, struct tess_sink sink)
{
    struct tess_file_kind kind;
    tess_file_recognise(bytes, size, name, &kind);
    const struct tess_finding diag = {.level = TESS_ERROR,
                                      .id = "foreign-file",
                                      .hint = kind.advice,
                                      .setting = kind.setting,
                                      .file = name};
    if (kind.foreign)
        diag_report(sink, &diag, "this is %s, not a GPU program", kind.foreign);
    return kind.foreign != NULL;
}

bool recognise_refuse_code(const void *bytes, size_t size, const char *name, struct tess_sink sink)
{
    struct tess_file_kind kind;
    tess_file_recognise(bytes, size, NULL, &kind);
    const struct tess_finding diag = {
        .level = TESS_ERROR,
        .id = "foreign-file",
        .hint = "convert the machine code to a source with 'tessera dis'",
        .file = name};
    bool code = kind.has_machine && !kind.text;
    if (code)
        diag_report(sink, &diag, "this is a file of machine code, not a source");
    return code;
}
