/* SPDX-License-Identifier: MIT */
/* pi.c - tessera pi: runs a bare-metal kernel on a modelled Raspberry Pi (docs/pi-machine.md).
 *
 * In:  options; a kernel or a boot folder.
 * Out: bytes of the UARTs, pictures, findings; an exit status. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/pi/card.h"
#include "cli/pi/engine.h"
#include "cli/pi/frames.h"
#include "cli/pi/gdb_server.h"
#include "cli/pi/kernel.h"
#include "cli/pi/pins.h"
#include "cli/pi/record.h"
#include "cli/pi/symbols.h"
#include "cli/pi/until.h"
#include "cli/suggest.h"
#include "cli/verdict_options.h"
#include "front/report.h"

/* clang-format off */
static const char help[] =
    "Usage: tessera pi [OPTION]... KERNEL\n"
    "Run a bare-metal kernel on a modelled Raspberry Pi: a raw image (kernel.img, kernel7.img),\n"
    "an ELF file, or a boot folder with config.txt (docs/pi-machine.md). Bytes that the kernel\n"
    "sends by its UARTs go to standard output.\n"
    "\n"
    "      --board NAME                the board: zero, pi1, pi2 or pi3 (default: by the kernel's\n"
    "                                  name, otherwise zero)\n"
    "      --gpu-mem MIB               set the GPU memory in MiB (default: 64, or config.txt's)\n"
    "      --clock RATE                set the clock rate of the ARM, such as 700M (default: the\n"
    "                                  board's)\n"
    "      --address N                 load a raw image at address N (default 0x8000)\n"
    "      --dtb FILE                  pass a device tree blob to the kernel\n"
    "      --initrd FILE               pass an initial RAM disk to the kernel\n"
    "      --append TEXT               pass a command line to the kernel\n"
    "      --card FILE                 insert an SD card with the image FILE, which the kernel\n"
    "                                  may write\n"
    "      --gpio PIN=LEVEL[@TIME]     set the level of a pin from outside, at a time such as 2s\n"
    "      --uart FILE                 write the bytes of the UARTs to FILE\n"
    "      --input FILE                send the bytes of FILE to the UARTs\n"
    "  -o, --output FILE               write the last picture to FILE\n"
    "      --frames DIR                write each picture that differs from the one before to DIR\n"
    "      --audio FILE                write the sound of PWM and PCM to FILE, a WAV file\n"
    "      --until CONDITION           end at uart:TEXT, frames:N, time:SECONDS or finding; may\n"
    "                                  be repeated (default: when all cores wait forever, or\n"
    "                                  time:10)\n"
    "      --expect-uart TEXT          fail unless the kernel sends TEXT\n"
    "      --expect-frame FILE         fail unless the last picture equals FILE, a PNG file\n"
    "      --gdb PORT                  wait for gdb on port PORT of the loopback address\n"
    "      --threads N                 use N host threads for the V3D, 1 to 64 (default 1)\n"
    "      --sanitize                  detect uninitialised reads and races (slower)\n"
    "      --strict                    treat warnings as errors; implies --sanitize\n"
    "      --stats                     print times and counts to standard error\n"
    "      --quiet                     omit notes\n"
    VERDICT_HELP_TEXT
    "      --help                      print this help\n";

enum {
    OPTION_BOARD = 1,
    OPTION_GPU_MEM,
    OPTION_CLOCK,
    OPTION_ADDRESS,
    OPTION_DTB,
    OPTION_INITRD,
    OPTION_APPEND,
    OPTION_CARD,
    OPTION_GPIO,
    OPTION_UART,
    OPTION_INPUT,
    OPTION_FRAMES,
    OPTION_AUDIO,
    OPTION_UNTIL,
    OPTION_EXPECT_UART,
    OPTION_EXPECT_FRAME,
    OPTION_GDB,
    OPTION_THREADS,
    OPTION_SANITIZE,
    OPTION_STRICT,
    OPTION_STATS,
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_OUTPUT = 'o',
};

