import Foundation
import HomeKit
import HomeModel
import HubAPI
import Testing

/// Homes behind an agent, whose hub may be out of reach although the agent is connected.
struct HubStandingTests {
    @Test func theHubOfAHomeIsDisconnectedWhileTheAgentCannotReachIt() async throws {
        let hub = ScriptedHub()
        let villa = try hub.addHome("Villa")
        _ = try hub.addHome("Hut")
        let app = try await App(on: hub)
        let home = try app.home()
        let other = try #require(app.manager.homes.last)
        #expect(home.homeHubState == .connected)
        let away = HubStanding(hub: UUID(), homes: [villa], state: .away, since: Date())
        hub.tell(.standing(away))
        #expect(try await app.recorder.hubStates.next() == .disconnected)
        #expect(home.homeHubState == .disconnected)
        #expect(other.homeHubState == .connected)
        var near = away
        near.state = .near
        hub.tell(.standing(near))
        #expect(try await app.recorder.hubStates.next() == .connected)
        #expect(home.homeHubState == .connected)
    }

    @Test func aHomeThroughTheRelayIsConnectedAndOneThatIsGoneHasNoHub() async throws {
        let hub = ScriptedHub()
        let villa = try hub.addHome("Villa")
        let app = try await App(on: hub)
        let home = try app.home()
        var standing = HubStanding(hub: UUID(), homes: [villa], state: .away, since: Date())
        hub.tell(.standing(standing))
        #expect(try await app.recorder.hubStates.next() == .disconnected)
        // Through the relay, the home works as it does nearby.
        (standing.state, standing.isRelayed) = (.near, true)
        hub.tell(.standing(standing))
        #expect(try await app.recorder.hubStates.next() == .connected)
        #expect(home.homeHubState == .connected)
        // The way there is no other state.
        standing.isRelayed = nil
        hub.tell(.standing(standing))
        // The device was removed.
        standing.state = .gone
        hub.tell(.standing(standing))
        try hub.change(.removeHome(villa))
        #expect(try await app.recorder.next() == "removed home Villa of 0")
        #expect(home.homeHubState == .notAvailable)
        #expect(app.recorder.hubStates.drain() == [.disconnected])
    }
}
