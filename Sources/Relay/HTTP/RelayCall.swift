import Foundation
import HTTPTypes
import HomeIdentity
import HummingbirdCore
import NIOCore
import RelayAPI
import WebServer

/// A request whose session was checked, on its way to an endpoint.
struct RelayCall {
    /// The request. Its body is read once.
    var request: Request
    /// The connection.
    let connection: RequestConnection
    /// The key of the session.
    let key: PublicKey
    /// The time, in milliseconds since 1970.
    let now: Int64
    /// The maximum time to send a body.
    let bodyTime: Duration

    /// Reads the body.
    mutating func body(upTo limit: Int) async throws(RelayError) -> Data {
        let reader = RequestBodyReader(time: bodyTime)
        do throws(RequestBodyReader.TooLarge) {
            return Data(try await reader.bytes(of: &request, upTo: limit, connection.channel).get().readableBytesView)
        } catch {
            throw RelayError(.tooLarge, "The body is longer than \(error.limit) bytes.")
        }
    }

    /// Reads the body as JSON.
    mutating func json<Value: Decodable>(_ type: Value.Type) async throws(RelayError) -> Value {
        let body = try await body(upTo: RelayLimits.jsonBytes)
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch {
            throw .malformed("The body isn't the JSON that this request needs.")
        }
    }

    /// Returns a number of the query; `nil` if there is none.
    func number(_ name: String) throws(RelayError) -> Int64? {
        guard let text = try text(name) else { return nil }
        guard let number = RelayRoute.number(text) else { throw .malformed("“\(name)” must be a number.") }
        return number
    }

    /// Returns a text of the query; `nil` if there is none.
    func text(_ name: String) throws(RelayError) -> String? {
        let values = (request.uri.query ?? "").split(separator: "&").compactMap { part -> String? in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return pair[0] == name ? String(pair.count > 1 ? pair[1] : "") : nil
        }
        guard values.count <= 1 else { throw .malformed("“\(name)” is there twice.") }
        return values.first
    }
}

extension HTTPAnswer {
    /// The media type of entries, envelopes and pieces.
    static let binaryType = "application/octet-stream"

    /// Creates a response with bytes that the relay doesn't understand.
    init(bytes: Data, _ headers: HTTPFields = [:]) {
        self.init(type: Self.binaryType, ByteBuffer(bytes: bytes), headers)
    }

    /// Creates a response with a value as JSON.
    init(encoding value: some Encodable, _ status: HTTPResponse.Status = .ok) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        self.init(status, json: json)
    }

    /// Creates a response with an error.
    init(_ error: RelayError) {
        self.init(encoding: error, error.status)
        if error.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        if let time = error.retryAfter { headers[.retryAfter] = "\(time)" }
        // The rest of the body isn't read.
        if error.code == .tooLarge { self = closing }
    }
}

extension RelayError {
    /// The status of a response with the error.
    var status: HTTPResponse.Status {
        switch code {
        case .malformed: .badRequest
        case .noSession, .wrongTime: .unauthorized
        case .registrationRefused: .forbidden
        case .notFound: .notFound
        case .notAllowed: .methodNotAllowed
        case .conflict: .conflict
        case .dropped: .gone
        case .tooLarge: .contentTooLarge
        case .misdirected, .elsewhere: .misdirectedRequest
        case .tooManyRequests: .tooManyRequests
        case .quotaExceeded: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
        default: .serviceUnavailable
        }
    }
}
