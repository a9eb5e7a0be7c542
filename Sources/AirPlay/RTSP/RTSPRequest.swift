package import HAP

/// A request of the control connection: RTSP/1.0, or HTTP/1.1 for the few paths that AirPlay took from HTTP.
package struct RTSPRequest: Hashable, Sendable {
    /// The method.
    package var method: RTSPMethod
    /// The URI of the stream, a path, or `*`.
    package var uri: String
    /// The header fields.
    package var headers: HTTPHeaders
    /// The body.
    package var body: [UInt8]

    /// Creates a request from its parts.
    package init(_ method: RTSPMethod, _ uri: String, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.uri = uri
        self.headers = headers
        self.body = body
    }

    /// The bytes to send. `Content-Length` is always the length of the body.
    package func encoded() -> [UInt8] {
        HTTPMessage.encode(headers: headers, body: body.isEmpty ? nil : body) { line in
            line += method.rawValue.utf8.lazy.filter(HTTPSyntax.isToken)
            line.append(HTTPSyntax.space)
            line += uri.utf8.lazy.filter(HTTPSyntax.isVisible)
            line += " \(RTSPRequestLine.version)".utf8
        }
    }
}

/// The method of a request of the control connection. Unknown methods are preserved.
package struct RTSPMethod: RawRepresentable, Hashable, Sendable {
    /// The method's name, which is case-sensitive.
    package let rawValue: String

    /// Creates a method from its name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Asks for the methods.
    package static let options = RTSPMethod(rawValue: "OPTIONS")
    /// Announces the format of the audio.
    package static let announce = RTSPMethod(rawValue: "ANNOUNCE")
    /// Exchanges the ports.
    package static let setup = RTSPMethod(rawValue: "SETUP")
    /// Starts the audio.
    package static let record = RTSPMethod(rawValue: "RECORD")
    /// Discards audio that hasn't been played.
    package static let flush = RTSPMethod(rawValue: "FLUSH")
    /// Reads a parameter, such as the volume.
    package static let getParameter = RTSPMethod(rawValue: "GET_PARAMETER")
    /// Sets the volume, the progress, the metadata or the artwork.
    package static let setParameter = RTSPMethod(rawValue: "SET_PARAMETER")
    /// Ends the stream.
    package static let teardown = RTSPMethod(rawValue: "TEARDOWN")
    /// Reads information about the receiver.
    package static let get = RTSPMethod(rawValue: "GET")
    /// Keeps the stream alive, among other things.
    package static let post = RTSPMethod(rawValue: "POST")
}

/// A request line such as `RECORD rtsp://192.168.1.20/1 RTSP/1.0`.
struct RTSPRequestLine: HTTPStartLine {
    static let version = "RTSP/1.0"

    let method: RTSPMethod
    let uri: String

    init(line: ArraySlice<UInt8>) throws(HTTPError) {
        let parts = line.split(separator: HTTPSyntax.space, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(HTTPSyntax.isToken), !parts[1].isEmpty,
            parts[1].allSatisfy(HTTPSyntax.isVisible)
        else { throw .malformedStartLine }
        guard parts[2].elementsEqual(Self.version.utf8) || parts[2].elementsEqual("HTTP/1.1".utf8) else {
            let isKnown = parts[2].starts(with: "RTSP/".utf8) || parts[2].starts(with: "HTTP/".utf8)
            throw isKnown ? .unsupportedVersion : .malformedStartLine
        }
        method = RTSPMethod(rawValue: String(decoding: parts[0], as: UTF8.self))
        uri = String(decoding: parts[1], as: UTF8.self)
    }

    func framing(_ headers: HTTPHeaders) throws(HTTPError) -> HTTPFraming {
        guard headers[HTTPHeaderName.transferEncoding] == nil else { throw .lengthRequired }
        return .length(try headers.contentLength() ?? 0)
    }

    func bodyLimit(_ limits: HTTPLimits) -> Int { limits.bodyLength }
}
