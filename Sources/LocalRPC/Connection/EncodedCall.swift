package import Foundation

/// A call with its encoded parameters. Every attempt sends the same bytes, so that the server recognizes it by its key.
package struct EncodedCall<Parameters: Codable & Sendable, Result: Codable & Sendable>: Sendable {
    /// The method.
    package let method: Method<Parameters, Result>
    /// The idempotency key. See ``RPCRequest/key``.
    package let key: UUID?
    /// The parameters as JSON.
    package let body: Data

    /// Encodes a call.
    ///
    /// - Throws: ``RPCError`` with `malformedMessage` if JSON can't express the parameters.
    package init(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters,
        key: UUID? = nil
    ) throws(RPCError) {
        self.method = method
        self.key = key
        do {
            body = try JSONEncoder().encode(parameters)
        } catch {
            throw RPCError(.malformedMessage, "The parameters of \(method.name) can't be written as JSON: \(error).")
        }
    }
}

extension Method {
    /// Decodes the body of a reply. It fails with `malformedMessage` if the body isn't a result of the method.
    package func decode(_ body: Data) -> Swift.Result<Result, RPCError> {
        do {
            return .success(try JSONDecoder().decode(Result.self, from: body))
        } catch {
            return .failure(RPCError(.malformedMessage, "The reply to \(name) has an unexpected form: \(error)."))
        }
    }
}
