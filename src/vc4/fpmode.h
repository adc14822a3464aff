/* SPDX-License-Identifier: MIT */
/* fpmode.h - the host's float unit in the QPU's mode: round toward zero, denormals are zero.
 *
 * Only additions, multiplications and conversions from integer of alu.c run in this mode. It must
 * not leak: whoever enters it leaves it before any code of other blocks or of the embedding program
 * runs. With TESS_SOFT_FLOAT, or on a host whose unit has no such mode, both functions do nothing
 * and alu.c computes in integers. */
#ifndef VC4_FPMODE_H
#define VC4_FPMODE_H

#include <stdint.h>

#if !defined(TESS_SOFT_FLOAT) && !defined(__x86_64__) && !defined(__aarch64__)
#define TESS_SOFT_FLOAT
#endif

#if !defined(TESS_SOFT_FLOAT) && defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* What the unit was set to before. */
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
    __asm__ volatile("" : : : "memory"); /* no operand is loaded before this point */
}

static inline void fpmode_leave(const struct fpmode *mode)
{
    __asm__ volatile("" : : : "memory"); /* every result is stored before this point */
#if defined(TESS_SOFT_FLOAT)
    (void)mode;
#elif defined(__x86_64__)
    _mm_setcsr((uint32_t)mode->saved);
#else
    __asm__ volatile("msr fpcr, %0" : : "r"(mode->saved));
#endif
}

#endif
