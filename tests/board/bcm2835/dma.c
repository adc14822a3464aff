/* SPDX-License-Identifier: MIT */
/* dma.c - tests the DMA controller. Expected values are from "BCM2835 ARM Peripherals", chapter 4;
 * times are calculated by the rule in the head of src/board/bcm2835/dma.c. */
#include "../../register.h"
#include "board.h"

#include "board/bcm2835/dma.h"

enum {
    BLOCK = 0x100,
    SOURCE = 0x1000,
    TARGET = 0x3000,
    UNCACHED = 0x40000000,
    CS = 0x00,
    CONBLK_AD = 0x04,
    TXFR_LEN = 0x14,
    DEBUG = 0x20,
    INTEN = 1 << 0,
    ROWS = 1 << 1,
    DEST_INC = 1 << 4,
    DEST_WIDE = 1 << 5,
    DEST_DREQ = 1 << 6,
    SRC_INC = 1 << 8,
    SRC_WIDE = 1 << 9,
    SRC_DREQ = 1 << 10,
    SRC_IGNORE = 1 << 11,
    COPY = DEST_INC | SRC_INC,
    PERMAP = 16,
    ACTIVE = 1 << 0,
    END = 1 << 1,
    INT = 1 << 2,
    DREQ = 1 << 3,
    PAUSED = 1 << 4,
    HELD = 1 << 5,
    ERROR = 1 << 8,
    ABORT = 1 << 30,
    FIFO = 0x7e203004,
};

static int set_up(void **state)
{
    static struct board b;
    board_open(&b, &dma);
    for (unsigned i = 0; i < 0x2000; i++)
        b.ram[SOURCE + i] = (uint8_t)(i * 7 + i / 256);
    *state = &b;
    return 0;
}

struct block {
    uint32_t information, source, target, length, stride, next;
};

static void put_block(struct board *b, uint32_t address, const struct block *block)
{
    memcpy(b->ram + address, block, sizeof *block);
}

/* Starts a chain on a channel. */
static void start(struct board *b, unsigned channel, uint32_t block)
{
    board_write(b, channel * 0x100 + CONBLK_AD, UNCACHED | block);
    board_write(b, channel * 0x100 + CS, ACTIVE);
}

TEST_WITH(copies_and_interrupts, set_up, NULL)
{
    struct board *b = *fixture;
    put_block(b, BLOCK,
              &(struct block){INTEN | COPY, UNCACHED | SOURCE, UNCACHED | TARGET, 0x1800, 0, 0});
    start(b, 3, BLOCK);
    assert_int_equal(board_read(b, 0x300 + CS), ACTIVE);
    assert_int_equal(board_read(b, 0x300 + CONBLK_AD), UNCACHED | BLOCK);
    assert_int_equal(board_read(b, 0x308), INTEN | COPY);
    /* Nothing has moved before the first 4096 bytes are complete: 100 clocks for the block, and
     * 1024 words of 21 clocks, at 4 ns. */
    board_wait(b, 4 * (100 + 1024 * 21) - 1);
    assert_int_equal(b->ram[TARGET + 4], 0);
    assert_int_equal(board_read(b, 0x300 + TXFR_LEN), 0x1800);
    board_wait(b, 1);
    assert_memory_equal(b->ram + TARGET, b->ram + SOURCE, 0x1000);
    assert_int_equal(b->ram[TARGET + 0x1004], 0);
    assert_int_equal(board_read(b, 0x300 + TXFR_LEN), 0x800);
    assert_int_equal(board_read(b, 0x300 + CS), ACTIVE);
    board_wait(b, 4 * 512 * 21);
    assert_memory_equal(b->ram + TARGET, b->ram + SOURCE, 0x1800);
    assert_int_equal(board_read(b, 0x300 + CS), END | INT);
    assert_int_equal(board_read(b, 0x300 + CONBLK_AD), 0);
    assert_int_equal(board_read(b, 0xfe0), 1 << 3);
    board_write(b, 0xfe0, 1 << 3); /* has no effect */
    assert_int_equal(board_read(b, 0xfe0), 1 << 3);
    assert_int_equal(b->not_modelled, 0);
    assert_true(b->lines[LINE_DMA0 + 3]);
    assert_true(b->lines[LINE_DMA_ALL]);
    assert_false(b->lines[LINE_DMA_SHARED]);
    assert_int_equal(board_next(b), DEVICE_NEVER);
    board_write(b, 0x300 + CS, INT);
    assert_int_equal(board_read(b, 0x300 + CS), END);
    assert_false(b->lines[LINE_DMA0 + 3]);
    assert_false(b->lines[LINE_DMA_ALL]);
    board_write(b, 0x300 + CS, END);
    assert_int_equal(board_read(b, 0x300 + CS), 0);
    assert_int_equal(b->finding_count + b->not_modelled, 0);
}

