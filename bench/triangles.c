/* SPDX-License-Identifier: MIT */
/* triangles.c - measures whole frames of triangles.qasm. A frame has 1280 x 720 pixels and 10,000
 * small textured triangles, which are binned, drawn and stored. Measures with shaded vertices (NV)
 * and with vertex shaders (GL), with one host thread and with two.
 *
 * Prints the best frames per second of several runs, computed from the elapsed time and from the
 * calling thread's processor time, which other load on the machine affects less. Also prints the
 * increase of the process's peak memory, including mapped memory, and the frames per second of
 * Mesa's software drivers if OSMesa is installed. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include <tessera/isa.h>
#include <tessera/scene.h>

#include "triangles_mesa.h"

enum { RUNS = 7, FRAMES = 10 };
#define FRAMES_TEXT "10"

struct figures {
    double elapsed, busy; /* elapsed time and processor time of the calling thread, per frame */
};

static double read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double peak_mib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static void show(void *user, const struct tess_finding *diag)
{
    (void)user;
    fprintf(stderr, "%s: %s\n", diag->id, diag->text);
}

static const struct tess_sink sink = {show, NULL};

/* Returns the scene, or NULL if the source has errors. */
static struct tess_scene *load(bool gl)
{
    static const struct tess_asm_define defines[] = {{"FRAMES", FRAMES_TEXT}, {"GL", "1"}};
    static const char *const path = BENCH_SOURCE "/triangles.qasm", *const include = BENCH_INCLUDE;
    const struct tess_asm_options options = {
        .format = TESS_ASM_ELF,
        .include_dirs = &include,
        .include_dir_count = 1,
        .defines = defines,
        .define_count = gl ? 2 : 1,
        .skip_check = true,
    };
    struct tess_scene *scene = NULL;
    uint8_t *bytes = NULL;
    size_t size;
    if (tess_assemble(&path, 1, &options, sink, &bytes, &size) == TESS_OK)
        tess_scene_load_memory(&scene, bytes, size, "triangles", sink);
    tess_free(bytes);
    return scene;
}

static double lesser(double one, double other)
{
    return one < other ? one : other;
}

static struct figures measure(struct tess_scene *scene, uint32_t threads)
{
    const struct tess_scene_options options = {.threads = threads, .quiet_files = true};
    struct figures best = {1e9, 1e9};
    for (unsigned i = 0; i < RUNS; i++) {
        double elapsed = read_clock(CLOCK_MONOTONIC), busy = read_clock(CLOCK_THREAD_CPUTIME_ID);
        if (tess_scene_run(scene, &options, sink, NULL) != TESS_OK)
            exit(1);
        best.elapsed = lesser(best.elapsed, (read_clock(CLOCK_MONOTONIC) - elapsed) / FRAMES);
        best.busy = lesser(best.busy, (read_clock(CLOCK_THREAD_CPUTIME_ID) - busy) / FRAMES);
    }
    return best;
}

/* Measures the same triangles with Mesa's software drivers. Prints the ratio of each driver's time
 * to `seconds`, the model's time of a frame. */
static void show_peers(double seconds)
{
#ifdef HAVE_OSMESA
    static const char *const drivers[] = {"softpipe", "llvmpipe"};
    for (unsigned i = 0; i < 2; i++) {
        double peer = mesa_seconds(drivers[i]);
        if (peer > 0)
            printf("Mesa's %s on one thread: %5.1f frames/s, ratio %.2f\n", drivers[i], 1 / peer,
                   peer / seconds);
    }
#else
    (void)seconds;
    printf("no peer: OSMesa is not installed\n");
#endif
}

/* Measures and prints one mode. Returns the processor time of a frame with one thread, in
 * seconds. */
static double compare(const char *mode, bool gl)
{
    struct tess_scene *scene = load(gl);
    if (!scene)
        exit(1);
    double before = peak_mib();
    struct figures one = measure(scene, 1), two = measure(scene, 2);
    printf("%s: one thread %5.1f frames/s (by processor time %5.1f), two %5.1f (%5.1f), ratio %.2f "
           "(%.2f), memory %.0f MiB\n",
           mode, 1 / one.elapsed, 1 / one.busy, 1 / two.elapsed, 1 / two.busy,
           one.elapsed / two.elapsed, one.busy / two.busy, peak_mib() - before);
    tess_scene_free(scene);
    return one.busy;
}

int main(void)
{
    compare("NV", false);
    show_peers(compare("GL", true));
    return 0;
}
