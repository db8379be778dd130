#ifndef SYNCD_CMICROHTTPD_SHIM_H
#define SYNCD_CMICROHTTPD_SHIM_H
#include <microhttpd.h>
#endif
