/* SPDX-License-Identifier: MIT */
/* stats.c - see stats.h. */
#include "front/stats.h"

#include <inttypes.h>
#include <string.h>

#include "front/hot_spots.h"
#include "front/report.h"

enum { SYMBOL_WIDTH = 24, STALL_WIDTH = 10, NAME_BYTES = 256 };

/* --- totals --- */

#define STATS(S)         \
    S(records)           \
    S(primitives_binned) \
    S(primitives_drawn)  \
    S(tiles)             \
    S(quads)             \
    S(shader_runs)       \
    S(instructions)      \
    S(texture_lookups)   \
    S(texture_words)     \
    S(clocks)

static void print_totals(FILE *stream, const struct tess_vc4 *vc4, bool json)
{
    struct tess_vc4_stats stats;
    const char *before = "";
    tess_vc4_get_stats(vc4, &stats);
#define S(name)                                                                             \
    fprintf(stream, json ? "%s\"%s\": %" PRIu64 : "%.0s%-18s %" PRIu64 "\n", before, #name, \
            stats.name);                                                                    \
    before = ", ";
    STATS(S)
#undef S
}

/* --- time on a Raspberry Pi --- */

/* Time that the ARM needs to start programs through the mailbox, and through registers
 * (docs/vc4/timing.md, "Predicted and published"). The time for the mailbox is from gpu_fft.txt of
 * the repository userland. The time for registers is an estimate. */
static const double mailbox_ms = 0.1, registers_ms = 0.005;

struct pi_time {
    double ms, mhz;
    struct tess_pi_starts starts;
};

static struct pi_time time_of(const struct tess_vc4 *vc4, const struct tess_pi *pi)
{
    struct tess_vc4_stats stats;
    struct pi_time time = {.mhz = tess_pi_clock_rate(pi, TESS_PI_CLOCK_V3D) / 1e6};
    tess_vc4_get_stats(vc4, &stats);
    tess_pi_get_starts(pi, &time.starts);
    time.ms = (double)time.starts.mailbox * mailbox_ms +
              (double)time.starts.registers * registers_ms;
    if (time.mhz > 0)
        time.ms += (double)stats.clocks / time.mhz / 1000;
    return time;
}

static void print_time(FILE *stream, const struct pi_time *time)
{
    fprintf(stream,
            "%-18s %.4f: clocks at %.0f MHz, %g for each of %" PRIu64
            " starts by mailbox, %g for each of %" PRIu64 " by registers\n",
            "predicted_ms", time->ms, time->mhz, mailbox_ms, time->starts.mailbox, registers_ms,
            time->starts.registers);
}

static void json_time(FILE *stream, const struct pi_time *time)
{
    fprintf(stream,
            ", \"predicted_ms\": %.4f, \"mhz\": %.0f, \"mailbox_starts\": %" PRIu64
            ", \"register_starts\": %" PRIu64,
            time->ms, time->mhz, time->starts.mailbox, time->starts.registers);
}

static void show_time(FILE *stream, const struct tess_vc4 *vc4, const struct tess_pi *pi, bool json)
{
    struct pi_time time = time_of(vc4, pi);
    if (json)
        json_time(stream, &time);
    else
        print_time(stream, &time);
}

/* --- draws --- */

/* Writes the symbol and the source line of a drawing record, or "" if neither is known. */
static void draw_text(char *text, size_t size, const struct address_names *names,
                      const struct tess_vc4_draw_stats *row)
{
    const struct tess_place place = {.known = TESS_PLACE_LIST,
                                     .thread = row->thread,
                                     .list_address = row->list_address,
                                     .record = row->record};
    struct address_name name;
    names_place(names, &place, &name);
    names_shorten(&name);
    names_text(text, size, &name);
}

/* Prints the counts that are not 0. */
static void print_draw_counts(FILE *stream, const uint64_t counts[TESS_VC4_DRAW_COUNTS])
{
    for (unsigned i = 0; i < TESS_VC4_DRAW_COUNTS; i++)
        if (counts[i])
            fprintf(stream, "  %s %" PRIu64, tess_vc4_draw_counter_name(i), counts[i]);
    fprintf(stream, "\n");
}

