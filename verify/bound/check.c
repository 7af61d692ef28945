/* A second checker of bound certificates, written from the specification, docs/certificate.md.

     cc -O3 -pthread -o check check.c
     ./check CERTIFICATE PUZZLE.toml WORDS.txt

   Names in double quotes in comments are sections of the specification. Amounts are thousandths of a point. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef uint8_t u8;
typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;
typedef unsigned __int128 u128;

enum { KINDS = 27, BLANK = 26, LONGEST = 15, POINT = 1000, MOST_ROW = 10000, MOST_PRICE = 100000000 };
static const i32 ABSENT = 1 << 30;         /* the price of a tile that is not there, in sums that only prune */
static const i64 MISSING = -1000000000000; /* stands for minus infinity, see "Laying down a word" */
static const i64 NO_TILE = (i64)1 << 50;   /* the worth of a tile that is not there */
#define DIGITS "0123456789"
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
/* Make room for one item more than `count`. */
#define GROW(array, count, room) if ((count) >= (room)) (array) = resized((array), (room) = 2 * (count) + 64, sizeof *(array))

/* ---------------------------------------------------------------------------------------------------- text and hashes */

static _Noreturn void refuse(const char *file, const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    fprintf(stderr, "%s: ", file);
    vfprintf(stderr, format, rest);
    fputc('\n', stderr);
    exit(2);
}

static void *resized(void *old, size_t count, size_t size) {
    void *made = count <= SIZE_MAX / 2 / size ? realloc(old, count * size + 1) : NULL;
    if (!made) refuse("check", "the check needs more memory than there is");
    return made;
}

static void *zeros(size_t count, size_t size) { return memset(resized(NULL, count, size), 0, count * size); }

/* A text that is being written, with fprintf to `file`; see `finish`. */
typedef struct { FILE *file; char *at; size_t size; } Text;

static Text *begin(Text *text) {
    if (!(text->file = open_memstream(&text->at, &text->size))) refuse("check", "no more memory");
    return text;
}

static char *finish(Text *text) { return fclose(text->file), text->at; }

/* Return the bytes of a file with a byte 0 after them. */
static char *contents(const char *file, size_t most, char **end) {
    FILE *stream = fopen(file, "rb");
    char *bytes = resized(NULL, most + 2, 1);
    size_t size = stream ? fread(bytes, 1, most + 1, stream) : 0;
    if (!stream || ferror(stream) || size > most) refuse(file, "cannot be read, or has more than %zu bytes", most);
    fclose(stream);
    bytes[size] = 0;
    bytes = resized(bytes, size + 1, 1);
    *end = bytes + size;
    return bytes;
}

/* Return the next character and move on; -1 if the bytes are not UTF-8. */
static i32 next_character(const char **at, const char *end) {
    static const i32 least[] = {0, 0x80, 0x800, 0x10000};
    const u8 *byte = (const u8 *)*at;
    int more = *byte < 0x80 ? 0 : *byte >> 5 == 6 ? 1 : *byte >> 4 == 14 ? 2 : *byte >> 3 == 30 ? 3 : -1;
    if (more < 0 || end - *at <= more) return -1;
    i32 character = more ? *byte & 0x3f >> more : *byte;
    for (int i = 1; i <= more; i++) {
        if (byte[i] >> 6 != 2) return -1;
        character = character << 6 | (byte[i] & 0x3f);
    }
    *at += more + 1;
    return character < least[more] || character > 0x10ffff || character >> 11 == 0x1b ? -1 : character;
}

/* Return the text of a file without a byte-order mark. */
static char *utf8_contents(const char *file, size_t most, char **end) {
    char *text = contents(file, most, end);
    for (const char *at = text; at < *end;) if (next_character(&at, *end) < 0) refuse(file, "not UTF-8");
    return strncmp(text, "\xef\xbb\xbf", 3) ? text : text + 3;
}

static u32 rotated(u32 word, int by) { return word >> by | word << (32 - by); }

/* Return the first 32 bits of the fractional part of the cube root of a prime, which SHA-256 takes for a constant. */
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
        if (i < 16) w[i] = (u32)block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
        else w[i] = w[i - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[i - 7] + (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
        u32 one = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) + (s[6] ^ (s[4] & (s[5] ^ s[6])));
        u32 two = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) + ((s[0] & s[1]) | (s[2] & (s[0] | s[1])));
        one += constants[i] + w[i];
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one, s[0] = one + two;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

/* Write the SHA-256 of a text in hexadecimal digits. */
static void sha256(Text *text, char *hex) {
    u32 constants[64], state[] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    fflush(text->file);
    u64 bits = 8 * (u64)text->size;
    fputc(0x80, text->file);
    for (u64 zeros = (119 - bits / 8 % 64) % 64; zeros > 0; zeros--) fputc(0, text->file);
    for (int i = 56; i >= 0; i -= 8) fputc((int)(bits >> i & 255), text->file);
    finish(text);
    for (int n = 2, i = 0, divisor; i < 64; n++) {
        for (divisor = 2; n % divisor; divisor++) continue;
        if (divisor == n) constants[i++] = cube_root_bits(n);
    }
    for (size_t at = 0; at < text->size; at += 64) sha_block(state, constants, (const u8 *)text->at + at);
    for (int i = 0; i < 8; i++) sprintf(hex + 8 * i, "%08x", state[i]);
}

/* ---------------------------------------------------------------------------------------------------- JSON */

/* A value: '{', '[', '"' or '0' for an integer. The reader refuses all others, for no valid certificate holds them. Names in
   objects and strings are escaped as in canonical JSON, see "Hashes". */
typedef struct Json { char *name, *text, type; i64 number; struct Json *items; size_t count; } Json;

typedef struct { const char *file, *at, *end; } Reader; /* a byte 0 stands at the end */

static _Noreturn void unexpected(const Reader *r, const char *what) {
    refuse(r->file, "%zu bytes before the end: expected %s", (size_t)(r->end - r->at), what);
}

static int skips(Reader *r, char mark) {
    r->at += strspn(r->at, " \t\n\r");
    return *r->at == mark && r->at < r->end && r->at++;
}

static void expect(Reader *r, char mark) {
    if (!skips(r, mark)) unexpected(r, (char[]){'\'', mark, '\'', 0});
}

static void put_escaped(FILE *out, i32 c) {
    static const char *plain = "\"\\\b\f\n\r\t", *names = "\"\\bfnrt";
    const char *found = c > 0 && c < 0x80 ? strchr(plain, c) : NULL;
    if (found) fprintf(out, "\\%c", names[found - plain]);
    else if (c >= 0x20 && c <= 0x7e) fputc(c, out);
    else if (c > 0xffff) fprintf(out, "\\u%04x\\u%04x", 0xd7c0 + (c >> 10), 0xdc00 | (c & 0x3ff));
    else fprintf(out, "\\u%04x", c);
}

static char *json_string(Reader *r) {
    static const char *names = "\"\\/bfnrt", *plain = "\"\\/\b\f\n\r\t";
    Text text;
    begin(&text);
    expect(r, '"');
    for (i32 c; (c = r->at < r->end ? next_character(&r->at, r->end) : -1) != '"'; put_escaped(text.file, c)) {
        char digits[5] = {0}, name = *r->at;
        if (c < 0x20) unexpected(r, "a string without control characters, in UTF-8, with its end");
        if (c != '\\') continue;
        const char *found = name ? strchr(names, name) : NULL;
        if (found) c = plain[found - names], r->at++;
        else if (name == 'u' && strspn(strncpy(digits, r->at + 1, 4), DIGITS "abcdefABCDEF") == 4) c = (i32)strtol(digits, NULL, 16), r->at += 5;
        else unexpected(r, "an escape");
    }
    return finish(&text);
}

static i64 json_integer(Reader *r) {
    int negative = *r->at == '-';
    const char *first = r->at + negative;
    size_t digits = strspn(first, DIGITS);
    if (!digits || (*first == '0' && digits > 1) || (first[digits] && strchr(".eE", first[digits])))
        unexpected(r, "an object, a list, a string or an integer");
    r->at = first + digits;
    i64 number = digits < 18 ? atoll(first) : INT64_MAX; /* outside every range */
    return negative ? -number : number;
}

