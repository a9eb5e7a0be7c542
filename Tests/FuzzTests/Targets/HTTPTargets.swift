import HAP

extension FuzzTarget {
    /// Requests from a controller, read by the accessory.
    static let httpRequests = FuzzTarget("http-requests", maximumLength: 1_024) { input throws(Violation) in
        let messages = try HTTPStream.check(HTTPRequestReader.self, input, limits: .request)
        _ = try HTTPStream.check(HTTPRequestReader.self, input, limits: HTTPStream.tight)
        for request in messages {
            // Ambiguous requests must be rejected.
            let lengths = request.headers.values(of: "content-length")
            try hold(lengths.count <= 1, "a request has one length")
            try hold(lengths.isEmpty ? request.body.isEmpty : Int(lengths[0]) == request.body.count, "it is the body's")
            try hold(request.headers["transfer-encoding"] == nil, "a request is not chunked")
            try hold(request.target.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a target is visible ASCII")
            try hold(request.path + (request.query.map { "?" + $0 } ?? "") == request.target, "path and query")
            try HTTPStream.checkFields(request.headers)
            try HTTPStream.checkIsWrittenBack(HTTPRequestReader.self, request.encoded()) {
                $0.method == request.method && $0.target == request.target && $0.body == request.body
                    && HTTPStream.isSame($0.headers, request.headers)
            }
        }
        return !messages.isEmpty
    }

    /// Responses and events from an accessory, read by the controller.
    static let httpResponses = FuzzTarget("http-responses", maximumLength: 1_024) { input throws(Violation) in
        let messages = try HTTPStream.check(HTTPResponseReader.self, input, limits: .response)
        _ = try HTTPStream.check(HTTPResponseReader.self, input, limits: HTTPStream.tight)
        for message in messages {
            switch message {
            case .response(let response):
                try hold(!(100..<200).contains(response.status.rawValue), "interim responses are skipped")
                try HTTPStream.checkFields(response.headers)
                try HTTPStream.checkIsWrittenBack(HTTPResponseReader.self, response.encoded()) {
                    guard case .response(let other) = $0 else { return false }
                    return other.status == response.status && other.body == response.body
                        && HTTPStream.isSame(other.headers, response.headers)
                }
            case .event(let event):
                try HTTPStream.checkFields(event.headers)
                guard event.status == .ok else { continue }
                try HTTPStream.checkIsWrittenBack(HTTPResponseReader.self, event.encoded()) {
                    guard case .event(let other) = $0 else { return false }
                    return other.body == event.body && HTTPStream.isSame(other.headers, event.headers)
                }
            }
        }
        return !messages.isEmpty
    }
}

/// A reader of one direction of HTTP.
protocol HTTPStreamReader {
    associatedtype Message: Equatable

    init(limits: HTTPLimits)
    var isBetweenMessages: Bool { get }
    mutating func receive(_ bytes: some Collection<UInt8>)
    mutating func next() throws(HTTPError) -> Message?
    /// Returns the message that is delimited by the end of the connection, if any.
    mutating func last() -> Message?
}

extension HTTPRequestReader: HTTPStreamReader {
    mutating func last() -> HTTPRequest? { nil }
}

extension HTTPResponseReader: HTTPStreamReader {
    mutating func last() -> Message? { finish().map { .response($0) } }
}

/// The invariants of both directions.
private enum HTTPStream {
    /// Limits that short inputs exceed.
    static let tight = HTTPLimits(startLineLength: 32, headerLength: 64, bodyLength: 16)

    /// Checks that a stream is read the same in one piece and in several.
    static func check<Reader: HTTPStreamReader>(
        _ reader: Reader.Type,
        _ input: [UInt8],
        limits: HTTPLimits
    ) throws(Violation) -> [Reader.Message] {
        let whole = try Outcome<Reader>([input[...]], limits: limits)
        for pieces in StreamSplits.of(input) {
            let outcome = try Outcome<Reader>(pieces, limits: limits)
            try hold(outcome.messages == whole.messages, "splitting doesn't change the messages")
            try hold(outcome.error == whole.error, "splitting doesn't change the error")
            try hold(outcome.isBetweenMessages == whole.isBetweenMessages, "splitting doesn't change the boundary")
            try hold(outcome.last == whole.last, "splitting doesn't change the last message")
        }
        try hold(whole.last == nil || !whole.isBetweenMessages, "the end completes a started message")
        return whole.messages + [whole.last].compactMap(\.self)
    }

    /// Checks that an encoded message is decoded as the same message.
    static func checkIsWrittenBack<Reader: HTTPStreamReader>(
        _ reader: Reader.Type,
        _ bytes: [UInt8],
        isSame: (Reader.Message) -> Bool
    ) throws(Violation) {
        let limits = HTTPLimits(startLineLength: 1 << 20, headerLength: 1 << 20, bodyLength: 1 << 20)
        let outcome = try Outcome<Reader>([bytes[...]], limits: limits)
        try hold(outcome.error == nil && outcome.messages.count == 1, "a message that is written is read")
        try hold(
            outcome.messages.allSatisfy(isSame) && outcome.isBetweenMessages,
            "the decoded message equals the original"
        )
    }

    static func checkFields(_ headers: HTTPHeaders) throws(Violation) {
        for field in headers {
            try hold(!field.name.isEmpty && !field.name.utf8.contains { $0 <= 0x20 || $0 == 0x7F }, "a name is a token")
            let isText = field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            try hold(isText, "a value has no control characters")
        }
    }

    /// Returns whether headers are equal, except for those that the encoder sets.
    static func isSame(_ left: HTTPHeaders, _ right: HTTPHeaders) -> Bool {
        func own(_ headers: HTTPHeaders) -> HTTPHeaders {
            var headers = headers
            headers.remove("content-length")
            headers.remove("transfer-encoding")
            return headers
        }
        return own(left) == own(right)
    }

    /// The outcome of a reader.
    private struct Outcome<Reader: HTTPStreamReader> {
        var messages: [Reader.Message] = []
        var error: HTTPError?
        var isBetweenMessages = false
        var last: Reader.Message?

        init(_ pieces: [ArraySlice<UInt8>], limits: HTTPLimits) throws(Violation) {
            var reader = Reader(limits: limits)
            do throws(HTTPError) {
                for piece in pieces {
                    reader.receive(piece)
                    while let message = try reader.next() { messages.append(message) }
                }
                isBetweenMessages = reader.isBetweenMessages
                last = reader.last()
            } catch {
                self.error = error
                reader.receive(Array("GET / HTTP/1.1\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n".utf8))
                try hold(Self.isOver(&reader, error), "after an error there are no more messages")
            }
        }

        private static func isOver(_ reader: inout Reader, _ first: HTTPError) -> Bool {
            do throws(HTTPError) {
                _ = try reader.next()
                return false
            } catch {
                return error == first
            }
        }
    }
}