static void print_draw(FILE *stream, const struct address_names *names,
                       const struct tess_vc4_draw_stats *row)
{
    char text[NAME_BYTES];
    if (row->record == TESS_VC4_OTHER_DRAWS) {
        fprintf(stream, "(all others)");
    } else {
        draw_text(text, sizeof text, names, row);
        fprintf(stream, "0x%08" PRIx32 "  %s%sexecuted %" PRIu64, row->list_address, text,
                text[0] ? "  " : "", row->executed);
    }
    print_draw_counts(stream, row->counts);
}

static void print_draws(FILE *stream, const struct tess_vc4 *vc4, const struct address_names *names)
{
    struct tess_vc4_stats stats;
    struct tess_vc4_draw_stats row;
    if (tess_vc4_draw_count(vc4) == 0)
        return;
    tess_vc4_get_stats(vc4, &stats);
    fprintf(stream, "\ndraws, with their primitives and pixels by outcome\n");
    for (uint32_t i = 0; tess_vc4_get_draw_stats(vc4, i, &row); i++)
        print_draw(stream, names, &row);
    fprintf(stream, "all draws ");
    print_draw_counts(stream, stats.draw_counts);
}

static void json_draw_counts(FILE *stream, const uint64_t counts[TESS_VC4_DRAW_COUNTS])
{
    fprintf(stream, "{");
    for (unsigned i = 0; i < TESS_VC4_DRAW_COUNTS; i++)
        fprintf(stream, "%s\"%s\": %" PRIu64, i ? ", " : "", tess_vc4_draw_counter_name(i),
                counts[i]);
    fprintf(stream, "}");
}

static void json_source(FILE *stream, const struct address_names *names,
                        const struct tess_vc4_draw_stats *row)
{
    const struct tess_place place = {
        .known = TESS_PLACE_LIST, .thread = row->thread, .list_address = row->list_address};
    struct address_name name;
    names_place(names, &place, &name);
    if (!name.file)
        return;
    fprintf(stream, ", \"file\": ");
    report_json_text(stream, name.file);
    fprintf(stream, ", \"line\": %" PRIu32, name.line);
}

static void json_draw(FILE *stream, const struct address_names *names,
                      const struct tess_vc4_draw_stats *row)
{
    fprintf(stream, "{\"address\": ");
    if (row->record == TESS_VC4_OTHER_DRAWS)
        fprintf(stream, "null");
    else
        fprintf(stream, "\"0x%08" PRIx32 "\"", row->list_address);
    fprintf(stream, ", \"list\": \"%s\", \"record\": %u, \"executed\": %" PRIu64,
            row->thread ? "rendering" : "binning", row->record, row->executed);
    if (row->record != TESS_VC4_OTHER_DRAWS)
        json_source(stream, names, row);
    fprintf(stream, ", \"counts\": ");
    json_draw_counts(stream, row->counts);
    fprintf(stream, "}");
}

static void json_draws(FILE *stream, const struct tess_vc4 *vc4, const struct address_names *names)
{
    struct tess_vc4_stats stats;
    struct tess_vc4_draw_stats row;
    tess_vc4_get_stats(vc4, &stats);
    fprintf(stream, ", \"draw_counts\": ");
    json_draw_counts(stream, stats.draw_counts);
    fprintf(stream, ", \"draws\": [");
    for (uint32_t i = 0; tess_vc4_get_draw_stats(vc4, i, &row); i++) {
        fprintf(stream, "%s", i ? ", " : "");
        json_draw(stream, names, &row);
    }
    fprintf(stream, "]");
}

/* --- counters --- */

