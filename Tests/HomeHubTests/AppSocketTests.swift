import Foundation
import HubAPI
import PeerProcess
import Testing

@testable import HomeHub

/// Sockets of apps, on a hub that stops while it opens one.
struct AppSocketTests {
    /// Opens one socket, once it is allowed to, and rejects all others.
    private struct SlowOpener: AppSocketOpener {
        struct Opened: OpenedSocket {
            func close() async {}
        }

        let asked = AwaitableValue([String]())
        let isLet: AwaitableValue<Bool>

        func open(
            _ socket: AppSocket,
            acceptSession: @escaping SessionAcceptor
        ) async throws(HubError) -> any OpenedSocket {
            guard socket.path == "/nowhere/a" else { throw HubError(.hubFailure, "It is not for this test.") }
            asked.change { $0.append(socket.path) }
            do {
                _ = try await isLet.until { $0 }
            } catch {
                throw HubError(.hubFailure, "\(error)")
            }
            return Opened()
        }
    }

    @Test func whatIsBeingOpenedWhileTheHubStopsIsOpenedAndThereAtTheNextStart() async throws {
        try await withDataFolder { folder in
            let opener = SlowOpener(isLet: AwaitableValue(false))
            try await withHub(at: folder) { hub in
                await hub.serveAppSockets(by: opener)
                let probe = try await RecordingHubClient(to: hub)
                let parameters = OpenAppSocket(id: "com.example.a", socket: AppSocket(path: "/nowhere/a"))
                async let answer = probe.refusal(HubMethods.openAppSocket, parameters)
                _ = try await opener.asked.until { $0 == ["/nowhere/a"] }
                #expect(try await probe.refusal(HubMethods.openAppSocket, parameters) == "notAllowedNow")
                async let end: Void = hub.closeAppSockets()
                let other = OpenAppSocket(id: "com.example.a", socket: AppSocket(path: "/nowhere/b"))
                while try await probe.refusal(HubMethods.openAppSocket, other) != "notAllowedNow" {
                    try await Task.sleep(for: .milliseconds(1))
                }
                opener.isLet.change { $0 = true }
                #expect(try await answer == nil)
                await end
            }
            let next = SlowOpener(isLet: AwaitableValue(true))
            try await withHub(at: folder) { hub in
                await hub.serveAppSockets(by: next)
                #expect(next.asked.value == ["/nowhere/a"])
            }
        }
    }

    /// Opens every socket immediately.
    private struct QuickOpener: AppSocketOpener {
        struct Opened: OpenedSocket {
            func close() async {}
        }

        let asked = AwaitableValue(Set<String>())

        func open(
            _ socket: AppSocket,
            acceptSession: @escaping SessionAcceptor
        ) async throws(HubError) -> any OpenedSocket {
            asked.change { $0.insert(socket.path) }
            return Opened()
        }
    }

    @Test func socketsThatAreOpenedAndRemovedAtOnceAreKeptAsWasSaidAndNoMoreThanTheLimit() async throws {
        try await withDataFolder { folder in
            let opened = try await withHub(at: folder) { hub in
                await hub.serveAppSockets(by: QuickOpener())
                let probe = try await RecordingHubClient(to: hub)
                func open(_ paths: [String]) async throws -> [String: String?] {
                    try await withThrowingTaskGroup(of: (String, String?).self) { group in
                        for path in paths {
                            let parameters = OpenAppSocket(id: "com.example.a", socket: AppSocket(path: path))
                            group.addTask { (path, try await probe.refusal(HubMethods.openAppSocket, parameters)) }
                        }
                        return try await group.reduce(into: [:]) { $0[$1.0] = .some($1.1) }
                    }
                }
                let first = try await open((0..<AppSocketManager.limit + 10).map { "/nowhere/\($0)" })
                var kept = first.filter { $0.value == nil }.map(\.key)
                #expect(kept.count == AppSocketManager.limit)
                #expect(Set(first.values.compactMap(\.self)) == ["limitExceeded"])
                let removed = Array(kept.prefix(50))
                kept.removeFirst(50)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for path in removed {
                        group.addTask {
                            _ = try await probe.call(HubMethods.closeAppSocket, AppSocketTarget(path: path))
                        }
                    }
                    group.addTask { _ = try await open((0..<50).map { "/nowhere/again/\($0)" }) }
                    try await group.waitForAll()
                }
                return Set(kept)
            }
            let next = QuickOpener()
            try await withHub(at: folder) { hub in
                await hub.serveAppSockets(by: next)
                let probe = try await RecordingHubClient(to: hub)
                let listed = try await probe.call(HubMethods.apps, Empty()).apps.flatMap { $0.sockets ?? [] }.map(
                    \.path
                )
                #expect(Set(listed) == next.asked.value)
                let before = next.asked.value.filter { !$0.contains("again") }
                #expect(before == opened)
            }
        }
    }
}
