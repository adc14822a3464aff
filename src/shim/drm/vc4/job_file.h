/* SPDX-License-Identifier: MIT */
/* job_file.h - names of files that describe a single job or several jobs. */
#ifndef SHIM_DRM_VC4_JOB_FILE_H
#define SHIM_DRM_VC4_JOB_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* True if the pattern contains "%d", the number of a job, so that each job has its own file. */
bool job_file_is_single(const char *pattern);

/* Returns the file name for a job: "%d" in the pattern becomes the job's number, and "%%" a percent
 * sign. The caller frees the name. Returns NULL if there is no memory. */
char *job_file_name(const char *pattern, uint64_t number);

#endif
