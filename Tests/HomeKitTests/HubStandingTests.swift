import Foundation
import HomeKit
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
}
