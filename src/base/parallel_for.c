/* SPDX-License-Identifier: MIT */
/* parallel_for.c - see parallel_for.h. */
#include "base/parallel_for.h"

#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

struct table {
    const struct parallel_for *deal;
    /* Number of the next piece to start, and number of the last piece that is needed. */
    atomic_uint_fast32_t next, last;
};

struct worker {
    struct table *table;
    unsigned number;
    pthread_t thread;
};

static void stop_after(struct table *table, uint_fast32_t piece)
{
    uint_fast32_t last = atomic_load(&table->last);
    while (piece < last && !atomic_compare_exchange_weak(&table->last, &last, piece)) {
    }
}

static void *work(void *user)
{
    struct worker *worker = user;
    struct table *table = worker->table;
    const struct parallel_for *deal = table->deal;
    fenv_t before;
    fegetenv(&before);
    /* Sets rounding to nearest and enables denormals, since the models flush denormals
     * themselves. */
    fesetenv(FE_DFL_ENV);
    for (;;) {
        uint_fast32_t piece = atomic_fetch_add(&table->next, 1);
        if (piece >= deal->pieces || piece > atomic_load(&table->last))
            break;
        if (!deal->run(deal->user, worker->number, (uint32_t)piece))
            stop_after(table, piece);
    }
    fesetenv(&before);
    return NULL;
}

static unsigned host_threads(void)
{
    long host = sysconf(_SC_NPROCESSORS_ONLN);
    return host > 0 ? (unsigned)host : 1;
}

static unsigned thread_count(const struct parallel_for *deal)
{
    if (deal->pieces <= 1)
        return 1; /* avoids the call of sysconf(), which would take longer than the piece */
    unsigned threads = deal->threads ? deal->threads : host_threads();
    threads = threads < PARALLEL_THREADS_MAX ? threads : PARALLEL_THREADS_MAX;
    return threads < deal->pieces ? threads : deal->pieces;
}

/* Starts a worker's thread with all signals blocked, so that the caller's threads receive them. */
static bool start(struct worker *worker)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool started = pthread_create(&worker->thread, NULL, work, worker) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* If a thread cannot be started, the workers that have started run all pieces. */
bool parallel_for(const struct parallel_for *deal)
{
    struct table table = {.deal = deal};
    struct worker worker[PARALLEL_THREADS_MAX];
    unsigned threads = thread_count(deal), ready = 0, started = 1;
    atomic_store(&table.next, 0);
    atomic_store(&table.last, UINT32_MAX);
    for (; ready < threads && deal->ready(deal->user, ready); ready++)
        worker[ready] = (struct worker){.table = &table, .number = ready};
    if (!ready)
        return false;
    while (started < ready && start(&worker[started]))
        started++;
    work(&worker[0]);
    while (started-- > 1)
        pthread_join(worker[started].thread, NULL);
    return true;
}
