/* A second checker of certificates, written from the specification, docs/certificate.md.

     cc -O3 -fopenmp -o check verify/bound/check.c
     ./check CERTIFICATE WORDS.txt

   Without -fopenmp it uses one processor. The sections follow the specification. Amounts are thousandths of a point, scores are
   whole points. */
#include <stdarg.h>
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

enum { KINDS = 27, BLANK = 26, LONGEST = 15, POINT = 1000 };
enum { MOST_ROW = 200, MOST_FOCI = 200, MOST_CLAIM = 900000, MOST_PRICE = 100000000 };
static const i64 MISSING = -1000000000000; /* stands for minus infinity, see "Laying down a word" */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* ------------------------------------------------------------------------------------------------ errors, memory, files */

/* A file, and where it is read, if it is. A byte 0 ends its text. */
typedef struct { const char *file; char *text, *end, *at; } Reader;

/* Print a text without control characters and bytes that are not ASCII. */
static void put_plain(FILE *out, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) fputc(text[i] >= ' ' && text[i] <= '~' ? text[i] : '?', out);
}

/* Give no verdict, but say what was expected, and do not wait for other threads. */
static _Noreturn void refuse(const Reader *r, const char *format, ...) {
    const char *field = r->at ? r->at + (*r->at == ' ') : NULL;
    va_list values;
    int line = 1;
    va_start(values, format);
    put_plain(stderr, r->file, strlen(r->file));
    for (const char *c = r->text; c < r->at; c++) line += *c == '\n';
    if (field) fprintf(stderr, ":%d", line);
    fputs(": expected ", stderr);
    vfprintf(stderr, format, values);
    if (field) fputs(", not '", stderr);
    if (field) put_plain(stderr, field, MIN(strcspn(field, " \n"), 40));
    fputs(field ? "'\n" : "\n", stderr);
    _exit(2);
}

static void *resized(void *old, size_t count, size_t size) {
    void *made = count < SIZE_MAX / 2 / size ? realloc(old, count * size + 1) : NULL;
    if (!made) refuse(&(Reader){.file = "check"}, "more memory");
    return made;
}

static void *zeros(size_t count, size_t size) { return memset(resized(NULL, count, size), 0, count * size); }

static Reader opened(const char *file, size_t most) {
    Reader r = {file, resized(NULL, most + 2, 1), NULL, NULL};
    FILE *stream = fopen(file, "rb");
    size_t size = stream ? fread(r.text, 1, most + 1, stream) : 0;
    if (!stream || ferror(stream) || size > most) refuse(&r, "a file that can be read, of at most %zu bytes", most);
    fclose(stream);
    r.text = r.at = resized(r.text, size + 1, 1);
    r.end = r.text + size;
    *r.end = 0;
    return r;
}

static u32 rotated(u32 word, int by) { return word >> by | word << (32 - by); }

/* Write the SHA-256 of a text in 64 hexadecimal digits. */
static void sha256(const char *text, size_t size, char *hex) {
    static const u32 constants[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
        0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
        0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
        0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
        0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
        0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    u32 state[] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}, w[64], s[8];
    size_t padded = (size + 8) / 64 * 64 + 64; /* the text, a bit 1, zeros, and the size in bits */
    for (size_t at = 0; at < padded; at += 64) {
        u8 block[64] = {0};
        if (at < size) memcpy(block, text + at, MIN(64, size - at));
        if (size / 64 == at / 64) block[size % 64] = 0x80;
        for (int i = 0; at + 64 == padded && i < 8; i++) block[63 - i] = (u8)((u64)size * 8 >> 8 * i);
        memcpy(s, state, sizeof s);
        for (int i = 0; i < 64; i++) {
            u32 a = i < 16 ? 0 : w[i - 15], b = i < 16 ? 0 : w[i - 2];
            w[i] = i < 16 ? 0 : w[i - 16] + w[i - 7];
            for (int j = 4 * i; i < 16 && j < 4 * i + 4; j++) w[i] = w[i] << 8 | block[j];
            w[i] += (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
            u32 one = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) + (s[6] ^ (s[4] & (s[5] ^ s[6])));
            u32 two = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) + ((s[0] & s[1]) | (s[2] & (s[0] | s[1])));
            one += constants[i] + w[i];
            memmove(s + 1, s, 7 * sizeof *s);
            s[4] += one;
            s[0] = one + two;
        }
        for (int i = 0; i < 8; i++) state[i] += s[i];
    }
    for (int i = 0; i < 8; i++) snprintf(hex + 8 * i, 9, "%08x", state[i]);
}

/* ------------------------------------------------------------------------------------------------------------ the game */

/* The puzzle, in the notation of the specification. */
static int n, k;         /* tiles in the row, and on a full rack */
static u8 row[MOST_ROW], in_row[KINDS]; /* kinds; the number of tiles of each */
static i32 value[KINDS]; /* of letters, in thousandths */

/* A number has LONGEST digits of five bits, and a score below them. A digit is a kind + 1, or 0. The digits of a word are its
   letters, the first one lowest. Those of a play are its tiles, from the highest kind at the highest place down. */
enum { DIGIT = 5, SCORE = 24 };

/* Numbers as a tree: a node has the digits of its parent and one more, at the place of its level. Its children are `children`
   nodes of the next lower level, from number `below` on. It and the digits above it have `copies` of its kind in a row. `score`
   is that of the number that ends there, or -1; `most` is the highest below. */
typedef struct { i64 most; size_t below; i32 score; u8 kind, copies, children; } Node;
typedef struct { Node *level[LONGEST]; size_t count[LONGEST], room[LONGEST], roots[LONGEST]; } Tree; /* roots come first */

