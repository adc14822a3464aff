/* SPDX-License-Identifier: MIT */
/* program.c - programs for the GP from files.
 *
 * In:  a source, which is assembled to ELF first; or machine code in any form that code.h reads.
 * Out: words, numbered from the lowest address of code; the interface of section ".tessera"; labels and lines.
 *
 * A program is one piece of code without gaps. What a file's mapping symbols call data is none of it. */
#include "isa/gp/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "isa/gp/gp_isa.h"
#include "isa/gp/print.h"

/* A file on its way to a program. */
struct reading {
    const char *name;
    struct tess_sink sink;
    struct tess_gp_program *program;
};

static enum tess_status refuse(const struct reading *reading, const char *rule, const char *hint,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));

static enum tess_status refuse(const struct reading *reading, const char *rule, const char *hint,
                               const char *format, ...)
{
    struct tess_diag diag = {
        .severity = TESS_ERROR, .rule = rule, .hint = hint, .file = reading->name};
    va_list arguments;
    va_start(arguments, format);
    diag_vreport(reading->sink, &diag, format, arguments);
    va_end(arguments);
    return TESS_BAD_INPUT;
}

/* --- where the code is --- */

static const struct code_range *data_at(const struct code_image *image, uint64_t address)
{
    for (size_t i = 0; i < image->range_count; i++)
        if (image->ranges[i].content == CODE_DATA && address >= image->ranges[i].address &&
            address - image->ranges[i].address < image->ranges[i].size)
            return &image->ranges[i];
    return NULL;
}

/* The first address from start on, but before end, that is not data; end if there is none. */
static uint64_t skip_data(const struct code_image *image, uint64_t start, uint64_t end)
{
    const struct code_range *data;
    while (start < end && (data = data_at(image, start)) != NULL)
        start = (uint64_t)data->address + data->size;
    return start < end ? start : end;
}

/* Where the code that starts at start ends: at data, or at end. */
static uint64_t code_end(const struct code_image *image, uint64_t start, uint64_t end)
{
    for (size_t i = 0; i < image->range_count; i++)
        if (image->ranges[i].content == CODE_DATA && image->ranges[i].address >= start &&
            image->ranges[i].address < end)
            end = image->ranges[i].address;
    return end;
}

/* Appends a piece of code, which must go on where the last one ended. */
static enum tess_status add_piece(const struct reading *reading, const struct code_segment *segment,
                                  uint64_t start, uint64_t end, struct buffer *code)
{
    struct tess_gp_program *program = reading->program;
    if (code->size == 0)
        program->address = (uint32_t)start;
    if (start != (uint64_t)program->address + code->size)
        return refuse(reading, "gp-program-gap",
                      "one file holds one program, without gaps and without data inside",
                      "there is code at 0x%08x and again at 0x%08x, and something else between",
                      (unsigned)program->address, (unsigned)start);
    buffer_append(code, segment->bytes + (start - segment->address), (size_t)(end - start));
    return TESS_OK;
}

static enum tess_status add_segment(const struct reading *reading,
                                    const struct code_segment *segment, struct buffer *code)
{
    const struct code_image *image = &reading->program->image;
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
    return refuse(reading, "gp-program-empty", NULL, "there are no instructions");
}

static enum tess_status take_words(const struct reading *reading, const struct buffer *code)
{
    struct tess_gp_program *program = reading->program;
    if (code->failed)
        return TESS_NO_MEMORY;
    if (code->size == 0)
        return refuse_empty(reading);
    if (code->size % GP_INSN_BYTES)
        return refuse(reading, "gp-program-size", "an instruction has 16 bytes",
                      "%zu bytes are no whole number of instructions", code->size);
    if (code->size / GP_INSN_BYTES > GP_PROGRAM_MAX)
        return refuse(reading, "gp-program-size", "no branch could reach what lies beyond",
                      "%zu instructions are more than the %d that a program may have",
                      code->size / GP_INSN_BYTES, GP_PROGRAM_MAX);
    program->words = malloc(code->size);
    if (!program->words)
        return TESS_NO_MEMORY;
    for (size_t i = 0; i < code->size / 4; i++)
        program->words[i] = load_le32(code->data + 4 * i);
    program->instructions = code->size / GP_INSN_BYTES;
    return TESS_OK;
}

