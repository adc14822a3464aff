/* SPDX-License-Identifier: MIT */
/* program_read.c - see program_read.h. */
#include "program/program_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "code/recognise.h"

/* A program file that is being read. */
struct reading {
    const struct program_kind *kind;
    const char *name;
    struct tess_sink sink;
    struct program_file *file;
};

static enum tess_status refuse(const struct reading *reading, const char *rule, const char *hint,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));

static enum tess_status refuse(const struct reading *reading, const char *rule, const char *hint,
                               const char *format, ...)
{
    struct tess_finding diag = {
        .level = TESS_ERROR, .id = rule, .hint = hint, .file = reading->name};
    va_list arguments;
    va_start(arguments, format);
    diag_vreport(reading->sink, &diag, format, arguments);
    va_end(arguments);
    return TESS_BAD_INPUT;
}

/* --- position of the code --- */

static const struct code_range *data_at(const struct code_image *image, uint64_t address)
{
    for (size_t i = 0; i < image->range_count; i++)
        if (image->ranges[i].content == CODE_DATA && address >= image->ranges[i].address &&
            address - image->ranges[i].address < image->ranges[i].size)
            return &image->ranges[i];
    return NULL;
}

/* Returns the first address from start on that is not data. Returns end if all bytes from start to
 * end are data. */
static uint64_t skip_data(const struct code_image *image, uint64_t start, uint64_t end)
{
    const struct code_range *data;
    while (start < end && (data = data_at(image, start)) != NULL)
        start = (uint64_t)data->address + data->size;
    return start < end ? start : end;
}

/* Returns the end of the code that begins at start. The code ends at the next data, or at end. */
static uint64_t code_end(const struct code_image *image, uint64_t start, uint64_t end)
{
    for (size_t i = 0; i < image->range_count; i++)
        if (image->ranges[i].content == CODE_DATA && image->ranges[i].address >= start &&
            image->ranges[i].address < end)
            end = image->ranges[i].address;
    return end;
}

/* Appends a piece of code. Reports an error if the piece does not begin at the end of the previous
 * piece. */
static enum tess_status add_piece(const struct reading *reading, const struct code_segment *segment,
                                  uint64_t start, uint64_t end, struct buffer *code)
{
    struct program_file *program = reading->file;
    if (code->size == 0)
        program->address = (uint32_t)start;
    if (start != (uint64_t)program->address + code->size)
        return refuse(reading, reading->kind->gap,
                      "give a file with one program, without gaps and without data inside",
                      "the code at 0x%08x and the code at 0x%08x are not adjacent",
                      (unsigned)program->address, (unsigned)start);
    buffer_append(code, segment->bytes + (start - segment->address), (size_t)(end - start));
    return TESS_OK;
}

static enum tess_status add_segment(const struct reading *reading,
                                    const struct code_segment *segment, struct buffer *code)
{
    const struct code_image *image = &reading->file->image;
    uint64_t stop = (uint64_t)segment->address + segment->size;
    uint64_t start = skip_data(image, segment->address, stop);
    enum tess_status status = TESS_OK;
    while (start < stop && status == TESS_OK) {
        uint64_t end = code_end(image, start, stop);
        status = add_piece(reading, segment, start, end, code);
        start = skip_data(image, end, stop);
    }
    return status;
}

/* --- words --- */

static enum tess_status refuse_empty(const struct reading *reading)
{
    return refuse(reading, reading->kind->empty, NULL, "the file has no instructions");
}

static enum tess_status take_words(const struct reading *reading, const struct buffer *code)
{
    struct program_file *program = reading->file;
    if (code->failed)
        return TESS_NO_MEMORY;
    if (code->size == 0)
        return refuse_empty(reading);
    const struct program_kind *kind = reading->kind;
    if (code->size % kind->bytes)
        return refuse(reading, kind->size, kind->bytes_hint,
                      "%zu bytes are not a whole number of %ss", code->size, kind->unit);
    if (code->size / kind->bytes > kind->most)
        return refuse(reading, kind->size, kind->most_hint,
                      "%zu %ss exceed the limit of %u for a program", code->size / kind->bytes,
                      kind->unit, (unsigned)kind->most);
    program->words = malloc(code->size);
    if (!program->words)
        return TESS_NO_MEMORY;
    for (size_t i = 0; i < code->size / 4; i++)
        program->words[i] = load_le32(code->data + 4 * i);
    program->units = code->size / kind->bytes;
    return TESS_OK;
}

