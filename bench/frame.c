/* SPDX-License-Identifier: MIT */
/* frame.c - measures whole scenes, from loading the ELF file to writing the PNG file.
 *
 * "frame SCENE..." prints the best and the median time of 20 runs of each scene, in
 * milliseconds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <tessera/scene.h>

enum { RUNS = 20 };

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the time of one run in milliseconds, or a negative number if the run fails. */
static double run(const char *path)
{
    double start = now_ms();
    struct tess_sink sink = {0};
    struct tess_scene *scene;
    if (tess_scene_load(&scene, path, sink) != TESS_OK)
        return -1.0;
    struct tess_scene_options options = {.output = "bench-frame.png"};
    enum tess_status status = tess_scene_run(scene, &options, sink, NULL);
    tess_scene_free(scene);
    return status == TESS_OK ? now_ms() - start : -1.0;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        double times[RUNS];
        for (int n = 0; n < RUNS; n++)
            times[n] = run(argv[i]);
        qsort(times, RUNS, sizeof *times, by_value);
        if (times[0] < 0) {
            printf("%-60s failed\n", argv[i]);
            failed = 1;
            continue;
        }
        printf("%-60s best %6.2f ms, median %6.2f ms\n", argv[i], times[0], times[RUNS / 2]);
    }
    remove("bench-frame.png");
    return failed;
}