static size_t word_count;
static u128 *words; /* those of at most LONGEST letters, shorter ones first; node 0 of word i is number i of its level */
static Tree word_tree;

static int kind_at(u128 number, int place) { return (int)(number >> (SCORE + DIGIT * place) & 31) - 1; }
static int score_of(u128 number) { return (int)((u64)number & ((1 << SCORE) - 1)); }

/* Add a node behind those of its level; the next one of the level below will be its first child. */
static Node *add_node(Tree *t, int level, Node node) {
    size_t at = t->count[level]++;
    if (at == t->room[level]) t->level[level] = resized(t->level[level], t->room[level] = 2 * at + 64, sizeof *t->level[level]);
    node.below = level ? t->count[level - 1] : 0;
    t->level[level][at] = node;
    return &t->level[level][at];
}

static int by_number(const void *one, const void *other) {
    u128 a = *(const u128 *)one, b = *(const u128 *)other;
    return (a > b) - (a < b);
}

/* Sort numbers, and make a tree of them. */
static Tree make_tree(u128 *numbers, size_t count) {
    Tree tree = {0};
    if (count) qsort(numbers, count, sizeof *numbers, by_number);
    for (size_t i = 0; i < count; i++) {
        int is_new = i == 0, copies = 0, score = score_of(numbers[i]);
        Node *node = NULL;
        for (int p = LONGEST - 1; p >= 0; p--) {
            int kind = kind_at(numbers[i], p);
            copies = node && node->kind == kind ? copies + 1 : 1;
            is_new = is_new || kind != kind_at(numbers[i - 1], p);
            if (kind < 0) continue;
            if (is_new && node) node->children++;
            if (is_new && !node) tree.roots[p]++;
            if (is_new) add_node(&tree, p, (Node){.most = -1, .score = -1, .kind = (u8)kind, .copies = (u8)copies});
            node = &tree.level[p][tree.count[p] - 1];
            node->most = MAX(node->most, score);
        }
        node->score = score;
    }
    return tree;
}

/* Read a canonical list, see "The words". */
static void read_words(const char *file, char *hash) {
    Reader r = opened(file, 200000000);
    sha256(r.text, (size_t)(r.end - r.text), hash);
    words = resized(NULL, (size_t)(r.end - r.text) / 2 + 1, sizeof *words);
    for (const char *before = "\n"; r.at < r.end || r.at == r.text;) {
        size_t size = strspn(r.at, "abcdefghijklmnopqrstuvwxyz");
        if (!size || r.at[size] != '\n') refuse(&r, "a line of small letters a-z");
        if (strncmp(before, r.at, size + 1) >= 0) refuse(&r, "words in the order of their bytes, each once");
        u128 word = 0;
        for (size_t p = 0; p < size && size <= LONGEST; p++) word |= (u128)(r.at[p] - 'a' + 1) << (SCORE + DIGIT * p);
        if (word) words[word_count++] = word;
        before = r.at;
        r.at += size + 1;
    }
    word_tree = make_tree(words, word_count);
}

/* ------------------------------------------------------------------------------------------------------------ the file */

/* Prices for a part of the game, and what follows from them. */
typedef struct {
    int played, first, low, high; /* P and the window */
    i32 *prices, *leaves;         /* by tile of the row; by moment, side, hold and kind */
    struct State { i64 value; u32 best; } *states; /* F, and the best word + 1 or 0; see `state_at` */
} Focus;

static int claim, sides, holds, focus_count;
static Focus foci[MOST_FOCI];

static int is_next(const Reader *r, const char *text) { return !strncmp(r->at, text, strlen(text)); }

static void skip(Reader *r, const char *what, const char *text) {
    if (!is_next(r, text)) refuse(r, "%s '%s'", what, text);
    r->at += strlen(text);
}

/* Go to the next line, and past its name. */
static void next_line(Reader *r, const char *name) {
    if (*r->at != '\n') refuse(r, "the end of the line");
    r->at++;
    skip(r, "a line", name);
}

/* Read a space and a number. */
static int number(Reader *r, int least, int most) {
    const char *digits = r->at + 1;
    size_t size = *r->at == ' ' ? strspn(digits, "0123456789") : 0;
    int is_number = size > 0 && size <= 9 && (*digits != '0' || size == 1) && (digits[size] == ' ' || digits[size] == '\n');
    int found = is_number ? atoi(digits) : -1;
    if (found < least || found > most) refuse(r, "a number from %d to %d", least, most);
    r->at += 1 + size;
    return found;
}

/* Return the kind of a tile; -1 if the character is none. */
static int kind_of(char tile) { return tile == '?' ? BLANK : tile >= 'a' && tile <= 'z' ? tile - 'a' : -1; }

static void read_puzzle(Reader *r) {
    next_line(r, "row ");
    for (; *r->at != '\n' || !n; r->at++) {
        if (n == MOST_ROW || kind_of(*r->at) < 0) refuse(r, "1 to %d tiles a-z or ?", MOST_ROW);
        row[n] = (u8)kind_of(*r->at);
        in_row[row[n++]]++;
    }
    next_line(r, "rack");
    k = number(r, 2, LONGEST);
    next_line(r, "values");
    for (int c = 0; c < BLANK; c++) value[c] = POINT * number(r, 0, 1000);
}

