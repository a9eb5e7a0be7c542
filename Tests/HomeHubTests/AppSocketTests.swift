import Foundation
import HomeHub
import HubAPI
import Testing

/// A hub that stops while a socket is being opened for an app.
@Suite(.timeLimit(.minutes(1)))
struct AppSocketTests {
    /// Opens one socket, when it is let, and refuses all others.
    private struct SlowOpener: AppSocketOpener {
        struct Opened: OpenedSocket {
            func close() async {}
        }

        let asked = Watched([String]())
        let isLet: Watched<Bool>

        func open(
            _ socket: AppSocket,
            acceptSession: @escaping @Sendable (@escaping @Sendable (HubMessage) -> Void) -> HubSession
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
            let opener = SlowOpener(isLet: Watched(false))
            try await withHub(at: folder) { hub in
                await hub.serveAppSockets(by: opener)
                let probe = try await HubProbe(to: hub)
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
            let next = SlowOpener(isLet: Watched(true))
            try await withHub(at: folder) { hub in
                await hub.serveAppSockets(by: next)
                #expect(next.asked.value == ["/nowhere/a"])
            }
        }
    }
}
