package import Foundation

/// The ID of a log.
package enum LogID: Hashable, Sendable {
    /// The log of one home.
    case home(UUID)
    /// The log of one user: the homes and their names, the primary home.
    case account(UUID)
}

extension LogID: LosslessStringConvertible {
    /// The form in stores and messages: `home/` or `account/` and the ID.
    package var description: String {
        switch self {
        case .home(let id): "home/\(id.uuidString)"
        case .account(let id): "account/\(id.uuidString)"
        }
    }

    /// Creates an ID from its ``description``; `nil` if the text is something else.
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
    /// Decodes the ``description``.
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try value.decode(String.self)
        guard let log = LogID(text) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "“\(text.prefix(80))” is not a log.")
        }
        self = log
    }

    /// Encodes the ``description``.
    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}