/* Read the prices of leaves of a cell, and return its number, which must be above that of the cell before. */
static int read_leave(Reader *r, Focus *f, const u8 *is_knot, int before) {
    next_line(r, "leave");
    int moment = number(r, 0, n + k), side = number(r, 0, sides - 1), last = -1;
    int cell = (moment * sides + side) * holds + number(r, 0, holds - 1);
    if (!is_knot[moment] || cell <= before) refuse(r, "a moment that is a knot, and lines by moment, side and hold, before");
    do {
        int kind = *r->at == ' ' ? kind_of(r->at[1]) : -1;
        if (kind <= last) refuse(r, "a tile a-z or ?, in this order");
        r->at += 2;
        f->leaves[cell * KINDS + kind] = number(r, 0, MOST_PRICE);
        last = kind;
    } while (*r->at == ' ');
    return cell;
}

/* Fill in the prices of leaves between the knots, before the first and after the last one. */
static void interpolate(Focus *f, const u8 *is_knot, int first, int last) {
    int size = sides * holds * KINDS;
    for (int t = 0; t <= n + k; t++) {
        int from = MIN(MAX(t, first), last), to = from;
        while (!is_knot[from]) from--;
        while (!is_knot[to]) to++;
        for (int i = 0; i < size && !is_knot[t]; i++) {
            i64 one = f->leaves[from * size + i], two = f->leaves[to * size + i];
            f->leaves[t * size + i] = (i32)(from == to ? one : (one * (to - t) + two * (t - from)) / (to - from));
        }
    }
}

static void read_focus(Reader *r) {
    int most = focus_count ? n : 0;
    u8 is_knot[MOST_ROW + LONGEST + 1] = {0};
    if (focus_count == MOST_FOCI) refuse(r, "at most %d foci", MOST_FOCI);
    Focus *f = &foci[focus_count++];
    next_line(r, "focus");
    f->played = number(r, 0, most);
    f->first = number(r, MIN(k, most), most);
    f->low = number(r, 0, most);
    f->high = number(r, f->low, most);
    next_line(r, "tiles");
    f->prices = zeros((size_t)n, sizeof *f->prices);
    for (int i = 0; i < n; i++) f->prices[i] = number(r, 0, MOST_PRICE);
    next_line(r, "knots");
    int first_knot = number(r, 0, n + k), last_knot = first_knot;
    is_knot[first_knot] = 1;
    while (*r->at == ' ') is_knot[last_knot = number(r, last_knot + 1, n + k)] = 1;
    f->leaves = zeros((size_t)((n + k + 1) * sides * holds) * KINDS, sizeof *f->leaves);
    for (int cell = -1; is_next(r, "\nleave ");) cell = read_leave(r, f, is_knot, cell);
    interpolate(f, is_knot, first_knot, last_knot);
}

/* Read a certificate for words with a hash, and return the lines that state its puzzle. */
static char *read_certificate(const char *file, const char *words_hash) {
    char digest[65];
    Reader whole = opened(file, 50000000), *r = &whole;
    skip(r, "the text", "rowdraw certificate 2");
    char *puzzle = r->at + 1;
    read_puzzle(r);
    next_line(r, "words ");
    skip(r, "the hash of the list of words,", words_hash);
    char *puzzle_end = r->at;
    next_line(r, "claim");
    claim = number(r, 0, MOST_CLAIM);
    next_line(r, "relaxation r3");
    sides = number(r, 1, 4);
    holds = number(r, 1, 4);
    do read_focus(r);
    while (is_next(r, "\nfocus "));
    sha256(r->text, (size_t)(r->at + 1 - r->text), digest);
    next_line(r, "end ");
    skip(r, "the digest", digest);
    if (*r->at != '\n' || ++r->at < r->end) refuse(r, "the end of the file");
    *puzzle_end = 0;
    return puzzle;
}

/* -------------------------------------------------------------------------------------------------- laying down a word */

/* The cheapest tiles of each kind, and room for one too many. top[p][c] is at least what letter c gains at position p + 1. */
typedef struct { i32 price[KINDS][LONGEST + 1], top[LONGEST][KINDS]; u8 count[KINDS]; } Pool;

/* Add a tile unless there are `most` cheaper ones of its kind. */
static void add_tile(Pool *pool, int kind, i32 price, int most) {
    i32 *prices = pool->price[kind];
    int at = pool->count[kind];
    if (at < most) pool->count[kind]++;
    for (; at > 0 && prices[at - 1] > price; at--) prices[at] = prices[at - 1];
    prices[at] = price;
}

static void set_tops(Pool *pool) {
    i32 first[KINDS];
    for (int c = 0; c < KINDS; c++) first[c] = pool->count[c] ? pool->price[c][0] : 1 << 30;
    for (int p = 0; p < k; p++)
        for (int c = 0; c < KINDS; c++) pool->top[p][c] = MAX((p + 1) * value[c] - first[c], -first[BLANK]);
}

static i64 gain_of(const Pool *pool, const u8 *letters, int length) {
    i64 gains[LONGEST], total = 0;
    u8 used[KINDS] = {0};
    for (int p = length, sorted = 0; p > 0; p--, sorted++) {
        int c = letters[p - 1], i = used[c]++, at = sorted;
        i64 gain = i < pool->count[c] ? p * value[c] - pool->price[c][i] : MISSING;
        for (; at > 0 && gains[at - 1] > gain; at--) gains[at] = gains[at - 1];
        gains[at] = gain;
        total += gain;
    }
    for (int i = 0; i < pool->count[BLANK] && i < length && -pool->price[BLANK][i] > gains[i]; i++)
        total -= pool->price[BLANK][i] + gains[i];
    return total;
}

/* A draw of a state, and plays of one length after it. Their values are base + gain. */
typedef struct {
    int left, to;       /* the left draws before and after it */
    const i32 *after;   /* the prices of leaves after it, NULL before it is priced */
    Pool *pool;         /* the tiles for the word */
    i64 kept, base;     /* the value of all tiles declared and drawn, if they are kept; that with F of the state after it */
    struct State *state;/* its value and word so far */
    u8 fresh[KINDS];    /* new tiles by kind */
    int most_old;       /* letters that the new ones do not supply: the tiles held and the new blanks */
} Turn;

