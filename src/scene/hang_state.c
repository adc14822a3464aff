/* SPDX-License-Identifier: MIT */
/* hang_state.c - explains the saved registers of a hung GPU.
 *
 * In:      the words of struct drm_vc4_get_hang_state.
 * Out:     notes for the listing and for the run.
 *
 * Source: manual tables 49 (V3D_CTnCS), 58..61 (binning memory), 87..89 (errors). */
#include <stdio.h>

#include "base/diag.h"
#include "scene/hang.h"
#include "scene/listing.h"
#include "scene/scene_machine.h"

struct bit_name {
    uint32_t bit;
    const char *words;
};

static const struct bit_name errstat_bits[] = {
    {15, "L2C: AXI receive FIFO overrun"},
    {14, "VCM error (binner)"},
    {13, "VCM error (renderer)"},
    {11, "VCD: FIFO pointers out of sync"},
    {10, "VDW: address overflow"},
    {9, "VPM: allocated size error"},
    {8, "VPM: free of unallocated memory"},
    {7, "VPM: write to unallocated memory"},
    {6, "VPM: read of unallocated memory"},
    {5, "VPM: read out of range"},
    {4, "VPM: write out of range"},
    {3, "VPM allocator: renderer's request over limit"},
    {2, "VPM allocator: binner's request over limit"},
    {1, "VPM allocator: request too big"},
    {0, "VPM allocator: base allocated while busy"},
    {0, NULL},
};

static const struct bit_name dbge_bits[] = {
    /* clang-format off */
    {20, "PSE: error_ipd2_fpdused"},
    {19, "PSE: error_ipd2_valid"},
    {18, "PSE: error_mulip2"},
    {17, "PSE: error_mulip1"},
    {16, "PSE: error_mulip0"},
    {2,  "PSE: error b reading VPM"},
    {1,  "PSE: error a reading VPM"},
    {0,  NULL},
    /* clang-format on */
};

/* Error bits of V3D_FDBGO. Bits 1, 2 and 11 are not listed, since they only mean that a FIFO is
 * full. */
static const struct bit_name fdbgo_bits[] = {
    /* clang-format off */
    {17, "FEP: EZREQ FIFO overrun"},
    {15, "FEP: EZVAL FIFO overrun"},
    {14, "FEP: DEPTHO overrun"},
    {13, "FEP: DEPTHO FIFO overrun"},
    {12, "FEP: REFXY FIFO overrun"},
    {10, "FEP: XYRELW FIFO overrun"},
    {7,  "FEP: XYRELO FIFO overrun"},
    {6,  "FEP: FIXZ overrun"},
    {5,  "FEP: XYFO FIFO overrun"},
    {4,  "FEP: QBSZ FIFO overrun"},
    {3,  "FEP: QBFR FIFO overrun"},
    {0,  NULL},
    /* clang-format on */
};

/* Bits of V3D_CTnCS, the status of a control-list thread. */
static const struct bit_name thread_bits[] = {
    {5, "running"},
    {4, "stalled, or stopped at a halt"},
    {3, "stopped with an error"},
    {0, NULL},
};

static const struct {
    enum hang_word word;
    bool is_address;
    const char *name, *words;
    const struct bit_name *bits;
} registers[] = {
    /* clang-format off */
    /* clang-format off */
    {HANG_CT0CA,   true,  "V3D_CT0CA",   "current address in the binning list",   NULL},
    {HANG_CT0EA,   true,  "V3D_CT0EA",   "end of the list",                       NULL},
    {HANG_CT0CS,   false, "V3D_CT0CS",   "status of the thread",                  thread_bits},
    {HANG_CT0RA0,  true,  "V3D_CT00RA0", "return address of the sub-list",        NULL},
    {HANG_CT1CA,   true,  "V3D_CT1CA",   "current address in the rendering list", NULL},
    {HANG_CT1EA,   true,  "V3D_CT1EA",   "end of the list",                       NULL},
    {HANG_CT1CS,   false, "V3D_CT1CS",   "status of the thread",                  thread_bits},
    {HANG_CT1RA0,  true,  "V3D_CT01RA0", "return address of the sub-list",        NULL},
    {HANG_BPCA,    true,  "V3D_BPCA",    "next free binning memory",              NULL},
    {HANG_BPCS,    false, "V3D_BPCS",    "remaining bytes of binning memory",     NULL},
    {HANG_BPOA,    true,  "V3D_BPOA",    "overspill binning memory",              NULL},
    {HANG_BPOS,    false, "V3D_BPOS",    "unused bytes of overspill memory",      NULL},
    {HANG_VPMBASE, false, "V3D_VPMBASE", "VPM reserved for user programs",        NULL},
    {HANG_DBGE,    false, "V3D_DBGE",    "PSE errors",                            dbge_bits},
    {HANG_FDBGO,   false, "V3D_FDBGO",   "FEP overruns",                          fdbgo_bits},
    {HANG_FDBGB,   false, "V3D_FDBGB",   "FEP: interfaces ready, stalled, busy",  NULL},
    {HANG_FDBGR,   false, "V3D_FDBGR",   "FEP: ready inside",                     NULL},
    {HANG_FDBGS,   false, "V3D_FDBGS",   "FEP: stalled inside",                   NULL},
    {HANG_ERRSTAT, false, "V3D_ERRSTAT", "VPM, VDW, VCD, VCM and L2C errors",     errstat_bits},
    /* clang-format on */
    /* clang-format on */
};

