import Foundation
import HomeStore
import Logging

/// Keeps a copy of the store for each of the last days.
///
/// The copies are in the data folder, with the same permissions as the store. They protect against mistakes and damage,
/// not against the loss of the disk.
struct DailyCopies: Sendable {
    /// The interval between checks whether the day's copy is due.
    private static let checkInterval = Duration.seconds(3_600)
    private static let prefix = "hearth-"
    private static let suffix = ".sqlite"

    let store: HomeStore
    /// The folder of the copies.
    let folder: URL
    /// The number of copies to keep.
    let kept: Int
    let now: @Sendable () -> Date
    let clock: any Clock<Duration>
    let log: Logger

    /// Starts to make copies, until the task is canceled.
    ///
    /// - Returns: The task, or `nil` if the configuration keeps no copies.
    static func start(of store: HomeStore, _ configuration: HubConfiguration) -> Task<Void, Never>? {
        guard configuration.keptCopies > 0 else { return nil }
        let copies = DailyCopies(
            store: store,
            folder: configuration.data.appending(path: HomeStore.copiesFolder, directoryHint: .isDirectory),
            kept: configuration.keptCopies,
            now: configuration.now,
            clock: configuration.clock,
            log: configuration.log
        )
        return Task { await copies.run() }
    }

    /// Makes copies until the task is canceled.
    func run() async {
        while !Task.isCancelled {
            await makeIfDue()
            try? await clock.sleep(for: Self.checkInterval)
        }
    }

    /// Makes the day's copy unless it exists, and removes the oldest copies. Does nothing if the hub has no homes.
    func makeIfDue() async {
        let file = folder.appending(path: Self.prefix + now().formatted(.iso8601.year().month().day()) + Self.suffix)
        do {
            guard !FileManager.default.fileExists(atPath: file.path), try await !store.logs().isEmpty else { return }
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try removeUnfinished()
            try await store.copy(to: file)
            try removeOldest(excluding: file)
        } catch {
            log.error("The day's copy of the homes could not be made.", metadata: [LogKey.error: "\(error)"])
        }
    }

    /// Removes unfinished copies that a killed hub left behind.
    private func removeUnfinished() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasPrefix(Self.prefix) && !name.hasSuffix(Self.suffix) {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    /// Removes the oldest copies beyond the number to keep. The file's date decides, because the names depend on a
    /// clock that may have been wrong.
    private func removeOldest(excluding newest: URL) throws {
        let copies = try FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: [.contentModificationDateKey]
        )
        .filter { $0.lastPathComponent.hasPrefix(Self.prefix) && $0.lastPathComponent != newest.lastPathComponent }
        .sorted { try Self.date(of: $0) < Self.date(of: $1) }
        for copy in copies.dropLast(kept - 1) { try FileManager.default.removeItem(at: copy) }
    }

    private static func date(of file: URL) throws -> Date {
        try file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate ?? .distantPast
    }
}