/* Try a word in a turn, unless it gains too little even with the cheapest tiles or takes too many old ones. */
static void try_word(const Turn *t, const u8 *letters, int length, u32 word) {
    i64 found = t->base;
    u8 need[KINDS] = {0};
    int old = 0;
    for (int p = 0; p < length; p++) found += t->pool->top[p][letters[p]];
    if (found <= t->state->value) return;
    for (int p = 0; p < length; p++) old += ++need[letters[p]] > t->fresh[letters[p]];
    found = old > t->most_old ? MISSING : t->base + gain_of(t->pool, letters, length);
    if (found <= t->state->value) return;
    t->state->value = found;
    t->state->best = word + 1;
}

/* A search through the words of one length, which rules out most words for all turns at once. */
typedef struct {
    const Turn *turns;
    int count, length;
    i64 top[LONGEST][KINDS], most[LONGEST + 1]; /* the most that a letter gains at a position; that all up to one gain */
    u8 letters[LONGEST];
} Search;

/* Try the words through some nodes of a position; `sum` is that of the letters after it. */
static void search(Search *s, int p, size_t first, size_t count, i64 sum) {
    for (size_t i = first; i < first + count; i++) {
        const Node *node = &word_tree.level[p][i];
        i64 sum_here = sum + s->top[p][node->kind];
        if (sum_here + s->most[p] <= 0) continue;
        s->letters[p] = node->kind;
        if (p) search(s, p - 1, node->below, node->children, sum_here);
        else for (int t = 0; t < s->count; t++) try_word(&s->turns[t], s->letters, s->length, (u32)i);
    }
}

/* Try all words of one length. The value to exceed is part of the gains at position 1: only words with a sum above 0 matter. */
static void try_words(const Turn *turns, int count, int length) {
    Search s = {.turns = turns, .count = count, .length = length};
    for (int p = 0; p < length; p++) {
        s.most[p + 1] = INT64_MIN;
        for (int c = 0; c < BLANK; c++) s.top[p][c] = INT64_MIN;
        for (const Turn *t = turns; t < turns + count; t++) {
            i64 lacking = p ? 0 : t->base - t->state->value;
            for (int c = 0; c < BLANK; c++) s.top[p][c] = MAX(s.top[p][c], t->pool->top[p][c] + lacking);
        }
        for (int c = 0; c < BLANK; c++) s.most[p + 1] = MAX(s.most[p + 1], s.most[p] + s.top[p][c]);
    }
    if (s.most[length] > 0) search(&s, length - 1, 0, word_tree.roots[length - 1], 0);
}

/* --------------------------------------------------------------------------------------------------------- the theorem */

/* Return the number of the state (D, l, m) in arrays of values. */
static size_t state_at(int drawn, int left, int held) {
    return ((size_t)drawn * (size_t)(drawn + 1) / 2 + (size_t)(drawn < n ? left : 0)) * (size_t)(k + 1) + (size_t)held;
}

/* Return the prices of leaves in a cell by kind. */
static const i32 *leave_prices(const Focus *f, int drawn, int left, int held) {
    int cell = (drawn + k - held) * sides;
    if (drawn < n) cell = drawn * sides + (left - f->low) * sides / (f->high - f->low + drawn - f->first + 1);
    cell = cell * holds + (drawn < n ? held * holds / k : 0);
    return f->leaves + (size_t)cell * KINDS;
}

static int is_drawn(int place, int drawn, int left) { return drawn == n || place < left || place >= n - (drawn - left); }

/* Price the tiles for words of a length in a turn from (drawn, left, held) to (then, to). */
static void price_turn(const Focus *f, Turn *t, const Pool *old, int drawn, int held, int then, int length) {
    int keep = held + then - drawn - length, rise = held ? INT32_MIN : 0;
    const i32 *before = leave_prices(f, drawn, t->left, held), *after = leave_prices(f, then, t->to, keep);
    if (after != t->after) {
        for (int c = 0; c < KINDS; c++) if (held && old->count[c]) rise = MAX(rise, after[c] - before[c]);
        for (int c = 0; c < KINDS; c++) {
            t->pool->count[c] = (u8)MIN(old->count[c], held);
            for (int i = 0; i < t->pool->count[c]; i++) t->pool->price[c][i] = old->price[c][i] + before[c] + rise;
        }
        memset(t->fresh, 0, KINDS);
        t->kept = (i64)held * rise;
        for (int j = 0; j < then - drawn; j++) {
            int i = t->left + j + (then < n && t->left + j >= t->to ? n - then : 0), c = row[i];
            add_tile(t->pool, c, f->prices[i] + after[c], k);
            t->kept += after[c];
            t->fresh[c]++;
        }
        t->most_old = held + t->fresh[BLANK];
        set_tops(t->pool);
        t->after = after;
    }
    t->base = t->kept + f->states[state_at(then, t->to, keep)].value;
}

/* Write the letters of a word, and return how many there are. */
static int spell(u32 word, u8 *letters) {
    int length = 0;
    for (; length < LONGEST && kind_at(words[word], length) >= 0; length++) letters[length] = (u8)kind_at(words[word], length);
    return length;
}

enum { BLOCK = 5, MOST_TURNS = BLOCK * (LONGEST + 1), MOST_NEAR = 7 * (BLOCK + 2) };