static const struct option options[] = {
    /* clang-format off */
    VERDICT_OPTIONS,
    {"board",        required_argument, NULL, OPTION_BOARD},
    {"gpu-mem",      required_argument, NULL, OPTION_GPU_MEM},
    {"clock",        required_argument, NULL, OPTION_CLOCK},
    {"address",      required_argument, NULL, OPTION_ADDRESS},
    {"dtb",          required_argument, NULL, OPTION_DTB},
    {"initrd",       required_argument, NULL, OPTION_INITRD},
    {"append",       required_argument, NULL, OPTION_APPEND},
    {"card",         required_argument, NULL, OPTION_CARD},
    {"gpio",         required_argument, NULL, OPTION_GPIO},
    {"uart",         required_argument, NULL, OPTION_UART},
    {"input",        required_argument, NULL, OPTION_INPUT},
    {"output",       required_argument, NULL, OPTION_OUTPUT},
    {"frames",       required_argument, NULL, OPTION_FRAMES},
    {"audio",        required_argument, NULL, OPTION_AUDIO},
    {"until",        required_argument, NULL, OPTION_UNTIL},
    {"expect-uart",  required_argument, NULL, OPTION_EXPECT_UART},
    {"expect-frame", required_argument, NULL, OPTION_EXPECT_FRAME},
    {"gdb",          required_argument, NULL, OPTION_GDB},
    {"threads",      required_argument, NULL, OPTION_THREADS},
    {"sanitize",     no_argument,       NULL, OPTION_SANITIZE},
    {"strict",       no_argument,       NULL, OPTION_STRICT},
    {"stats",        no_argument,       NULL, OPTION_STATS},
    {"quiet",        no_argument,       NULL, OPTION_QUIET},
    {"help",         no_argument,       NULL, OPTION_HELP},
    {0},
    /* clang-format on */
};
/* clang-format on */

struct arguments {
    const char *title, *path, *board, *append, *dtb, *initrd, *card, *uart, *input;
    const char *output, *frames, *expect_frame, *audio;
    uint64_t gpu_mib, rate, address;
    bool has_address, stats, quiet, strict, help;
    uint64_t threads, gdb_port;
    bool sanitize, gdb;
    struct until until;
    struct awaited expected;
    struct pins pins;
    struct verdict_options verdict;
};

/* --- options --- */

/* Reads a rate such as 700M, 1.2G, arm=900M or 700000000, in Hz. */
static bool take_rate(struct arguments *arguments, const char *text)
{
    char *end;
    const char *number = strncmp(text, "arm=", 4) == 0 ? text + 4 : text;
    double value = strtod(number, &end);
    double unit = *end == 'G' ? 1e9 : *end == 'M' ? 1e6 : *end == 'k' ? 1e3 : 1;
    bool good = end != number && (!*end || (unit > 1 && !end[1]));
    arguments->rate = good && value * unit <= 4e9 ? (uint64_t)(value * unit) : 0;
    if (arguments->rate >= 1000000)
        return true;
    cli_usage_error(arguments->title,
                    "invalid clock rate '%s'; expected 1M to 4G, such as 700M or arm=700M", text);
    return false;
}

static bool take_number(const struct arguments *arguments, const char *option, uint64_t least,
                        uint64_t most, uint64_t *value)
{
    if (cli_number(optarg, value) && *value >= least && *value <= most)
        return true;
    cli_usage_error(arguments->title,
                    "invalid value '%s' for --%s; expected %" PRIu64 " to %" PRIu64, optarg, option,
                    least, most);
    return false;
}

static bool take_board(struct arguments *arguments)
{
    arguments->board = optarg;
    if (tess_pi_board_find(optarg))
        return true;
    cli_usage_error(arguments->title, "unknown board '%s'; expected zero, pi1, pi2 or pi3", optarg);
    return false;
}

