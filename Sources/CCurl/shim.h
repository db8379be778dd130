#ifndef SYNCD_CCURL_SHIM_H
#define SYNCD_CCURL_SHIM_H
#include <curl/curl.h>
#endif