static enum tess_status take_code(const struct reading *reading)
{
    const struct code_image *image = &reading->program->image;
    struct buffer code = {0};
    enum tess_status status = TESS_OK;
    for (size_t i = 0; i < image->segment_count && status == TESS_OK; i++)
        status = add_segment(reading, &image->segments[i], &code);
    if (status == TESS_OK)
        status = take_words(reading, &code);
    buffer_free(&code);
    return status;
}

static enum tess_status take_image(const struct reading *reading)
{
    const char *steps = reading->program->image.steps;
    enum tess_status status = take_code(reading);
    if (status == TESS_OK && steps)
        status = gp_interface_read(steps, strlen(steps), reading->name, reading->sink,
                                   &reading->program->interface);
    return status;
}

/* --- files --- */

/* Bytes that text does not have. */
static bool is_text(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] == 0x7f || (bytes[i] < 32 && (bytes[i] < 7 || bytes[i] > 13)))
            return false;
    return true;
}

static enum tess_status read_source(const struct reading *reading, const void *bytes, size_t size,
                                    const struct tess_asm_options *options)
{
    struct tess_asm_options elf = options ? *options : (struct tess_asm_options){0};
    uint8_t *file;
    size_t file_size;
    elf.machine = TESS_MACHINE_GP;
    elf.format = TESS_ASM_ELF;
    enum tess_status status = tess_assemble_text(bytes, size, reading->name, &elf, reading->sink,
                                                 &file, &file_size);
    if (status != TESS_OK)
        return status;
    const struct code_options how = {.format = CODE_ELF, .name = reading->name};
    status = code_read(file, file_size, &how, (struct tess_sink){0}, &reading->program->image);
    tess_free(file);
    if (status == TESS_WRONG) /* an ELF file of ours reads well, unless nothing is in it */
        return refuse_empty(reading);
    return status == TESS_OK ? take_image(reading) : status;
}

/* Text that reads as numbers is machine code, other text is a source. */
static enum tess_status read_file(const struct reading *reading, const void *bytes, size_t size,
                                  const struct tess_asm_options *options)
{
    struct code_image *image = &reading->program->image;
    bool text = is_text(bytes, size);
    const struct code_options how = {.name = reading->name, .alignment = GP_INSN_BYTES};
    enum tess_status status = code_read(bytes, size, &how,
                                        text ? (struct tess_sink){0} : reading->sink, image);
    bool code = status == TESS_OK && image->segment_count > 0 &&
                !(text && image->format == CODE_RAW);
    if (code)
        return take_image(reading);
    if (status == TESS_NO_MEMORY || !text)
        return status == TESS_WRONG ? TESS_BAD_INPUT : status;
    code_free(image);
    return read_source(reading, bytes, size, options);
}

enum tess_status tess_gp_program_read(const void *bytes, size_t size, const char *name,
                                      const struct tess_asm_options *options, struct tess_sink sink,
                                      struct tess_gp_program **program)
{
    if (!program || (!bytes && size))
        return TESS_INVALID;
    *program = NULL;
    struct tess_gp_program *new = calloc(1, sizeof *new);
    if (!new)
        return TESS_NO_MEMORY;
    const struct reading reading = {name ? name : "<bytes>", sink, new};
    enum tess_status status = read_file(&reading, bytes ? bytes : "", size, options);
    if (status == TESS_OK)
        *program = new;
    else
        tess_gp_program_free(new);
    return status;
}

enum tess_status tess_gp_program_words(const uint32_t *words, size_t instructions,
                                       struct tess_gp_program **program)
{
    if (!program)
        return TESS_INVALID;
    *program = NULL;
    if (!words || instructions == 0 || instructions > GP_PROGRAM_MAX)
        return TESS_INVALID;
    struct tess_gp_program *new = calloc(1, sizeof *new);
    uint32_t *copy = malloc(instructions * GP_INSN_BYTES);
    if (!new || !copy) {
        free(new);
        free(copy);
        return TESS_NO_MEMORY;
    }
    memcpy(copy, words, instructions * GP_INSN_BYTES);
    *new = (struct tess_gp_program){.words = copy, .instructions = instructions};
    *program = new;
    return TESS_OK;
}

