import Foundation

/// Homes as text, for reading, comparing and keeping under version control.
///
/// Each record is one line of JSON with sorted members, and the order of the lines depends only on the records' IDs.
/// Equal homes therefore have equal exports, and a change of one record changes one line. An export has records only,
/// not pairings or values. Its last line marks the end, so that a truncated export is recognized.
package struct HomeExport: Hashable, Sendable {
    /// The version of the format, in the first line. Version 1 has no last line.
    package static let version = 2
    /// The marker in the first line.
    static let headerMark = "export"
    /// The marker in the last line.
    static let endMark = "end"
    /// The name of the user's own log in the export. The log's ID stays private.
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

    /// The sort key of a line.
    private struct LineOrder: Comparable {
        var log: String
        var kind: Int
        var kindName: String
        var id: String

        static func < (one: LineOrder, other: LineOrder) -> Bool {
            (one.log, one.kind, one.kindName, one.id) < (other.log, other.kind, other.kindName, other.id)
        }
    }

    /// The order of the kinds; kinds of a newer version follow.
    private static let kinds: [RecordKind] = [
        .accountHome, .accountFavorites, .accountApp, .home, .user, .room, .zone, .accessory, .serviceGroup, .actionSet,
        .trigger, .order, .shape,
    ]

    /// The text. Every line ends with a line feed.
    package let text: String

    /// Creates an export of homes and of the user's list of them.
    ///
    /// - Throws: `EncodingError` if a number can't be represented in JSON.
    package init(account: Account, homes: some Sequence<Home>) throws {
        // Devices belong to the hub.
        var lines = try account.records.filter { $0.kind != .accountDevice }.map {
            try Self.line(Self.ranked($0, in: account), Self.account)
        }
        for home in homes {
            for record in home.records { lines.append(try Self.line(record, home.id.uuidString)) }
        }
        let header = String(decoding: try CanonicalJSON.encode(Header()), as: UTF8.self)
        let end = String(decoding: try CanonicalJSON.encode(End()), as: UTF8.self)
        // The user's own log comes first; its name is not an ID.
        let ordered = lines.sorted { one, other in
            let isAccount = (one.order.log == Self.account, other.order.log == Self.account)
            return isAccount.0 == isAccount.1 ? one.order < other.order : isAccount.0
        }
        text = ([header] + ordered.map(\.text) + [end]).map { "\($0)\n" }.joined()
    }

    /// Replaces the order of a home in the list with its rank, so that removed homes leave no trace.
    private static func ranked(_ record: Record, in account: Account) -> Record {
        guard case .accountHome(var home) = record, let rank = account.homes.firstIndex(of: home) else { return record }
        home.order = rank + 1
        return .accountHome(home)
    }

    private static func line(_ record: Record, _ log: String) throws -> (order: LineOrder, text: String) {
        let order = LineOrder(
            log: log,
            kind: kinds.firstIndex(of: record.kind) ?? kinds.count,
            kindName: record.kind.rawValue,
            id: record.recordID.id
        )
        return (order, String(decoding: try CanonicalJSON.encode(Line(log: log, record: record)), as: UTF8.self))
    }
}
