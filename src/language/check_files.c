/* SPDX-License-Identifier: MIT */
/* check_files.c - public functions of the checker: files and options in, findings out.
 *
 * In:  sources or machine code; the content of a file decides which.
 * Out: findings, and the worst of them as a status. */
#include "check/frame/assembler_warnings.h"
#include "check/frame/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/status.h"
#include "code/recognise.h"
#include "isa/asm_isa.h"

/* --- machines --- */

#define MACHINE(NAME, name, extension, prefix, MODEL) \
    extern const struct check_machine prefix##_check_machine;
#include "isa/machines.def"

static const struct check_machine *const machines[] = {
#define MACHINE(NAME, name, extension, prefix, MODEL) \
    [TESS_MACHINE_##NAME] = &prefix##_check_machine,
#include "isa/machines.def"
};

const struct check_machine *check_machine(enum tess_machine machine)
{
    return (size_t)machine < sizeof machines / sizeof machines[0] ? machines[machine] : NULL;
}

/* --- kinds of programs --- */

static const char *const kinds[] = {
    [TESS_SHADER_UNKNOWN] = "unknown", [TESS_SHADER_FRAGMENT] = "fragment",
    [TESS_SHADER_VERTEX] = "vertex",   [TESS_SHADER_COORDINATE] = "coordinate",
    [TESS_SHADER_USER] = "user",
};

bool tess_shader_kind_find(const char *name, enum tess_shader_kind *kind)
{
    if (name && strcmp(name, "pixel") == 0) /* "pixel" and "coord" are also common names */
        name = "fragment";
    if (name && strcmp(name, "coord") == 0)
        name = "coordinate";
    for (size_t i = 0; name && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i], name) == 0) {
            *kind = (enum tess_shader_kind)i;
            return true;
        }
    }
    return false;
}

const char *tess_shader_kind_name(enum tess_shader_kind kind)
{
    return (size_t)kind < sizeof kinds / sizeof kinds[0] ? kinds[kind] : "unknown";
}

/* --- findings --- */

/* Sets the level of all rules except those that are off by default. Setting all rules can raise the
 * level of CHECK_LIMIT, but cannot lower it. An incomplete check is therefore always reported. */
static void set_all(struct check_job *job, enum tess_level level)
{
    for (unsigned i = 0; i < CHECK_RULES; i++)
        if (check_rule((enum check_rule)i)->level != TESS_OFF &&
            (i != CHECK_LIMIT || level > job->levels[i]))
            job->levels[i] = level;
}

static void keep_limit(struct check_job *job)
{
    if (job->levels[CHECK_LIMIT] == TESS_OFF)
        job->levels[CHECK_LIMIT] = TESS_NOTE;
}

bool check_job_begin(struct check_job *job, const struct tess_check_options *options,
                     struct tess_sink findings, size_t *bad)
{
    *job = (struct check_job){.options = options,
                              .machine = check_machine(options->machine),
                              .findings = findings,
                              .worst = TESS_OFF};
    for (unsigned i = 0; i < CHECK_RULES; i++)
        job->levels[i] = check_rule((enum check_rule)i)->level;
    for (*bad = 0; *bad < options->setting_count; ++*bad) {
        const struct tess_check_setting *setting = &options->settings[*bad];
        enum check_rule rule;
        if (strcmp(setting->id, "all") == 0)
            set_all(job, setting->level);
        else if (check_rule_find(setting->id, strlen(setting->id), &rule))
            job->levels[rule] = setting->level;
        else
            return false;
    }
    keep_limit(job);
    for (unsigned i = 0; i < CHECK_RULES && options->warnings_are_errors; i++)
        if (job->levels[i] == TESS_WARNING)
            job->levels[i] = TESS_ERROR;
    return true;
}

