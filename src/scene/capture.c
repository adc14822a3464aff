/* SPDX-License-Identifier: MIT */
/* capture.c - records a host's use of a device as the steps of a scene.
 *
 * In:      the device's register writes, runs and interrupts; the number of each page of memory
 *          that a block is about to access for the first time.
 * Out:     the contents of each page before its first access; steps that write the same registers,
 *          repeat the host's changes to memory, run the device, and compare memory after each run
 *          with its contents in the recorded run.
 *
 * A page is saved just before a block accesses the page for the first time. Earlier changes of the
 * page by the host need no steps, because no block has read the page before. Before each run, the
 * saved pages are compared with memory to find later changes by the host.
 * Left out: state inside the device before the capture began, except registers; memory that the
 *           host changes during a run. */
#include "scene/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/order.h"
#include "base/output.h"
#include "scene/job_lists.h"
#include "scene/scene_private.h"

enum {
    CONTROL_THREADS = 2,
    PROGRAM_QUEUE = 16,  /* depth of the scheduler's queue */
    WHOLE_LENGTH = 4095, /* number of uniforms of a "qpu" step without a count */
    NEAR = 16,           /* longest run of unchanged bytes within one "data" step */
    USUAL_QPUS = 12,
};

/* --- memory --- */

/* Copies the mapped bytes of a page. Other bytes keep their values. */
static void read_page(const struct tess_capture *capture, uint32_t page, uint8_t *bytes)
{
    size_t count;
    const struct bus_region *regions = vc4_regions(capture->vc4, &count);
    uint32_t base = page * BUS_PAGE, end = base + BUS_PAGE;
    for (size_t i = 0; i < count; i++) {
        uint32_t from = most_u32(base, regions[i].base);
        uint32_t to = least_u32(end, regions[i].base + regions[i].size);
        if (from < to)
            memcpy(bytes + (from - base), regions[i].host + (from - regions[i].base), to - from);
    }
}

