#ifndef SYNCD_CCURL_SHIM_H
#define SYNCD_CCURL_SHIM_H

#include <curl/curl.h>
#include <dlfcn.h>
#include <sys/prctl.h>

/* libcurl's functions, each of the type that libcurl's own header declares. Nothing links libcurl:
   it is loaded while the process runs, and its functions are found by their names. */

#define CCURL_EACH(take)                                                                           \
    take(global_init) take(version) take(easy_init) take(easy_cleanup) take(easy_setopt)           \
    take(easy_getinfo) take(easy_pause) take(easy_strerror) take(multi_init)                       \
    take(multi_cleanup) take(multi_setopt) take(multi_add_handle) take(multi_remove_handle) take(multi_perform)        \
    take(multi_poll) take(multi_info_read) take(slist_append) take(slist_free_all)

#define CCURL_MEMBER(name) __typeof__(curl_##name) *_Nonnull name;
struct ccurl_functions {
    CCURL_EACH(CCURL_MEMBER)
};
#undef CCURL_MEMBER

/* Finds all of them in a library that is loaded. NULL, or the name of one that it does not have; then
   the table is not to be used. */
static inline const char *_Nullable ccurl_find(void *_Nonnull library,
                                               struct ccurl_functions *_Nonnull functions) {
    void *found;
#define CCURL_FIND(name)                                                                           \
    found = dlsym(library, "curl_" #name);                                                         \
    if (!found) return "curl_" #name;                                                              \
    functions->name = (__typeof__(curl_##name) *)found;
    CCURL_EACH(CCURL_FIND)
#undef CCURL_FIND
    return NULL;
}

#undef CCURL_EACH

typedef const struct ccurl_functions *_Nonnull ccurl_table;

/* Swift cannot call C functions with variable arguments: one function for each kind of value. */

static inline CURLcode ccurl_set_long(ccurl_table curl, CURL *easy, CURLoption option, long value) {
    return curl->easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_text(ccurl_table curl, CURL *easy, CURLoption option,
                                      const char *value) {
    return curl->easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(ccurl_table curl, CURL *easy, CURLoption option,
                                         void *value) {
    return curl->easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_copy_body(ccurl_table curl, CURL *easy, const void *bytes,
                                       curl_off_t count) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return code ? code : curl->easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, (const char *)bytes);
}

static inline CURLcode ccurl_on_header(ccurl_table curl, CURL *easy, curl_write_callback call,
                                       void *context) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_HEADERFUNCTION, call);
    return code ? code : curl->easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

static inline CURLcode ccurl_on_body(ccurl_table curl, CURL *easy, curl_write_callback call,
                                     void *context) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_WRITEFUNCTION, call);
    return code ? code : curl->easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

static inline CURLcode ccurl_on_progress(ccurl_table curl, CURL *easy, curl_xferinfo_callback call,
                                         void *context) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, call);
    if (!code) code = curl->easy_setopt(easy, CURLOPT_XFERINFODATA, context);
    return code ? code : curl->easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
}

static inline CURLcode ccurl_before_request(ccurl_table curl, CURL *easy, curl_prereq_callback call,
                                            void *context) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_PREREQFUNCTION, call);
    return code ? code : curl->easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

static inline CURLcode ccurl_get_long(ccurl_table curl, CURL *easy, CURLINFO info, long *value) {
    return curl->easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_on_open_socket(ccurl_table curl, CURL *easy,
                                            curl_opensocket_callback call, void *context) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, call);
    return code ? code : curl->easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

static inline CURLcode ccurl_on_close_socket(ccurl_table curl, CURL *easy,
                                             curl_closesocket_callback call, void *context) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, call);
    return code ? code : curl->easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
}

static inline CURLcode ccurl_get_private(ccurl_table curl, CURL *easy, void **value) {
    return curl->easy_getinfo(easy, CURLINFO_PRIVATE, (char **)value);
}

static inline CURLMcode ccurl_multi_set_long(ccurl_table curl, CURLM *multi, CURLMoption option,
                                             long value) {
    return curl->multi_setopt(multi, option, value);
}

/* The name of the calling thread, as `ps -L` and `top -H` show it; at most 15 bytes. */
static inline int ccurl_name_thread(const char *name) {
    return prctl(PR_SET_NAME, name, 0, 0, 0);
}

#endif
