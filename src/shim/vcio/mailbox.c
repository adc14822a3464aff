/* SPDX-License-Identifier: MIT */
/* mailbox.c - see devices.h.
 *
 * In:  a request, and a property buffer in the program's memory.
 * Out: the reply in that buffer.
 *
 * Source: raspberrypi/linux, drivers/char/broadcom/vcio.c and drivers/firmware/raspberrypi.c
 *         (rpi-6.1.y), and the older driver arch/arm/mach-bcm2708/bcm_vcio.c; tessera/pi.h for the
 *         tags.
 * Modelled: IOCTL_MBOX_PROPERTY by its present and its older numbers, from 32-bit and 64-bit
 * programs. Like the driver, copies the number of bytes in the first word, sets the request code
 * itself, and terminates the tags itself.
 * Choices: if the firmware refuses a request, the buffer contains the firmware's response code and
 *          the call succeeds, as with the older driver. The present driver fails with EINVAL and
 *          does not copy the buffer back, so programs cannot see which tag was refused. */
#include "devices.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "shim/common/user.h"
#include "shim/vcio/vcio_machine.h"

enum {
    MAJOR = 100,
    OLD_MAJOR = 249,
    LEAST = 12, /* size of the smallest buffer in bytes: the size, the code and the end tag */
    /* largest size in bytes; for larger buffers, "the firmware will error out without parsing" */
    MOST = 1 << 20,
};

static bool is_property(unsigned long request)
{
    static const unsigned sizes[] = {4, 8}; /* sizes of a pointer, in bytes */
    static const unsigned majors[] = {MAJOR, OLD_MAJOR};
    for (unsigned i = 0; i < 4; i++)
        if ((uint32_t)request == _IOC(_IOC_READ | _IOC_WRITE, majors[i / 2], 0, sizes[i % 2]))
            return true;
    return false;
}

/* Processes a request. `words` receives a copy of the program's buffer. Returns 0 or an errno. */
static int carry_out(uint32_t *words, uintptr_t argument, uint32_t size)
{
    if (!user_read(words, argument, size))
        return EFAULT;
    words[0] = size; /* the program may have changed the size after the first read */
    words[1] = 0;
    words[size / 4 - 1] = 0;
    if (machine_property(words, size) == 0)
        return EBUSY;
    return user_write(argument, words, size) ? 0 : EFAULT;
}

static int with_buffer(uintptr_t argument, uint32_t size)
{
    uint32_t *words = malloc(size);
    if (!words)
        return ENOMEM;
    int error = carry_out(words, argument, size);
    free(words);
    return error;
}

static int property(unsigned long request, uintptr_t argument)
{
    uint32_t size;
    if (!is_property(request))
        return EINVAL;
    if (!machine_get())
        return ENODEV;
    if (!user_read(&size, argument, sizeof size))
        return EFAULT;
    return size < LEAST || size > MOST || size % 4 ? EINVAL : with_buffer(argument, size);
}

int mailbox_ioctl(unsigned long request, uintptr_t argument)
{
    return machine_request(property, request, argument);
}
