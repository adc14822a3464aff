/* SPDX-License-Identifier: MIT */
/* sources.c - see tessera/sources.h.
 *
 * In: files with code; an address, and a function that reads memory.
 * Out: name and source line of the instruction at the address.
 * Choices: an index of words finds the pieces of code that an instruction in memory may be a copy
 *          of. Frequent words such as nops identify little, so the rarest word among the
 *          instruction and its neighbours is looked up. The comparison ends after 32 instructions,
 *          or after four consecutive instructions that differ. Recent answers are reused while the
 *          instruction and the instructions before and after it are unchanged. */
#include "code/sources.h"

#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/file.h"
#include "base/order.h"
#include "code/recognise.h"
#include "isa/qpu/qpu_isa.h"

enum {
    WORD = 8,
    WORDS_MOST = 4 << 20,
    AROUND = 32,    /* instructions that are compared on each side */
    FAR = 4096,     /* instructions that are compared on each side if a comparison of AROUND
                     * instructions gives two places equal scores */
    APART = 4,      /* number of consecutive differing instructions that end the comparison, because
                     * they show that another program begins */
    ENOUGH = 4,     /* least number of instructions that must agree */
    NEIGHBOURS = 8, /* instructions on each side among which the rarest is chosen */
    CANDIDATES = 256,
    KEPT = 4096, /* number of answers in the cache */
};

struct source_found {
    uint32_t address;
    uint32_t epoch; /* epoch of the answer; 0 if the entry is empty */
    bool none;
    uint64_t word[3]; /* words before, at and after the address */
    uint32_t piece, index;
};

/* --- files --- */

enum tess_status tess_sources_create(struct tess_sources **out)
{
    if (!out)
        return TESS_INVALID;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return TESS_NO_MEMORY;
    (*out)->epoch = 1;
    return TESS_OK;
}

static void free_file(struct source_file *file)
{
    for (uint32_t i = 0; i < file->name_count; i++)
        free(file->names[i]);
    free(file->names);
    code_free(&file->image);
    free(file->path);
    free(file);
}

static void forget_index(struct tess_sources *sources)
{
    free(sources->next);
    free(sources->head);
    free(sources->length);
    free(sources->found);
    sources->next = sources->head = sources->length = NULL;
    sources->found = NULL;
    sources->indexed = false;
}

void tess_sources_free(struct tess_sources *sources)
{
    if (!sources)
        return;
    forget_index(sources);
    for (uint32_t i = 0; i < sources->pieces; i++) {
        free(sources->piece[i].words);
        free(sources->piece[i].symbol);
    }
    for (uint32_t i = 0; i < sources->files; i++)
        free_file(sources->file[i]);
    free(sources->piece);
    free(sources->file);
    free(sources);
}

static struct source_file *latest(const struct tess_sources *sources)
{
    return sources->file[sources->files - 1];
}

static enum tess_status add_file(struct tess_sources *sources, const char *path)
{
    if (!ARRAY_GROW(sources->file, sources->files))
        return TESS_NO_MEMORY;
    struct source_file *file = calloc(1, sizeof *file);
    if (!file || !(file->path = strdup(path))) {
        free(file);
        return TESS_NO_MEMORY;
    }
    sources->file[sources->files++] = file;
    return TESS_OK;
}

const char *sources_copy_name(struct tess_sources *sources, const char *name)
{
    struct source_file *file = latest(sources);
    char *copy = ARRAY_GROW(file->names, file->name_count) ? strdup(name) : NULL;
    if (copy)
        file->names[file->name_count++] = copy;
    return copy;
}

