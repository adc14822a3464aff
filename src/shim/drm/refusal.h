/* SPDX-License-Identifier: MIT */
/* refusal.h - the reason why a job or a shader is refused. The kernel prints the reason only if
 * debug messages are enabled. The shim records the rule, the position and the remedy. The function
 * that handles the request then reports them as a finding. */
#ifndef SHIM_DRM_REFUSAL_H
#define SHIM_DRM_REFUSAL_H

struct refusal {
    const char *rule;    /* id of the finding, such as "drm-bin-list" */
    const char *instead; /* remedy, as an imperative sentence */
    /* description of the problem and its position; empty if there is nothing to report */
    char text[256];
};

/* Fills in *why and returns EINVAL. The kernel returns EINVAL for every refused request. */
int refuse(struct refusal *why, const char *instead, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* If error is EINVAL, puts the position in front of the text. Returns error. */
int refused_at(struct refusal *why, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
