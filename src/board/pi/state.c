/* SPDX-License-Identifier: MIT */
/* state.c - the saved state of a Pi: what the firmware and the mailbox remember.
 *
 * In:  a Pi, or the bytes of a state from any source.
 * Out: bytes, or a Pi.
 *
 * Left out: the contents of memory, and the V3D, which the caller saves. */
#include "board/pi/pi.h"

#include "base/state.h"

static void framebuffer_fields(struct state_stream *stream, struct tess_pi *pi)
{
    struct tess_pi_framebuffer *f = &pi->framebuffer;
    uint32_t *const fields[] = {
        &f->address,        &f->size,        &f->width,       &f->height, &f->virtual_width,
        &f->virtual_height, &f->depth,       &f->pixel_order, &f->pitch,  &f->offset_x,
        &f->offset_y,       &pi->alpha_mode, &pi->blanked};
    for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; i++)
        state_u32(stream, fields[i]);
    state_u32s(stream, pi->overscan, 4);
    state_u32s(stream, pi->palette, PI_PALETTE);
    state_u32s(stream, pi->kernel_line, PI_LINE);
}

static void clock_fields(struct state_stream *stream, struct tess_pi *pi)
{
    state_u32s(stream, pi->clock_rate, TESS_PI_CLOCKS);
    state_bools(stream, pi->clock_off, TESS_PI_CLOCKS);
    state_u32(stream, &pi->turbo);
    state_u32s(stream, pi->power, PI_DEVICES);
    state_u32(stream, &pi->domains);
    state_u32(stream, &pi->enables);
    state_bool(stream, &pi->v3d_domain);
    state_u64(stream, &pi->starts.mailbox);
    state_u64(stream, &pi->starts.registers);
    state_bool(stream, &pi->starting);
}

static void pin_fields(struct state_stream *stream, struct tess_pi *pi)
{
    for (unsigned i = 0; i < PI_GPIOS; i++) {
        struct pi_gpio *pin = &pi->gpio[i];
        state_u32(stream, &pin->direction);
        state_u32(stream, &pin->polarity);
        state_u32(stream, &pin->terminate);
        state_u32(stream, &pin->pull_up);
        state_u32(stream, &pin->state);
    }
}

/* Blocks lie in VideoCore memory, in whole pages, and do not overlap. */
static bool is_valid(const struct tess_pi *pi, unsigned index)
{
    const struct pi_block *block = &pi->blocks[index];
    uint32_t start = pi->options.arm_size, size = pi->options.vc_size;
    if (!block->size)
        return !block->address && !block->locks && !block->flags;
    if (block->address % PI_PAGE || block->size % PI_PAGE || block->address < start ||
        block->address - start >= size || block->size > size - (block->address - start))
        return false;
    for (unsigned i = 0; i < index; i++) {
        const struct pi_block *other = &pi->blocks[i];
        if (other->size && block->address < other->address + other->size &&
            other->address < block->address + block->size)
            return false;
    }
    return true;
}

static void block_fields(struct state_stream *stream, struct tess_pi *pi)
{
    for (unsigned i = 0; i < PI_BLOCKS; i++) {
        struct pi_block *block = &pi->blocks[i];
        state_u32(stream, &block->address);
        state_u32(stream, &block->size);
        state_u32(stream, &block->flags);
        state_u32(stream, &block->locks);
        state_require(stream, is_valid(pi, i));
    }
}

void pi_state(struct state_stream *stream, struct tess_pi *pi)
{
    struct state_section section = state_open(stream, STATE_TAG('P', 'I', 'F', 'W'));
    framebuffer_fields(stream, pi);
    clock_fields(stream, pi);
    pin_fields(stream, pi);
    state_u32s(stream, pi->shown, PI_FINDINGS + 1);
    state_u32s(stream, pi->otp, PI_OTP);
    state_u32(stream, &pi->touch_buffer);
    state_u32(stream, &pi->virtual_gpio_buffer);
    block_fields(stream, pi);
    state_u32s(stream, pi->queue, PI_MAIL_QUEUE);
    state_below(stream, &pi->first, PI_MAIL_QUEUE);
    state_below(stream, &pi->count, PI_MAIL_QUEUE + 1);
    state_u32(stream, &pi->mail_config);
    state_u32s(stream, pi->timer_compare, 4);
    state_u64(stream, &pi->timer_reads);
    state_close(stream, &section);
}

static void *memory_of(const struct tess_pi *pi, const struct pi_block *block)
{
    uint8_t *memory = pi->options.memory;
    return memory ? memory + (block->address - pi->options.arm_size) : NULL;
}

enum tess_status pi_remap(struct tess_pi *pi, const struct pi_block *from,
                          const struct pi_block *to)
{
    enum tess_status status = TESS_OK;
    for (unsigned i = 0; i < PI_BLOCKS; i++)
        if (from[i].size)
            tess_vc4_unmap(pi->vc4, from[i].address);
    for (unsigned i = 0; status == TESS_OK && i < PI_BLOCKS; i++)
        if (to[i].size)
            status = tess_vc4_map(pi->vc4, to[i].address, to[i].size, memory_of(pi, &to[i]));
    return status;
}