/* List the best words of neighbours of some states, each once, and return how many there are. */
static int words_near(const Focus *f, int drawn, int left, int states, int held, u32 *near) {
    int count = 0;
    for (int more = 0; more <= 2 && drawn + more < n; more++)
        for (int l = left; l < left + states + more; l++)
            for (int m = MAX(0, held - 1); m <= (more ? MIN(k - 1, held + 1) : held - 1); m++) {
                u32 word = f->states[state_at(drawn + more, l, m)].best;
                int i = 0;
                while (i < count && near[i] != word) i++;
                near[i] = word;
                count += i == count && word;
            }
    return count;
}

/* Work out F of the states (drawn, left, held) for some left draws. The best words of neighbouring states come first: the
   better the values, the fewer words need be tried. */
static void value_states(const Focus *f, int drawn, int left, int states, int held, const Pool *old, Pool *pools) {
    int then = MIN(n, drawn + k - held), longest = MIN(k, held + then - drawn), count = 0;
    u32 near[MOST_NEAR + 1];
    Turn turns[MOST_TURNS];
    for (int l = left; l < left + states; l++)
        for (int to = then < n ? l : 0; to <= (then < n ? l + then - drawn : 0); to++, count++) {
            turns[count] = (Turn){.left = l, .to = to, .pool = &pools[count], .state = &f->states[state_at(drawn, l, held)]};
        }
    int near_count = words_near(f, drawn, left, states, held, near);
    for (int pass = 0; pass < 2; pass++)
        for (int length = longest; length > 0; length--) {
            for (Turn *t = turns; t < turns + count; t++) price_turn(f, t, &old[t->left - left], drawn, held, then, length);
            for (int i = 0; i < near_count && !pass; i++) {
                u8 letters[LONGEST];
                if (spell(near[i] - 1, letters) != length) continue;
                for (Turn *t = turns; t < turns + count; t++) try_word(t, letters, length, near[i] - 1);
            }
            if (pass) try_words(turns, count, length);
        }
}

/* Work out F of the states of a focus with some tiles drawn and a block of left draws. */
static void value_block(const Focus *f, int drawn, int block) {
    int left = drawn < n ? f->low + block * BLOCK : block, high = drawn < n ? MIN(drawn, f->high + drawn - f->first) : 0;
    if (drawn < f->first || left > high) return;
    Pool *old = zeros(BLOCK + MOST_TURNS, sizeof *old);
    int states = MIN(BLOCK, high - left + 1);
    for (int i = 0; i < states; i++)
        for (int at = 0; at < n; at++) if (is_drawn(at, drawn, left + i)) add_tile(&old[i], row[at], f->prices[at], k);
    for (int held = drawn == n; held < k + (drawn == n) && held <= drawn; held++)
        value_states(f, drawn, left, states, held, old, old + BLOCK);
    free(old);
}

static void evaluate(void) {
    for (Focus *f = foci; f < foci + focus_count; f++) f->states = zeros(state_at(n, 0, k + 1), sizeof *f->states);
    for (int drawn = n; drawn >= 0; drawn--) {
        int is_any = drawn == 0 || drawn >= MIN(k, n), blocks = is_any ? n / BLOCK + 1 : 0; /* else there are no states */
#pragma omp parallel for schedule(dynamic, 1)
        for (int i = 0; i < blocks * focus_count; i++) value_block(&foci[i % focus_count], drawn, i / focus_count);
    }
}

/* --------------------------------------------------------------------------------------------------- completion bounds */

/* A multiset of tiles has four bits for the copies of each letter; the number of blanks follows from the number of tiles. A
   state is a multiset << SCORE | score: tiles played, left draws and tiles held follow from the table that holds it. */
enum { COPIES = LONGEST + 1 };

static u128 tile_of(int kind) { return kind == BLANK ? 0 : (u128)1 << 4 * kind; }

/* List the kinds of a number of tiles and their copies, as kind * COPIES + copies, and return how many they are. */
static int list_kinds(u128 tiles, int size, u16 *kinds) {
    int count = 0;
    for (int half = 0; half < 2; half++)
        for (u64 left = (u64)(tiles >> 64 * half); left;) {
            int at = __builtin_ctzll(left) / 4 * 4, copies = (int)(left >> at & 15);
            kinds[count++] = (u16)((16 * half + at / 4) * COPIES + copies);
            left ^= (u64)copies << at;
            size -= copies;
        }
    if (size) kinds[count++] = (u16)(BLANK * COPIES + size);
    return count;
}

/* What leaves with the same tiles drawn, left draws and tiles held are worth: the price of copy i of kind c is so high for one
   that was not drawn that no play pays for it; of[c][i] is the worth of i copies; `fixed` is the prices of tiles not drawn. */
typedef struct { i64 price[KINDS * COPIES], of[KINDS * COPIES], fixed; } Worth;

static Worth worth_at(const Focus *f, int drawn, int left, int held) {
    const i32 *extra = leave_prices(f, drawn, left, held);
    Pool pool = {0};
    Worth w = {0};
    for (int i = 0; i < n; i++)
        if (is_drawn(i, drawn, left)) add_tile(&pool, row[i], f->prices[i], LONGEST);
        else w.fixed += f->prices[i];
    for (int c = 0; c < KINDS; c++)
        for (int i = 1, at = c * COPIES + 1; i < COPIES; i++, at++) {
            w.price[at] = i <= pool.count[c] ? pool.price[c][i - 1] + extra[c] : -MISSING;
            w.of[at] = w.of[at - 1] + w.price[at];
        }
    return w;
}

static i64 worth_of(const Worth *w, const u16 *kinds, int count) {
    i64 sum = 0;
    for (int i = 0; i < count; i++) sum += w->of[kinds[i]];
    return sum;
}

