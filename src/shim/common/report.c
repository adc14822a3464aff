/* SPDX-License-Identifier: MIT */
/* report.c - see report.h.
 *
 * In:  findings and instructions as they occur; the device at the end.
 * Out: standard error, and the requested files.
 *
 * Choices: several processes may share an output file, so each process appends to it. A process
 *          reports when it ends and before an exec. Each report covers the findings since the
 *          process's previous report, or since the fork that created the process. Statistics always
 *          cover the whole life of the machine. The process's own executable is added to the
 *          sources of code when the first address is named.
 * Left out: a parent's capture does not contain the work of forked children. Each child writes its
 *           own file, whose name ends with the child's process number. */
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "front/baseline.h"
#include "front/finding_relay.h"
#include "front/hot_spots.h"
#include "front/report.h"
#include "front/stale_files.h"
#include "front/stats.h"
#include "front/trace.h"
#include "policy_settings.h"

enum { PATH_BYTES = 4096 };

#define EXECUTABLE "/proc/self/exe"

static struct {
    struct report_options asked;
    /* temporary files for statistics and trace; tessera renames them to the requested names at the
     * end */
    const char *stats_now, *trace_now;
    struct report findings;
    struct policy policy;
    uint64_t reported_errors, reported_warnings, reported_hidden; /* counts at the last total */
    /* number of hidden messages at the last total, by severity */
    uint64_t reported_unshown[3];
    uint64_t reported_failures; /* number of failures that have been written to the verdict */
    /* true if the verdict has the line "used", which shows that the GPU has done work */
    bool reported_used;
    /* number of programs, records and tiles that the last statistics cover */
    uint64_t reported_runs;
    struct tess_vc4 *vc4;
    const struct tess_pi *pi;
    struct tess_capture *capture;
    struct trace trace;
    bool lost;       /* true if a requested output was lost; the verdict then has a line about it */
    bool trace_lost; /* true if writing the trace failed and the error was reported */
    bool searched;   /* true if the executable was added to the sources */
    bool child;      /* true if this process was forked */
    bool checked;    /* true if unused sources were reported */
} told;

/* --- files --- */

/* Reports that a requested file could not be written. errno is the cause. */
static void complain(const char *path)
{
    const struct tess_sink sink = report_sink(&told.findings);
    const struct tess_finding diag = {
        .level = TESS_ERROR, .id = "io", .text = strerror(errno), .file = path};
    sink.report(sink.user, &diag);
    told.lost = true;
}

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Writes the path to `full` with "%p" replaced by the process number. Returns full. */
static const char *expand(const char *path, char full[PATH_BYTES])
{
    size_t used = 0;
    for (; *path && used + 32 < PATH_BYTES; path++) {
        if (path[0] == '%' && path[1] == 'p') {
            used += (size_t)snprintf(full + used, PATH_BYTES - used, "%ld", (long)getpid());
            path++;
        } else {
            full[used++] = *path;
        }
    }
    full[used] = 0;
    return full;
}

/* Opens a file for appending. `now` is the temporary file (TESSERA_..._NOW) that will replace
 * `path`, or NULL. Opens `now` if it exists, otherwise `path`. The stream does not use descriptors
 * 0 to 2, even if they are closed. Returns NULL after reporting an error. */
static FILE *add_to(const char *path, const char *now)
{
    enum { MODE = 0666, FIRST_OWN = 3, WAYS = O_WRONLY | O_APPEND | O_CLOEXEC };
    char full[PATH_BYTES];
    int file = now ? open(now, WAYS) : -1;
    if (file < 0)
        file = open(expand(path, full), WAYS | O_CREAT, MODE);
    if (file >= 0 && file < FIRST_OWN) {
        int low = file;
        file = fcntl(low, F_DUPFD_CLOEXEC, FIRST_OWN);
        close(low);
    }
    FILE *stream = file < 0 ? NULL : fdopen(file, "a");
    if (!stream) {
        complain(path);
        if (file >= 0)
            close(file);
    }
    return stream;
}

/* --- the verdict file, which the verb reads after the program has ended --- */

/* True if the verdict file no longer exists, because tessera has ended before the program. */
static bool is_over(const char *path)
{
    return access(path, F_OK) != 0 && errno == ENOENT;
}

/* Duplicates the inherited descriptor of the verdict file. Returns -1 if no descriptor was
 * inherited, or if it is a descriptor of another file. */
