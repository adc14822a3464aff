/* SPDX-License-Identifier: MIT */
/* kms_modes.c - the modes of the screen, and an EDID (the screen's description of itself).
 *
 * In:  the requested size and rate (options.h).
 * Out: timings, 128 bytes of EDID.
 *
 * The preferred mode comes first. Smaller standard modes follow.
 *
 * Source: VESA DMT 1.0 (timings of the standard modes), VESA CVT 1.2 (reduced blanking, for all
 *         others), VESA E-EDID 1.3; Linux, drivers/gpu/drm/drm_modes.c (validity of modes).
 * Left out: the extension block that an HDMI screen has. So programs see a screen with a DVI
 *           input. */
#include "shim/drm/kms/kms.h"

#include <stdio.h>
#include <string.h>

#include "shim/drm/options.h"

/* MOST_CLOCK is the highest pixel clock of the chip's HDMI, in kHz */
enum { MOST_CLOCK = 162000, MOST_MODES = 8 };

#define POSITIVE (DRM_MODE_FLAG_PHSYNC | DRM_MODE_FLAG_PVSYNC)
#define NEGATIVE (DRM_MODE_FLAG_NHSYNC | DRM_MODE_FLAG_NVSYNC)
#define REDUCED  (DRM_MODE_FLAG_PHSYNC | DRM_MODE_FLAG_NVSYNC)

/* Standard modes, the largest first. */
static const struct drm_mode_modeinfo usual[] = {
    {148500, 1920, 2008, 2052, 2200, 0, 1080, 1084, 1089, 1125, 0, 60, POSITIVE, 0, ""},
    {108000, 1280, 1328, 1440, 1688, 0, 1024, 1025, 1028, 1066, 0, 60, POSITIVE, 0, ""},
    {74250, 1280, 1390, 1430, 1650, 0, 720, 725, 730, 750, 0, 60, POSITIVE, 0, ""},
    {65000, 1024, 1048, 1184, 1344, 0, 768, 771, 777, 806, 0, 60, NEGATIVE, 0, ""},
    {40000, 800, 840, 968, 1056, 0, 600, 601, 605, 628, 0, 60, POSITIVE, 0, ""},
    {25175, 640, 656, 752, 800, 0, 480, 490, 492, 525, 0, 60, NEGATIVE, 0, ""},
};

enum { USUAL_COUNT = sizeof usual / sizeof usual[0] };

/* --- timings --- */

/* Returns the number of lines of vertical sync. CVT encodes the aspect ratio in that number. */
static uint32_t sync_lines(uint32_t width, uint32_t height)
{
    static const struct {
        uint32_t across, down, lines;
    } ratios[] = {{4, 3, 4}, {16, 9, 5}, {16, 10, 6}, {5, 4, 7}, {15, 9, 7}};
    for (unsigned i = 0; i < sizeof ratios / sizeof ratios[0]; i++)
        if (width * ratios[i].down == height * ratios[i].across)
            return ratios[i].lines;
    return 10;
}

/* Computes a mode by CVT with reduced blanking. The vertical blank is at least 460 microseconds
 * long. */
static void compute(struct drm_mode_modeinfo *mode, uint32_t width, uint32_t height, uint32_t hertz)
{
    enum {
        FRONT = 48,
        SYNC = 32,
        BLANK = 160,
        VERTICAL_FRONT = 3,
        VERTICAL_BACK = 6,
        LEAST_BLANK = 460,
        STEP = 250
    };
    uint32_t sync = sync_lines(width, height), left = 1000000 / hertz - LEAST_BLANK;
    uint32_t blank = LEAST_BLANK * height / left + 1;
    if (blank < VERTICAL_FRONT + sync + VERTICAL_BACK)
        blank = VERTICAL_FRONT + sync + VERTICAL_BACK;
    uint64_t clock = (uint64_t)(width + BLANK) * (height + blank) * hertz / 1000;
    *mode = (struct drm_mode_modeinfo){
        .clock = (uint32_t)(clock < STEP ? clock : clock / STEP * STEP), .flags = REDUCED};
    mode->hdisplay = (uint16_t)width;
    mode->hsync_start = (uint16_t)(width + FRONT);
    mode->hsync_end = (uint16_t)(width + FRONT + SYNC);
    mode->htotal = (uint16_t)(width + BLANK);
    mode->vdisplay = (uint16_t)height;
    mode->vsync_start = (uint16_t)(height + VERTICAL_FRONT);
    mode->vsync_end = (uint16_t)(height + VERTICAL_FRONT + sync);
    mode->vtotal = (uint16_t)(height + blank);
    mode->vrefresh = hertz;
}

