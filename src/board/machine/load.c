/* SPDX-License-Identifier: MIT */
/* load.c - copies kernels into the machine's memory.
 *
 * In:  an ELF file or a raw image.
 * Out: memory; the address of the first instruction. */
#include "board/machine/machine.h"

#include <string.h>

#include "base/elf_view.h"

enum tess_status tess_pi_machine_load(struct tess_pi_machine *machine, uint32_t address,
                                      const void *bytes, uint32_t size)
{
    if (address >= machine->arm_size || size > machine->arm_size - address)
        return TESS_INVALID;
    memcpy(machine->ram + address, bytes, size);
    machine_loaded(machine, address, size);
    return TESS_OK;
}

static enum tess_status load_segment(struct tess_pi_machine *machine, const struct elf_view *view,
                                     const struct elf_view_segment *segment)
{
    const uint8_t *bytes = elf_view_bytes(view, segment->offset, segment->stored);
    if (!bytes)
        return TESS_BAD_INPUT;
    if (segment->physical > UINT32_MAX || segment->stored > UINT32_MAX)
        return TESS_INVALID;
    return tess_pi_machine_load(machine, (uint32_t)segment->physical, bytes,
                                (uint32_t)segment->stored);
}

static enum tess_status load_elf(struct tess_pi_machine *machine, const struct elf_view *view)
{
    enum tess_status status = TESS_OK;
    for (uint32_t i = 0; status == TESS_OK && i < view->segments.count; i++) {
        struct elf_view_segment segment;
        if (!elf_view_segment(view, i, &segment))
            return TESS_BAD_INPUT;
        if (segment.type == ELF_PT_LOAD && segment.stored)
            status = load_segment(machine, view, &segment);
    }
    return status;
}

enum tess_status tess_pi_machine_load_kernel(struct tess_pi_machine *machine, uint32_t address,
                                             const void *bytes, size_t size, uint32_t *entry)
{
    struct elf_view view;
    if (elf_view_open(&view, bytes, size)) {
        *entry = (uint32_t)view.entry;
        return load_elf(machine, &view);
    }
    *entry = address;
    if (size > UINT32_MAX)
        return TESS_INVALID;
    return tess_pi_machine_load(machine, address, bytes, (uint32_t)size);
}

bool tess_pi_kernel_is_wide(const void *bytes, size_t size)
{
    struct elf_view_ident ident;
    return elf_view_identify(bytes, size, &ident) && ident.class == ELF_CLASS_64;
}
