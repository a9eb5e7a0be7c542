import Foundation
import HomeStore
import Logging

/// Keeps a copy of the store for each of the last days, in the data folder and as open to its owner as the store itself:
/// against mistakes and damage, not against the loss of the disk.
struct NightlyBackups: Sendable {
    /// How often it is looked whether a day's copy is due.
    private static let pause = Duration.seconds(3_600)
    private static let prefix = "hearth-"
    private static let suffix = ".sqlite"

    let store: HomeStore
    /// Where the copies are.
    let folder: URL
    /// How many days are kept.
    let kept: Int
    let now: @Sendable () -> Date
    let clock: any Clock<Duration>
    let log: Logger

    /// Makes copies until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            await makeIfDue()
            try? await clock.sleep(for: Self.pause)
        }
    }

    /// Makes the day's copy if there is none yet, and removes those that are older than the kept ones. A hub without homes
    /// has nothing to copy.
    func makeIfDue() async {
        let file = folder.appending(path: Self.prefix + now().formatted(.iso8601.year().month().day()) + Self.suffix)
        do {
            guard !FileManager.default.fileExists(atPath: file.path), try await !store.logs().isEmpty else { return }
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try await store.copy(to: file)
            let copies = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(Self.suffix) }.sorted()
            for name in copies.dropLast(kept) { try FileManager.default.removeItem(at: folder.appending(path: name)) }
        } catch {
            log.error("The day's copy of the homes could not be made.", metadata: ["error": "\(error)"])
        }
    }
}
