/* A program for `command:`: in every turn the best play of all draws.

   cc -O2 -o greedy greedy.c

   The row stands on standard input, the words in the file that ROWDRAW_WORDS names. It knows the letter values and the rack of the
   challenge only; `command-json:` tells those of other puzzles. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RACK 10
#define BLANK 26
#define MOST_WORDS 400000

static const int VALUES[27] = {1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 5, 1, 3, 1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10, 0};
static char words[MOST_WORDS][RACK + 1];
static int n_words;

static int code(char tile) { return tile == '?' ? BLANK : tile - 'a'; }

/* The best score of `word` from the counts of `rack`, its tiles in `play`; -1 where they do not suffice. A letter goes to the
   later places first, where it counts for more, and blanks stand for what is missing. */
static int lay(const char *word, const int *rack, char *play) {
    int left[27], score = 0;
    memcpy(left, rack, sizeof left);
    for (int i = (int)strlen(word) - 1; i >= 0; i--) {
        int tile = left[code(word[i])] ? code(word[i]) : BLANK;
        if (!left[tile]) return -1;
        left[tile]--;
        score += (i + 1) * VALUES[tile];
        play[i] = tile == BLANK ? '?' : word[i];
    }
    play[strlen(word)] = 0;
    return score;
}

int main(void) {
    static char row[20000], word[1000];
    const char *path = getenv("ROWDRAW_WORDS");
    FILE *list = path ? fopen(path, "r") : NULL;
    if (!list || scanf("%19999s", row) != 1) {
        fprintf(stderr, "expected a row on standard input, and words in ROWDRAW_WORDS\n");
        return 1;
    }
    while (n_words < MOST_WORDS && fscanf(list, "%999s", word) == 1)
        if (strlen(word) <= RACK) strcpy(words[n_words++], word);
    int rack[27] = {0}, held = 0, first = 0, end = (int)strlen(row);
    for (;;) {
        int drawn = RACK - held < end - first ? RACK - held : end - first, best = -1, best_left = 0, best_word = 0;
        char play[RACK + 1], best_play[RACK + 1] = "";
        for (int left = 0; left <= drawn; left++) {
            int now[27];
            memcpy(now, rack, sizeof now);
            for (int i = 0; i < left; i++) now[code(row[first + i])]++;
            for (int i = 0; i < drawn - left; i++) now[code(row[end - 1 - i])]++;
            for (int i = 0; i < n_words; i++) {
                int score = lay(words[i], now, play);
                if (score > best) {
                    best = score, best_left = left, best_word = i;
                    strcpy(best_play, play);
                }
            }
        }
        if (best < 0) return 0;
        printf("%d %s %s\n", best_left, best_play, words[best_word]);
        fflush(stdout);
        for (int i = 0; i < best_left; i++) rack[code(row[first + i])]++;
        for (int i = 0; i < drawn - best_left; i++) rack[code(row[end - 1 - i])]++;
        for (const char *tile = best_play; *tile; tile++) rack[code(*tile)]--;
        first += best_left, end -= drawn - best_left, held += drawn - (int)strlen(best_play);
    }
}