static struct drm_mode_modeinfo modes[MOST_MODES];
static uint32_t mode_count;

static void add(const struct drm_mode_modeinfo *mode, uint32_t type)
{
    struct drm_mode_modeinfo *added = &modes[mode_count++];
    *added = *mode;
    added->type = DRM_MODE_TYPE_DRIVER | type;
    snprintf(added->name, sizeof added->name, "%ux%u", added->hdisplay, added->vdisplay);
}

static const struct drm_mode_modeinfo *find_usual(uint32_t width, uint32_t height, uint32_t hertz)
{
    for (unsigned i = 0; i < USUAL_COUNT; i++)
        if (usual[i].hdisplay == width && usual[i].vdisplay == height && usual[i].vrefresh == hertz)
            return &usual[i];
    return NULL;
}

static void make_modes(void)
{
    const struct options *options = options_get();
    const struct drm_mode_modeinfo *preferred = find_usual(options->width, options->height,
                                                           options->hertz);
    struct drm_mode_modeinfo computed;
    if (!preferred) {
        compute(&computed, options->width, options->height, options->hertz);
        preferred = &computed;
    }
    add(preferred, DRM_MODE_TYPE_PREFERRED);
    for (unsigned i = 0; i < USUAL_COUNT; i++)
        if (&usual[i] != preferred && usual[i].hdisplay <= options->width &&
            usual[i].vdisplay <= options->height)
            add(&usual[i], 0);
}

const struct drm_mode_modeinfo *kms_mode(uint32_t index)
{
    if (!mode_count)
        make_modes();
    return index < mode_count ? &modes[index] : NULL;
}

bool kms_mode_is_good(const struct drm_mode_modeinfo *mode)
{
    uint32_t preferred = kms_mode(0)->clock;
    return mode->clock && mode->clock <= (preferred > MOST_CLOCK ? preferred : MOST_CLOCK) &&
           !(mode->type & ~(uint32_t)DRM_MODE_TYPE_ALL) &&
           !(mode->flags & ~(uint32_t)(DRM_MODE_FLAG_ALL | DRM_MODE_FLAG_PIC_AR_MASK)) &&
           !(mode->flags & DRM_MODE_FLAG_INTERLACE) && mode->hdisplay &&
           mode->hdisplay <= KMS_MOST && mode->hsync_start >= mode->hdisplay &&
           mode->hsync_end >= mode->hsync_start && mode->htotal >= mode->hsync_end &&
           mode->vdisplay && mode->vdisplay <= KMS_MOST && mode->vsync_start >= mode->vdisplay &&
           mode->vsync_end >= mode->vsync_start && mode->vtotal >= mode->vsync_end;
}

uint32_t kms_mode_rate(const struct drm_mode_modeinfo *mode)
{
    uint64_t pixels = (uint64_t)mode->htotal * mode->vtotal;
    uint64_t rate = pixels ? (uint64_t)mode->clock * 1000000 / pixels : 0;
    return rate < UINT32_MAX ? (uint32_t)rate : UINT32_MAX;
}

/* --- EDID --- */

void kms_screen_size(uint32_t *width, uint32_t *height)
{
    const struct drm_mode_modeinfo *mode = kms_mode(0);
    *width = mode->hdisplay * 254u / 960; /* 96 pixels per inch */
    *height = mode->vdisplay * 254u / 960;
}

