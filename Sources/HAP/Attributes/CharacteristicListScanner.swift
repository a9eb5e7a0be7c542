internal import HAPCatalog

/// A decoder of write requests and events in the form in which they are usually sent, without a tree of JSON values.
///
/// It knows only IDs, `ev`, and values that are bools, integers or strings of ASCII characters without escapes. It leaves
/// everything else, and everything malformed, to the full decoder: what it accepts, that one decodes to the same.
struct CharacteristicListScanner {
    /// The number of digits up to which an integer can't overflow.
    private static let digitLimit = 18

    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    private init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Returns the write request, or `nil` if the body has another form.
    static func request(_ body: ArraySlice<UInt8>) -> CharacteristicWriteRequest? {
        body.withUnsafeBytes { bytes in
            var scanner = CharacteristicListScanner(bytes)
            return scanner.request()
        }
    }

    /// Returns the event, or `nil` if the body has another form. It has the form of a write of values.
    static func event(_ body: ArraySlice<UInt8>) -> CharacteristicEvent? {
        guard let list = request(body), list.pid == nil else { return nil }
        var entries: [CharacteristicEvent.Entry] = []
        for entry in list.entries {
            guard entry.events == nil else { return nil }
            entries.append(CharacteristicEvent.Entry(id: entry.id, value: entry.value))
        }
        return CharacteristicEvent(entries: entries)
    }

    private mutating func request() -> CharacteristicWriteRequest? {
        guard take("{"), take("\"characteristics\""), take(":"), take("["), let first = entry() else { return nil }
        var entries = [first]
        while take(",") {
            guard let entry = entry() else { return nil }
            entries.append(entry)
        }
        guard take("]") else { return nil }
        var pid: UInt64?
        if take(",") {
            guard take("\"pid\""), take(":"), let number = unsigned() else { return nil }
            pid = number
        }
        guard take("}") else { return nil }
        skipWhitespace()
        return index == bytes.count ? CharacteristicWriteRequest(entries: entries, pid: pid) : nil
    }

    private mutating func entry() -> CharacteristicWriteRequest.Entry? {
        var (aid, iid): (UInt64?, UInt64?)
        var value: CharacteristicValue?
        var events: Bool?
        guard take("{") else { return nil }
        repeat {
            if aid == nil, take("\"aid\"") {
                guard take(":"), let number = unsigned() else { return nil }
                aid = number
            } else if iid == nil, take("\"iid\"") {
                guard take(":"), let number = unsigned() else { return nil }
                iid = number
            } else if value == nil, take("\"value\"") {
                guard take(":"), let read = self.value() else { return nil }
                value = read
            } else if events == nil, take("\"ev\"") {
                guard take(":"), case .bool(let flag) = self.value() else { return nil }
                events = flag
            } else {
                return nil
            }
        } while take(",")
        guard take("}"), let aid, let iid, value != nil || events != nil else { return nil }
        return CharacteristicWriteRequest.Entry(
            id: CharacteristicID(aid: aid, iid: iid),
            value: value,
            events: events
        )
    }

    private mutating func value() -> CharacteristicValue? {
        if take("true") { return .bool(true) }
        if take("false") { return .bool(false) }
        if take("\"") { return string().map { .string($0) } }
        let isNegative = take("-")
        guard let magnitude = digits() else { return nil }
        // Zero has no sign.
        guard isNegative else { return .integer(Int64(magnitude)) }
        return magnitude == 0 ? nil : .integer(-Int64(magnitude))
    }

    /// Reads a string after its opening quotation mark.
    private mutating func string() -> String? {
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            guard 0x20..<0x7F ~= bytes[index], bytes[index] != UInt8(ascii: "\\") else { return nil }
            index += 1
        }
        guard index < bytes.count else { return nil }
        defer { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func unsigned() -> UInt64? {
        skipWhitespace()
        return digits()
    }

    /// Reads digits without a leading zero.
    private mutating func digits() -> UInt64? {
        let start = index
        var number: UInt64 = 0
        while index < bytes.count, ASCII.isDigit(bytes[index]) {
            guard index - start < Self.digitLimit else { return nil }
            number = number * 10 + UInt64(bytes[index] - UInt8(ascii: "0"))
            index += 1
        }
        guard index > start, index == start + 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
        return number
    }

    /// Skips white space and reads the token. Returns `false`, and reads nothing more, if another one follows.
    @inline(never)  // In each of many places, its code would take longer to load than to run.
    private mutating func take(_ token: StaticString) -> Bool {
        skipWhitespace()
        let length = token.utf8CodeUnitCount
        guard bytes.count - index >= length else { return false }
        var offset = 0
        while offset < length, bytes[index + offset] == token.utf8Start[offset] { offset += 1 }
        guard offset == length else { return false }
        index += length
        return true
    }

    private mutating func skipWhitespace() {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): index += 1
            default: return
            }
        }
    }
}