/* --- texts --- */

static void add_bits(struct buffer *out, const struct bit_name *bits, uint32_t value)
{
    const char *before = ": ";
    for (; bits && bits->words; bits++) {
        if (!(value >> bits->bit & 1))
            continue;
        buffer_printf(out, "%s%s", before, bits->words);
        before = "; ";
    }
}

static const char *text_of(struct buffer *out)
{
    buffer_byte(out, 0);
    return out->failed ? "out of memory" : (const char *)out->data;
}

/* --- the listing --- */

static void list_register(struct listing *listing, const struct hang *hang, size_t i)
{
    struct buffer text = {0};
    char place[PLACE_TEXT];
    uint32_t value = hang->words[registers[i].word];
    if (registers[i].is_address && value)
        listing_address(listing->scene, value, place, sizeof place);
    else
        snprintf(place, sizeof place, "0x%08x", value);
    buffer_printf(&text, "%s %s, %s", registers[i].name, place, registers[i].words);
    add_bits(&text, registers[i].bits, value);
    listing_note(listing, text_of(&text));
    buffer_free(&text);
}

void hang_list(struct listing *listing, const struct hang *hang)
{
    uint32_t start = hang->words[HANG_START_BIN];
    if (!start)
        start = hang->words[HANG_START_RENDER];
    listing_open(listing, "hang", start, 0, "Registers of the hung GPU");
    for (size_t i = 0; hang->has_registers && i < sizeof registers / sizeof *registers; i++)
        list_register(listing, hang, i);
    if (!hang->has_registers)
        listing_note(listing,
                     "the registers were not saved: Mesa's simulator writes this file before "
                     "each job");
    listing_close(listing);
}

void hang_note_record(struct listing *listing, const struct hang *hang, uint32_t address,
                      uint32_t size)
{
    static const struct {
        enum hang_word at, end;
        const char *text;
    } threads[] = {
        {HANG_CT0CA, HANG_CT0EA, "the binning thread of the hung GPU stopped here (V3D_CT0CA)"},
        {HANG_CT1CA, HANG_CT1EA, "the rendering thread of the hung GPU stopped here (V3D_CT1CA)"},
    };
    for (unsigned i = 0; hang->has_registers && i < 2; i++) {
        uint32_t at = hang->words[threads[i].at];
        if (at != hang->words[threads[i].end] && ((at - address) & ELF_ADDRESS_MASK) < size)
            listing_note(listing, threads[i].text);
    }
}

/* --- notes for the run --- */

static void add_thread(struct buffer *out, const struct machine *machine, enum hang_word start,
                       enum hang_word at, enum hang_word end, const char *name)
{
    const uint32_t *words = machine->scene->hang->words;
    char place[PLACE_TEXT];
    if (!words[start])
        return;
    if (words[at] == words[end]) {
        buffer_printf(out, ", the %s list at its end", name);
        return;
    }
    listing_address(machine->scene, words[at], place, sizeof place);
    buffer_printf(out, ", the %s list at %s", name, place);
}

void hang_report(struct machine *machine)
{
    static const enum hang_word errors[] = {HANG_ERRSTAT, HANG_DBGE, HANG_FDBGO};
    const struct hang *hang = machine->scene->hang;
    const struct tess_finding diag = {
        .level = TESS_NOTE,
        .id = "hang-state",
        .hint = "run 'tessera decode' to list all registers and the positions in the lists"};
    struct buffer text = {0};
    if (!hang || !hang->has_registers)
        return;
    buffer_printf(&text, "the GPU hung");
    add_thread(&text, machine, HANG_START_BIN, HANG_CT0CA, HANG_CT0EA, "binning");
    add_thread(&text, machine, HANG_START_RENDER, HANG_CT1CA, HANG_CT1EA, "rendering");
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
            if (registers[i].word == errors[k])
                add_bits(&text, registers[i].bits, hang->words[errors[k]]);
    diag_report(machine_sink(machine), &diag, "%s", text_of(&text));
    buffer_free(&text);
}

void hang_compare(struct machine *machine)
{
    const struct hang *hang = machine->scene->hang;
    const struct tess_finding diag = {
        .level = TESS_NOTE,
        .id = "hang-not-repeated",
        .hint = "check for other causes: memory that the CPU or another job changed during the "
                "job, clocks, voltage"};
    if (hang && hang->has_registers && hang->is_whole && !machine->stopped && !machine->findings)
        diag_report(machine_sink(machine), &diag,
                    "the lists of the hung GPU run to their ends in the model, without findings");
}
