package import Foundation

extension HomeExport {
    /// Reads the homes of an export, in the order of the user's list.
    ///
    /// - Parameter text: The export's ``text`` in UTF-8. Empty lines are ignored.
    /// - Throws: ``HomeError`` with the number of the invalid line and the reason: `notAnExport`, `exportCutShort`,
    ///   `futureExport`, `exportDamaged`, `limitExceeded`, or the naming rule that is broken. If the task is canceled,
    ///   the error is `exportCutShort`.
    package static func homes(in text: Data) throws(HomeError) -> [ExportedHome] {
        guard text.count <= HomeLimits.exportLength else {
            throw HomeError(.limitExceeded, "An export has at most \(HomeLimits.exportLength) bytes.")
        }
        var reader = ExportReader()
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where line.contains(where: { $0 > UInt8(ascii: " ") }) {
            guard !Task.isCancelled else { throw ExportReader.cutShort }
            try reader.consume(line, number: index + 1, isUnfinished: index + 1 == lines.count)
        }
        return try reader.finish()
    }
}

/// A parser that reads an export line by line.
struct ExportReader {
    /// A line of any kind.
    private struct Line: Decodable {
        enum Key: String, CodingKey {
            case hearth, version, log, record
        }

        var mark: String?
        var version: Int?
        var log: String?
        var record: Record?
        var names: Names?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            mark = try container.decodeIfPresent(String.self, forKey: .hearth)
            version = try container.decodeIfPresent(Int.self, forKey: .version)
            log = try container.decodeIfPresent(String.self, forKey: .log)
            guard mark == nil else { return }
            record = try container.decode(Record.self, forKey: .record)
            names = try container.decode(Names.self, forKey: .record)
        }
    }

    /// A record's names as they are in the export. The record itself has names that are cut to the limit.
    private struct Names: Decodable {
        var name: String?
        var serviceNames: [String: String]?

        private enum CodingKeys: String, CodingKey {
            case name, serviceNames
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try? container.decodeIfPresent(String.self, forKey: .name)
            serviceNames = try? container.decodeIfPresent([String: String].self, forKey: .serviceNames)
        }
    }

    private struct Log {
        var records: [Record] = []
        var lines: [RecordID: Int] = [:]
        /// The number of records of each limited kind.
        var counts: [RecordKind: Int] = [:]
    }

    private var version: Int?
    private var hasEnded = false
    private var isLastLineUnfinished = false
    private var account = Log()
    private var homes: [UUID: Log] = [:]
    /// The homes in the order of their first lines.
    private var order: [UUID] = []

    /// Reads the next line.
    ///
    /// - Parameter isUnfinished: Whether the line has no line feed.
    mutating func consume(_ text: Data, number: Int, isUnfinished: Bool) throws(HomeError) {
        guard !hasEnded else { throw Self.damaged(number, "it follows the last line of the export") }
        let line: Line
        do {
            line = try JSONDecoder().decode(Line.self, from: text)
        } catch {
            guard version != nil else { throw Self.notAnExport }
            if isUnfinished { throw Self.cutShort }
            throw Self.damaged(number, (error as? DecodingError)?.location ?? "it can't be read")
        }
        isLastLineUnfinished = isUnfinished
        guard let version else {
            guard line.mark == HomeExport.headerMark, let version = line.version, version > 0 else {
                throw Self.notAnExport
            }
            guard version <= HomeExport.version else {
                throw HomeError(
                    .futureExport,
                    "The export has version \(version); this hub reads versions up to \(HomeExport.version). Update the hub."
                )
            }
            self.version = version
            return
        }
        if line.mark == HomeExport.endMark, version > 1 {
            hasEnded = true
            return
        }
        guard let log = line.log, let record = line.record else { throw Self.damaged(number, "it has no record") }
        try check(line.names, of: record, number)
        if log == HomeExport.account {
            try Self.add(record, number, to: &account)
        } else if let home = UUID(uuidString: log) {
            if homes[home] == nil {
                try Self.check(order.count, below: HomeLimits.homesPerUser, "An export has", "homes", number)
                order.append(home)
            }
            try Self.add(record, number, to: &homes[home, default: Log()])
        } else {
            throw Self.damaged(number, "\(log.quoted) is not a home")
        }
    }

    /// Returns the homes after all lines were read.
    func finish() throws(HomeError) -> [ExportedHome] {
        guard let version else { throw Self.notAnExport }
        if version > 1 ? !hasEnded : isLastLineUnfinished { throw Self.cutShort }
        var list: [UUID: AccountHomeRecord] = [:]
        var names: Set<FoldedName> = []
        var favorites: [UUID: [Favorite]] = [:]
        for record in account.records {
            switch record {
            case .accountHome(let home):
                guard names.insert(FoldedName(home.name)).inserted else {
                    let line = account.lines[record.recordID] ?? 0
                    let reason = "Another home in the export is also called \(home.name.quoted)."
                    throw HomeError(.nameTaken, "Line \(line): \(reason)")
                }
                list[home.id] = home
            case .accountFavorites(let record):
                favorites[record.id] = record.favorites
            case .accountApp, .accountDevice, .unknown:
                break
            default:
                throw Self.damaged(account.lines[record.recordID] ?? 0, "it belongs in a home")
            }
        }
        var exported: [ExportedHome] = []
        for id in order {
            guard let log = homes[id] else { continue }
            let home = ExportedHome(
                home: Home(id: id, records: log.records),
                account: list[id],
                favorites: favorites[id] ?? [],
                lines: log.lines
            )
            try home.check(log.records)
            exported.append(home)
        }
        return exported.sorted { ($0.order, $0.id.uuidString) < ($1.order, $1.id.uuidString) }
    }

    // This is static because a copy of the reader would copy everything that was read, once per line.
    private static func add(_ record: Record, _ number: Int, to log: inout Log) throws(HomeError) {
        if let other = log.lines.updateValue(number, forKey: record.recordID) {
            throw damaged(number, "line \(other) already has the same \(record.kind.rawValue.abbreviated)")
        }
        if let (limit, owner, noun) = limit(of: record) {
            try check(log.counts[record.kind, default: 0], below: limit, owner, noun, number)
            log.counts[record.kind, default: 0] += 1
        }
        log.records.append(record)
    }

    /// Returns the limit for records of a kind, with the words for its message. Records are counted while they are
    /// read, so that an oversized home is rejected before its parts are compared.
    private static func limit(of record: Record) -> (limit: Int, owner: String, noun: String)? {
        switch record {
        case .room: (HomeLimits.roomsPerHome, "A home has", "rooms")
        case .zone: (HomeLimits.zonesPerHome, "A home has", "zones")
        case .accessory: (HomeLimits.accessoriesPerHome, "A home has", "accessories")
        case .serviceGroup: (HomeLimits.serviceGroupsPerHome, "A home has", "groups")
        case .actionSet(let actionSet) where actionSet.type == .userDefined:
            (HomeLimits.actionSetsPerHome, "A home has", "action sets")
        case .trigger: (HomeLimits.triggersPerHome, "A home has", "automations")
        case .user: (HomeLimits.usersPerHome, "A home has", "users")
        case .accountHome: (HomeLimits.homesPerUser, "A user has", "homes")
        case .accountFavorites: (HomeLimits.homesPerUser, "A user has", "homes with favorites")
        case .order: (HomeLimits.roomsPerHome + 2, "A home has", "orders")
        case .accountApp: (HomeLimits.appsPerUser, "A user has", "apps")
        case .home, .shape, .actionSet, .accountDevice, .unknown: nil
        }
    }

    private static func check(
        _ count: Int,
        below limit: Int,
        _ owner: String,
        _ noun: String,
        _ number: Int
    ) throws(HomeError) {
        guard count < limit else {
            throw HomeError(.limitExceeded, "Line \(number): \(owner) at most \(limit) \(noun).")
        }
    }

    private func check(_ names: Names?, of record: Record, _ number: Int) throws(HomeError) {
        var checked: [String] = []
        switch record {
        case .user, .unknown: return
        case .actionSet(let actionSet) where actionSet.type == .triggerOwned: return
        default: checked = [names?.name].compactMap(\.self) + (names?.serviceNames ?? [:]).values.sorted()
        }
        for name in checked {
            do throws(HomeError) {
                try NameRule.check(name)
            } catch {
                throw HomeError(error.code, "Line \(number): \(error.reason)")
            }
        }
    }

    private static func damaged(_ line: Int, _ reason: String) -> HomeError {
        HomeError(.exportDamaged, "Line \(line): \(reason.sanitized(maximumLength: HomeLimits.reportedTextLength)).")
    }

    private static let notAnExport = HomeError(
        .notAnExport,
        "The file is not an export. Use the output of “hearth export”."
    )
    static let cutShort = HomeError(
        .exportCutShort,
        "The end of the export is missing. Copy it again, or create a new export."
    )
}
