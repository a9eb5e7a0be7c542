import Foundation
import HomeAgent
import HomeModel
import HubAPI
import PeerProcess
import Testing

@Suite struct AgentPipeTests {
    @Test func anAppSeesTheSameAtTheHubAndAtTheAgent() async throws {
        try await AgentLab.run { lab in
            let direct = lab.direct()
            try await direct.welcome()
            let home = try await direct.call(HubMethods.addHome, AddHome(name: "Villa")).id
            _ = try await direct.call(HubMethods.addUser, AddHomeUser(home: home, name: "Ann", role: .guest))
            try await lab.nearAgain()
            let app = lab.app()
            try await app.welcome()
            let expected = try direct.state.canonical
            try await app.until { (try? $0.canonical) == expected }
            #expect(app.state.standings.isEmpty)
            #expect(app.notes.first == "reset")
            #expect(app.notes.contains("welcome"))
        }
    }

    @Test func aChangeIsMineForTheSessionThatMadeItOnly() async throws {
        try await AgentLab.run { lab in
            let first = lab.app()
            try await first.welcome()
            let second = lab.app("com.example.other")
            try await second.welcome()
            let home = try await first.call(HubMethods.addHome, AddHome(name: "Villa")).id
            // The reply follows the change.
            #expect(first.state.homes[home] != nil)
            #expect(first.changes.map(\.isMine).contains(false) == false)
            try await second.until { $0.account.home(home) != nil }
            #expect(!second.changes.map(\.isMine).contains(true))
        }
    }

    @Test func outOfReachAnAppSeesTheSameIDsAndNothingIsReachable() async throws {
        try await AgentLab.run { lab in
            let direct = lab.direct()
            try await direct.welcome()
            let home = try await direct.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let ann = try await direct.call(HubMethods.addUser, AddHomeUser(home: home, name: "Ann", role: .guest)).id
            try await lab.untilHubs { $0.first?.homes == ["Villa"] }
            let expected = try direct.state.canonical
            try await lab.copyHas(expected)
            lab.way.cut()
            try await lab.away()

            let app = lab.app()
            try await app.welcome()
            #expect(try app.state.canonical == expected)
            #expect(app.state.homes[home]?.users.contains { $0.id == ann } == true)
            #expect(app.notes == ["standing away", "reset", "welcome"])
            #expect(app.state.awayHomes == [home])
            // Another app knows people by other IDs, out of reach too.
            let other = lab.app("com.example.other")
            try await other.welcome()
            #expect(other.state.homes[home]?.users.contains { $0.id == ann } == false)
        }
    }

    @Test func outOfReachWhateverChangesSomethingFailsAtOnce() async throws {
        try await AgentLab.run { lab in
            let direct = lab.direct()
            try await direct.welcome()
            let home = try await direct.call(HubMethods.addHome, AddHome(name: "Villa")).id
            try await lab.copyHas(try direct.state.canonical)
            lab.way.cut()
            try await lab.away()
            let app = lab.app()
            try await app.welcome()
            #expect(await app.refusal(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic"))) == .hubAway)
            let reading = ReadCharacteristics(home: home, characteristics: [])
            #expect(await app.refusal(HubMethods.read, reading) == .hubAway)
            #expect(await app.refusal(HubMethods.enterBackground, Empty()) == nil)
            #expect(await app.refusal(HubMethods.enterForeground, Empty()) == nil)
            lab.way.mend()
            try await lab.nearAgain()
            try await app.until { $0.standings.isEmpty }
            // Nothing was queued.
            #expect(app.state.homes[home]?.rooms.isEmpty == true)
            _ = try await app.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic")))
            #expect(app.state.homes[home]?.rooms.count == 1)
        }
    }