TEST_WITH(bursts_take_less_time, set_up, NULL)
{
    struct board *b = *fixture;
    /* Bursts of 8 beats of 16 bytes: 8 bursts of 20 + 8 clocks, and 2 waits in each beat. */
    const uint32_t information = COPY | SRC_WIDE | DEST_WIDE | 7 << 12 | 2 << 21;
    put_block(b, BLOCK,
              &(struct block){information, UNCACHED | SOURCE, UNCACHED | TARGET, 1024, 0, 0});
    start(b, 0, BLOCK);
    assert_int_equal(board_next(b), 4 * (100 + 8 * 20 + 64 * 3));
    board_wait(b, board_next(b));
    assert_memory_equal(b->ram + TARGET, b->ram + SOURCE, 1024);
    assert_int_equal(board_read(b, CS), END);
    assert_false(b->lines[LINE_DMA0]);
    /* The same block on a lite channel takes twice the time. */
    uint64_t begin = b->time;
    start(b, 7, BLOCK);
    assert_int_equal(board_next(b) - begin, 2 * 4 * (100 + 8 * 20 + 64 * 3));
}

TEST_WITH(chains, set_up, NULL)
{
    struct board *b = *fixture;
    put_block(b, BLOCK,
              &(struct block){COPY, UNCACHED | SOURCE, UNCACHED | TARGET, 13, 0,
                              UNCACHED | (BLOCK + 32)});
    put_block(b, BLOCK + 32,
              &(struct block){INTEN | SRC_INC | DEST_INC, UNCACHED | (SOURCE + 100),
                              UNCACHED | (TARGET + 13), 3, 0, 0});
    start(b, 12, BLOCK);
    board_wait(b, board_next(b));
    assert_int_equal(board_read(b, 0xc00 + CS), ACTIVE | END);
    assert_int_equal(board_read(b, 0xc00 + CONBLK_AD), UNCACHED | (BLOCK + 32));
    board_wait(b, 100000);
    assert_memory_equal(b->ram + TARGET, b->ram + SOURCE, 13);
    assert_memory_equal(b->ram + TARGET + 13, b->ram + SOURCE + 100, 3);
    assert_int_equal(b->ram[TARGET + 16], 0);
    assert_int_equal(board_read(b, 0xc00 + CS), END | INT);
    assert_true(b->lines[LINE_DMA_SHARED]); /* channels 11 to 14 */
}

TEST_WITH(rows, set_up, NULL)
{
    struct board *b = *fixture;
    /* Three rows of 8 bytes: the source skips 4 bytes after each row, the destination goes back by
     * 24 bytes, to the row before. */
    put_block(b, BLOCK,
              &(struct block){ROWS | COPY, UNCACHED | SOURCE, UNCACHED | (TARGET + 64), 2 << 16 | 8,
                              (uint32_t)(uint16_t)-24 << 16 | 4, 0});
    start(b, 0, BLOCK);
    board_wait(b, 100000);
    assert_memory_equal(b->ram + TARGET + 64, b->ram + SOURCE, 8);
    assert_memory_equal(b->ram + TARGET + 48, b->ram + SOURCE + 12, 8);
    assert_memory_equal(b->ram + TARGET + 32, b->ram + SOURCE + 24, 8);
    assert_int_equal(b->ram[TARGET + 40], 0);
    assert_int_equal(b->ram[TARGET + 16], 0);
}

TEST_WITH(fills_and_ignored_sources, set_up, NULL)
{
    struct board *b = *fixture;
    memset(b->ram + TARGET, 0xaa, 64);
    put_block(b, BLOCK,
              &(struct block){DEST_INC, UNCACHED | SOURCE, UNCACHED | TARGET, 10, 0,
                              UNCACHED | (BLOCK + 32)});
    put_block(b, BLOCK + 32,
              &(struct block){DEST_INC | DEST_WIDE | SRC_WIDE, UNCACHED | SOURCE,
                              UNCACHED | (TARGET + 16), 24, 0, UNCACHED | (BLOCK + 64)});
    put_block(b, BLOCK + 64,
              &(struct block){DEST_INC | SRC_IGNORE, 0, UNCACHED | (TARGET + 48), 8, 0, 0});
    start(b, 0, BLOCK);
    board_wait(b, 100000);
    /* A word, then 16 bytes, repeated. */
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(b->ram[TARGET + i], b->ram[SOURCE + i % 4]);
    assert_int_equal(b->ram[TARGET + 10], 0xaa);
    for (unsigned i = 0; i < 24; i++)
        assert_int_equal(b->ram[TARGET + 16 + i], b->ram[SOURCE + i % 16]);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(b->ram[TARGET + 48 + i], 0);
    assert_int_equal(b->ram[TARGET + 56], 0xaa);
}