static bool take_other(struct arguments *arguments, int option)
{
    switch (option) {
    case OPTION_DTB: arguments->dtb = optarg; return true;
    case OPTION_INITRD: arguments->initrd = optarg; return true;
    case OPTION_APPEND: arguments->append = optarg; return true;
    case OPTION_CARD: arguments->card = optarg; return true;
    case OPTION_UART: arguments->uart = optarg; return true;
    case OPTION_INPUT: arguments->input = optarg; return true;
    case OPTION_OUTPUT: arguments->output = optarg; return true;
    case OPTION_AUDIO: arguments->audio = optarg; return true;
    case OPTION_FRAMES:
        arguments->frames = optarg;
        return frames_make_folder(arguments->title, optarg);
    case OPTION_EXPECT_FRAME: arguments->expect_frame = optarg; return true;
    case OPTION_SANITIZE: return arguments->sanitize = true;
    case OPTION_STRICT: return arguments->strict = arguments->sanitize = true;
    case OPTION_STATS: return arguments->stats = true;
    case OPTION_QUIET: return arguments->quiet = true;
    case OPTION_HELP: return arguments->help = true;
    default: cli_usage_hint(arguments->title); return false;
    }
}

static bool take_option(struct arguments *arguments, int option)
{
    if (verdict_is_option(option))
        return verdict_take(&arguments->verdict, option);
    switch (option) {
    case OPTION_BOARD: return take_board(arguments);
    case OPTION_GPU_MEM: return take_number(arguments, "gpu-mem", 16, 944, &arguments->gpu_mib);
    case OPTION_CLOCK: return take_rate(arguments, optarg);
    case OPTION_ADDRESS:
        arguments->has_address = true;
        return take_number(arguments, "address", 0, UINT32_MAX, &arguments->address);
    case OPTION_GPIO: return pins_take(arguments->title, optarg, &arguments->pins);
    case OPTION_UNTIL: return until_take(arguments->title, optarg, &arguments->until);
    case OPTION_EXPECT_UART: return awaited_set(arguments->title, optarg, &arguments->expected);
    case OPTION_GDB:
        arguments->gdb = true;
        return take_number(arguments, "gdb", 0, 65535, &arguments->gdb_port);
    case OPTION_THREADS:
        return take_number(arguments, "threads", 1, TESS_VC4_MAX_THREADS, &arguments->threads);
    default: return take_other(arguments, option);
    }
}

static bool parse(struct arguments *arguments, int argc, char **argv)
{
    int option;
    arguments->title = arguments->verdict.title = argv[0];
    while ((option = suggest_getopt(argc, argv, "o:" VERDICT_LETTERS, options)) != -1)
        if (!take_option(arguments, option))
            return false;
    if (arguments->help)
        return true;
    if (optind + 1 == argc)
        arguments->path = argv[optind];
    else
        cli_usage_error(arguments->title,
                        optind == argc ? "no kernel given" : "more than one kernel given");
    return arguments->path;
}

/* --- the run --- */

struct run {
    const struct arguments *arguments;
    const struct tess_pi_board *board;
    struct tess_pi_machine *machine;
    struct until until;
    struct awaited expected;
    struct frames frames;
    struct card card;
    struct pins pins;
    struct output uart;
    FILE *input;
    struct tess_sink sink;
    struct tess_pi_symbols *symbols; /* of an ELF file, otherwise NULL */
    struct record *record;           /* while gdb debugs the machine, otherwise NULL */
    uint64_t now;                    /* time up to which the machine has run */
    bool has_finding, broken;
};

static void take_finding(void *user, const struct tess_diag *diag)
{
    struct run *run = user;
    if (run->record && !record_found(run->record))
        return;
    run->sink.report(run->sink.user, diag);
    if (run->machine)
        symbols_note(run->symbols, run->machine, diag, run->sink);
    run->has_finding |= diag->severity != TESS_NOTE;
    if (run->until.finding && run->has_finding && run->machine)
        tess_pi_machine_stop(run->machine);
}

static void take_byte(void *user, bool mini, uint8_t byte)
{
    struct run *run = user;
    (void)mini;
    if (run->record && !record_sent(run->record))
        return;
    fputc(byte, run->uart.stream);
    if (byte == '\n')
        fflush(run->uart.stream);
    awaited_add(&run->expected, (char)byte);
    if (awaited_add(&run->until.uart, (char)byte))
        tess_pi_machine_stop(run->machine);
}

