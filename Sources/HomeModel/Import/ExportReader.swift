package import Foundation

extension HomeExport {
    /// Reads the homes of an export, in the order of their user's list.
    ///
    /// - Parameter text: What ``text`` was, in UTF-8. Empty lines are passed over.
    /// - Throws: ``HomeError`` with the line that is wrong and why: `notAnExport`, `exportCutShort`, `futureExport`,
    ///   `exportDamaged`, `limitExceeded`, or the rule that a name breaks. For a task that was cancelled the text ends
    ///   there, and is cut short.
    package static func homes(in text: Data) throws(HomeError) -> [ExportedHome] {
        guard text.count <= HomeLimits.exportLength else {
            throw HomeError(.limitExceeded, "An export has at most \(HomeLimits.exportLength) bytes.")
        }
        var reader = ExportReader()
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where line.contains(where: { $0 > UInt8(ascii: " ") }) {
            guard !Task.isCancelled else { throw ExportReader.cutShort }
            try reader.take(line, number: index + 1, isUnfinished: index + 1 == lines.count)
        }
        return try reader.finish()
    }
}

/// Reads an export line by line.
struct ExportReader {
    /// A line of any sort.
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

    /// A record's names as they were written: the record itself has what a longer one was shortened to.
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
        /// How many there are of each kind that is limited.
        var counts: [RecordKind: Int] = [:]
    }

    private var version: Int?
    private var hasEnded = false
    private var isLastLineUnfinished = false
    private var account = Log()
    private var homes: [UUID: Log] = [:]
    /// The homes in the order of their first lines.
    private var order: [UUID] = []

    /// Takes the next line.
    ///
    /// - Parameter isUnfinished: Whether it has no line feed.
    mutating func take(_ text: Data, number: Int, isUnfinished: Bool) throws(HomeError) {
        guard !hasEnded else { throw Self.damaged(number, "it follows the last line of the export") }
        let line: Line
        do {
            line = try JSONDecoder().decode(Line.self, from: text)
        } catch {
            guard version != nil else { throw Self.notAnExport }
            if isUnfinished { throw Self.cutShort }
            throw Self.damaged(number, (error as? DecodingError)?.place ?? "it cannot be read")
        }
        isLastLineUnfinished = isUnfinished
        guard let version else {
            guard line.mark == HomeExport.headerMark, let version = line.version, version > 0 else {
                throw Self.notAnExport
            }
            guard version <= HomeExport.version else {
                throw HomeError(
                    .futureExport,
                    "The export is of version \(version); this hub reads up to \(HomeExport.version). Update it."
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
            try Self.take(record, number, into: &account)
        } else if let home = UUID(uuidString: log) {
            if homes[home] == nil {
                try Self.check(order.count, below: HomeLimits.homesPerUser, "An export has", "homes", number)
                order.append(home)
            }
            try Self.take(record, number, into: &homes[home, default: Log()])
        } else {
            throw Self.damaged(number, "\(log.shownInQuotes) is no home")
        }
    }

    /// The homes, once all lines were taken.
    func finish() throws(HomeError) -> [ExportedHome] {
        guard let version else { throw Self.notAnExport }
        if version > 1 ? !hasEnded : isLastLineUnfinished { throw Self.cutShort }
        var list: [UUID: AccountHomeRecord] = [:]
        var names: Set<FoldedName> = []
        for record in account.records {
            switch record {
            case .accountHome(let home):
                guard names.insert(FoldedName(home.name)).inserted else {
                    let line = account.lines[record.recordID] ?? 0
                    let reason = "Another home of the export is called \(home.name.shownInQuotes) as well."
                    throw HomeError(.nameTaken, "Line \(line): \(reason)")
                }
                list[home.id] = home
            case .accountApp, .unknown:
                break
            default:
                throw Self.damaged(account.lines[record.recordID] ?? 0, "it belongs into a home")
            }
        }
        var exported: [ExportedHome] = []
        for id in order {
            guard let log = homes[id] else { continue }
            let home = ExportedHome(home: Home(id: id, records: log.records), account: list[id], lines: log.lines)
            try home.check(log.records)
            exported.append(home)
        }
        return exported.sorted { ($0.order, $0.id.uuidString) < ($1.order, $1.id.uuidString) }
    }

    // Static, as a copy of the reader would have all that was read copied with each line.
    private static func take(_ record: Record, _ number: Int, into log: inout Log) throws(HomeError) {
        if let other = log.lines.updateValue(number, forKey: record.recordID) {
            throw damaged(number, "line \(other) has the same \(record.kind.rawValue.shownBriefly) already")
        }
        if let (limit, owner, things) = limit(of: record) {
            try check(log.counts[record.kind, default: 0], below: limit, owner, things, number)
            log.counts[record.kind, default: 0] += 1
        }
        log.records.append(record)
    }

    /// How many records like one there may be, of whom, and what they are called. Counted while they are read, so that what
    /// is no home is refused before its parts are compared.
    private static func limit(of record: Record) -> (limit: Int, owner: String, things: String)? {
        switch record {
        case .room: (HomeLimits.roomsPerHome, "A home has", "rooms")
        case .zone: (HomeLimits.zonesPerHome, "A home has", "zones")
        case .accessory: (HomeLimits.accessoriesPerHome, "A home has", "accessories")
        case .serviceGroup: (HomeLimits.serviceGroupsPerHome, "A home has", "groups")
        case .actionSet(let actionSet) where actionSet.type == .userDefined:
            (HomeLimits.actionSetsPerHome, "A home has", "action sets")
        case .trigger: (HomeLimits.triggersPerHome, "A home has", "automations")
        case .user: (HomeLimits.usersPerHome, "A home has", "people")
        case .accountHome: (HomeLimits.homesPerUser, "A person has", "homes")
        case .accountApp: (HomeLimits.appsPerUser, "A person has", "apps")
        case .home, .shape, .actionSet, .unknown: nil
        }
    }

    private static func check(
        _ count: Int,
        below limit: Int,
        _ owner: String,
        _ things: String,
        _ number: Int
    ) throws(HomeError) {
        guard count < limit else {
            throw HomeError(.limitExceeded, "Line \(number): \(owner) at most \(limit) \(things).")
        }
    }

    private func check(_ names: Names?, of record: Record, _ number: Int) throws(HomeError) {
        var given: [String] = []
        switch record {
        case .user, .unknown: return
        case .actionSet(let actionSet) where actionSet.type == .triggerOwned: return
        default: given = [names?.name].compactMap(\.self) + (names?.serviceNames ?? [:]).values.sorted()
        }
        for name in given {
            do throws(HomeError) {
                try NameRule.check(name)
            } catch {
                throw HomeError(error.code, "Line \(number): \(error.reason)")
            }
        }
    }

    private static func damaged(_ line: Int, _ reason: String) -> HomeError {
        HomeError(.exportDamaged, "Line \(line): \(reason.shown(length: HomeLimits.reportedTextLength)).")
    }

    private static let notAnExport = HomeError(
        .notAnExport,
        "The file is no export: it does not begin as what “hearth export” prints."
    )
    static let cutShort = HomeError(
        .exportCutShort,
        "The end of the export is missing. Copy it anew, or export again."
    )
}