/* Completes a finding and passes it to the receiver. message may contain a hint. */
static void hand_over(const struct check_job *job, enum check_rule rule, const char *message,
                      const char *hint, const struct tess_check_details *details)
{
    const char *own = diag_own_hint(message);
    char text[CHECK_TEXT + 80];
    snprintf(text, sizeof text, "%.*s", (int)diag_text_length(message), message);
    const struct tess_finding finding = {.level = job->levels[rule],
                                         .id = check_rule(rule)->id,
                                         .text = text,
                                         .hint = own    ? own
                                                 : hint ? hint
                                                        : check_rule(rule)->instead,
                                         .file = details->place.file,
                                         .line = details->place.line,
                                         .column = details->place.column,
                                         .source_line = details->place.source_line,
                                         .machine = job->options->machine,
                                         .count = 1,
                                         .check = details};
    if (job->findings.report)
        job->findings.report(job->findings.user, &finding);
}

void check_job_report(struct check_job *job, enum check_rule rule, const char *text,
                      const char *hint, struct tess_check_details *details)
{
    if (!details->place.instruction_bytes)
        details->place.instruction_bytes = job->machine->word_bytes;
    if (details->has_other && !details->other.instruction_bytes)
        details->other.instruction_bytes = job->machine->word_bytes;
    if (job->levels[rule] == TESS_OFF)
        return;
    if (job->levels[rule] > job->worst)
        job->worst = job->levels[rule];
    hand_over(job, rule, text, hint, details);
}

/* --- words --- */

/* Skips consecutive data words that look like instructions, from index `word` on. Returns the index
 * of the first word that is not skipped. */
static size_t end_of_plausible(const struct check_machine *machine, const uint8_t *words,
                               const uint8_t *content, size_t count, size_t word)
{
    while (word < count && content[word] == CHECK_DATA &&
           machine->is_plausible(words + word * machine->word_bytes))
        word++;
    return word;
}

void check_find_written_as_data(const struct check_machine *machine, const uint8_t *words,
                                uint8_t *content, size_t count)
{
    for (size_t i = 1; i < count && machine->is_plausible; i++) {
        if (content[i - 1] != CHECK_CODE)
            continue;
        size_t end = end_of_plausible(machine, words, content, count, i);
        if (end < count && content[end] == CHECK_CODE)
            memset(content + i, CHECK_CODE, end - i);
        i = end;
    }
}

void check_set_instruction(const struct check_job *job, struct tess_check_place *place,
                           uint32_t length, const uint8_t *bytes, size_t size)
{
    uint8_t word[16] = {0};
    place->instruction_bytes = length ? length : job->machine->word_bytes;
    if (size >= place->instruction_bytes)
        memcpy(word, bytes, place->instruction_bytes);
    place->instruction = load_le64(word);
    place->instruction_high = load_le64(word + 8);
}

/* --- files --- */

static enum tess_status check_source(struct check_job *job, const struct asm_source *source,
                                     struct tess_sink sink)
{
    struct check_said said = {.sink = sink};
    const struct asm_request request = {
        .isa = machine_isa(job->options->machine),
        .sources = source,
        .source_count = 1,
        .include_dirs = job->options->include_dirs,
        .include_dir_count = job->options->include_dir_count,
        .pre_includes = job->options->pre_includes,
        .pre_include_count = job->options->pre_include_count,
        .defines = job->options->defines,
        .define_count = job->options->define_count,
        .max_errors = job->options->max_errors,
        .address = job->options->address,
        .variant = job->options->variant,
        .sink = check_warnings_sink(&said),
    };
    struct asm_program program;
    if (request.pre_include_count == 0 &&
        recognise_refuse_prose(source->text, source->size, source->path, job->options->machine,
                               sink))
        return TESS_BAD_INPUT;
    enum tess_status status = asm_assemble(&request, &program), steps = TESS_OK;
    if (status == TESS_OK && job->machine->scenes)
        steps = check_steps(&program, sink);
    job->said = &said;
    if (status == TESS_OK)
        status = said.no_memory ? TESS_NO_MEMORY : check_assembled(job, &program, sink);
    if (status == TESS_OK)
        status = steps;
    job->said = NULL;
    check_warnings_free(&said);
    asm_program_free(&program);
    return status;
}

