/* SPDX-License-Identifier: MIT */
/* bcm_host.h - addresses on a Raspberry Pi: the part of the library libbcm_host that GPGPU programs
 * use. */
#ifndef BCM_HOST_H
#define BCM_HOST_H

#ifdef __cplusplus
extern "C" {
#endif

/* These functions do nothing. */
void bcm_host_init(void);
void bcm_host_deinit(void);

/* Return the first address of the peripherals for the ARM, and their size in bytes. */
unsigned bcm_host_get_peripheral_address(void);
unsigned bcm_host_get_peripheral_size(void);

/* Returns the bus address at which the ARM sees RAM: 0x40000000 on a Pi 0 or 1, 0xc0000000 on later
 * boards. */
unsigned bcm_host_get_sdram_address(void);

#define BCM_HOST_PROCESSOR_BCM2835 0
#define BCM_HOST_PROCESSOR_BCM2836 1
#define BCM_HOST_PROCESSOR_BCM2837 2
#define BCM_HOST_PROCESSOR_BCM2711 3

/* bcm_host_get_model_type() returns the type in the board's revision code.
 * bcm_host_get_processor_id() returns one of BCM_HOST_PROCESSOR_. bcm_host_is_model_pi4() returns 1
 * on a Pi 4, otherwise 0. */
int bcm_host_get_model_type(void);
int bcm_host_get_processor_id(void);
int bcm_host_is_model_pi4(void);

/* bcm_host_is_fkms_active() returns 1 if the kernel's graphics driver uses the firmware.
 * bcm_host_is_kms_active() returns 1 if the driver works without the firmware. Otherwise they
 * return 0. */
int bcm_host_is_fkms_active(void);
int bcm_host_is_kms_active(void);

#ifdef __cplusplus
}
#endif

#endif
