internal import COpenSSL

/// An error of TLS or of a certificate.
package struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What failed.
    package var description: String

    init(_ description: String) {
        self.description = description
    }

    /// Creates an error with what OpenSSL reports about the last call on this thread.
    static func openSSL(_ what: String) -> TLSError {
        var reasons: [String] = []
        while case let error = ERR_get_error(), error != 0 {
            if let reason = ERR_reason_error_string(error) { reasons.append(String(cString: reason)) }
        }
        return TLSError(reasons.isEmpty ? what : "\(what): \(reasons.joined(separator: ", "))")
    }
}
