import AgeFile
import Foundation
import HomeModel
import HomeStore
import HubAPI
import Logging

/// Makes backups for clients: one at a time, as each takes much memory for a moment.
///
/// A backup is a copy of the store, sealed before it leaves the hub. Until its connection ends it lies in a folder of its
/// own; what a hub that was killed has left there is removed at the next start.
actor BackupManager: HubPart {
    private struct Made {
        var id: UUID
        var file: URL
    }

    /// The most bytes of a backup in one message.
    static let pieceLength = 256 * 1_024

    private let store: HomeStore
    private let folder: URL
    private let owner: UUID
    private let work: ScryptWorkFactor
    private let log: Logger
    private var made: [HubSession.ID: Made] = [:]
    private var isBusy = false

    /// Makes the desk and removes what was left.
    ///
    /// - Parameters:
    ///   - folder: Where backups lie until they are read.
    ///   - owner: The hub's own user, who alone may have backups.
    ///   - work: What it costs to try a passphrase.
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

    /// Removes what a session has had made.
    func sessionDidEnd(_ session: HubSession.ID) async {
        guard let backup = made.removeValue(forKey: session) else { return }
        try? FileManager.default.removeItem(at: backup.file)
    }

    private func make(_ parameters: CreateBackup, for session: HubSession) async throws(HubError) -> BackupInfo {
        guard session.user == owner else {
            throw HubError(
                HomeError(
                    .insufficientPrivileges,
                    "Backups have everybody's homes in them: only the hub's owner has them."
                )
            )
        }
        guard !parameters.passphrase.isEmpty else {
            throw HubError(.malformedMessage, "A backup has pairings in it, so it needs a passphrase.")
        }
        guard !isBusy else { throw HubError(.notAllowedNow, "Another backup is being made. Try again in a moment.") }
        guard made[session.id] != nil || made.count < SessionLimits.keptBackups else {
            let reason = "\(made.count) connections have backups to read. Try again when one of them has ended."
            throw HubError(.notAllowedNow, reason)
        }
        isBusy = true
        defer { isBusy = false }
        await sessionDidEnd(session.id)
        let backup = Made(id: UUID(), file: folder.appending(path: "\(UUID().uuidString).age"))
        do {
            let length = try await write(backup.file, passphrase: parameters.passphrase)
            guard !session.isClosed else { throw HubError(.connectionLost, "The connection has ended.") }
            made[session.id] = backup
            log.info("A backup was made.", metadata: ["bytes": "\(length)"])
            return BackupInfo(id: backup.id, length: length)
        } catch {
            try? FileManager.default.removeItem(at: backup.file)
            log.error("A backup could not be made.", metadata: [LogKey.error: "\(error)"])
            throw error as? HubError ?? HubError(.storeFailure, "The backup could not be made: \(error)")
        }
    }

    /// Writes a sealed copy of the store and tells its length.
    private func write(_ file: URL, passphrase: String) async throws -> Int {
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let copy = folder.appending(path: "\(UUID().uuidString).sqlite")
        defer { try? FileManager.default.removeItem(at: copy) }
        try await store.copy(to: copy)
        // On a thread of its own: scrypt takes a second and would keep others from theirs.
        try await Task.detached { [work] in
            try EncryptedCopy.write(copy, to: file, passphrase: passphrase, work: work)
        }.value
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
        return size?.intValue ?? 0
    }

    private func read(_ parameters: ReadBackup, for session: HubSession) throws(HubError) -> BackupChunk {
        guard let backup = made[session.id], backup.id == parameters.id else {
            throw HubError(HomeError(.notFound, "This connection had no such backup made."))
        }
        guard parameters.offset >= 0 else { throw HubError(.malformedMessage, "An offset is not negative.") }
        do {
            let reader = try FileHandle(forReadingFrom: backup.file)
            defer { try? reader.close() }
            try reader.seek(toOffset: UInt64(parameters.offset))
            return BackupChunk(bytes: try reader.read(upToCount: Self.pieceLength) ?? Data())
        } catch {
            throw HubError(.storeFailure, "The backup cannot be read: \(error.localizedDescription)")
        }
    }
}