static int inherited_verdict(const char *path)
{
    const char *number = getenv("TESSERA_VERDICT_FD");
    const int file = number ? atoi(number) : -1;
    struct stat named, inherited;
    if (file < 0 || stat(path, &named) != 0 || fstat(file, &inherited) != 0 ||
        named.st_dev != inherited.st_dev || named.st_ino != inherited.st_ino)
        return -1;
    return fcntl(file, F_DUPFD_CLOEXEC, 0);
}

/* Opens the file without O_CREAT. With O_CREAT, the kernel denies a process that has changed its
 * user access to files in /tmp (proc(5), protected_regular). */
int report_open_verdict(const char *path)
{
    const int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    return file < 0 && errno == EACCES ? inherited_verdict(path) : file;
}

/* Returns a stream that appends to the verdict file, or NULL. A line of up to VERDICT_BYTES is one
 * write(), so that lines of several processes do not mix. */
static FILE *open_verdict(void)
{
    enum { VERDICT_BYTES = 1 << 16 };
    static char buffer[VERDICT_BYTES];
    const int file = report_open_verdict(told.asked.settings->verdict);
    FILE *stream = file < 0 ? NULL : fdopen(file, "a");
    if (stream)
        setvbuf(stream, buffer, _IOFBF, sizeof buffer);
    else if (file >= 0)
        close(file);
    return stream;
}

/* Closes a stream of open_verdict(). Reports an error unless the verb that reads the verdict has
 * ended. */
static void close_verdict(FILE *stream)
{
    if ((!stream || fclose(stream) != 0) && !is_over(told.asked.settings->verdict))
        complain(told.asked.settings->verdict);
}

