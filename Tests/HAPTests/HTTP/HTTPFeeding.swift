import HAP

/// The ways to split a stream into segments.
enum HTTPSplits {
    /// Returns the stream as a whole, byte by byte, and with random splits.
    static func all(of bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
        var random = SplitMix64(seed: 42)
        let splits = (0..<40).map { _ in randomSplit(of: bytes, using: &random) }
        return [[bytes[...]], bytes.indices.map { bytes[$0...$0] }] + splits
    }

    private static func randomSplit(of bytes: [UInt8], using random: inout SplitMix64) -> [ArraySlice<UInt8>] {
        var segments: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Int.random(in: 1...40, using: &random))
            segments.append(bytes[start..<end])
            start = end
        }
        return segments
    }
}

/// Copies of a stream with a few bytes changed, added or removed.
enum HTTPMutations {
    static func of(_ text: String, count: Int) -> [[UInt8]] {
        var random = SplitMix64(seed: 3)
        let alphabet = Array("\r\n :;,0159aAfFGHPT/.-\t\u{0}".utf8) + [0x80, 0xFF]
        return (0..<count).map { _ in
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = alphabet.randomElement(using: &random) ?? 0
                case 1: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: index)
                default: bytes.remove(at: index)
                }
            }
            return bytes
        }
    }
}

/// The outcome of a reader: the messages, and the error if there was one.
struct HTTPOutcome<Message: Equatable>: Equatable {
    var messages: [Message] = []
    var error: HTTPError?
}

extension HTTPRequestReader {
    static func outcome(of segments: [ArraySlice<UInt8>], limits: HTTPLimits = .request) -> HTTPOutcome<HTTPRequest> {
        var reader = HTTPRequestReader(limits: limits)
        var outcome = HTTPOutcome<HTTPRequest>()
        do {
            for segment in segments {
                reader.receive(segment)
                while let message = try reader.next() { outcome.messages.append(message) }
            }
        } catch {
            outcome.error = error
        }
        return outcome
    }

    static func outcome(of text: String, limits: HTTPLimits = .request) -> HTTPOutcome<HTTPRequest> {
        outcome(of: [Array(text.utf8)[...]], limits: limits)
    }
}

extension HTTPResponseReader {
    static func outcome(of segments: [ArraySlice<UInt8>], limits: HTTPLimits = .response) -> HTTPOutcome<Message> {
        var reader = HTTPResponseReader(limits: limits)
        var outcome = HTTPOutcome<Message>()
        do {
            for segment in segments {
                reader.receive(segment)
                while let message = try reader.next() { outcome.messages.append(message) }
            }
        } catch {
            outcome.error = error
        }
        return outcome
    }

    static func outcome(of text: String, limits: HTTPLimits = .response) -> HTTPOutcome<Message> {
        outcome(of: [Array(text.utf8)[...]], limits: limits)
    }
}
