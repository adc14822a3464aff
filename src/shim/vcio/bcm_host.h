/* SPDX-License-Identifier: MIT */
/* bcm_host.h - where things are on a Raspberry Pi: the part of the library of that name that GPGPU programs use. */
#ifndef BCM_HOST_H
#define BCM_HOST_H

#ifdef __cplusplus
extern "C" {
#endif

/* Nothing to do. */
void bcm_host_init(void);
void bcm_host_deinit(void);

/* The peripherals' first address for the ARM, and their size in bytes. */
unsigned bcm_host_get_peripheral_address(void);
unsigned bcm_host_get_peripheral_size(void);

/* The bus address at which RAM is as the ARM sees it: 0x40000000 on a Pi 0 or 1, 0xc0000000 later. */
unsigned bcm_host_get_sdram_address(void);

#define BCM_HOST_PROCESSOR_BCM2835 0
#define BCM_HOST_PROCESSOR_BCM2836 1
#define BCM_HOST_PROCESSOR_BCM2837 2
#define BCM_HOST_PROCESSOR_BCM2711 3

/* The type in the board's revision code; one of BCM_HOST_PROCESSOR_; whether that is the Pi 4's. */
int bcm_host_get_model_type(void);
int bcm_host_get_processor_id(void);
int bcm_host_is_model_pi4(void);

/* Whether the kernel's graphics driver works through the firmware, or without it. */
int bcm_host_is_fkms_active(void);
int bcm_host_is_kms_active(void);

#ifdef __cplusplus
}
#endif

#endif
