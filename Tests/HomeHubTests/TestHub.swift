import DNSSD
import Foundation
import HomeHub
import HubAPI
import Logging

/// Runs `body` with a hub on a new data folder and the loopback interface, then stops the hub and removes the folder.
func withHub<Result>(
    questionTimeout: Duration = .seconds(60),
    _ body: (HomeHub) async throws -> Result
) async throws -> Result {
    try await withDataFolder { folder in
        try await withHub(at: folder, questionTimeout: questionTimeout, body)
    }
}

/// Runs `body` with a hub on a data folder, then stops the hub.
func withHub<Result>(
    at folder: URL,
    questionTimeout: Duration = .seconds(60),
    now: @escaping @Sendable () -> Date = { Date() },
    clock: any Clock<Duration> = ContinuousClock(),
    _ body: (HomeHub) async throws -> Result
) async throws -> Result {
    let configuration = HubConfiguration(
        data: folder.appending(path: "hub"),
        interfaces: [.loopback],
        questionTimeout: questionTimeout,
        userName: "Tester",
        now: now,
        clock: clock,
        log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    )
    let hub = try await HomeHub(configuration)
    do {
        let result = try await body(hub)
        await hub.stop()
        return result
    } catch {
        await hub.stop()
        throw error
    }
}

extension SessionAuthority {
    /// Returns the authority of a user's program, by default of the hub's own user.
    static func person(_ user: UUID? = nil, on hub: HomeHub) -> SessionAuthority {
        SessionAuthority(user: user ?? hub.owner.user, device: hub.owner.device, client: .person)
    }

    /// Returns the authority of one app of the hub's own user.
    static func app(_ app: String, on hub: HomeHub) -> SessionAuthority {
        SessionAuthority(user: hub.owner.user, device: hub.owner.device, client: .app(app))
    }
}

/// Runs `body` with an empty folder, then removes it.
func withDataFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-hub-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}
