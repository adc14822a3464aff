/* SPDX-License-Identifier: MIT */
/* config_txt.c - reads config.txt.
 *
 * In:  text; a board.
 * Out: the values of keys; memory and clocks of the board.
 *
 * Source: raspberrypi/documentation, config_txt (boot, memory, overclocking, conditional).
 * Choices: [none] is a filter of the model, which the next filter of the model replaces. The board
 *          has no monitor, so that [EDID=...] never applies; its serial number is 0. [gpioN=V] sees
 *          the pulls of the pins after power-on ("BCM2835 ARM Peripherals", table 6-31). Filters of
 *          unknown names count as filters of other models. */
#include "cli/pi/config_txt.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MIB (UINT32_C(1) << 20)
#define MHZ UINT32_C(1000000)

/* --- filters --- */

/* Kinds of filters. A filter replaces the filters of its kind before it. */
enum { MODEL, BOARD_TYPE, SERIAL, PIN, PORT, MONITOR, FILTERS };

struct filters {
    bool refused[FILTERS]; /* true if the present filter of a kind does not apply */
};

/* Names of models, and the boards that they stand for. */
static const struct {
    const char *filter;
    const char *boards[3];
} models[] = {
    {"pi0", {"zero", "zero2"}}, {"pi0w", {"zero", "zero2"}},
    {"pi02", {"zero2"}},        {"pi1", {"pi1"}},
    {"pi2", {"pi2"}},           {"pi3", {"pi3"}},
};

static bool is_model(const char *filter, const char *board)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (size_t k = 0; strcmp(models[i].filter, filter) == 0 && models[i].boards[k]; k++)
            if (strcmp(models[i].boards[k], board) == 0)
                return true;
    return false;
}

/* Returns the type of a board in its revision code: bits 11:4, or 1 for the codes before 2014, of
 * which only that of a model B is among the boards. */
static uint32_t board_type(const struct tess_pi_board *board)
{
    enum { NEW_STYLE = 1 << 23, MODEL_B = 1 };
    return board->revision & NEW_STYLE ? board->revision >> 4 & 0xff : MODEL_B;
}

static bool is_pulled_up(unsigned long pin)
{
    return pin <= 8 || (pin >= 34 && pin <= 36) || (pin >= 46 && pin <= 53);
}

/* Returns true if a text is "gpioN=V", and sets *applies. */
static bool is_pin_filter(const char *text, bool *applies)
{
    unsigned pin, level;
    if (sscanf(text, "gpio%u=%u", &pin, &level) != 2)
        return false;
    *applies = is_pulled_up(pin) == (level != 0);
    return true;
}

static bool starts_with(const char *text, const char *start)
{
    return strncasecmp(text, start, strlen(start)) == 0;
}

static void apply_filter(struct filters *filters, const char *name,
                         const struct tess_pi_board *board)
{
    bool applies;
    if (strcasecmp(name, "all") == 0)
        *filters = (struct filters){0};
    else if (starts_with(name, "0x"))
        filters->refused[SERIAL] = strtoull(name, NULL, 16) != 0;
    else if (starts_with(name, "board-type="))
        filters->refused[BOARD_TYPE] = strtoul(strchr(name, '=') + 1, NULL, 0) != board_type(board);
    else if (starts_with(name, "EDID="))
        filters->refused[MONITOR] = true;
    else if (starts_with(name, "HDMI:"))
        filters->refused[PORT] = strcmp(name + strlen("HDMI:"), "0") != 0;
    else if (is_pin_filter(name, &applies))
        filters->refused[PIN] = !applies;
    else
        filters->refused[MODEL] = !is_model(name, board->name);
}

static bool applies(const struct filters *filters)
{
    for (unsigned i = 0; i < FILTERS; i++)
        if (filters->refused[i])
            return false;
    return true;
}

/* --- keys --- */

static const char *const number_keys[] = {
#define NUMBER(id, key) key,
#define TEXT(id, key)
#include "cli/pi/config_keys.def"
#undef NUMBER
#undef TEXT
};

static const char *const text_keys[] = {
#define NUMBER(id, key)
#define TEXT(id, key) key,
#include "cli/pi/config_keys.def"
#undef NUMBER
#undef TEXT
};

static void set_number(struct config_txt *config, enum config_number key, const char *value)
{
    long long number = strtoll(value, NULL, 0);
    config->number[key] = number > INT32_MAX   ? INT32_MAX
                          : number < INT32_MIN ? INT32_MIN
                                               : (int32_t)number;
    config->is_set[key] = true;
}

static void set_text(struct config_txt *config, enum config_text key, const char *value)
{
    snprintf(config->text[key], sizeof config->text[key], "%s", value);
    config->has_text[key] = true;
}

