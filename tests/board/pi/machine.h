/* SPDX-License-Identifier: MIT */
/* machine.h - a device with some memory and a Pi around it, and functions to send tags, for tests
 * of src/board/pi. */
#ifndef TESTS_PI_MACHINE_H
#define TESTS_PI_MACHINE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tessera/pi.h>

#include "base/bits.h"

enum { BUFFER = 0x1000, MEMORY = 0x10000, PROPERTY = 8, REQUEST = 4, VALUE = 5 };

struct machine {
    struct tess_vc4 *vc4;
    struct tess_pi *pi;
    uint8_t *memory; /* the ARM's memory, which starts at address 0 */
    unsigned findings;
    const char *rule;
    struct tess_place place; /* place of the latest finding of the board */
    unsigned vc4_findings;
    char vc4_text[256]; /* text of the latest finding of V3D */
};

static inline void machine_count(void *user, const struct tess_finding *diag)
{
    struct machine *m = user;
    m->findings++;
    m->rule = diag->id;
    m->place = diag->place;
}

static inline void machine_count_vc4(void *user, const struct tess_finding *diag)
{
    struct machine *m = user;
    m->vc4_findings++;
    strncpy(m->vc4_text, diag->text, sizeof m->vc4_text - 1);
}

/* Creates the device and the Pi. options may be NULL. A sink in options is ignored. */
static inline void machine_open(struct machine *m, const struct tess_pi_options *options,
                                uint32_t threads)
{
    *m = (struct machine){0};
    const struct tess_vc4_options device = {.machine.sink = {machine_count_vc4, m},
                                            .machine.threads = threads};
    struct tess_pi_options set = {0};
    if (options)
        set = *options;
    set.sink = (struct tess_sink){machine_count, m};
    assert_int_equal(tess_vc4_create(&m->vc4, &device), TESS_OK);
    assert_int_equal(tess_vc4_map(m->vc4, 0, MEMORY, NULL), TESS_OK);
    m->memory = tess_vc4_memory(m->vc4, 0, MEMORY);
    assert_int_equal(tess_pi_create(&m->pi, m->vc4, &set), TESS_OK);
}

static inline void machine_close(struct machine *m)
{
    tess_pi_destroy(m->pi);
    tess_vc4_destroy(m->vc4);
}

static inline int set_up(void **state)
{
    static struct machine m;
    machine_open(&m, NULL, 1);
    *state = &m;
    return 0;
}

static inline int tear_down(void **state)
{
    machine_close(*state);
    return 0;
}

static inline void put_words(struct machine *m, uint32_t address, const uint32_t *words,
                             unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        store_le32(m->memory + address + 4 * i, words[i]);
}

static inline uint32_t word(const struct machine *m, unsigned index)
{
    return load_le32(m->memory + BUFFER + 4 * index);
}

static inline void send(struct machine *m)
{
    tess_pi_write(m->pi, TESS_PI_MAIL_WRITE, BUFFER | PROPERTY);
}

/* Sends one tag with a value buffer of `bytes` bytes (at most 24). a to d are the first four
 * words of the value buffer. After the call, word 4 of the buffer is the tag's request word, and
 * the values follow. */
static inline void send_tag(struct machine *m, uint32_t id, uint32_t bytes, uint32_t a, uint32_t b,
                            uint32_t c, uint32_t d)
{
    uint32_t words[12] = {48, 0, id, bytes, bytes};
    const uint32_t values[] = {a, b, c, d};
    for (unsigned i = 0; i < bytes / 4 && i < 4; i++)
        words[VALUE + i] = values[i];
    put_words(m, BUFFER, words, 12);
    send(m);
}

#endif
