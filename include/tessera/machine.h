/* SPDX-License-Identifier: MIT */
/* machine.h - what the machines have in common: VideoCore IV (vc4.h), the Mali Utgard GP (utgard.h)
 * and the Adreno A2xx's shader core (a2xx.h).
 *
 * Each machine M has a structure of options, which begins with struct tess_machine_options, and the
 * functions
 *   tess_M_create(&m, &options), tess_M_destroy(m)
 *   tess_M_run(m), which executes until the end, a limit or a stop
 *   tess_M_get_stats(m, &stats)
 *   tess_M_state_size(m), tess_M_save_state(m, to, size), tess_M_restore_state(m, from, size)
 * and reports findings (finding.h) to the sink of its options. The GP and the A2xx also have
 * tess_M_load(m, program). A trace is a function of the caller that receives each executed
 * instruction as a struct tess_M_step; it returns true to continue, or false to stop the run. */
#ifndef TESSERA_MACHINE_H
#define TESSERA_MACHINE_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Use of a machine's sanitizer, which finds reads of values that the program has not set, and on
 * the VideoCore IV races. */
enum tess_sanitize {
    TESS_SANITIZE_DEFAULT, /* off for the VideoCore IV, which is much slower with it; else on */
    TESS_SANITIZE_ON,
    TESS_SANITIZE_OFF,
};

enum { TESS_MAX_THREADS = 64 }; /* largest number of host threads */

/* As .threads: one thread for each processor of the host, at most TESS_MAX_THREADS. */
#define TESS_ALL_PROCESSORS UINT32_MAX

/* The first member of each machine's options. Must be zero-initialised; members that are 0 have
 * defaults. */
struct tess_machine_options {
    /* Size in bytes of the machine's whole structure of options, for a library of another version
     * than the header: members that the caller's header lacks have their defaults. 0 selects the
     * size that the library's own header has. */
    size_t size;
    struct tess_sink sink; /* receives the findings, on the thread that runs the machine */
    bool strict;           /* true to report findings of level TESS_WARNING as TESS_ERROR */
    enum tess_sanitize sanitize;
    uint32_t threads; /* host threads of a run, 1 to TESS_MAX_THREADS or
                       * TESS_ALL_PROCESSORS; 0 selects 1. Results do not depend on the number */
    /* Largest number of instructions that a program (VideoCore IV), a vertex or a pixel may
     * execute; it is then assumed never to end. 0 selects the machine's default. */
    uint64_t max_instructions;
    uint32_t shown; /* largest number of findings of each rule that are reported to the sink; 0
                     * selects 8, or more for some rules of the VideoCore IV */
};

#ifdef __cplusplus
}
#endif

#endif