/* Compare what begins with the address of a text. */
static int by_text(const void *one, const void *other) { return strcmp(*(char *const *)one, *(char *const *)other); }

static Json json_value(Reader *r, int depth) {
    Json value = {0};
    size_t room = 0;
    r->at += strspn(r->at, " \t\n\r");
    value.type = *r->at == '{' || *r->at == '[' || *r->at == '"' ? *r->at : '0';
    if (value.type == '0') value.number = json_integer(r);
    if (value.type == '"') value.text = json_string(r);
    if (value.type == '0' || value.type == '"') return value;
    if (depth == 6) unexpected(r, "objects and lists not more than six deep");
    for (r->at++; !skips(r, value.type == '{' ? '}' : ']');) {
        if (value.count) expect(r, ',');
        GROW(value.items, value.count, room);
        char *name = value.type == '{' ? json_string(r) : NULL;
        if (name) expect(r, ':');
        value.items[value.count] = json_value(r, depth + 1);
        value.items[value.count++].name = name;
    }
    if (value.type == '{' && value.count) qsort(value.items, value.count, sizeof value, by_text);
    for (size_t i = 1; value.type == '{' && i < value.count; i++)
        if (!by_text(&value.items[i - 1], &value.items[i])) refuse(r->file, "the field %s stands twice", value.items[i].name);
    return value;
}

/* Write canonical JSON without fields `digest`, see "Hashes". */
static void put_canonical(FILE *out, const Json *value) {
    if (value->type == '0') fprintf(out, "%lld", (long long)value->number);
    if (value->type == '"') fprintf(out, "\"%s\"", value->text);
    if (value->type == '0' || value->type == '"') return;
    fputc(value->type, out);
    for (size_t i = 0, written = 0; i < value->count; i++) {
        const char *name = value->items[i].name;
        if (name && !strcmp(name, "digest")) continue;
        fputs(written++ ? "," : "", out);
        if (name) fprintf(out, "\"%s\":", name);
        put_canonical(out, &value->items[i]);
    }
    fputc(value->type == '{' ? '}' : ']', out);
}

/* Return a field; NULL if it is missing. */
static const Json *field(const Json *object, const char *name) {
    for (size_t i = 0; i < object->count; i++) if (!strcmp(object->items[i].name, name)) return &object->items[i];
    return NULL;
}

/* Refuse an object unless it has these fields and no others. Each is its type and its name, with ? if it may be missing. */
static void check_fields(const char *file, const Json *object, const char *fields) {
    size_t known = 0, size;
    char name[20];
    for (; *fields; fields += size + (fields[size] == ' ')) {
        size = strcspn(fields, " ");
        int optional = fields[size - 1] == '?';
        snprintf(name, sizeof name, "%.*s", (int)size - 1 - optional, fields + 1);
        const Json *found = field(object, name);
        if (found ? found->type != *fields : !optional) refuse(file, "%s: %s", name, found ? "of another type" : "missing");
        known += found != NULL;
    }
    if (known < object->count) refuse(file, "an unknown field next to %s", name);
}

static int integer(const char *file, const Json *value, int least, int most) {
    if (value->type != '0' || value->number < least || value->number > most) refuse(file, "expected an integer from %d to %d", least, most);
    return (int)value->number;
}

static i64 decimal(const char *file, const Json *value) {
    static const int units[] = {POINT, 100, 10, 1};
    const char *at = value->type == '"' ? value->text + (*value->text == '-') : "";
    size_t whole = strspn(at, DIGITS), part = at[whole] == '.' ? strspn(at + whole + 1, DIGITS) : 0;
    if (whole < 1 || whole > 9 || part > 3 || at[whole + (part ? part + 1 : 0)]) refuse(file, "expected a decimal like \"1.500\"");
    i64 number = atoll(at) * POINT + (part ? atoll(at + whole + 1) * units[part] : 0);
    return *value->text == '-' ? -number : number;
}

static i32 price(const char *file, const Json *value) {
    i64 amount = decimal(file, value);
    if (amount < 0 || amount > MOST_PRICE) refuse(file, "expected a price from 0 to 100000.000");
    return (i32)amount;
}

/* ---------------------------------------------------------------------------------------------------- puzzle and words */

/* The words of one length from their last letters to their first, as a tree: each node is followed by those below it. Last
   letters score most, so sums of gains from the end rule out most words after few letters. */
typedef struct { u32 beyond /* the next node not below this one */; u8 letter, position /* in the word, from 0 */; } Node;
typedef struct { Node *nodes; u32 count; } Tree;

typedef struct {
    int tiles, rack, last[KINDS]; /* last[c]: the last position of c in any word that fits into a rack */
    u8 row[MOST_ROW];             /* kinds */
    i32 value[KINDS];
    Tree trees[LONGEST + 1]; /* by length */
    char name[401], words_hash[65], puzzle_hash[65];
} Game;

/* Return the value of a field of the puzzle, which begins a line; NULL if it is missing. */
static const char *toml_value(const char *at, const char *name) {
    for (size_t size = strlen(name); *(at += strspn(at, " \t\r\n")); at += strcspn(at, "\n"))
        if (!strncmp(at, name, size) && at[size + strspn(at + size, " \t")] == '=') return strchr(at, '=') + 1 + strspn(strchr(at, '=') + 1, " \t");
    return NULL;
}

/* Read the values of tiles: `a = 1, b = 3`, separated by commas or line ends. */
static void read_values(const char *file, const char *at, i32 *value) {
    char tile;
    for (int points, size; sscanf(at, " %c = %d%n", &tile, &points, &size) == 2 || sscanf(at, " \"%c\" = %d%n", &tile, &points, &size) == 2;) {
        if (points < 0 || points > 1000 || (tile != '?' && (tile < 'a' || tile > 'z'))) refuse(file, "values: %c = %d", tile, points);
        value[tile == '?' ? BLANK : tile - 'a'] = points * POINT;
        at += size + strspn(at + size, " \t,");
    }
    if (*(at += strspn(at, " \t\r\n")) && *at != '}') refuse(file, "values: expected tiles and their values, not %.20s", at);
}

/* Read the puzzle, see "The puzzle file". The hash of the puzzle ties the certificate to what is read here. */
static void read_puzzle(Game *game, const char *file) {
    static const i32 english[] = {1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 5, 1, 3, 1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10, 0};
    char *end, *text = utf8_contents(file, 10000000, &end);
    for (char *at = text, *line = NULL; at < end; at = *line ? line + 1 : line) { /* comments become blanks */
        line = at + strcspn(at, "\n");
        if (at[strspn(at, " \t")] == '#') memset(at, ' ', (size_t)(line - at));
    }
    const char *slash = strrchr(file, '/'), *row = toml_value(text, "row"), *rack = toml_value(text, "rack"), *name = toml_value(text, "name");
    const char *values = toml_value(text, "values"), *bonus = toml_value(text, "bonus"), *section = strstr(text, "\n[values]");
    snprintf(game->name, sizeof game->name, "%.400s", slash ? slash + 1 : file);
    if (strrchr(game->name, '.') > game->name) *strrchr(game->name, '.') = 0;
    if (name && sscanf(name, *name == '"' ? "\"%400[^\"\\\n]\"" : "'%400[^'\n]'", game->name) < 1) refuse(file, "name: expected a string");
    game->rack = rack ? atoi(rack) : 10;
    if (game->rack < 2 || game->rack > LONGEST || !row || (*row != '"' && *row != '\'')) refuse(file, "expected a row, and a rack of 2 to 15");
    for (char quote = *row; *++row != quote; game->row[game->tiles++] = (u8)(*row == '?' ? BLANK : (*row | 32) - 'a'))
        if ((*row != '?' && ((*row | 32) < 'a' || (*row | 32) > 'z')) || game->tiles == MOST_ROW) refuse(file, "row: expected up to 10,000 tiles a-z or ?");
    if (!game->tiles) refuse(file, "row: no tiles");
    if (section) read_values(file, section + 9, game->value);
    else if (values && *values == '{') read_values(file, values + 1, game->value);
    else if (values && strncmp(values + 1, "english", 7)) refuse(file, "values: expected \"english\" or a table");
    else for (int kind = 0; kind < KINDS; kind++) game->value[kind] = english[kind] * POINT;
    if ((bonus && atoi(bonus)) || game->value[BLANK]) refuse(file, "a variant, which no certificate supports");
}

