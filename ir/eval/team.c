#include "ir/eval/team.h"

#include <pthread.h>
#include <string.h>

#include "base/arena.h"
#include "ir/eval/eval.h"

typedef struct Message {
    int64_t from, to, channel;
    Value *value;
    struct Message *next;
} Message;

struct Team {
    pthread_mutex_t turn;      /* held by the device that runs */
    pthread_cond_t something;  /* happened: look whether it is what you wait for */
    Diags *diags;
    bool (*body)(Eval *eval, void *context);
    void *context;
    int alive, blocked; /* devices that have not ended; that wait, and saw all that happened so far */
    int64_t events;
    bool failed, stuck; /* stuck: all that are left wait */
    Meeting *meetings;
    Message *messages;
};

typedef struct {
    Team *team;
    int device;
    bool started, good;
    pthread_t thread;
} Device;

/* Waits until something happens. False: nothing ever will, or another device failed. */
static bool wait_for_others(Team *team) {
    int64_t seen = team->events;
    team->blocked++;
    while (team->events == seen && !team->failed && !team->stuck) {
        if (team->blocked < team->alive) {
            pthread_cond_wait(&team->something, &team->turn);
            continue;
        }
        team->stuck = true;
        pthread_cond_broadcast(&team->something);
    }
    return team->events != seen && !team->failed;
}

/* All that wait may go on and look. */
static void wake_all(Team *team) {
    team->events++;
    team->blocked = 0;
    pthread_cond_broadcast(&team->something);
}

static void *run_device(void *context) {
    Device *device = context;
    Team *team = device->team;
    pthread_mutex_lock(&team->turn);
    Arena *arena = arena_new();
    Eval *eval = eval_new(arena, team->diags);
    eval->team = team;
    eval->device = device->device;
    device->good = !team->failed && team->body(eval, team->context);
    if (!device->good) team->failed = true;
    arena_free(arena);
    team->alive--;
    if (team->alive && team->blocked == team->alive) team->stuck = true;
    if (team->failed || team->stuck) pthread_cond_broadcast(&team->something);
    pthread_mutex_unlock(&team->turn);
    return NULL;
}

static void meeting_free(Team *team, Meeting *meeting);

static void free_rest(Team *team) {
    while (team->meetings) meeting_free(team, team->meetings);
    for (Message *m = team->messages, *next; m; m = next) {
        next = m->next;
        value_release(m->value);
        base_free(m);
    }
}

bool team_run(int n, Diags *diags, bool (*body)(Eval *eval, void *context), void *context) {
    enum { STACK_BYTES = 64 << 20 };
    Team team = {.diags = diags, .body = body, .context = context, .alive = n};
    Device *devices = base_malloc((size_t)n * sizeof *devices);
    pthread_attr_t attributes;
    bool good = true;
    pthread_mutex_init(&team.turn, NULL);
    pthread_cond_init(&team.something, NULL);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_mutex_lock(&team.turn);
    for (int d = 0; d < n; d++) {
        devices[d] = (Device){.team = &team, .device = d};
        devices[d].started = pthread_create(&devices[d].thread, &attributes, run_device, &devices[d]) == 0;
        if (devices[d].started) continue;
        team.alive--;
        if (!team.failed) diag_error(diags, (Span){0, 0}, NULL, "cannot start a thread for device %d", d);
        team.failed = true;
    }
    pthread_mutex_unlock(&team.turn);
    for (int d = 0; d < n; d++) {
        if (devices[d].started) pthread_join(devices[d].thread, NULL);
        good &= devices[d].good;
    }
    pthread_attr_destroy(&attributes);
    pthread_cond_destroy(&team.something);
    pthread_mutex_destroy(&team.turn);
    free_rest(&team);
    base_free(devices);
    return good;
}

/* ---- meetings ---------------------------------------------------------------------------------------------------- */

static bool is_meeting(const Meeting *m, const Instr *instr, int n, const int64_t *members) {
    return m->instr == instr && m->n == n && memcmp(m->members, members, (size_t)n * sizeof *members) == 0;
}

