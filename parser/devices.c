/* Replica groups in their three spellings: lists, iota, mesh axes (op-semantics 2.2). */
#include "parser/devices.h"

#include <string.h>

#include "parser/actions.h"

/* Product of positive sizes; 0 and a message when one is not positive, or there are more devices than we take. */
static int64_t count_devices(Parser *p, IntList sizes, Span span) {
    int64_t n = 1;
    for (int i = 0; i < sizes.n; i++) {
        if (sizes.at[i] <= 0) {
            parse_error(p, span, E_DEVICES, "%lld is no number of devices", (long long)sizes.at[i]);
            return 0;
        }
        if (sizes.at[i] > MOST_DEVICES / n) {
            parse_error(p, span, E_DEVICES, "more than %d devices", MOST_DEVICES);
            return 0;
        }
        n *= sizes.at[i];
    }
    return n;
}

/* ---- iota -------------------------------------------------------------------------------------------------------- */

void iota_begin(Parser *p, IntList dims, Span span) {
    p->iota = (Iota){.dims = dims, .span = span, .n = count_devices(p, dims, span)};
}

void iota_order(Parser *p, TokenText word, Span word_span, IntList order, Span span) {
    Iota *iota = &p->iota;
    if (!text_is(word, "T"))
        parse_error(p, word_span, E_DEVICES, "'%s(' is no order of devices: T(", text_quoted(p, word));
    iota->order = order;
    if (order.n != iota->dims.n) {
        parse_error(p, span, E_DEVICES, "the order names %d dimensions of %d", order.n, iota->dims.n);
        iota->n = 0;
        return;
    }
    bool *seen = NEW_ARRAY(p->scratch, bool, order.n);
    for (int i = 0; i < order.n; i++) {
        int64_t d = order.at[i];
        if (d < 0 || d >= order.n || seen[d]) {
            parse_error(p, span, E_DEVICES, "the order is no permutation of the %d dimensions: %lld", order.n,
                        (long long)d);
            iota->n = 0;
            return;
        }
        seen[d] = true;
    }
}

/* The order must be there if there is something to order, and only then. */
static bool iota_is_whole(Parser *p) {
    Iota *iota = &p->iota;
    if (!iota->n) return false;
    if (iota->dims.n >= 2 && !iota->order.at) {
        parse_error(p, iota->span, E_DEVICES, "%d dimensions of devices need an order, as in T(1,0)", iota->dims.n);
        return false;
    }
    if (iota->dims.n == 1 && iota->order.at) {
        parse_error(p, iota->span, E_DEVICES, "one dimension of devices has no order T(...)");
        return false;
    }
    return true;
}

int64_t iota_count(Parser *p) {
    return iota_is_whole(p) ? p->iota.n : 0;
}