static bool read_card(void *user, uint64_t position, void *to, uint32_t size)
{
    return card_read(&((struct run *)user)->card, position, to, size);
}

static bool write_card(void *user, uint64_t position, const void *from, uint32_t size)
{
    return card_write(&((struct run *)user)->card, position, from, size);
}

/* Sends the next byte of --input, if there is one. */
static void send_byte(struct run *run)
{
    int byte = run->input ? fgetc(run->input) : EOF;
    if (byte == EOF)
        return;
    if (run->record) {
        record_input(run->record, RECORD_UART, (uint8_t)byte);
        return;
    }
    tess_pi_machine_send(run->machine, false, (uint8_t)byte);
    tess_pi_machine_send(run->machine, true, (uint8_t)byte);
}

static void set_pin(void *user, unsigned pin, bool level)
{
    struct run *run = user;
    if (run->record)
        record_input(run->record, RECORD_PIN, pin * 2 + level);
    else
        tess_pi_machine_set_pin(run->machine, pin, level);
}

enum { FRAME = 16666667, DEFAULT_SECONDS = 10 }; /* FRAME: nanoseconds */

/* Returns the time at which the run ends. */
static uint64_t end_time(const struct until *until)
{
    if (until->time)
        return until->time;
    bool other = until->uart.text[0] || until->frames || until->finding;
    return other ? UINT64_MAX : DEFAULT_SECONDS * UINT64_C(1000000000);
}

/* Runs the machine to the next picture, and gives it its inputs. Sets *ends to true if a condition
 * of --until is met. Where gdb has gone back, the inputs are those of the record. */
static enum tess_pi_end_reason run_frame(void *user, bool *ends)
{
    struct run *run = user;
    if (run->record)
        run->now = tess_pi_machine_time(run->machine);
    uint64_t end = end_time(&run->until), next = run->now + FRAME;
    bool old = run->record && !record_is_new(run->record);
    if (!old)
        next = pins_next(&run->pins, next < end ? next : end);
    enum tess_pi_end_reason reason = run->record ? record_run(run->record, next)
                                                 : tess_pi_machine_run(run->machine, next);
    run->now = run->record ? tess_pi_machine_time(run->machine) : next;
    if (old || (run->record && reason != TESS_PI_END_TIME))
        return reason;
    pins_apply(&run->pins, run->now, set_pin, run);
    send_byte(run);
    if (!frames_look(&run->frames, run->machine))
        run->broken = true;
    *ends = run->broken || run->now >= end ||
            (run->until.frames && run->frames.count >= run->until.frames);
    return reason;
}

static enum tess_pi_end_reason run_frames(struct run *run)
{
    enum tess_pi_end_reason reason = TESS_PI_END_TIME;
    bool ends = false;
    while (reason == TESS_PI_END_TIME && !ends)
        reason = run_frame(run, &ends);
    return reason;
}

/* Runs the machine under gdb's control. */
static enum tess_pi_end_reason run_debugged(struct run *run)
{
    const struct arguments *arguments = run->arguments;
    struct record record;
    struct gdb_machine machine = {.record = &record, .run = run_frame, .user = run};
    record_open(&record, run->machine);
    run->record = &record;
    enum gdb_end end = gdb_serve(arguments->title, (unsigned)arguments->gdb_port, &machine);
    run->record = NULL;
    record_close(&record);
    run->broken = end == GDB_FAILS;
    run->now = tess_pi_machine_time(run->machine);
    return end == GDB_DETACHES ? run_frames(run) : TESS_PI_END_STOPPED;
}

