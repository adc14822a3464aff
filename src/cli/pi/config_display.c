/* SPDX-License-Identifier: MIT */
/* config_display.c - the framebuffer that config.txt selects.
 *
 * In:  values of config.txt.
 * Out: size, depth, order of colours, alpha and overscan of the framebuffer.
 *
 * Source: raspberrypi/documentation, config_txt/video (modes, framebuffer_*) and the page of the
 *         same name before 2021 (default overscan: 48 pixels at each edge for HD modes of CEA, 32
 *         for SD modes); bcm2708_fb.c of raspberrypi/linux (fbswap; board/pi/framebuffer.c).
 * Choices: without hdmi_group and hdmi_mode, the display has 640x480 pixels without overscan.
 *          Interlaced modes have the size of a whole frame. Modes with repeated pixels have the
 *          size without repetition. */
#include "cli/pi/config_txt.h"

#include <stdio.h>
#include <stdlib.h>

enum { CEA = 1, DMT = 2, CUSTOM = 87, LARGEST = 4096, HD_OVERSCAN = 48, SD_OVERSCAN = 32 };

struct size {
    uint16_t width, height;
};

/* Ranges of CEA's mode numbers: the last mode of each, and the size of its modes. */
static const struct {
    uint8_t last;
    struct size size;
} cea[] = {
    {1, {640, 480}},    {3, {720, 480}},    {4, {1280, 720}},   {5, {1920, 1080}},
    {7, {720, 480}},    {9, {720, 240}},    {11, {720, 480}},   {13, {720, 240}},
    {15, {720, 480}},   {16, {1920, 1080}}, {18, {720, 576}},   {19, {1280, 720}},
    {20, {1920, 1080}}, {22, {720, 576}},   {24, {720, 288}},   {26, {720, 576}},
    {28, {720, 288}},   {30, {720, 576}},   {34, {1920, 1080}}, {36, {720, 480}},
    {38, {720, 576}},   {40, {1920, 1080}}, {41, {1280, 720}},  {45, {720, 576}},
    {46, {1920, 1080}}, {47, {1280, 720}},  {51, {720, 480}},   {55, {720, 576}},
    {59, {720, 480}},   {62, {1280, 720}},  {64, {1920, 1080}},
};

/* The same for DMT. */
static const struct {
    uint8_t last;
    struct size size;
} dmt[] = {
    {1, {640, 350}},    {2, {640, 400}},    {3, {720, 400}},    {7, {640, 480}},
    {13, {800, 600}},   {14, {848, 480}},   {20, {1024, 768}},  {21, {1152, 864}},
    {26, {1280, 768}},  {31, {1280, 800}},  {34, {1280, 960}},  {38, {1280, 1024}},
    {40, {1360, 768}},  {45, {1400, 1050}}, {50, {1440, 900}},  {56, {1600, 1200}},
    {61, {1680, 1050}}, {64, {1792, 1344}}, {67, {1856, 1392}}, {72, {1920, 1200}},
    {75, {1920, 1440}}, {80, {2560, 1600}}, {81, {1366, 768}},  {82, {1920, 1080}},
    {83, {1600, 900}},  {84, {2048, 1152}}, {85, {1280, 720}},  {86, {1366, 768}},
};

/* Reads the size of the user's own mode: hdmi_cvt begins with width and height, hdmi_timings has
 * the width first and the height sixth. */
static struct size custom_size(const struct config_txt *config)
{
    unsigned width = 0, height = 0;
    bool good = sscanf(config->text[CONFIG_CVT], "%u %u", &width, &height) == 2 ||
                sscanf(config->text[CONFIG_TIMINGS], "%u %*u %*u %*u %*u %u", &width, &height) == 2;
    if (!good || width > LARGEST || height > LARGEST)
        return (struct size){0};
    return (struct size){(uint16_t)width, (uint16_t)height};
}

/* Returns the size of the display, or zeros if no mode is set. */
static struct size mode_size(const struct config_txt *config)
{
    int32_t group = config->number[CONFIG_HDMI_GROUP], mode = config->number[CONFIG_HDMI_MODE];
    if (group == DMT && mode == CUSTOM)
        return custom_size(config);
    for (size_t i = 0; group == CEA && mode > 0 && i < sizeof cea / sizeof *cea; i++)
        if (mode <= cea[i].last)
            return cea[i].size;
    for (size_t i = 0; group == DMT && mode > 0 && i < sizeof dmt / sizeof *dmt; i++)
        if (mode <= dmt[i].last)
            return dmt[i].size;
    return (struct size){0};
}

/* Returns the overscan of each edge that the firmware chooses for a mode. */
static int32_t default_overscan(const struct config_txt *config, struct size size)
{
    if (config->number[CONFIG_NO_OVERSCAN] || config->number[CONFIG_HDMI_GROUP] != CEA ||
        !size.width)
        return 0;
    return size.height >= 720 ? HD_OVERSCAN : SD_OVERSCAN;
}

static int32_t limited(int32_t value, int32_t least, int32_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* Returns the overscan of an edge. key is the edge's key, whose value is added to the default. */
static uint32_t edge(const struct config_txt *config, enum config_number key, int32_t overscan)
{
    int32_t added = limited(config->number[key], -LARGEST, LARGEST);
    return (uint32_t)limited(overscan + added, 0, LARGEST);
}

/* Returns a side of the framebuffer: the key's value, or the display's side without overscan. */
static uint32_t side(const struct config_txt *config, enum config_number key,
                     enum config_number most, int32_t display)
{
    int32_t wanted = config->number[key] > 0 ? config->number[key] : display;
    int32_t limit = config->number[most] > 0 ? config->number[most] : LARGEST;
    return (uint32_t)limited(wanted, 1, limit < LARGEST ? limit : LARGEST);
}

struct tess_pi_display config_txt_display(const struct config_txt *config)
{
    enum { TOP, BOTTOM, LEFT, RIGHT };
    const struct size size = mode_size(config);
    int32_t width = size.width ? size.width : 640, height = size.height ? size.height : 480;
    int32_t overscan = default_overscan(config, size);
    int32_t depth = config->number[CONFIG_FRAMEBUFFER_DEPTH];
    struct tess_pi_display display = {
        .rgb = config->is_set[CONFIG_SWAP] && !config->number[CONFIG_SWAP],
        .alpha = config->is_set[CONFIG_IGNORE_ALPHA] && !config->number[CONFIG_IGNORE_ALPHA],
    };
    for (unsigned i = TOP; i <= RIGHT; i++)
        display.overscan[i] = edge(config, CONFIG_OVERSCAN_TOP + i, overscan);
    width -= (int32_t)(display.overscan[LEFT] + display.overscan[RIGHT]);
    height -= (int32_t)(display.overscan[TOP] + display.overscan[BOTTOM]);
    display.width = side(config, CONFIG_FRAMEBUFFER_WIDTH, CONFIG_MAX_WIDTH, width);
    display.height = side(config, CONFIG_FRAMEBUFFER_HEIGHT, CONFIG_MAX_HEIGHT, height);
    if (depth == 8 || depth == 16 || depth == 24 || depth == 32)
        display.depth = (uint32_t)depth;
    return display;
}
