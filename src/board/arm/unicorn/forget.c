/* SPDX-License-Identifier: MIT */
/* forget.c - discards translated code that another core or a device has changed.
 *
 * In:  physical addresses of changed code.
 * Out: a core without translations of it.
 *
 * Unicorn takes a tenth of a second to discard all translated code. The engine knows which pages
 * contain code and from which content it was translated (stores.c), and discards the code of
 * single pages. Systems like Linux often invalidate the whole instruction cache, but change few
 * pages. Unicorn finds a page by a virtual address; while translation is off, virtual addresses
 * are physical.
 *
 * Source: ARM Architecture Reference Manuals ARMv7-A, B4.1.130 (SCTLR), and ARMv8-A, D10.2.
 * Choices: without a list of pages, all code is discarded. */
#include "board/arm/unicorn/core.h"

enum { TRANSLATION = 1, PAGE_SHIFT = 12 };

/* Returns true if the translations of a page come from its present content. */
static bool is_unchanged(const struct uc_core *core, uint64_t page)
{
    return core->hashes[page] && core->hashes[page] == uc_hash_page(core, page);
}

/* Marks pages with code. If all is false, pages whose content is unchanged keep their code. */
static void mark(struct uc_core *core, uint64_t physical, uint64_t size, bool all)
{
    uint64_t pages = core->options.ram.size >> PAGE_SHIFT, first = physical >> PAGE_SHIFT;
    uint64_t end = ((physical + size - 1) >> PAGE_SHIFT) + 1;
    for (uint64_t page = first; page < end && page < pages; page++)
        if (core->pages[page] & UC_PAGE_CODE && (all || !is_unchanged(core, page))) {
            core->pages[page] |= UC_PAGE_CHANGED;
            core->forget_pages = true;
        }
}

void uc_mark_changed(struct uc_core *core, uint64_t physical, uint64_t size)
{
    if (core->pages)
        mark(core, physical, size, false);
    else
        core->forget_all = true;
}

static void remove_pages(struct uc_core *core)
{
    for (uint64_t page = 0; page < core->options.ram.size >> PAGE_SHIFT; page++)
        if (core->pages[page] & UC_PAGE_CHANGED) {
            uc_ctl_remove_cache(core->uc, page << PAGE_SHIFT, (page + 1) << PAGE_SHIFT);
            core->pages[page] = UC_PAGE_FAST; /* the TLB may contain it without its mark */
        }
}

void uc_forget_changed(struct uc_core *core)
{
    if (core->forget_all && core->pages)
        mark(core, 0, core->options.ram.size, true);
    else if (core->forget_all)
        uc_ctl_flush_tlb(core->uc);
    core->forget_all = false;
    if (!core->forget_pages)
        return;
    core->forget_pages = false;
    uint64_t control = uc_control(core);
    uc_set_control(core, control & ~(uint64_t)TRANSLATION);
    remove_pages(core);
    uc_set_control(core, control);
    uc_discard_tlb(core);
}
