#ifndef SYNCD_CMICROHTTPD_SHIM_H
#define SYNCD_CMICROHTTPD_SHIM_H
#include <microhttpd.h>

/* MHD_start_daemon is variadic, which Swift cannot call. The listening socket is ours, so that a
   taken port is an errno of bind(2); the daemon closes it. poll(2) and not epoll(7): with the
   latter, libmicrohttpd 0.9.75 does not see that a client closed right after a part of a request,
   and the connection stays until its time is over (measured: 500 such clients, and nobody else is
   let in). Two silent minutes end a connection; no more than 512 are open at a time. */
static inline struct MHD_Daemon *syncd_mhd_start(
    int listening, MHD_AccessHandlerCallback handler,
    void *(*first_line)(void *, const char *, struct MHD_Connection *),
    MHD_NotifyConnectionCallback connection, void *closure) {
  return MHD_start_daemon(
      MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, closure,
      MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_URI_LOG_CALLBACK, first_line, closure,
      MHD_OPTION_NOTIFY_CONNECTION, connection, closure, MHD_OPTION_CONNECTION_LIMIT, 512u,
      MHD_OPTION_CONNECTION_TIMEOUT, 120u, MHD_OPTION_END);
}

/* What the connection's start left with it. */
static inline void *syncd_mhd_connection_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

#endif
