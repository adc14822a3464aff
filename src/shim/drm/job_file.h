/* SPDX-License-Identifier: MIT */
/* job_file.h - names of files that describe one job or several. */
#ifndef SHIM_DRM_JOB_FILE_H
#define SHIM_DRM_JOB_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* True if a name contains the number of a job ("%d"), so that each job has its own file. */
bool job_file_is_single(const char *pattern);

/* Returns the name for a job: "%d" becomes its number and "%%" a percent sign. The caller frees it
 * with free(). Returns NULL if there is no memory. */
char *job_file_name(const char *pattern, uint64_t number);

#endif