static void print_counters(FILE *stream, const struct tess_vc4 *vc4)
{
    const char *title = "\nevents of the blocks, by source of the performance counters\n"
                        "block  source         count\n";
    for (uint32_t id = 0; id < TESS_VC4_COUNTERS; id++) {
        uint64_t value = tess_vc4_counter(vc4, id);
        if (!value)
            continue;
        fprintf(stream, "%s%-5s  %6" PRIu32 "  %12" PRIu64 "  %s\n", title,
                tess_vc4_counter_unit(id), id, value, tess_vc4_counter_name(id));
        title = "";
    }
}

static void json_counters(FILE *stream, const struct tess_vc4 *vc4)
{
    fprintf(stream, ", \"counters\": [");
    for (uint32_t id = 0; id < TESS_VC4_COUNTERS; id++)
        fprintf(stream,
                "%s{\"id\": %" PRIu32 ", \"unit\": \"%s\", \"name\": \"%s\", \"value\": %" PRIu64
                "}",
                id ? ", " : "", id, tess_vc4_counter_unit(id), tess_vc4_counter_name(id),
                tess_vc4_counter(vc4, id));
    fprintf(stream, "]");
}

/* --- caches --- */

/* Hits and misses of a cache. */
struct cache_counts {
    const char *name;
    uint64_t hits, misses;
};

static double hit_rate(uint64_t hits, uint64_t misses)
{
    return hits + misses ? (double)hits / (double)(hits + misses) : 0;
}

/* Computes the hits and misses of the instruction, uniform, texture and level 2 caches from the
 * performance counters (manual, table 82). No counter counts hits of the texture caches, so they
 * are computed from the number of texture words. */
static void get_caches(const struct tess_vc4 *vc4, struct cache_counts cache[4])
{
    enum { INSTRUCTION_HITS = 20, UNIFORM_HITS = 22, TMU_MISSES = 25, L2C_HITS = 28 };
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(vc4, &stats);
    uint64_t misses = tess_vc4_counter(vc4, TMU_MISSES);
    cache[0] = (struct cache_counts){"instructions", tess_vc4_counter(vc4, INSTRUCTION_HITS),
                                     tess_vc4_counter(vc4, INSTRUCTION_HITS + 1)};
    cache[1] = (struct cache_counts){"uniforms", tess_vc4_counter(vc4, UNIFORM_HITS),
                                     tess_vc4_counter(vc4, UNIFORM_HITS + 1)};
    cache[2] = (struct cache_counts){"textures", stats.texture_words - misses, misses};
    cache[3] = (struct cache_counts){"level 2", tess_vc4_counter(vc4, L2C_HITS),
                                     tess_vc4_counter(vc4, L2C_HITS + 1)};
}

static void print_rate(FILE *stream, uint64_t hits, uint64_t misses)
{
    if (hits + misses)
        fprintf(stream, "  %7.2f%%", 100 * hit_rate(hits, misses));
    else
        fprintf(stream, "  %8s", "-");
}

static void print_caches(FILE *stream, const struct tess_vc4 *vc4)
{
    struct cache_counts cache[4];
    get_caches(vc4, cache);
    fprintf(stream, "\n%-12s  %12s  %12s  %8s\n", "cache", "hits", "misses", "hit rate");
    for (unsigned i = 0; i < 4; i++) {
        fprintf(stream, "%-12s  %12" PRIu64 "  %12" PRIu64, cache[i].name, cache[i].hits,
                cache[i].misses);
        print_rate(stream, cache[i].hits, cache[i].misses);
        fprintf(stream, "\n");
    }
}

static void json_caches(FILE *stream, const struct tess_vc4 *vc4)
{
    struct cache_counts cache[4];
    get_caches(vc4, cache);
    fprintf(stream, ", \"caches\": [");
    for (unsigned i = 0; i < 4; i++)
        fprintf(stream,
                "%s{\"name\": \"%s\", \"hits\": %" PRIu64 ", \"misses\": %" PRIu64
                ", \"hit_rate\": %.6f}",
                i ? ", " : "", cache[i].name, cache[i].hits, cache[i].misses,
                hit_rate(cache[i].hits, cache[i].misses));
    fprintf(stream, "]");
}