static int is_space(i32 c) {
    return (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) ||
           c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

/* Return the word of a line of UTF-8 in small letters, with a byte 0 after it; NULL if the line is no word. */
static char *word_of(char *line, const char *end) {
    const char *at = line;
    while (line < end && is_space(next_character(&at, end))) line = (char *)at;
    char *past = line;
    while (past < end && (*past | 32) >= 'a' && (*past | 32) <= 'z') past++;
    for (at = past; at < end;) if (!is_space(next_character(&at, end))) return NULL;
    for (char *letter = line; letter < past; letter++) *letter |= 32;
    *past = 0;
    return past > line ? line : NULL;
}

/* Read the words, sorted and without repeated ones, and work out their hash, see "The word list". Return their number. */
static size_t read_words(const char *file, char ***words, char *hash) {
    char *stop, *at = utf8_contents(file, 200000000, &stop), *end;
    size_t count = 0, distinct = 0, room = 0;
    Text all;
    begin(&all);
    for (*words = NULL; at < stop; at = end + 1) {
        end = memchr(at, '\n', (size_t)(stop - at));
        char *word = word_of(at, end = end ? end : stop);
        GROW(*words, count, room);
        if (word) (*words)[count++] = word;
    }
    if (!count) refuse(file, "no words");
    qsort(*words, count, sizeof **words, by_text);
    for (size_t i = 0; i < count; i++)
        if (!distinct || strcmp((*words)[i], (*words)[distinct - 1])) fprintf(all.file, "%s\n", (*words)[distinct++] = (*words)[i]);
    sha256(&all, hash);
    return distinct;
}

static int by_end(const void *one, const void *other) {
    const char *a = *(char *const *)one, *b = *(char *const *)other;
    size_t i = strlen(a) - 1;
    while (i > 0 && a[i] == b[i]) i--;
    return a[i] - b[i];
}

/* Make the tree of the words of one length, which `fit` has room for. */
static void build_tree(Game *game, char **words, size_t count, int length, char **fit) {
    Tree *tree = &game->trees[length];
    size_t some = 0;
    u32 path[LONGEST]; /* the nodes of a word by position */
    for (size_t i = 0; i < count; i++) if (strlen(words[i]) == (size_t)length) fit[some++] = words[i];
    qsort(fit, some, sizeof *fit, by_end);
    tree->nodes = zeros(some * (size_t)length, sizeof *tree->nodes);
    for (size_t i = 0; i <= some; i++) {
        int fresh = length - 1; /* the last position where the word differs from the one before */
        while (i > 0 && i < some && fit[i][fresh] == fit[i - 1][fresh]) fresh--;
        for (int p = 0; i > 0 && p <= fresh; p++) tree->nodes[path[p]].beyond = tree->count;
        for (int p = fresh; i < some && p >= 0; p--) {
            int letter = fit[i][p] - 'a';
            tree->nodes[path[p] = tree->count++] = (Node){0, (u8)letter, (u8)p};
            game->last[letter] = MAX(game->last[letter], p + 1);
        }
    }
}

static void read_game(Game *game, const char *puzzle, const char *list) {
    char **words;
    Text text;
    read_puzzle(game, puzzle);
    size_t count = read_words(list, &words, game->words_hash);
    begin(&text);
    for (int i = 0; i < game->tiles; i++) fputc(game->row[i] == BLANK ? '?' : 'a' + game->row[i], text.file);
    fprintf(text.file, "\n%d\n", game->rack);
    for (int kind = 0; kind < BLANK; kind++) fprintf(text.file, "%s%c=%d", kind ? "," : "", 'a' + kind, game->value[kind] / POINT);
    fprintf(text.file, "\n%s\n", game->words_hash);
    sha256(&text, game->puzzle_hash);
    char **fit = resized(NULL, count, sizeof *fit);
    for (int length = 1; length <= game->rack; length++) build_tree(game, words, count, length, fit);
}

/* ---------------------------------------------------------------------------------------------------- the best words */

/* Tiles with prices: of each kind the cheapest. top[p][c] is at least what letter c gains at position p + 1. */
typedef struct { i32 price[KINDS][LONGEST], top[LONGEST][KINDS]; u8 count[KINDS]; } Pool;
typedef struct { u8 size, letters[LONGEST]; } Word;
typedef struct { i64 value; Word word; } Best; /* of a state so far, 0 without a word */

/* A turn with words of one length. Its value is base + gain. `fresh` counts the new tiles by kind. */
typedef struct { const Pool *pool; i64 base; const u8 *fresh; int most_old /* letters beyond them */; Best *best; } Turn;

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

/* Return the gain of a word, see "Laying down a word". */
static i64 gain_of(const Game *game, const Pool *pool, const Word *word) {
    i64 gains[LONGEST], total = 0;
    u8 used[KINDS] = {0};
    for (int p = word->size, some = 0, at; p > 0; p--, some++) {
        int c = word->letters[p - 1], i = used[c]++;
        i64 gain = i < pool->count[c] ? p * game->value[c] - pool->price[c][i] : MISSING;
        for (at = some; at > 0 && gains[at - 1] > gain; at--) gains[at] = gains[at - 1];
        total += gains[at] = gain;
    }
    for (int i = 0; i < pool->count[BLANK] && i < word->size && -pool->price[BLANK][i] > gains[i]; i++)
        total -= pool->price[BLANK][i] + gains[i];
    return total;
}

/* Try a word in a turn, unless it gains too little with the cheapest tiles or takes too many old ones, see "r2 and r3". */
static void try_word(const Game *game, const Turn *turn, const Word *word) {
    i64 value = turn->base;
    u8 need[KINDS] = {0};
    for (int p = 0; p < word->size; p++) value += turn->pool->top[p][word->letters[p]];
    if (value <= turn->best->value) return;
    for (int p = 0, old = 0, c; p < word->size; p++) {
        old += ++need[c = word->letters[p]] <= 4 && need[c] > turn->fresh[c];
        if (old > turn->most_old) return;
    }
    value = turn->base + gain_of(game, turn->pool, word);
    if (value > turn->best->value) *turn->best = (Best){value, *word};
}

/* Try all words of one length in all turns. `top` is the most that a letter gains in any turn; at position 1 it includes how far
   the base of the turn is above the value to exceed. So only words with a sum above 0 matter, see "Memory and time". */
static void try_words(const Game *game, const Turn *turns, int count, int length) {
    i64 top[LONGEST][KINDS], most[LONGEST + 1] = {0} /* the sum up to a position */, sum[LONGEST + 1] = {0} /* and from it on */;
    Word word = {(u8)length, {0}};
    const Tree *tree = &game->trees[length];
    for (int p = 0; p < length; p++) {
        i64 best = INT64_MIN;
        for (int c = 0; c < BLANK; c++) top[p][c] = INT64_MIN;
        for (const Turn *t = turns; t < turns + count; t++)
            for (int c = 0; c < BLANK; c++) top[p][c] = MAX(top[p][c], t->pool->top[p][c] + (p ? 0 : t->base - t->best->value));
        for (int c = 0; c < BLANK; c++) best = MAX(best, top[p][c]);
        most[p + 1] = most[p] + best;
    }
    for (u32 i = 0; i < tree->count && most[length] > 0;) {
        Node node = tree->nodes[i];
        int p = node.position;
        sum[p] = sum[p + 1] + top[p][node.letter];
        word.letters[p] = node.letter;
        i = sum[p] + most[p] > 0 ? i + 1 : node.beyond;
        for (int t = 0; t < count && p == 0 && sum[p] > 0; t++) try_word(game, &turns[t], &word);
    }
}

/* ---------------------------------------------------------------------------------------------------- r1 */

/* Return the value of a node from its tiles and the values after a play of each length, MISSING for no such play. */
static i64 free_value(const Game *game, Pool *pool, const i64 *after) {
    Best best = {0, {0, {0}}};
    set_tops(pool, game);
    for (int length = 1; length <= game->rack; length++) {
        Turn turn = {pool, after[length], (u8[KINDS]){0}, LONGEST, &best};
        if (after[length] > MISSING) try_words(game, &turn, 1, length);
    }
    return best.value;
}

/* Return the bound of the prices of r1, see "r1: any tile drawn so far". */
static i64 free_bound(const Game *game, const i32 *prices, int width) {
    int n = game->tiles, k = game->rack;
    i64 *value[LONGEST + 1], ends[LONGEST + 1] = {0}, after[LONGEST + 1], sum = 0, most = 0; /* value[D % (k + 1)][u] is F(D, u) */
    Pool pool = {0};
    for (int i = 0; i < n; i++) sum += prices[i], add_tile(&pool, game->row[i], prices[i], k);
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
                for (int to = u; drawn + j < n && to <= (last + j) / width; to++) after[j] = MAX(after[j], value[(drawn + j) % (k + 1)][to]);
            }
            value[drawn % (k + 1)][u] = free_value(game, &pool, after);
        }
    for (int u = 0; u <= k / width && n > k; u++) most = MAX(most, value[k % (k + 1)][u]);
    return sum + (n > k ? most : ends[n]);
}

