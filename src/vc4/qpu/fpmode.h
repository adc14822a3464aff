/* SPDX-License-Identifier: MIT */
/* fpmode.h - the QPU's float mode on the host: round toward zero, denormals are zero.
 *
 * The float operations of alu_lanes.h require this mode. A function that enters the mode must leave
 * the mode before code of other blocks or of the embedding program runs. With TESS_SOFT_FLOAT,
 * which is set on hosts other than x86-64 and AArch64, fpmode_enter() and fpmode_leave() do
 * nothing, and alu.c computes floats with integers. */
#ifndef VC4_QPU_FPMODE_H
#define VC4_QPU_FPMODE_H

#include <stdint.h>

#if !defined(TESS_SOFT_FLOAT) && !defined(__x86_64__) && !defined(__aarch64__)
#define TESS_SOFT_FLOAT
#endif

#if !defined(TESS_SOFT_FLOAT) && defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* Previous mode of the host's float unit. */
struct fpmode {
    uint64_t saved;
};

static inline void fpmode_enter(struct fpmode *mode)
{
#if defined(TESS_SOFT_FLOAT)
    (void)mode;
#elif defined(__x86_64__)
    enum { MASK_ALL = 0x1f80, TOWARD_ZERO = 0x6000, FLUSH = 0x8000, DENORMALS_ARE_ZERO = 0x40 };
    mode->saved = _mm_getcsr();
    _mm_setcsr(MASK_ALL | TOWARD_ZERO | FLUSH | DENORMALS_ARE_ZERO);
#else
    const uint64_t toward_zero = 3u << 22, flush = 1u << 24;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode->saved));
    __asm__ volatile("msr fpcr, %0" : : "r"(toward_zero | flush));
#endif
    __asm__ volatile("" : : : "memory"); /* operands are loaded after this point */
}

static inline void fpmode_leave(const struct fpmode *mode)
{
    __asm__ volatile("" : : : "memory"); /* results are stored before this point */
#if defined(TESS_SOFT_FLOAT)
    (void)mode;
#elif defined(__x86_64__)
    _mm_setcsr((uint32_t)mode->saved);
#else
    __asm__ volatile("msr fpcr, %0" : : "r"(mode->saved));
#endif
}

#endif