void tess_gp_program_free(struct tess_gp_program *program)
{
    if (!program)
        return;
    free(program->words);
    gp_interface_free(&program->interface);
    code_free(&program->image);
    free(program);
}

/* --- questions --- */

const uint32_t *tess_gp_program_code(const struct tess_gp_program *program, size_t *instructions)
{
    if (instructions)
        *instructions = program ? program->instructions : 0;
    return program ? program->words : NULL;
}

const struct tess_gp_symbol *tess_gp_program_symbol(const struct tess_gp_program *program,
                                                    size_t index)
{
    return program && index < program->interface.count ? &program->interface.symbols[index] : NULL;
}

const struct tess_gp_symbol *tess_gp_program_find(const struct tess_gp_program *program,
                                                  enum tess_gp_kind kind, const char *name)
{
    const struct tess_gp_symbol *symbol;
    for (size_t i = 0; name && (symbol = tess_gp_program_symbol(program, i)) != NULL; i++)
        if (symbol->kind == kind && strcmp(symbol->name, name) == 0)
            return symbol;
    return NULL;
}

/* --- what instructions do --- */

/* Bits of the components that a store unit stores. */
static uint32_t stored(unsigned source, unsigned next, unsigned first)
{
    return (uint32_t)(source != GP_STORE_NONE) << first | (uint32_t)(next != GP_STORE_NONE)
                                                              << (first + 1);
}

uint32_t tess_gp_program_stores(const struct tess_gp_program *program, uint32_t varying)
{
    uint32_t components = 0;
    for (size_t i = 0; program && i < program->instructions; i++) {
        struct gp_insn insn = gp_decode(program->words + i * GP_WORDS);
        if (insn.store0_varying && !insn.store0_temporary && insn.store0_addr == varying)
            components |= stored(insn.store0_src_x, insn.store0_src_y, 0);
        if (insn.store1_varying && !insn.store1_temporary && insn.store1_addr == varying)
            components |= stored(insn.store1_src_z, insn.store1_src_w, 2);
    }
    return components;
}

bool tess_gp_program_loads(const struct tess_gp_program *program, uint32_t attribute)
{
    for (size_t i = 0; program && i < program->instructions; i++) {
        struct gp_insn insn = gp_decode(program->words + i * GP_WORDS);
        if (insn.register0_attribute && insn.register0_addr == attribute)
            return true;
    }
    return false;
}

/* --- where instructions come from --- */

static bool has_instruction(const struct tess_gp_program *program, size_t instruction)
{
    return program && instruction < program->instructions;
}

static uint32_t address_of(const struct tess_gp_program *program, size_t instruction)
{
    return program->address + (uint32_t)(instruction * GP_INSN_BYTES);
}

void tess_gp_program_line(const struct tess_gp_program *program, size_t instruction,
                          const char **file, uint32_t *line)
{
    const struct code_line *found = has_instruction(program, instruction)
                                        ? code_line_at(&program->image,
                                                       address_of(program, instruction))
                                        : NULL;
    if (file)
        *file = found ? found->file : NULL;
    if (line)
        *line = found ? found->line : 0;
}

const char *tess_gp_program_label(const struct tess_gp_program *program, size_t instruction)
{
    if (!has_instruction(program, instruction))
        return NULL;
    uint32_t address = address_of(program, instruction);
    for (size_t i = 0; i < program->image.symbol_count; i++)
        if (program->image.symbols[i].address == address)
            return program->image.symbols[i].name;
    return NULL;
}

static const char *label_at(void *user, unsigned instruction)
{
    return tess_gp_program_label(user, instruction);
}

size_t tess_gp_program_text(const struct tess_gp_program *program, size_t instruction, char *text,
                            size_t size)
{
    if (!has_instruction(program, instruction))
        return 0;
    const uint32_t *words = program->words + instruction * GP_WORDS;
    const struct gp_surroundings around = {
        .previous = instruction ? words - GP_WORDS : NULL,
        .instructions = (unsigned)program->instructions,
        .label = label_at,
        .user = (void *)program,
    };
    return gp_print_line(text, size, words, &around);
}