/* ---------------------------------------------------------------------------------------------------- r2 and r3 */

typedef struct {
    int played, first, low, high, sides, holds, knot_count, *knots;
    i32 *prices, *leaves; /* by tile of the row; by moment, side, hold and kind */
    Best *best;           /* F by D, l and m */
} Focus;

static Best *best_at(const Game *game, const Focus *f, int drawn, int left, int held) {
    return &f->best[(drawn * (game->tiles + 1) + left) * (game->rack + 1) + held];
}

/* Return the prices of leaves in a cell by kind, see "r2 and r3". */
static const i32 *leave_prices(const Game *game, const Focus *f, int drawn, int left, int held) {
    int cell = (drawn + game->rack - held) * f->sides * f->holds;
    if (drawn < game->tiles) cell = drawn * f->sides + (left - f->low) * f->sides / (f->high - f->low + drawn - f->first + 1);
    if (drawn < game->tiles) cell = cell * f->holds + held * f->holds / game->rack;
    return f->leaves + (size_t)cell * KINDS;
}

static int is_drawn(const Game *game, int place, int drawn, int left) {
    return drawn == game->tiles || place < left || place >= game->tiles - (drawn - left);
}

enum { BLOCK = 3, MOST_TURNS = BLOCK * (LONGEST + 1) };

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
    const i32 *before = leave_prices(game, b->focus, b->drawn, left, b->held), *after = leave_prices(game, b->focus, then, to, keep);
    Pool *pool = &b->pools[t][length];
    Turn *turn = &b->turns[length][t];
    for (int c = 0; c < KINDS; c++) if (b->held && old->count[c]) rise = MAX(rise, after[c] - before[c]);
    *turn = (Turn){pool, (i64)b->held * rise, b->fresh[t], b->held, best_at(game, b->focus, b->drawn, left, b->held)};
    turn->base += best_at(game, b->focus, then, to, keep)->value;
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
    int n = game->tiles, fresh = MIN(game->rack - b->held, n - b->drawn), then = b->drawn + fresh;
    for (int to = then == n ? 0 : left; to <= (then == n ? 0 : left + fresh); to++, b->turn_count++)
        for (int length = 1, keep = b->held + fresh - 1; length <= game->rack; length++, keep--) {
            Turn *turn = &b->turns[length][b->turn_count];
            if (keep < 0) turn->pool = NULL;
            else if (length == 1 || leave_prices(game, b->focus, then, to, keep) != leave_prices(game, b->focus, then, to, keep + 1))
                price_turn(b, b->turn_count, left, then, to, length);
            else { /* the prices are those of the length before, only what follows differs */
                *turn = b->turns[length - 1][b->turn_count];
                turn->base += best_at(game, b->focus, then, to, keep)->value - best_at(game, b->focus, then, to, keep + 1)->value;
            }
        }
}

/* Work out F for the states of a block. The best words of other states come first: the better the values, the fewer words need
   be tried. */
static void value_block(Block *b, int held) {
    const Game *game = b->game;
    b->held = held, b->turn_count = 0;
    for (int left = b->left; left < b->left + b->count; left++) add_turns(b, left);
    for (int t = 0; t < b->turn_count && b->drawn < game->tiles; t++) {
        const Best *own = b->turns[1][t].best, *near[] = {own - 1, own - (game->rack + 1), own + (game->tiles + 1) * (game->rack + 1)};
        for (int i = 0; i < 3; i++) {
            const Word *word = near[i] >= b->focus->best ? &near[i]->word : &own->word;
            if (word->size && b->turns[word->size][t].pool) try_word(game, &b->turns[word->size][t], word);
        }
    }
    for (int length = game->rack; length > 0; length--)
        if (b->turns[length][0].pool) try_words(game, b->turns[length], b->turn_count, length);
}

static void begin_block(Block *b, int drawn, int left, int count) {
    b->drawn = drawn, b->left = left, b->count = count;
    for (int i = 0; i < count; i++) {
        memset(b->old[i].count, 0, KINDS);
        for (int at = 0; at < b->game->tiles; at++)
            if (is_drawn(b->game, at, drawn, left + i)) add_tile(&b->old[i], b->game->row[at], b->focus->prices[at], b->game->rack);
    }
}

/* Work out F for all states of a focus, see "r2 and r3". */
static void evaluate(const Game *game, Focus *f, int is_focus_0) {
    int n = game->tiles, k = game->rack;
    Block *b = zeros(1, sizeof *b);
    b->game = game, b->focus = f;
    f->best = zeros((size_t)((n + 1) * (n + 1) * (k + 1)), sizeof *f->best);
    begin_block(b, n, 0, 1);
    for (int held = 1; held <= MIN(k, n); held++) value_block(b, held);
    for (int drawn = n - 1; drawn >= MAX(k, f->first); drawn--)
        for (int left = f->low, high = MIN(drawn, f->high + drawn - f->first); left <= high; left += BLOCK) {
            begin_block(b, drawn, left, MIN(BLOCK, high - left + 1));
            for (int held = 0; held < k; held++) value_block(b, held);
        }
    if (is_focus_0) begin_block(b, 0, 0, 1), value_block(b, 0);
    free(b);
}

/* ---------------------------------------------------------------------------------------------------- the certificate */

typedef struct {
    const char *file;
    Json json;
    const Json *bound, *priced; /* the claim; the bound of the prices, which is the claim unless it has a field of its own */
    char relaxation;            /* '1', '2' or '3' */
    int width, count;
    Focus *foci; /* focus 0 first */
} Certificate;

static void read_tiles(const char *file, const Game *game, const Json *tiles, Focus *f) {
    if (tiles->count != (size_t)game->tiles) refuse(file, "expected a price for each of the %d tiles", game->tiles);
    f->prices = zeros(tiles->count, sizeof *f->prices);
    for (size_t i = 0; i < tiles->count; i++) f->prices[i] = price(file, &tiles->items[i]);
}

