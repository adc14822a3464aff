/* SPDX-License-Identifier: MIT */
/* job_file.h - names of files that are about one job or about several. */
#ifndef SHIM_DRM_JOB_FILE_H
#define SHIM_DRM_JOB_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a name has the number of a job in it ("%d"), so that each job has a file of its own. */
bool job_file_is_single(const char *pattern);

/* The name for a job, "%d" being its number and "%%" a percent sign; to be freed with free(). NULL: no memory. */
char *job_file_name(const char *pattern, uint64_t number);

#endif
