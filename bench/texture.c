/* SPDX-License-Identifier: MIT */
/* texture.c - measures the texture unit on one core, in millions of texels per second, for each
 * texture type and filter. A request reads 16 texels. The coordinates move over 256x256 or 200x150
 * texels as in a rasteriser, in quads whose pixels are one to three texels apart. The
 * figure is the best of 20 runs. One argument selects the types whose names begin with it, a second
 * argument selects the filters. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/bits.h"
#include "vc4/tmu/tmu.h"

enum {
    LEVELS = 9,
    BASE = 0x100000,
    MEMORY = 0x200000,
    REQUESTS = 5000,
    RUNS = 20,
    STARTS = 64, /* number of different sets of coordinates */
};

enum { REPEAT = 0, CLAMP = 5 }; /* wrap modes of both axes */
enum { RGBA64 = 15 };           /* type with 16-bit floats */
enum { MIN_LINEAR, MIN_NEAREST, NEAR_MIP_NEAR, NEAR_MIP_LIN, LIN_MIP_NEAR, LIN_MIP_LIN };

static const struct {
    const char *name;
    uint32_t type;
} types[] = {
    /* clang-format off */
    {"RGBA8888", 0},
    {"RGB565",   4},
    {"ETC1",     8},
    {"ALPHA",    6},
    {"RGBA64",   RGBA64},
    {"RGBA32R",  16},
    /* clang-format on */
};

static const struct {
    const char *name;
    uint32_t mag_nearest, min, levels;
    float step; /* distance of neighbouring pixels, in texels */
    uint32_t width, height, wrap;
    bool cached; /* true to model caches */
} filters[] = {
    /* clang-format off */
    {"nearest",              1, MIN_NEAREST,   1,      1,    256, 256, REPEAT, false},
    {"bilinear",             0, MIN_LINEAR,    1,      0.9f, 256, 256, REPEAT, false},
    {"nearest, near level",  1, NEAR_MIP_NEAR, LEVELS, 3,    256, 256, REPEAT, false},
    {"bilinear, near level", 0, LIN_MIP_NEAR,  LEVELS, 3,    256, 256, REPEAT, false},
    {"trilinear",            0, LIN_MIP_LIN,   LEVELS, 3,    256, 256, REPEAT, false},
    {"odd sizes, bilinear",  0, MIN_LINEAR,    1,      0.9f, 200, 150, CLAMP,  false},
    {"caches, nearest",      1, MIN_NEAREST,   1,      1,    256, 256, REPEAT, true},
    {"caches, bilinear",     0, MIN_LINEAR,    1,      0.9f, 256, 256, REPEAT, true},
    {"caches, trilinear",    0, LIN_MIP_LIN,   LEVELS, 3,    256, 256, REPEAT, true},
    /* clang-format on */
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Sets the coordinates of four adjacent quads. With caches, the quads of the next set are to their
 * right; otherwise they are anywhere. */
static void place(lanes *s, lanes *t, unsigned start, unsigned filter)
{
    const float step = filters[filter].step;
    const bool row = filters[filter].cached;
    const float left = row ? step * (float)(start * 8 % 256) : (float)(start * 37);
    const float top = row ? step * (float)(start / 32 * 2) : (float)(start * 11);
    for (unsigned i = 0; i < LANES; i++) {
        float x = left + step * (float)(i / 4 * 2 + i % 2);
        float y = top + step * (float)(i / 2 % 2);
        (*s)[i] = float_bits((x + 0.25f) / (float)filters[filter].width);
        (*t)[i] = float_bits((y + 0.25f) / (float)filters[filter].height);
    }
}

static void run(struct tmu *tmu, const struct tmu_ports *ports, const lanes s[STARTS],
                const lanes t[STARTS], const uint32_t parameter[2])
{
    lanes result;
    for (unsigned i = 0; i < REQUESTS; i++) {
        tmu_write(tmu, ports, 0, TMU_T, &t[i % STARTS], parameter[0]);
        tmu_write(tmu, ports, 0, TMU_S, &s[i % STARTS], parameter[1]);
        while (tmu_read(tmu, 0, &result))
            continue;
    }
}

static double measure(struct tmu *tmu, const struct tmu_ports *ports, unsigned type,
                      unsigned filter)
{
    static lanes s[STARTS], t[STARTS];
    for (unsigned i = 0; i < STARTS; i++)
        place(&s[i], &t[i], i, filter);
    uint32_t number = types[type].type;
    const uint32_t parameter[2] = {
        BASE | (number & 15) << 4 | (filters[filter].levels - 1),
        number >> 4 << 31 | filters[filter].height << 20 | 1 << 19 | filters[filter].width << 8 |
            filters[filter].mag_nearest << 7 | filters[filter].min << 4 | filters[filter].wrap,
    };
    double best = 1e9;
    for (unsigned i = 0; i < RUNS; i++) {
        double start = now();
        run(tmu, ports, s, t, parameter);
        double time = now() - start;
        best = time < best ? time : best;
    }
    return REQUESTS * (double)LANES / best * 1e-6;
}

static bool begins_with(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

/* Prints the figures of a type, for the filters whose names begin with `names`. */
static void print_type(struct tmu *tmu, struct tmu_ports *ports, struct shared_units *units,
                       unsigned type, const char *names)
{
    for (unsigned filter = 0; filter < sizeof filters / sizeof *filters; filter++) {
        if (!begins_with(filters[filter].name, names))
            continue;
        ports->slices = filters[filter].cached ? units : NULL;
        printf("%-9s %-21s %7.1f M texels/s\n", types[type].name, filters[filter].name,
               measure(tmu, ports, type, filter));
    }
}

/* Fills the memory with random bytes, or with random 16-bit floats whose magnitude is below 2. */
static void fill(uint8_t *memory, bool halves)
{
    for (uint32_t i = 0; i < MEMORY; i++)
        memory[i] = (uint8_t)(i * 2654435761u >> 24 & (halves && i % 2 ? 0xbf : 0xff));
}

int main(int argc, char **argv)
{
    struct fault_log log = {0};
    struct bus bus = {.log = &log};
    static struct tmu unit;
    static struct tmu_textures textures;
    static struct shared_units units;
    struct tmu_ports ports = {.bus = &bus, .log = &log, .textures = &textures};
    shared_units_clear(&units);
    if (bus_map(&bus, 0, MEMORY, NULL) != TESS_OK)
        return 1;
    for (unsigned type = 0; type < sizeof types / sizeof *types; type++) {
        if (argc > 1 && !begins_with(types[type].name, argv[1]))
            continue;
        fill(bus.regions[0].host, types[type].type == RGBA64);
        print_type(&unit, &ports, &units, type, argc < 3 ? "" : argv[2]);
    }
    if (log.errors)
        printf("%llu findings\n", (unsigned long long)log.errors);
    bus_free(&bus);
    return 0;
}
