/* SPDX-License-Identifier: MIT */
/* transfers.c - tests transfers between RAM and peripherals by DMA, paced by requests, on a board
 * with all peripherals. The settings are those of circle's and Linux' drivers. */
#include "../../register.h"
#include "all.h"

#include "base/bits.h"

enum {
    BLOCK = 0x100,
    DATA = 0x1000,
    RAM_BUS = 0x40000000,
    DMA5 = 0x007500,
    SDHOST = 0x202000,
    PCM = 0x203000,
    PWM = 0x20c000,
    EMMC = 0x300000,
    CLOCK_PCM = 0x101098,
    CLOCK_PWM = 0x1010a0,
    DEST_INC = 1 << 4,
    DEST_DREQ = 1 << 6,
    SRC_INC = 1 << 8,
    SRC_DREQ = 1 << 10,
    SAMPLES = 256,
};

#define PASSWORD UINT32_C(0x5a000000)

static struct all board;
static uint32_t samples[SAMPLES];
static uint64_t times[SAMPLES];
static unsigned sample_count;

static void take_output(void *user, enum device_output output, uint32_t value)
{
    const struct all *a = user;
    if (output != OUTPUT_AUDIO || sample_count >= SAMPLES)
        return;
    samples[sample_count] = value;
    times[sample_count++] = a->time;
}

static int set_up(void **state)
{
    all_open(&board);
    board.ports.output = take_output;
    sample_count = 0;
    for (unsigned i = 0; i < ALL_CARD; i++)
        board.card[i] = (uint8_t)(i * 11 + i / 512);
    *state = &board;
    return 0;
}

static int tear_down(void **state)
{
    all_close(*state);
    return 0;
}

static void put(uint32_t offset, uint32_t value)
{
    all_write(&board, ALL_BUS + offset, value);
}

static uint32_t get(uint32_t offset)
{
    return all_read(&board, ALL_BUS + offset);
}

/* Starts a transfer of `size` bytes on channel 5. One side is the data register of a peripheral. */
static void start(uint32_t information, enum device_request request, uint32_t register_offset,
                  uint32_t size)
{
    bool to_peripheral = information & DEST_DREQ;
    uint32_t ram = (uint32_t)RAM_BUS | DATA, data = ALL_BUS + register_offset;
    const uint32_t words[6] = {information | (uint32_t)request << 16,
                               to_peripheral ? ram : data,
                               to_peripheral ? data : ram,
                               size,
                               0,
                               0};
    for (unsigned i = 0; i < 6; i++)
        store_le32(board.ram + BLOCK + 4 * i, words[i]);
    put(DMA5 + 4, RAM_BUS | BLOCK);
    put(DMA5, 1);
}

TEST_WITH(dma_plays_by_pwm, set_up, tear_down)
{
    put(CLOCK_PWM + 4, PASSWORD | 2 << 12); /* PLLD / 2 */
    put(CLOCK_PWM, PASSWORD | 0x16);
    put(PWM + 0x10, 5000); /* 50 kHz */
    put(PWM + 0x20, 5000);
    put(PWM, 0x2161);
    for (uint32_t i = 0; i < 100; i++)
        store_le32(board.ram + DATA + 4 * i, i * 50);
    put(PWM + 8, UINT32_C(0x80000707));
    start(SRC_INC | DEST_DREQ, REQUEST_PWM, 0x20c018, 400);
    all_wait(&board, 1200 * DEVICE_MICROSECOND);
    assert_int_equal(sample_count, 50);
    for (uint32_t i = 0; i < 50; i++) {
        uint32_t left = 2 * i * 50 * 65535 / 5000 - 32768;
        uint32_t right = (2 * i + 1) * 50 * 65535 / 5000 - 32768;
        assert_int_equal(samples[i], (left & 0xffff) | right << 16);
        assert_int_equal(times[i] - times[0], i * 20000);
    }
    assert_int_equal(get(DMA5) & 3, 2);
    assert_int_equal(board.findings + board.not_modelled, 0);
}

