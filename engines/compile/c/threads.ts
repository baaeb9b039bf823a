/**
 * A library with a team of threads for all others of a process: the caller is thread 0, and one caller at a
 * time has the team; a second one computes alone. Who waits for another looks again and again for some
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

typedef void (*Job)(const void *given, ptrdiff_t t, ptrdiff_t n);

static pthread_mutex_t team = PTHREAD_MUTEX_INITIALIZER, door = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
/* What is to be done, by how many; behind the door. */
static Job job;
static const void *argument;
static ptrdiff_t wanted;
static atomic_uint jobs;
/* The caller has a team of so many, himself among them. */
static ptrdiff_t count = 1;
static unsigned done_before[MOST];
static atomic_long arrived;
static atomic_uint phase;
static _Thread_local ptrdiff_t company = 1;

static void pause_once(unsigned round) {
  if (round > LOOKS) sched_yield();
#if defined(__x86_64__)
  else __builtin_ia32_pause();
#endif
}

static void barrier(void) {
  if (company == 1) return;
  unsigned now = atomic_load(&phase);
  if (atomic_fetch_add(&arrived, 1) == company - 1) {
    atomic_store(&arrived, 0);
    atomic_fetch_add(&phase, 1);
  } else
    for (unsigned round = 0; atomic_load(&phase) == now; round++) pause_once(round);
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
    const void *with = argument;
    company = wanted;
    pthread_mutex_unlock(&door);
    if (t >= company) continue;
    given(with, t, company);
    barrier();
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

static void together(Job given, const void *with, ptrdiff_t threads) {
  if (threads <= 1 || pthread_mutex_trylock(&team) != 0) {
    given(with, 0, 1);
    return;
  }
  if (count < threads) start(threads < MOST ? threads : MOST);
  pthread_mutex_lock(&door);
  job = given;
  argument = with;
  company = wanted = threads < count ? threads : count;
  atomic_fetch_add(&jobs, 1);
  pthread_cond_broadcast(&news);
  pthread_mutex_unlock(&door);
  given(with, 0, company);
  barrier();
  company = 1;
  pthread_mutex_unlock(&team);
}

uintptr_t address_of_together(void) { return (uintptr_t)together; }
uintptr_t address_of_barrier(void) { return (uintptr_t)barrier; }
`;
