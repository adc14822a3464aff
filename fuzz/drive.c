/* SPDX-License-Identifier: MIT */
/* drive.c - runs a fuzz target without a fuzzer. "TARGET COUNT FOLDER" runs the target with COUNT
 * inputs. The first inputs are the seeds in the folder, in the order of their names. The other
 * inputs are derived from the seeds. The inputs are the same in each run and on each host, so that
 * the test suite can contain the target. "TARGET FILE" runs the target with one input, like a
 * target that is linked with libFuzzer.
 *
 * After a crash, the number of the current input is printed. "TARGET COUNT FOLDER NUMBER" writes
 * the input with this number to standard output. */
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int __attribute__((weak)) LLVMFuzzerInitialize(int *count, char ***arguments);

enum { SEEDS = 256, MOST = 4096, CHANGES = 6 };

static struct seed {
    uint8_t *bytes;
    size_t size;
} seeds[SEEDS];
static size_t seed_count;
static volatile unsigned long current;

/* --- numbers --- */

static uint64_t state;

/* xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators,
 * scrambled"). */
static uint32_t next_number(uint32_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 0x2545f4914f6cdd1d) >> 32) % below;
}

/* --- seeds --- */

static struct seed read_file(const char *path)
{
    struct seed seed = {malloc(MOST), 0};
    FILE *file = fopen(path, "rb");
    if (!file || !seed.bytes) {
        fprintf(stderr, "drive: %s cannot be read\n", path);
        exit(2);
    }
    seed.size = fread(seed.bytes, 1, MOST, file);
    fclose(file);
    return seed;
}

static void read_seeds(const char *folder)
{
    struct dirent **entries;
    char path[4096];
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && seed_count < SEEDS)
            seeds[seed_count++] = read_file(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    if (seed_count == 0) {
        fprintf(stderr, "drive: there are no seeds in %s\n", folder);
        exit(2);
    }
}

/* --- inputs --- */

/* Replaces `length` bytes at position `at` by `count` other bytes. */
static void splice(uint8_t *input, size_t *size, size_t at, size_t length, const uint8_t *bytes,
                   size_t count)
{
    if (*size - length + count > MOST)
        return;
    memmove(input + at + count, input + at + length, *size - at - length);
    if (count)
        memmove(input + at, bytes, count);
    *size = *size - length + count;
}

static void change(uint8_t *input, size_t *size)
{
    static const uint8_t special[] = {0,   1,    9,   10,   0x1b, ' ',  '"',
                                      '%', '\\', '|', 0x7f, 0x80, 0xc3, 0xff};
    uint8_t bytes[64];
    const struct seed *other = &seeds[next_number((uint32_t)seed_count)];
    size_t at = next_number((uint32_t)*size + 1), left = *size - at;
    size_t length = next_number(left < 16 ? (uint32_t)left + 1 : 17), count = 0;
    switch (next_number(5)) {
    case 0: break; /* removes bytes */
    case 1:
        length = left > 0;
        bytes[count++] = special[next_number(sizeof special)];
        break;
    case 2:
        length = left > 0;
        bytes[count++] = (uint8_t)next_number(256);
        break;
    case 3: /* inserts a copy of the next bytes */
        count = length;
        memcpy(bytes, input + at, count);
        length = 0;
        break;
    default:
        if (other->size == 0)
            break;
        size_t from = next_number((uint32_t)other->size);
        count = other->size - from < sizeof bytes ? other->size - from : sizeof bytes;
        memcpy(bytes, other->bytes + from, count);
        break;
    }
    splice(input, size, at, length, bytes, count);
}

static size_t make_input(unsigned long number, uint8_t input[MOST])
{
    const struct seed *seed = &seeds[number % seed_count];
    size_t size = seed->size;
    memcpy(input, seed->bytes, size);
    state = 0x9e3779b97f4a7c15 * (number + 1);
    for (uint32_t changes = number < seed_count ? 0 : 1 + next_number(CHANGES); changes > 0;
         changes--)
        change(input, &size);
    return size;
}

/* --- running --- */

static void say_which(int signal)
{
    char text[64];
    int length = snprintf(text, sizeof text, "drive: input %lu\n", current);
    if (write(STDERR_FILENO, text, (size_t)length) == length)
        raise(signal);
    _exit(2);
}

/* Runs the target with a copy of the input in an allocation of exactly size bytes, so that
 * sanitizers detect reads past the end of the input. */
static void run(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        exit(2);
    memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

int main(int count, char **arguments)
{
    static const int crashes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE};
    static uint8_t input[MOST];
    struct sigaction action = {.sa_handler = say_which, .sa_flags = (int)SA_RESETHAND};
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&count, &arguments);
    if (count == 2) {
        struct seed one = read_file(arguments[1]);
        run(one.bytes, one.size);
        free(one.bytes);
        return 0;
    }
    if (count < 3)
        return 2;
    read_seeds(arguments[2]);
    if (count == 4)
        return fwrite(input, 1, make_input(strtoul(arguments[3], NULL, 10), input), stdout) == 0;
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
    for (current = 0; current < strtoul(arguments[1], NULL, 10); current++)
        run(input, make_input(current, input));
    for (size_t i = 0; i < seed_count; i++)
        free(seeds[i].bytes);
    return 0;
}
