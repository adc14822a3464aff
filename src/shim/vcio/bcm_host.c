/* SPDX-License-Identifier: MIT */
/* bcm_host.c - the functions of libbcm_host that return addresses. The shim contains them. A
 * library with the name libbcm_host contains them, too, for programs that are linked with it.
 *
 * In:  the device tree and /proc/cpuinfo. The shim replaces both with a board's.
 * Out: addresses, sizes, properties of the board.
 *
 * Source: raspberrypi/userland, host_applications/linux/libs/bcm_host (its interface; documented in
 *         raspberrypi/documentation, "peripheral addresses"). The type of a board is in bits 11:4
 *         of its revision, the processor in bits 15:12; older revisions number the boards
 *         ("Raspberry Pi revision codes").
 * Left out: starting VCHIQ, which GPGPU programs do not use. */
#include "bcm_host.h"

#include <stdio.h>
#include <string.h>

#define API __attribute__((visibility("default")))

API void bcm_host_init(void)
{
}

API void bcm_host_deinit(void)
{
}

/* Returns a big-endian 32-bit cell of a file in the device tree, or `otherwise` if the file has no
 * cell with that number. */
static unsigned cell(const char *path, long number, unsigned otherwise)
{
    unsigned char bytes[4];
    FILE *file = fopen(path, "rb");
    if (!file)
        return otherwise;
    unsigned value = otherwise;
    if (fseek(file, 4 * number, SEEK_SET) == 0 && fread(bytes, sizeof bytes, 1, file) == 1)
        value = (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 |
                bytes[3];
    fclose(file);
    return value;
}

#define RANGES "/proc/device-tree/soc/ranges"

/* Returns the number of the cell that contains the address. On a 64-bit parent bus, a cell with the
 * value 0 precedes it. */
static long ranges_cell(void)
{
    return cell(RANGES, 1, 1) == 0 ? 2 : 1;
}

API unsigned bcm_host_get_peripheral_address(void)
{
    return cell(RANGES, ranges_cell(), 0x20000000);
}

API unsigned bcm_host_get_peripheral_size(void)
{
    return cell(RANGES, ranges_cell() + 1, 0x01000000);
}

API unsigned bcm_host_get_sdram_address(void)
{
    return cell("/proc/device-tree/axi/vc_mem/reg", 2, 0x40000000);
}

static unsigned revision_code(void)
{
    char line[256];
    unsigned revision = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Revision : %x", &revision) == 1)
            break;
    if (file)
        fclose(file);
    return revision;
}

enum { NEW_STYLE = 1 << 23, TYPE_A = 0, TYPE_B = 1, TYPE_A_PLUS = 2, TYPE_B_PLUS = 3, TYPE_CM = 6 };

/* Returns the board's type for an old revision number, which is 2 to 21. */
static int old_type(unsigned revision)
{
    static const signed char types[] = {TYPE_B,  TYPE_B,      TYPE_B,      TYPE_B,  TYPE_B,
                                        TYPE_A,  TYPE_A,      TYPE_A,      -1,      -1,
                                        -1,      TYPE_B,      TYPE_B,      TYPE_B,  TYPE_B_PLUS,
                                        TYPE_CM, TYPE_A_PLUS, TYPE_B_PLUS, TYPE_CM, TYPE_A_PLUS};
    revision &= 0xffffff; /* removes the bit that records a void warranty */
    return revision >= 2 && revision < 2 + sizeof types ? types[revision - 2] : TYPE_A;
}

API int bcm_host_get_model_type(void)
{
    unsigned revision = revision_code();
    return revision & NEW_STYLE ? (int)(revision >> 4 & 0xff) : old_type(revision);
}

API int bcm_host_get_processor_id(void)
{
    unsigned revision = revision_code();
    return revision & NEW_STYLE ? (int)(revision >> 12 & 0xf) : BCM_HOST_PROCESSOR_BCM2835;
}

API int bcm_host_is_model_pi4(void)
{
    return bcm_host_get_processor_id() == BCM_HOST_PROCESSOR_BCM2711;
}

static int is_okay(const char *path)
{
    char status[8] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (!fgets(status, sizeof status, file))
        status[0] = 0;
    fclose(file);
    return strcmp(status, "okay") == 0;
}

/* Both drivers need V3D's node. Only the driver that uses the firmware (fkms) also has a
 * firmwarekms node. */
static int has_driver(int of_firmware)
{
    return is_okay("/proc/device-tree/soc/v3d@7ec00000/status") &&
           is_okay("/proc/device-tree/soc/firmwarekms@7e600000/status") == of_firmware;
}

API int bcm_host_is_fkms_active(void)
{
    return has_driver(1);
}

API int bcm_host_is_kms_active(void)
{
    return has_driver(0);
}
