/* SPDX-License-Identifier: MIT */
/* refusal.h - the reason for refusing a job or a shader. The kernel prints it only with debug
 * messages on. The shim records the rule, the place and the remedy, and the function that handles
 * the request reports them. */
#ifndef SHIM_DRM_REFUSAL_H
#define SHIM_DRM_REFUSAL_H

struct refusal {
    const char *rule;    /* id of the finding, "drm-bin-list" */
    const char *instead; /* remedy, as an imperative sentence */
    /* description of the problem and its place; empty if there is nothing to report */
    char text[256];
};

/* Fills in *why and returns EINVAL, with which the kernel answers every refused request. */
int refuse(struct refusal *why, const char *instead, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prepends the place to the text if error is EINVAL. Returns error. */
int refused_at(struct refusal *why, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