static void set_request(struct board *b, enum device_request request, bool level)
{
    board_advance(b);
    b->device->requested(b->state, &b->ports, request, level);
}

TEST_WITH(requests_pace_transfers, set_up, NULL)
{
    struct board *b = *fixture;
    put_block(b, BLOCK,
              &(struct block){SRC_INC | DEST_DREQ | REQUEST_PCM_TX << PERMAP, UNCACHED | SOURCE,
                              FIFO, 12, 0, 0});
    start(b, 1, BLOCK);
    board_wait(b, 1000000);
    assert_int_equal(board_read(b, 0x100 + CS), ACTIVE | HELD);
    assert_int_equal(b->register_count, 0);
    set_request(b, REQUEST_PWM, true); /* another peripheral */
    assert_int_equal(board_next(b), DEVICE_NEVER);
    set_request(b, REQUEST_PCM_TX, true);
    assert_int_equal(board_read(b, 0x100 + CS), ACTIVE | DREQ);
    assert_int_equal(board_next(b) - b->time, 4 * 21);
    board_wait(b, 4 * 21);
    assert_int_equal(board_bus_read(b, FIFO), 0x150e0700);
    set_request(b, REQUEST_PCM_TX, false);
    board_wait(b, 1000000);
    assert_int_equal(board_bus_read(b, FIFO), 0x150e0700);
    assert_int_equal(board_read(b, 0x100 + TXFR_LEN), 8);
    set_request(b, REQUEST_PCM_TX, true);
    board_wait(b, 8 * 21);
    assert_int_equal(board_bus_read(b, FIFO), 0x4d463f38);
    assert_int_equal(board_read(b, 0x100 + CS), END | DREQ);
}

TEST_WITH(reads_a_peripheral, set_up, NULL)
{
    struct board *b = *fixture;
    board_set_register(b, 0x7e202040, 0x12345678);
    put_block(b, BLOCK,
              &(struct block){DEST_INC | SRC_DREQ | REQUEST_SDHOST << PERMAP, 0x7e202040,
                              UNCACHED | TARGET, 8, 0, 0});
    set_request(b, REQUEST_SDHOST, true);
    start(b, 0, BLOCK);
    board_wait(b, 100000);
    assert_memory_equal(b->ram + TARGET, "\x78\x56\x34\x12\x78\x56\x34\x12", 8);
}

TEST_WITH(pause_abort_and_reset, set_up, NULL)
{
    struct board *b = *fixture;
    put_block(b, BLOCK,
              &(struct block){COPY, UNCACHED | SOURCE, UNCACHED | TARGET, 0x1800, 0,
                              UNCACHED | (BLOCK + 32)});
    put_block(b, BLOCK + 32,
              &(struct block){COPY, UNCACHED | SOURCE, UNCACHED | (TARGET + 0x1800), 4, 0, 0});
    start(b, 0, BLOCK);
    board_wait(b, board_next(b));
    board_write(b, CS, 0);
    assert_int_equal(board_read(b, CS), PAUSED);
    board_wait(b, 1000000);
    assert_int_equal(board_read(b, TXFR_LEN), 0x800);
    board_write(b, CS, ACTIVE);
    assert_int_equal(board_read(b, CS), ACTIVE);
    board_write(b, CS, ACTIVE | ABORT); /* continues with the second block */
    assert_int_equal(board_read(b, CONBLK_AD), UNCACHED | (BLOCK + 32));
    board_wait(b, 1000000);
    assert_int_equal(b->ram[TARGET + 0x1000 + 4], 0);
    assert_memory_equal(b->ram + TARGET + 0x1800, b->ram + SOURCE, 4);
    start(b, 0, BLOCK);
    board_write(b, CS, UINT32_C(1) << 31);
    assert_int_equal(board_read(b, CS), 0);
    assert_int_equal(board_read(b, CONBLK_AD), 0);
    assert_int_equal(board_next(b), DEVICE_NEVER);
}