static enum tess_status take_code(const struct reading *reading)
{
    const struct code_image *image = &reading->file->image;
    struct buffer code = {0};
    enum tess_status status = TESS_OK;
    for (size_t i = 0; i < image->segment_count && status == TESS_OK; i++)
        status = add_segment(reading, &image->segments[i], &code);
    if (status == TESS_OK)
        status = take_words(reading, &code);
    buffer_free(&code);
    return status;
}

/* Removes all ranges if a program consists only of words that are written as numbers. The assembler
 * has marked the words as data, but a program without code is meaningless, so the words must be
 * code. */
static void take_numbers_for_code(struct code_image *image)
{
    bool any = false;
    for (size_t i = 0; i < image->range_count; i++)
        any |= image->ranges[i].content == CODE_INSTRUCTIONS;
    image->range_count = any ? image->range_count : 0;
}

/* --- files --- */

static enum tess_status read_source(const struct reading *reading, const void *bytes, size_t size,
                                    const struct tess_asm_options *options)
{
    struct tess_asm_options elf = options ? *options : (struct tess_asm_options){0};
    uint8_t *file;
    size_t file_size;
    elf.machine = reading->kind->machine;
    elf.format = TESS_ASM_ELF;
    enum tess_status status = tess_assemble_text(bytes, size, reading->name, &elf, reading->sink,
                                                 &file, &file_size);
    if (status != TESS_OK)
        return status;
    const struct code_options how = {.format = CODE_ELF, .name = reading->name};
    status = code_read(file, file_size, &how, (struct tess_sink){0}, &reading->file->image);
    tess_free(file);
    if (status == TESS_WRONG) /* code_read() can read all output of the assembler, except a file
                               * without contents */
        return refuse_empty(reading);
    take_numbers_for_code(&reading->file->image);
    return status == TESS_OK ? take_code(reading) : status;
}

/* Returns the greatest power of two that divides the length of an instruction. For example, returns
 * 4 if an instruction has 12 bytes. */
static uint32_t alignment_of(const struct program_kind *kind)
{
    return kind->bytes & -kind->bytes;
}

/* Reads a file. Text that parses as numbers is machine code; other text is a source. */
static enum tess_status read_file(const struct reading *reading, const void *bytes, size_t size,
                                  const struct tess_asm_options *options)
{
    struct code_image *image = &reading->file->image;
    bool text = recognise_is_text(bytes, size);
    if (size > 0 && recognise_refuse(bytes, size, reading->name, reading->sink))
        return TESS_BAD_INPUT;
    const struct code_options how = {.name = reading->name,
                                     .alignment = alignment_of(reading->kind)};
    enum tess_status status = code_read(bytes, size, &how,
                                        text ? (struct tess_sink){0} : reading->sink, image);
    bool code = status == TESS_OK && image->segment_count > 0 &&
                !(text && image->format == CODE_RAW);
    if (code)
        return take_code(reading);
    if (status == TESS_NO_MEMORY || !text)
        return status == TESS_WRONG ? TESS_BAD_INPUT : status;
    code_free(image);
    return read_source(reading, bytes, size, options);
}

enum tess_status program_file_read(struct program_file *file, const struct program_kind *kind,
                                   const void *bytes, size_t size, const char *name,
                                   const struct tess_asm_options *options, struct tess_sink sink)
{
    const struct reading reading = {kind, name ? name : "<bytes>", sink, file};
    *file = (struct program_file){0};
    enum tess_status status = read_file(&reading, bytes ? bytes : "", size, options);
    const char *lines = file->image.steps;
    if (status == TESS_OK && lines)
        status = interface_read(&file->interface, kind->interface, lines, strlen(lines),
                                reading.name, sink);
    return status;
}

bool program_file_take(struct program_file *file, const struct program_kind *kind,
                       const uint32_t *words, size_t units)
{
    *file = (struct program_file){.words = malloc(units * kind->bytes), .units = units};
    if (file->words)
        memcpy(file->words, words, units * kind->bytes);
    return file->words != NULL;
}

void program_file_free(struct program_file *file)
{
    free(file->words);
    code_free(&file->image);
    interface_free(&file->interface);
    *file = (struct program_file){0};
}

const struct code_line *program_file_place(const struct program_file *file, size_t unit,
                                           size_t bytes, size_t within)
{
    if (!file || unit >= file->units)
        return NULL;
    return code_line_at(&file->image, file->address + (uint32_t)(unit * bytes + within));
}

void program_file_line(const struct program_file *file, size_t unit, size_t bytes, size_t within,
                       const char **name, uint32_t *line)
{
    const struct code_line *found = program_file_place(file, unit, bytes, within);
    if (name)
        *name = found ? found->file : NULL;
    if (line)
        *line = found ? found->line : 0;
}
