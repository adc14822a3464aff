/* SPDX-License-Identifier: MIT */
/* texture.c - measures the texture unit on one core, in millions of texels per second, for each
 * texture type and filter. A request reads 16 texels. The coordinates move over a 256x256 texture
 * as in a rasteriser, in quads whose pixels are one to three texels apart. The figure is the best
 * of 20 runs. An argument selects the types whose names begin with it. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/bits.h"
#include "vc4/tmu/tmu.h"

enum {
    SIZE = 256,
    LEVELS = 9,
    BASE = 0x100000,
    MEMORY = 0x200000,
    REQUESTS = 5000,
    RUNS = 20,
    STARTS = 64, /* number of different sets of coordinates */
};

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
    {"RGBA64",   15},
    {"RGBA32R",  16},
    /* clang-format on */
};

static const struct {
    const char *name;
    uint32_t mag_nearest, min, levels;
    float step; /* distance of neighbouring pixels, in texels */
} filters[] = {
    {"nearest", 1, MIN_NEAREST, 1, 1},
    {"bilinear", 0, MIN_LINEAR, 1, 0.9f},
    {"nearest, near level", 1, NEAR_MIP_NEAR, LEVELS, 3},
    {"bilinear, near level", 0, LIN_MIP_NEAR, LEVELS, 3},
    {"trilinear", 0, LIN_MIP_LIN, LEVELS, 3},
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Sets the coordinates of four adjacent quads. */
static void place(lanes *s, lanes *t, unsigned start, float step)
{
    for (unsigned i = 0; i < LANES; i++) {
        float x = (float)(start * 37) + step * (float)(i / 4 * 2 + i % 2);
        float y = (float)(start * 11) + step * (float)(i / 2 % 2);
        (*s)[i] = float_bits((x + 0.25f) / SIZE);
        (*t)[i] = float_bits((y + 0.25f) / SIZE);
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
        place(&s[i], &t[i], i, filters[filter].step);
    uint32_t number = types[type].type;
    const uint32_t parameter[2] = {
        BASE | (number & 15) << 4 | (filters[filter].levels - 1),
        number >> 4 << 31 | SIZE << 20 | 1 << 19 | SIZE << 8 | filters[filter].mag_nearest << 7 |
            filters[filter].min << 4,
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

static void print_type(struct tmu *tmu, const struct tmu_ports *ports, unsigned type)
{
    for (unsigned filter = 0; filter < sizeof filters / sizeof *filters; filter++)
        printf("%-9s %-21s %7.1f M texels/s\n", types[type].name, filters[filter].name,
               measure(tmu, ports, type, filter));
}

int main(int argc, char **argv)
{
    struct fault_log log = {0};
    struct bus bus = {.log = &log};
    static struct tmu unit;
    static struct tmu_textures textures;
    const struct tmu_ports ports = {.bus = &bus, .log = &log, .textures = &textures};
    if (bus_map(&bus, 0, MEMORY, NULL) != TESS_OK)
        return 1;
    for (uint32_t i = 0; i < MEMORY; i++)
        bus.regions[0].host[i] = (uint8_t)(i * 2654435761u >> 24);
    for (unsigned type = 0; type < sizeof types / sizeof *types; type++)
        if (argc < 2 || strncmp(types[type].name, argv[1], strlen(argv[1])) == 0)
            print_type(&unit, &ports, type);
    if (log.errors)
        printf("%llu findings\n", (unsigned long long)log.errors);
    bus_free(&bus);
    return 0;
}