static void print_end(const struct run *run, enum tess_pi_end_reason reason)
{
    const struct tess_pi_end *end = tess_pi_machine_get_end(run->machine);
    double seconds = (double)tess_pi_machine_time(run->machine) / 1e9;
    if (reason == TESS_PI_END_BROKEN)
        fprintf(stderr, "%s: core %u cannot continue at 0x%" PRIx64 ": %s\n", run->arguments->title,
                end->core, end->pc, end->text);
    else if (!run->arguments->quiet && end->text && reason != TESS_PI_END_STOPPED)
        fprintf(stderr, "note: after %.6f s of the board's time: %s\n", seconds, end->text);
    else if (!run->arguments->quiet && reason == TESS_PI_END_TIME && !run->until.time &&
             end_time(&run->until) != UINT64_MAX)
        fprintf(stderr, "note: stopped after %d s of the board's time; use --until to run longer\n",
                DEFAULT_SECONDS);
    if (run->arguments->stats)
        fprintf(stderr, "time %.6f s, cycles %" PRIu64 ", pictures %u\n", seconds,
                tess_pi_machine_cycles(run->machine), run->frames.count);
}

static bool meets_expectations(const struct run *run)
{
    const struct arguments *arguments = run->arguments;
    bool good = true;
    if (run->expected.text[0] && !run->expected.found) {
        fprintf(stderr, "%s: the kernel has not sent the text of --expect-uart\n",
                arguments->title);
        good = false;
    }
    if (arguments->expect_frame)
        good &= frames_expect(arguments->title, run->machine, arguments->expect_frame);
    return good;
}

/* Reports what the V3D waits for, if the kernel has not come to its end because of it: all cores
 * wait, or the default time is over. */
static void report_stuck(const struct run *run, enum tess_pi_end_reason reason)
{
    bool late = reason == TESS_PI_END_TIME && !run->until.time &&
                end_time(&run->until) != UINT64_MAX;
    if (reason == TESS_PI_END_WAITS || late)
        tess_vc4_report_stuck(tess_pi_machine_vc4(run->machine));
}

/* Runs a loaded machine. Returns the status of the kernel. */
static enum tess_status run_machine(struct run *run)
{
    const struct arguments *arguments = run->arguments;
    enum tess_pi_end_reason reason = arguments->gdb ? run_debugged(run) : run_frames(run);
    report_stuck(run, reason);
    print_end(run, reason);
    if (arguments->output && !frames_write(arguments->title, run->machine, arguments->output))
        return TESS_IO;
    if (run->broken)
        return TESS_IO;
    return meets_expectations(run) && reason != TESS_PI_END_BROKEN ? TESS_OK : TESS_WRONG;
}

/* --- set-up --- */

static void apply_arguments(const struct arguments *arguments, struct kernel *kernel)
{
    if (arguments->has_address) {
        kernel->has_address = true;
        kernel->address = (uint32_t)arguments->address;
    }
    if (arguments->gpu_mib)
        kernel->gpu_mib = (uint32_t)arguments->gpu_mib;
    if (arguments->append)
        snprintf(kernel->command_line, sizeof kernel->command_line, "%s", arguments->append);
    if (arguments->dtb)
        snprintf(kernel->device_tree, sizeof kernel->device_tree, "%s", arguments->dtb);
    if (arguments->initrd)
        snprintf(kernel->initrd, sizeof kernel->initrd, "%s", arguments->initrd);
}

static enum tess_status create(struct run *run, const struct kernel *kernel)
{
    const struct arguments *arguments = run->arguments;
    const struct tess_vc4_options vc4 = {
        .threads = (uint32_t)arguments->threads,
        .sanitize = arguments->sanitize,
        .strict = arguments->strict,
    };
    const char *board = arguments->board ? arguments->board : kernel->board;
    run->board = tess_pi_board_find(board ? board : "zero");
    const struct tess_pi_machine_options machine = {
        .sink = {take_finding, run},
        .board = run->board,
        .engine = engine_load(arguments->title),
        .vc4 = &vc4,
        .wide = kernel->wide,
        .vc_size = kernel->gpu_mib << 20,
        .arm_rate = (uint32_t)arguments->rate,
        .endless_wait = true,
        .user = run,
        .uart = take_byte,
        .card_read = read_card,
        .card_write = write_card,
        .card_size = run->card.size,
    };
    if (!machine.engine)
        return TESS_IO;
    enum tess_status status = tess_pi_machine_create(&run->machine, &machine);
    if (status != TESS_OK)
        fprintf(stderr, "%s: cannot create a %s with this kernel: %s\n", arguments->title,
                run->board->name,
                kernel->wide ? "kernels of 64 bits are not supported yet"
                             : tess_status_text(status));
    return status;
}