static void add_verdict(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void add_verdict(const char *format, ...)
{
    va_list arguments;
    FILE *stream = open_verdict();
    va_start(arguments, format);
    if (stream)
        vfprintf(stream, format, arguments);
    va_end(arguments);
    close_verdict(stream);
}

/* Passes a finding to the verb, which writes the document of --format. A failure here would be
 * another finding, so it is only recorded. sum_up() writes it to the verdict. */
static void relay(const struct finding *finding)
{
    FILE *stream = open_verdict();
    if (!stream) {
        told.lost = true;
        return;
    }
    finding_relay_write(stream, finding);
    told.lost |= fclose(stream) != 0;
}

/* --- names --- */

static bool read_code(void *user, uint32_t address, uint64_t *word)
{
    (void)user;
    const uint8_t *bytes = told.vc4 ? tess_vc4_memory(told.vc4, address, 8) : NULL;
    *word = 0;
    for (unsigned i = 0; bytes && i < 8; i++)
        *word |= (uint64_t)bytes[i] << 8 * i;
    return bytes != NULL;
}

/* Adds the files in `list` to the sources. Colons separate the names. */
static void add_sources(struct tess_sources *sources, const char *list)
{
    char path[PATH_BYTES];
    while (list && *list) {
        size_t length = strcspn(list, ":");
        if (length && length < sizeof path) {
            snprintf(path, sizeof path, "%.*s", (int)length, list);
            tess_sources_add(sources, path, report_sink(&told.findings));
        }
        list += length + (list[length] == ':');
    }
}

static void find_names(void)
{
    struct address_names *names = &told.findings.names;
    names->place = told.asked.place;
    if (tess_sources_create(&names->sources) != TESS_OK)
        return;
    add_sources(names->sources, told.asked.sources);
    names->memory = (struct tess_code_reader){read_code, NULL};
}

/* Adds the executable to the sources, after the files that the user requested. */
static void search_executable(void)
{
    if (!told.searched && told.findings.names.sources)
        tess_sources_add_executable(told.findings.names.sources, EXECUTABLE);
    told.searched = true;
}

/* --- during the run --- */

static void show_finding(void *user, const struct tess_finding *diag)
{
    const struct tess_sink *sink = user;
    search_executable();
    sink->report(sink->user, diag);
}

static bool show_step(void *user, const struct tess_vc4_step *step)
{
    search_executable();
    return trace_qpu(user, step);
}

/* Flushes the trace before a fork, so that the child does not write the buffer again. */
static void flush_trace(void)
{
    if (!told.trace.stream)
        return;
    bool lost = ferror(told.trace.stream);
    if ((fflush(told.trace.stream) != 0 || lost) && !told.trace_lost)
        complain(told.asked.trace);
    told.trace_lost |= lost || ferror(told.trace.stream);
}

static void open_trace(void)
{
    FILE *stream = is_standard(told.asked.trace) ? stderr
                                                 : add_to(told.asked.trace, told.trace_now);
    told.trace = (struct trace){
        .stream = stream, .json = told.asked.settings->json, .names = &told.findings.names};
    if (stream)
        pthread_atfork(flush_trace, NULL, NULL);
}

/* Reads TESSERA_FINDINGS, the form in which the process writes findings. */
static void read_form(void)
{
    const char *form = setting("TESSERA_FINDINGS");
    if (!form)
        return;
    if (strcmp(form, FINDINGS_LINES) == 0)
        told.findings.json = true;
    else if (strcmp(form, FINDINGS_RELAY) != 0 && strcmp(form, FINDINGS_RELAY_ONLY) != 0)
        setting_complain("TESSERA_FINDINGS", form,
                         "expected " FINDINGS_LINES ", " FINDINGS_RELAY " or " FINDINGS_RELAY_ONLY);
    else if (told.asked.settings->verdict)
        told.findings.relay = relay;
    told.findings.log_only = told.findings.relay && strcmp(form, FINDINGS_RELAY_ONLY) == 0;
}

void report_begin(const struct report_options *options, struct tess_vc4_options *device)
{
    static struct tess_sink sink;
    told.asked = *options;
    told.stats_now = setting_text("TESSERA_STATS_NOW");
    told.trace_now = setting_text("TESSERA_TRACE_NOW");
    told.findings.json = options->settings->json;
    told.findings.quiet = options->quiet;
    read_form();
    told.findings.budgets = options->budgets;
    told.findings.policy = &told.policy;
    sink = report_sink(&told.findings);
    policy_settings_read(&told.policy, sink);
    device->machine.shown = message_limit_wants();
    device->machine.sink = (struct tess_sink){show_finding, &sink};
    device->machine.strict = options->settings->strict;
    device->machine.sanitize = options->settings->sanitize;
    device->machine.threads = options->settings->threads;
    device->profile = options->settings->stats || options->capture;
    find_names();
    if (options->trace)
        open_trace();
    if (told.trace.stream) {
        device->trace = show_step;
        device->trace_user = &told.trace;
    }
}

void report_watch(struct tess_vc4 *vc4, const struct tess_pi *pi)
{
    told.vc4 = vc4;
    told.reported_runs = 0;
    told.pi = pi;
    if (!told.asked.capture || tess_capture_start(&told.capture, vc4) == TESS_OK)
        return;
    fprintf(stderr, "tessera: %s: cannot record the run\n", told.asked.capture);
    told.findings.errors++;
    told.policy.failures++;
    told.lost = true;
}

/* --- at the end --- */

/* Returns a number that grows with each program, record and tile that the device processes. */
static uint64_t work_done(void)
{
    struct tess_vc4_stats stats;
    if (!told.vc4)
        return 0;
    tess_vc4_get_stats(told.vc4, &stats);
    return stats.shader_runs + stats.records + stats.tiles;
}

/* Returns the symbol at a program's first address, or NULL if there is none. */
static const char *program_name(struct hot_spots *hot, const struct tess_vc4_shader_stats *program)
{
    struct address_name name;
    hot_spots_name(hot, &told.findings.names, program, &name);
    return name.offset == 0 ? name.symbol : NULL;
}

/* True if all programs that ran at address `start` have the symbol `name`. */
static bool agreed(struct hot_spots *hot, uint32_t start, const char *name)
{
    struct tess_vc4_shader_stats row;
    for (uint32_t i = 0; tess_vc4_get_shader_stats(told.vc4, i, &row); i++) {
        const char *other = row.start == start ? program_name(hot, &row) : name;
        if (!other || strcmp(other, name) != 0)
            return false;
    }
    return true;
}

/* Adds the names of code in the sources to the capture. Most of that code is no longer in
 * memory. */
static void name_programs(void)
{
    struct tess_vc4_shader_stats row;
    struct hot_spots hot;
    hot_spots_begin(&hot, told.vc4);
    for (uint32_t i = 0; tess_vc4_get_shader_stats(told.vc4, i, &row); i++) {
        const char *name = row.start == TESS_VC4_OTHER_SHADERS ? NULL : program_name(&hot, &row);
        if (name && agreed(&hot, row.start, name))
            tess_capture_symbol(told.capture, name, row.start, 0);
    }
    hot_spots_end(&hot);
}

static void save_capture(void)
{
    char full[PATH_BYTES], own[PATH_BYTES + 32];
    struct stat written;
    if (!told.capture)
        return;
    name_programs();
    expand(told.asked.capture, full);
    snprintf(own, sizeof own, told.child ? "%s.%ld" : "%s", full, (long)getpid());
    enum tess_status status = tess_capture_save(told.capture, own, report_sink(&told.findings));
    told.lost |= status != TESS_OK;
    if (status == TESS_OK && !told.asked.settings->json && stat(own, &written) == 0)
        fprintf(stderr, "tessera: wrote %s (%jd bytes)\n", own, (intmax_t)written.st_size);
    if (status != TESS_NO_MEMORY)
        return;
    fprintf(stderr, "tessera: %s: %s\n", own, tess_status_text(status));
    told.findings.errors++;
    told.policy.failures++;
}

static void print_stats(void)
{
    bool on_stderr = is_standard(told.asked.settings->stats);
    FILE *stream = on_stderr ? stderr : add_to(told.asked.settings->stats, told.stats_now);
    if (!stream)
        return;
    if (!told.asked.settings->json)
        fprintf(stream, "statistics of process %ld (%s)\n", (long)getpid(),
                program_invocation_short_name);
    stats_print(stream, told.vc4, told.pi, &told.findings.names, told.asked.settings->json);
    bool lost = fflush(stream) != 0 || ferror(stream);
    if (lost)
        complain(on_stderr ? "standard error" : told.asked.settings->stats);
    if (!on_stderr)
        fclose(stream);
}

/* Passes new entries of the baseline to the verb, which writes them to the file of
 * --write-baseline. */
static void add_known(void)
{
    if (!told.asked.settings->verdict || !told.policy.learn || !told.policy.baseline)
        return;
    FILE *stream = open_verdict();
    if (stream)
        baseline_append(told.policy.baseline, stream);
    close_verdict(stream);
    if (!told.policy.lost)
        return;
    errno = ENOMEM;
    complain(told.asked.settings->verdict);
}

/* Stores the current counts, so that the next total covers only findings after this call. */
static void forget_told(void)
{
    told.reported_errors = told.findings.errors;
    told.reported_warnings = told.findings.warnings;
    told.reported_hidden = told.policy.hidden;
    memcpy(told.reported_unshown, told.findings.limit.hidden, sizeof told.reported_unshown);
    told.reported_failures = told.policy.failures;
}

/* Prints the total of the findings since the last total, and adds failures to the verdict. */
static void sum_up(void)
{
    struct policy hidden = {.hidden = told.policy.hidden - told.reported_hidden};
    struct report since = {.json = told.findings.json,
                           .log_only = told.findings.log_only,
                           .policy = &hidden,
                           .errors = told.findings.errors - told.reported_errors,
                           .warnings = told.findings.warnings - told.reported_warnings};
    for (int i = 0; i < 3; i++)
        since.limit.hidden[i] = told.findings.limit.hidden[i] - told.reported_unshown[i];
    since.more = told.findings.more;
    uint64_t failures = told.policy.failures - told.reported_failures;
    report_total(&since);
    if (told.asked.settings->verdict && (failures || told.lost))
        add_verdict("%" PRIu64 "\n%s", failures, told.lost ? STALE_FILE_LOST : "");
    add_known();
    forget_told();
}

/* Reports a note for each requested source file from which no executed code comes. Does not check
 * the executable, because the user did not request it. */
static void check_sources(void)
{
    const struct tess_sink sink = report_sink(&told.findings);
    bool looked = told.asked.settings->stats || told.asked.trace || told.asked.capture;
    if (!looked || told.checked)
        return;
    const char *path = tess_sources_unused(told.findings.names.sources, 0);
    for (size_t i = 1; path; path = tess_sources_unused(told.findings.names.sources, i++)) {
        const struct tess_finding diag = {
            .level = TESS_NOTE,
            .id = "source-unused",
            .text = "no executed code comes from this file",
            .hint = "check that the program loads the code of this file, "
                    "assembled with the same definitions",
            .file = path};
        if (strcmp(path, EXECUTABLE) != 0)
            sink.report(sink.user, &diag);
    }
    told.checked = true;
}

void report_end(void)
{
    uint64_t work = work_done();
    flush_trace();
    if (work != told.reported_runs) {
        search_executable();
        save_capture();
        if (told.asked.settings->stats)
            print_stats();
        check_sources();
        if (told.asked.settings->verdict && !told.reported_used)
            add_verdict("used\n");
        told.reported_used = true;
    }
    told.reported_runs = work;
    sum_up();
}

void report_count_error(void)
{
    told.findings.errors++;
    told.policy.failures++;
}

void report_child(void)
{
    told.child = true;
    told.reported_runs = work_done();
    forget_told();
}