    @Test func backInReachAnAppHearsOnlyWhatItMissed() async throws {
        try await AgentLab.run { lab in
            let direct = lab.direct()
            try await direct.welcome()
            let home = try await direct.call(HubMethods.addHome, AddHome(name: "Villa")).id
            try await lab.copyHas(try direct.state.canonical)
            lab.way.cut()
            try await lab.away()
            let app = lab.app()
            try await app.welcome()
            _ = try await direct.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic")))
            _ = try await direct.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Cellar")))
            lab.way.mend()
            try await app.until { $0.standings.isEmpty && $0.homes[home]?.rooms.count == 2 }
            try await app.recording.until { $0.notes.last == "resumed" }
            #expect(
                app.notes == [
                    "standing away", "reset", "welcome", "change roomAdded", "change roomAdded", "standing near",
                    "resumed",
                ]
            )
            #expect(try app.state.canonical == direct.state.canonical)
        }
    }

    @Test func aCallThatTheCutInterruptsIsRepeatedWithItsKey() async throws {
        try await AgentLab.run { lab in
            let app = lab.app(retries: true)
            try await app.welcome()
            let home = try await app.call(HubMethods.addHome, AddHome(name: "Villa")).id
            for number in 0..<20 {
                async let added = app.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Room \(number)")))
                lab.way.cut()
                lab.way.mend()
                // Its outcome is either the room or, while the hub is away, that the hub is away.
                _ = try? await added
                try await lab.nearAgain()
            }
            let direct = lab.direct()
            try await direct.welcome()
            let expected = try direct.state.canonical
            try await app.until { (try? $0.canonical) == expected }
            // No change was told twice: each revision of the home's log came once.
            let revisions = app.changes.filter { $0.home == home }.map(\.revision)
            #expect(revisions == revisions.sorted())
            #expect(Set(revisions).count == revisions.count)
        }
    }

    @Test func theCopySurvivesTheAgent() async throws {
        try await AgentLab.run { lab in
            let direct = lab.direct()
            try await direct.welcome()
            let home = try await direct.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let expected = try direct.state.canonical
            try await lab.copyHas(expected)
            lab.way.cut()
            try await lab.away()
            try lab.restartAgent()
            let app = lab.app()
            try await app.welcome()
            #expect(try app.state.canonical == expected)
            #expect(app.state.awayHomes == [home])
        }
    }

    @Test func anAppThatKnowsMoreThanTheCopyIsNotTakenBack() async throws {
        try await AgentLab.run { lab in
            let direct = lab.direct()
            try await direct.welcome()
            let home = try await direct.call(HubMethods.addHome, AddHome(name: "Villa")).id
            try await lab.copyHas(try direct.state.canonical)
            lab.way.cut()
            try await lab.away()
            _ = try await direct.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic")))
            let app = lab.app(seen: direct.state.seen)
            try await app.welcome()
            #expect(app.notes == ["standing away", "resumed", "welcome"])
            lab.way.mend()
            try await app.recording.until { $0.notes.filter { $0 == "resumed" }.count == 2 }
            #expect(app.changes.isEmpty)
        }
    }

    @Test func aDeviceIsLetInSoonAfterItsDigitsWereConfirmed() async throws {
        // All other pauses take longer than a test.
        let retry = WakeableRetryPolicy(shortest: .seconds(3_600), longest: .seconds(3_600))
        try await AgentLab.run(retry: retry) { lab in
            lab.way.refuse(HubError(.joinPending, "Somebody must compare the digits."))
            try lab.restartAgent()
            try await lab.untilHubs { $0.first?.problem == "Somebody must compare the digits." }
            lab.way.mend()
            try await lab.nearAgain()
        }
    }

    @Test func aDeviceThatTheHubRemovedForgetsIt() async throws {
        try await AgentLab.run { lab in
            let direct = lab.direct()
            try await direct.welcome()
            let home = try await direct.call(HubMethods.addHome, AddHome(name: "Villa")).id
            try await lab.copyHas(try direct.state.canonical)
            let app = lab.app(retries: true)
            try await app.welcome()
            lab.way.refuse(HubError(.deviceRemoved, "This device was removed."))
            try await app.until { $0.homes.isEmpty }
            #expect(app.notes.contains("homeGone") || app.notes.filter { $0 == "reset" }.count > 1)
            let command = lab.command()
            let notice = "This device was removed from “Villa”. Ask for an invitation to add it again."
            #expect(try await command.welcome().notices == [notice])
            #expect(lab.agent.hubs.isEmpty)
            let folder = lab.folder.appending(path: "agent/hubs")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            // It is said once.
            #expect(try await lab.command().welcome().notices == nil)
            #expect(await command.refusal(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic"))) == .hubAway)
        }
    }

    @Test func appsAreDeniedOnThisDeviceOnly() async throws {
        try await AgentLab.run { lab in
            let app = lab.app()
            try await app.welcome()
            let command = lab.command()
            try await command.welcome()
            _ = try await command.call(HubMethods.denyApp, AppTarget(id: "com.example.lights"))
            try await app.recording.until { $0.isClosed }
            let again = lab.app()
            try await again.recording.until { $0.isClosed }
            #expect(again.notes == ["loss"])
            let direct = lab.direct()
            try await direct.welcome()
            try lab.restartAgent()
            let later = lab.command()
            try await later.welcome()
            let apps = try await later.call(HubMethods.apps, Empty()).apps
            #expect(apps.map(\.id) == ["com.example.lights"])
            #expect(apps.map(\.isAllowed) == [false])
            _ = try await later.call(HubMethods.allowApp, AppTarget(id: "com.example.lights"))
            try await lab.app().welcome()
        }
    }

    @Test func aRequestBeforeTheHelloIsRefused() async throws {
        try await AgentLab.run { lab in
            let connection = HubConnection(over: AcceptorTransport(to: lab.agent))
            let error = await #expect(throws: HubError.self) {
                _ = try await connection.call(HubMethods.apps, Empty())
            }
            #expect(error?.code == .notGreeted)
            let hello = Hello(version: 1, app: "hearth", purpose: "")
            let old = await #expect(throws: HubError.self) { _ = try await connection.call(HubMethods.hello, hello) }
            #expect(old?.code == .versionMismatch)
            _ = try await connection.call(HubMethods.hello, Hello(app: "hearth", purpose: ""))
            let twice = await #expect(throws: HubError.self) {
                _ = try await connection.call(HubMethods.hello, Hello(app: "hearth", purpose: ""))
            }
            #expect(twice?.code == .malformedMessage)
        }
    }
}