static int covers(const Focus *f, int drawn, int left) {
    return drawn == n || (drawn >= f->first && left >= f->low && left <= f->high + drawn - f->first);
}

/* -------------------------------------------------------------------------------------------------- states of the sweep */

/* The best of equal states, by hash: some number of slots that is a power of two, or no slots. */
typedef struct { u128 *slots; size_t count, size; } Table;
#define EMPTY (~(u128)0)

static u64 hash_of(u128 tiles) {
    u128 product = (u128)((u64)tiles ^ 0x9e3779b97f4a7c15) * ((u64)(tiles >> 64) ^ 0xd1342543de82ef95);
    return (u64)product ^ (u64)(product >> 64);
}

/* Keep the better one of equal states. */
static void add_state(Table *table, u128 state) {
    if ((table->count + 1) * 8 > table->size * 5) {
        Table larger = {NULL, 0, table->size ? 2 * table->size : 64};
        larger.slots = memset(resized(NULL, larger.size, sizeof *larger.slots), 0xff, larger.size * sizeof *larger.slots);
        for (size_t i = 0; i < table->size; i++) if (table->slots[i] != EMPTY) add_state(&larger, table->slots[i]);
        free(table->slots);
        *table = larger;
    }
    size_t at = hash_of(state >> SCORE) & (table->size - 1);
    while (table->slots[at] != EMPTY && table->slots[at] >> SCORE != state >> SCORE) at = (at + 1) & (table->size - 1);
    table->count += table->slots[at] == EMPTY;
    if (table->slots[at] == EMPTY || state > table->slots[at]) table->slots[at] = state;
}

/* Make a table the array of its states. */
static void gather(Table *table) {
    size_t count = 0;
    for (size_t i = 0; i < table->size; i++) if (table->slots[i] != EMPTY) table->slots[count++] = table->slots[i];
    if (count) table->slots = resized(table->slots, count, sizeof *table->slots);
    table->size = count;
}

/* --------------------------------------------------------------------------------------------------- plays of the sweep */

static Tree plays; /* all plays with tiles of the row, the best of those with the same tiles */

/* Keep all plays of a word, whose letters before position p + 1 have been laid with some tiles. */
static void lay_word(Table *found, u128 word, int p, u8 *used, int points) {
    int letter = p < LONGEST ? kind_at(word, p) : -1;
    if (letter < 0) {
        u128 play = 0;
        int place = LONGEST;
        for (int c = BLANK; c >= 0; c--) for (int i = 0; i < used[c]; i++) play |= (u128)(c + 1) << (SCORE + DIGIT * --place);
        add_state(found, play | (u32)points);
        return;
    }
    for (int i = 0, c = letter; i < 2; i++, c = BLANK) {
        if (used[c] == in_row[c]) continue;
        used[c]++;
        lay_word(found, word, p + 1, used, points + (p + 1) * value[c] / POINT);
        used[c]--;
    }
}

static void find_plays(void) {
    Table found = {0};
    u8 used[KINDS] = {0};
    for (size_t i = 0; i < word_count && kind_at(words[i], k) < 0; i++) lay_word(&found, words[i], 0, used, 0);
    gather(&found);
    plays = make_tree(found.slots, found.count);
    free(found.slots);
}

/* ----------------------------------------------------------------------------------------------------------- the sweep */

enum { FEW = 300, BATCH = 16384, STEP = 32, GROUP = 64, STEPS = 64 * GROUP, PARTS = 16 };

/* States by layer, left draws and tiles held. Only the layers that a play can reach exist at the same time. Where all tiles are
   drawn, left draws do not matter: there is a table for each part of the work instead, so that no two threads write to one. */
static Table *tables;

static Table *table_of(int played, int left, int held) { return &tables[(played % (k + 1) * (n + 1) + left) * k + held]; }

/* The racks of a draw, and their plays. What a rack needs is the gain that a play must have, above the lowest in steps of STEP
   thousandths. GROUP steps make a group; the last step and group have no end. */
typedef struct {
    int played, then, to;                        /* the layer, the tiles drawn and the left draws */
    Table all;                                   /* the racks, in no order */
    const i32 *prices;                           /* of leaves after the plays of some lengths */
    Worth worth;                                 /* of tiles, before these plays */
    i64 fixed[LONGEST + 1], highest[LONGEST + 2];/* by length: what else the gain of a play has; the highest from there on */
    i64 *needed, lowest;                         /* by rack; the lowest of all */
    u128 *racks;                                 /* all, by what they need in steps, see `step_of` */
    size_t begins[STEPS + 1];                    /* the first of them in a step */
    u64 groups[KINDS * COPIES];                  /* by kind and copies: a bit for each group with a rack that has these tiles */
    Tree chosen;                                 /* the plays that gain what some rack needs whose group has the tiles */
    size_t first, size;                          /* a batch of racks */
    u8 copies[KINDS * BATCH];                    /* by kind and rack of the batch */
    u16 list[BATCH * (LONGEST + 1)];             /* racks of the batch, for all levels of the tree */
} Draw;

/* Return the focus for states, see "The sweep". */
static const Focus *focus_for(int layer, int drawn, int left) {
    const Focus *best = foci;
    int nearest = INT32_MAX;
    for (const Focus *f = foci; f < foci + focus_count; f++) {
        int z = 2 * left - (layer - f->played), distance = drawn == n ? 0 : MAX(2 * f->low - z, z - 2 * f->high);
        if (f->played > layer || f->played < best->played || !covers(f, drawn, left)) continue;
        if (f->played == best->played && distance >= nearest) continue;
        best = f;
        nearest = distance;
    }
    return best;
}

