/* SPDX-License-Identifier: MIT */
/* recognise.c - tests recognition of file types by first bytes from the formats' specifications,
 * by last bytes, and by ELF headers. The ELF files are written by the assembler, and tested
 * whole, truncated and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "../register.h"

static struct tess_file_kind recognise(const void *bytes, size_t size, const char *name)
{
    struct tess_file_kind kind;
    tess_file_recognise(bytes, size, name, &kind);
    return kind;
}

TEST(test_foreign)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *what;
    } files[] = {
        {"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16, "PNG"}, /* ISO 15948, 5.2 */
        {"\xff\xd8\xff\xe0\0\x10JFIF", 10, "JPEG"},   /* ISO 10918-1, B.1.1.3 */
        {"PK\3\4\x14\0", 6, "ZIP"},                   /* APPNOTE, 4.3.7 */
        {"\x1f\x8b\x08\0", 4, "gzip"},                /* RFC 1952, 2.3.1 */
        {"%PDF-1.4\n", 9, "PDF"},                     /* ISO 32000-1, 7.5.2 */
        {"RIFF\x24\0\0\0WEBPVP8 ", 16, "WebP"},
        {"", 0, "empty"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct tess_file_kind kind = recognise(files[i].bytes, files[i].size, "x.gp");
        assert_non_null(kind.foreign);
        assert_non_null(kind.advice);
        assert_non_null(strstr(kind.foreign, files[i].what));
        assert_false(kind.has_machine);
    }
    assert_null(recognise("\x89PN", 3, NULL).foreign);
}

TEST(test_names)
{
    static const struct {
        const char *name;
        bool has_machine;
        enum tess_machine machine;
    } names[] = {
        /* clang-format off */
        /* clang-format off */
        {"a.qasm", true,  TESS_MACHINE_QPU},
        {"a.qinc", true,  TESS_MACHINE_QPU},
        {"b/a.gp", true,  TESS_MACHINE_GP},
        {"a.a2xx", true,  TESS_MACHINE_A2XX},
        {"a.bin",  false, TESS_MACHINE_QPU},
        {"a.gpx",  false, TESS_MACHINE_QPU},
        {"a",      false, TESS_MACHINE_QPU},
        {NULL,     false, TESS_MACHINE_QPU},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct tess_file_kind kind = recognise("nop\n", 4, names[i].name);
        assert_int_equal(kind.has_machine, names[i].has_machine);
        assert_int_equal(kind.machine, names[i].machine);
        assert_true(kind.text);
        assert_null(kind.foreign);
    }
}

TEST(test_binaries)
{
    assert_int_equal(recognise("MBS1\0\0\0\0", 8, "a.bin").machine, TESS_MACHINE_GP);
    assert_int_equal(recognise("\x10\x2a\x11\1....", 8, "a.bin").machine, TESS_MACHINE_A2XX);
    assert_int_equal(recognise("\x10\x2a\x11\1....", 8, "a.bin").variant, TESS_A2XX_XENOS);
    assert_false(recognise("\0\1\2\3", 4, NULL).has_machine);
    assert_null(recognise("#!/usr/bin/env tessera\nnop\n", 27, "a").foreign);
    assert_non_null(recognise("#!/bin/sh\necho\n", 15, "a").foreign);
}

/* --- ELF --- */

static const struct {
    enum tess_machine machine;
    const char *text;
} programs[] = {
    {TESS_MACHINE_QPU, "nop\n.scene run\n"},
    {TESS_MACHINE_GP, ".attribute a, 0\nload.attr a; acc0.mov attr.x; store0.varying 0, acc0, _\n"},
    {TESS_MACHINE_A2XX, "@attribute(R1) a\nEXEC_END\n ALU: MAXv R1 = R1, R1\n"},
};

static uint8_t *assemble(size_t program, enum tess_asm_format format, size_t *size)
{
    const struct tess_asm_options options = {
        .machine = programs[program].machine, .format = format, .skip_check = true};
    uint8_t *bytes;
    assert_int_equal(tess_assemble_text(programs[program].text, strlen(programs[program].text),
                                        "source", &options, (struct tess_sink){0}, &bytes, size),
                     TESS_OK);
    return bytes;
}

TEST(test_elf)
{
    for (size_t i = 0; i < 3; i++) {
        for (int object = 0; object < 2; object++) {
            size_t size;
            uint8_t *bytes = assemble(i, object ? TESS_ASM_OBJECT : TESS_ASM_ELF, &size);
            struct tess_file_kind kind = recognise(bytes, size, "x.bin");
            assert_true(kind.has_machine);
            assert_int_equal(kind.machine, programs[i].machine);
            assert_int_equal(kind.scene, i == 0 && !object);
            assert_null(kind.foreign);
            tess_free(bytes);
        }
    }
}

TEST(test_other_elf)
{
    size_t size;
    uint8_t *bytes = assemble(0, TESS_ASM_ELF, &size);
    bytes[18] = 62; /* machine EM_X86_64, System V ABI */
    assert_non_null(strstr(recognise(bytes, size, NULL).foreign, "x86-64"));
    bytes[18] = 40; /* machine EM_ARM, whose files may contain QPU code */
    assert_null(recognise(bytes, size, NULL).foreign);
    bytes[4] = 2; /* class ELFCLASS64 */
    assert_non_null(recognise(bytes, size, NULL).foreign);
    tess_free(bytes);
}

/* No byte after the end of a damaged file may be read. Sanitizers check the accesses. */
TEST(test_damaged_elf)
{
    uint32_t random = 1;
    for (size_t i = 0; i < 3; i++) {
        size_t size;
        uint8_t *whole = assemble(i, TESS_ASM_ELF, &size);
        for (size_t cut = 0; cut <= size; cut++) {
            uint8_t *bytes = malloc(cut ? cut : 1);
            assert_non_null(bytes);
            memcpy(bytes, whole, cut);
            recognise(bytes, cut, "x");
            for (unsigned change = 0; change < 8 && cut > 8; change++) {
                random = random * 1664525 + 1013904223;
                bytes[4 + random % (cut - 4)] = (uint8_t)(random >> 24);
                recognise(bytes, cut, "x");
            }
            free(bytes);
        }
        tess_free(whole);
    }
}
