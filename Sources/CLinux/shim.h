#ifndef SYNCD_CLINUX_SHIM_H
#define SYNCD_CLINUX_SHIM_H

/* What Glibc's Swift module leaves out. */
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#endif