/* The meeting that this member has not come to yet. */
static Meeting *find_meeting(Team *team, const Instr *instr, int n, const int64_t *members, int me) {
    for (Meeting *m = team->meetings; m; m = m->next)
        if (is_meeting(m, instr, n, members) && !m->values[me]) return m;
    char *block = base_malloc(sizeof(Meeting) + (size_t)n * (sizeof(Value **) + sizeof *members));
    Meeting *m = (Meeting *)(void *)block, **last = &team->meetings;
    Value ***values = (Value ***)(void *)(block + sizeof *m);
    int64_t *copy = (int64_t *)(void *)(values + n);
    memset(values, 0, (size_t)n * sizeof *values);
    memcpy(copy, members, (size_t)n * sizeof *copy);
    *m = (Meeting){.n = n, .n_operands = instr->n_operands, .values = values, .instr = instr, .members = copy};
    while (*last) last = &(*last)->next;
    return *last = m;
}

static void meeting_free(Team *team, Meeting *meeting) {
    Meeting **at = &team->meetings;
    while (*at != meeting) at = &(*at)->next;
    *at = meeting->next;
    for (int i = 0; i < meeting->n; i++) {
        for (int k = 0; k < meeting->n_operands && meeting->values[i]; k++) value_release(meeting->values[i][k]);
        base_free(meeting->values[i]);
    }
    base_free(meeting);
}

static void report_missing(Eval *eval, const Meeting *meeting) {
    Text missing = {0};
    for (int i = 0; i < meeting->n; i++)
        if (!meeting->values[i]) text_printf(&missing, "%s%lld", missing.n ? ", " : "", (long long)meeting->members[i]);
    eval_error(eval, meeting->instr, "device %d waits at '%s' for %s, which never comes", eval->device,
               meeting->instr->name,
               text_string(&missing));
    text_free(&missing);
}

Meeting *team_meet(Eval *eval, const Instr *instr, int n, const int64_t *members, Value **operands) {
    Team *team = eval->team;
    int me = 0;
    while (members[me] != eval->device) me++;
    Meeting *meeting = find_meeting(team, instr, n, members, me);
    meeting->values[me] = base_malloc((size_t)(instr->n_operands + 1) * sizeof(Value *));
    for (int k = 0; k < instr->n_operands; k++) meeting->values[me][k] = value_retain(operands[k]);
    if (++meeting->arrived == n) wake_all(team);
    while (meeting->arrived < n) {
        if (wait_for_others(team)) continue;
        if (!team->failed) report_missing(eval, meeting);
        team->failed = true;
        return NULL;
    }
    return meeting;
}

void team_leave(Eval *eval, Meeting *meeting) {
    if (++meeting->left == meeting->n) meeting_free(eval->team, meeting);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

void team_send(Eval *eval, int64_t to, int64_t channel, Value *value) {
    Message *message = base_malloc(sizeof *message), **last = &eval->team->messages;
    *message = (Message){eval->device, to, channel, value_retain(value), NULL};
    while (*last) last = &(*last)->next;
    *last = message;
    wake_all(eval->team);
}

static Value *take_message(Team *team, int64_t from, int64_t to, int64_t channel) {
    for (Message **at = &team->messages; *at; at = &(*at)->next) {
        Message *message = *at;
        if (message->from != from || message->to != to || message->channel != channel) continue;
        Value *value = message->value;
        *at = message->next;
        base_free(message);
        return value;
    }
    return NULL;
}

Value *team_receive(Eval *eval, const Instr *instr, int64_t from, int64_t channel) {
    Team *team = eval->team;
    for (;;) {
        Value *value = take_message(team, from, eval->device, channel);
        if (value) return value;
        if (wait_for_others(team)) continue;
        if (!team->failed)
            eval_error(eval, instr, "device %d waits at '%s' for device %lld, which sends nothing", eval->device,
                       instr->name,
                       (long long)from);
        team->failed = true;
        return NULL;
    }
}