/* Applies "initramfs NAME [followkernel|ADDRESS]". The address 0 means followkernel. */
static void set_initramfs(struct config_txt *config, char *value)
{
    size_t length = strcspn(value, " \t");
    const char *address = value + length + strspn(value + length, " \t");
    set_number(config, CONFIG_RAMFS_ADDRESS, address);
    value[length] = 0;
    set_text(config, CONFIG_RAMFS, value);
}

static void set_key(struct config_txt *config, const char *key, char *value)
{
    if (strcmp(key, "initramfs") == 0)
        set_initramfs(config, value);
    for (unsigned i = 0; i < CONFIG_NUMBERS; i++)
        if (strcmp(number_keys[i], key) == 0)
            set_number(config, i, value);
    for (unsigned i = 0; i < CONFIG_TEXTS; i++)
        if (strcmp(text_keys[i], key) == 0)
            set_text(config, i, value);
}

static void trim(char *text)
{
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        text[--length] = 0;
}

/* Applies a line "key=value", "key:PORT=value" or "key value". */
static void apply_setting(char *line, struct config_txt *config)
{
    char *value = line + strcspn(line, "= \t");
    if (!*value)
        return;
    *value++ = 0;
    value += strspn(value, "= \t");
    char *port = strchr(line, ':');
    if (port && strcmp(port, ":0") != 0)
        return;
    if (port)
        *port = 0;
    set_key(config, line, value);
}

static void apply_line(char *line, const struct tess_pi_board *board, struct filters *filters,
                       struct config_txt *config)
{
    line[strcspn(line, "#")] = 0;
    line += strspn(line, " \t");
    trim(line);
    if (*line == '[') {
        line[strcspn(line, "]")] = 0;
        apply_filter(filters, line + 1, board);
    } else if (applies(filters)) {
        apply_setting(line, config);
    }
}

void config_txt_apply(const char *text, const struct tess_pi_board *board,
                      struct config_txt *config)
{
    struct filters filters = {0};
    while (*text) {
        char line[CONFIG_VALUE];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1),
                 text);
        apply_line(line, board, &filters, config);
        text += length + (text[length] == '\n');
    }
}

/* --- the board --- */

uint32_t config_txt_gpu_memory(const struct config_txt *config, const struct tess_pi_board *board)
{
    uint32_t installed = board->memory_size / MIB;
    enum config_number key = installed >= 1024  ? CONFIG_GPU_MEM_1024
                             : installed == 512 ? CONFIG_GPU_MEM_512
                                                : CONFIG_GPU_MEM_256;
    int32_t size = config->number[config->is_set[key] ? key : CONFIG_GPU_MEM];
    return size > 0 ? (uint32_t)size : 0;
}

/* Clocks, the keys that set them, and units of the values. The firmware's gpu_freq comes first,
 * because the keys of single clocks override it. */
static const struct {
    enum tess_pi_clock clock;
    enum config_number key;
    uint32_t unit, most; /* Hz; most: largest value */
} clocks[] = {
    {TESS_PI_CLOCK_CORE, CONFIG_GPU_FREQ, MHZ, 2000},
    {TESS_PI_CLOCK_V3D, CONFIG_GPU_FREQ, MHZ, 2000},
    {TESS_PI_CLOCK_H264, CONFIG_GPU_FREQ, MHZ, 2000},
    {TESS_PI_CLOCK_ISP, CONFIG_GPU_FREQ, MHZ, 2000},
    {TESS_PI_CLOCK_CORE, CONFIG_CORE_FREQ, MHZ, 2000},
    {TESS_PI_CLOCK_V3D, CONFIG_V3D_FREQ, MHZ, 2000},
    {TESS_PI_CLOCK_H264, CONFIG_H264_FREQ, MHZ, 2000},
    {TESS_PI_CLOCK_ISP, CONFIG_ISP_FREQ, MHZ, 2000},
    {TESS_PI_CLOCK_SDRAM, CONFIG_SDRAM_FREQ, MHZ, 2000},
    {TESS_PI_CLOCK_ARM, CONFIG_ARM_FREQ, MHZ, 4000},
    {TESS_PI_CLOCK_UART, CONFIG_UART_CLOCK, 1, 1000000000},
};

void config_txt_board(const struct config_txt *config, struct tess_pi_board *board)
{
    enum { LEAST_MEMORY = 128 };
    int32_t total = config->number[CONFIG_TOTAL_MEM];
    uint32_t installed = board->memory_size / MIB;
    uint32_t size = total < LEAST_MEMORY ? LEAST_MEMORY : (uint32_t)total;
    if (total > 0 && size < installed)
        board->memory_size = size * MIB;
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        int32_t rate = config->number[clocks[i].key];
        if (rate > 0 && (uint32_t)rate <= clocks[i].most)
            board->clock_rates[clocks[i].clock] = (uint32_t)rate * clocks[i].unit;
    }
}
