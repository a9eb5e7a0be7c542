import Foundation
import HubAPI
import Testing

@testable import HomeHub

/// Who has backups made, and what becomes of them.
@Suite(.timeLimit(.minutes(2)))
struct BackupTests {
    @Test func onlyTheHubsOwnUserHasBackups() async throws {
        try await withHub { hub in
            let guest = try await HubProbe(to: hub, as: UUID())
            let error = await #expect(throws: HubError.self) {
                try await guest.call(HubMethods.makeBackup, MakeBackup(passphrase: "a"))
            }
            #expect(error?.code.rawValue == "insufficientPrivileges")
        }
    }

    @Test func aBackupIsReadByTheConnectionThatHadItMadeAndIsGoneWithIt() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let outgoing = folder.appending(path: "hub/outgoing").path
                let probe = try await HubProbe(to: hub)
                let made = try await probe.call(HubMethods.makeBackup, MakeBackup(passphrase: "a"))
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
                let other = try await HubProbe(to: hub)
                await #expect(throws: HubError.self) {
                    try await other.call(HubMethods.readBackup, ReadBackup(id: made.id, offset: 0))
                }
                await #expect(throws: HubError.self) {
                    try await probe.call(HubMethods.readBackup, ReadBackup(id: made.id, offset: -1))
                }
                probe.close()
                // The suite's time limit ends a wait in vain.
                while try !FileManager.default.contentsOfDirectory(atPath: outgoing).isEmpty { await Task.yield() }
            }
        }
    }

    @Test func aPassphraseIsNeeded() async throws {
        try await withHub { hub in
            let probe = try await HubProbe(to: hub)
            let error = await #expect(throws: HubError.self) {
                try await probe.call(HubMethods.makeBackup, MakeBackup(passphrase: ""))
            }
            #expect(error?.code == .malformedMessage)
        }
    }
}
