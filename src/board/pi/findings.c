/* SPDX-License-Identifier: MIT */
/* findings.c - reports mistakes of programs in their use of the Pi.
 *
 * In:  a row of findings.def, and an address.
 * Out: diagnostics for the caller's sink. */
#include "board/pi/pi.h"

#include "base/diag.h"
#include "finding/rules.h"

/* Reports a finding, unless PI_SHOWN findings of its kind have been reported. */
static void report(struct tess_pi *pi, enum pi_finding finding, const struct tess_finding *diag,
                   const char *text)
{
    enum diag_show show = diag_limit(&pi->shown[finding], PI_SHOWN);
    const struct tess_finding rest = {.level = TESS_NOTE, .id = diag->id, .more = true};
    if (show == DIAG_SHOW)
        diag_report(pi->options.sink, diag, "%s", text);
    else if (show == DIAG_SHOW_NOTE)
        diag_report(pi->options.sink, &rest, "further findings of this kind are not shown");
}

void pi_fault(struct tess_pi *pi, enum pi_finding finding, uint32_t address, const char *text)
{
    struct tess_finding diag = {
        .place = {.known = address == PI_NOWHERE ? 0 : TESS_PLACE_ADDRESS, .address = address},
    };
    rule_describe(RULE_PI_FIRST + finding, false, &diag);
    report(pi, finding, &diag, text);
}

void pi_not_modelled(struct tess_pi *pi, const char *instead, uint32_t address, const char *text)
{
    const struct tess_finding diag = {
        .level = TESS_ERROR,
        .id = "not-modelled",
        .hint = instead,
        .place = {.known = TESS_PLACE_ADDRESS, .address = address},
    };
    report(pi, PI_FINDINGS, &diag, text);
}
