/* SPDX-License-Identifier: MIT */
/* sources.c - tests the search for the source of code in memory by its words. The code may be at
 * its own address, moved, relocated, patched, or incomplete. The test writes the source files,
 * and the expected places follow from their text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera/isa.h>
#include <tessera/sources.h>

#include "../register.h"
#include "base/bits.h"
#include "base/output.h"

enum { WORDS = 64 };

static char folder[] = "/tmp/tessera-sources-XXXXXX";

static const char *path_of(const char *name)
{
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Words in memory from address `start` on. */
struct memory {
    uint32_t start, count;
    uint64_t word[WORDS];
    uint64_t hidden; /* mask with one bit per word; a set bit makes the word unreadable */
};

static bool read_word(void *user, uint32_t address, uint64_t *word)
{
    const struct memory *memory = user;
    uint32_t index = (address - memory->start) / 8;
    if (address < memory->start || index >= memory->count || (memory->hidden >> index & 1))
        return false;
    *word = memory->word[index];
    return true;
}

static bool find(struct tess_sources *sources, struct memory *memory, uint32_t index,
                 struct tess_source_place *place)
{
    return tess_sources_find(sources, memory->start + 8 * index,
                             (struct tess_code_reader){read_word, memory}, place);
}

/* Two programs in one file. The comments number the lines. */
static const char text[] = "mov r0, unif\n"       /* 1: word 0 */
                           ":loop\n"              /* 2 */
                           "sub.setf r0, r0, 1\n" /* 3: word 1 */
                           "brr.anynz -, :loop\n" /* 4 */
                           "nop\n"                /* 5 */
                           "nop\n"                /* 6 */
                           "nop\n"                /* 7 */
                           "mov r3, 0x12345678\n" /* 8: word 6 */
                           "thrend\n"             /* 9 */
                           "mov interrupt, 1\n"   /* 10 */
                           "nop\n"                /* 11 */
                           ":other\n"             /* 12 */
                           ".global other, :other\n"
                           "add r1, r1, r2\n"  /* 14: word 10 */
                           "fmul r2, r1, r1\n" /* 15 */
                           "max r1, r1, r2\n"  /* 16 */
                           "thrend\n"          /* 17 */
                           "nop\n"
                           "nop\n";
enum { PROGRAM = 16, LOOP = 1, LITERAL = 6, OTHER = 10 };

static void write_text(const char *name, const char *content)
{
    assert_int_equal(tess_output_write(path_of(name), content, strlen(content)), TESS_OK);
}

/* Returns the assembled words of the source, placed at `start`. */
static struct memory load(const char *source, uint32_t start)
{
    struct memory memory = {.start = start};
    const struct tess_asm_options options = {.skip_check = true};
    uint8_t *bytes;
    size_t size;
    assert_int_equal(tess_assemble_text(source, strlen(source), "x.qasm", &options,
                                        (struct tess_sink){0}, &bytes, &size),
                     TESS_OK);
    assert_true(size / 8 <= WORDS);
    memory.count = (uint32_t)(size / 8);
    for (uint32_t i = 0; i < memory.count; i++)
        memory.word[i] = load_le64(bytes + 8 * i);
    tess_free(bytes);
    return memory;
}

static struct tess_sources *sources_of(const char *name, const char *content)
{
    struct tess_sources *sources;
    write_text(name, content);
    assert_int_equal(tess_sources_create(&sources), TESS_OK);
    assert_int_equal(tess_sources_add(sources, path_of(name), (struct tess_sink){0}), TESS_OK);
    return sources;
}

static void assert_place(struct tess_sources *sources, struct memory *memory, uint32_t index,
                         const char *symbol, uint32_t offset, uint32_t line)
{
    struct tess_source_place place;
    assert_true(find(sources, memory, index, &place));
    if (symbol)
        assert_string_equal(place.symbol, symbol);
    else
        assert_null(place.symbol);
    assert_int_equal(place.offset, offset);
    assert_int_equal(place.line, line);
    assert_int_equal(place.file != NULL, line != 0);
}

TEST(assembly_is_recognised_anywhere)
{
    struct tess_sources *sources = sources_of("shader.qasm", text);
    static const uint32_t starts[] = {0, 0x1000, 0xc0001238};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        struct memory memory = load(text, starts[i]);
        assert_int_equal(memory.count, PROGRAM);
        assert_place(sources, &memory, 0, NULL, 0, 1);
        assert_place(sources, &memory, LOOP, "loop", 0, 3);
        assert_place(sources, &memory, LOOP + 3, "loop", 24, 6);
        assert_place(sources, &memory, LITERAL, "loop", 40, 8);
        assert_place(sources, &memory, OTHER, "other", 0, 14);
        assert_place(sources, &memory, OTHER + 3, "other", 24, 17);
    }
    tess_sources_free(sources);
}

/* The source is found although a loader has changed immediates and the program has patched an
 * instruction. */
