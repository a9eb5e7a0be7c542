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
}
