import HAP

/// A decoder of the events in a connection's bytes, regardless of how the bytes are split into reads.
///
/// An event is a line with a JSON object. Its `data_length` bytes of further data and `payload_length` bytes of payload
/// follow. The reader stores one line and one block of data at most; it counts the bytes of a payload and forgets them.
package struct WyomingReader: Sendable {
    private enum State: Hashable, Sendable {
        case line
        case data(WyomingEvent.Header)
        case payload(Int)
    }

    private let limits: WyomingLimits
    private var state = State.line
    private var buffer: [UInt8] = []
    private var failure: WyomingError?

    /// Creates a reader.
    package init(limits: WyomingLimits = WyomingLimits()) {
        self.limits = limits
    }

    /// The number of bytes that the reader stores.
    package var storedBytes: Int { buffer.count }

    /// Consumes bytes.
    ///
    /// - Returns: The events that they complete, in order, and the error if they can't be read. After an error, the reader
    ///   ignores all bytes.
    package mutating func decode(_ bytes: [UInt8]) -> (events: [WyomingEvent], error: WyomingError?) {
        var events: [WyomingEvent] = []
        var rest = bytes[...]
        do throws(WyomingError) {
            while failure == nil, !rest.isEmpty {
                if let event = try consume(&rest) { events.append(event) }
            }
        } catch {
            failure = error
            buffer = []
            return (events, error)
        }
        return (events, nil)
    }

    /// Consumes the bytes of the current part, or as many as there are.
    private mutating func consume(_ rest: inout ArraySlice<UInt8>) throws(WyomingError) -> WyomingEvent? {
        switch state {
        case .line:
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let part = rest[..<(end ?? rest.endIndex)]
            guard buffer.count + part.count <= limits.lineBytes else { throw .tooLong("line", limits.lineBytes) }
            buffer.append(contentsOf: part)
            guard let end else {
                rest = rest[rest.endIndex...]
                return nil
            }
            rest = rest[rest.index(after: end)...]
            let header = try WyomingEvent.Header(buffer, limits)
            buffer = []
            return try finish(header, header.dataLength > 0 ? nil : .some(nil))
        case .data(let header):
            let part = rest.prefix(header.dataLength - buffer.count)
            buffer.append(contentsOf: part)
            rest = rest.dropFirst(part.count)
            guard buffer.count == header.dataLength else { return nil }
            let block = try WyomingEvent.Header.object(buffer, "The data")
            buffer = []
            return try finish(header, .some(block))
        case .payload(let count):
            let skipped = rest.prefix(count).count
            rest = rest.dropFirst(skipped)
            state = skipped == count ? .line : .payload(count - skipped)
            return nil
        }
    }

    /// Moves to the next part of an event.
    ///
    /// - Parameter block: The data after the line; `nil` if they haven't been received yet.
    private mutating func finish(
        _ header: WyomingEvent.Header,
        _ block: JSONObject??
    ) throws(WyomingError) -> WyomingEvent? {
        guard let block else {
            state = .data(header)
            return nil
        }
        state = header.payloadLength > 0 ? .payload(header.payloadLength) : .line
        return WyomingEvent(type: header.type, line: header.data, block: block)
    }
}

extension WyomingEvent {
    /// The first line of an event.
    struct Header: Hashable, Sendable {
        var type: String
        var data: JSONObject?
        var dataLength: Int
        var payloadLength: Int

        init(_ line: [UInt8], _ limits: WyomingLimits) throws(WyomingError) {
            let object = try Self.object(line, "The line")
            guard let type = object["type"]?.string else { throw .malformed("The event has no type.") }
            self.type = type
            switch object["data"] {
            case nil, .null?: data = nil
            case .object(let object)?: data = object
            case .some: throw .malformed("The event's data isn't a JSON object.")
            }
            dataLength = try Self.length(object["data_length"], "data", limits.dataBytes)
            payloadLength = try Self.length(object["payload_length"], "payload", limits.payloadBytes)
        }

        private static func length(
            _ value: JSONValue?,
            _ part: String,
            _ limit: Int
        ) throws(WyomingError) -> Int {
            guard let value, value != .null else { return 0 }
            guard let length = value.unsignedInteger else { throw .malformed("The length of the \(part) is invalid.") }
            guard length <= limit else { throw .tooLong(part, limit) }
            return Int(length)
        }

        static func object(_ bytes: [UInt8], _ part: String) throws(WyomingError) -> JSONObject {
            guard let object = (try? JSONValue(parsing: bytes))?.object else {
                throw .malformed("\(part) isn't a JSON object.")
            }
            return object
        }
    }
}