TEST(changes_do_not_matter)
{
    struct tess_sources *sources = sources_of("shader.qasm", text);
    struct memory memory = load(text, 0x1000);
    memory.word[LITERAL] = (memory.word[LITERAL] & ~(uint64_t)UINT32_MAX) | 0xc0de0000;
    assert_place(sources, &memory, LITERAL, "loop", 40, 8);
    memory.word[LOOP + 2] = memory.word[OTHER];
    struct tess_source_place place;
    assert_true(find(sources, &memory, LOOP + 1, &place));
    assert_int_equal(place.line, 4);
    assert_true(find(sources, &memory, LOOP + 3, &place));
    assert_int_equal(place.line, 6);
    assert_false(find(sources, &memory, LOOP + 2,
                      &place)); /* the nop was patched to an add, which occurs in the other
                                   program */
    tess_sources_free(sources);
}

/* A part of a program is sufficient. A profile has only the executed instructions, and a copy in
 * memory may be incomplete. */
TEST(parts_will_do)
{
    struct tess_sources *sources = sources_of("shader.qasm", text);
    struct memory memory = load(text, 0x1000);
    memory.hidden = 0x3f | 1 << (OTHER + 4) | 1 << (OTHER + 5);
    assert_place(sources, &memory, OTHER, "other", 0, 14);
    struct memory part = memory;
    part.hidden = 0;
    part.count = 5;
    memmove(part.word, part.word + OTHER, 5 * sizeof part.word[0]);
    assert_place(sources, &part, 1, "other", 8, 15);
    part.count = 3; /* too few words for a match */
    struct tess_source_place place;
    part.start = 0x8000;
    assert_false(find(sources, &part, 1, &place));
    tess_sources_free(sources);
}

TEST(what_is_elsewhere_is_not_recognised)
{
    struct tess_sources *sources = sources_of("shader.qasm", text);
    struct memory memory = load("fsub r0, r1, r2\nthrend\nnop\nnop\n", 0x1000);
    struct tess_source_place place;
    for (uint32_t i = 0; i < memory.count; i++)
        assert_false(find(sources, &memory, i, &place));
    memset(memory.word, 0, sizeof memory.word);
    assert_false(find(sources, &memory, 0, &place));
    assert_false(find(sources, &memory, 1000, &place)); /* before or after the words in memory */
    assert_non_null(strstr(tess_sources_unused(sources, 0), "shader.qasm"));
    assert_null(tess_sources_unused(sources, 1));
    memory = load(text, 0x1000);
    assert_true(find(sources, &memory, 0, &place));
    assert_null(tess_sources_unused(sources, 0));
    tess_sources_free(sources);
}

/* A program has replaced another program at the same address. */
TEST(answers_follow_memory)
{
    struct tess_sources *sources = sources_of("shader.qasm", text);
    struct memory memory = load(text, 0x1000);
    assert_place(sources, &memory, 1, "loop", 0, 3);
    memmove(memory.word, memory.word + OTHER, 6 * sizeof memory.word[0]);
    memory.count = 6;
    assert_place(sources, &memory, 1, "other", 8, 15);
    tess_sources_free(sources);
}

/* The file that matches best is chosen. If several files match equally well, the first of them
 * is chosen. */
TEST(the_best_place_wins)
{
    char longer[1024];
    snprintf(longer, sizeof longer, "mov r0, unif\n:first\n%s:end\nfmin r0, r0, r1\n",
             text + strlen("mov r0, unif\n"));
    struct tess_sources *sources = sources_of("one.qasm", text);
    write_text("two.qasm", longer);
    write_text("three.qasm", text);
    assert_int_equal(tess_sources_add(sources, path_of("two.qasm"), (struct tess_sink){0}),
                     TESS_OK);
    assert_int_equal(tess_sources_add(sources, path_of("three.qasm"), (struct tess_sink){0}),
                     TESS_OK);
    struct memory memory = load(text, 0x1000);
    struct tess_source_place place;
    assert_true(find(sources, &memory, 0, &place));
    assert_string_equal(place.path, path_of("one.qasm"));
    memory = load(longer, 0x1000);
    assert_true(find(sources, &memory, memory.count - 2, &place));
    assert_string_equal(place.path, path_of("two.qasm"));
    tess_sources_free(sources);
}

/* Two shaders are equal near the address. The code at their other ends decides which of them it
 * is. */
TEST(far_code_decides)
{
    static const char *const ends[] = {"fadd r0, r0, r1\n", "fsub r0, r0, r1\n"};
    char shader[2][2048], name[16];
    struct tess_sources *sources;
    assert_int_equal(tess_sources_create(&sources), TESS_OK);
    for (unsigned i = 0; i < 2; i++) {
        strcpy(shader[i], "");
        for (unsigned n = 0; n < 44; n++)
            strcat(shader[i], n % 3   ? "add r1, r1, r2\n"
                              : n % 2 ? "shl r1, r1, r0\n"
                                      : "max r3, r1, r1\n");
        strcat(shader[i], ends[i]);
        snprintf(name, sizeof name, "far%u.qasm", i);
        write_text(name, shader[i]);
        assert_int_equal(tess_sources_add(sources, path_of(name), (struct tess_sink){0}), TESS_OK);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct memory memory = load(shader[i], 0x1000);
        struct tess_source_place place;
        snprintf(name, sizeof name, "far%u.qasm", i);
        tess_sources_forget(sources);
        assert_true(find(sources, &memory, 2, &place));
        assert_string_equal(place.path, path_of(name));
        assert_int_equal(place.line, 3);
    }
    tess_sources_free(sources);
}

