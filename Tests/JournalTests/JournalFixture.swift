import Foundation
import GRDB
import HAPCatalog
import HomeModel
import HubAPI
import Synchronization

@testable import Journal

/// A journal in a temporary folder, with a clock that tests set.
final class JournalFixture: Sendable {
    // This is a class because it removes the folder in the end.

    let folder: URL
    let home = UUID()
    let lamp = JournalObject(id: UUID(), name: "Desk Lamp")
    private let time: Mutex<Date>
    private let received = Mutex<[JournalNotice]>([])

    init(at start: Date = Date(timeIntervalSince1970: 1_800_000_000)) throws {
        time = Mutex(start)
        folder = FileManager.default.temporaryDirectory.appending(path: "hearth-journal-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var now: Date {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    /// The notices so far.
    var notices: [JournalNotice] { received.withLock { $0 } }

    var path: String { folder.appending(path: JournalFile.name).path }

    func open(_ limits: JournalLimits = JournalLimits()) async throws -> JournalFile {
        try await JournalFile(in: folder, limits: limits, now: { self.now }) { notice in
            self.received.withLock { $0.append(notice) }
        }
    }

    /// Returns an entry that the lamp was switched.
    func switched(
        _ isOn: Bool,
        previous: Bool? = nil,
        _ id: UUID = UUID(),
        at time: Date? = nil,
        cause: Cause = .person,
        parent: UUID? = nil
    ) -> JournalEntry {
        JournalEntry(
            id: id,
            home: home,
            time: time ?? now,
            parent: parent,
            cause: cause,
            person: cause == .person ? "Ann" : nil,
            app: cause == .person ? "hearth" : nil,
            content: .value(value(HAPType.Characteristic.on, .bool(isOn), previous: previous.map { .bool($0) }))
        )
    }

    func value(
        _ type: HAPType,
        _ value: CharacteristicValue?,
        previous: CharacteristicValue? = nil
    ) -> JournalValue {
        JournalValue(accessory: lamp, service: nil, iid: 11, type: type, value: value, previous: previous)
    }

    func entry(_ content: JournalContent, cause: Cause = .hub, parent: UUID? = nil, id: UUID = UUID()) -> JournalEntry {
        JournalEntry(id: id, home: home, time: now, parent: parent, cause: cause, content: content)
    }

    /// Returns all entries of the home, newest first.
    func all(in journal: JournalFile, limit: Int = 1_000) async throws -> [JournalEntry] {
        try await journal.entries(JournalSelection(home: home, limit: limit))
    }
}

extension JournalWriter {
    /// Lets the file grow to a number of pages only. 1 means: no more than it has.
    func setPageLimit(_ pages: Int) async throws {
        guard let pool = openDatabase else { return }
        try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages)") }
    }
}
