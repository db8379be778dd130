import APIClient
import CCurl
import Glibc

/// libcurl, loaded while the process runs.
///
/// It comes with some thirty libraries, whose loading takes longer than most commands of a program
/// that seldom asks a server. So nothing links it; who makes the first request loads it, and it
/// stays: neither libcurl nor its TLS library can be taken out of a process that used them.
///
/// Source: dlopen(3), dlsym(3).
final class CurlLibrary {
    /// libcurl's functions, valid as long as this object.
    let functions: UnsafePointer<ccurl_functions>

    /// The name of libcurl's interface, which has not changed since 2006 (libcurl 7.16).
    static let standardName = "libcurl.so.4"

    /// Loads the library `name`, or finds it loaded; its functions are looked up at once, so that
    /// none is missing later.
    ///
    /// - Throws: `TransportError.missingLibrary` if there is no such library, or it lacks a
    ///   function. The next try looks again.
    init(named name: String) throws(TransportError) {
        guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            throw .missingLibrary(dlerror().map { String(cString: $0) } ?? name)
        }
        let functions = UnsafeMutablePointer<ccurl_functions>.allocate(capacity: 1)
        if let missing = ccurl_find(library, functions) {
            functions.deallocate()
            throw .missingLibrary("\(name) has no \(String(cString: missing))")
        }
        self.functions = UnsafePointer(functions)
    }

    deinit { functions.deallocate() }

    /// The same, to be called.
    var call: ccurl_functions { functions.pointee }

    /// It and its TLS library with their versions, as libcurl names them.
    ///
    /// Source: curl_version(3). Nothing is started by asking.
    var version: String {
        call.version().map { String(cString: $0) } ?? "libcurl"
    }

    /// Starts libcurl; false when it has no memory. That counts its callers, is safe among threads
    /// since 7.84, and is never undone: OpenSSL's own clean-up at exit would race with it.
    func start() -> Bool {
        call.global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }

    /// libcurl's standing text for a result.
    func words(for code: CURLcode) -> String? {
        call.easy_strerror(code).map { String(cString: $0) }
    }
}
