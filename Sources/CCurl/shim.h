#ifndef SYNCD_CCURL_SHIM_H
#define SYNCD_CCURL_SHIM_H

#include <curl/curl.h>
#include <sys/prctl.h>

/* Swift cannot call C functions with variable arguments: one function for each kind of value. */

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_copy_body(CURL *easy, const void *bytes, curl_off_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return code ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, (const char *)bytes);
}

static inline CURLcode ccurl_on_header(CURL *easy, curl_write_callback call, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, call);
    return code ? code : curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

static inline CURLcode ccurl_on_body(CURL *easy, curl_write_callback call, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, call);
    return code ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

static inline CURLcode ccurl_before_request(CURL *easy, curl_prereq_callback call, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, call);
    return code ? code : curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_on_open_socket(CURL *easy, curl_opensocket_callback call,
                                            void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, call);
    return code ? code : curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

static inline CURLcode ccurl_on_close_socket(CURL *easy, curl_closesocket_callback call,
                                             void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, call);
    return code ? code : curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
}

static inline CURLcode ccurl_get_private(CURL *easy, void **value) {
    return curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/* The name of the calling thread, as `ps -L` and `top -H` show it; at most 15 bytes. */
static inline int ccurl_name_thread(const char *name) {
    return prctl(PR_SET_NAME, name, 0, 0, 0);
}

#endif