enum tess_status sources_add_piece(struct tess_sources *sources, const uint8_t *bytes, size_t size,
                                   uint32_t address)
{
    size_t count = least_u64(size / WORD, WORDS_MOST - sources->words);
    uint64_t *words = malloc((count ? count : 1) * sizeof *words);
    if (!words || !ARRAY_GROW(sources->piece, sources->pieces)) {
        free(words);
        return TESS_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        words[i] = load_le64(bytes + i * WORD);
    sources->piece[sources->pieces++] = (struct source_piece){
        .words = words,
        .count = (uint32_t)count,
        .size = (uint32_t)least_u64(size, UINT32_MAX),
        .address = address,
        .first = sources->words,
        .file = sources->files - 1};
    sources->words += (uint32_t)count;
    latest(sources)->unused = true;
    forget_index(sources);
    return TESS_OK;
}

enum tess_status sources_add_symbol(struct tess_sources *sources, const char *name, uint32_t offset)
{
    struct source_piece *piece = &sources->piece[sources->pieces - 1];
    if (!ARRAY_GROW(piece->symbol, piece->symbols))
        return TESS_NO_MEMORY;
    piece->symbol[piece->symbols++] = (struct source_symbol){name, offset};
    return TESS_OK;
}

/* Adds a piece for each segment of the latest file's image, with the segment's symbols. */
static enum tess_status add_image(struct tess_sources *sources)
{
    const struct code_image *image = &latest(sources)->image;
    enum tess_status status = TESS_OK;
    for (size_t i = 0; i < image->segment_count && status == TESS_OK; i++) {
        const struct code_segment *segment = &image->segments[i];
        status = sources_add_piece(sources, segment->bytes, segment->size, segment->address);
        for (size_t n = 0; n < image->symbol_count && status == TESS_OK; n++) {
            uint32_t offset = image->symbols[n].address - segment->address;
            if (offset < segment->size)
                status = sources_add_symbol(sources, image->symbols[n].name, offset);
        }
    }
    return status;
}

static bool is_elf(const struct buffer *file)
{
    return file->size >= 4 && memcmp(file->data, "\177ELF", 4) == 0;
}

static enum tess_status read_assembly(struct tess_sources *sources, const char *path,
                                      const struct buffer *file, struct tess_sink sink)
{
    const struct tess_asm_options options = {
        .machine = TESS_MACHINE_QPU, .format = TESS_ASM_ELF, .skip_check = true};
    const struct code_options how = {.format = CODE_ELF, .name = path};
    uint8_t *elf;
    size_t size;
    enum tess_status status = tess_assemble_text((const char *)file->data, file->size, path,
                                                 &options, sink, &elf, &size);
    if (status != TESS_OK)
        return status;
    status = code_read(elf, size, &how, (struct tess_sink){0}, &latest(sources)->image);
    tess_free(elf);
    if (status == TESS_WRONG) /* code_read() can read all output of the assembler, except a file
                               * without contents */
        return TESS_BAD_INPUT;
    return status == TESS_OK ? add_image(sources) : status;
}

/* Reads an ELF file. A file that code_read() does not accept, such as an executable, contains QPU
 * code in its data objects. */
static enum tess_status read_elf(struct tess_sources *sources, const char *path,
                                 const struct buffer *file)
{
    const struct code_options how = {.format = CODE_ELF, .name = path};
    struct code_image *image = &latest(sources)->image;
    enum tess_status status = code_read(file->data, file->size, &how, (struct tess_sink){0}, image);
    if (status == TESS_OK && image->segment_count)
        return add_image(sources);
    code_free(image);
    if (status == TESS_NO_MEMORY)
        return status;
    return sources_read_objects(sources, file->data, file->size);
}

/* Reads a file. Text that parses as numbers is machine code; other text is assembly. */
static enum tess_status read_code(struct tess_sources *sources, const char *path,
                                  const struct buffer *file, struct tess_sink sink)
{
    const struct code_options how = {.name = path};
    struct code_image *image = &latest(sources)->image;
    bool text = recognise_is_text(file->data, file->size);
    enum tess_status status = code_read(file->data, file->size, &how,
                                        text ? (struct tess_sink){0} : sink, image);
    if (status == TESS_OK && image->segment_count && !(text && image->format == CODE_RAW))
        return add_image(sources);
    code_free(image);
    return text && status != TESS_NO_MEMORY ? read_assembly(sources, path, file, sink) : status;
}

static enum tess_status refuse(const char *path, struct tess_sink sink, enum tess_status status)
{
    const struct tess_finding diag = {
        .level = TESS_ERROR,
        .id = "source-file",
        .text = status == TESS_IO ? "the file cannot be read" : "the file has no QPU code",
        .hint = "give an assembly source, an ELF file, or words of code",
        .file = path};
    if (sink.report)
        sink.report(sink.user, &diag);
    return status;
}

static enum tess_status add(struct tess_sources *sources, const struct buffer *file,
                            const char *path, struct tess_sink sink)
{
    uint32_t pieces = sources->pieces;
    if (!is_elf(file) && recognise_refuse(file->data, file->size, path, sink))
        return TESS_BAD_INPUT;
    enum tess_status status = add_file(sources, path);
    if (status == TESS_OK)
        status = is_elf(file) ? read_elf(sources, path, file)
                              : read_code(sources, path, file, sink);
    if (status == TESS_BAD_INPUT || (status == TESS_OK && sources->pieces == pieces))
        return refuse(path, sink, TESS_BAD_INPUT);
    return status;
}

enum tess_status tess_sources_add(struct tess_sources *sources, const char *path,
                                  struct tess_sink sink)
{
    struct buffer file = {0};
    if (!sources || !path)
        return TESS_INVALID;
    enum tess_status status = file_read(path, &file);
    if (status == TESS_OK)
        status = add(sources, &file, path, sink);
    else if (status == TESS_IO)
        refuse(path, sink, status);
    buffer_free(&file);
    return status;
}

enum tess_status tess_sources_add_bytes(struct tess_sources *sources, const void *bytes,
                                        size_t size, const char *name, struct tess_sink sink)
{
    struct buffer file = {0};
    if (!sources || !name || (!bytes && size))
        return TESS_INVALID;
    buffer_append(&file, bytes, size);
    buffer_byte(&file, 0); /* file_read() also appends a NUL */
    file.size -= !file.failed;
    enum tess_status status = file.failed ? TESS_NO_MEMORY : add(sources, &file, name, sink);
    buffer_free(&file);
    return status;
}

enum tess_status tess_sources_add_executable(struct tess_sources *sources, const char *path)
{
    struct buffer file = {0};
    if (!sources || !path)
        return TESS_INVALID;
    enum tess_status status = file_read(path, &file);
    if (status == TESS_OK)
        status = add_file(sources, path);
    if (status == TESS_OK)
        status = sources_read_objects(sources, file.data, file.size);
    buffer_free(&file);
    return status;
}

/* --- words --- */

/* Returns the bits of an instruction that relocation does not change. */
static uint64_t fixed_part(uint64_t word)
{
    enum { LOAD_IMMEDIATE = QPU_SIG_LOAD_IMMEDIATE, BRANCH = QPU_SIG_BRANCH };
    unsigned sig = (unsigned)(word >> 60);
    return sig == LOAD_IMMEDIATE || sig == BRANCH ? word & ~(uint64_t)UINT32_MAX : word;
}

/* Returns the weight of a pair of words; see tessera/sources.h. */
static int weigh(uint64_t one, uint64_t other)
{
    if (one == 0 && other == 0)
        return 0;
    return one == other ? 2 : fixed_part(one) == fixed_part(other) ? 1 : -1;
}

static uint32_t hash(const struct tess_sources *sources, uint64_t word)
{
    uint64_t key = fixed_part(word) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(key >> 40) & (sources->heads - 1);
}

/* --- the index --- */

static bool make_index(struct tess_sources *sources)
{
    if (sources->indexed)
        return true;
    for (sources->heads = 256; sources->heads < sources->words;)
        sources->heads *= 2;
    sources->next = calloc(sources->words + (size_t)1, sizeof *sources->next);
    sources->head = calloc(sources->heads, sizeof *sources->head);
    sources->length = calloc(sources->heads, sizeof *sources->length);
    sources->found = calloc(KEPT, sizeof *sources->found);
    if (!sources->next || !sources->head || !sources->length || !sources->found) {
        forget_index(sources);
        return false;
    }
    for (uint32_t i = sources->pieces; i-- > 0;) { /* backwards, so that chains begin
                                                    * with the first file */
        const struct source_piece *piece = &sources->piece[i];
        for (uint32_t n = piece->count; n-- > 0;) {
            uint32_t slot = hash(sources, piece->words[n]);
            sources->next[piece->first + n] = sources->head[slot];
            sources->head[slot] = piece->first + n + 1;
            sources->length[slot]++;
        }
    }
    sources->indexed = true;
    return true;
}

/* Returns the piece that contains a word, given the word's index. */
static uint32_t piece_of(const struct tess_sources *sources, uint32_t number)
{
    return (uint32_t)ARRAY_BELOW(sources->piece, sources->pieces, first, number + UINT64_C(1)) - 1;
}

/* --- recognition --- */

/* Memory around an address, from AROUND words before it to AROUND words after it. */
struct neighbourhood {
    uint64_t word[2 * AROUND + 1];
    bool known[2 * AROUND + 1];
};

static void look_around(struct neighbourhood *around, uint32_t address,
                        struct tess_code_reader memory)
{
    for (uint32_t i = 0; i <= 2 * AROUND; i++) {
        around->word[i] = 0;
        around->known[i] = memory.read(memory.user, address + (i - AROUND) * (uint32_t)WORD,
                                       &around->word[i]);
    }
}

struct score {
    int64_t sum;
    uint32_t agree;
};

/* Compares the neighbours of the word with the given index in a piece with the neighbours of the
 * instruction in memory: those before (step -1) or those after (step 1). */
static void compare(struct score *score, const struct source_piece *piece, uint32_t index,
                    const struct neighbourhood *around, int step)
{
    uint32_t apart = 0;
    for (int i = step; i <= AROUND && i >= -AROUND && apart < APART; i += step) {
        int64_t at = (int64_t)index + i;
        if (at < 0 || at >= piece->count)
            return;
        if (!around->known[AROUND + i])
            continue;
        int weight = weigh(piece->words[at], around->word[AROUND + i]);
        score->sum += weight;
        score->agree += weight > 0;
        apart = weight < 0 ? apart + 1 : 0;
    }
}

/* Returns the score of a place, which is the word with an index in piece number. The sum is 0 or
 * less if the instruction in memory is not a copy of that word. */
static struct score judge(const struct tess_sources *sources, uint32_t number, uint32_t index,
                          uint32_t address, const struct neighbourhood *around)
{
    const struct source_piece *piece = &sources->piece[number];
    struct score score = {weigh(piece->words[index], around->word[AROUND]), 1};
    if (score.sum <= 0)
        return (struct score){0, 0};
    compare(&score, piece, index, around, -1);
    compare(&score, piece, index, around, 1);
    if (score.agree < least_u32(ENOUGH, piece->count))
        return (struct score){0, 0};
    if (piece->address + index * (uint32_t)WORD == address) /* the file has this address */
        score.sum++;
    return score;
}

/* Returns the distance from the instruction to the neighbour that is rarest in the files. Ignores
 * words that are not in the files. */
static int find_rarest(const struct tess_sources *sources, const struct neighbourhood *around)
{
    uint32_t least = sources->length[hash(sources, around->word[AROUND])];
    int best = 0;
    for (int i = -NEIGHBOURS; i <= NEIGHBOURS; i++) {
        if (!around->known[AROUND + i])
            continue;
        uint32_t length = sources->length[hash(sources, around->word[AROUND + i])];
        if (length && length < least) {
            least = length;
            best = i;
        }
    }
    return best;
}

/* Returns the sum of the weights of up to FAR instructions on each side of a place. The sum decides
 * between places with equal scores. */
static int64_t weigh_piece(const struct tess_sources *sources, const struct source_found *place,
                           uint32_t address, struct tess_code_reader memory)
{
    const struct source_piece *piece = &sources->piece[place->piece];
    uint32_t first = place->index > FAR ? place->index - FAR : 0;
    int64_t sum = 0;
    for (uint32_t i = first; i < piece->count && i - first < 2 * FAR; i++) {
        uint64_t word;
        if (memory.read(memory.user, address + (i - place->index) * (uint32_t)WORD, &word))
            sum += weigh(piece->words[i], word);
    }
    return sum;
}

/* Searches all places that have the same word as the neighbour. Stores the place with the highest
 * score in *found. */
static bool search(const struct tess_sources *sources, uint32_t address,
                   const struct neighbourhood *around, int neighbour,
                   struct tess_code_reader memory, struct source_found *found)
{
    int64_t best = 0;
    uint32_t slot = hash(sources, around->word[AROUND + neighbour]), looked_at = 0;
    for (uint32_t at = sources->head[slot]; at && looked_at < CANDIDATES;
         at = sources->next[at - 1], looked_at++) {
        uint32_t number = piece_of(sources, at - 1);
        const struct source_piece *piece = &sources->piece[number];
        int64_t index = (int64_t)(at - 1 - piece->first) - neighbour;
        if (index < 0 || index >= piece->count)
            continue;
        struct score score = judge(sources, number, (uint32_t)index, address, around);
        struct source_found place = {.piece = number, .index = (uint32_t)index};
        if (score.sum < best || score.sum == 0 ||
            (score.sum == best && weigh_piece(sources, &place, address, memory) <=
                                      weigh_piece(sources, found, address, memory)))
            continue;
        best = score.sum;
        found->piece = place.piece;
        found->index = place.index;
    }
    return best > 0;
}

/* Recognises the instruction at an address. Looks up the rarest neighbour first. That neighbour may
 * have been patched or may belong to the next program, so if no place is found, looks up the
 * instruction itself. */
static void recognise(const struct tess_sources *sources, uint32_t address,
                      struct tess_code_reader memory, struct source_found *found)
{
    struct neighbourhood around;
    look_around(&around, address, memory);
    found->none = true;
    if (!around.known[AROUND] || around.word[AROUND] == 0)
        return;
    int rarest = find_rarest(sources, &around);
    found->none = !search(sources, address, &around, rarest, memory, found) &&
                  (rarest == 0 || !search(sources, address, &around, 0, memory, found));
}

static void read_three(uint64_t word[3], uint32_t address, struct tess_code_reader memory)
{
    for (uint32_t i = 0; i < 3; i++)
        if (!memory.read(memory.user, address + (i - 1) * (uint32_t)WORD, &word[i]))
            word[i] = 0;
}

static void describe(const struct tess_sources *sources, const struct source_piece *piece,
                     uint32_t offset, struct tess_source_place *place)
{
    const struct source_file *file = sources->file[piece->file];
    *place = (struct tess_source_place){.path = file->path, .offset = offset};
    for (uint32_t i = 0; i < piece->symbols && piece->symbol[i].offset <= offset; i++) {
        place->symbol = piece->symbol[i].name;
        place->offset = offset - piece->symbol[i].offset;
    }
    const struct code_line *line = code_line_at(&file->image, piece->address + offset);
    if (line) {
        place->file = line->file;
        place->line = line->line;
        place->column = line->column;
    }
}

bool tess_sources_find(struct tess_sources *sources, uint32_t address,
                       struct tess_code_reader memory, struct tess_source_place *place)
{
    uint64_t word[3];
    if (!sources || !place || !memory.read || !sources->words || !make_index(sources))
        return false;
    read_three(word, address, memory);
    struct source_found *found = &sources->found[address / WORD % KEPT];
    if (found->epoch != sources->epoch || found->address != address ||
        memcmp(found->word, word, sizeof word) != 0) {
        found->epoch = sources->epoch;
        found->address = address;
        memcpy(found->word, word, sizeof word);
        recognise(sources, address, memory, found);
    }
    if (found->none)
        return false;
    describe(sources, &sources->piece[found->piece], found->index * (uint32_t)WORD, place);
    sources->file[sources->piece[found->piece].file]->unused = false;
    return true;
}

const char *tess_sources_unused(const struct tess_sources *sources, size_t index)
{
    for (uint32_t i = 0; sources && i < sources->files; i++)
        if (sources->file[i]->unused && index-- == 0)
            return sources->file[i]->path;
    return NULL;
}

void tess_sources_forget(struct tess_sources *sources)
{
    if (sources)
        sources->epoch++;
}

bool tess_sources_at(const struct tess_sources *sources, uint32_t address, const uint64_t *word,
                     struct tess_source_place *place)
{
    for (uint32_t i = 0; sources && place && i < sources->pieces; i++) {
        const struct source_piece *piece = &sources->piece[i];
        uint32_t offset = address - piece->address, index = offset / WORD;
        if (address < piece->address || offset >= piece->size ||
            (word && (index >= piece->count || weigh(piece->words[index], *word) < 0)))
            continue;
        describe(sources, piece, word ? index * (uint32_t)WORD : offset, place);
        return true;
    }
    return false;
}
