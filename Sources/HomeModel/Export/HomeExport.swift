import Foundation

/// Homes as text: to read, to compare, to keep under version control.
///
/// A record is a line of JSON with sorted members; lines stand in an order that depends on nothing but the records'
/// identities. So equal homes are equal texts, and a change of one record is a change of one line. What is not in records
/// is not in the text either: no pairings, no values. The last line says that it is the last: a text that was cut short is
/// known by it.
package struct HomeExport: Hashable, Sendable {
    /// The version of the form, in the first line. Texts of version 1 have no last line.
    package static let version = 2
    /// What the first line says that the text is.
    static let headerMark = "export"
    /// What the last line says.
    static let endMark = "end"
    /// The name of the user's own log in the text, whose identity is nobody's business.
    static let account = "account"

    private struct Header: Encodable {
        var hearth = HomeExport.headerMark
        var version = HomeExport.version
    }

    private struct End: Encodable {
        var hearth = HomeExport.endMark
    }

    private struct Line: Encodable {
        var log: String
        var record: Record
    }

    /// A line in the order in which lines stand.
    private struct Place: Comparable {
        var log: String
        var kind: Int
        var kindName: String
        var id: String

        static func < (one: Place, other: Place) -> Bool {
            (one.log, one.kind, one.kindName, one.id) < (other.log, other.kind, other.kindName, other.id)
        }
    }

    /// As a person would read a home; kinds of a newer version follow.
    private static let kinds: [RecordKind] = [
        .accountHome, .accountApp, .home, .user, .room, .zone, .accessory, .serviceGroup, .actionSet, .trigger, .shape,
    ]

    /// The text, each line with its line feed.
    package let text: String

    /// Writes homes and the user's list of them.
    ///
    /// - Throws: `EncodingError` for a number that JSON cannot say.
    package init(account: Account, homes: some Sequence<Home>) throws {
        var lines = try account.records.map { try Self.line(Self.ranked($0, in: account), Self.account) }
        for home in homes {
            for record in home.records { lines.append(try Self.line(record, home.id.uuidString)) }
        }
        let header = String(decoding: try CanonicalJSON.encode(Header()), as: UTF8.self)
        let end = String(decoding: try CanonicalJSON.encode(End()), as: UTF8.self)
        // The user's own log first: its name is no identity.
        let ordered = lines.sorted { one, other in
            let isAccount = (one.place.log == Self.account, other.place.log == Self.account)
            return isAccount.0 == isAccount.1 ? one.place < other.place : isAccount.0
        }
        text = ([header] + ordered.map(\.text) + [end]).map { "\($0)\n" }.joined()
    }

    /// A home of the list with its rank in place of its order: homes that were removed leave no trace.
    private static func ranked(_ record: Record, in account: Account) -> Record {
        guard case .accountHome(var home) = record, let rank = account.homes.firstIndex(of: home) else { return record }
        home.order = rank + 1
        return .accountHome(home)
    }

    private static func line(_ record: Record, _ log: String) throws -> (place: Place, text: String) {
        let place = Place(
            log: log,
            kind: kinds.firstIndex(of: record.kind) ?? kinds.count,
            kindName: record.kind.rawValue,
            id: record.recordID.id
        )
        return (place, String(decoding: try CanonicalJSON.encode(Line(log: log, record: record)), as: UTF8.self))
    }
}
