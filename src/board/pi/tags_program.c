/* SPDX-License-Identifier: MIT */
/* tags_program.c - tags that GPGPU programs use. The tags allocate memory, enable the QPUs, execute
 * QPU programs, and read the time.
 *
 * In:  requests.
 * Out: replies with the results of memory.c, programs.c and timer.c.
 *
 * Source: see tags.def.
 * Left out: running code on the VPU. */
#include "board/pi/pi.h"
#include "board/pi/tags.h"

#define FAILED UINT32_MAX

bool tag_allocate_memory(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = tess_pi_allocate(pi, v->word[0], v->word[1], v->word[2]);
    return true;
}

bool tag_lock_memory(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = tess_pi_lock(pi, v->word[0]);
    return true;
}

/* Unlocks a block of memory. Accepts the block's bus address in place of the handle, since
 * librpimemmgr passes the address and was tested on boards. */
bool tag_unlock_memory(struct tess_pi *pi, struct tag_value *v)
{
    uint32_t locked = pi_locked_at(pi, v->word[0]);
    v->word[0] = tess_pi_unlock(pi, locked ? locked : v->word[0]) ? 0 : FAILED;
    return true;
}

bool tag_release_memory(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = tess_pi_release(pi, v->word[0]) ? 0 : FAILED;
    return true;
}

bool tag_execute_code(struct tess_pi *pi, struct tag_value *v)
{
    pi_not_modelled(pi, "run the code on the ARM instead", v->word[0],
                    "running code on the VPU (tag 0x30010) is not modelled");
    return false;
}

bool tag_execute_programs(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = pi_execute_programs(pi, v->word[0], v->word[1], v->word[2] != 0, v->word[3]);
    return true;
}

bool tag_enable_programs(struct tess_pi *pi, struct tag_value *v)
{
    pi_enable_programs(pi, v->word[0] & 1);
    v->word[0] = 0;
    return true;
}

bool tag_system_time(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = pi_timer_read(pi, TESS_PI_TIMER_LOW);
    v->word[1] = pi_timer_read(pi, TESS_PI_TIMER_HIGH);
    return true;
}
