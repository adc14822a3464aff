/* SPDX-License-Identifier: MIT */
/* refusal.h - why a job or a shader is refused. The kernel says it only to who has switched its debug messages on; we keep the
 * rule, the place and the remedy, and whoever was asked passes them on. */
#ifndef SHIM_DRM_REFUSAL_H
#define SHIM_DRM_REFUSAL_H

struct refusal {
    const char *rule;    /* id of the finding, "drm-bin-list" */
    const char *instead; /* what to do */
    char text[256];      /* what is wrong, with the place; empty: there is nothing to say */
};

/* Fills in *why and returns EINVAL, which is what the kernel answers to anything that it refuses. */
int refuse(struct refusal *why, const char *instead, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts where it is in front of what is wrong, if something was refused; returns error. */
int refused_at(struct refusal *why, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