static bool write_sound(void *user, uint64_t position, const void *bytes, size_t size)
{
    FILE *stream = user;
    return fseek(stream, (long)position, SEEK_SET) == 0 && fwrite(bytes, 1, size, stream) == size;
}

/* Copies a temporary file to the file of --audio. */
static bool copy_sound(const struct arguments *arguments, FILE *from)
{
    char bytes[4096];
    struct output output;
    size_t size;
    if (!output_open(&output, arguments->title, arguments->audio))
        return false;
    rewind(from);
    while ((size = fread(bytes, 1, sizeof bytes, from)) > 0)
        fwrite(bytes, 1, size, output.stream);
    return output_close(&output) && !ferror(from);
}

/* Runs a loaded machine, and records its sound if --audio is given. The recording goes to a
 * temporary file first, because it needs a file with positions. */
static enum tess_status run_with_sound(struct run *run)
{
    const struct arguments *arguments = run->arguments;
    if (!arguments->audio)
        return run_machine(run);
    FILE *file = tmpfile();
    if (!file || tess_pi_machine_record_sound(run->machine, write_sound, file) != TESS_OK) {
        fprintf(stderr, "%s: cannot record sound: %s\n", arguments->title, strerror(errno));
        return TESS_IO;
    }
    enum tess_status status = run_machine(run);
    bool good = tess_pi_machine_end_sound(run->machine) && copy_sound(arguments, file);
    fclose(file);
    return good ? status : TESS_IO;
}

static enum tess_status load_and_run(struct run *run, const struct kernel *kernel)
{
    enum tess_status status = create(run, kernel);
    if (status != TESS_OK)
        return TESS_IO;
    run->symbols = symbols_read(kernel->path);
    bool starts = kernel_start(run->arguments->title, kernel, run->board, run->machine);
    status = starts ? run_with_sound(run) : TESS_IO;
    tess_pi_machine_destroy(run->machine);
    tess_pi_symbols_close(run->symbols);
    return status;
}

static enum tess_status open_and_run(struct run *run, const struct kernel *kernel)
{
    const struct arguments *arguments = run->arguments;
    if (!output_open(&run->uart, arguments->title, arguments->uart))
        return TESS_IO;
    if (arguments->input && !(run->input = input_open(arguments->input))) {
        perror(arguments->input);
        return TESS_IO;
    }
    enum tess_status status = load_and_run(run, kernel);
    if (run->input)
        fclose(run->input);
    return output_close(&run->uart) ? status : TESS_IO;
}

static int run_kernel(struct arguments *arguments)
{
    struct kernel kernel;
    struct report report = {.quiet = arguments->quiet,
                            .strict = arguments->strict,
                            .policy = &arguments->verdict.policy};
    struct run run = {
        .arguments = arguments,
        .until = arguments->until,
        .expected = arguments->expected,
        .pins = arguments->pins,
        .frames = {.title = arguments->title, .folder = arguments->frames},
        .sink = report_sink(&report),
    };
    if (!kernel_find(arguments->title, arguments->path, arguments->board, &kernel))
        return CLI_USAGE;
    apply_arguments(arguments, &kernel);
    if (!card_open(arguments->title, arguments->card, &run.card))
        return CLI_USAGE;
    if (!verdict_begin(&arguments->verdict, arguments->path))
        return CLI_USAGE;
    enum tess_status status = open_and_run(&run, &kernel);
    card_close(&run.card);
    report_total(&report);
    int result = verdict_end(&arguments->verdict, verdict_status(&report, status));
    report_free(&report);
    return result;
}

int cli_pi(int argc, char **argv)
{
    struct arguments arguments = {.threads = 1};
    if (!parse(&arguments, argc, argv))
        return CLI_USAGE;
    if (arguments.help)
        return output_text(argv[0], help);
    return run_kernel(&arguments);
}