TEST_WITH(dma_plays_by_pcm, set_up, tear_down)
{
    put(CLOCK_PCM + 4, PASSWORD | 160 << 12); /* 3.125 MHz */
    put(CLOCK_PCM, PASSWORD | 0x16);
    put(PCM + 0x10, UINT32_C(0xc010c210));
    put(PCM + 0x08, 63 << 10 | 32);
    put(PCM, 1 << 25);
    put(PCM, 1 << 25 | 1);
    for (uint32_t i = 0; i < 200; i++)
        store_le32(board.ram + DATA + 4 * i, i << 8);
    put(PCM, 1 << 25 | 1 << 9 | 1);
    start(SRC_INC | DEST_DREQ, REQUEST_PCM_TX, 0x203004, 800);
    put(PCM, 1 << 25 | 1 << 9 | 5);
    all_wait(&board, 3000 * DEVICE_MICROSECOND);
    assert_int_equal(sample_count, 100);
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(samples[i], 2 * i | (2 * i + 1) << 16);
        assert_int_equal(times[i] - times[0], i * 20480);
    }
    assert_int_equal(board.findings + board.not_modelled, 0);
}

static void send_emmc(uint32_t command, uint32_t argument)
{
    put(EMMC + 0x08, argument);
    put(EMMC + 0x0c, command);
    all_wait(&board, 1000 * DEVICE_MICROSECOND);
}

TEST_WITH(dma_reads_by_emmc, set_up, tear_down)
{
    static const uint32_t commands[][2] = {
        {0x00000000, 0},          {0x08020000, 0x1aa}, {0x37000000, 0},
        {0x29020000, 0x40ff8000}, {0x37000000, 0},     {0x29020000, 0x40ff8000},
        {0x02010000, 0},          {0x03020000, 0},     {0x07030000, 0xaaaa0000}};
    put(EMMC + 0x2c, 5);
    put(EMMC + 0x34, 0xffffffff);
    for (unsigned i = 0; i < sizeof commands / sizeof *commands; i++)
        send_emmc(commands[i][0], commands[i][1]);
    put(EMMC + 0x04, 3 << 16 | 512);
    start(DEST_INC | SRC_DREQ, REQUEST_EMMC, 0x300020, 3 * 512);
    send_emmc(0x12220036, 17); /* three blocks, and CMD12 by the controller */
    all_wait(&board, 2000 * DEVICE_MICROSECOND);
    assert_int_equal(get(DMA5) & 3, 2);
    assert_memory_equal(board.ram + DATA, board.card + 17 * 512, 3 * 512);
    assert_int_equal(get(EMMC + 0x30) & 0xffff0002, 2);
    assert_int_equal(board.findings + board.not_modelled, 0);
}

static void send_sdhost(uint32_t command, uint32_t argument)
{
    put(SDHOST + 4, argument);
    put(SDHOST, command | 0x8000);
    all_wait(&board, 1000 * DEVICE_MICROSECOND);
    assert_int_equal(get(SDHOST) & 0xc000, 0);
}

TEST_WITH(dma_reads_and_writes_by_sdhost, set_up, tear_down)
{
    static const uint32_t commands[][2] = {{0x400, 0},       {8, 0x1aa}, {55, 0},
                                           {41, 0x40ff8000}, {55, 0},    {41, 0x40ff8000},
                                           {0x202, 0},       {3, 0},     {0x807, 0xaaaa0000}};
    put(SDHOST + 0x34, 4 << 9 | 4 << 14);
    put(SDHOST + 0x30, 1);
    put(SDHOST + 0x38, 0xe);
    put(SDHOST + 0x0c, 3);
    for (unsigned i = 0; i < sizeof commands / sizeof *commands; i++)
        send_sdhost(commands[i][0], commands[i][1]);
    put(SDHOST + 0x3c, 512);
    put(SDHOST + 0x50, 2);
    start(DEST_INC | SRC_DREQ, REQUEST_SDHOST, 0x202040, 2 * 512);
    send_sdhost(18 | 0x40, 33);
    assert_int_equal(get(DMA5) & 3, 2);
    assert_memory_equal(board.ram + DATA, board.card + 33 * 512, 2 * 512);
    send_sdhost(0x80c, 0);

    start(SRC_INC | DEST_DREQ, REQUEST_SDHOST, 0x202040, 2 * 512);
    send_sdhost(25 | 0x80, 90);
    assert_int_equal(get(DMA5) & 3, 2);
    assert_memory_equal(board.card + 90 * 512, board.card + 33 * 512, 2 * 512);
    assert_int_equal(board.findings + board.not_modelled, 0);
}
