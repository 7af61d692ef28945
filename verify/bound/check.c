/* A second checker of certificates, written from the specification, docs/certificate.md.

     cc -O3 -pthread -o check check.c
     ./check CERTIFICATE WORDS.txt

   The sections follow the specification. Amounts are thousandths of a point, scores are whole points. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;
__extension__ typedef unsigned __int128 u128;

enum { KINDS = 27, BLANK = 26, LONGEST = 15, POINT = 1000, MOST_ROW = 10000, MOST_PRICE = 100000000 };
static const i32 ABSENT = 1 << 30;         /* the price of a tile that is not there, in sums that only prune */
static const i64 MISSING = -1000000000000; /* stands for minus infinity, see "Laying down a word" */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* ------------------------------------------------------------------------------------------------ errors, memory, files */

/* Print a text without control characters and bytes that are not ASCII. */
static void put_plain(FILE *out, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) fputc(text[i] >= ' ' && text[i] <= '~' ? text[i] : '?', out);
}

/* Give no verdict, and do not wait for other threads. */
static _Noreturn void refuse(const char *file, const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    put_plain(stderr, file, strlen(file));
    fputs(": ", stderr);
    vfprintf(stderr, format, rest);
    fputc('\n', stderr);
    _exit(2);
}

static void *resized(void *old, size_t count, size_t size) {
    void *made = count < SIZE_MAX / 2 / size ? realloc(old, count * size + 1) : NULL;
    if (!made) refuse("check", "the check needs more memory than there is");
    return made;
}

static void *zeros(size_t count, size_t size) { return memset(resized(NULL, count, size), 0, count * size); }

/* Make room in an array for one item more than `count`. */
#define GROW(array, count, room) if ((count) >= (room)) (array) = resized((array), (size_t)((room) = 2 * (count) + 64), sizeof *(array))

/* Return the bytes of a file, with a byte 0 after them. */
static char *contents(const char *file, size_t most, char **end) {
    FILE *stream = fopen(file, "rb");
    char *bytes = resized(NULL, most + 2, 1);
    size_t size = stream ? fread(bytes, 1, most + 1, stream) : 0;
    if (!stream || ferror(stream) || size > most) refuse(file, "expected a file that can be read, of at most %zu bytes", most);
    fclose(stream);
    bytes = resized(bytes, size + 1, 1);
    bytes[size] = 0;
    *end = bytes + size;
    return bytes;
}

static u32 rotated(u32 word, int by) { return word >> by | word << (32 - by); }

/* Return the first 32 bits of the fractional part of the cube root of a prime, a constant of SHA-256. */
static u32 cube_root_bits(int prime) {
    u64 root = 0; /* times 2^32 */
    for (u64 bit = (u64)1 << 34; bit; bit >>= 1)
        if ((u128)(root | bit) * (root | bit) * (root | bit) <= (u128)prime << 96) root |= bit;
    return (u32)root;
}