/* Make the draws that lead to some left draws; where all tiles are drawn, those of racks in a part. */
static void draw_racks(Draw *d, int parts) {
    d->all.count = d->all.size = 0;
    for (int held = 0; held < k && d->played + held <= n; held++) {
        int drawn = d->played + held, is_end = d->then == n, most = is_end ? n : MIN(d->to, drawn);
        for (int left = is_end ? 0 : MAX(0, d->to - (d->then - drawn)); left <= most; left++) {
            const Table *states = table_of(d->played, left, held);
            u128 tiles = 0;
            for (int i = 0; states->count && i < n; i++)
                if (is_drawn(i, d->then, d->to) && !is_drawn(i, drawn, left)) tiles += tile_of(row[i]);
            for (size_t i = 0; i < states->count; i++) {
                u128 rack = states->slots[i] + (tiles << SCORE);
                if (!is_end || (int)((hash_of(rack >> SCORE) >> 32) % (u64)parts) == d->to) add_state(&d->all, rack);
            }
        }
    }
    gather(&d->all);
}

static i64 gain_of_play(const Draw *d, const Node *node, int p, i64 cost) {
    return node->score < 0 ? MISSING : POINT * (i64)node->score - cost + d->fixed[LONGEST - p];
}

/* Choose the plays through some nodes that gain what a rack of one of some groups needs, and return the most that one gains. */
static i64 choose_plays(Draw *d, int p, const Node *first, size_t count, i64 cost, u64 groups) {
    i64 most = MISSING;
    for (const Node *node = first; node < first + count; node++) {
        u64 holding = groups & d->groups[node->kind * COPIES + node->copies];
        i64 here = cost + d->worth.price[node->kind * COPIES + node->copies];
        i64 needed = holding ? d->lowest + STEP * GROUP * __builtin_ctzll(holding) : INT64_MAX;
        if (POINT * node->most - here + d->highest[LONGEST - p] < needed) continue;
        Node *chosen = add_node(&d->chosen, p, *node);
        i64 below = p ? choose_plays(d, p - 1, plays.level[p - 1] + node->below, node->children, here, holding) : MISSING;
        chosen->children = p ? (u8)(d->chosen.count[p - 1] - chosen->below) : 0;
        chosen->most = MAX(gain_of_play(d, node, p, here), below);
        if (chosen->most < needed) d->chosen.count[p]--;
        else most = MAX(most, chosen->most);
    }
    return most;
}

static int step_of(const Draw *d, i64 amount) { return (int)MIN(STEPS - 1, (amount - d->lowest) / STEP); }

/* Return how many racks from the first of the batch on are in the steps up to that of an amount. */
static size_t needing(const Draw *d, i64 gain) {
    size_t all = gain < d->lowest ? 0 : d->begins[step_of(d, gain) + 1];
    return all > d->first ? all - d->first : 0;
}

/* Sort the racks by what they need, in steps, and put them into groups. */
static void sort_racks(Draw *d, int size) {
    u16 kinds[LONGEST];
    d->lowest = INT64_MAX;
    for (size_t i = 0; i < d->all.count; i++) {
        int kind_count = list_kinds(d->all.slots[i] >> SCORE, size, kinds);
        d->needed[i] = POINT * ((i64)claim + 1 - score_of(d->all.slots[i])) - worth_of(&d->worth, kinds, kind_count);
        d->lowest = MIN(d->lowest, d->needed[i]);
    }
    memset(d->begins, 0, sizeof d->begins);
    memset(d->groups, 0, sizeof d->groups);
    for (size_t i = 0; i < d->all.count; i++) d->begins[step_of(d, d->needed[i])]++;
    for (int i = 1; i <= STEPS; i++) d->begins[i] += d->begins[i - 1];
    for (size_t i = 0; i < d->all.count; i++) {
        int step = step_of(d, d->needed[i]);
        size_t at = --d->begins[step];
        d->racks[at] = d->all.slots[i];
        for (int j = list_kinds(d->racks[at] >> SCORE, size, kinds) - 1; j >= 0; j--)
            for (int c = kinds[j]; c % COPIES; c--) d->groups[c] |= (u64)1 << step / GROUP;
    }
}

/* Make the plays through some nodes, of listed racks that have the tiles above them. At each node the racks that have its tile,
   and may gain enough below it, go on, in a list behind this one. */
static void make_plays(Draw *d, int p, const Node *first, size_t nodes, u128 tiles, i64 cost, u16 *list, size_t count) {
    u16 *players = list + count;
    for (const Node *node = first; node < first + nodes; node++) {
        const u8 *copies = d->copies + node->kind * d->size;
        size_t found = 0, reach = needing(d, node->most);
        for (size_t i = 0; i < count && list[i] < reach; i++) {
            players[found] = list[i];
            found += copies[list[i]] >= node->copies;
        }
        if (!found) continue;
        u128 taken = tiles + tile_of(node->kind);
        i64 here = cost + d->worth.price[node->kind * COPIES + node->copies];
        Table *leaves = table_of(d->played + LONGEST - p, d->to, d->then - d->played - LONGEST + p);
        reach = needing(d, gain_of_play(d, node, p, here));
        for (size_t i = 0; i < found && players[i] < reach; i++)
            add_state(leaves, d->racks[d->first + players[i]] - (taken << SCORE) + (u32)node->score);
        if (node->children)
            make_plays(d, p - 1, d->chosen.level[p - 1] + node->below, node->children, taken, here, players, found);
    }
}

