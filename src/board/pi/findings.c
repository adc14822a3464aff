/* SPDX-License-Identifier: MIT */
/* findings.c - reports mistakes of programs in their use of the Pi.
 *
 * In:  a row of findings.def, and an address.
 * Out: diagnostics for the caller's sink. */
#include "board/pi/pi.h"

#include "base/diag.h"
#include "finding/rules.h"

/* Reports a finding. At most PI_SHOWN findings of a kind are reported. The next finding of the kind
 * is replaced by a note that further findings are not shown. Later findings are dropped. */
static void report(struct tess_pi *pi, enum pi_finding finding, const struct tess_diag *diag,
                   const char *text)
{
    const struct tess_diag rest = {.severity = TESS_NOTE, .rule = diag->rule, .more = true};
    if (pi->told[finding] > PI_SHOWN)
        return;
    if (pi->told[finding]++ < PI_SHOWN)
        diag_report(pi->options.sink, diag, "%s", text);
    else
        diag_report(pi->options.sink, &rest, "further findings of this kind are not shown");
}

void pi_fault(struct tess_pi *pi, enum pi_finding finding, uint32_t address, const char *text)
{
    struct tess_diag diag = {
        .place = {.known = address == PI_NOWHERE ? 0 : TESS_PLACE_ADDRESS, .address = address},
    };
    rule_describe(RULE_PI_FIRST + finding, &diag);
    report(pi, finding, &diag, text);
}

void pi_not_modelled(struct tess_pi *pi, const char *instead, uint32_t address, const char *text)
{
    const struct tess_diag diag = {
        .severity = TESS_ERROR,
        .rule = "not-modelled",
        .hint = instead,
        .place = {.known = TESS_PLACE_ADDRESS, .address = address},
    };
    report(pi, PI_FINDINGS, &diag, text);
}
