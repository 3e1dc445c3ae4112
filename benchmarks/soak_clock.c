/* A clock that jumps, for one process: the seconds in the file $SOAK_CLOCK are added to the time of
   day. Clocks that measure how long something takes stay as they are.

   cc -shared -fPIC -o soak_clock.so soak_clock.c */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long none = 0;

static long offset(void) {
    static long *seconds = NULL;
    if (seconds == NULL) {
        const char *name = getenv("SOAK_CLOCK");
        int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
        void *mapped = file < 0 ? MAP_FAILED
                                : mmap(NULL, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
        seconds = mapped == MAP_FAILED ? &none : mapped;
    }
    return *seconds;
}

int clock_gettime(clockid_t clock, struct timespec *found) {
    int result = (int)syscall(SYS_clock_gettime, clock, found);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        found->tv_sec += offset();
    return result;
}

int gettimeofday(struct timeval *restrict found, void *restrict zone) {
    int result = (int)syscall(SYS_gettimeofday, found, zone);
    if (result == 0 && found != NULL) found->tv_sec += offset();
    return result;
}

time_t time(time_t *found) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (found != NULL) *found = now.tv_sec;
    return now.tv_sec;
}
