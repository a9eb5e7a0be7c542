import AirPlay
import Dispatch
import Foundation
import LocalRPC
import PeerProcess
import Synchronization
import Testing

@testable import MediaRouting

/// What other programs are told about what an app plays.
@Suite struct PlayerStatusTests {
    /// The time for which a thread is held up at most: until others have reported, which they can't do if they wait for it.
    private static let delay = DispatchTimeInterval.milliseconds(500)

    @Test func theAppsStatusIsNeverFollowedByAnOlderOneOfAnotherThread() async throws {
        let file = RouteFile(path: NSTemporaryDirectory() + "hearth-player-status-\(UUID()).json")
        defer { try? FileManager.default.removeItem(atPath: file.players) }
        let routes = MediaRoutes(file)
        let titles = Mutex<[String]>([])
        func play(_ title: String) {
            var report = NowPlayingReport()
            report.track.title = title
            routes.report = report
        }
        func waits(for title: String) async throws {
            try await Wait.until("“\(title)” is shown") { titles.withLock { $0.contains(title) } }
        }
        routes.server.start()
        let isReported = DispatchSemaphore(value: 0)
        let session = routes.server.accept { message in
            guard case .event(.status(let status)) = message, let title = status.title else { return }
            titles.withLock { $0.append(title) }
            if title == "Polka" { isReported.signal() }
        }
        session.receive(RPCRequest(id: 1, method: PlayerMethods.follow.name, parameters: Data("{}".utf8)))
        play("Waltz")
        try await waits(for: "Waltz")

        // A thread that knows what plays is held up, and the app goes on to something else.
        let isHeldUp = Mutex(false)
        routes.server.setCommands {
            let isFirst = isHeldUp.withLock { isHeldUp in
                defer { isHeldUp = true }
                return !isHeldUp
            }
            if isFirst { _ = isReported.wait(timeout: .now() + Self.delay) }
            return []
        }
        let isThrough = Mutex(false)
        Thread.detachNewThread {
            routes.server.commandsDidChange()
            isThrough.withLock { $0 = true }
        }
        try await Wait.until("the thread is held up") { isHeldUp.withLock { $0 } }
        play("Polka")
        try await waits(for: "Polka")
        play("Tango")
        try await waits(for: "Tango")
        try await Wait.until("the thread goes on") { isThrough.withLock { $0 } }
        let shown = titles.withLock { $0 }
        #expect(!shown.drop { $0 != "Polka" }.contains("Waltz"), "\(shown)")
        await routes.server.stop()
    }
}
