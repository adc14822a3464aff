/* SPDX-License-Identifier: MIT */
/* dis.c - public functions of the disassembler, which write a whole file as a source, as a source
 * with explanations, or as JSON.
 *
 * In:  a file's bytes.
 * Out: text that assembles to the same bytes at the same addresses (docs/dis.md). */
#include <stdio.h>
#include <string.h>

#include <tessera/isa.h>

#include "base/bits.h"
#include "base/diag.h"
#include "code/recognise.h"
#include "dis/dis_private.h"

enum {
    DATA_RUN_MAX = 4096,
    TEXT_COLUMNS = 56 /* width of a line before its comment */
};

const char *dis_label_at(void *user, uint32_t address)
{
    const struct dis_map *map = user;
    size_t i = dis_map_label(map, address);
    return i < map->label_count && map->labels[i].address == address ? map->labels[i].name : NULL;
}

static const char *mark_of(const struct dis *dis)
{
    return dis->isa->mark ? dis->isa->mark : "#";
}

/* Writes up to 8 little-endian bytes as one hexadecimal number. Returns text. */
const char *dis_number_text(char text[DIS_WORDS_MAX], const uint8_t *bytes, size_t size)
{
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;)
        value = value << 8 | bytes[i];
    snprintf(text, DIS_WORDS_MAX, "0x%0*llx", (int)(2 * size), (unsigned long long)value);
    return text;
}

/* Writes bytes as 32-bit words: "0x00000001, 0x00000002". Returns text. */
static const char *words_text(char text[DIS_WORDS_MAX], const uint8_t *bytes, size_t size)
{
    size_t length = 0;
    if (size % 4)
        return dis_number_text(text, bytes, size);
    text[0] = 0;
    for (size_t i = 0; i + 4 <= size; i += 4)
        length += (size_t)snprintf(text + length, DIS_WORDS_MAX - length, "%s0x%08x", i ? ", " : "",
                                   (unsigned)load_le32(bytes + i));
    return text;
}

/* --- text --- */

static void put_label(struct dis *dis, const struct dis_label *label)
{
    if (!dis->isa->colons_behind) {
        buffer_printf(&dis->out, ":%s%s\n", label->global ? ":" : "", label->name);
        return;
    }
    if (label->global)
        buffer_printf(&dis->out, ".global %s\n", label->name);
    buffer_printf(&dis->out, "%s:\n", label->name);
}

static void put_labels(struct dis *dis, const struct dis_item *item)
{
    for (size_t i = 0; i < item->label_count; i++)
        put_label(dis, &dis->map.labels[item->first_label + i]);
}

/* Writes the source line of an address as a comment, if the line differs from the last line
 * written. */
static void put_line(struct dis *dis, uint32_t address)
{
    const struct code_line *line = code_line_at(dis->map.image, address), *last = dis->line;
    if (!dis->options->lines || !line)
        return;
    if (!last || last->line != line->line || last->file != line->file)
        buffer_printf(&dis->out, "%s %s:%u\n", mark_of(dis), line->file, (unsigned)line->line);
    dis->line = line;
}

static void put_account(struct dis *dis, const struct dis_item *item)
{
    char text[DIS_TEXT_MAX];
    dis_explain(dis->isa, text, sizeof text, &item->insn);
    buffer_printf(&dis->out, "%s\n", text);
}

/* Writes the lines of an instruction. The first line has a comment with the address and the
 * words. */
static void put_lines(struct dis *dis, const struct dis_item *item, const char *text)
{
    char words[DIS_WORDS_MAX];
    size_t first = strcspn(text, "\n");
    words_text(words, item->bytes, item->size);
    buffer_printf(&dis->out, "%.*s%*s %s %08x: %s\n", (int)first, text,
                  first < TEXT_COLUMNS ? (int)(TEXT_COLUMNS - first) : 0, "", mark_of(dis),
                  (unsigned)item->address, words);
    if (text[first])
        buffer_printf(&dis->out, "%s\n", text + first + 1);
}

