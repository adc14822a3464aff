/* SPDX-License-Identifier: MIT */
/* examples.c - makes the accesses to peripherals that tessera help shows for findings
 * (src/front/examples/findings_pi.def). The wrong accesses must raise the finding, and the right
 * accesses no finding. The test pi/examples makes the other accesses. */
#include "../../register.h"
#include "all.h"

#include <stdio.h>

#include "base/bits.h"
#include "finding/rules.h"

#define EXAMPLE(id, kind, wrong, right) {id, wrong, right},
static const struct example {
    const char *id, *wrong, *right;
} examples[] = {
#include "front/examples/findings_pi.def"
};

enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static bool begins(const char **line, const char *word)
{
    bool found = strncmp(*line, word, strlen(word)) == 0;
    *line += found ? strlen(word) : 0;
    return found;
}

static void put_memory(struct all *a, const char *line)
{
    char *at;
    uint32_t address = (uint32_t)strtoul(line, &at, 0);
    for (; *at == ':' || *at == ','; address += 4) {
        uint8_t *to = all_ram(a, address, 4);
        assert_non_null(to);
        store_le32(to, (uint32_t)strtoul(at + 1, &at, 0));
    }
}

/* Sends a command to the SD card. */
static void send_command(struct all *a, const char *line)
{
    char *at;
    uint32_t command = (uint32_t)strtoul(line, &at, 0);
    const char *rest = at;
    assert_true(begins(&rest, ", argument "));
    all_write(a, ALL_BUS + 0x300008, (uint32_t)strtoul(rest, &at, 0));
    all_write(a, ALL_BUS + 0x30000c, command);
    all_wait(a, DEVICE_SECOND / 1000);
}

/* Gives bytes to the UART, and waits until they have arrived at 115,200 baud. */
static void receive_bytes(struct all *a, unsigned count)
{
    enum { TIME_OF_BYTE = 87000 };
    for (unsigned i = 0; i < count; i++)
        all_input(a, INPUT_UART, i);
    all_wait(a, (uint64_t)count * TIME_OF_BYTE);
}

static void access_line(struct all *a, const char *line)
{
    char *at;
    uint32_t offset;
    if (begins(&line, "write ")) {
        offset = (uint32_t)strtoul(line, &at, 0);
        assert_int_equal(*at, ':');
        all_write(a, ALL_BUS + offset, (uint32_t)strtoul(at + 1, &at, 0));
    } else if (begins(&line, "read ")) {
        all_read(a, ALL_BUS + (uint32_t)strtoul(line, &at, 0));
    } else if (begins(&line, "wait ")) {
        all_wait(a, strtoull(line, &at, 0) * DEVICE_MICROSECOND);
        assert_memory_equal(at, " us", 3);
    } else if (begins(&line, "EMMC command ")) {
        send_command(a, line);
    } else if (strncmp(line, "0x", 2) == 0) {
        put_memory(a, line);
    } else if (strstr(line, " bytes arrive\n")) {
        receive_bytes(a, (unsigned)strtoul(line, NULL, 10));
    } else {
        fail_msg("unknown access: %s", line);
    }
}

/* Makes all accesses. Returns the id of the latest finding, or "". */
static const char *rule_of(const char *text, unsigned *findings)
{
    static struct all a;
    unsigned times = 1;
    all_open(&a);
    if (strstr(text, " times\n")) {
        times = (unsigned)strtoul(text, NULL, 10);
        text = strchr(text, '\n') + 1;
    }
    while (times--)
        for (const char *line = text; *line; line = strchr(line, '\n') + 1)
            access_line(&a, line);
    *findings = a.findings + a.not_modelled;
    all_close(&a);
    return *findings ? tess_rule_get(RULE_PI_FIRST + (size_t)a.finding)->id : "";
}

static bool is_of_peripheral(const struct example *example)
{
    return strstr(example->wrong, "write 0x") || strstr(example->wrong, "read 0x");
}

TEST(sides)
{
    unsigned count = 0, findings;
    for (unsigned i = 0; i < EXAMPLES; i++) {
        if (!is_of_peripheral(&examples[i]))
            continue;
        assert_string_equal(rule_of(examples[i].wrong, &findings), examples[i].id);
        rule_of(examples[i].right, &findings);
        if (findings)
            fail_msg("%s: the right side raises %u findings", examples[i].id, findings);
        count++;
    }
    assert_int_not_equal(count, 0);
}
