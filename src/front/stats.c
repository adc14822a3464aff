/* SPDX-License-Identifier: MIT */
/* stats.c - see stats.h. */
#include "front/stats.h"

#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "front/hot_spots.h"

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

static void print_totals(FILE *stream, const struct tess_vc4 *vc4)
{
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(vc4, &stats);
#define S(name) fprintf(stream, "%-18s %" PRIu64 "\n", #name, stats.name);
    STATS(S)
#undef S
}

static void json_totals(struct json *json, const struct tess_vc4 *vc4)
{
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(vc4, &stats);
#define S(name) json_member_uint(json, #name, stats.name);
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

static void print_time(FILE *stream, struct pi_time time)
{
    fprintf(stream,
            "%-18s %.4f: clocks at %.0f MHz, %g for each of %" PRIu64
            " starts by mailbox, %g for each of %" PRIu64 " by registers\n",
            "predicted_ms", time.ms, time.mhz, mailbox_ms, time.starts.mailbox, registers_ms,
            time.starts.registers);
}

static void json_time(struct json *json, struct pi_time time)
{
    json_key(json, "predicted_ms");
    json_decimal(json, time.ms, 4);
    json_key(json, "mhz");
    json_decimal(json, time.mhz, 0);
    json_member_uint(json, "mailbox_starts", time.starts.mailbox);
    json_member_uint(json, "register_starts", time.starts.registers);
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

static void json_draw_counts(struct json *json, const char *key,
                             const uint64_t counts[TESS_VC4_DRAW_COUNTS])
{
    json_member_object(json, key);
    for (unsigned i = 0; i < TESS_VC4_DRAW_COUNTS; i++)
        json_member_uint(json, tess_vc4_draw_counter_name(i), counts[i]);
    json_end_object(json);
}

static void json_source(struct json *json, const struct address_names *names,
                        const struct tess_vc4_draw_stats *row)
{
    const struct tess_place place = {
        .known = TESS_PLACE_LIST, .thread = row->thread, .list_address = row->list_address};
    struct address_name name;
    names_place(names, &place, &name);
    name.symbol = NULL;
    names_json(json, "", &name);
}

/* Writes an address, or null for a row that sums up all others. */
static void json_address(struct json *json, uint32_t address, bool others)
{
    json_key(json, "address");
    if (others)
        json_null(json);
    else
        json_hex(json, address, 8);
}

static void json_draw(struct json *json, const struct address_names *names,
                      const struct tess_vc4_draw_stats *row)
{
    bool others = row->record == TESS_VC4_OTHER_DRAWS;
    json_begin_object(json);
    json_address(json, row->list_address, others);
    json_member_string(json, "list", row->thread ? "rendering" : "binning");
    json_member_uint(json, "record", row->record);
    json_member_uint(json, "executed", row->executed);
    if (!others)
        json_source(json, names, row);
    json_draw_counts(json, "counts", row->counts);
    json_end_object(json);
}

static void json_draws(struct json *json, const struct tess_vc4 *vc4,
                       const struct address_names *names)
{
    struct tess_vc4_stats stats;
    struct tess_vc4_draw_stats row;
    tess_vc4_get_stats(vc4, &stats);
    json_draw_counts(json, "draw_counts", stats.draw_counts);
    json_member_array(json, "draws");
    for (uint32_t i = 0; tess_vc4_get_draw_stats(vc4, i, &row); i++)
        json_draw(json, names, &row);
    json_end_array(json);
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

static void json_counters(struct json *json, const struct tess_vc4 *vc4)
{
    json_member_array(json, "counters");
    for (uint32_t id = 0; id < TESS_VC4_COUNTERS; id++) {
        json_begin_object(json);
        json_member_uint(json, "id", id);
        json_member_string(json, "unit", tess_vc4_counter_unit(id));
        json_member_string(json, "name", tess_vc4_counter_name(id));
        json_member_uint(json, "value", tess_vc4_counter(vc4, id));
        json_end_object(json);
    }
    json_end_array(json);
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

static void json_caches(struct json *json, const struct tess_vc4 *vc4)
{
    struct cache_counts cache[4];
    get_caches(vc4, cache);
    json_member_array(json, "caches");
    for (unsigned i = 0; i < 4; i++) {
        json_begin_object(json);
        json_member_string(json, "name", cache[i].name);
        json_member_uint(json, "hits", cache[i].hits);
        json_member_uint(json, "misses", cache[i].misses);
        json_key(json, "hit_rate");
        json_decimal(json, hit_rate(cache[i].hits, cache[i].misses), 6);
        json_end_object(json);
    }
    json_end_array(json);
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

static void json_shader(struct json *json, struct view *view,
                        const struct tess_vc4_shader_stats *row)
{
    struct address_name name;
    hot_spots_name(&view->hot, view->names, row, &name);
    name.file = NULL;
    json_begin_object(json);
    json_member_string(json, "kind", tess_vc4_shader_kind_name(row->kind));
    json_address(json, row->start, row->start == TESS_VC4_OTHER_SHADERS);
    names_json(json, "", &name);
    json_member_uint(json, "runs", row->runs);
    json_member_uint(json, "instructions", row->instructions);
    json_member_uint(json, "cycles", row->cycles);
    json_member_object(json, "stalls");
    for (unsigned i = 0; i < TESS_VC4_STALLS; i++)
        json_member_uint(json, tess_vc4_stall_name(i), row->stalls[i]);
    json_end_object(json);
    json_member_uint(json, "uniforms", row->uniforms);
    json_member_uint(json, "texture_lookups", row->tmu_requests);
    json_member_uint(json, "texture_words", row->texture_words);
    json_member_uint(json, "vpm_accesses", row->vpm_accesses);
    json_member_uint(json, "dma_loaded", row->dma_loaded);
    json_member_uint(json, "dma_stored", row->dma_stored);
    json_member_uint(json, "instruction_misses", row->instruction_misses);
    json_member_uint(json, "uniform_misses", row->uniform_misses);
    json_member_uint(json, "texture_misses", row->texture_misses);
    hot_spots_json(json, &view->hot, view->names, row);
    json_end_object(json);
}

static void json_shaders(struct json *json, struct view *view)
{
    struct tess_vc4_shader_stats row;
    json_member_array(json, "shaders");
    for (uint32_t i = 0; tess_vc4_get_shader_stats(view->vc4, i, &row); i++)
        json_shader(json, view, &row);
    json_end_array(json);
}

/* --- all --- */

static void print_text(FILE *stream, const struct tess_pi *pi, struct view *view)
{
    print_totals(stream, view->vc4);
    if (pi)
        print_time(stream, time_of(view->vc4, pi));
    print_draws(stream, view->vc4, view->names);
    print_counters(stream, view->vc4);
    print_shaders(stream, view);
    hot_spots_print(stream, &view->hot, view->names);
}

static void print_json(FILE *stream, const struct tess_pi *pi, struct view *view)
{
    struct json json = {.stream = stream, .flow = true};
    json_begin_object(&json);
    json_totals(&json, view->vc4);
    if (pi)
        json_time(&json, time_of(view->vc4, pi));
    json_draws(&json, view->vc4, view->names);
    json_counters(&json, view->vc4);
    json_caches(&json, view->vc4);
    json_shaders(&json, view);
    json_end_object(&json);
}

void stats_print(FILE *stream, const struct tess_vc4 *vc4, const struct tess_pi *pi,
                 const struct address_names *names, bool json)
{
    struct view view = {.vc4 = vc4, .names = names};
    hot_spots_begin(&view.hot, vc4);
    (json ? print_json : print_text)(stream, pi, &view);
    hot_spots_end(&view.hot);
}