static void put_instruction(struct dis *dis, const struct dis_item *item)
{
    char line[DIS_LINE_MAX], text[3 * DIS_LINE_MAX], reason[DIS_LINE_MAX];
    char words[DIS_WORDS_MAX];
    bool exact = dis->isa->print(line, sizeof line, &item->insn);
    words_text(words, item->bytes, item->size);
    put_line(dis, item->address);
    if (exact || dis->options->output == TESS_DIS_NEAREST) {
        snprintf(text, sizeof text, "%s", line);
    } else {
        dis->isa->put_reason(reason, sizeof reason, &item->insn);
        snprintf(text, sizeof text, ".int %s %s %s; nearest: %s;", words, mark_of(dis), reason,
                 line);
    }
    put_lines(dis, item, text);
    if (dis->options->output == TESS_DIS_EXPLAIN)
        put_account(dis, item);
}

/* Writes the bytes as characters if all of them are printable. */
static void put_characters(struct dis *dis, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] < ' ' || bytes[i] > '~')
            return;
    buffer_printf(&dis->out, ", \"%.*s\"", (int)size, (const char *)bytes);
}

/* Writes "data" and, if the bytes cannot be an instruction, the reason. */
static void put_data_reason(struct dis *dis, const uint8_t *bytes, uint32_t address, size_t size)
{
    const struct dis_insn insn = {
        .bytes = bytes, .address = address, .map = &dis->map, .slots = bytes, .slots_size = size};
    char text[DIS_LINE_MAX] = "";
    if (size == dis->isa->size && dis->isa->put_data_reason)
        dis->isa->put_data_reason(text, sizeof text, &insn);
    buffer_printf(&dis->out, "data%s%s", text[0] ? ", as code: " : "", text);
}

static void put_data_line(struct dis *dis, const uint8_t *bytes, uint32_t address, size_t size)
{
    char text[DIS_LINE_MAX], words[DIS_WORDS_MAX];
    put_line(dis, address);
    if (size == 1)
        snprintf(text, sizeof text, ".byte 0x%02x", bytes[0]);
    else
        snprintf(text, sizeof text, ".int %s", words_text(words, bytes, size));
    buffer_printf(&dis->out, "%-56s %s %08x: ", text, mark_of(dis), (unsigned)address);
    put_data_reason(dis, bytes, address, size);
    put_characters(dis, bytes, size);
    buffer_printf(&dis->out, "\n");
}

static void put_data(struct dis *dis, const struct dis_item *item)
{
    const struct dis_isa *isa = dis->isa;
    for (size_t at = 0; at < item->size;) {
        uint32_t address = item->address + (uint32_t)at;
        size_t left = item->size - at, size = 1;
        if (address % isa->alignment == 0 && left >= isa->size)
            size = isa->size;
        else if (address % 4 == 0 && left >= 4)
            size = 4;
        put_data_line(dis, item->bytes + at, address, size);
        at += size;
    }
}

static void put_reserve(struct dis *dis, const struct dis_item *item)
{
    char text[DIS_LINE_MAX];
    put_line(dis, item->address);
    snprintf(text, sizeof text, ".space 0x%zx", item->size);
    buffer_printf(&dis->out, "%-56s %s %08x: zeros that the file does not store\n", text,
                  mark_of(dis), (unsigned)item->address);
}

static void put_text_item(struct dis *dis, const struct dis_item *item)
{
    put_labels(dis, item);
    if (item->size == 0)
        return;
    if (!item->bytes)
        put_reserve(dis, item);
    else if (item->code)
        put_instruction(dis, item);
    else
        put_data(dis, item);
}

/* --- iteration over the image --- */

/* Writes an instruction in the form of TESS_DIS_MESA, or a comment with the size of an item that is
 * not an instruction. */