/* --- shaders --- */

/* A device whose statistics are printed, the names of its addresses, and its profile. */
struct view {
    const struct tess_vc4 *vc4;
    const struct address_names *names;
    struct hot_spots hot;
};

/* Writes the symbol of a program as "name" or "name+0x10", or "-" for a program without a
 * symbol. */
static void symbol_text(char *text, size_t size, struct view *view,
                        const struct tess_vc4_shader_stats *row)
{
    struct address_name name;
    if (row->start == TESS_VC4_OTHER_SHADERS) {
        snprintf(text, size, "(all others)");
        return;
    }
    hot_spots_name(&view->hot, view->names, row, &name);
    name.file = NULL;
    names_text(text, size, &name);
    if (!text[0])
        snprintf(text, size, "-");
}

static int stall_width(enum tess_vc4_stall stall)
{
    size_t length = strlen(tess_vc4_stall_name(stall));
    return length < STALL_WIDTH ? STALL_WIDTH : (int)length;
}

static void print_shader(FILE *stream, const struct tess_vc4_shader_stats *row, const char *symbol)
{
    fprintf(stream, "%-10s  0x%08" PRIx32 "  %-*.*s  %10" PRIu64 "  %12" PRIu64 "  %12" PRIu64,
            tess_vc4_shader_kind_name(row->kind), row->start, SYMBOL_WIDTH, SYMBOL_WIDTH, symbol,
            row->runs, row->instructions, row->cycles);
    for (unsigned i = 0; i < TESS_VC4_STALLS; i++)
        fprintf(stream, "  %*" PRIu64, stall_width(i), row->stalls[i]);
    fprintf(stream, "  %10" PRIu64 "  %10" PRIu64 "  %10" PRIu64 "  %12" PRIu64 "  %12" PRIu64 "\n",
            row->uniforms, row->tmu_requests, row->vpm_accesses, row->dma_loaded, row->dma_stored);
}

static void print_shader_head(FILE *stream)
{
    fprintf(stream, "\nshaders, with cycles stalled by cause\n%-10s  %-10s  %-*s  %10s  %12s  %12s",
            "kind", "address", SYMBOL_WIDTH, "symbol", "runs", "instructions", "cycles");
    for (unsigned i = 0; i < TESS_VC4_STALLS; i++)
        fprintf(stream, "  %*s", stall_width(i), tess_vc4_stall_name(i));
    fprintf(stream, "  %10s  %10s  %10s  %12s  %12s\n", "uniforms", "lookups", "vpm", "dma loaded",
            "dma stored");
}

static void print_misses(FILE *stream, uint64_t accesses, uint64_t misses)
{
    fprintf(stream, "  %12" PRIu64, misses);
    print_rate(stream, accesses - misses, misses);
}

static void print_shader_caches(FILE *stream, const struct tess_vc4_shader_stats *row,
                                const char *symbol)
{
    fprintf(stream, "%-10s  0x%08" PRIx32 "  %-*.*s", tess_vc4_shader_kind_name(row->kind),
            row->start, SYMBOL_WIDTH, SYMBOL_WIDTH, symbol);
    print_misses(stream, row->instructions, row->instruction_misses);
    print_misses(stream, row->uniforms, row->uniform_misses);
    print_misses(stream, row->texture_words, row->texture_misses);
    fprintf(stream, "\n");
}

static void print_shader_caches_head(FILE *stream)
{
    fprintf(stream, "\nshaders, with misses of caches and hit rates\n%-10s  %-10s  %-*s", "kind",
            "address", SYMBOL_WIDTH, "symbol");
    fprintf(stream, "  %12s  %8s  %12s  %8s  %12s  %8s\n", "instructions", "rate", "uniforms",
            "rate", "textures", "rate");
}

typedef void print_row(FILE *stream, const struct tess_vc4_shader_stats *row, const char *symbol);

