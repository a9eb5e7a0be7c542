import AgeFile
import Foundation
import HomeModel
import HomeStore
import HubAPI
import Logging

/// Creates backups for clients, one at a time, because each briefly takes much memory.
///
/// A backup is an encrypted copy of the store. It stays in a folder of its own until its connection closes. Leftovers
/// of a hub that was killed are removed at the next start.
actor BackupManager: HubPart {
    private struct StoredBackup {
        var id: UUID
        var file: URL
    }

    /// The maximum length of a backup's chunk in one message, in bytes.
    static let chunkLength = 256 * 1_024

    private let store: HomeStore
    private let folder: URL
    private let owner: UUID
    private let work: ScryptWorkFactor
    private let log: Logger
    private var stored: [HubSession.ID: StoredBackup] = [:]
    private var isBusy = false

    /// Creates the manager and removes leftovers.
    ///
    /// - Parameters:
    ///   - folder: The folder of the backups that haven't been read yet.
    ///   - owner: The hub's own user, the only one who can create backups.
    ///   - work: The cost of trying a passphrase.
    init(store: HomeStore, folder: URL, owner: UUID, work: ScryptWorkFactor = .standard, log: Logger) {
        self.store = store
        self.folder = folder
        self.owner = owner
        self.work = work
        self.log = log
        try? FileManager.default.removeItem(at: folder)
    }

    /// Registers the methods.
    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.makeBackup) { (parameters, session) async throws(HubError) in
            .deferred { () async throws(HubError) in try await self.make(parameters, for: session) }
        }
        router.on(HubMethods.readBackup) { (parameters, session) async throws(HubError) in
            .deferred { () async throws(HubError) in try await self.read(parameters, for: session) }
        }
    }

    /// Removes a session's backup.
    func sessionDidEnd(_ session: HubSession.ID) async {
        guard let backup = stored.removeValue(forKey: session) else { return }
        try? FileManager.default.removeItem(at: backup.file)
    }

    private func make(_ parameters: CreateBackup, for session: HubSession) async throws(HubError) -> BackupInfo {
        guard session.user == owner else {
            throw HubError(
                HomeError(
                    .insufficientPrivileges,
                    "Only the hub's owner can create backups, because they contain all users' homes."
                )
            )
        }
        guard !parameters.passphrase.isEmpty else {
            throw HubError(.malformedMessage, "A backup contains pairings and needs a passphrase.")
        }
        guard !isBusy else { throw HubError(.notAllowedNow, "Another backup is in progress. Try again in a moment.") }
        guard stored[session.id] != nil || stored.count < SessionLimits.keptBackups else {
            let reason = "\(stored.count) connections have backups to read. Try again when one of them has closed."
            throw HubError(.notAllowedNow, reason)
        }
        isBusy = true
        defer { isBusy = false }
        await sessionDidEnd(session.id)
        let backup = StoredBackup(id: UUID(), file: folder.appending(path: "\(UUID().uuidString).age"))
        do {
            let length = try await write(backup.file, passphrase: parameters.passphrase)
            guard !session.isClosed else { throw HubError(.connectionLost, "The connection closed.") }
            stored[session.id] = backup
            log.info("A backup was made.", metadata: ["bytes": "\(length)"])
            return BackupInfo(id: backup.id, length: length)
        } catch {
            try? FileManager.default.removeItem(at: backup.file)
            log.error("A backup could not be made.", metadata: [LogKey.error: "\(error)"])
            throw error as? HubError ?? HubError(.storeFailure, "The backup could not be created: \(error)")
        }
    }

    /// Writes an encrypted copy of the store and returns its length in bytes.
    private func write(_ file: URL, passphrase: String) async throws -> Int {
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let copy = folder.appending(path: "\(UUID().uuidString).sqlite")
        defer { try? FileManager.default.removeItem(at: copy) }
        try await store.copy(to: copy)
        // scrypt takes a second, so it runs outside this actor.
        try await Task.detached { [work] in
            try EncryptedCopy.write(copy, to: file, passphrase: passphrase, work: work)
        }.value
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
        return size?.intValue ?? 0
    }

    private func read(_ parameters: ReadBackup, for session: HubSession) throws(HubError) -> BackupChunk {
        guard let backup = stored[session.id], backup.id == parameters.id else {
            throw HubError(HomeError(.notFound, "This connection has no backup with that ID."))
        }
        guard parameters.offset >= 0 else { throw HubError(.malformedMessage, "The offset must not be negative.") }
        do {
            let reader = try FileHandle(forReadingFrom: backup.file)
            defer { try? reader.close() }
            try reader.seek(toOffset: UInt64(parameters.offset))
            return BackupChunk(bytes: try reader.read(upToCount: Self.chunkLength) ?? Data())
        } catch {
            throw HubError(.storeFailure, "The backup cannot be read: \(error.localizedDescription)")
        }
    }
}
