/* SPDX-License-Identifier: MIT */
/* example.c - see example.h. */
#include "example.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USAGE = 2, TIMEOUT_MS = 60000 };

/* --- the command line --- */

static void print_usage(const struct example *example, FILE *to)
{
    fprintf(to, "usage: %s [--direct] [--qpus N]", example->name);
    for (unsigned i = 0; i < example->count; i++)
        fprintf(to, " [%s]", example->parameters[i].name);
    fprintf(to, "\n%s\n\n", example->help);
    for (unsigned i = 0; i < example->count; i++) {
        const struct parameter *one = &example->parameters[i];
        if (one->preset_text)
            fprintf(to, "  %-10s %s (%s)\n", one->name, one->help, one->preset_text);
        else
            fprintf(to, "  %-10s %s, %.15g to %.15g (%.15g)\n", one->name, one->help, one->least,
                    one->most, one->preset);
    }
    fprintf(to,
            "  --direct   start the programs by registers, not by the firmware's mailbox\n"
            "  --qpus N   how many processors, 1 to %d (%d)\n",
            GPU_QPUS_MOST, GPU_QPUS_MOST);
}

__attribute__((noreturn)) static void refuse(const struct example *example, const char *what)
{
    fprintf(stderr, "%s: %s\n", example->name, what);
    print_usage(example, stderr);
    exit(USAGE);
}

static double number(const struct example *example, const struct parameter *one, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    char message[160];
    snprintf(message, sizeof message, "%s is from %.15g to %.15g, not %.60s", one->name, one->least,
             one->most, text);
    /* !(a && b): NaN is in no range */
    if (end == text || *end || !(value >= one->least && value <= one->most))
        refuse(example, message);
    return one->whole ? floor(value) : value;
}

static void take_argument(const struct example *example, unsigned index, const char *text)
{
    if (index >= example->count)
        refuse(example, "too many arguments");
    struct parameter *one = &example->parameters[index];
    if (one->preset_text)
        one->text = text;
    else
        one->value = number(example, one, text);
}

static void take_presets(struct example *example)
{
    example->launch = GPU_MAILBOX;
    example->qpus = GPU_QPUS_MOST;
    for (unsigned i = 0; i < example->count; i++) {
        example->parameters[i].value = example->parameters[i].preset;
        example->parameters[i].text = example->parameters[i].preset_text;
    }
}

/* Parses the command line. Ends the program if it is invalid, and after --help. */
static void take_arguments(struct example *example, int argc, char **argv)
{
    static const struct parameter qpus = {
        .name = "--qpus", .least = 1, .most = GPU_QPUS_MOST, .whole = true};
    unsigned taken = 0;
    take_presets(example);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            print_usage(example, stdout);
            exit(EXIT_SUCCESS);
        }
        if (strcmp(argv[i], "--direct") == 0)
            example->launch = GPU_DIRECT;
        else if (strcmp(argv[i], "--qpus") == 0 && i + 1 < argc)
            example->qpus = (unsigned)number(example, &qpus, argv[++i]);
        else if (strncmp(argv[i], "--", 2) == 0)
            refuse(example, "unknown option, or one without its value");
        else
            take_argument(example, taken++, argv[i]);
    }
}

/* --- running --- */

int example_main(struct example *example, int argc, char **argv)
{
    take_arguments(example, argc, argv);
    struct gpu *gpu = gpu_open();
    int status = gpu ? example->run(gpu, example) : EXIT_FAILURE;
    gpu_close(gpu);
    return status;
}

double example_run(struct gpu *gpu, const struct example *example, struct gpu_kernel *kernel)
{
    double start = gpu_seconds();
    bool done = gpu_run(gpu, kernel, example->launch, TIMEOUT_MS);
    double seconds = gpu_seconds() - start;
    if (done)
        printf("%u QPU%s: %.3f ms\n", kernel->qpus, kernel->qpus == 1 ? "" : "s", 1e3 * seconds);
    gpu_unload(gpu, kernel);
    return done ? seconds : -1;
}

/* --- data --- */

float example_random(uint32_t *state)
{
    /* Numerical Recipes' generator. Its high bits are good enough, and 24 of them are converted to
     * a float. */
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    return (float)((int32_t)(*state >> 8) - (1 << 23)) * 0x1p-23f;
}

void *example_allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory)
        return memory;
    fprintf(stderr, "out of memory\n");
    exit(USAGE);
}

/* --- results --- */

double example_bound(double operations)
{
    return expm1(operations * log1p(QPU_EPSILON));
}

void compare(struct comparison *comparison, uint64_t index, double got, double expected,
             double bound)
{
    enum { SHOWN = 5 };
    double error = fabs(got - expected);
    comparison->count++;
    if (error <= bound) { /* false for NaN */
        if (bound > 0)
            comparison->worst = fmax(comparison->worst, error / bound);
        return;
    }
    if (comparison->wrong++ < SHOWN)
        printf("wrong: element %llu is %.9g, but must be %.9g, off by %.3g at most\n",
               (unsigned long long)index, got, expected, bound);
}

int compare_status(const struct comparison *comparison)
{
    if (comparison->wrong || !comparison->count) {
        printf("%llu of %llu results are wrong\n", (unsigned long long)comparison->wrong,
               (unsigned long long)comparison->count);
        return EXIT_FAILURE;
    }
    printf("all %llu results are right; the largest error is %.3g %% of the bound\n",
           (unsigned long long)comparison->count, 100 * comparison->worst);
    return EXIT_SUCCESS;
}
