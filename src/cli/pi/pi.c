/* SPDX-License-Identifier: MIT */
/* pi.c - tessera pi: runs a bare-metal kernel on a modelled Raspberry Pi (docs/pi-machine.md).
 *
 * In:  options; a kernel or a boot folder.
 * Out: a machine, its outputs, an exit status. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/pi/arguments.h"
#include "cli/pi/card.h"
#include "cli/pi/engine.h"
#include "cli/pi/kernel.h"
#include "cli/pi/run.h"
#include "cli/pi/sound.h"
#include "cli/pi/symbols.h"
#include "front/report.h"

/* A run and its SD card. The run comes first, because callbacks of the machine get its address. */
struct board_run {
    struct run run;
    struct card card;
};

static bool read_card(void *user, uint64_t position, void *to, uint32_t size)
{
    return card_read(&((struct board_run *)user)->card, position, to, size);
}

static bool write_card(void *user, uint64_t position, const void *from, uint32_t size)
{
    return card_write(&((struct board_run *)user)->card, position, from, size);
}

/* Applies options, which are stronger than config.txt. */
static void apply_arguments(const struct arguments *arguments, struct kernel *kernel)
{
    if (arguments->address != ARGUMENTS_NONE) {
        kernel->has_address = true;
        kernel->address = (uint32_t)arguments->address;
    }
    if (arguments->gpu_mib != ARGUMENTS_NONE)
        kernel->gpu_mib = (uint32_t)arguments->gpu_mib;
    if (arguments->rate != ARGUMENTS_NONE)
        kernel->board.clock_rates[TESS_PI_CLOCK_ARM] = (uint32_t)arguments->rate;
    if (arguments->append)
        snprintf(kernel->command_line, sizeof kernel->command_line, "%s", arguments->append);
    if (arguments->dtb)
        snprintf(kernel->device_tree, sizeof kernel->device_tree, "%s", arguments->dtb);
    if (arguments->initrd) {
        snprintf(kernel->initrd, sizeof kernel->initrd, "%s", arguments->initrd);
        kernel->initrd_address = 0;
    }
}

static enum tess_status create(struct board_run *own, const struct kernel *kernel)
{
    struct run *run = &own->run;
    const struct arguments *arguments = run->arguments;
    const struct tess_vc4_options vc4 = {
        .machine.threads = (uint32_t)arguments->threads,
        .machine.sanitize = arguments->sanitize || arguments->strict,
        .machine.strict = arguments->strict,
    };
    const struct tess_pi_machine_options machine = {
        .sink = {run_take_finding, run},
        .board = &kernel->board,
        .engine = engine_load(arguments->title),
        .vc4 = &vc4,
        .wide = kernel->wide,
        .vc_size = kernel->gpu_mib << 20,
        .endless_wait = !arguments->window, /* the user wants to see the last picture */
        .open_inputs = run->live,
        .display = kernel->display,
        .user = own,
        .uart = run_take_byte,
        .pin = arguments->gpio_log ? run_take_pin : NULL,
        .card_read = read_card,
        .card_write = write_card,
        .card_size = own->card.size,
    };
    if (!machine.engine)
        return TESS_IO;
    enum tess_status status = tess_pi_machine_create(&run->machine, &machine);
    if (status != TESS_OK)
        fprintf(stderr,
                "%s: cannot create the board %s with %u MiB of memory, of which the GPU gets %u "
                "MiB: %s; choose another size by --gpu-mem, or by total_mem and gpu_mem in "
                "config.txt\n",
                arguments->title, machine.board->name, machine.board->memory_size >> 20,
                kernel->gpu_mib, tess_status_text(status));
    return status;
}

/* Runs a loaded machine, and records its sound if --audio is given. */
static enum tess_status run_with_sound(struct run *run)
{
    const struct arguments *arguments = run->arguments;
    if (!arguments->audio)
        return run_machine(run);
    FILE *file = sound_begin(arguments->title, run->machine);
    if (!file)
        return TESS_IO;
    enum tess_status status = run_machine(run);
    return sound_end(arguments->title, run->machine, file, arguments->audio) ? status : TESS_IO;
}

/* Loads the kernel and runs the machine, and records the V3D's work if --capture is given. */
static enum tess_status load_and_run(struct run *run, const struct kernel *kernel)
{
    const char *title = run->arguments->title;
    enum tess_status status = TESS_IO;
    run->symbols = symbols_read(kernel->path);
    if (run->arguments->capture && !capture_begin(&run->capture, run->machine))
        fprintf(stderr, "%s: not enough memory for --capture\n", title);
    else if (kernel_start(title, kernel, run->machine))
        status = run_with_sound(run);
    capture_end(&run->capture);
    frames_free(&run->frames);
    tess_pi_symbols_close(run->symbols);
    return status;
}

/* Opens the other ends of serial line and display, and runs a machine between them. */
static enum tess_status open_and_run(struct board_run *own, const struct kernel *kernel)
{
    struct run *run = &own->run;
    const struct arguments *arguments = run->arguments;
    bool gdb = arguments->gdb_port != ARGUMENTS_NONE;
    preview_open(&run->preview, arguments->preview);
    if (!pin_log_open(&run->pin_log, arguments->title, arguments->gpio_log) ||
        !line_open(&run->line, arguments->title, arguments->uart, arguments->input, !gdb))
        return TESS_IO;
    run->live = !gdb && (line_is_live(&run->line) || arguments->window);
    enum tess_status status = TESS_IO;
    if (!arguments->window || (run->window = window_open(arguments->title)))
        status = create(own, kernel) == TESS_OK ? load_and_run(run, kernel) : TESS_IO;
    tess_pi_machine_destroy(run->machine);
    window_close(run->window);
    bool good = line_close(&run->line);
    return pin_log_close(&run->pin_log) && good ? status : TESS_IO;
}

static int run_kernel(struct arguments *arguments)
{
    struct kernel kernel;
    struct report report = {.quiet = arguments->quiet,
                            .strict = arguments->strict,
                            .policy = &arguments->verdict.policy};
    struct board_run own = {
        .run =
            {
                .arguments = arguments,
                .until = arguments->until,
                .expected = arguments->expected,
                .pins = arguments->pins,
                .frames = {.title = arguments->title, .folder = arguments->frames},
                .sink = report_sink(&report),
            },
    };
    if (!kernel_find(arguments->title, arguments->path, arguments->board, &kernel))
        return CLI_USAGE;
    apply_arguments(arguments, &kernel);
    if (!card_open(arguments->title, arguments->card, &own.card))
        return CLI_USAGE;
    if (!verdict_begin(&arguments->verdict, arguments->path))
        return CLI_USAGE;
    enum tess_status status = open_and_run(&own, &kernel);
    card_close(&own.card);
    report_total(&report);
    int result = verdict_end(&arguments->verdict, verdict_status(&report, status));
    report_free(&report);
    return result;
}

int cli_pi(int argc, char **argv)
{
    struct arguments arguments;
    int status = arguments_parse(&arguments, argc, argv);
    return status == OPTIONS_PARSED ? run_kernel(&arguments) : status;
}
