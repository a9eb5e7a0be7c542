/// A protocol above TLS.
package enum ApplicationProtocol: String, Sendable {
    case http2 = "h2"
    case http1 = "http/1.1"
}
