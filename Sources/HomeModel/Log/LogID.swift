package import Foundation

/// Names a log: a home's, or a user's own.
package enum LogID: Hashable, Sendable {
    /// The log of one home.
    case home(UUID)
    /// The log of one user: the homes and their names, the primary home.
    case account(UUID)
}

extension LogID: LosslessStringConvertible {
    /// The form in stores and messages: `home/` or `account/` and the identity.
    package var description: String {
        switch self {
        case .home(let id): "home/\(id.uuidString)"
        case .account(let id): "account/\(id.uuidString)"
        }
    }

    /// Reads what ``description`` wrote; nil for anything else.
    package init?(_ description: String) {
        let parts = description.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = UUID(uuidString: String(parts[1])) else { return nil }
        switch parts[0] {
        case "home": self = .home(id)
        case "account": self = .account(id)
        default: return nil
        }
    }
}

extension LogID: Codable {
    /// Reads the form that ``description`` writes.
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try value.decode(String.self)
        guard let log = LogID(text) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "“\(text.prefix(80))” is no log.")
        }
        self = log
    }

    /// Writes ``description``.
    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}
