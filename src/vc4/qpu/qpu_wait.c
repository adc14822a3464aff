/* SPDX-License-Identifier: MIT */
/* qpu_wait.c - texts about programs that wait forever.
 *
 * In:  the event for which a QPU waits; the semaphores and the mutex.
 * Out: a text for a finding, and its hint. */
#include <stdio.h>

#include "vc4/qpu/qpu.h"

const char *qpu_wait_text(const struct qpu *qpu, const struct qpu_shared *shared, char *text,
                          uint32_t size)
{
    switch (qpu->wait) {
    case QPU_WAIT_SEMAPHORE_ACQUIRE:
        snprintf(text, size, "semaphore %u to be released by another QPU", qpu->wait_semaphore);
        break;
    case QPU_WAIT_SEMAPHORE_RELEASE:
        snprintf(text, size, "semaphore %u, which is at its maximum, to be acquired by another QPU",
                 qpu->wait_semaphore);
        break;
    case QPU_WAIT_MUTEX:
        snprintf(text, size, "the mutex, which QPU %u holds%s", shared->mutex_owner,
                 shared->mutex_left ? "; the program that acquired it has ended" : "");
        break;
    case QPU_WAIT_NONE: snprintf(text, size, "nothing"); break;
    }
    return text;
}

static const char *mutex_hint(const struct qpu_shared *shared)
{
    return shared->mutex_left
               ? "release the mutex (write mutex_rel) before the program that acquired it ends"
               : "release the mutex (write mutex_rel) in the program that holds it before that "
                 "program waits for this program";
}

const char *qpu_wait_hint(const struct qpu *qpu, const struct qpu_shared *shared, char *text,
                          uint32_t size)
{
    switch (qpu->wait) {
    case QPU_WAIT_SEMAPHORE_ACQUIRE:
        snprintf(text, size,
                 "release semaphore %u (srel) in another program as often as it is acquired, "
                 "before that program waits for this program; or remove the acquire",
                 qpu->wait_semaphore);
        break;
    case QPU_WAIT_SEMAPHORE_RELEASE:
        snprintf(text, size,
                 "acquire semaphore %u (sacq) between the releases, because its maximum is 15; or "
                 "remove releases",
                 qpu->wait_semaphore);
        break;
    default: snprintf(text, size, "%s", mutex_hint(shared)); break;
    }
    return text;
}