static void put_mesa_item(struct dis *dis, const struct dis_item *item)
{
    if (item->code)
        dis->isa->put_mesa(&dis->out, &item->insn);
    else if (item->size)
        buffer_printf(&dis->out, "%s %08x: %zu bytes of data\n", mark_of(dis),
                      (unsigned)item->address, item->size);
}

static void put_item(struct dis *dis, struct dis_item *item)
{
    const struct dis_map *map = &dis->map;
    item->first_label = dis_map_label(map, item->address);
    for (size_t i = item->first_label;
         i < map->label_count && map->labels[i].address == item->address; i++)
        item->label_count++;
    if (dis->options->output == TESS_DIS_JSON)
        dis_json_item(dis, item);
    else if (dis->options->output == TESS_DIS_MESA)
        put_mesa_item(dis, item);
    else
        put_text_item(dis, item);
}

/* Returns the size of the data that begin at offset at. The data end at code, at a label or at the
 * end of the segment. */
static size_t data_size(const struct dis *dis, size_t number, size_t at)
{
    const struct dis_map *map = &dis->map;
    const struct code_segment *segment = &map->image->segments[number];
    size_t next = dis_map_label(map, (uint32_t)(segment->address + at + 1)), size = 1;
    size_t most = segment->size - at < DATA_RUN_MAX ? segment->size - at : DATA_RUN_MAX;
    if (next < map->label_count && map->labels[next].address > segment->address + at &&
        map->labels[next].address - segment->address - at < most)
        most = map->labels[next].address - segment->address - at;
    while (size < most && map->contents[number][at + size] != CODE_INSTRUCTIONS)
        size++;
    return size;
}

static struct dis_insn labelled_insn(struct dis *dis, size_t number, size_t at)
{
    struct dis_insn insn = dis_map_insn(&dis->map, number, at);
    insn.label_at = dis_label_at;
    insn.user = &dis->map;
    return insn;
}

static void put_code(struct dis *dis, size_t number, size_t at)
{
    const struct code_segment *segment = &dis->map.image->segments[number];
    struct dis_item item = {.bytes = segment->bytes + at,
                            .address = (uint32_t)(segment->address + at),
                            .code = true,
                            .insn = labelled_insn(dis, number, at)};
    item.size = item.insn.size;
    put_item(dis, &item);
}

/* Writes the pieces of a listing. Text output has the order of the source; JSON has the order of
 * addresses. */
static void put_pieces(struct dis *dis, size_t number)
{
    const struct dis_listing *listing = &dis->map.listings[number];
    bool text = dis->options->output < TESS_DIS_JSON;
    if (text && dis->isa->put_head)
        dis->isa->put_head(&dis->out, &dis->map, number);
    if (dis->options->output == TESS_DIS_MESA && dis->isa->put_mesa_segment) {
        dis->isa->put_mesa_segment(&dis->out, &dis->map, number);
        return;
    }
    for (size_t i = 0; i < listing->count; i++)
        put_code(dis, number, listing->pieces[text ? listing->order[i] : i].offset);
}

/* Return the start and end offsets of the pieces of a listing. */
static size_t listing_start(const struct dis_listing *listing)
{
    return listing && listing->count ? listing->pieces[0].offset : SIZE_MAX;
}

static size_t listing_end(const struct dis_listing *listing)
{
    const struct dis_piece *last = &listing->pieces[listing->count - 1];
    return last->offset + last->size;
}

static void put_segment(struct dis *dis, size_t number)
{
    const struct code_segment *segment = &dis->map.image->segments[number];
    const struct dis_listing *listing = dis->map.listings ? &dis->map.listings[number] : NULL;
    for (size_t at = 0; at < segment->size;) {
        if (at == listing_start(listing)) {
            put_pieces(dis, number);
            at = listing_end(listing);
        } else if (dis->map.contents[number][at] == CODE_INSTRUCTIONS) {
            put_code(dis, number, at);
            at += dis->isa->size;
        } else {
            struct dis_item item = {.bytes = segment->bytes + at,
                                    .address = (uint32_t)(segment->address + at),
                                    .size = data_size(dis, number, at)};
            put_item(dis, &item);
            at += item.size;
        }
    }
}

