import Foundation
import HTTPTypes
import HomeModel
import HubAPI
import HummingbirdCore
import NIOCore
import WebServer

/// The response to a request that isn't carried out.
struct Refusal: Error {
    var answer: HTTPAnswer

    init(_ answer: HTTPAnswer) {
        self.answer = answer
    }

    init(_ error: HubError) {
        self.init(HTTPAnswer(error))
    }
}

extension RequestBodyReader {
    /// Reads a request's JSON.
    ///
    /// - Parameter limit: The maximum size of the body, in bytes.
    /// - Returns: The body, or the response to a request without a valid one.
    func json(
        of request: inout Request,
        upTo limit: Int,
        _ channel: any Channel
    ) async -> Result<ByteBuffer, Refusal> {
        guard Self.isJSON(request.headers[.contentType]) else {
            let error = HubError(.malformedMessage, "The request must have the Content-Type application/json.")
            var answer = HTTPAnswer(error)
            answer.status = .unsupportedMediaType
            return .failure(Refusal(answer.closing))
        }
        return await bytes(of: &request, upTo: limit, channel).mapError { error in
            var answer = HTTPAnswer(HubError(.malformedMessage, "The body is longer than \(error.limit) bytes."))
            answer.status = .contentTooLarge
            return Refusal(answer.closing)
        }
    }

    private static func isJSON(_ type: String?) -> Bool {
        type?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased() == "application/json"
    }
}

extension ByteBuffer {
    /// Decodes a request's JSON.
    func decoded<Value: Decodable>(as type: Value.Type) throws(HubError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(readableBytesView))
        } catch let error as DecodingError {
            throw HubError(.malformedMessage, "The request is invalid: \(error.location).")
        } catch {
            throw HubError(.malformedMessage, "The request cannot be read.")
        }
    }
}

extension Request {
    /// Returns the UUID in a header field; `nil` if there is no such field.
    func id(_ name: HTTPField.Name) throws(HubError) -> UUID? {
        guard let text = headers[name] else { return nil }
        guard let id = UUID(uuidString: text) else { throw HubError(.malformedMessage, "\(name) must be a UUID.") }
        return id
    }
}
