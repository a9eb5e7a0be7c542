import Foundation
import HTTPTypes
import HomeModel
import HubAPI
import HummingbirdCore
import NIOCore

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

/// Reads the JSON of requests, within limits of size and time.
struct RequestBodyReader: Sendable {
    /// The maximum time from the first byte of a body to its last.
    let time: Duration

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
        // A client that sends its body too slowly is disconnected.
        let time = TimeAmount.nanoseconds(Int64(time / .nanoseconds(1)))
        let deadline = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        defer { deadline.cancel() }
        do {
            if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
                // Most clients read the response only once they have sent the body.
                var rest = 8 * limit
                for try await bytes in request.body where rest > 0 { rest -= bytes.readableBytes }
                return .failure(Self.tooLarge(limit))
            }
            return .success(try await request.collectBody(upTo: limit))
        } catch {
            return .failure(Self.tooLarge(limit))
        }
    }

    private static func tooLarge(_ limit: Int) -> Refusal {
        var answer = HTTPAnswer(HubError(.malformedMessage, "The body is longer than \(limit) bytes."))
        answer.status = .contentTooLarge
        return Refusal(answer.closing)
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
