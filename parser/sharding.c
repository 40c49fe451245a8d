/* Shardings: checked, and kept as text (hlo-text-format section 8). */
#include <string.h>

#include "parser/actions.h"

static ShardingDraft *draft(Parser *p) {
    return &p->shardings.at[p->shardings.n - 1];
}

void sharding_open(Parser *p) {
    vec_push(p->scratch, &p->shardings, (ShardingDraft){0});
    p->mesh.axes.n = 0;
    naming(p)->first_part = p->parts.n;
}

static void pop(Parser *p) {
    p->parts.n = naming(p)->first_part;
    p->shardings.n--;
    nest_leave(p);
}

void sharding_word(Parser *p, TokenText word, Span span) {
    ShardingDraft *d = draft(p);
    if (text_is(word, "last_tile_dim_replicate")) {
        d->replicates_last = true;
        return;
    }
    if (text_is(word, "shard_as") || text_is(word, "shard_like")) {
        d->word = "manual"; /* nothing more is said */
        parse_error(p, span, E_SHARDING, "'%s' wants the number of a group", text_quoted(p, word));
        return;
    }
    if (!d->word) d->word = text_copy(p, word);
    else if (!text_is(word, d->word))
        parse_error(p, span, E_SHARDING, "a sharding is '%s' or '%s', not both", d->word, text_quoted(p, word));
}

void sharding_group(Parser *p, TokenText word, Span span, int64_t number) {
    (void)number;
    if (!text_is(word, "shard_as") && !text_is(word, "shard_like"))
        parse_error(p, span, E_SHARDING, "'%s' takes no number", text_quoted(p, word));
}

void sharding_tiles(Parser *p, IntList tiles) {
    draft(p)->has_tiles = true;
    draft(p)->tiles = tiles;
}

void sharding_devices(Parser *p, Span span) {
    ShardingDraft *d = draft(p);
    d->is_list = true;
    d->n_devices = p->ints.n;
    d->devices_span = span;
    p->ints.n = 0;
}

void sharding_iota(Parser *p, Span span) {
    ShardingDraft *d = draft(p);
    d->n_devices = iota_count(p);
    d->devices_span = span;
}

void tile_keyword(Parser *p, TokenText word, Span span) {
    static const char *const words[] = {"replicated", "manual", "maximal", "unreduced"};
    draft(p)->has_last_dims = true;
    for (int i = 0; i < 4; i++)
        if (text_is(word, words[i])) return;
    parse_error(p, span, E_SHARDING, "'%s' is no kind of tile dimension: %s", text_quoted(p, word),
                quoted_list(p, words, 4));
}

void unreduced_word(Parser *p, TokenText word, Span span) {
    static const char *const words[] = {"sum", "max", "min"};
    for (int i = 0; i < 3; i++)
        if (text_is(word, words[i])) return;
    parse_error(p, span, E_SHARDING, "'%s' is no reduction: %s", text_quoted(p, word), quoted_list(p, words, 3));
}

static bool has_part(const Parser *p, const char *key, Span *span) {
    const Naming *top = &p->namings.at[p->namings.n - 1];
    for (int i = top->first_part; i < p->parts.n; i++) {
        if (strcmp(p->parts.at[i].row->key, key) != 0) continue;
        *span = p->parts.at[i].name;
        return true;
    }
    return false;
}

static void check_tiles(Parser *p, const ShardingDraft *d) {
    if (!d->n_devices) return;
    int64_t n = 1;
    for (int i = 0; i < d->tiles.n; i++) {
        if (d->tiles.at[i] <= 0 || d->tiles.at[i] > INT32_MAX) n = 0;
        else n = n > INT32_MAX / d->tiles.at[i] ? 0 : n * d->tiles.at[i];
    }
    if (n != d->n_devices)
        parse_error(p, d->devices_span, E_SHARDING, "%lld device%s for %lld tiles", (long long)d->n_devices,
                    d->n_devices == 1 ? "" : "s", (long long)n);
    else if (n == 1 && d->is_list)
        parse_error(p, d->devices_span, E_SHARDING, "a list of one device is written {maximal device=...}");
}

void sharding_close_empty(Parser *p, Span span) {
    if (p->shardings.n > 1) parse_error(p, span, E_SHARDING, "an empty sharding may not stand in a tuple of shardings");
    pop(p);
}

void sharding_close(Parser *p, Span span) {
    const ShardingDraft *d = draft(p);
    Span device;
    bool has_device = has_part(p, "device", &device), maximal = d->word && strcmp(d->word, "maximal") == 0;
    if (maximal) {
        if (!has_device || d->has_tiles)
            parse_error(p, span, E_SHARDING, "a maximal sharding has one device: {maximal device=0}");
    } else if (has_device) {
        parse_error(p, device, E_SHARDING, "only a maximal sharding has a 'device'");
    } else if (d->word) {
        if (d->has_tiles)
            parse_error(p, d->devices_span, E_SHARDING, "a sharding that is '%s' has no devices", d->word);
    } else if (!d->has_tiles) {
        parse_error(p, span, E_SHARDING, "'devices' is missing in this sharding");
    } else {
        check_tiles(p, d);
    }
    if (d->replicates_last && d->has_last_dims)
        parse_error(p, span, E_SHARDING, "last_tile_dim_replicate and last_tile_dims exclude each other");
    pop(p);
}

void sharding_close_named(Parser *p) {
    pop(p);
}

void sharding_close_tuple(Parser *p, Span span) {
    if (p->shardings.n > 1) parse_error(p, span, E_SHARDING, "tuples of shardings are flat: one sharding per array");
    pop(p);
}
