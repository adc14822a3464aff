/* SPDX-License-Identifier: MIT */
/* qpu_ports.h - what a QPU is connected to while it runs a program. */
#ifndef VC4_QPU_QPU_PORTS_H
#define VC4_QPU_QPU_PORTS_H

#include <stdbool.h>

struct bus;
struct contention;
struct deferred_requests;
struct fault_log;
struct instruction_profile;
struct pctr_counts;
struct qpu_cache;
struct qpu_shared;
struct qpu_trace;
struct race;
struct shared_units;
struct tlb;
struct tlb_fragment;
struct tlb_ports;
struct tmu;
struct tmu_ports;
struct vpm;
struct vpm_port;
struct vpm_ports;
struct vri;

/* Units to which one QPU is connected while the QPU runs a program. */
struct qpu_ports {
    struct bus *bus;
    struct fault_log *log;
    struct qpu_shared *shared;
    struct tmu *tmu;
    const struct tmu_ports *tmu_ports;
    struct tlb *tlb;                   /* NULL except in fragment shaders */
    const struct tlb_ports *tlb_ports; /* NULL except in fragment shaders */
    struct tlb_fragment *fragment;     /* NULL except in fragment shaders */
    struct vri *vri;                   /* NULL except in fragment shaders */
    struct vpm *vpm;                   /* NULL in fragment shaders */
    const struct vpm_ports *vpm_ports; /* NULL in fragment shaders */
    struct vpm_port *vpm_port;         /* NULL in fragment shaders */
    struct qpu_cache *cache;           /* NULL to decode every instruction again, which is slower */
    struct shared_units *slices;   /* NULL if neither cache misses nor stalls at shared units are
                                      modelled */
    struct contention *contention; /* NULL if memory contention is not modelled */
    struct deferred_requests
        *deferred;              /* list that receives deferred memory requests; NULL to perform
                                      all requests immediately */
    struct pctr_counts *counts; /* NULL if events are not counted */
    struct instruction_profile *insn_profile; /* profile of instructions and stalls, or NULL */
    struct race *race;       /* sanitizer for data races of user programs, or NULL */
    struct qpu_trace *trace; /* receives every executed instruction, or NULL */
    bool sanitize;           /* true to check the program's reads (run-time sanitizer), which
                                      is slower */
    /* If true, the QPU stops before an instruction that accesses a shared unit or ends the
     * program. */
    bool alone;
};

#endif
