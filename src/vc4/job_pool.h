/* SPDX-License-Identifier: MIT */
/* job_pool.h - host threads that draw tile jobs (job.h) side by side. */
#ifndef VC4_JOB_POOL_H
#define VC4_JOB_POOL_H

#include <stdint.h>

#include "vc4/qpu.h"

struct tess_vc4;
struct job;
struct job_pool;

/* threads: how many draw, the caller of job_pool_draw() among them; 2 at least. NULL: no memory or
 * no threads to be had. Release with job_pool_free(). */
struct job_pool *job_pool_create(uint32_t threads);
void job_pool_free(struct job_pool *pool); /* NULL is allowed */

/* Draws the jobs; returns when all are done. */
void job_pool_draw(struct job_pool *pool, struct tess_vc4 *vc4, struct job *const *job,
                   uint32_t count);

/* Draws one job ahead of its turn, in job.c. instructions: decoded ones, of this thread alone. */
void job_draw_ahead(struct tess_vc4 *vc4, struct job *job, struct qpu_cache *instructions);

#endif
