/* SPDX-License-Identifier: MIT */
/* state_devices.c - checks the states of peripherals that come from saved bytes.
 *
 * In:  the states of all peripherals, with any contents.
 * Out: whether each peripheral can continue: every count and position is inside its array.
 *
 * Registers and times may have any value. A wrong time makes a peripheral late, and nothing
 * else. */
#include "board/machine/machine.h"

enum {
    CARD_STATES = 9, /* idle to disconnected, as the SD specification numbers them */
    LARGEST_CHUNK = 1 << 16,
};

static bool serial_is_valid(const struct serial *s)
{
    return s->depth >= 1 && s->depth <= SERIAL_DEPTH && s->send.count <= s->depth &&
           s->receive.count <= s->depth && s->line_first < SERIAL_LINE &&
           s->line_count <= SERIAL_LINE && (s->received_at == DEVICE_NEVER || s->line_count);
}

/* The numbers of channels are those of the machine. */
static bool dma_is_valid(const struct dma *s, const struct dma *present)
{
    for (unsigned i = 0; i < DMA_CHANNELS; i++)
        if (s->channel[i].chunk > LARGEST_CHUNK)
            return false;
    return s->first == present->first && s->count == present->count && s->stepping == 0;
}

static bool card_is_valid(const struct sd_card *s)
{
    bool block = s->registers ? s->data_size <= sizeof s->data
                              : s->data_size == 0 || s->data_size == SD_BLOCK;
    return s->state < CARD_STATES && block;
}

static bool emmc_is_valid(const struct emmc *s)
{
    return card_is_valid(&s->card) && s->size < EMMC_BUFFER &&
           s->at <= EMMC_BUFFER - (s->ready ? 4 : 0) && s->at % 4 == 0 &&
           s->direction <= EMMC_WRITE;
}

static bool sdhost_is_valid(const struct sdhost *s)
{
    bool runs = s->direction != SDHOST_NONE;
    return card_is_valid(&s->card) && (!runs || s->size <= SDHOST_BLOCK) &&
           s->at <= SDHOST_BLOCK - (runs ? 4 : 0) && s->at % 4 == 0 &&
           s->direction <= SDHOST_WRITE && s->fifo_count <= SDHOST_FIFO &&
           s->fifo_first < SDHOST_FIFO && (!runs || s->word_time != 0);
}

static bool sound_is_valid(const struct machine_states *s)
{
    return s->pcm.in.count <= PCM_FIFO && s->pcm.out.count <= PCM_FIFO &&
           s->pwm.fifo_count <= PWM_FIFO && s->pwm.fifo_first < PWM_FIFO;
}

static bool bus_is_valid(const struct machine_states *s)
{
    bool good = s->spi.to_send <= SPI_FIFO && s->spi.received <= SPI_FIFO;
    for (unsigned i = 0; i < 3; i++)
        good = good && s->i2c[i].to_send <= I2C_FIFO;
    for (unsigned i = 0; i < 2; i++)
        good = good && s->aux.spi[i].received <= AUX_SPI_FIFO;
    return good;
}

static bool video_is_valid(const struct machine_states *s)
{
    for (unsigned i = 0; i < 3; i++)
        if (s->valve[i].number != i)
            return false;
    return true;
}

bool machine_states_are_valid(const struct machine_states *states,
                              const struct machine_states *present)
{
    return serial_is_valid(&states->uart.serial) && serial_is_valid(&states->aux.serial) &&
           dma_is_valid(&states->dma, &present->dma) &&
           dma_is_valid(&states->dma15, &present->dma15) && emmc_is_valid(&states->emmc) &&
           sdhost_is_valid(&states->sdhost) && sound_is_valid(states) && bus_is_valid(states) &&
           video_is_valid(states);
}
