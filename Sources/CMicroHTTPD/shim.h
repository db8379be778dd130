#ifndef SYNCD_CMICROHTTPD_SHIM_H
#define SYNCD_CMICROHTTPD_SHIM_H
#include <microhttpd.h>

/* MHD_start_daemon is variadic, which Swift cannot call. The listening socket is ours, so that a
   taken port is an errno of bind(2); the daemon closes it. No answer within two minutes ends a
   connection; more than 512 at a time are refused. */
static inline struct MHD_Daemon *syncd_mhd_start(
    int listening, MHD_AccessHandlerCallback handler,
    void *(*first_line)(void *, const char *, struct MHD_Connection *),
    MHD_RequestCompletedCallback completed, void *closure) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, closure,
      MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_URI_LOG_CALLBACK, first_line, closure,
      MHD_OPTION_NOTIFY_COMPLETED, completed, closure, MHD_OPTION_CONNECTION_LIMIT, 512u,
      MHD_OPTION_CONNECTION_TIMEOUT, 120u, MHD_OPTION_END);
}

#endif