static int compare_numbers(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Sorts the numbers of the accessed pages. */
static void capture_sort_pages(struct tess_capture *capture)
{
    if (!capture->sorted && capture->reached_count)
        qsort(capture->reached, capture->reached_count, sizeof *capture->reached, compare_numbers);
    capture->sorted = true;
}

/* Adds a page number to capture->reached. Returns false if the host is out of memory. */
static bool add_reached(struct tess_capture *capture, uint32_t page)
{
    if (!ARRAY_GROW(capture->reached, capture->reached_count))
        return false;
    capture->reached[capture->reached_count++] = page;
    capture->sorted = false;
    return true;
}

/* Saves a page. Callback of bus_watch, which is called before the first access to the page. */
static void reach_page(void *user, uint32_t page)
{
    struct tess_capture *capture = user;
    struct capture_page *content = calloc(1, sizeof *content);
    if (!content || !add_reached(capture, page)) {
        free(content);
        capture->failed = true;
        return;
    }
    read_page(capture, page, content->first);
    memcpy(content->now, content->first, BUS_PAGE);
    capture->pages[page] = content;
}

/* Calls `use` for each mapped part of a page, with its offset in the page and its size in bytes. */
static void capture_pieces(const struct tess_capture *capture, uint32_t page,
                           void (*use)(void *user, uint32_t offset, uint32_t size), void *user)
{
    uint32_t base = page * BUS_PAGE, end = base + BUS_PAGE;
    for (uint32_t i = 0; i < capture->span_count; i++) {
        uint32_t from = most_u32(base, capture->spans[i].base);
        uint32_t to = least_u32(end, capture->spans[i].end);
        if (from < to)
            use(user, from - base, to - from);
    }
}

/* Returns the index at which to insert a span that begins at base. */
static uint32_t span_place(const struct tess_capture *capture, uint32_t base)
{
    uint32_t at = 0;
    while (at < capture->span_count && capture->spans[at].base < base)
        at++;
    return at;
}

/* Merges spans that overlap or touch. */
static void join_spans(struct tess_capture *capture)
{
    uint32_t kept = 0;
    for (uint32_t i = 1; i < capture->span_count; i++) {
        struct capture_span *last = &capture->spans[kept], *span = &capture->spans[i];
        if (span->base <= last->end)
            last->end = most_u32(last->end, span->end);
        else
            capture->spans[++kept] = *span;
    }
    capture->span_count = capture->span_count ? kept + 1 : 0;
}

static void note_mapped(void *user, uint32_t bus, uint32_t size)
{
    struct tess_capture *capture = user;
    uint32_t base = bus & BUS_ADDRESS_MASK, at = span_place(capture, base);
    if (!ARRAY_GROW(capture->spans, capture->span_count)) {
        capture->failed = true;
        return;
    }
    struct capture_span *spans = capture->spans;
    memmove(&spans[at + 1], &spans[at], (capture->span_count - at) * sizeof *spans);
    spans[at] = (struct capture_span){base, base + size};
    capture->span_count++;
    join_spans(capture);
}

/* --- changes by the host --- */

/* Consecutive changed bytes, which become one "data" step. A change may extend over several
 * pages. */
struct change {
    struct tess_capture *capture;
    uint32_t address, size;
    size_t offset; /* offset of the bytes in capture->data */
};

static void end_change(struct change *change)
{
    if (change->size)
        buffer_printf(&change->capture->text, "data 0x%08x %zu %u\n", change->address,
                      change->offset, change->size);
    change->size = 0;
}

static void add_change(struct change *change, uint32_t address, const uint8_t *bytes, uint32_t size)
{
    if (change->size && change->address + change->size != address)
        end_change(change);
    if (!change->size) {
        change->address = address;
        change->offset = change->capture->data.size;
    }
    buffer_append(&change->capture->data, bytes, size);
    change->size += size;
}

/* Returns the end of the change that begins at `from`. The change ends before more than NEAR
 * unchanged bytes, or after the last changed byte of the page. */
static uint32_t change_end(const uint8_t *old, const uint8_t *new, uint32_t from)
{
    uint32_t end = from;
    for (uint32_t i = from; i < BUS_PAGE && i - end <= NEAR; i++)
        if (old[i] != new[i])
            end = i + 1;
    return end;
}

static void compare_page(struct change *change, uint32_t page)
{
    struct capture_page *content = change->capture->pages[page];
    uint8_t bytes[BUS_PAGE];
    memcpy(bytes, content->now, BUS_PAGE);
    read_page(change->capture, page, bytes);
    for (uint32_t i = 0; i < BUS_PAGE; i++) {
        if (bytes[i] == content->now[i])
            continue;
        uint32_t end = change_end(content->now, bytes, i);
        add_change(change, page * BUS_PAGE + i, bytes + i, end - i);
        i = end;
    }
    memcpy(content->now, bytes, BUS_PAGE);
}

static void add_changes(struct tess_capture *capture)
{
    struct change change = {.capture = capture};
    capture_sort_pages(capture);
    for (uint32_t i = 0; i < capture->reached_count; i++)
        compare_page(&change, capture->reached[i]);
    end_change(&change);
}

/* --- expected contents --- */

/* Consecutive bytes, which become one "expect" step. They may extend over several pages. */
struct expectation {
    struct buffer *text;
    const uint8_t *bytes; /* contents of the current page */
    uint32_t page;
    uint32_t address, size;
    uint64_t hash;
};

static void end_expectation(struct expectation *e)
{
    if (e->size)
        buffer_printf(e->text, "expect 0x%08x %u 0x%016llx\n", e->address, e->size,
                      (unsigned long long)e->hash);
    e->size = 0;
}

static void expect_piece(void *user, uint32_t offset, uint32_t size)
{
    struct expectation *e = user;
    uint32_t address = e->page * BUS_PAGE + offset;
    if (e->size && e->address + e->size != address)
        end_expectation(e);
    if (!e->size) {
        e->address = address;
        e->hash = HASH_START;
    }
    e->hash = hash_bytes(e->hash, e->bytes + offset, size);
    e->size += size;
}

static void expect_page(struct expectation *e, const struct tess_capture *capture, uint32_t page)
{
    e->page = page;
    e->bytes = capture->pages[page]->now;
    capture_pieces(capture, page, expect_piece, e);
}

/* Copies the present contents of a page to the page's record. Returns false if the contents have
 * not changed. */
static bool update_page(struct tess_capture *capture, uint32_t page)
{
    struct capture_page *content = capture->pages[page];
    uint8_t bytes[BUS_PAGE];
    memcpy(bytes, content->now, BUS_PAGE);
    read_page(capture, page, bytes);
    if (memcmp(bytes, content->now, BUS_PAGE) == 0)
        return false;
    memcpy(content->now, bytes, BUS_PAGE);
    return true;
}

/* Adds "expect" steps for the pages that the run changed. */
static void add_expectations(struct tess_capture *capture)
{
    struct expectation e = {.text = &capture->text};
    capture_sort_pages(capture);
    for (uint32_t i = 0; i < capture->reached_count; i++)
        if (update_page(capture, capture->reached[i]))
            expect_page(&e, capture, capture->reached[i]);
    end_expectation(&e);
}

/* Adds final "expect" steps for all accessed pages. The page numbers must be sorted. */
static void add_last_expectations(const struct tess_capture *capture, struct buffer *text)
{
    struct expectation e = {.text = text};
    for (uint32_t i = 0; i < capture->reached_count; i++)
        expect_page(&e, capture, capture->reached[i]);
    end_expectation(&e);
}

/* --- register writes --- */

/* Control lists, and number of user programs, that the steps written so far have started but that
 * no step has run yet. */
struct started {
    bool list[CONTROL_THREADS];
    uint32_t programs;
};

static void write_step(struct buffer *text, const char *before, uint32_t offset, uint32_t value)
{
    const char *name = tess_vc4_register_name(offset);
    if (name)
        buffer_printf(text, "%s %s 0x%08x\n", before, name, value);
    else
        buffer_printf(text, "%s 0x%03x 0x%08x\n", before, offset, value);
}

/* If the next two register writes start a control list, writes one "bin" or "render" step. Writes
 * no step if a list of the same thread or a user program has been started and has not run yet,
 * since the step would run it first. Returns the number of register writes that the step replaces,
 * 2 or 0. */
static uint32_t list_step(struct tess_capture *capture, const struct capture_write *w,
                          uint32_t left, struct started *started)
{
    static const uint32_t current[] = {V3D_CT0CA, V3D_CT1CA}, end[] = {V3D_CT0EA, V3D_CT1EA};
    static const char *const names[] = {"bin", "render"};
    for (unsigned t = 0; t < CONTROL_THREADS; t++) {
        if (left < 2 || w[0].offset != current[t] || w[1].offset != end[t])
            continue;
        if (w[0].value == w[1].value || started->list[t] || started->programs)
            return 0;
        buffer_printf(&capture->text, "%s 0x%08x 0x%08x\n", names[t], w[0].value, w[1].value);
        started->list[t] = true;
        return 2;
    }
    return 0;
}

/* Like list_step(), but writes one "qpu" step for three register writes that start a user
 * program. */
static uint32_t program_step(struct tess_capture *capture, const struct capture_write *w,
                             uint32_t left, struct started *started)
{
    if (left < 3 || w[0].offset != V3D_SRQUA || w[1].offset != V3D_SRQUL ||
        w[2].offset != V3D_SRQPC || w[1].value == 0 || w[1].value > WHOLE_LENGTH)
        return 0;
    if (started->list[0] || started->list[1] || started->programs == PROGRAM_QUEUE)
        return 0;
    buffer_printf(&capture->text, "qpu 0x%08x 0x%08x", w[2].value, w[0].value);
    if (w[1].value == WHOLE_LENGTH)
        buffer_printf(&capture->text, "\n");
    else
        buffer_printf(&capture->text, " %u\n", w[1].value);
    started->programs++;
    return 3;
}

static void add_writes(struct tess_capture *capture)
{
    struct started started = {0};
    for (uint32_t i = 0, used; i < capture->write_count; i += used) {
        const struct capture_write *w = &capture->writes[i];
        uint32_t left = capture->write_count - i;
        used = list_step(capture, w, left, &started);
        if (!used)
            used = program_step(capture, w, left, &started);
        if (!used) {
            write_step(&capture->text, "write", w->offset, w->value);
            used = 1;
        }
    }
    capture->write_count = 0;
}

static void note_write(void *user, uint32_t offset, uint32_t value, bool in_run)
{
    struct tess_capture *capture = user;
    char before[32];
    if (in_run) {
        snprintf(before, sizeof before, "interrupt %u", capture->interrupts);
        if (capture->interrupts)
            write_step(&capture->handled, before, offset, value);
    } else if (ARRAY_GROW(capture->writes, capture->write_count)) {
        capture->writes[capture->write_count++] = (struct capture_write){offset, value};
    } else {
        capture->failed = true;
    }
}

/* --- runs --- */

static void note_begin(void *user)
{
    struct tess_capture *capture = user;
    capture->again |= capture->write_count > 0;
    capture->interrupts = 0;
    if (!capture->again)
        return;
    add_changes(capture);
    add_writes(capture);
}

static void note_interrupt(void *user)
{
    struct tess_capture *capture = user;
    capture->interrupts++;
}

static void note_end(void *user, enum tess_vc4_stop stop)
{
    struct tess_capture *capture = user;
    if (!capture->again)
        return;
    buffer_append(&capture->text, capture->handled.data, capture->handled.size);
    buffer_printf(&capture->text, "run\n");
    capture->handled.size = 0;
    capture->again = stop != TESS_VC4_IDLE;
    add_expectations(capture);
}

/* --- start and end --- */

/* Registers that keep their value and affect later runs. */
static const uint32_t kept_registers[] = {
    V3D_SCRATCH,        V3D_INTENA,         V3D_BPOA,   0x310 /* BXCF */, 0x410 /* SQRSV0 */,
    0x414 /* SQRSV1 */, 0x418 /* SQCNTL */, V3D_SRQUA,  V3D_SRQUL,        0x500 /* VPACNTL */,
    V3D_VPMBASE,        V3D_DBCFG,          V3D_DBQITE,
};

/* Adds steps that write the registers whose values differ from those of a new device. */
static enum tess_status add_registers(struct tess_capture *capture)
{
    struct tess_vc4 *fresh;
    enum tess_status status = tess_vc4_create(&fresh, NULL);
    if (status != TESS_OK)
        return status;
    for (size_t i = 0; i < sizeof kept_registers / sizeof *kept_registers; i++) {
        uint32_t value = tess_vc4_read(capture->vc4, kept_registers[i]);
        if (value != tess_vc4_read(fresh, kept_registers[i]))
            write_step(&capture->text, "write", kept_registers[i], value);
    }
    tess_vc4_destroy(fresh);
    return TESS_OK;
}

static enum tess_status begin(struct tess_capture *capture)
{
    size_t count;
    const struct bus_region *regions = vc4_regions(capture->vc4, &count);
    for (size_t i = 0; i < count; i++)
        note_mapped(capture, regions[i].base, regions[i].size);
    buffer_printf(&capture->text,
                  "# captured: memory before its first access, the host's steps, memory after "
                  "each run\n");
    if (vc4_qpus(capture->vc4) != USUAL_QPUS)
        buffer_printf(&capture->text, "qpus %u\n", vc4_qpus(capture->vc4));
    return capture->failed ? TESS_NO_MEMORY : add_registers(capture);
}

enum tess_status tess_capture_start(struct tess_capture **out, struct tess_vc4 *vc4)
{
    if (!out)
        return TESS_INVALID;
    *out = NULL;
    if (!vc4 || vc4_is_recorded(vc4))
        return TESS_INVALID;
    struct tess_capture *capture = calloc(1, sizeof *capture);
    if (!capture)
        return TESS_NO_MEMORY;
    capture->vc4 = vc4;
    capture->recorder = (struct vc4_recorder){note_write,     note_begin,  note_end,
                                              note_interrupt, note_mapped, capture};
    capture->watch.page = reach_page;
    capture->watch.user = capture;
    capture->pages = calloc(BUS_PAGES, sizeof(struct capture_page *));
    enum tess_status status = capture->pages ? begin(capture) : TESS_NO_MEMORY;
    if (status != TESS_OK) {
        tess_capture_end(capture);
        return status;
    }
    vc4_record(vc4, &capture->recorder, &capture->watch);
    *out = capture;
    return TESS_OK;
}

void tess_capture_end(struct tess_capture *capture)
{
    if (!capture)
        return;
    vc4_record(capture->vc4, NULL, NULL);
    for (uint32_t i = 0; i < capture->reached_count; i++)
        free(capture->pages[capture->reached[i]]);
    free(capture->reached);
    for (uint32_t i = 0; i < capture->symbol_count; i++)
        free(capture->symbols[i].name);
    free(capture->pages);
    free(capture->spans);
    free(capture->symbols);
    free(capture->writes);
    buffer_free(&capture->handled);
    buffer_free(&capture->text);
    buffer_free(&capture->data);
    free(capture);
}

/* --- additions by the host --- */

enum tess_status capture_add_symbol(struct tess_capture *capture,
                                    const struct capture_symbol *symbol)
{
    if (!ARRAY_GROW(capture->symbols, capture->symbol_count))
        return TESS_NO_MEMORY;
    struct capture_symbol *to = &capture->symbols[capture->symbol_count];
    *to = *symbol;
    to->name = strdup(symbol->name);
    if (!to->name)
        return TESS_NO_MEMORY;
    capture->symbol_count++;
    return TESS_OK;
}

enum tess_status tess_capture_symbol(struct tess_capture *capture, const char *name,
                                     uint32_t address, uint32_t size)
{
    const struct capture_symbol symbol = {
        .value = address, .size = size, .info = CAPTURE_LABEL, .name = (char *)name};
    return capture && name && *name ? capture_add_symbol(capture, &symbol) : TESS_INVALID;
}

enum tess_status tess_capture_step(struct tess_capture *capture, uint32_t address, uint32_t size,
                                   const char *step)
{
    if (!capture || !step || strchr(step, '\n') || size == 0 ||
        !tess_vc4_memory(capture->vc4, address, size))
        return TESS_INVALID;
    bus_watch_touch(&capture->watch, address, size);
    add_changes(capture);
    buffer_printf(&capture->text, "expect 0x%08x %u 0x%016llx\n", address, size,
                  (unsigned long long)hash_bytes(
                      HASH_START, tess_vc4_memory(capture->vc4, address, size), size));
    buffer_printf(&capture->text, "%s\n", step);
    return TESS_OK;
}

static struct job_list list_between(const struct tess_capture *capture, uint32_t from, uint32_t to)
{
    const uint8_t *bytes = to > from ? tess_vc4_memory(capture->vc4, from, to - from) : NULL;
    return (struct job_list){bytes, bytes ? to - from : 0};
}

enum tess_status tess_capture_picture(struct tess_capture *capture,
                                      const struct tess_job_lists *lists, const char *file)
{
    if (!capture || !lists || !file || strpbrk(file, "\"\n"))
        return TESS_INVALID;
    const struct job_list bin = list_between(capture, lists->bin, lists->bin_end),
                          render = list_between(capture, lists->render, lists->render_end);
    struct job_picture picture;
    struct image_layout layout;
    struct buffer text = {0};
    if (!job_picture(&bin, &render, &picture) || picture.width > SCENE_MAX_SIDE ||
        picture.height > SCENE_MAX_SIDE)
        return TESS_INVALID;
    layout_init(&layout, picture.layout, picture.width, picture.height, picture.bits);
    buffer_printf(&text, "image 0x%08x %u %u %s %s \"%s\"", picture.address, picture.width,
                  picture.height, picture.format, scene_layout_names[picture.layout], file);
    buffer_byte(&text, 0);
    enum tess_status status = text.failed
                                  ? TESS_NO_MEMORY
                                  : tess_capture_step(capture, picture.address, layout.size_bytes,
                                                      (const char *)text.data);
    buffer_free(&text);
    return status;
}

/* --- the file --- */

static enum tess_status write_out(struct tess_capture *capture, struct buffer *text,
                                  struct buffer *out)
{
    add_changes(capture);
    add_writes(capture);
    buffer_append(text, capture->text.data, capture->text.size);
    add_last_expectations(capture, text);
    if (capture->failed || capture->data.failed || capture->text.failed ||
        capture->handled.failed || text->failed)
        return TESS_NO_MEMORY;
    return capture_write(capture, text, out);
}

static void report_failure(struct tess_sink sink, const char *path, enum tess_status status)
{
    struct tess_finding diag = {.level = TESS_ERROR, .id = "io", .file = path};
    if (status == TESS_IO)
        diag_report(sink, &diag, "%s", tess_outputs_error());
    if (status == TESS_INVALID)
        diag_report(sink, &diag, "the capture is too large for a scene");
}

enum tess_status tess_capture_save(struct tess_capture *capture, const char *path,
                                   struct tess_sink sink)
{
    struct buffer text = {0}, out = {0};
    if (!capture || !path)
        return TESS_INVALID;
    enum tess_status status = write_out(capture, &text, &out);
    if (status == TESS_OK)
        status = tess_output_write(path, out.data, out.size);
    report_failure(sink, strcmp(path, "-") == 0 ? "standard output" : path, status);
    buffer_free(&text);
    buffer_free(&out);
    return status;
}

enum tess_status tess_capture_save_memory(struct tess_capture *capture, uint8_t **bytes,
                                          size_t *size, struct tess_sink sink)
{
    struct buffer text = {0}, out = {0};
    if (!capture || !bytes || !size)
        return TESS_INVALID;
    *bytes = NULL;
    *size = 0;
    enum tess_status status = write_out(capture, &text, &out);
    report_failure(sink, NULL, status);
    buffer_free(&text);
    if (status != TESS_OK) {
        buffer_free(&out);
        return status;
    }
    *bytes = out.data;
    *size = out.size;
    return TESS_OK;
}
