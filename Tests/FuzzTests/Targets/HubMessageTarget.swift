import Foundation
import HubAPI

extension FuzzTarget {
    /// The lines between hub and clients, on both sides.
    static let hubMessages = FuzzTarget("hub-messages", maximumLength: 1_024) { input throws(Violation) in
        for limit in [8, 1_024] {
            let whole = lines([input[...]], limit: limit)
            for pieces in StreamSplits.of(input) {
                try hold(lines(pieces, limit: limit) == whole, "splitting makes no difference")
            }
            let lengths = whole.map { if case .line(let line) = $0 { line.count } else { 0 } }
            try hold(lengths.allSatisfy { $0 <= limit }, "a line is limited")
        }
        let line = Data(input.prefix { $0 != WireMessage.terminator })
        return try [checkRequest(line), checkMessage(line)].contains(true)
    }

    private static func lines(_ pieces: [ArraySlice<UInt8>], limit: Int) -> [LineDecoder.Element] {
        var lines = LineDecoder(limit: limit)
        return pieces.flatMap { $0.withUnsafeBytes { lines.decode($0) } }
    }

    private static func checkRequest(_ line: Data) throws(Violation) -> Bool {
        guard let request = try? WireMessage.request(from: line) else { return false }
        let written = WireMessage.line(request)
        try hold(written.last == WireMessage.terminator, "a message ends its line")
        try hold(written.dropLast().allSatisfy { $0 != WireMessage.terminator }, "a message is one line")
        try hold((try? WireMessage.request(from: written.dropLast())) == request, "a request is read as written")
        return true
    }

    private static func checkMessage(_ line: Data) throws(Violation) -> Bool {
        guard let message = try? WireMessage.message(from: line) else { return false }
        switch message {
        case .event(let event):
            guard let written = try? WireMessage.line(event) else {
                throw Violation(description: "an event that is read can be written")
            }
            try hold(written.dropLast().allSatisfy { $0 != WireMessage.terminator }, "a message is one line")
            guard case .event(let again) = try? WireMessage.message(from: written.dropLast()) else {
                throw Violation(description: "an event that is written can be read")
            }
            try hold(again == event, "an event is read as written")
        case .reply(let id, let reply):
            let written = WireMessage.line(replyTo: id, reply)
            guard case .reply(id, let again) = try? WireMessage.message(from: written.dropLast()) else {
                throw Violation(description: "a reply that is written can be read")
            }
            try hold(again == reply, "a reply is read as written")
        case .closed:
            break
        }
        return true
    }
}