/* Checks a file. Text that parses as numbers is machine code; other text is a source. */
static enum tess_status check_code(struct check_job *job, const uint8_t *bytes, size_t size,
                                   const char *name, struct tess_sink sink)
{
    const struct asm_source source = {name, (const char *)bytes, size};
    bool text = recognise_is_text(bytes, size);
    struct code_image image = {0};
    const struct code_options options = {
        .name = name, .base = job->options->address, .alignment = job->machine->alignment};
    enum tess_status status = code_read(bytes, size, &options, text ? (struct tess_sink){0} : sink,
                                        &image);
    bool code = status == TESS_OK && image.segment_count > 0 && !(text && image.format == CODE_RAW);
    if (code)
        status = check_image(job, &image, bytes, size, name, sink);
    code_free(&image);
    if (code || !text || status == TESS_NO_MEMORY)
        return status;
    return check_source(job, &source, sink);
}

/* Checks the content of a file. With find_machine, each file may have a different machine. */
static enum tess_status check_content(struct check_job *job, const uint8_t *bytes, size_t size,
                                      const char *name, struct tess_sink sink)
{
    const struct tess_check_options *options = job->options;
    struct tess_check_options own = *options;
    struct tess_file_kind kind;
    if (size > 0 && recognise_refuse(bytes, size, name, sink))
        return TESS_BAD_INPUT;
    tess_file_recognise(bytes, size, name, &kind);
    if (options->find_machine && kind.has_machine)
        own.machine = kind.machine;
    if (options->find_machine && kind.variant == TESS_A2XX_XENOS)
        own.variant = kind.variant;
    job->options = &own;
    job->machine = check_machine(own.machine);
    enum tess_status status = check_code(job, bytes, size, name, sink);
    job->options = options;
    job->machine = check_machine(options->machine);
    return status;
}

static bool is_valid(const struct tess_check_options *options, const void *input)
{
    return options && input && machine_isa(options->machine) && check_machine(options->machine) &&
           (unsigned)options->kind <= TESS_SHADER_USER;
}

enum tess_status tess_check_bytes(const void *bytes, size_t size, const char *name,
                                  const struct tess_check_options *options, struct tess_sink sink,
                                  struct tess_sink findings)
{
    struct check_job job;
    size_t bad;
    if (!is_valid(options, bytes) || !check_job_begin(&job, options, findings, &bad))
        return TESS_INVALID;
    enum tess_status status = check_content(&job, bytes, size, name ? name : "<bytes>", sink);
    return status == TESS_OK && job.worst >= TESS_WARNING ? TESS_WRONG : status;
}

static enum tess_status check_file(struct check_job *job, const char *path, struct tess_sink sink)
{
    const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    struct buffer bytes = {0};
    enum tess_status status = file_read(path, &bytes);
    if (status == TESS_IO) {
        struct tess_finding diag = {.level = TESS_ERROR, .id = "check-io", .file = name};
        diag_report(sink, &diag, "cannot be read: %s", strerror(errno));
    }
    if (status == TESS_OK && bytes.size == 0 && recognise_refuse("", 0, name, sink))
        status = TESS_BAD_INPUT;
    if (status == TESS_OK)
        status = check_content(job, bytes.data ? bytes.data : (const uint8_t *)"", bytes.size, name,
                               sink);
    buffer_free(&bytes);
    return status;
}

enum tess_status tess_check(const char *const *paths, size_t path_count,
                            const struct tess_check_options *options, struct tess_sink sink,
                            struct tess_sink findings)
{
    struct check_job job;
    size_t bad;
    if (!is_valid(options, paths) || !check_job_begin(&job, options, findings, &bad))
        return TESS_INVALID;
    enum tess_status status = TESS_OK;
    for (size_t i = 0; i < path_count; i++)
        status = status_worse(status, check_file(&job, paths[i], sink));
    return status_worse(status, job.worst >= TESS_WARNING ? TESS_WRONG : TESS_OK);
}