static void print_rows(FILE *stream, struct view *view, print_row *print)
{
    struct tess_vc4_shader_stats row;
    char symbol[SYMBOL_WIDTH + 16];
    for (uint32_t i = 0; tess_vc4_get_shader_stats(view->vc4, i, &row); i++) {
        symbol_text(symbol, sizeof symbol, view, &row);
        print(stream, &row, symbol);
    }
}

static void print_shaders(FILE *stream, struct view *view)
{
    if (tess_vc4_shader_count(view->vc4) == 0)
        return;
    print_shader_head(stream);
    print_rows(stream, view, print_shader);
    print_shader_caches_head(stream);
    print_rows(stream, view, print_shader_caches);
    print_caches(stream, view->vc4);
}

static void json_shader(FILE *stream, struct view *view, const struct tess_vc4_shader_stats *row)
{
    struct address_name name;
    hot_spots_name(&view->hot, view->names, row, &name);
    fprintf(stream, "{\"kind\": \"%s\", \"address\": ", tess_vc4_shader_kind_name(row->kind));
    if (row->start == TESS_VC4_OTHER_SHADERS)
        fprintf(stream, "null");
    else
        fprintf(stream, "\"0x%08" PRIx32 "\"", row->start);
    if (name.symbol) {
        fprintf(stream, ", \"symbol\": ");
        report_json_text(stream, name.symbol);
        fprintf(stream, ", \"offset\": %" PRIu32, name.offset);
    }
    fprintf(stream,
            ", \"runs\": %" PRIu64 ", \"instructions\": %" PRIu64 ", \"cycles\": %" PRIu64
            ", \"stalls\": {",
            row->runs, row->instructions, row->cycles);
    for (unsigned i = 0; i < TESS_VC4_STALLS; i++)
        fprintf(stream, "%s\"%s\": %" PRIu64, i ? ", " : "", tess_vc4_stall_name(i),
                row->stalls[i]);
    fprintf(
        stream,
        "}, \"uniforms\": %" PRIu64 ", \"texture_lookups\": %" PRIu64
        ", \"texture_words\": %" PRIu64 ", \"vpm_accesses\": %" PRIu64 ", \"dma_loaded\": %" PRIu64
        ", \"dma_stored\": %" PRIu64 ", \"instruction_misses\": %" PRIu64
        ", \"uniform_misses\": %" PRIu64 ", \"texture_misses\": %" PRIu64,
        row->uniforms, row->tmu_requests, row->texture_words, row->vpm_accesses, row->dma_loaded,
        row->dma_stored, row->instruction_misses, row->uniform_misses, row->texture_misses);
    hot_spots_json(stream, &view->hot, view->names, row);
    fprintf(stream, "}");
}

static void json_shaders(FILE *stream, struct view *view)
{
    struct tess_vc4_shader_stats row;
    fprintf(stream, ", \"shaders\": [");
    for (uint32_t i = 0; tess_vc4_get_shader_stats(view->vc4, i, &row); i++) {
        fprintf(stream, "%s", i ? ", " : "");
        json_shader(stream, view, &row);
    }
    fprintf(stream, "]");
}

void stats_print(FILE *stream, const struct tess_vc4 *vc4, const struct tess_pi *pi,
                 const struct address_names *names, bool json)
{
    struct view view = {.vc4 = vc4, .names = names};
    hot_spots_begin(&view.hot, vc4);
    fprintf(stream, "%s", json ? "{" : "");
    print_totals(stream, vc4, json);
    if (pi)
        show_time(stream, vc4, pi, json);
    if (json) {
        json_draws(stream, vc4, names);
        json_counters(stream, vc4);
        json_caches(stream, vc4);
        json_shaders(stream, &view);
        fprintf(stream, "}\n");
    } else {
        print_draws(stream, vc4, names);
        print_counters(stream, vc4);
        print_shaders(stream, &view);
        hot_spots_print(stream, &view.hot, names);
    }
    hot_spots_end(&view.hot);
}