TEST_WITH(wrong_addresses, set_up, NULL)
{
    struct board *b = *fixture;
    put_block(b, BLOCK, &(struct block){COPY, UNCACHED | SOURCE, 0x3f203004, 8, 0, 0});
    start(b, 5, BLOCK);
    board_wait(b, 100000);
    assert_int_equal(b->finding, PI_DMA_ADDRESS);
    assert_int_equal(b->finding_offset, 0x7500);
    assert_int_equal(board_read(b, 0x500 + CS), ERROR);
    assert_int_equal(board_read(b, 0x500 + DEBUG), 1 << 2 | 5 << 8 | 2 << 25);
    board_write(b, 0x500 + DEBUG, 7);
    assert_int_equal(board_read(b, 0x500 + CS), 0);
    /* The second half of the copy is outside of RAM. */
    put_block(b, BLOCK,
              &(struct block){COPY, UNCACHED | (BOARD_RAM - 8), UNCACHED | TARGET, 16, 0, 0});
    start(b, 6, BLOCK);
    board_wait(b, 100000);
    assert_int_equal(b->finding_count, 2);
    assert_int_equal(board_read(b, 0x600 + TXFR_LEN), 16);
    start(b, 6, 0x20000000);
    assert_int_equal(b->finding, PI_DMA_BLOCK);
    board_write(b, 0x600 + DEBUG, 7);
    start(b, 6, BLOCK + 4);
    assert_int_equal(b->finding_count, 4);
    assert_int_equal(board_read(b, 0x600 + CONBLK_AD), UNCACHED | BLOCK);
}

TEST_WITH(mistakes, set_up, NULL)
{
    struct board *b = *fixture;
    put_block(b, BLOCK,
              &(struct block){COPY | ROWS, UNCACHED | SOURCE, UNCACHED | TARGET, 0x10008, 0, 0});
    start(b, 8, BLOCK);
    assert_int_equal(b->finding, PI_DMA_LITE);
    assert_int_equal(board_read(b, 0x800 + DEBUG), 8 << 8 | 2 << 25 | 1 << 28);
    board_wait(b, 100000);
    assert_memory_equal(b->ram + TARGET, b->ram + SOURCE, 8);
    assert_int_equal(b->ram[TARGET + 8], 0);

    start(b, 0, BLOCK);
    board_write(b, CONBLK_AD, UNCACHED | BLOCK);
    assert_int_equal(b->finding, PI_DMA_ACTIVE);
    board_write(b, TXFR_LEN, 4);
    assert_int_equal(b->finding, PI_DMA_READ_ONLY);

    assert_int_equal(board_read(b, 0xff0), 0x7fff);
    board_write(b, 0xff0, 0x7ffd);
    start(b, 1, BLOCK);
    assert_int_equal(b->finding, PI_DMA_DISABLED);
    assert_int_equal(board_read(b, 0x100 + CS), 0);
    board_read(b, 0xfe4);
    assert_int_equal(b->not_modelled, 1);
}

TEST_WITH(channel_15, set_up, NULL)
{
    struct board *b = *fixture;
    board_open(b, &dma15);
    for (unsigned i = 0; i < 64; i++)
        b->ram[SOURCE + i] = (uint8_t)(i + 1);
    assert_int_equal(dma15.base, 0xe05000);
    put_block(b, BLOCK, &(struct block){COPY, UNCACHED | SOURCE, UNCACHED | TARGET, 64, 0, 0});
    start(b, 0, BLOCK);
    board_wait(b, 100000);
    assert_memory_equal(b->ram + TARGET, b->ram + SOURCE, 64);
    assert_int_equal(board_read(b, DEBUG), 15 << 8 | 2 << 25);
    assert_int_equal(b->not_modelled, 0);
}

/* A chain that never ends must not stop the board, whatever the time that passes. */
TEST_WITH(endless_chain, set_up, NULL)
{
    struct board *b = *fixture;
    put_block(b, BLOCK,
              &(struct block){COPY, UNCACHED | SOURCE, UNCACHED | TARGET, 0, 0, UNCACHED | BLOCK});
    start(b, 0, BLOCK);
    assert_int_equal(board_next(b), 400);
    b->time = UINT64_C(1) << 60;
    board_advance(b);
    assert_true(board_next(b) >= b->time);
    assert_int_equal(board_read(b, CS), ACTIVE | END);
}
