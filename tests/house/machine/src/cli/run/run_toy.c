/* SPDX-License-Identifier: MIT */
/* run_toy.c - tessera run -m toy: runs a source for four items, and prints results and counts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/toy.h>

#include "cli/cli.h"
#include "cli/run/run_toy.h"
#include "front/report.h"

enum { ITEMS = 4 };

int run_toy(int argc, char **argv)
{
    struct report report = {0};
    const struct tess_asm_options how = {.machine = TESS_MACHINE_TOY, .skip_check = true};
    const struct tess_toy_options options = {.machine = {.sink = report_sink(&report)}};
    const char *const path = argv[argc - 1];
    uint32_t results[ITEMS] = {0}, words[256];
    struct tess_toy_stats stats;
    struct tess_toy *toy;
    uint8_t *bytes;
    size_t size;
    enum tess_status status = tess_assemble(&path, 1, &how, options.machine.sink, &bytes, &size);
    if (status != TESS_OK)
        return cli_exit_status(status);
    memcpy(words, bytes, size < sizeof words ? size : sizeof words);
    tess_free(bytes);
    if ((status = tess_toy_create(&toy, &options)) != TESS_OK)
        return cli_exit_status(status);
    status = tess_toy_load(toy, words, size / 4);
    if (status == TESS_OK)
        status = tess_toy_run(toy, results, ITEMS);
    tess_toy_get_stats(toy, &stats);
    for (unsigned i = 0; i < ITEMS; i++)
        printf("%" PRIu32 "\n", results[i]);
    printf("%" PRIu64 " items, %" PRIu64 " instructions\n", stats.items, stats.instructions);
    tess_toy_destroy(toy);
    report_total(&report);
    return report_fails(&report, status == TESS_WRONG) ? CLI_WRONG : cli_exit_status(status);
}
