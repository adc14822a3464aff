/* SPDX-License-Identifier: MIT */
/* machine_options.c - see machine_options.h. */
#include "exec/machine_options.h"

#include <string.h>

#include "exec/pool.h"

/* Returns true if the bytes of a newer version's options, from `size` on, are 0. */
static bool has_no_more(const void *options, size_t size, size_t given)
{
    const unsigned char *bytes = options;
    while (size < given && bytes[size] == 0)
        size++;
    return size >= given;
}

static bool is_valid(const struct tess_machine_options *options)
{
    bool threads = options->threads <= TESS_MAX_THREADS || options->threads == TESS_ALL_PROCESSORS;
    return threads && options->sanitize <= TESS_SANITIZE_OFF;
}

static uint32_t thread_count(uint32_t option)
{
    if (option == 0)
        return 1;
    return pool_thread_count(option == TESS_ALL_PROCESSORS ? 0 : option);
}

bool machine_options_take(void *to, size_t size, const void *from,
                          const struct machine_defaults *defaults)
{
    struct tess_machine_options head = {0};
    memset(to, 0, size);
    if (from) {
        memcpy(&head, from, sizeof head);
        size_t given = head.size ? head.size : size;
        if (given < sizeof head || !has_no_more(from, size, given) || !is_valid(&head))
            return false;
        memcpy(to, from, given < size ? given : size);
    }
    head.size = size;
    head.threads = thread_count(head.threads);
    if (head.sanitize == TESS_SANITIZE_DEFAULT)
        head.sanitize = defaults->sanitize ? TESS_SANITIZE_ON : TESS_SANITIZE_OFF;
    if (!head.max_instructions)
        head.max_instructions = defaults->max_instructions;
    memcpy(to, &head, sizeof head);
    return true;
}
