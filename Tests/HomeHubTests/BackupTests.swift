import Foundation
import HomeModel
import HomeStore
import HubAPI
import Logging
import PeerProcess
import Testing

@testable import HomeHub

/// Who can create backups, and how long they are stored.
struct BackupTests {
    @Test func onlyTheHubsOwnUserHasBackups() async throws {
        try await withHub { hub in
            let guest = try await RecordingHubClient(to: hub, as: UUID())
            let error = await #expect(throws: HubError.self) {
                try await guest.call(HubMethods.makeBackup, CreateBackup(passphrase: "a"))
            }
            #expect(error?.code.rawValue == "insufficientPrivileges")
        }
    }

    @Test func aBackupIsReadByTheConnectionThatHadItMadeAndIsGoneWithIt() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let outgoing = folder.appending(path: "hub/outgoing").path
                let probe = try await RecordingHubClient(to: hub)
                let made = try await probe.call(HubMethods.makeBackup, CreateBackup(passphrase: "a"))
                #expect(try FileManager.default.contentsOfDirectory(atPath: outgoing).count == 1)
                var bytes = Data()
                while true {
                    let piece = try await probe.call(
                        HubMethods.readBackup,
                        ReadBackup(id: made.id, offset: bytes.count)
                    ).bytes
                    guard !piece.isEmpty else { break }
                    bytes += piece
                }
                #expect(bytes.count == made.length)
                #expect(bytes.starts(with: Data("age-encryption.org/v1\n".utf8)))
                let other = try await RecordingHubClient(to: hub)
                await #expect(throws: HubError.self) {
                    try await other.call(HubMethods.readBackup, ReadBackup(id: made.id, offset: 0))
                }
                await #expect(throws: HubError.self) {
                    try await probe.call(HubMethods.readBackup, ReadBackup(id: made.id, offset: -1))
                }
                probe.close()
                // The suite's time limit ends the wait if it fails.
                while try !FileManager.default.contentsOfDirectory(atPath: outgoing).isEmpty { await Task.yield() }
            }
        }
    }

    @Test func aPassphraseIsNeeded() async throws {
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            let error = await #expect(throws: HubError.self) {
                try await probe.call(HubMethods.makeBackup, CreateBackup(passphrase: ""))
            }
            #expect(error?.code == .malformedMessage)
        }
    }

    @Test func theCopiesOfTheLastDaysAreKeptWhateverTheClockSays() async throws {
        try await withDataFolder { folder in
            let store = try await HomeStore.open(at: folder.appending(path: "hub"))
            let home = HomeModel.Home.creation(
                id: UUID(),
                defaultRoom: UUID(),
                owner: UserRecord(id: UUID(), name: "Ann", role: .owner)
            )
            let caller = Caller(user: UUID(), device: UUID(), app: "test", client: UUID())
            try await store.append([
                EntryDraft(
                    log: .home(UUID()),
                    entryID: UUID(),
                    caller: caller,
                    cause: .app,
                    time: Date(),
                    change: home,
                    expectedRevision: 0
                )
            ])
            let copies = folder.appending(path: "copies")
            let day = AwaitableValue(Date(timeIntervalSince1970: 2_000_000_000))
            let backups = DailyCopies(
                store: store,
                folder: copies,
                kept: 3,
                now: { day.value },
                clock: ContinuousClock(),
                log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            )
            func names() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: copies.path).sorted()
            }
            for _ in 0..<5 {
                await backups.makeIfDue()
                await backups.makeIfDue()
                day.change { $0 += 86_400 }
            }
            #expect(
                try names() == ["hearth-2033-05-20.sqlite", "hearth-2033-05-21.sqlite", "hearth-2033-05-22.sqlite"]
            )
            // The clock was years ahead and has been corrected. A copy was interrupted.
            try Data("half".utf8).write(to: copies.appending(path: "hearth-2033-05-23.sqlite.new"))
            day.change { $0 = Date(timeIntervalSince1970: 1_900_000_000) }
            await backups.makeIfDue()
            #expect(
                try names() == ["hearth-2030-03-17.sqlite", "hearth-2033-05-21.sqlite", "hearth-2033-05-22.sqlite"]
            )
            try await store.close()
        }
    }
}
