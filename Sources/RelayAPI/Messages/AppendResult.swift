package import Foundation

/// What became of an entry to append.
package enum AppendResult: Hashable, Sendable {
    /// It is stored, now or by an earlier request of the same entry.
    case appended(seq: Int64)
    /// The feed is elsewhere than the writer expected, or the writer's term is over.
    case conflict(FeedPosition)
    /// It isn't stored, for another reason.
    case refused(RelayError)
}

extension AppendResult: Codable {
    private enum CodingKeys: String, CodingKey {
        case seq, error
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard container.contains(.error) else {
            self = .appended(seq: try container.decode(Int64.self, forKey: .seq))
            return
        }
        let error = try RelayError(from: decoder)
        if error.code == .conflict, let position = error.position {
            self = .conflict(position)
        } else {
            self = .refused(error)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .appended(let seq):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(seq, forKey: .seq)
        case .conflict(let position):
            try RelayError(.conflict, "The feed is at another entry.", position: position).encode(to: encoder)
        case .refused(let error): try error.encode(to: encoder)
        }
    }
}

/// The response to a request to append entries.
package struct AppendReply: Hashable, Sendable, Codable {
    /// The results, in the order of the items.
    package var results: [AppendResult]

    /// Creates a response.
    package init(_ results: [AppendResult]) {
        self.results = results
    }

    /// Reads a response. Nearly all say of one entry that it is stored, and a decoder would take ten times as long for these.
    package init(json: Data) throws {
        self = try Self.one(in: json) ?? JSONDecoder().decode(Self.self, from: json)
    }

    /// Returns the response if it has the one number of an entry that was stored, and is written as a relay writes it.
    private static func one(in json: Data) -> AppendReply? {
        let (start, end) = (#"{"results":[{"seq":"#.utf8, "}]}".utf8)
        guard json.starts(with: start), json.suffix(end.count).elementsEqual(end) else { return nil }
        let digits = json.dropFirst(start.count).dropLast(end.count)
        guard (1...maximumDigits).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = 10 * number + Int64(digit - UInt8(ascii: "0"))
        }
        return AppendReply([.appended(seq: number)])
    }

    /// As many digits as are always a number.
    private static let maximumDigits = 18
}
