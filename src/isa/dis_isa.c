/* SPDX-License-Identifier: MIT */
/* dis_isa.c - the instruction sets that have a disassembler. */
#include "isa/dis_isa.h"

static const struct dis_isa *const machines[] = {
    [TESS_MACHINE_QPU] = &qpu_dis,
    [TESS_MACHINE_GP] = &gp_dis,
    [TESS_MACHINE_A2XX] = &a2xx_dis,
};

const struct dis_isa *dis_isa(enum tess_machine machine)
{
    return (size_t)machine < sizeof machines / sizeof machines[0] ? machines[machine] : NULL;
}
