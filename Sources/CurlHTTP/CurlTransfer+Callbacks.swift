import APIClient
import CCurl
import Glibc

/// The functions libcurl calls, each of which finds its transfer behind the context pointer.
extension CurlTransfer {
    /// The transfer of a handle. The pointer is valid while the loop holds the transfer, and the
    /// loop holds it until the handle is removed.
    static func of(easy: UnsafeMutableRawPointer, _ curl: CurlLibrary) -> CurlTransfer? {
        var context: UnsafeMutableRawPointer?
        guard ccurl_get_private(curl.functions, easy, &context) == CURLE_OK else { return nil }
        return of(context: context)
    }

    private static func of(context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    static let onHeader: curl_write_callback = { bytes, size, count, context in
        guard let transfer = CurlTransfer.of(context: context) else { return 0 }
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return transfer.take(headerLine: line) ? line.count : 0
    }

    static let onBody: curl_write_callback = { bytes, size, count, context in
        guard let transfer = CurlTransfer.of(context: context) else { return 0 }
        let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return switch transfer.take(bodyPiece: piece) {
        case .taken: piece.count
        case .refused: 0
        case .rests: Int(CURL_WRITEFUNC_PAUSE)
        }
    }

    /// libcurl calls this whenever bytes have moved. It reads a proxy's answer to CONNECT to its
    /// end before it returns, and calls this for each byte of it.
    static let onProgress: curl_xferinfo_callback = { context, _, _, _, _ in
        guard let transfer = CurlTransfer.of(context: context) else { return 1 }
        return transfer.mayConnect() ? 0 : 1
    }

    static let beforeRequest: curl_prereq_callback = { context, _, _, remotePort, localPort in
        guard let transfer = CurlTransfer.of(context: context),
            transfer.mayRelease(localPort: localPort, remotePort: remotePort)
        else { return CInt(CURL_PREREQFUNC_ABORT) }
        return CInt(CURL_PREREQFUNC_OK)
    }

    static let openSocket: curl_opensocket_callback = { context, _, address in
        guard let transfer = CurlTransfer.of(context: context), let address else {
            return CURL_SOCKET_BAD
        }
        transfer.didOpenSocket()
        let wanted = address.pointee
        return transfer.sockets.make(wanted.family, wanted.socktype, wanted.protocol)
    }

    /// A connection outlives its transfer, so this context is the table of sockets itself.
    static let closeSocket: curl_closesocket_callback = { context, descriptor in
        guard let context else { return Glibc.close(descriptor) }
        return Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().close(descriptor)
    }
}