static void write_output(const char *name, enum tess_asm_format format)
{
    const struct tess_asm_options options = {.format = format, .skip_check = true};
    uint8_t *bytes;
    size_t size;
    assert_int_equal(tess_assemble_text(text, strlen(text), "x.qasm", &options,
                                        (struct tess_sink){0}, &bytes, &size),
                     TESS_OK);
    assert_int_equal(tess_output_write(path_of(name), bytes, size), TESS_OK);
    tess_free(bytes);
}

/* Tests all output formats of the assembler. */
TEST(forms_of_files)
{
    static const struct {
        enum tess_asm_format format;
        const char *symbol;
        uint32_t offset, line;
    } forms[] = {
        /* clang-format off */
        {TESS_ASM_ELF,    "loop", 8,  4},
        {TESS_ASM_OBJECT, "loop", 8,  4},
        {TESS_ASM_HEX,    NULL,   16, 0},
        {TESS_ASM_C,      NULL,   16, 0},
        {TESS_ASM_BIN,    NULL,   16, 0},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct tess_sources *sources;
        struct memory memory = load(text, 0x1000);
        write_output("code", forms[i].format);
        assert_int_equal(tess_sources_create(&sources), TESS_OK);
        assert_int_equal(tess_sources_add(sources, path_of("code"), (struct tess_sink){0}),
                         TESS_OK);
        assert_place(sources, &memory, LOOP + 1, forms[i].symbol, forms[i].offset, forms[i].line);
        tess_sources_free(sources);
    }
}

/* Words that are part of this test program, as in programs that upload their own shader. The
 * variable is not static, so that it has a symbol. */
extern const uint32_t tessera_test_shader[];
const uint32_t tessera_test_shader[] = {
    0x15827d80, 0x10020827, 0x0d983dc0, 0xd00229e7, 0x159e7000, 0x10020827, 0x15827d80,
    0x10020867, 0x009e7000, 0x300009e7, 0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7,
};

TEST(data_objects_of_executables)
{
    struct tess_sources *sources;
    struct tess_source_place place;
    struct memory memory = {.start = 0x2000, .count = sizeof tessera_test_shader / 8};
    for (uint32_t i = 0; i < memory.count; i++)
        memory.word[i] = tessera_test_shader[2 * i] | (uint64_t)tessera_test_shader[2 * i + 1]
                                                          << 32;
    assert_int_equal(tess_sources_create(&sources), TESS_OK);
    assert_int_equal(tess_sources_add_executable(sources, "/proc/self/exe"), TESS_OK);
    assert_true(find(sources, &memory, 2, &place));
    assert_string_equal(place.symbol, "tessera_test_shader");
    assert_int_equal(place.offset, 16);
    assert_null(place.file);
    tess_sources_free(sources);
    assert_int_equal(tess_sources_create(&sources), TESS_OK);
    assert_int_equal(tess_sources_add(sources, "/proc/self/exe", (struct tess_sink){0}), TESS_OK);
    assert_true(find(sources, &memory, 2, &place));
    assert_string_equal(place.path, "/proc/self/exe");
    tess_sources_free(sources);
}

static void count_finding(void *user, const struct tess_finding *diag)
{
    assert_non_null(diag->file);
    ++*(unsigned *)user;
}

TEST(what_cannot_be_read)
{
    struct tess_sources *sources;
    unsigned findings = 0;
    const struct tess_sink sink = {count_finding, &findings};
    assert_int_equal(tess_sources_create(NULL), TESS_INVALID);
    assert_int_equal(tess_sources_create(&sources), TESS_OK);
    assert_int_equal(tess_sources_add(sources, path_of("none"), sink), TESS_IO);
    assert_int_equal(findings, 1);
    write_text("wrong.qasm", "this is no assembly\n");
    assert_int_equal(tess_sources_add(sources, path_of("wrong.qasm"), sink), TESS_WRONG);
    assert_true(findings > 1);
    findings = 0;
    write_text("broken", "\177ELF and no more");
    assert_int_equal(tess_sources_add(sources, path_of("broken"), sink), TESS_BAD_INPUT);
    write_text("empty", "");
    assert_true(tess_sources_add(sources, path_of("empty"), sink) != TESS_OK);
    assert_true(findings >= 2);
    assert_int_equal(tess_sources_add(NULL, "x", sink), TESS_INVALID);
    assert_int_equal(tess_sources_add(sources, NULL, sink), TESS_INVALID);
    struct memory memory = {.count = 1};
    struct tess_source_place place;
    assert_false(find(sources, &memory, 0, &place));
    tess_sources_free(sources);
    tess_sources_free(NULL);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"shader.qasm", "one.qasm",   "two.qasm", "three.qasm",
                                        "code",        "wrong.qasm", "broken",   "empty",
                                        "far0.qasm",   "far1.qasm"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(names[i]));
    return rmdir(folder);
}

TEST_GROUP(make_folder, remove_folder)
