/* dim_labels=b01f_01io->b01f (hlo-text-format 4.6). */
#include <string.h>

#include "parser/actions.h"

/* One of the three parts: positions of its two letters and of its spatial dims. '?' is a dim without a role. */
typedef struct {
    const char *text, *letters; /* "bf" or "io" */
    int n;
    int letter[2]; /* -1: missing */
    int n_spatial;
    int *spatial; /* position of each digit; -1: missing */
} LabelPart;

static bool read_part(Parser *p, LabelPart *part, Span span) {
    part->letter[0] = part->letter[1] = -1;
    part->spatial = NEW_ARRAY(p->arena, int, part->n);
    for (int i = 0; i < part->n; i++) part->spatial[i] = -1;
    for (int i = 0; i < part->n; i++) {
        char c = part->text[i];
        const char *letter = strchr(part->letters, c);
        int *slot = letter ? &part->letter[letter - part->letters] : NULL;
        if (c == '?') continue;
        if (c >= '0' && c <= '9' && c - '0' < part->n) slot = &part->spatial[c - '0'];
        if (!slot || *slot >= 0) {
            const char *why = slot ? "stands twice" : c >= '0' && c <= '9' ? "is too large" : "is none of its letters";
            parse_error(p, span, E_DIM_LABELS, "'%c' in '%.*s' of dim_labels %s", c, part->n, part->text, why);
            return false;
        }
        *slot = i;
        part->n_spatial += c >= '0' && c <= '9';
    }
    for (int k = 0; k < 2; k++) {
        if (part->letter[k] >= 0) continue;
        parse_error(p, span, E_DIM_LABELS, "'%.*s' of dim_labels lacks '%c'", part->n, part->text, part->letters[k]);
        return false;
    }
    for (int i = 0; i < part->n_spatial; i++) {
        if (part->spatial[i] >= 0) continue;
        parse_error(p, span, E_DIM_LABELS, "'%.*s' of dim_labels lacks dimension %d", part->n, part->text, i);
        return false;
    }
    return true;
}

void value_dim_labels(Parser *p, TokenText text, Span span) {
    const char *low = memchr(text.at, '_', text.n), *arrow = memchr(low, '>', text.n - (size_t)(low - text.at));
    LabelPart input = {.text = text.at, .letters = "bf", .n = (int)(low - text.at)};
    LabelPart kernel = {.text = low + 1, .letters = "io", .n = (int)(arrow - low - 2)};
    LabelPart output = {.text = arrow + 1, .letters = "bf", .n = (int)(text.at + text.n - arrow - 1)};
    if (!read_part(p, &input, span) || !read_part(p, &kernel, span) || !read_part(p, &output, span)) return;
    if (input.n_spatial != kernel.n_spatial || input.n_spatial != output.n_spatial) {
        parse_error(p, span, E_DIM_LABELS,
                    "dim_labels have %d, %d and %d spatial dimensions: they must be equally many", input.n_spatial,
                    kernel.n_spatial, output.n_spatial);
        return;
    }
    DimLabels *labels = NEW(p->arena, DimLabels);
    *labels = (DimLabels){
        .n_spatial = input.n_spatial,
        .input_batch = input.letter[0],
        .input_feature = input.letter[1],
        .kernel_input = kernel.letter[0],
        .kernel_output = kernel.letter[1],
        .output_batch = output.letter[0],
        .output_feature = output.letter[1],
        .input_spatial = input.spatial,
        .kernel_spatial = kernel.spatial,
        .output_spatial = output.spatial,
        .text = text_copy(p, text),
    };
    naming(p)->value.dim_labels = labels;
}
