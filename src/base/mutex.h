/* SPDX-License-Identifier: MIT */
/* mutex.h - a mutex of the host's threads. With TESS_NO_THREADS, the functions do nothing. */
#ifndef BASE_MUTEX_H
#define BASE_MUTEX_H

#ifdef TESS_NO_THREADS

struct mutex {
    char unused;
};

static inline void mutex_init(struct mutex *mutex)
{
    mutex->unused = 0;
}

static inline void mutex_destroy(struct mutex *mutex)
{
    (void)mutex;
}

static inline void mutex_lock(struct mutex *mutex)
{
    (void)mutex;
}

static inline void mutex_unlock(struct mutex *mutex)
{
    (void)mutex;
}

#else

#include <pthread.h>

struct mutex {
    pthread_mutex_t host;
};

static inline void mutex_init(struct mutex *mutex)
{
    pthread_mutex_init(&mutex->host, NULL);
}

static inline void mutex_destroy(struct mutex *mutex)
{
    pthread_mutex_destroy(&mutex->host);
}

static inline void mutex_lock(struct mutex *mutex)
{
    pthread_mutex_lock(&mutex->host);
}

static inline void mutex_unlock(struct mutex *mutex)
{
    pthread_mutex_unlock(&mutex->host);
}

#endif

#endif