/* The n numbers of the transposed array in row-major order. */
static const int64_t *iota_numbers(Parser *p) {
    const Iota *iota = &p->iota;
    int rank = iota->dims.n;
    int64_t *numbers = NEW_ARRAY(p->arena, int64_t, iota->n);
    int64_t *strides = NEW_ARRAY(p->scratch, int64_t, rank), *index = NEW_ARRAY(p->scratch, int64_t, rank);
    int64_t stride = 1;
    for (int d = rank - 1; d >= 0; d--) strides[d] = stride, stride *= iota->dims.at[d];
    for (int64_t i = 0; i < iota->n; i++) {
        for (int k = 0; k < rank; k++) numbers[i] += index[k] * strides[iota->order.at ? iota->order.at[k] : k];
        for (int k = rank - 1; k >= 0; k--) {
            if (++index[k] < iota->dims.at[iota->order.at ? iota->order.at[k] : k]) break;
            index[k] = 0;
        }
    }
    return numbers;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static void set_groups(Parser *p, int n, const IntList *groups, Span span) {
    ReplicaGroups *value = NEW(p->arena, ReplicaGroups);
    *value = (ReplicaGroups){n, groups, source_text(p, span)};
    naming(p)->value.groups = value;
}

/* n_groups lists of equal length, one behind the other in numbers. */
static void set_equal_groups(Parser *p, int64_t n_groups, int64_t size, const int64_t *numbers, Span span) {
    IntList *groups = NEW_ARRAY(p->arena, IntList, n_groups);
    for (int64_t g = 0; g < n_groups; g++) groups[g] = (IntList){(int)size, numbers + g * size};
    set_groups(p, (int)n_groups, groups, span);
}

void groups_from_lists(Parser *p, Span span) {
    IntList *groups = NEW_ARRAY(p->arena, IntList, p->int_lists.n);
    if (p->int_lists.n) memcpy(groups, p->int_lists.at, (size_t)p->int_lists.n * sizeof *groups);
    set_groups(p, p->int_lists.n, groups, span);
}

void groups_from_iota(Parser *p, IntList sizes, Span span) {
    set_groups(p, 0, NULL, span);
    int64_t n = iota_count(p);
    if (!n) return;
    if (sizes.n != 2) {
        parse_error(p, span, E_DEVICES, "groups have a number and a size, as in [2,4]<=[8], not %d numbers", sizes.n);
        return;
    }
    int64_t wanted = count_devices(p, sizes, span);
    if (!wanted) return;
    if (wanted != n) {
        parse_error(p, span, E_DEVICES,
                    "%lld groups of %lld are %lld devices, but there are %lld on the other side of '<='",
                    (long long)sizes.at[0], (long long)sizes.at[1], (long long)wanted, (long long)n);
        return;
    }
    set_equal_groups(p, sizes.at[0], sizes.at[1], iota_numbers(p), span);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

bool mesh_begin(Parser *p, TokenText word, Span span) {
    p->mesh = (Mesh){.axes = {.at = p->mesh.axes.at, .cap = p->mesh.axes.cap},
                     .parts = {.at = p->mesh.parts.at, .cap = p->mesh.parts.cap},
                     .maximal = text_is(word, "maximal_mesh")};
    if (p->mesh.maximal || text_is(word, "mesh")) return true;
    return parse_fail(p, span, E_UNKNOWN_WORD, "'%s' has no meaning in '%s'", text_quoted(p, word), naming(p)->name);
}

static TokenText axis_name(Parser *p, TokenText text, Span span) {
    return text.at[0] == '"' || text.at[0] == '\'' ? string_bytes(p, text, span) : text;
}

static bool same_name(TokenText a, TokenText b) {
    return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

void mesh_axis(Parser *p, TokenText text, Span span, int64_t size, Span size_span) {
    Mesh *mesh = &p->mesh;
    MeshAxis axis = {axis_name(p, text, span), size};
    for (int i = 0; i < mesh->axes.n; i++)
        if (same_name(mesh->axes.at[i].name, axis.name))
            parse_error(p, span, E_DEVICES, "the mesh has two axes %s", text_quoted(p, text));
    if (mesh->maximal && !text_is(axis.name, "device_id"))
        parse_error(p, span, E_DEVICES, "a maximal_mesh has a device_id, not '%s'", text_quoted(p, axis.name));
    if (size < (mesh->maximal ? 0 : 1))
        parse_error(p, size_span, E_DEVICES, "%lld is no %s", (long long)size,
                    mesh->maximal ? "device" : "size of an axis");
    vec_push(p->scratch, &mesh->axes, axis);
}

void mesh_device_list(Parser *p, IntList ids) {
    p->mesh.ids = ids;
    if (!ids.at) p->mesh.ids.at = NEW_ARRAY(p->arena, int64_t, 1);
}

void mesh_device_iota(Parser *p) {
    int64_t n = iota_count(p);
    if (n) p->mesh.ids = (IntList){(int)n, iota_numbers(p)};
}

void mesh_end(Parser *p, Span span) {
    Mesh *mesh = &p->mesh;
    if (mesh->maximal) {
        mesh->n = 1;
        int64_t *id = NEW_ARRAY(p->arena, int64_t, 1);
        *id = mesh->axes.n ? mesh->axes.at[0].size : 0;
        mesh->ids = (IntList){1, id};
        if (mesh->axes.n != 1) parse_error(p, span, E_DEVICES, "a maximal_mesh has one device_id");
        mesh->axes.n = 0;
        return;
    }
    int64_t *sizes = NEW_ARRAY(p->scratch, int64_t, mesh->axes.n);
    for (int i = 0; i < mesh->axes.n; i++) sizes[i] = mesh->axes.at[i].size;
    mesh->n = count_devices(p, (IntList){mesh->axes.n, sizes}, span);
    if (mesh->n && mesh->ids.at && mesh->ids.n != mesh->n) {
        parse_error(p, span, E_DEVICES, "the mesh has %lld devices, device_ids %d", (long long)mesh->n, mesh->ids.n);
        mesh->n = 0;
    }
}

/* The axis of a name, or of a number written as a string. */
static int find_axis(const Mesh *mesh, TokenText name) {
    for (int i = 0; i < mesh->axes.n; i++)
        if (same_name(mesh->axes.at[i].name, name)) return i;
    int number = 0;
    for (size_t i = 0; i < name.n; i++) {
        if (name.at[i] < '0' || name.at[i] > '9' || number > MOST_DEVICES) return -1;
        number = 10 * number + (name.at[i] - '0');
    }
    return name.n && number < mesh->axes.n ? number : -1;
}

void axis_add(Parser *p, TokenText text, Span span, int64_t pre, int64_t size) {
    Mesh *mesh = &p->mesh;
    TokenText name = axis_name(p, text, span);
    int axis = find_axis(mesh, name);
    if (axis < 0) {
        parse_error(p, span, E_DEVICES, "the mesh has no axis '%s'", text_quoted(p, name));
        mesh->n = 0;
        return;
    }
    int64_t whole = mesh->axes.at[axis].size;
    bool splits = !size || (pre > 0 && size > 0 && pre <= whole && size <= whole / pre && whole % (pre * size) == 0);
    if (!splits) {
        parse_error(p, span, E_DEVICES, "axis '%s' of size %lld has no part (%lld)%lld", text_quoted(p, name),
                    (long long)whole, (long long)pre, (long long)size);
        mesh->n = 0;
        return;
    }
    AxisPart part = {axis, size ? pre : 1, size ? size : whole};
    for (int i = 0; i < mesh->parts.n; i++) {
        const AxisPart *other = &mesh->parts.at[i];
        bool apart = other->axis != axis || part.pre >= other->pre * other->size || other->pre >= part.pre * part.size;
        if (!apart) {
            parse_error(p, span, E_DEVICES, "axis '%s' is there already", text_quoted(p, name));
            mesh->n = 0;
            return;
        }
    }
    vec_push(p->scratch, &mesh->parts, part);
}

/* A piece of an axis between two neighbouring boundaries; the mesh is the product of all pieces. */
typedef struct {
    int64_t size, stride;
    int part; /* that groups along it; -1: none */
} Piece;

/* Adds the pieces of axis, major to minor. False: the boundaries of its parts do not divide each other. */
static bool split_axis(Parser *p, int axis, int64_t stride, Piece *pieces, int *n) {
    const Mesh *mesh = &p->mesh;
    int64_t whole = mesh->axes.at[axis].size, done = 1; /* of the sizes of pieces */
    while (done < whole) {
        int64_t next = whole;
        int part = -1;
        for (int i = 0; i < mesh->parts.n; i++) {
            const AxisPart *at = &mesh->parts.at[i];
            if (at->axis != axis || at->size == 1) continue;
            if (at->pre == done) {
                if (part >= 0) return false;
                part = i;
                next = at->pre * at->size;
            }
        }
        for (int i = 0; part < 0 && i < mesh->parts.n; i++) {
            const AxisPart *at = &mesh->parts.at[i];
            if (at->axis == axis && at->size > 1 && at->pre > done && at->pre < next) next = at->pre;
        }
        for (int i = 0; i < mesh->parts.n; i++) {
            const AxisPart *at = &mesh->parts.at[i];
            if (at->axis == axis && at->size > 1 && at->pre > done && at->pre < next) return false;
        }
        if (next % done) return false;
        pieces[(*n)++] = (Piece){next / done, stride * (whole / next), part};
        done = next;
    }
    return true;
}

/* The places along pieces with part == wanted (wanted < 0: those without a part), in row-major order: how many, and the
 * sums of their strides. */
static int64_t walk(Parser *p, const Piece *pieces, int n, int n_parts, bool grouped, const int64_t **out) {
    VEC(Piece) mine = {0};
    for (int k = 0; k < (grouped ? n_parts : 1); k++)
        for (int i = 0; i < n; i++)
            if (pieces[i].part == (grouped ? k : -1)) vec_push(p->scratch, &mine, pieces[i]);
    int64_t total = 1;
    for (int i = 0; i < mine.n; i++) total *= mine.at[i].size;
    int64_t *places = NEW_ARRAY(p->scratch, int64_t, total);
    for (int64_t k = 0; k < total; k++) {
        int64_t rest = k;
        for (int i = mine.n - 1; i >= 0; i--) {
            places[k] += rest % mine.at[i].size * mine.at[i].stride;
            rest /= mine.at[i].size;
        }
    }
    *out = places;
    return total;
}

void groups_from_mesh(Parser *p, Span span) {
    Mesh *mesh = &p->mesh;
    set_groups(p, 0, NULL, span);
    if (!mesh->n) return;
    Piece *pieces = NEW_ARRAY(p->scratch, Piece, 64 * (mesh->axes.n + 1)); /* an axis of 2^20 has 20 pieces at most */
    int n = 0;
    int64_t stride = mesh->n;
    for (int axis = 0; axis < mesh->axes.n; axis++) {
        stride /= mesh->axes.at[axis].size;
        if (!split_axis(p, axis, stride, pieces, &n)) {
            parse_error(p, span, E_DEVICES, "the parts of axis '%s' do not divide each other",
                        text_quoted(p, mesh->axes.at[axis].name));
            return;
        }
    }
    const int64_t *outer, *inner;
    int64_t n_groups = walk(p, pieces, n, mesh->parts.n, false, &outer);
    int64_t size = walk(p, pieces, n, mesh->parts.n, true, &inner);
    int64_t *numbers = NEW_ARRAY(p->arena, int64_t, n_groups *size);
    for (int64_t g = 0; g < n_groups; g++)
        for (int64_t i = 0; i < size; i++) {
            int64_t place = outer[g] + inner[i];
            numbers[g * size + i] = mesh->ids.at ? mesh->ids.at[place] : place;
        }
    set_equal_groups(p, n_groups, size, numbers, span);
}