/* Writes the detailed timing of a mode: one of the four blocks of 18 bytes in the EDID. */
static void describe(uint8_t block[18], const struct drm_mode_modeinfo *mode)
{
    uint32_t clock = mode->clock / 10, across = mode->hdisplay, down = mode->vdisplay;
    uint32_t blank = mode->htotal - across, blank_lines = mode->vtotal - down;
    uint32_t front = mode->hsync_start - across, sync = mode->hsync_end - mode->hsync_start;
    uint32_t front_lines = mode->vsync_start - down, lines = mode->vsync_end - mode->vsync_start;
    uint32_t width, height;
    kms_screen_size(&width, &height);
    const uint8_t bytes[18] = {
        (uint8_t)clock,
        (uint8_t)(clock >> 8),
        (uint8_t)across,
        (uint8_t)blank,
        (uint8_t)(across >> 8 << 4 | blank >> 8),
        (uint8_t)down,
        (uint8_t)blank_lines,
        (uint8_t)(down >> 8 << 4 | blank_lines >> 8),
        (uint8_t)front,
        (uint8_t)sync,
        (uint8_t)((front_lines & 15) << 4 | (lines & 15)),
        (uint8_t)((front >> 8) << 6 | (sync >> 8) << 4 | (front_lines >> 4) << 2 | lines >> 4),
        (uint8_t)width,
        (uint8_t)height,
        (uint8_t)(width >> 8 << 4 | height >> 8),
        0,
        0,
        (uint8_t)(0x18 | (mode->flags & DRM_MODE_FLAG_PVSYNC ? 4 : 0) |
                  (mode->flags & DRM_MODE_FLAG_PHSYNC ? 2 : 0)),
    };
    memcpy(block, bytes, sizeof bytes);
}

/* Lists all modes except the preferred one. Three of them are bits of the established timings. The
 * others are standard timings. */
static void list_usual(uint8_t edid[KMS_EDID_BYTES])
{
    uint8_t *standard = edid + 38;
    memset(standard, 1, 16);
    for (uint32_t i = 1; i < mode_count; i++) {
        const struct drm_mode_modeinfo *mode = &modes[i];
        if (mode->vdisplay == 480)
            edid[35] |= 0x20;
        else if (mode->vdisplay == 600)
            edid[35] |= 0x01;
        else if (mode->vdisplay == 768)
            edid[36] |= 0x08;
        else {
            *standard++ = (uint8_t)(mode->hdisplay / 8 - 31);
            /* aspect ratio 5:4 or 16:9; 60 Hz */
            *standard++ = mode->vdisplay == 1024 ? 0x80 : 0xc0;
        }
    }
}

void kms_edid(uint8_t edid[KMS_EDID_BYTES])
{
    static const uint8_t head[] = {
        0,    255,  255, 255, 255,  255, 255, 0,
        0x52, 0x73, 1,   0,   1,    0,   0,   0, /* manufacturer TSS, product 1, serial number 1 */
        1,    34,   1,   3,   0x80,              /* week 1 of 2024; EDID 1.3; a digital input */
    };
    static const uint8_t srgb[] = {0xee, 0x91, 0xa3, 0x54, 0x4c,
                                   0x99, 0x26, 0x0f, 0x50, 0x54}; /* primaries, white point */
    static const uint8_t name[18] = {0,   0,   0,   0xfc, 0,   'T', 'e', 's', 's',
                                     'e', 'r', 'a', '\n', ' ', ' ', ' ', ' ', ' '};
    static const uint8_t range[18] = {0,   0, 0,    0xfd, 0,   1,   240, 1,   255,
                                      255, 0, '\n', ' ',  ' ', ' ', ' ', ' ', ' '};
    static const uint8_t nothing[18] = {0, 0, 0, 0x10};
    uint32_t width, height, sum = 0;
    kms_screen_size(&width, &height);
    memset(edid, 0, KMS_EDID_BYTES);
    memcpy(edid, head, sizeof head);
    edid[21] = (uint8_t)((width + 5) / 10);
    edid[22] = (uint8_t)((height + 5) / 10);
    edid[23] = 120;  /* gamma 2.2, encoded as 220 - 100 */
    edid[24] = 0x0e; /* RGB, sRGB, the first timing is the preferred one */
    memcpy(edid + 25, srgb, sizeof srgb);
    list_usual(edid);
    describe(edid + 54, kms_mode(0));
    memcpy(edid + 72, name, sizeof name);
    memcpy(edid + 90, range, sizeof range);
    memcpy(edid + 108, nothing, sizeof nothing);
    for (unsigned i = 0; i < KMS_EDID_BYTES - 1; i++)
        sum += edid[i];
    edid[KMS_EDID_BYTES - 1] = (uint8_t)-sum;
}
