/* SPDX-License-Identifier: MIT */
/* streams.c - tests of the shim's own streams, and of its replacements for other functions of
 * the C library that allocate memory.
 *
 * Expected: the results that these manual pages describe: fopen(3), open_memstream(3),
 * fopencookie(3), setvbuf(3), printf(3), strdup(3), qsort(3), realpath(3), strerror(3). */
#include "shim/common/streams.h"
#include "../../register.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/common/blocks.h"
#include "shim/common/entries.h"

static char folder[] = "/tmp/streams-XXXXXX", path[64];

static int begin(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int end(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

/* --- files --- */

static void write_lines(const char *mode, unsigned from, unsigned to)
{
    FILE *stream = __wrap_fopen(path, mode);
    assert_non_null(stream);
    for (unsigned i = from; i < to; i++)
        assert_int_equal(__wrap_fprintf(stream, "line %05u\n", i), 11);
    assert_int_equal(__wrap_fclose(stream), 0);
}

/* Writes and reads 1000 lines, more than a stream's buffer can contain. */
TEST(test_lines)
{
    char line[32], wanted[32];
    write_lines("we", 0, 1000);
    write_lines("ae", 1000, 2000);
    FILE *stream = __wrap_fopen64(path, "re");
    for (unsigned i = 0; i < 2000; i++) {
        snprintf(wanted, sizeof wanted, "line %05u\n", i);
        assert_ptr_equal(__wrap_fgets(line, sizeof line, stream), line);
        assert_string_equal(line, wanted);
    }
    assert_false(__wrap_feof(stream));
    assert_null(__wrap_fgets(line, sizeof line, stream));
    assert_true(__wrap_feof(stream));
    assert_false(__wrap_ferror(stream));
    assert_int_equal(__wrap_fclose(stream), 0);
}

/* If a line is longer than the caller's buffer, fgets() reads it in pieces. Mode "w" truncates a
 * file. */
TEST(test_pieces)
{
    char piece[5], bytes[8];
    FILE *stream = __wrap_fopen(path, "w");
    assert_int_equal(__wrap_fputs("abcdef\n", stream), 1);
    assert_int_equal(__wrap_fputc('x', stream), 'x');
    assert_int_equal(__wrap_fclose(stream), 0);
    stream = __wrap_fopen(path, "r");
    assert_string_equal(__wrap_fgets(piece, sizeof piece, stream), "abcd");
    assert_string_equal(__wrap_fgets(piece, sizeof piece, stream), "ef\n");
    assert_string_equal(__wrap_fgets(piece, sizeof piece, stream), "x");
    assert_int_equal(__wrap_fseek(stream, 2, SEEK_SET), 0);
    assert_int_equal(__wrap_fread(bytes, 4, 2, stream), 1);
    assert_memory_equal(bytes, "cdef", 4);
    __wrap_fclose(stream);
}

/* A transfer of at least a buffer's size bypasses the stream's buffer. The order of the bytes must
 * not change. */
TEST(test_large)
{
    enum { SIZE = 100000 };
    static char bytes[SIZE], read[SIZE + 3];
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (char)(i * 7 + i / 256);
    FILE *stream = __wrap_fopen(path, "w");
    __wrap_fputs("ab", stream);
    assert_int_equal(__wrap_fwrite(bytes, 1, SIZE, stream), SIZE);
    __wrap_fputs("c", stream);
    assert_int_equal(__wrap_fclose(stream), 0);
    stream = __wrap_fopen(path, "r");
    assert_int_equal(__wrap_fread(read, 1, sizeof read + 0, stream), SIZE + 3);
    assert_memory_equal(read, "ab", 2);
    assert_memory_equal(read + 2, bytes, SIZE);
    assert_int_equal(read[SIZE + 2], 'c');
    __wrap_fclose(stream);
}

TEST(test_no_file)
{
    errno = 0;
    assert_null(__wrap_fopen("/no/such/file", "r"));
    assert_int_equal(errno, ENOENT);
    assert_null(__wrap_fopen(folder, "w"));
    assert_int_equal(errno, EISDIR);
}

/* Every write() to Linux' /dev/full fails with ENOSPC. */
TEST(test_full)
{
    FILE *stream = __wrap_fopen("/dev/full", "w");
    assert_int_equal(__wrap_fputs("text", stream), 1);
    errno = 0;
    assert_int_equal(__wrap_fflush(stream), EOF);
    assert_int_equal(errno, ENOSPC);
    assert_true(__wrap_ferror(stream));
    __wrap_fputs("text", stream);
    errno = 0;
    assert_int_equal(__wrap_fclose(stream), EOF);
    assert_int_equal(errno, ENOSPC);
}

TEST(test_wrong_way)
{
    char byte;
    FILE *stream = __wrap_fopen("/dev/null", "r");
    assert_int_equal(__wrap_fputs("text", stream), EOF);
    assert_true(__wrap_ferror(stream));
    __wrap_fclose(stream);
    stream = __wrap_fopen("/dev/null", "w");
    assert_int_equal(__wrap_fread(&byte, 1, 1, stream), 0);
    assert_true(__wrap_ferror(stream));
    __wrap_fclose(stream);
}

/* Each call on an unbuffered stream must write its bytes at once, with a single write(). */
TEST(test_descriptors)
{
    char text[16] = "";
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(__wrap_dprintf(ends[1], "%s %d", "ab", 12), 5);
    assert_int_equal(read(ends[0], text, sizeof text), 5);
    assert_string_equal(text, "ab 12");
    FILE *stream = __wrap_fdopen(ends[1], "w");
    assert_int_equal(__wrap_fileno(stream), ends[1]);
    assert_int_equal(__wrap_setvbuf(stream, NULL, _IONBF, 0), 0);
    __wrap_fprintf(stream, "%c%s", 'x', "yz");
    assert_int_equal(read(ends[0], text, sizeof text), 3);
    assert_memory_equal(text, "xyz", 3);
    assert_int_equal(__wrap_fclose(stream), 0);
    assert_int_equal(read(ends[0], text, sizeof text), 0);
    close(ends[0]);
}

TEST(test_standard)
{
    assert_int_equal(__wrap_fileno(__wrap_stdin), 0);
    assert_int_equal(__wrap_fileno(__wrap_stdout), 1);
    assert_int_equal(__wrap_fileno(__wrap_stderr), 2);
    assert_int_equal(__wrap_fflush(__wrap_stdout), 0);
    assert_int_equal(__wrap_fflush(NULL), 0);
}

/* --- memory --- */

TEST(test_memory)
{
    char *text = NULL;
    size_t size = 1;
    FILE *stream = __wrap_open_memstream(&text, &size);
    assert_int_equal(__wrap_fflush(stream), 0);
    assert_string_equal(text, "");
    assert_int_equal(size, 0);
    for (unsigned i = 0; i < 5000; i++)
        assert_int_equal(__wrap_fprintf(stream, "%4u", i), 4);
    assert_int_equal(__wrap_fclose(stream), 0);
    assert_int_equal(size, 20000);
    assert_int_equal(strlen(text), 20000);
    assert_string_equal(text + 19996, "4999");
    free(text);
}

/* Writes texts with about the size of the buffer. For some of them, only the terminating 0 needs a
 * larger buffer. */
TEST(test_memory_sizes)
{
    static char bytes[20000];
    memset(bytes, 'b', sizeof bytes - 1);
    for (size_t wanted = 4090; wanted < 4100; wanted++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = __wrap_open_memstream(&text, &size);
        assert_int_equal(__wrap_fwrite(bytes, wanted, 1, stream), 1);
        assert_int_equal(__wrap_fclose(stream), 0);
        assert_int_equal(size, wanted);
        assert_int_equal(strlen(text), wanted);
        free(text);
    }
}

/* Prints texts with about the size of the buffer on the stack, some of which do not fit. */
TEST(test_long_text)
{
    for (int width = 1020; width < 1030; width++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = __wrap_open_memstream(&text, &size);
        assert_int_equal(__wrap_fprintf(stream, "%*d|%s", width, 7, "end"), width + 4);
        __wrap_fclose(stream);
        assert_int_equal(size, (size_t)width + 4);
        assert_string_equal(text + width - 2, " 7|end");
        free(text);
    }
}

/* --- functions of the caller --- */

static struct {
    size_t size;
    bool fails, closed;
} taken;

static ssize_t take(void *cookie, const char *bytes, size_t size)
{
    assert_ptr_equal(cookie, &taken);
    assert_non_null(bytes);
    if (taken.fails)
        return 0;
    const size_t part = size > 3000 ? 3000 : size;
    taken.size += part;
    return (ssize_t)part;
}

static int finish(void *cookie)
{
    assert_ptr_equal(cookie, &taken);
    taken.closed = true;
    return 0;
}

TEST(test_cookie)
{
    static char room[1 << 14];
    const cookie_io_functions_t functions = {.write = take, .close = finish};
    FILE *stream = __wrap_fopencookie(&taken, "w", functions);
    assert_int_equal(__wrap_setvbuf(stream, room, _IOFBF, sizeof room), 0);
    for (unsigned i = 0; i < 2000; i++)
        __wrap_fputs("0123456789", stream);
    assert_true(taken.size >= sizeof room - 10 && taken.size < 20000);
    assert_int_equal(__wrap_fflush(stream), 0);
    assert_int_equal(taken.size, 20000);
    taken.fails = true;
    __wrap_fputs("0123456789", stream);
    assert_int_equal(__wrap_fflush(stream), EOF);
    assert_true(__wrap_ferror(stream));
    taken.fails = false;
    assert_int_equal(__wrap_fclose(stream), 0);
    assert_true(taken.closed);
}

/* --- blocks --- */

TEST(test_text)
{
    char *copy = __wrap_strdup("text");
    assert_string_equal(copy, "text");
    free(copy);
    copy = __wrap_strndup("text", 2);
    assert_string_equal(copy, "te");
    free(copy);
    copy = __wrap_strndup("text", 20);
    assert_string_equal(copy, "text");
    free(copy);
    assert_string_equal(__wrap_strerror(ENOENT), "No such file or directory");
    assert_non_null(__wrap_strerror(12345));
}

TEST(test_realpath)
{
    char room[PATH_MAX], long_way[128];
    write_lines("w", 0, 1);
    snprintf(long_way, sizeof long_way, "%s/./../%s/file", folder, strrchr(folder, '/') + 1);
    assert_ptr_equal(__wrap_realpath(long_way, room), room);
    assert_string_equal(room, path);
    char *found = __wrap_realpath(long_way, NULL);
    assert_string_equal(found, path);
    free(found);
    errno = 0;
    assert_null(__wrap_realpath("/no/such/file", room));
    assert_int_equal(errno, ENOENT);
}

struct member {
    uint16_t key, place;
    char rest[3];
};

static int by_key(const void *one, const void *other)
{
    const struct member *a = one, *b = other;
    return (a->key > b->key) - (a->key < b->key);
}

/* Members must be sorted by key. Members with equal keys must keep their order. */
TEST(test_sort)
{
    static struct member members[3000];
    static const size_t counts[] = {0, 1, 2, 3, 5, 8, 100, 1023, 1024, 1025, 3000};
    uint32_t number = 1;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (size_t j = 0; j < counts[i]; j++) {
            number = number * 1664525 + 1013904223;
            members[j] = (struct member){.key = number >> 20 & 63, .place = (uint16_t)j};
        }
        __wrap_qsort(members, counts[i], sizeof *members, by_key);
        for (size_t j = 1; j < counts[i]; j++)
            assert_true(
                members[j - 1].key < members[j].key ||
                (members[j - 1].key == members[j].key && members[j - 1].place < members[j].place));
    }
}

/* --- folders --- */

TEST(test_entries)
{
    enum { FILES = 300 };
    static bool seen[FILES];
    struct entries entries;
    char name[64];
    const int open_folder = open(folder, O_RDONLY | O_DIRECTORY);
    unlink(path);
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "%d", i);
        close(openat(open_folder, name, O_CREAT | O_WRONLY, 0600));
    }
    entries_begin(&entries, open_folder);
    for (const char *entry; (entry = entries_next(&entries));) {
        const int number = atoi(entry);
        assert_true(number >= 0 && number < FILES && !seen[number]);
        seen[number] = true;
        assert_int_equal(unlinkat(open_folder, entry, 0), 0);
    }
    for (int i = 0; i < FILES; i++)
        assert_true(seen[i]);
    assert_null(entries_next(&entries));
    close(open_folder);
}

TEST_GROUP(begin, end)