/* Make the plays of all lengths that have the same prices of leaves as one length, of the racks drawn. */
static void play_lengths(Draw *d, const Focus *f, int one) {
    int size = d->then - d->played;
    d->prices = leave_prices(f, d->then, d->to, size - one);
    d->worth = worth_at(f, d->then, d->to, size - one);
    d->highest[LONGEST + 1] = MISSING;
    for (int length = LONGEST; length > 0; length--) {
        int is_possible = length <= size && leave_prices(f, d->then, d->to, size - length) == d->prices;
        d->fixed[length] = is_possible ? d->worth.fixed + f->states[state_at(d->then, d->to, size - length)].value : MISSING;
        d->highest[length] = MAX(d->fixed[length], d->highest[length + 1]);
    }
    sort_racks(d, size);
    memset(d->chosen.count, 0, sizeof d->chosen.count);
    d->first = 0;
    const Node *roots = plays.level[LONGEST - 1];
    size_t count = needing(d, choose_plays(d, LONGEST - 1, roots, plays.count[LONGEST - 1], 0, ~(u64)0));
    for (; d->first < count; d->first += BATCH) {
        d->size = MIN(BATCH, count - d->first);
        memset(d->copies, 0, KINDS * d->size);
        for (size_t i = 0; i < d->size; i++) {
            u16 kinds[LONGEST];
            d->list[i] = (u16)i;
            for (int j = list_kinds(d->racks[d->first + i] >> SCORE, size, kinds) - 1; j >= 0; j--)
                d->copies[kinds[j] / COPIES * d->size + i] = kinds[j] % COPIES;
        }
        make_plays(d, LONGEST - 1, d->chosen.level[LONGEST - 1], d->chosen.count[LONGEST - 1], 0, 0, d->list, d->size);
    }
}

/* Make the draws of a layer that lead to some left draws, and all their plays. */
static void play_draw(int played, int to, int parts) {
    static _Thread_local Draw draw; /* a thread uses its memory again */
    Draw *d = &draw;
    int then = MIN(n, played + k), size = then - played;
    d->played = played;
    d->then = then;
    d->to = to;
    draw_racks(d, parts);
    const Focus *f = focus_for(played, then, to);
    d->needed = resized(d->needed, d->all.count, sizeof *d->needed);
    d->racks = resized(d->racks, d->all.count, sizeof *d->racks);
    d->prices = NULL;
    for (int length = 1; length <= size && d->all.count; length++)
        if (d->prices != leave_prices(f, then, to, size - length)) play_lengths(d, f, length);
}

/* Drop the states that a completion bound rules out, and return the best score of all. */
static int prune(int played, int left, int held) {
    Table *states = table_of(played, left, held);
    int drawn = played + held, best = 0, count = 0;
    size_t kept = 0;
    gather(states);
    static _Thread_local Worth worths[MOST_FOCI];
    for (const Focus *f = foci + focus_count - 1; f >= foci && states->count >= FEW; f--) {
        if (!covers(f, drawn, left)) continue;
        worths[count] = worth_at(f, drawn, left, held);
        worths[count++].fixed += f->states[state_at(drawn, left, held)].value;
    }
    for (size_t i = 0; i < states->count; i++) {
        u128 state = states->slots[i];
        u16 kinds[LONGEST];
        int kind_count = list_kinds(state >> SCORE, held, kinds), at = 0;
        i64 needed = POINT * ((i64)claim + 1 - score_of(state));
        while (at < count && worth_of(&worths[at], kinds, kind_count) + worths[at].fixed >= needed) at++;
        best = MAX(best, score_of(state));
        if (at == count) states->slots[kept++] = state;
    }
    states->count = kept;
    return best;
}

/* Return the best score of the first layer with one above the claim, or the claim. */
static int sweep(void) {
    tables = zeros((size_t)((k + 1) * (n + 1) * k), sizeof *tables);
    find_plays();
    add_state(tables, 0);
    for (int played = 0, best = 0; played <= n; played++) {
        int ways = played + k < n ? played + k + 1 : MIN(PARTS, n + 1);
        Table *layer = table_of(played, 0, 0), *end = layer + (n + 1) * k;
        size_t states = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(max : best) reduction(+ : states)
        for (int i = 0; i < (n + 1) * k; i++) {
            int score = prune(played, i / k, i % k);
            best = MAX(best, score);
            states += layer[i].count;
        }
        if (best > claim) return best;
        if (isatty(STDERR_FILENO)) fprintf(stderr, "%d of %d tiles played: %zu states\n", played, n, states);
#pragma omp parallel for schedule(dynamic, 1)
        for (int to = 0; to < ways; to++) play_draw(played, to, ways);
        for (Table *done = layer; done < end; done++) free(done->slots);
        memset(layer, 0, (size_t)(end - layer) * sizeof *layer);
    }
    return claim;
}

/* --------------------------------------------------------------------------------------------------------- the verdict */

/* The exit code, 2 without a verdict. The system may also end the program, where it lacks memory for threads. */
static int code = 2;
static void leave(void) { _exit(code); }

int main(int count, char **arguments) {
    const Reader check = {.file = "check"};
    char hash[65];
    atexit(leave);
    if (count != 3) refuse(&check, "CERTIFICATE WORDS.txt");
    read_words(arguments[2], hash);
    const char *puzzle = read_certificate(arguments[1], hash);
    evaluate();
    i64 bound = foci->states[0].value;
    for (int i = 0; i < n; i++) bound += foci->prices[i];
    int best = bound / POINT > claim ? sweep() : claim;
    put_plain(stdout, arguments[1], strlen(arguments[1]));
    if (best > claim) printf(": DOES NOT HOLD: claims %d, a game scores %d", claim, best);
    else printf(": holds, no game scores more than %d", claim);
    printf("\n%s\n", puzzle);
    if (fflush(stdout) || ferror(stdout)) refuse(&check, "a file for the verdict: the verdict cannot be written");
    return code = best > claim;
}
