#include "driver/words.h"

#include <string.h>

#include "base/text.h"

bool words_split(Arena *arena, Words *words, const char *text) {
    Text word = {0};
    char quote = 0;
    bool in_word = false;
    for (const char *c = text; *c; c++) {
        bool blank = strchr(" \t\r\n", *c) != NULL;
        if (!quote && blank) {
            if (in_word) words_add(arena, words, arena_string(arena, text_string(&word), word.n));
            text_clear(&word);
            in_word = false;
            continue;
        }
        in_word = true;
        if (quote && *c == quote) quote = 0;
        else if (!quote && (*c == '\'' || *c == '"')) quote = *c;
        else if (*c == '\\' && quote != '\'' && c[1]) text_char(&word, *++c);
        else text_char(&word, *c);
    }
    if (in_word) words_add(arena, words, arena_string(arena, text_string(&word), word.n));
    text_free(&word);
    return !quote;
}

void words_add(Arena *arena, Words *words, const char *word) {
    vec_push(arena, words, word);
}

void words_end(Arena *arena, Words *words) {
    vec_push(arena, words, NULL);
    words->n--;
}
