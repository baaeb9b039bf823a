/**
 * A library with a team of threads for all others of a process: the caller is thread 0, and one caller at a
 * time has the team; a second one computes alone. Threads take the parts of a stage as they come: none waits
 * for one that the system has stopped between two parts. Who waits looks again and again for some
 * microseconds, then gives the processor away; between two programs a thread sleeps. Threads are started when
 * a program is first run, and never end.
 */
export const teamText = `
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define LOOKS 1000
#define MOST 64
#define PARTS 16

typedef void (*Job)(ptrdiff_t t, ptrdiff_t n);

static pthread_mutex_t team = PTHREAD_MUTEX_INITIALIZER, door = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
/* What is to be done, by how many, and the number of its first stage; behind the door. */
static Job job;
static ptrdiff_t wanted;
static uint64_t first;
static atomic_uint jobs;
/* The caller has a team of so many, himself among them. */
static ptrdiff_t count = 1;
static unsigned done_before[MOST];
/* The number of the open stage, which is never used again, and below it that of the next part. */
static _Atomic uint64_t ticket;
static atomic_int done;
static _Thread_local uint64_t base;

static void pause_once(unsigned round) {
  if (round > LOOKS) sched_yield();
#if defined(__x86_64__)
  else __builtin_ia32_pause();
#endif
}

static void open_stage(ptrdiff_t stage) {
  atomic_store(&done, 0);
  atomic_store(&ticket, (base + (uint64_t)stage) << 16);
}

/* Waits until a stage is open, and returns a part that nobody has; -1 if there is none. */
static ptrdiff_t take_part(ptrdiff_t stage) {
  uint64_t mine = base + (uint64_t)stage;
  for (unsigned round = 0;; round++) {
    uint64_t now = atomic_load(&ticket);
    if (now >> 16 > mine || (now >> 16 == mine && (now & 0xFFFF) == PARTS)) return -1;
    if (now >> 16 < mine) pause_once(round);
    else if (atomic_compare_exchange_weak(&ticket, &now, now + 1)) return (ptrdiff_t)(now & 0xFFFF);
  }
}

static void finish_part(void) { atomic_fetch_add(&done, 1); }

static void close_stage(void) {
  for (unsigned round = 0; atomic_load(&done) != PARTS; round++) pause_once(round);
}

static void *work(void *number) {
  ptrdiff_t t = (ptrdiff_t)number;
  unsigned seen = done_before[t];
  for (;;) {
    for (unsigned round = 0; atomic_load(&jobs) == seen && round < LOOKS; round++) pause_once(round);
    pthread_mutex_lock(&door);
    while (atomic_load(&jobs) == seen) pthread_cond_wait(&news, &door);
    seen = atomic_load(&jobs);
    Job given = job;
    ptrdiff_t n = wanted;
    base = first;
    pthread_mutex_unlock(&door);
    if (t < n) given(t, n);
  }
  return NULL;
}

/* Starts the threads that are missing; none hears signals, which are the caller's. */
static void start(ptrdiff_t most) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  for (; count < most; count++) {
    done_before[count] = atomic_load(&jobs);
    if (pthread_create(&thread, NULL, work, (void *)count) != 0) break;
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void together(Job given, ptrdiff_t threads) {
  if (threads > 1 && count < threads) start(threads < MOST ? threads : MOST);
  ptrdiff_t n = threads < count ? threads : count;
  pthread_mutex_lock(&door);
  job = given;
  wanted = n;
  base = first = (atomic_load(&ticket) >> 16) + 1;
  atomic_fetch_add(&jobs, 1);
  pthread_cond_broadcast(&news);
  pthread_mutex_unlock(&door);
  given(0, n);
}

static int enter(void) { return pthread_mutex_trylock(&team) == 0; }
static void leave(void) { pthread_mutex_unlock(&team); }

static const struct {
  int (*enter)(void);
  void (*leave)(void);
  void (*together)(Job, ptrdiff_t);
  void (*open)(ptrdiff_t);
  ptrdiff_t (*take)(ptrdiff_t);
  void (*finish)(void);
  void (*close)(void);
} table = { enter, leave, together, open_stage, take_part, finish_part, close_stage };

uintptr_t address_of_team(void) { return (uintptr_t)&table; }
`;