/* Writes reserved memory, split into parts at its labels. */
static void put_reserved(struct dis *dis, const struct code_range *reserve)
{
    const struct dis_map *map = &dis->map;
    uint64_t end = (uint64_t)reserve->address + reserve->size, next;
    for (uint64_t at = reserve->address; at < end; at = next) {
        size_t label = dis_map_label(map, (uint32_t)(at + 1));
        bool split = at < UINT32_MAX && label < map->label_count &&
                     map->labels[label].address < end;
        next = split ? map->labels[label].address : end;
        put_item(dis, &(struct dis_item){.address = (uint32_t)at, .size = (size_t)(next - at)});
    }
}

/* State of the iteration over segments and reserved memory, in order of address. */
struct walk {
    struct dis *dis;
    size_t segment, reserve;
    uint64_t end; /* end of the last part */
};

/* Returns the address of the next part, or 2^32 after the last part. */
static uint64_t next_start(const struct walk *walk, bool *reserved)
{
    const struct code_image *image = walk->dis->map.image;
    uint64_t none = UINT64_C(1) << 32;
    uint64_t segment = walk->segment < image->segment_count ? image->segments[walk->segment].address
                                                            : none;
    uint64_t reserve = walk->reserve < image->reserve_count ? image->reserves[walk->reserve].address
                                                            : none;
    *reserved = reserve < segment;
    return *reserved ? reserve : segment;
}

static void put_next(struct walk *walk, bool reserved)
{
    struct dis *dis = walk->dis;
    const struct code_image *image = dis->map.image;
    if (reserved) {
        const struct code_range *reserve = &image->reserves[walk->reserve++];
        put_reserved(dis, reserve);
        walk->end = (uint64_t)reserve->address + reserve->size;
    } else {
        const struct code_segment *segment = &image->segments[walk->segment];
        put_segment(dis, walk->segment++);
        walk->end = segment->address + (uint64_t)segment->size;
    }
}

void dis_put_all(struct dis *dis)
{
    struct walk walk = {.dis = dis};
    bool reserved, text = dis->options->output < TESS_DIS_JSON;
    for (;;) {
        uint64_t start = next_start(&walk, &reserved);
        if (start != walk.end && walk.end <= UINT32_MAX && walk.end &&
            dis_label_at(&dis->map, (uint32_t)walk.end))
            put_item(dis, &(struct dis_item){.address = (uint32_t)walk.end});
        if (start > UINT32_MAX)
            return;
        if (text && (start != walk.end || (walk.end > 0 && dis->isa->list)))
            buffer_printf(&dis->out, ".org 0x%08x\n", (unsigned)start);
        put_next(&walk, reserved);
    }
}

/* --- the whole document --- */

static void put_directives(struct dis *dis)
{
    for (size_t i = 0; i < dis->map.step_count; i++)
        if (dis->map.steps[i].directive)
            buffer_printf(&dis->out, "%s\n", dis->map.steps[i].directive);
}

static void put_steps(struct dis *dis)
{
    for (size_t i = 0; i < dis->map.step_count; i++) {
        const struct dis_step *step = &dis->map.steps[i];
        if (!step->directive)
            buffer_printf(&dis->out, ".scene %.*s\n", (int)step->length, step->text);
    }
}

static void put_constant(struct dis *dis, const struct dis_label *constant)
{
    if (!constant->directive)
        buffer_printf(&dis->out, ".set %s, 0x%08x\n", constant->name, (unsigned)constant->address);
    if (constant->global)
        buffer_printf(&dis->out, ".global %s\n", constant->name);
}

static void put_text(struct dis *dis)
{
    put_directives(dis);
    for (size_t i = 0; i < dis->map.constant_count; i++)
        put_constant(dis, &dis->map.constants[i]);
    dis_put_all(dis);
    put_steps(dis);
}