static void sha_block(u32 *state, const u32 *constants, const u8 *block) {
    u32 w[64], s[8];
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        u32 a = i < 16 ? 0 : w[i - 15], b = i < 16 ? 0 : w[i - 2];
        if (i < 16) w[i] = (u32)block[4 * i] << 24 | (u32)block[4 * i + 1] << 16 | (u32)block[4 * i + 2] << 8 | block[4 * i + 3];
        else w[i] = w[i - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[i - 7] + (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
        u32 one = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) + (s[6] ^ (s[4] & (s[5] ^ s[6])));
        u32 two = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) + ((s[0] & s[1]) | (s[2] & (s[0] | s[1])));
        one += constants[i] + w[i];
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

/* Write the SHA-256 of a text in 64 hexadecimal digits. */
static void sha256(const char *text, size_t size, char *hex) {
    u32 constants[64], state[] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    u8 last[128] = {0}; /* the rest of the text, a bit 1, zeros, and the size in bits */
    size_t whole = size / 64 * 64, padded = size - whole < 56 ? 64 : 128;
    for (int prime = 2, count = 0, divisor = 2; count < 64; prime++, divisor = 2) {
        while (prime % divisor) divisor++;
        if (divisor == prime) constants[count++] = cube_root_bits(prime);
    }
    memcpy(last, text + whole, size - whole);
    last[size - whole] = 0x80;
    for (size_t i = 0; i < 8; i++) last[padded - 1 - i] = (u8)((u64)size * 8 >> 8 * i);
    for (size_t at = 0; at < whole; at += 64) sha_block(state, constants, (const u8 *)text + at);
    for (size_t at = 0; at < padded; at += 64) sha_block(state, constants, last + at);
    for (int i = 0; i < 8; i++) snprintf(hex + 8 * i, 9, "%08x", state[i]);
}

/* ------------------------------------------------------------------------------------------------------------ the game */

/* The words of one length as a tree, from their last letters to their first: last letters score most, so sums of gains from the
   end rule out most words after few letters. levels[p] holds the nodes of position p + 1, each as its letter and the number of the
   first node below it; one more ends them. The nodes of position 1 are the words from number `first` on. */
typedef struct { u32 *levels[LONGEST], count[LONGEST], first; } Tree;
typedef struct { u8 size, letters[LONGEST]; } Word;

typedef struct {
    int tiles, rack;
    u8 row[MOST_ROW]; /* kinds */
    i32 value[KINDS]; /* in thousandths */
    char words_hash[65];
    Word *words; /* those that fit into a rack */
    u32 word_count;
    Tree trees[LONGEST + 1]; /* by length */
} Game;

/* Compare words by their sizes, and then by their last letters first. */
static int by_end(const void *one, const void *other) {
    const Word *a = one, *b = other;
    int i = a->size - 1;
    if (a->size != b->size) return a->size - b->size;
    while (i > 0 && a->letters[i] == b->letters[i]) i--;
    return a->letters[i] - b->letters[i];
}

static int letter_of(u32 node) { return (int)(node & 31); }
static u32 below(u32 node) { return node >> 5; }

/* Make the tree of the words of one length, the `count` words from number `first` on. */
static void build_tree(const Game *game, Tree *tree, int length, u32 first, u32 count) {
    const Word *words = game->words + first;
    tree->first = first;
    for (int p = 0; p < length; p++) tree->levels[p] = zeros((size_t)count + 1, sizeof **tree->levels);
    for (u32 i = 0; i <= count; i++) {
        int fresh = length - 1; /* the last position where the word differs from the one before */
        while (i > 0 && i < count && words[i].letters[fresh] == words[i - 1].letters[fresh]) fresh--;
        for (int p = fresh; p >= 0; p--) {
            u32 letter = i < count ? words[i].letters[p] : 0, next = p ? tree->count[p - 1] : 0;
            tree->levels[p][tree->count[p]] = next << 5 | letter;
            tree->count[p] += i < count;
        }
    }
}

/* Read a canonical list, see "The words". */
static void read_words(Game *game, const char *file) {
    char *end, *text = contents(file, 200000000, &end), *past;
    const char *before = "";
    u32 room = 0, count = 0;
    sha256(text, (size_t)(end - text), game->words_hash);
    for (char *line = text; line < end || line == text; before = line, line = past + 1) {
        size_t size = strspn(line, "abcdefghijklmnopqrstuvwxyz");
        past = line + size;
        if (!size || *past != '\n') refuse(file, "expected lines of small letters a-z");
        *past = 0;
        if (strcmp(before, line) >= 0) refuse(file, "expected words in the order of their bytes, each once");
        if (size > (size_t)game->rack) continue;
        GROW(game->words, game->word_count, room);
        Word *word = &game->words[game->word_count++];
        word->size = (u8)size;
        for (size_t p = 0; p < size && p < LONGEST; p++) word->letters[p] = (u8)(line[p] - 'a');
    }
    if (game->word_count) qsort(game->words, game->word_count, sizeof *game->words, by_end);
    for (int length = 1; length <= game->rack; length++) {
        u32 first = count;
        while (count < game->word_count && game->words[count].size == length) count++;
        build_tree(game, &game->trees[length], length, first, count - first);
    }
}

/* ----------------------------------------------------------------------------------------------------- the certificate */

/* Prices for a part of the game, and what follows from them. */
typedef struct {
    int played, first, low, high; /* P and the window */
    int sides, holds, knot_count, *knots;
    i32 *prices, *leaves; /* by tile of the row; by moment, side, hold and kind */
    i64 *value;           /* F, see `state_at` */
    u32 *best;            /* the best word of each state + 1; only while F is computed */
} Focus;

typedef struct {
    const char *file;
    char words_hash[65], digest[65], own_digest[65];
    int claim, width, sides, holds, count; /* the width is 0 for r3 */
    Focus *foci;
} Certificate;

/* The lines of a file. The fields are those of the current line after its name. */
typedef struct { const char *file; char *at, *end, *fields[MOST_ROW + 1]; int line, count; } Reader;

/* Refuse a field of the current line. */
static _Noreturn void expected(const Reader *r, const char *field, const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    put_plain(stderr, r->file, strlen(r->file));
    fprintf(stderr, ":%d: expected ", r->line);
    vfprintf(stderr, format, rest);
    fputs(", not '", stderr);
    put_plain(stderr, field, MIN(strlen(field), 40));
    fputs("'\n", stderr);
    _exit(2);
}

/* Whether the next line has a name. */
static int is_next(const Reader *r, const char *name) {
    size_t size = strlen(name);
    return !strncmp(r->at, name, size) && r->at[size] == ' ';
}

/* Split the next line, which must have a name and from `least` to `most` fields, at its spaces. */
static void read_line(Reader *r, const char *name, int least, int most) {
    r->line++;
    if (!is_next(r, name)) expected(r, r->at, "a line '%s'", name);
    char *past = memchr(r->at, '\n', (size_t)(r->end - r->at));
    for (char *at = r->at; at < (past ? past : r->end); at++) if (*at < ' ' || *at > '~') expected(r, at, "printable ASCII");
    if (!past) expected(r, r->at, "a line feed at the end");
    *past = 0;
    r->count = 0;
    for (char *space = strchr(r->at, ' '); space; space = strchr(space + 1, ' ')) {
        *space = 0;
        if (r->count == most) expected(r, space + 1, "at most %d fields in a line '%s'", most, name);
        r->fields[r->count++] = space + 1;
    }
    if (r->count < least) expected(r, r->at, "at least %d fields in a line '%s'", least, name);
    r->at = past + 1;
}

/* Return a field as a number. */
static int number(const Reader *r, int i, const char *what, int least, int most) {
    const char *field = r->fields[i];
    size_t size = strlen(field);
    int is_number = size > 0 && size <= 9 && strspn(field, "0123456789") == size && (*field != '0' || size == 1);
    int value = is_number ? atoi(field) : -1;
    if (value < least || value > most) expected(r, field, "%s from %d to %d", what, least, most);
    return value;
}

/* Read a line with a hash. */
static void read_hash(Reader *r, const char *name, char *hash) {
    read_line(r, name, 1, 1);
    if (strlen(r->fields[0]) != 64 || strspn(r->fields[0], "0123456789abcdef") != 64)
        expected(r, r->fields[0], "64 hexadecimal digits in small letters");
    memcpy(hash, r->fields[0], 64);
}

/* Return the kind of a tile; -1 if the text is none. */
static int kind_of(const char *tile) { return *tile == '?' ? BLANK : *tile >= 'a' && *tile <= 'z' ? *tile - 'a' : -1; }

static void read_puzzle(Reader *r, Game *game) {
    read_line(r, "row", 1, 1);
    for (const char *tile = r->fields[0]; *tile || !game->tiles; tile++) {
        if (game->tiles == MOST_ROW || kind_of(tile) < 0) expected(r, tile, "1 to 10,000 tiles a-z or ?");
        game->row[game->tiles++] = (u8)kind_of(tile);
    }
    read_line(r, "rack", 1, 1);
    game->rack = number(r, 0, "a rack size", 2, LONGEST);
    read_line(r, "values", BLANK, BLANK);
    for (int c = 0; c < BLANK; c++) game->value[c] = POINT * number(r, c, "a value", 0, 1000);
}

static void read_tiles(Reader *r, const Game *game, Focus *f) {
    read_line(r, "tiles", game->tiles, game->tiles);
    f->prices = zeros((size_t)game->tiles, sizeof *f->prices);
    for (int i = 0; i < game->tiles; i++) f->prices[i] = number(r, i, "a price", 0, MOST_PRICE);
}

/* Read the prices of leaves of a cell, and return its number, which must be above that of the cell before. */
static int read_leave(Reader *r, const Game *game, const Focus *f, int before) {
    int is_knot = 0, last = -1;
    read_line(r, "leave", 5, 3 + 2 * KINDS);
    int moment = number(r, 0, "a moment", 0, game->tiles + game->rack), side = number(r, 1, "a side", 0, f->sides - 1);
    int cell = (moment * f->sides + side) * f->holds + number(r, 2, "a hold", 0, f->holds - 1);
    for (int i = 0; i < f->knot_count; i++) is_knot |= f->knots[i] == moment;
    if (!is_knot || cell <= before) expected(r, r->fields[0], "a moment that is a knot, and lines that ascend by moment, side and hold");
    if (r->count % 2 == 0) expected(r, r->fields[r->count - 1], "a tile and its price");
    for (int i = 3; i < r->count; i += 2) {
        int kind = strlen(r->fields[i]) == 1 ? kind_of(r->fields[i]) : -1;
        if (kind <= last) expected(r, r->fields[i], "a tile a-z or ?, in this order");
        f->leaves[cell * KINDS + kind] = number(r, i + 1, "a price", 0, MOST_PRICE);
        last = kind;
    }
    return cell;
}

/* Fill in the prices of leaves at the moments that are no knots, see "Foci". */
static void interpolate(const Game *game, Focus *f) {
    int size = f->sides * f->holds * KINDS, next = 0;
    for (int t = 0; t <= game->tiles + game->rack; t++) {
        while (next < f->knot_count && f->knots[next] < t) next++;
        int from = f->knots[MAX(next - 1, 0)], to = f->knots[MIN(next, f->knot_count - 1)];
        for (int i = 0; i < size && t != to; i++) {
            i64 one = f->leaves[from * size + i], two = f->leaves[to * size + i];
            f->leaves[t * size + i] = (i32)(from == to ? one : (one * (to - t) + two * (t - from)) / (to - from));
        }
    }
}

static void read_focus(Reader *r, const Game *game, Focus *f, int is_first) {
    int n = game->tiles, k = game->rack, most = is_first ? 0 : n;
    read_line(r, "focus", 4, 4);
    f->played = number(r, 0, "the tiles played", 0, most);
    f->first = number(r, 1, "the tiles drawn", MIN(k, most), most);
    f->low = number(r, 2, "the fewest left draws", 0, most);
    f->high = number(r, 3, "the most left draws", f->low, most);
    read_tiles(r, game, f);
    read_line(r, "knots", 1, n + k + 1);
    f->knots = zeros((size_t)r->count, sizeof *f->knots);
    f->knot_count = r->count;
    for (int i = 0; i < r->count; i++) f->knots[i] = number(r, i, "a moment", i ? f->knots[i - 1] + 1 : 0, n + k);
    f->leaves = zeros((size_t)((n + k + 1) * f->sides * f->holds) * KINDS, sizeof *f->leaves);
    for (int cell = -1; is_next(r, "leave");) cell = read_leave(r, game, f, cell);
    interpolate(game, f);
}

static void read_relaxation(Reader *r, const Game *game, Certificate *c) {
    int n = game->tiles;
    read_line(r, "relaxation", 2, 3);
    if (!strcmp(r->fields[0], "r1") && r->count == 2) c->width = number(r, 1, "a width", (n * n + 79999) / 80000, n);
    else {
        if (strcmp(r->fields[0], "r3") || r->count < 3 || n > 200)
            expected(r, r->fields[0], "r1 and a width, or r3, sides and holds for at most 200 tiles");
        c->sides = number(r, 1, "the number of sides", 1, 16);
        c->holds = number(r, 2, "the number of holds", 1, 16);
    }
}

static void read_certificate(Certificate *c, Game *game) {
    char *end, *text = contents(c->file, 50000000, &end);
    size_t body = (size_t)(end - text); /* the size of all lines but the last one */
    if (*text == '{') refuse(c->file, "an old certificate; convert it: python tools/certificates.py OLD.json -o NEW.txt");
    do body -= body > 0;
    while (body > 0 && text[body - 1] != '\n');
    sha256(text, body, c->own_digest);
    Reader *r = zeros(1, sizeof *r);
    *r = (Reader){.file = c->file, .at = text, .end = end};
    read_line(r, "rowdraw", 2, 2);
    if (strcmp(r->fields[0], "certificate") || strcmp(r->fields[1], "2")) expected(r, r->fields[0], "'certificate 2'");
    read_puzzle(r, game);
    read_hash(r, "words", c->words_hash);
    read_line(r, "claim", 1, 1);
    c->claim = number(r, 0, "a claim", 0, 999999999);
    read_relaxation(r, game, c);
    do {
        if (c->count > 1000) expected(r, r->at, "at most 1,000 foci after the first");
        c->foci = resized(c->foci, (size_t)c->count + 1, sizeof *c->foci);
        Focus *f = &c->foci[c->count++];
        *f = (Focus){.sides = c->sides, .holds = c->holds};
        if (c->width) read_tiles(r, game, f);
        else read_focus(r, game, f, c->count == 1);
    } while (!c->width && is_next(r, "focus"));
    read_hash(r, "end", c->digest);
    if (r->at < end) expected(r, r->at, "the end of the file");
    free(text);
    free(r);
}

/* ------------------------------------------------------------------------------------------------------------- threads */

enum { MOST_THREADS = 256 };
typedef struct {
    void (*task)(void *context, int thread, int number);
    void *context;
    int count;
    atomic_int next, threads;
} Tasks;

static void *run(void *argument) {
    Tasks *tasks = argument;
    int thread = atomic_fetch_add(&tasks->threads, 1);
    for (int at; (at = atomic_fetch_add(&tasks->next, 1)) < tasks->count;) tasks->task(tasks->context, thread, at);
    return NULL;
}

/* Return the number of processors, which is asked for once, for it may change. */
static int processors(void) {
    static long count;
    if (!count) count = sysconf(_SC_NPROCESSORS_ONLN);
    return (int)MAX(1, MIN(MOST_THREADS, count));
}

/* Do the tasks 0 to count - 1 on all processors. */
static void in_parallel(void (*task)(void *, int, int), void *context, int count) {
    Tasks tasks = {task, context, count, 0, 0};
    pthread_t threads[MOST_THREADS];
    int helpers = MIN(processors(), count) - 1;
    for (int i = 0; i < helpers; i++)
        if (pthread_create(&threads[i], NULL, run, &tasks)) refuse("check", "the system gives no more threads");
    run(&tasks);
    for (int i = 0; i < helpers; i++) pthread_join(threads[i], NULL);
}

/* -------------------------------------------------------------------------------------------------- laying down a word */

/* Tiles with prices: of each kind the cheapest. top[p][c] is at least what letter c gains at position p + 1. */
typedef struct { i32 price[KINDS][LONGEST], top[LONGEST][KINDS]; u8 count[KINDS]; } Pool;

/* Add a tile unless there are `most` cheaper ones of its kind. */
static void add_tile(Pool *pool, int kind, i32 price, int most) {
    i32 *prices = pool->price[kind];
    int at = pool->count[kind];
    if (at == most && price >= prices[at - 1]) return;
    if (at == most) at--;
    else pool->count[kind]++;
    for (; at > 0 && prices[at - 1] > price; at--) prices[at] = prices[at - 1];
    prices[at] = price;
}

static void set_tops(Pool *pool, const Game *game) {
    i32 first[KINDS];
    for (int c = 0; c < KINDS; c++) first[c] = pool->count[c] ? pool->price[c][0] : ABSENT;
    for (int p = 0; p < game->rack; p++)
        for (int c = 0; c < KINDS; c++) pool->top[p][c] = MAX((p + 1) * game->value[c] - first[c], -first[BLANK]);
}

/* Return the gain of a word. */
static i64 gain_of(const Game *game, const Pool *pool, const Word *word) {
    i64 gains[LONGEST], total = 0;
    u8 used[KINDS] = {0};
    for (int p = word->size, some = 0; p > 0; p--, some++) {
        int c = word->letters[p - 1], i = used[c]++, at = some;
        i64 gain = i < pool->count[c] ? p * game->value[c] - pool->price[c][i] : MISSING;
        for (; at > 0 && gains[at - 1] > gain; at--) gains[at] = gains[at - 1];
        gains[at] = gain;
        total += gain;
    }
    for (int i = 0; i < pool->count[BLANK] && i < word->size && -pool->price[BLANK][i] > gains[i]; i++)
        total -= pool->price[BLANK][i] + gains[i];
    return total;
}

/* A turn with words of one length. Its value is base + gain. */
typedef struct {
    const Pool *pool;
    i64 base, *value; /* the value of the state so far */
    u32 *best;        /* its word + 1 */
    const u8 *fresh;  /* new tiles by kind */
    int most_old;     /* letters that the new ones do not supply: the tiles held and the new blanks */
} Turn;

/* Try a word in a turn, unless it gains too little even with the cheapest tiles or takes too many old ones. */
static void try_word(const Game *game, const Turn *turn, u32 number) {
    const Word *word = &game->words[number];
    i64 value = turn->base;
    u8 need[KINDS] = {0};
    int old = 0;
    for (int p = 0; p < word->size; p++) value += turn->pool->top[p][word->letters[p]];
    if (value <= *turn->value) return;
    for (int p = 0; p < word->size; p++) old += ++need[word->letters[p]] > turn->fresh[word->letters[p]];
    value = old > turn->most_old ? MISSING : turn->base + gain_of(game, turn->pool, word);
    if (value <= *turn->value) return;
    *turn->value = value;
    *turn->best = number + 1;
}

/* A search through the words of one length, which rules out most words for all turns at once. */
typedef struct {
    const Game *game;
    const Tree *tree;
    const Turn *turns;
    int count, most_old;
    i64 top[LONGEST][KINDS], most[LONGEST + 1]; /* the most that a letter gains at a position; that all up to one gain */
    u8 is_old[KINDS];                           /* whether no turn draws the letter */
} Search;

/* Try the words through some nodes of a position; `sum` and `old` are those of the letters after it. */
static void search(const Search *s, int p, u32 from, u32 until, i64 sum, int old) {
    const u32 *nodes = s->tree->levels[p];
    for (u32 i = from; i < until; i++) {
        int c = letter_of(nodes[i]), old_here = old + s->is_old[c];
        i64 sum_here = sum + s->top[p][c];
        if (sum_here + s->most[p] <= 0 || old_here > s->most_old) continue;
        if (p) search(s, p - 1, below(nodes[i]), below(nodes[i + 1]), sum_here, old_here);
        else for (int t = 0; t < s->count; t++) try_word(s->game, &s->turns[t], s->tree->first + i);
    }
}

/* Try all words of one length. The value to exceed is part of the gains at position 1: only words with a sum above 0 matter. */
static void try_words(const Game *game, const Turn *turns, int count, int length) {
    Search s = {.game = game, .tree = &game->trees[length], .turns = turns, .count = count};
    memset(s.is_old, 1, sizeof s.is_old);
    for (int p = 0; p < length; p++) {
        i64 best = INT64_MIN;
        for (int c = 0; c < BLANK; c++) s.top[p][c] = INT64_MIN;
        for (const Turn *t = turns; t < turns + count; t++)
            for (int c = 0; c < BLANK; c++) s.top[p][c] = MAX(s.top[p][c], t->pool->top[p][c] + (p ? 0 : t->base - *t->value));
        for (int c = 0; c < BLANK; c++) best = MAX(best, s.top[p][c]);
        s.most[p + 1] = s.most[p] + best;
    }
    for (const Turn *t = turns; t < turns + count; t++) {
        for (int c = 0; c < BLANK; c++) s.is_old[c] &= !t->fresh[c];
        s.most_old = MAX(s.most_old, t->most_old);
    }
    if (s.most[length] > 0) search(&s, length - 1, 0, s.tree->count[length - 1], 0, 0);
}

/* ------------------------------------------------------------------------------------------------------------------ r1 */

/* Return the value of a node from its tiles and the values after a play of each length, MISSING for no such play. */
static i64 free_value(const Game *game, Pool *pool, const i64 *after) {
    i64 value = 0;
    u32 best;
    set_tops(pool, game);
    for (int length = 1; length <= game->rack; length++) {
        Turn turn = {pool, after[length], &value, &best, (u8[KINDS]){0}, LONGEST};
        if (after[length] > MISSING) try_words(game, &turn, 1, length);
    }
    return value;
}

/* Return the most that a game gains at the prices of r1. */
static i64 free_bound(const Game *game, const i32 *prices, int width) {
    int n = game->tiles, k = game->rack;
    i64 *value[LONGEST + 1], ends[LONGEST + 1] = {0}, after[LONGEST + 1], most = 0; /* value[D % (k + 1)][u] is F(D, u) */
    Pool pool = {0};
    for (int i = 0; i < n; i++) add_tile(&pool, game->row[i], prices[i], k);
    for (int i = 0; i <= k; i++) value[i] = zeros((size_t)(n / width + 1), sizeof **value);
    for (int r = 1; r <= k && r <= n; r++) {
        for (int j = 1; j <= k; j++) after[j] = j <= r ? ends[r - j] : MISSING;
        ends[r] = free_value(game, &pool, after);
    }
    for (int drawn = n - 1; drawn >= k; drawn--)
        for (int u = 0; u <= drawn / width; u++) {
            int last = MIN(drawn, (u + 1) * width - 1);
            memset(pool.count, 0, sizeof pool.count);
            for (int i = 0; i < n; i++) if (i < last || i >= n - (drawn - u * width)) add_tile(&pool, game->row[i], prices[i], k);
            for (int j = 1; j <= k; j++) {
                after[j] = drawn + j >= n ? ends[n - drawn + k - j] : 0;
                for (int to = u; drawn + j < n && to <= (last + j) / width; to++)
                    after[j] = MAX(after[j], value[(drawn + j) % (k + 1)][to]);
            }
            value[drawn % (k + 1)][u] = free_value(game, &pool, after);
        }
    for (int u = 0; u <= k / width && n > k; u++) most = MAX(most, value[k % (k + 1)][u]);
    return n > k ? most : ends[n];
}

/* ------------------------------------------------------------------------------------------------------------------ r3 */

/* Return the number of the state (D, l, m) in arrays of values. */
static size_t state_at(const Game *game, int drawn, int left, int held) {
    return ((size_t)drawn * (size_t)(drawn + 1) / 2 + (size_t)left) * (size_t)(game->rack + 1) + (size_t)held;
}

/* Return the prices of leaves in a cell by kind. */
static const i32 *leave_prices(const Game *game, const Focus *f, int drawn, int left, int held) {
    int cell = (drawn + game->rack - held) * f->sides * f->holds;
    if (drawn < game->tiles) cell = drawn * f->sides + (left - f->low) * f->sides / (f->high - f->low + drawn - f->first + 1);
    if (drawn < game->tiles) cell = cell * f->holds + held * f->holds / game->rack;
    return f->leaves + (size_t)cell * KINDS;
}

static int is_drawn(const Game *game, int place, int drawn, int left) {
    return drawn == game->tiles || place < left || place >= game->tiles - (drawn - left);
}

enum { BLOCK = 5, MOST_TURNS = BLOCK * (LONGEST + 1) };

/* States that are evaluated together, (drawn, left, held), (drawn, left + 1, held), ..., and their turns. */
typedef struct {
    const Game *game;
    const Focus *focus;
    int drawn, left, held, count, turn_count;
    Pool old[BLOCK], pools[MOST_TURNS][LONGEST + 1];
    u8 fresh[MOST_TURNS][KINDS];
    Turn turns[LONGEST + 1][MOST_TURNS]; /* by length of the word; without a pool where the rack is too small */
} Block;

/* Price the tiles for words of `length` letters in turn `t` from (drawn, left, held), which leads to (then, to). */
static void price_turn(Block *b, int t, int left, int then, int to, int length) {
    const Game *game = b->game;
    const Pool *old = &b->old[left - b->left];
    int keep = b->held + then - b->drawn - length, rise = b->held ? INT32_MIN : 0;
    size_t state = state_at(game, b->drawn, left, b->held);
    const i32 *before = leave_prices(game, b->focus, b->drawn, left, b->held), *after = leave_prices(game, b->focus, then, to, keep);
    Pool *pool = &b->pools[t][length];
    Turn *turn = &b->turns[length][t];
    for (int c = 0; c < KINDS; c++) if (b->held && old->count[c]) rise = MAX(rise, after[c] - before[c]);
    *turn = (Turn){pool, (i64)b->held * rise, &b->focus->value[state], &b->focus->best[state], b->fresh[t], b->held};
    turn->base += b->focus->value[state_at(game, then, to, keep)];
    for (int c = 0; c < KINDS; c++) {
        pool->count[c] = (u8)MIN(old->count[c], b->held);
        for (int i = 0; i < pool->count[c]; i++) pool->price[c][i] = old->price[c][i] + before[c] + rise;
    }
    memset(b->fresh[t], 0, KINDS);
    for (int i = 0; i < game->tiles; i++) {
        int c = game->row[i];
        if (is_drawn(game, i, b->drawn, left) || !is_drawn(game, i, then, to)) continue;
        add_tile(pool, c, b->focus->prices[i] + after[c], game->rack);
        turn->base += after[c];
        b->fresh[t][c]++;
    }
    turn->most_old += b->fresh[t][BLANK];
    set_tops(pool, game);
}

static void add_turns(Block *b, int left) {
    const Game *game = b->game;
    const Focus *f = b->focus;
    int n = game->tiles, fresh = MIN(game->rack - b->held, n - b->drawn), then = b->drawn + fresh;
    for (int to = then == n ? 0 : left; to <= (then == n ? 0 : left + fresh); to++, b->turn_count++)
        for (int length = 1, keep = b->held + fresh - 1; length <= game->rack; length++, keep--) {
            Turn *turn = &b->turns[length][b->turn_count];
            if (keep < 0) turn->pool = NULL;
            else if (length == 1 || leave_prices(game, f, then, to, keep) != leave_prices(game, f, then, to, keep + 1))
                price_turn(b, b->turn_count, left, then, to, length);
            else { /* the prices are those of the length before, only what follows differs */
                *turn = b->turns[length - 1][b->turn_count];
                turn->base += f->value[state_at(game, then, to, keep)] - f->value[state_at(game, then, to, keep + 1)];
            }
        }
}

/* Work out F for some left draws. The best words of neighbouring states come first: the better the values, the fewer words need
   be tried. */
static void value_block(Block *b, int held) {
    const Game *game = b->game;
    b->held = held;
    b->turn_count = 0;
    for (int left = b->left; left < b->left + b->count; left++) add_turns(b, left);
    for (int t = 0; t < b->turn_count && b->drawn < game->tiles; t++) {
        const u32 *own = b->turns[1][t].best, *next = own + (b->drawn + 1) * (game->rack + 1);
        u32 near[] = {held ? own[-1] : 0, next[0], next[game->rack + 1]};
        for (int i = 0; i < 3; i++) {
            const Turn *turn = near[i] ? &b->turns[game->words[near[i] - 1].size][t] : NULL;
            if (turn && turn->pool) try_word(game, turn, near[i] - 1);
        }
    }
    for (int length = game->rack; length > 0; length--)
        if (b->turns[length][0].pool) try_words(game, b->turns[length], b->turn_count, length);
}

/* The evaluation of foci, for one number of tiles drawn after the other, the largest first. */
typedef struct { const Game *game; const Focus *foci; int count, drawn; Block *blocks /* by thread */; } Evaluation;

/* Work out F for the states of a focus with some left draws: a task. */
static void evaluate_some(void *context, int thread, int number) {
    const Evaluation *e = context;
    const Game *game = e->game;
    const Focus *f = e->foci + number % e->count;
    Block *b = &e->blocks[thread];
    int n = game->tiles, left = e->drawn < n ? f->low + number / e->count * BLOCK : number / e->count;
    int high = e->drawn < n ? MIN(e->drawn, f->high + e->drawn - f->first) : 0;
    if (e->drawn < f->first || left > high) return;
    b->game = game, b->focus = f, b->drawn = e->drawn, b->left = left, b->count = MIN(BLOCK, high - left + 1);
    for (int i = 0; i < b->count; i++) {
        memset(b->old[i].count, 0, KINDS);
        for (int at = 0; at < n; at++)
            if (is_drawn(game, at, e->drawn, left + i)) add_tile(&b->old[i], game->row[at], f->prices[at], game->rack);
    }
    for (int held = e->drawn == n; held < game->rack + (e->drawn == n) && held <= e->drawn; held++) value_block(b, held);
}

/* Work out F of foci, see "r3". */
static void evaluate(const Game *game, Focus *foci, int count) {
    int n = game->tiles, k = game->rack;
    Evaluation e = {game, foci, count, n, zeros((size_t)processors(), sizeof(Block))};
    for (int i = 0; i < count; i++) {
        foci[i].value = zeros(state_at(game, n + 1, 0, 0), sizeof *foci[i].value);
        foci[i].best = zeros(state_at(game, n + 1, 0, 0), sizeof *foci[i].best);
    }
    for (; e.drawn >= k || e.drawn == n; e.drawn--) in_parallel(evaluate_some, &e, count * (n / BLOCK + 1));
    e.drawn = 0;
    in_parallel(evaluate_some, &e, foci->first ? 0 : 1);
    for (int i = 0; i < count; i++) free(foci[i].best);
    free(e.blocks);
}

/* --------------------------------------------------------------------------------------------------- completion bounds */

/* A multiset of tiles has four bits for the copies of each letter; the number of blanks follows from the number of tiles. A state is
   a multiset << SCORE | score: tiles played, left draws and tiles held follow from the table that holds it. */
enum { SCORE = 24, COPIES = LONGEST + 1 };
#define EMPTY (~(u128)0)

static u128 tile_of(int kind) { return kind == BLANK ? 0 : (u128)1 << 4 * kind; }
static int score_of(u128 state) { return (int)((u64)state & ((1 << SCORE) - 1)); }

/* Completion bounds of leaves with the same tiles drawn, left draws and tiles held: worth[c * COPIES + i] is the worth of the first i
   tiles of kind c, `rest` what does not depend on the leave. */
typedef struct { i64 worth[KINDS * COPIES], rest; u8 drawn[KINDS] /* tiles, at most COPIES - 1 */; } Worth;

/* The tiles of a multiset as places of an array `worth`. */
typedef struct { int count; u16 place[LONGEST]; } Spelled;

static Spelled spell(u128 tiles, int size) {
    Spelled s = {0};
    for (int half = 0; half < 2; half++)
        for (u64 bits = (u64)(tiles >> 64 * half); bits;) {
            int digit = __builtin_ctzll(bits) / 4, copies = bits >> 4 * digit & 15, kind = 16 * half + digit;
            s.place[s.count++] = (u16)(kind * COPIES + copies);
            size -= copies;
            bits -= (u64)copies << 4 * digit;
        }
    if (size) s.place[s.count++] = (u16)(BLANK * COPIES + size);
    return s;
}

static i64 worth_of(const Worth *w, const Spelled *s) {
    i64 sum = 0;
    for (int i = 0; i < s->count; i++) sum += w->worth[s->place[i]];
    return sum;
}

static void weigh(const Game *game, const Focus *f, int drawn, int left, int held, Worth *w) {
    const i32 *extra = leave_prices(game, f, drawn, left, held);
    Pool pool = {0};
    *w = (Worth){.rest = f->value[state_at(game, drawn, left, held)]};
    for (int i = 0; i < game->tiles; i++)
        if (is_drawn(game, i, drawn, left)) add_tile(&pool, game->row[i], f->prices[i], COPIES - 1);
        else w->rest += f->prices[i];
    memcpy(w->drawn, pool.count, sizeof w->drawn);
    for (int c = 0; c < KINDS; c++)
        for (int i = 1, at = c * COPIES + 1; i < COPIES; i++, at++)
            w->worth[at] = w->worth[at - 1] + (i <= pool.count[c] ? pool.price[c][i - 1] + extra[c] : 0);
}

/* Whether states lie in the window of a focus; focus 0, the first one, covers all. */
static int covers(const Game *game, const Focus *f, int is_first, int drawn, int left) {
    int high = MIN(drawn, f->high + drawn - f->first);
    return is_first || drawn == game->tiles || (drawn >= f->first && left >= f->low && left <= high);
}

/* -------------------------------------------------------------------------------------------------- states of the sweep */

/* The best of equal states, by hash: some number of slots that is a power of two, or no slots. */
typedef struct { u128 *slots; size_t count, size; } Table;

static u64 hash_of(u128 tiles) {
    u128 product = (u128)((u64)tiles ^ 0x9e3779b97f4a7c15) * ((u64)(tiles >> 64) ^ 0xd1342543de82ef95);
    return (u64)product ^ (u64)(product >> 64);
}

static void clear(Table *table) {
    free(table->slots);
    *table = (Table){NULL, 0, 0};
}

static u128 *slot_of(const Table *table, u128 state) { return &table->slots[hash_of(state >> SCORE) & (table->size - 1)]; }

/* Keep the better one of equal states. There must be room for it. */
static void put_state(Table *table, u128 state) {
    u128 *slot = slot_of(table, state), *end = table->slots + table->size;
    while (*slot != EMPTY && *slot >> SCORE != state >> SCORE) if (++slot == end) slot = table->slots;
    table->count += *slot == EMPTY;
    if (*slot == EMPTY || state > *slot) *slot = state;
}

/* Make room for some more states. */
static void make_room(Table *table, size_t more) {
    Table larger = {NULL, 0, MAX(table->size, 64)};
    while ((table->count + more) * 8 > larger.size * 5) larger.size *= 2;
    if (larger.size == table->size) return;
    larger.slots = memset(resized(NULL, larger.size, sizeof *larger.slots), 0xff, larger.size * sizeof *larger.slots);
    for (size_t i = 0; i < table->size; i++) if (table->slots[i] != EMPTY) put_state(&larger, table->slots[i]);
    free(table->slots);
    *table = larger;
}

static void add_state(Table *table, u128 state) {
    make_room(table, 1);
    put_state(table, state);
}

/* Make a table the array of its states. */
static void gather(Table *table) {
    size_t count = 0;
    for (size_t i = 0; i < table->size; i++) if (table->slots[i] != EMPTY) table->slots[count++] = table->slots[i];
    if (count) table->slots = resized(table->slots, count, sizeof *table->slots);
    table->size = count;
}

/* --------------------------------------------------------------------------------------------------- plays of the sweep */

/* A tree of plays in depth-first order: a node has the tiles of its parent and one more, the last of `copies` of its kind, which is
   not above theirs. `beyond` is the first node after its subtree; `points` are those of its tiles as a play, -1 if they form no
   word; `most` is the highest gain in its subtree. The first `keep` racks may make its play, the first `reach` one of its subtree. */
typedef struct { i64 gain, most; u32 beyond, keep, reach; i32 points; u8 kind, depth, copies; } Node;
typedef struct { Node *at; u32 count, room; } Plays;

/* A search for all plays of one length. Plays are numbers, for their order: five bits for each tile from the highest kind to the
   lowest, and the points; so that a play directly follows those that it begins with. */
enum { DIGIT = 5 };
typedef struct { const Game *game; Table *found /* by length */; u8 row[KINDS] /* the tiles of each kind */; } Laying;
typedef struct { int length, points; u8 used[KINDS]; } Laid; /* a play so far */

static void lay_words(const Laying *l, int p, u32 from, u32 until, Laid *laid);

static void lay_tile(const Laying *l, int p, u32 node, Laid *laid, int kind) {
    const u32 *nodes = l->game->trees[laid->length].levels[p];
    int points = (p + 1) * l->game->value[kind] / POINT;
    if (laid->used[kind] == l->row[kind]) return;
    laid->used[kind]++;
    laid->points += points;
    if (p) lay_words(l, p - 1, below(nodes[node]), below(nodes[node + 1]), laid);
    else {
        u128 play = 0;
        int at = LONGEST * DIGIT;
        for (int c = BLANK; c >= 0; c--) for (int i = 0; i < laid->used[c]; i++) play |= (u128)(c + 1) << (at -= DIGIT);
        add_state(&l->found[laid->length], play << SCORE | (u32)laid->points);
    }
    laid->used[kind]--;
    laid->points -= points;
}

static void lay_words(const Laying *l, int p, u32 from, u32 until, Laid *laid) {
    for (u32 node = from; node < until; node++) {
        lay_tile(l, p, node, laid, letter_of(l->game->trees[laid->length].levels[p][node]));
        lay_tile(l, p, node, laid, BLANK);
    }
}

/* Find all plays of a length: a task. */
static void lay_length(void *context, int thread, int number) {
    const Laying *l = context;
    int length = l->game->rack - number; /* the longest first */
    Laid laid = {.length = length};
    (void)thread;
    lay_words(l, length - 1, 0, l->game->trees[length].count[length - 1], &laid);
}

static int by_number(const void *one, const void *other) {
    u128 a = *(const u128 *)one, b = *(const u128 *)other;
    return (a > b) - (a < b);
}

static Node *new_node(Plays *tree) {
    GROW(tree->at, tree->count, tree->room);
    return &tree->at[tree->count++];
}

/* Fill in `beyond` and `most` of a tree, where `gain` is that of each node. Leave out subtrees that gain less than `least`. */
static void close_tree(Plays *tree, i64 least) {
    u32 after[LONGEST + 2], to = tree->count; /* by depth: the nearest node of this depth or above it */
    i64 most[LONGEST + 2];                    /* by depth: of the nodes since then */
    for (int d = 0; d < LONGEST + 2; d++) after[d] = to, most[d] = INT64_MIN;
    for (u32 from = tree->count; from-- > 0;) {
        Node node = tree->at[from];
        int d = node.depth;
        node.most = MAX(node.gain, most[d + 1]);
        node.beyond = after[d];
        most[d + 1] = INT64_MIN;
        if (node.most < least) continue;
        most[d] = MAX(most[d], node.most);
        tree->at[--to] = node;
        for (; d < LONGEST + 2; d++) after[d] = to;
    }
    tree->count -= to;
    if (to) memmove(tree->at, tree->at + to, tree->count * sizeof *tree->at);
    for (u32 i = 0; i < tree->count; i++) tree->at[i].beyond -= to;
}

/* Return all plays with tiles of the row. */
static Plays all_plays(const Game *game) {
    Table found[LONGEST + 1] = {{0}};
    Laying l = {game, found, {0}};
    Plays tree = {0};
    size_t count = 0;
    u128 *plays = NULL, before = 0;
    for (int i = 0; i < game->tiles; i++) if (l.row[game->row[i]] < LONGEST) l.row[game->row[i]]++;
    in_parallel(lay_length, &l, game->rack);
    for (int length = 1; length <= game->rack; length++) {
        Table *some = &found[length];
        gather(some);
        plays = resized(plays, count + some->count, sizeof *plays);
        if (some->count) memcpy(plays + count, some->slots, some->count * sizeof *plays);
        count += some->count;
        clear(some);
    }
    if (count) qsort(plays, count, sizeof *plays, by_number);
    for (size_t i = 0; i < count; i++) {
        u128 play = plays[i] >> SCORE;
        int is_new = 0, last = 0, copies = 0;
        for (int depth = 1; depth <= LONGEST; depth++) {
            int shift = (LONGEST - depth) * DIGIT, digit = (int)(play >> shift) & 31;
            is_new |= play >> shift != before >> shift;
            copies = digit == last ? copies + 1 : 1;
            last = digit;
            if (digit && is_new) *new_node(&tree) = (Node){-1, -1, 0, 0, 0, -1, (u8)(digit - 1), (u8)depth, (u8)copies};
        }
        before = play;
        tree.at[tree.count - 1].gain = tree.at[tree.count - 1].points = score_of(plays[i]);
    }
    free(plays);
    close_tree(&tree, 0);
    return tree;
}

/* Make the tree of the plays of some lengths whose gain is at least `least`: points - worth of their tiles + rest[length]. The tiles
   count as the cheapest ones of their kinds. */
static void choose_plays(const Plays *all, int shortest, int longest, const Worth *worth, const i64 *rest, i64 least, Plays *chosen) {
    i64 cost[LONGEST + 1] = {0}, highest = INT64_MIN;
    for (int length = shortest; length <= longest; length++) highest = MAX(highest, rest[length]);
    chosen->count = 0;
    for (u32 at = 0; at < all->count;) {
        const Node *node = &all->at[at];
        int d = node->depth;
        const i64 *tile = &worth->worth[node->kind * COPIES + node->copies];
        cost[d] = cost[d - 1] + tile[0] - tile[-1];
        if (d > longest || node->copies > worth->drawn[node->kind] || POINT * node->most - cost[d] + highest < least) {
            at = node->beyond;
            continue;
        }
        Node *copy = new_node(chosen);
        *copy = *node;
        copy->gain = node->points >= 0 && d >= shortest ? POINT * (i64)node->points - cost[d] + rest[d] : INT64_MIN / 2;
        at++;
    }
    close_tree(chosen, least);
}

/* ----------------------------------------------------------------------------------------------------------- the sweep */

enum { FEW = 300, BATCH = 16384, STEPS = 4096, AHEAD = 16 };

/* What a thread works with. The racks ascend by what they need: the gain that a play must have. */
typedef struct {
    Worth *foci;
    Plays plays;
    Table drawn;        /* racks in no order, at first as a table */
    i64 *needed;        /* of each rack drawn */
    size_t count, room; /* of the racks in order; the racks that there is room for */
    u128 *racks;
    u8 *copies;         /* by kind and rack */
    u32 *list;          /* numbers of racks, for all depths of a tree */
} Worker;

typedef struct {
    const Game *game;
    const Focus *foci;
    int focus_count, played, blocks; /* the layer; the parts of the racks with the same left draws */
    i64 least;                       /* the lowest completion bound of interest */
    Plays plays;
    Table *tables;                   /* see `table_at` */
    pthread_mutex_t *locks;          /* of tables */
    Table *states;                   /* of the layer, by left draws and tiles held; gathered */
    Worker *workers;
    atomic_int best;                 /* score of the layer */
} Sweep;

/* Only the layers that a play can reach from this one exist at the same time. */
static int table_at(const Sweep *s, int played, int left, int held) {
    return (played % (s->game->rack + 1) * (s->game->tiles + 1) + left) * s->game->rack + held;
}

/* Return the focus for states, see "Which focus". */
static const Focus *focus_for(const Sweep *s, int layer, int drawn, int left) {
    const Focus *best = s->foci;
    for (int i = 0, nearest = INT32_MAX; i < s->focus_count; i++) {
        const Focus *f = &s->foci[i];
        int z = 2 * left - (layer - f->played), distance = drawn == s->game->tiles ? 0 : MAX(2 * f->low - z, z - 2 * f->high);
        if (f->played > layer || f->played < best->played || !covers(s->game, f, !i, drawn, left)) continue;
        if (f->played == best->played && distance >= nearest) continue;
        best = f;
        nearest = distance;
    }
    return best;
}

/* Keep the leaves of listed racks after a play, and move the tiles of the play. If all racks with these left draws are in one block,
   no other thread writes to their table. */
static void keep_leaves(Sweep *s, const Worker *w, const Node *play, u128 tiles, const u32 *list, size_t count, int then, int to) {
    int held = then - s->played - play->depth, at = table_at(s, s->played + play->depth, to, held);
    u128 change = (u32)play->points - (tiles << SCORE), leaves[AHEAD];
    if (s->blocks > 1) pthread_mutex_lock(&s->locks[at]);
    make_room(&s->tables[at], count);
    for (size_t i = 0; i < count && list[i] < play->keep;) {
        int some = 0;
        for (; some < AHEAD && i < count && list[i] < play->keep; i++) {
            leaves[some] = w->racks[list[i]] + change;
            __builtin_prefetch(slot_of(&s->tables[at], leaves[some++]));
        }
        while (some > 0) put_state(&s->tables[at], leaves[--some]);
    }
    if (s->blocks > 1) pthread_mutex_unlock(&s->locks[at]);
}

/* Make the plays from node `from` on, of listed racks from which the tiles of their parent have been taken. At each node the racks
   that have its tile, and may gain enough below it, go on, in a list behind this one. */
static void make_plays(Sweep *s, const Worker *w, u32 from, u32 until, u128 tiles, u32 *list, size_t count, int then, int to) {
    u32 *some = list + count;
    for (u32 at = from; at < until; at = w->plays.at[at].beyond) {
        const Node *node = &w->plays.at[at];
        const u8 *copies = w->copies + node->kind * w->count;
        size_t found = 0;
        for (size_t i = 0; i < count && list[i] < node->reach; i++) {
            some[found] = list[i];
            found += copies[list[i]] >= node->copies;
        }
        if (!found) continue;
        if (some[0] < node->keep) keep_leaves(s, w, node, tiles + tile_of(node->kind), some, found, then, to);
        if (at + 1 < node->beyond) make_plays(s, w, at + 1, node->beyond, tiles + tile_of(node->kind), some, found, then, to);
    }
}

/* Make the draws that lead to some left draws, of the racks whose hashes are in a block. */
static void draw_racks(const Sweep *s, Worker *w, int then, int to, u64 block) {
    const Game *game = s->game;
    int n = game->tiles;
    clear(&w->drawn);
    for (int held = 0; held < game->rack && s->played + held <= n; held++) {
        int drawn = s->played + held, least = then < n ? MAX(0, to - (then - drawn)) : 0, most = then < n ? MIN(to, drawn) : n;
        for (int left = least; left <= most; left++) {
            const Table *states = &s->states[left * game->rack + held];
            u128 tiles = 0;
            for (int i = 0; states->count && i < n; i++)
                if (is_drawn(game, i, then, to) && !is_drawn(game, i, drawn, left)) tiles += tile_of(game->row[i]);
            for (size_t i = 0; i < states->count; i++) {
                u128 rack = states->slots[i] + (tiles << SCORE);
                if (s->blocks == 1 || (hash_of(rack >> SCORE) >> 32) * (u64)s->blocks >> 32 == block) add_state(&w->drawn, rack);
            }
        }
    }
    gather(&w->drawn);
    if (w->drawn.count <= w->room) return;
    w->room = 2 * w->drawn.count;
    w->racks = resized(w->racks, w->room, sizeof *w->racks);
    w->needed = resized(w->needed, w->room, sizeof *w->needed);
    w->copies = resized(w->copies, w->room, KINDS);
}

/* Put the racks drawn in order of what they need, from `least` to `most`; racks that need more are left out. Needs are rounded down
   to a multiple of a step, so that counting sorts them. Note in each chosen play how many racks may make it. */
static void sort_racks(Worker *w, int size, i64 least, i64 most) {
    i64 step = (most - least) / STEPS + 1;
    u32 starts[STEPS + 2] = {0};
    for (size_t i = 0; i < w->drawn.count; i++)
        if (w->needed[i] <= most) starts[(w->needed[i] - least) / step + 1]++;
    for (int i = 0; i <= STEPS; i++) starts[i + 1] += starts[i];
    for (Node *node = w->plays.at; node < w->plays.at + w->plays.count; node++) {
        node->keep = node->gain < least ? 0 : starts[(node->gain - least) / step + 1];
        node->reach = starts[(node->most - least) / step + 1];
    }
    w->count = starts[STEPS + 1];
    memset(w->copies, 0, KINDS * w->count);
    for (size_t i = 0; i < w->drawn.count; i++) {
        u128 rack = w->drawn.slots[i];
        if (w->needed[i] > most) continue;
        u32 to = starts[(w->needed[i] - least) / step]++;
        Spelled spelled = spell(rack >> SCORE, size);
        w->racks[to] = rack;
        for (int j = 0; j < spelled.count; j++) w->copies[spelled.place[j] / COPIES * w->count + to] = spelled.place[j] % COPIES;
    }
}

/* Make the plays from `shortest` to `longest` of the racks drawn. The prices of leaves are the same after all of them. */
static void play_lengths(Sweep *s, Worker *w, const Focus *f, int then, int to, int shortest, int longest) {
    int size = then - s->played;
    i64 rest[LONGEST + 1], least = INT64_MAX, most = INT64_MIN;
    Worth worth;
    weigh(s->game, f, then, to, size - shortest, &worth);
    for (int length = shortest; length <= longest; length++)
        rest[length] = worth.rest - f->value[state_at(s->game, then, to, size - shortest)] + f->value[state_at(s->game, then, to, size - length)];
    for (size_t i = 0; i < w->drawn.count; i++) {
        u128 rack = w->drawn.slots[i];
        Spelled spelled = spell(rack >> SCORE, size);
        w->needed[i] = s->least - POINT * (i64)score_of(rack) - worth_of(&worth, &spelled);
        least = MIN(least, w->needed[i]);
    }
    choose_plays(&s->plays, shortest, longest, &worth, rest, least, &w->plays);
    for (u32 at = 0; at < w->plays.count; at = w->plays.at[at].beyond) most = MAX(most, w->plays.at[at].most);
    if (!w->plays.count) return;
    sort_racks(w, size, least, most);
    for (size_t at = 0; at < w->count; at += BATCH) {
        size_t some = MIN(BATCH, w->count - at);
        for (size_t i = 0; i < some; i++) w->list[i] = (u32)(at + i);
        make_plays(s, w, 0, w->plays.count, 0, w->list, some, then, to);
    }
}

/* Make the draws that lead to some of the racks, and all their plays: a task. */
static void play_some(void *context, int thread, int number) {
    Sweep *s = context;
    Worker *w = &s->workers[thread];
    int then = MIN(s->game->tiles, s->played + s->game->rack), size = then - s->played, to = number / s->blocks;
    draw_racks(s, w, then, to, (u64)(number % s->blocks));
    if (!w->drawn.count) return;
    const Focus *f = focus_for(s, s->played, then, to);
    for (int shortest = 1, longest; shortest <= size; shortest = longest + 1) {
        const i32 *prices = leave_prices(s->game, f, then, to, size - shortest);
        longest = shortest;
        while (longest < size && leave_prices(s->game, f, then, to, size - longest - 1) == prices) longest++;
        play_lengths(s, w, f, then, to, shortest, longest);
    }
}

/* Keep the states with some left draws that no completion bound rules out: a task. */
static void judge_states(void *context, int thread, int number) {
    Sweep *s = context;
    Worker *w = &s->workers[thread];
    int held = number % s->game->rack, left = number / s->game->rack, drawn = s->played + held, count = 0, best = 0;
    Table *met = &s->tables[table_at(s, s->played, left, held)], *states = &s->states[number];
    clear(states);
    *states = *met;
    *met = (Table){NULL, 0, 0};
    gather(states);
    for (int f = s->focus_count - 1; f >= 0 && states->count >= FEW; f--)
        if (covers(s->game, &s->foci[f], !f, drawn, left)) weigh(s->game, &s->foci[f], drawn, left, held, &w->foci[count++]);
    size_t kept = 0;
    for (size_t i = 0; i < states->count; i++) {
        u128 state = states->slots[i];
        Spelled spelled = spell(state >> SCORE, held);
        i64 lacking = s->least - POINT * (i64)score_of(state);
        int f = 0;
        best = MAX(best, score_of(state));
        while (f < count && worth_of(&w->foci[f], &spelled) + w->foci[f].rest >= lacking) f++;
        if (f == count) states->slots[kept++] = state;
    }
    states->count = kept;
    for (int known = s->best; best > known && !atomic_compare_exchange_weak(&s->best, &known, best);) continue;
}

/* Return the best score of the first layer with one above the claim, or the claim, see "The sweep". */
static i64 sweep(const Game *game, const Focus *foci, int focus_count, i64 claim) {
    int n = game->tiles, k = game->rack;
    size_t tables = (size_t)((k + 1) * (n + 1) * k);
    Sweep s = {.game = game, .foci = foci, .focus_count = focus_count, .least = POINT * (claim + 1), .plays = all_plays(game)};
    s.tables = zeros(tables, sizeof *s.tables);
    s.locks = zeros(tables, sizeof *s.locks);
    for (size_t i = 0; i < tables; i++) pthread_mutex_init(&s.locks[i], NULL);
    s.states = zeros((size_t)((n + 1) * k), sizeof *s.states);
    s.workers = zeros((size_t)processors(), sizeof *s.workers);
    for (Worker *w = s.workers; w < s.workers + processors(); w++) {
        w->foci = zeros((size_t)focus_count + 1, sizeof *w->foci);
        w->list = zeros(BATCH * (LONGEST + 1), sizeof *w->list);
    }
    add_state(s.tables, 0);
    for (; s.played <= n; s.played++) {
        s.best = 0;
        in_parallel(judge_states, &s, (n + 1) * k);
        if (s.best > claim) return s.best;
        size_t states = 0;
        for (int i = 0; i < (n + 1) * k; i++) states += s.states[i].count;
        if (isatty(STDERR_FILENO)) fprintf(stderr, "%d of %d tiles played: %zu states\n", s.played, n, states);
        s.blocks = s.played + k < n || states < 10000 ? 1 : 4 * processors();
        in_parallel(play_some, &s, (s.played + k < n ? s.played + k + 1 : 1) * s.blocks);
    }
    return claim;
}

/* --------------------------------------------------------------------------------------------------------- the verdict */

/* Print a verdict, and return its exit code. */
static int say(const Certificate *c, int code, const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    put_plain(stdout, c->file, strlen(c->file));
    fputs(code ? ": DOES NOT HOLD: " : ": holds, ", stdout);
    vprintf(format, rest);
    putchar('\n');
    return code;
}

static int judge(const Certificate *c, const Game *game) {
    i64 bound = 0, best = c->claim;
    if (strcmp(c->digest, c->own_digest)) return say(c, 1, "the digest is %s, expected %s", c->digest, c->own_digest);
    if (strcmp(c->words_hash, game->words_hash)) return say(c, 1, "the hash of the words is %s, expected %s", game->words_hash, c->words_hash);
    for (int i = 0; i < game->tiles; i++) bound += c->foci->prices[i];
    if (!c->width) evaluate(game, c->foci, 1);
    bound += c->width ? free_bound(game, c->foci->prices, c->width) : c->foci->value[0];
    if (c->width && bound / POINT > c->claim) return say(c, 1, "claims %d, its prices give %lld", c->claim, (long long)(bound / POINT));
    if (bound / POINT > c->claim) {
        if (c->count > 1) evaluate(game, c->foci + 1, c->count - 1);
        best = sweep(game, c->foci, c->count, c->claim);
    }
    if (best > c->claim) return say(c, 1, "claims %d, a game scores %lld", c->claim, (long long)best);
    return say(c, 0, "no game scores more than %d", c->claim);
}

/* Print what was proved, or was not. */
static void print_puzzle(const Game *game) {
    printf("row ");
    for (int i = 0; i < game->tiles; i++) putchar("abcdefghijklmnopqrstuvwxyz?"[game->row[i]]);
    printf("\nrack %d\nvalues", game->rack);
    for (int c = 0; c < BLANK; c++) printf(" %d", game->value[c] / POINT);
    printf("\nwords %s\n", game->words_hash);
}

int main(int count, char **arguments) {
    if (count != 3) refuse("check", "expected CERTIFICATE WORDS.txt");
    Certificate certificate = {.file = arguments[1]};
    Game *game = zeros(1, sizeof *game);
    read_certificate(&certificate, game);
    read_words(game, arguments[2]);
    int code = judge(&certificate, game);
    print_puzzle(game);
    if (fflush(stdout) || ferror(stdout)) refuse("check", "the verdict cannot be written");
    return code;
}
