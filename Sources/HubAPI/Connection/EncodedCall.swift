package import Foundation

/// A call with its parameters as they are sent: each time the same bytes, so that the hub knows it again by its key.
package struct EncodedCall<Parameters: Codable & Sendable, Result: Codable & Sendable>: Sendable {
    /// The method.
    package let method: Method<Parameters, Result>
    /// See ``HubRequest/key``.
    package let key: UUID?
    let body: Data

    /// Prepares a call.
    ///
    /// - Throws: `malformedMessage` for parameters that JSON cannot say.
    package init(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters,
        key: UUID? = nil
    ) throws(HubError) {
        self.method = method
        self.key = key
        do {
            body = try JSONEncoder().encode(parameters)
        } catch {
            let reason = "The parameters of \(method.name) cannot be written as JSON: \(error)."
            throw HubError(.malformedMessage, reason)
        }
    }
}