static enum tess_status disassemble(struct dis *dis, const struct code_image *image)
{
    enum tess_status status = dis_map(image, dis->options, &dis->map);
    if (status == TESS_OK && dis->options->output == TESS_DIS_JSON)
        dis_json_document(dis);
    else if (status == TESS_OK && dis->options->output == TESS_DIS_MESA)
        dis_put_all(dis);
    else if (status == TESS_OK)
        put_text(dis);
    buffer_byte(&dis->out, 0);
    dis_map_free(&dis->map);
    return status == TESS_OK && dis->out.failed ? TESS_NO_MEMORY : status;
}

static bool is_valid(const void *data, const struct tess_dis_options *options, char **text,
                     const size_t *text_size)
{
    if (!data || !options || !text || !text_size)
        return false;
    const struct dis_isa *isa = dis_isa(options->machine);
    bool listed = options->output != TESS_DIS_MESA ||
                  (isa && (isa->put_mesa || isa->put_mesa_segment));
    return isa && listed && (unsigned)options->input <= TESS_DIS_XENOS &&
           (unsigned)options->output <= TESS_DIS_MESA && (options->ranges || !options->range_count);
}

/* Reports an error if the file's format is only for code of another machine. */
static enum tess_status check_format(const struct tess_dis_options *options,
                                     const struct code_image *image, struct tess_sink sink)
{
    static const struct {
        enum code_format format;
        enum tess_machine machine;
        enum tess_setting setting;
        const char *rule, *hint, *text;
    } containers[] = {
        {CODE_MBS, TESS_MACHINE_GP, TESS_SETTING_GP, "code-mbs", "choose the machine gp",
         "an MBS file contains code for the GP"},
        {CODE_LISTING, TESS_MACHINE_A2XX, TESS_SETTING_A2XX, "code-listing",
         "choose the machine a2xx", "this listing contains code for the Adreno A2xx"},
        {CODE_XENOS, TESS_MACHINE_A2XX, TESS_SETTING_XENOS, "code-xenos",
         "choose the machine a2xx and the variant xenos",
         "a shader container contains code for the Xenos"},
    };
    for (size_t i = 0; i < sizeof containers / sizeof containers[0]; i++) {
        const struct tess_finding diag = {.level = TESS_ERROR,
                                          .id = containers[i].rule,
                                          .hint = containers[i].hint,
                                          .setting = containers[i].setting,
                                          .file = options->name};
        if (image->format != containers[i].format || options->machine == containers[i].machine)
            continue;
        diag_report(sink, &diag, "%s", containers[i].text);
        return TESS_WRONG;
    }
    return TESS_OK;
}

enum tess_status tess_disassemble(const void *data, size_t size,
                                  const struct tess_dis_options *options, struct tess_sink sink,
                                  char **text, size_t *text_size)
{
    if (!is_valid(data, options, text, text_size))
        return TESS_INVALID;
    *text = NULL;
    *text_size = 0;
    struct dis dis = {.options = options, .isa = dis_isa(options->machine)};
    const struct code_options reading = {.format = (enum code_format)options->input,
                                         .name = options->name,
                                         .base = options->base,
                                         .alignment = dis.isa->alignment};
    struct code_image image = {0};
    if (options->input == TESS_DIS_AUTO && size > 0 &&
        recognise_refuse(data, size, options->name, sink))
        return TESS_BAD_INPUT;
    enum tess_status status = code_read(data, size, &reading, sink, &image);
    if (status == TESS_OK)
        status = check_format(options, &image, sink);
    if (status == TESS_OK)
        status = disassemble(&dis, &image);
    code_free(&image);
    if (status != TESS_OK) {
        buffer_free(&dis.out);
        return status == TESS_WRONG ? TESS_BAD_INPUT : status;
    }
    *text = (char *)dis.out.data;
    *text_size = dis.out.size - 1;
    return TESS_OK;
}