static void read_leaves(const char *file, const Game *game, const Json *leaves, Focus *f) {
    int limits[] = {game->tiles + game->rack + 1, f->sides, f->holds}, cell[3];
    f->leaves = zeros((size_t)(limits[0] * f->sides * f->holds) * KINDS, sizeof *f->leaves);
    for (size_t e = 0; leaves && e < leaves->count; e++) {
        const Json *entry = &leaves->items[e], *prices = entry->items + 3;
        int is_knot = !f->knots;
        if (entry->type != '[' || entry->count != 4 || prices->type != '{') refuse(file, "leaves: expected [moment, side, hold, {prices}]");
        for (int i = 0; i < 3; i++) cell[i] = integer(file, &entry->items[i], 0, limits[i] - 1);
        for (int i = 0; i < f->knot_count; i++) is_knot |= f->knots[i] == cell[0];
        if (!is_knot) refuse(file, "leaves: moment %d is no knot", cell[0]);
        for (size_t i = 0; i < prices->count; i++) {
            const char *name = prices->items[i].name;
            int kind = *name == '?' ? BLANK : *name - 'a';
            if (kind < 0 || kind > BLANK || *name == '{' || name[1]) refuse(file, "leaves: %s: expected a-z or ?", name);
            f->leaves[((cell[0] * f->sides + cell[1]) * f->holds + cell[2]) * KINDS + kind] = price(file, &prices->items[i]);
        }
    }
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

static void read_focus(const char *file, const Game *game, const Json *object, Focus *f) {
    int n = game->tiles, k = game->rack;
    if (object->type != '{') refuse(file, "foci: expected objects");
    check_fields(file, object, "0played [window [knots [tiles [leaves");
    const Json *window = field(object, "window"), *knots = field(object, "knots");
    if (window->count != 3 || !knots->count) refuse(file, "window: expected three integers, knots: at least one");
    f->played = integer(file, field(object, "played"), 0, n);
    f->first = integer(file, &window->items[0], MIN(k, n), n);
    f->high = integer(file, &window->items[2], 0, n);
    f->low = integer(file, &window->items[1], 0, f->high);
    f->knot_count = (int)knots->count, f->knots = zeros(knots->count, sizeof *f->knots);
    for (int i = 0; i < f->knot_count; i++) f->knots[i] = integer(file, &knots->items[i], i ? f->knots[i - 1] + 1 : 0, n + k);
    read_tiles(file, game, field(object, "tiles"), f);
    read_leaves(file, game, field(object, "leaves"), f);
    interpolate(game, f);
}

/* Read what does not depend on the puzzle, see "Faults", steps 1 to 5. */
static void read_certificate(Certificate *c) {
    char *end, *text = contents(c->file, 50000000, &end);
    size_t commas = 0, opened = 0, size = (size_t)(end - text);
    for (const char *at = text; at < end; at++) commas += *at == ',', opened += *at == '[' || *at == '{';
    const char *first = text + (strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3);
    first += strspn(first, " \t\n\r");
    if (*first != '{' || !memmem(text, MIN(size, 200), "\"certificate\"", 13) || commas > 2000000 || opened > 10000000)
        refuse(c->file, "no certificate, or one that is too large");
    Reader r = {c->file, first, end};
    c->json = json_value(&r, 0);
    r.at += strspn(r.at, " \t\n\r");
    if (r.at < end) unexpected(&r, "the end");
    check_fields(c->file, &c->json, "\"certificate \"puzzle \"row? \"puzzle_hash \"words_hash \"relaxation {parameters {prices "
                                    "\"bound \"digest \"bound_of_prices? [foci?");
    check_fields(c->file, field(&c->json, "prices"), "[tiles [leaves?");
    check_fields(c->file, field(&c->json, "parameters"), "0sides? 0holds? 0width?");
    const char *name = field(&c->json, "relaxation")->text;
    c->relaxation = name[0] == 'r' && name[1] >= '1' && name[1] <= '3' && !name[2] ? name[1] : 0;
    c->bound = field(&c->json, "bound"), c->priced = field(&c->json, "bound_of_prices");
    if (strcmp(field(&c->json, "certificate")->text, "rowdraw bound") || !c->relaxation) refuse(c->file, "expected a rowdraw bound of r1, r2 or r3");
    if ((c->priced || field(&c->json, "foci")) && c->relaxation != '3') refuse(c->file, "bound_of_prices, foci: only for r3");
    c->priced = c->priced ? c->priced : c->bound;
}

static int parameter(const Certificate *c, const char *name, int most) {
    const Json *value = field(field(&c->json, "parameters"), name);
    return value ? integer(c->file, value, 1, most) : 1;
}

/* Read the rest, see "Faults", steps 8 to 10. */
static void read_prices(Certificate *c, const Game *game) {
    i64 n = game->tiles;
    const Json *foci = field(&c->json, "foci"), *prices = field(&c->json, "prices"), *leaves = field(prices, "leaves");
    int sides = parameter(c, "sides", 16), holds = parameter(c, "holds", 16), r3 = c->relaxation == '3';
    c->width = parameter(c, "width", game->tiles), c->count = 1 + (foci ? (int)foci->count : 0);
    if ((c->relaxation != '1' && n > 200) || n * n > (i64)80000 * c->width) refuse(c->file, "the row is too long");
    if (c->count > 1001 || (leaves && leaves->count && !r3)) refuse(c->file, "more than 1,000 foci, or prices of leaves without r3");
    c->foci = zeros((size_t)c->count, sizeof *c->foci);
    for (int i = 0; i < c->count; i++) c->foci[i].sides = r3 ? sides : 1, c->foci[i].holds = r3 ? holds : 1;
    read_tiles(c->file, game, field(prices, "tiles"), c->foci);
    read_leaves(c->file, game, leaves, c->foci);
    for (int i = 1; i < c->count; i++) read_focus(c->file, game, &foci->items[i - 1], &c->foci[i]);
}

/* ---------------------------------------------------------------------------------------------------- threads */

typedef struct { void (*task)(void *context, int thread, int number); void *context; int count, next, threads; } Tasks;

static void *run(void *argument) {
    Tasks *tasks = argument;
    int thread = __atomic_fetch_add(&tasks->threads, 1, __ATOMIC_SEQ_CST);
    for (int at; (at = __atomic_fetch_add(&tasks->next, 1, __ATOMIC_SEQ_CST)) < tasks->count;) tasks->task(tasks->context, thread, at);
    return NULL;
}

enum { MOST_THREADS = 64 };
static int processors(void) { return (int)MAX(1, MIN(MOST_THREADS, sysconf(_SC_NPROCESSORS_ONLN))); }

/* Do the tasks 0 to count - 1 on all processors. */
static void in_parallel(void (*task)(void *, int, int), void *context, int count) {
    Tasks tasks = {task, context, count, 0, 0};
    pthread_t threads[MOST_THREADS];
    for (int i = 0; i < processors(); i++)
        if (pthread_create(&threads[i], NULL, run, &tasks)) refuse("check", "no more threads");
    for (int i = 0; i < processors(); i++) pthread_join(threads[i], NULL);
}

/* ---------------------------------------------------------------------------------------------------- states of the sweep */

/* A multiset of tiles has four bits for each letter, those of high value in the highest bits; the number of blanks follows from the
   number of tiles. A state is a leave << SCORE | score. Tiles played, left draws and tiles held follow from the table that holds
   it. A slot 0 is blank, the others are letters by value; see `Sweep.slots`. */
enum { SCORE = 24, MOST_SWEPT = 10, MOST_SCORE = 2097151, SUBSETS = 1 << MOST_SWEPT, GROUPS = MOST_SWEPT + 1 };
#define EMPTY (~(u128)0)

static u128 tile_of(int slot) { return slot ? (u128)1 << 4 * (slot - 1) : 0; }
static int score_of(u128 state) { return (int)((u64)state & ((1 << SCORE) - 1)); }
/* Linear, so that the hash of a multiset is the sum of those of its parts. Each letter reaches at least 28 bits. */
static u64 hash_of(u128 tiles) {
    return (u64)tiles * 0x9e3779b97f4a7c15 + ((u64)tiles >> 32) * 0xd1342543de82ef95 + (u64)(tiles >> 64) * 0xbf58476d1ce4e5b9;
}

#define LENGTH_HASH 0x94d049bb133111eb /* times the length, in the hash of a play */

/* Write the tiles of a multiset of `size` tiles in ascending order. */
static void spell(u128 tiles, int size, u8 *slots) {
    int written = size;
    for (int half = 1; half >= 0; half--)
        for (u64 bits = (u64)(tiles >> 64 * half); bits;) {
            int digit = (63 - __builtin_clzll(bits)) / 4;
            slots[--written] = (u8)(digit + 16 * half + 1);
            bits -= (u64)1 << 4 * digit;
        }
    while (written > 0) slots[--written] = 0;
}

typedef struct { u128 *slots; size_t count; int bits; } Table; /* the best of equal states, by hash; 2^bits slots */
typedef struct { u128 *at; size_t count, room; } States;

static Table new_table(int bits) {
    Table table = {resized(NULL, (size_t)1 << bits, sizeof *table.slots), 0, bits};
    memset(table.slots, 0xff, sizeof *table.slots << bits);
    return table;
}

/* Return the slot of a multiset, an empty one if it is not there. */
static u128 *find(const Table *table, u128 tiles) {
    size_t at = hash_of(tiles) >> (64 - table->bits), last = ((size_t)1 << table->bits) - 1;
    while (table->slots[at] >> SCORE != tiles && table->slots[at] != EMPTY) at = (at + 1) & last;
    return &table->slots[at];
}

static void add_state(Table *table, u128 state) {
    if (!table->slots) *table = new_table(8);
    u128 *slot = find(table, state >> SCORE);
    int is_new = *slot == EMPTY;
    if (is_new || state > *slot) *slot = state;
    if (!is_new || ++table->count * 2 <= (size_t)1 << table->bits) return;
    Table larger = new_table(table->bits + 1);
    larger.count = table->count;
    for (size_t i = 0; i < (size_t)1 << table->bits; i++)
        if (table->slots[i] != EMPTY) *find(&larger, table->slots[i] >> SCORE) = table->slots[i];
    free(table->slots);
    *table = larger;
}

static void drop(Table *table) { free(table->slots), *table = (Table){NULL, 0, 0}; }

/* What completion bounds of leaves of one size consist of: the worth of the first 0, 1, 2, ... tiles of a slot; the rest. */
typedef struct { i64 worth[KINDS][MOST_SWEPT + 2], rest; } Worth;

/* Sub-multisets of some tiles of a rack: the empty one first, all tiles last; number i and number count - 1 - i are all tiles. */
typedef struct {
    int count, held[SUBSETS / 4];
    u128 tiles[SUBSETS / 4];
    i64 points[SUBSETS / 4], most[SUBSETS / 4]; /* the sum of their values, the most they score at the first positions */
    i64 worth[GROUPS][SUBSETS / 4];             /* in leaves, by group of the number of tiles held */
} Half;

/* What the sub-multisets of the higher half reach, by the number of low tiles held: sorted by size, so that those of a group are
   neighbours from begin[group] to begin[group + 1]. */
typedef struct {
    u128 tiles[SUBSETS / 4];
    u64 hash[SUBSETS / 4];
    int held[SUBSETS / 4], begin[MOST_SWEPT][GROUPS + 1];
    i64 kept[MOST_SWEPT][SUBSETS / 4]; /* their worth and the rest */
    i64 gain[MOST_SWEPT][SUBSETS / 4]; /* the most that the other tiles of the half score after the low ones that are played */
    i64 most[MOST_SWEPT][GROUPS];      /* of the sums of both */
} Reach;

/* The leaves that recent racks of a task have reached, each with its score: a leave is tiles << 3 | tiles held % 8, and those of eight
   tiles or more have a table of their own. */
enum { POINTS = 21, RECENT = 15 };
static u128 leave_of(u128 tiles, int held) { return tiles << 3 | (u32)(held & 7); }

/* What a thread works with. */
typedef struct {
    u128 recent[2][1 << RECENT];
    Worth worths[MOST_SWEPT + 1], *near; /* by tiles held; by focus */
    int size, group[MOST_SWEPT + 1], groups; /* of a rack; of numbers of tiles held with equal worths */
    States racks;
    Half low, high;
    Reach reach;
} Worker;

static int points_of(u128 met) { return (int)((u64)met & ((1 << POINTS) - 1)); }
static u128 *recent(Worker *w, u128 tiles, int held) {
    return &w->recent[held >> 3][(hash_of(tiles) + (u64)held * LENGTH_HASH) >> (64 - RECENT)];
}

typedef struct {
    const Game *game;
    const Focus *foci;
    int focus_count, played, slots[KINDS]; /* the layer; the kind of each slot */
    u8 slot_of[KINDS];                     /* the slot of each kind */
    i64 least, value[KINDS], lost[KINDS];  /* the lowest completion bound of interest; by slot: the most that a blank loses */
    Table *tables, plays[MOST_SWEPT + 1];  /* by tiles played, left draws and tiles held; by length: scores by tiles */
    u64 *filter;                           /* a bit for each value of the highest 24 bits of the hash of a play, set if there is such a play */
    States *states;                        /* of the layer, by left draws and tiles held */
    Worker *workers;
} Sweep;

static Table *table_at(const Sweep *s, int played, int left, int held) {
    return &s->tables[(played * (s->game->tiles + 1) + left) * (s->game->rack + 1) + held];
}

/* Whether a focus covers states, see "Which focus"; focus 0 covers all. */
static int covers(const Sweep *s, const Focus *f, int drawn, int left) {
    return f == s->foci || drawn == s->game->tiles || (drawn >= f->first && left >= f->low && left <= MIN(drawn, f->high + drawn - f->first));
}

/* Return the focus for a state, see "Which focus". */
static const Focus *focus_for(const Sweep *s, int layer, int drawn, int left) {
    const Focus *best = s->foci;
    int nearest = INT32_MAX;
    for (const Focus *f = s->foci; f < s->foci + s->focus_count; f++) {
        int z = 2 * left - (layer - f->played), distance = drawn == s->game->tiles ? 0 : MAX(2 * f->low - z, z - 2 * f->high);
        if (f->played > layer || f->played < best->played || !covers(s, f, drawn, left)) continue;
        if (f->played > best->played || distance < nearest) best = f, nearest = distance;
    }
    return best;
}

/* Work out the worth of leaves of `held` tiles with `drawn` tiles drawn, see "Completion bounds". */
static void weigh(const Sweep *s, const Focus *f, int drawn, int left, int held, Worth *w) {
    const Game *game = s->game;
    const i32 *extra = leave_prices(game, f, drawn, left, held);
    Pool pool = {0};
    w->rest = best_at(game, f, drawn, left, held)->value;
    for (int i = 0; i < game->tiles; i++)
        if (is_drawn(game, i, drawn, left)) add_tile(&pool, game->row[i], f->prices[i], MOST_SWEPT + 1);
        else w->rest += f->prices[i];
    for (int slot = 0; slot < KINDS; slot++)
        for (int i = 0, c = s->slots[slot]; i <= MOST_SWEPT + 1; i++)
            w->worth[slot][i] = !i ? 0 : w->worth[slot][i - 1] + (i <= pool.count[c] ? pool.price[c][i - 1] + extra[c] : NO_TILE);
}

/* Whether a state with a blank in place of a letter has enough points more, see "The sweep". */
static int is_dominated(const Sweep *s, const Table *table, u128 state, const u8 *tiles, int size) {
    for (int t = 0; t < size; t++) {
        if (!tiles[t] || (t && tiles[t] == tiles[t - 1])) continue;
        u128 other = *find(table, (state >> SCORE) - tile_of(tiles[t]));
        if (other != EMPTY && score_of(other) >= score_of(state) + s->lost[tiles[t]]) return 1;
    }
    return 0;
}

/* Keep the states of the layer with `left` left draws that no completion bound rules out and no other state dominates: a task. */
static void judge_states(void *context, int thread, int left) {
    const Sweep *s = context;
    Worker *w = &s->workers[thread];
    size_t all = 0;
    for (int held = 0; held < s->game->rack; held++) all += table_at(s, s->played, left, held)->count;
    for (int held = 0; held < s->game->rack; held++) {
        Table *table = table_at(s, s->played, left, held);
        States *states = &s->states[left * s->game->rack + held];
        int drawn = s->played + held, near = 1;
        states->count = 0;
        if (!table->count) continue;
        weigh(s, focus_for(s, s->played, drawn, left), drawn, left, held, w->near);
        for (int f = s->focus_count - 1; f >= 0 && all >= 2000; f--)
            if (covers(s, &s->foci[f], drawn, left)) weigh(s, &s->foci[f], drawn, left, held, &w->near[near++]);
        for (size_t i = 0; i < (size_t)1 << table->bits; i++) {
            u128 state = table->slots[i];
            u8 tiles[MOST_SWEPT], copies[MOST_SWEPT];
            i64 bound = s->least;
            if (state == EMPTY) continue;
            spell(state >> SCORE, held, tiles);
            for (int t = 0; t < held; t++) copies[t] = t && tiles[t] == tiles[t - 1] ? copies[t - 1] + 1 : 1;
            for (const Worth *worth = w->near; worth < w->near + near && bound >= s->least; worth++) {
                bound = POINT * (i64)score_of(state) + worth->rest;
                for (int t = 0; t < held; t++) bound += worth->worth[tiles[t]][copies[t]] - worth->worth[tiles[t]][copies[t] - 1];
            }
            if (bound < s->least || is_dominated(s, table, state, tiles, held)) continue;
            GROW(states->at, states->count, states->room);
            states->at[states->count++] = state;
        }
        drop(table);
    }
}

/* ---------------------------------------------------------------------------------------------------- plays of the sweep */

/* Enter the plays of a word whose letters before position p are still to be laid down: as letters, or as blanks. */
static void enter_plays(const Sweep *s, Table *plays, const u8 *word, int p, int blanks, u128 play) {
    if (!p) add_state(plays, play);
    else enter_plays(s, plays, word, p - 1, blanks, play + (tile_of(word[p - 1]) << SCORE) + (u32)(p * s->value[word[p - 1]] / POINT));
    if (p && blanks) enter_plays(s, plays, word, p - 1, blanks - 1, play);
}

/* Make the table of all plays of one length: a task. */
static void list_plays(void *context, int thread, int length) {
    Sweep *s = context;
    const Tree *tree = &s->game->trees[length];
    u8 word[LONGEST];
    int blanks = 0;
    (void)thread;
    for (int i = 0; i < s->game->tiles; i++) blanks += s->game->row[i] == BLANK;
    for (u32 i = 0; i < tree->count; i++) {
        word[tree->nodes[i].position] = s->slot_of[tree->nodes[i].letter];
        if (!tree->nodes[i].position) enter_plays(s, &s->plays[length], word, length, blanks, 0);
    }
}

/* List the sub-multisets of some tiles, whose equal ones are neighbours in ascending order. */
static void fill_half(const Sweep *s, const Worker *w, Half *half, const u8 *tiles, int size) {
    half->count = 1;
    for (int t = 0, copies = 0, before = 1; t < size; t++) {
        int slot = tiles[t], is_first = !t || slot != tiles[t - 1], at = half->count;
        copies = is_first ? 1 : copies + 1, before = is_first ? at : before;
        i64 points = copies * s->value[slot];
        u128 more = tile_of(slot) * (u128)copies;
        for (int i = 0; i < before; i++) {
            half->tiles[at + i] = half->tiles[i] + more;
            half->points[at + i] = half->points[i] + points;
            half->most[at + i] = half->most[i] + points * half->held[i] + points * (copies + 1) / 2;
            half->held[at + i] = half->held[i] + copies;
        }
        for (int held = 0, group = -1; held < w->size; held++)
            if (w->group[held] > group) {
                i64 worth = w->worths[held].worth[slot][copies];
                group = w->group[held];
                for (int i = 0; i < before; i++) half->worth[group][at + i] = half->worth[group][i] + worth;
            }
        half->count += before;
    }
}

/* Work out what the leaves of the higher half reach. */
static void fill_reach(Worker *w, int lows, int size) {
    const Half *high = &w->high;
    Reach *reach = &w->reach;
    int order[SUBSETS / 4], count = 0;
    for (int held = 0; held <= size - lows; held++)
        for (int i = 0; i < high->count; i++) if (high->held[i] == held) order[count++] = i;
    for (int at = 0; at < count; at++) {
        reach->tiles[at] = high->tiles[order[at]], reach->held[at] = high->held[order[at]];
        reach->hash[at] = hash_of(reach->tiles[at]);
    }
    for (int low_held = 0; low_held <= lows; low_held++) {
        int end = count - (low_held == lows); /* a play takes at least one tile */
        for (int group = 0; group <= w->groups; group++) reach->begin[low_held][group] = end;
        for (int group = 0; group < w->groups; group++) reach->most[low_held][group] = -NO_TILE;
        for (int at = end - 1; at >= 0; at--) {
            int held = low_held + reach->held[at], group = w->group[held], other = high->count - 1 - order[at];
            reach->kept[low_held][at] = w->worths[held].rest + high->worth[group][order[at]];
            reach->gain[low_held][at] = high->most[other] + (lows - low_held) * high->points[other];
            reach->begin[low_held][group] = at;
            reach->most[low_held][group] = MAX(reach->most[low_held][group], reach->kept[low_held][at] + reach->gain[low_held][at]);
        }
    }
}

/* Make the plays of a rack, whose higher half is in `reach`, that may lead to states of interest and are better than those met. */
static void play_rack(const Sweep *s, Worker *w, u128 rack, int size, Table *const *tables) {
    const Half *low = &w->low;
    const Reach *reach = &w->reach;
    i64 score = POINT * (i64)score_of(rack);
    u64 whole = hash_of(rack >> SCORE) + (u64)size * LENGTH_HASH;
    int likely[SUBSETS / 4], fresh[SUBSETS][2], count = 0;
    for (int i = 0; i < low->count; i++) {
        int held = low->held[i], some = 0;
        i64 gain = score + low->most[low->count - 1 - i];
        u64 hash = hash_of(low->tiles[i]);
        for (int group = 0; group < w->groups; group++) {
            i64 lacking = s->least - gain - low->worth[group][i];
            for (int at = reach->begin[held][group]; reach->most[held][group] >= lacking && at < reach->begin[held][group + 1]; at++)
                likely[some] = at, some += reach->kept[held][at] + reach->gain[held][at] >= lacking;
        }
        for (int j = 0; j < some; j++) {
            u64 play = whole - hash - reach->hash[likely[j]] - (u64)(held + reach->held[likely[j]]) * LENGTH_HASH;
            fresh[count][0] = i, fresh[count][1] = likely[j];
            count += s->filter[play >> 46] >> (play >> 40 & 63) & 1;
        }
    }
    for (int j = 0, all = count; j < all; j++) {
        int i = fresh[j][0], at = fresh[j][1], held = low->held[i];
        u128 leave = leave_of(low->tiles[i] + reach->tiles[at], held + reach->held[at]), met = *recent(w, low->tiles[i] + reach->tiles[at], held + reach->held[at]);
        count = j ? count : 0;
        fresh[count][0] = i, fresh[count][1] = at;
        count += (met >> POINTS != leave) | (POINT * (i64)points_of(met) < score + low->most[low->count - 1 - i] + reach->gain[held][at]);
    }
    for (int j = 0; j < count; j++) {
        int i = fresh[j][0], at = fresh[j][1], held = low->held[i] + reach->held[at];
        u128 tiles = low->tiles[i] + reach->tiles[at], play = *find(&s->plays[size - held], (rack >> SCORE) - tiles);
        int points = score_of(rack) + score_of(play);
        if (play == EMPTY || POINT * (i64)points + low->worth[w->group[held]][i] + reach->kept[low->held[i]][at] < s->least) continue;
        u128 leave = leave_of(tiles, held), *met = recent(w, tiles, held);
        if (*met >> POINTS == leave && points_of(*met) >= points) continue;
        *met = leave << POINTS | (u32)points;
        add_state(tables[held], (tiles << SCORE) + (u32)points);
    }
}

/* Compare states. */
static int by_state(const void *one, const void *other) {
    u128 a = *(const u128 *)one, b = *(const u128 *)other;
    return (a > b) - (a < b);
}

/* List the racks with `then` tiles drawn, `to` of them from the left: the best of equal ones, unless they are dominated. They are
   sorted, so that racks with the same higher half are neighbours. */
static void draw_racks(const Sweep *s, Worker *w, int then, int to) {
    int n = s->game->tiles, size = then - s->played;
    Table table = new_table(12);
    for (int held = 0; held < s->game->rack && held <= n - s->played; held++) {
        int drawn = s->played + held, low = then < n ? MAX(0, to - (then - drawn)) : 0, high = then < n ? MIN(to, drawn) : drawn == n ? 0 : drawn;
        for (int left = low; left <= high; left++) {
            const States *states = &s->states[left * s->game->rack + held];
            u128 more = 0;
            for (int i = 0; i < n && states->count; i++)
                if (is_drawn(s->game, i, then, to) && !is_drawn(s->game, i, drawn, left)) more += tile_of(s->slot_of[s->game->row[i]]);
            for (size_t i = 0; i < states->count; i++) add_state(&table, states->at[i] + (more << SCORE));
        }
    }
    w->racks.count = 0;
    for (size_t i = 0; i < (size_t)1 << table.bits && table.count; i++) {
        u8 tiles[MOST_SWEPT];
        if (table.slots[i] == EMPTY) continue;
        spell(table.slots[i] >> SCORE, size, tiles);
        if (is_dominated(s, &table, table.slots[i], tiles, size)) continue;
        GROW(w->racks.at, w->racks.count, w->racks.room);
        w->racks.at[w->racks.count++] = table.slots[i];
    }
    drop(&table);
    if (w->racks.count) qsort(w->racks.at, w->racks.count, sizeof *w->racks.at, by_state);
}

/* Make all plays of the racks of this layer with `to` left draws: a task, for they lead to states with `to` left draws. */
static void play_racks(void *context, int thread, int to) {
    const Sweep *s = context;
    Worker *w = &s->workers[thread];
    int then = MIN(s->game->tiles, s->played + s->game->rack), size = then - s->played, lows = -1;
    const Focus *focus = focus_for(s, s->played, then, to);
    Table *tables[MOST_SWEPT + 1];
    u8 tiles[MOST_SWEPT], high[MOST_SWEPT] = {0};
    draw_racks(s, w, then, to);
    if (w->racks.count) memset(w->recent, 0xff, sizeof w->recent);
    w->size = size;
    for (int held = w->groups = 0; held < size && w->racks.count; held++) {
        weigh(s, focus, then, to, held, &w->worths[held]);
        w->groups += !held || memcmp(w->worths[held].worth, w->worths[held - 1].worth, sizeof w->worths->worth);
        w->group[held] = w->groups - 1;
        tables[held] = table_at(s, s->played + size - held, to, held);
    }
    for (const u128 *rack = w->racks.at; rack < w->racks.at + w->racks.count; rack++) {
        int first = size / 2;
        spell(*rack >> SCORE, size, tiles);
        while (first && tiles[first - 1] == tiles[first]) first--;
        if (first != lows || memcmp(tiles + first, high, (size_t)(size - first))) {
            lows = first, memcpy(high, tiles + first, (size_t)(size - first));
            fill_half(s, w, &w->high, high, size - first);
            fill_reach(w, lows, size);
        }
        fill_half(s, w, &w->low, tiles, lows);
        play_rack(s, w, *rack, size, tables);
    }
}

/* Return the best score of the layer, and refuse too many states. */
static i64 best_score(const Sweep *s) {
    i64 best = 0, count = 0;
    for (const Table *table = table_at(s, s->played, 0, 0); table < table_at(s, s->played + 1, 0, 0); table++) {
        count += (i64)table->count;
        for (size_t i = 0; table->count && i < (size_t)1 << table->bits; i++)
            if (table->slots[i] != EMPTY) best = MAX(best, score_of(table->slots[i]));
    }
    if (count > 300000000) refuse("check", "the sweep has too many states");
    return best;
}

/* Return the best score of the first layer with one above the claim, or the claim, see "The sweep". */
static i64 sweep(const Game *game, const Focus *foci, int focus_count, i64 claim) {
    int n = game->tiles, threads = processors();
    Sweep s = {.game = game, .foci = foci, .focus_count = focus_count, .least = POINT * (claim + 1), .slots = {BLANK}};
    s.filter = zeros((size_t)1 << 18, sizeof *s.filter);
    s.tables = zeros((size_t)((n + 2) * (n + 1) * (game->rack + 1)), sizeof *s.tables);
    s.states = zeros((size_t)((n + 1) * game->rack), sizeof *s.states);
    s.workers = zeros((size_t)threads, sizeof *s.workers);
    for (int i = 0; i < threads; i++) s.workers[i].near = zeros((size_t)focus_count + 1, sizeof(Worth));
    for (int kind = 0; kind < BLANK; kind++) {
        int slot = 1;
        for (int other = 0; other < BLANK; other++)
            slot += game->value[other] < game->value[kind] || (game->value[other] == game->value[kind] && other < kind);
        s.slots[slot] = kind, s.slot_of[kind] = (u8)slot, s.value[slot] = game->value[kind], s.lost[slot] = game->value[kind] / POINT * game->last[kind];
    }
    for (int length = 0; length <= game->rack; length++) s.plays[length] = new_table(8);
    in_parallel(list_plays, &s, game->rack + 1);
    for (int length = 0; length <= game->rack; length++)
        for (size_t i = 0; i < (size_t)1 << s.plays[length].bits; i++) {
            u128 play = s.plays[length].slots[i];
            u64 hash = hash_of(play >> SCORE) + (u64)length * LENGTH_HASH;
            if (play != EMPTY) s.filter[hash >> 46] |= (u64)1 << (hash >> 40 & 63);
        }
    add_state(s.tables, 0);
    for (; s.played <= n; s.played++) {
        i64 best = best_score(&s);
        if (best > claim) return best;
        in_parallel(judge_states, &s, n + 1);
        in_parallel(play_racks, &s, s.played + game->rack < n ? s.played + game->rack + 1 : 1);
    }
    return claim;
}

/* ---------------------------------------------------------------------------------------------------- the verdict */

typedef struct { const Game *game; Focus *foci; } Evaluation;

static void evaluate_one(void *context, int thread, int number) {
    (void)thread;
    evaluate(((Evaluation *)context)->game, &((Evaluation *)context)->foci[number + 1], 0);
}

/* Print the first line of a verdict. */
static int say_wrong(const Certificate *c, const char *name, const char *gives, const char *amount) {
    printf("%s: DOES NOT HOLD on %s: claims %s, %s%s\n", c->file, name, c->bound->text, gives, amount);
    return 1;
}

/* Compare the hashes, see "Hashes"; print a verdict and return 1 if one differs. */
static int check_hashes(const Certificate *c, const Game *game, const char *name) {
    static const char *fields[] = {"puzzle_hash", "words_hash", "digest"}, *codes[] = {"puzzle-hash", "words-hash", "digest"};
    char digest[65];
    Text text;
    put_canonical(begin(&text)->file, &c->json);
    sha256(&text, digest);
    const char *expected[] = {game->puzzle_hash, game->words_hash, digest};
    int wrong = 0;
    for (int i = 0; i < 3; i++) {
        const char *given = field(&c->json, fields[i])->text;
        if (!strcmp(given, expected[i])) continue;
        if (!wrong) wrong = say_wrong(c, name, "not worked out", "");
        printf("%s:0: %s: %.64s: expected %s\n", c->file, codes[i], given, expected[i]);
    }
    return wrong;
}

static int judge(Certificate *c, const Game *game, const char *name) {
    i64 claim = decimal(c->file, c->bound), stated = decimal(c->file, c->priced), found = 0;
    char amount[40];
    read_prices(c, game);
    if (check_hashes(c, game, name)) return 1;
    if (c->relaxation == '1') found = free_bound(game, c->foci->prices, c->width);
    else {
        evaluate(game, c->foci, 1);
        for (int i = 0; i < game->tiles; i++) found += c->foci->prices[i];
        found += best_at(game, c->foci, 0, 0, 0)->value;
    }
    snprintf(amount, sizeof amount, "%lld.%03lld", (long long)found / POINT, (long long)found % POINT);
    if (found != stated) {
        say_wrong(c, name, "its prices give ", amount);
        printf("%s:0: bound-claim: %s claims %s: the prices give %s\n", c->file, c->priced->name, c->priced->text, amount);
        return 1;
    }
    i64 points = claim / POINT - (claim % POINT < 0), best = points;
    if (claim < found) {
        if (game->rack > MOST_SWEPT || points >= MOST_SCORE) refuse(c->file, "the sweep takes more memory than there is");
        in_parallel(evaluate_one, &(Evaluation){game, c->foci}, c->count - 1);
        best = sweep(game, c->foci, c->count, points);
    }
    snprintf(amount, sizeof amount, "%lld.000", (long long)best);
    if (best == points) printf("%s: holds, no game on %s scores more than %s (r%c)\n", c->file, name, c->bound->text, c->relaxation);
    else say_wrong(c, name, "its prices give ", amount), printf("%s:0: bound-claim: claims %s: a game scores %s\n", c->file, c->bound->text, amount);
    return best != points;
}

int main(int count, char **arguments) {
    if (count != 4) refuse("check", "expected CERTIFICATE PUZZLE.toml WORDS.txt");
    Certificate certificate = {.file = arguments[1]};
    Game *game = zeros(1, sizeof *game);
    Text name;
    read_certificate(&certificate);
    read_game(game, arguments[2], arguments[3]);
    fprintf(begin(&name)->file, "%s (%s), with the words of %s", game->name, arguments[2], arguments[3]);
    return judge(&certificate, game, finish(&name));
}
