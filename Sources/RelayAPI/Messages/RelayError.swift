/// An error that a relay answers with.
package struct RelayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors. The raw values are those of the answers.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The request is invalid.
        package static let malformed = Code(rawValue: "malformed")
        /// The session's token is missing, invalid or too old.
        package static let noSession = Code(rawValue: "noSession")
        /// The proof's time differs too much from the relay's.
        package static let wrongTime = Code(rawValue: "wrongTime")
        /// A house can't be registered without a valid registration token.
        package static let registrationRefused = Code(rawValue: "registrationRefused")
        /// What was asked for doesn't exist, or isn't the caller's to see.
        package static let notFound = Code(rawValue: "notFound")
        /// The path exists, the method doesn't.
        package static let notAllowed = Code(rawValue: "notAllowed")
        /// The request doesn't fit what the relay has.
        package static let conflict = Code(rawValue: "conflict")
        /// The entries that were asked for are gone.
        package static let dropped = Code(rawValue: "dropped")
        /// The body is too large.
        package static let tooLarge = Code(rawValue: "tooLarge")
        /// A rate was exceeded.
        package static let tooManyRequests = Code(rawValue: "tooManyRequests")
        /// A quota is used up.
        package static let quotaExceeded = Code(rawValue: "quotaExceeded")
        /// The request is for another host.
        package static let misdirected = Code(rawValue: "misdirected")
        /// The house is served by another process of the relay.
        package static let elsewhere = Code(rawValue: "elsewhere")
        /// The relay's store failed, or is stopping.
        package static let storeFailure = Code(rawValue: "storeFailure")
    }

    /// The kind.
    package var code: Code
    /// What is wrong, and what to do.
    package var reason: String
    /// The seconds after which to try again.
    package var retryAfter: Int?
    /// The relay's time, for `wrongTime`, in milliseconds since 1970.
    package var time: Int64?
    /// The URL of the process to ask, for `elsewhere`.
    package var at: String?
    /// Where the feed stands, for `conflict` and `dropped`.
    package var position: FeedPosition?

    /// Creates an error.
    package init(
        _ code: Code,
        _ reason: String,
        retryAfter: Int? = nil,
        time: Int64? = nil,
        at: String? = nil,
        position: FeedPosition? = nil
    ) {
        self.code = code
        self.reason = reason
        self.retryAfter = retryAfter
        self.time = time
        self.at = at
        self.position = position
    }

    /// The request is invalid.
    package static func malformed(_ reason: String) -> RelayError { RelayError(.malformed, reason) }

    /// One error for what doesn't exist and what isn't the caller's, so that nobody learns which houses exist.
    package static let notFound = RelayError(
        .notFound,
        "There is no such house or feed, or this key has no right to it."
    )

    package var description: String { "\(code.rawValue): \(reason)" }
}

extension RelayError: Codable {
    private enum CodingKeys: String, CodingKey {
        case error, message, retryAfter, time, at, seq, head, base, term
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = Code(rawValue: try container.decode(String.self, forKey: .error))
        reason = try container.decode(String.self, forKey: .message)
        retryAfter = try container.decodeIfPresent(Int.self, forKey: .retryAfter)
        time = try container.decodeIfPresent(Int64.self, forKey: .time)
        at = try container.decodeIfPresent(String.self, forKey: .at)
        position = container.contains(.seq) ? try FeedPosition(from: decoder) : nil
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code.rawValue, forKey: .error)
        try container.encode(reason, forKey: .message)
        try container.encodeIfPresent(retryAfter, forKey: .retryAfter)
        try container.encodeIfPresent(time, forKey: .time)
        try container.encodeIfPresent(at, forKey: .at)
        try position?.encode(to: encoder)
    }
}
