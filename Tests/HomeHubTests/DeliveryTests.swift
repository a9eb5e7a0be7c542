import Foundation
@testable import HomeHub
import HomeModel
import HubAPI
import Testing

struct DeliveryTests {
    // MARK: Resuming

    @Test func aClientThatMissedNothingGoesOnWithoutAReset() async throws {
        try await withHub { hub in
            let first = try await RecordingHubClient(to: hub)
            _ = try await first.call(HubMethods.addHome, AddHome(name: "Villa"))
            first.close()
            let second = try await RecordingHubClient(to: hub, after: first.view)
            #expect(second.events == [.resumed])
            #expect(second.view.homes == first.view.homes)
        }
    }

    @Test func aClientThatReturnsHearsOfWhatItMissedInOrder() async throws {
        try await withHub { hub in
            let editor = try await RecordingHubClient(to: hub)
            let villa = try await editor.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let cabin = try await editor.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            let traveller = try await RecordingHubClient(to: hub)
            traveller.close()
            _ = try await editor.call(HubMethods.addRoom, InHome(villa, AddRoom(name: "Kitchen")))
            _ = try await editor.call(HubMethods.addRoom, InHome(villa, AddRoom(name: "Hall")))
            let tower = try await editor.call(HubMethods.addHome, AddHome(name: "Tower")).id
            _ = try await editor.call(HubMethods.removeHome, HomeTarget(home: cabin))

            let returned = try await RecordingHubClient(to: hub, after: traveller.view)
            #expect(returned.events.last == .resumed)
            #expect(!returned.events.contains(.reset))
            let verbs = returned.changes.filter { $0.home == villa }.map(\.change.verb)
            #expect(verbs == [.roomAdded, .roomAdded])
            #expect(returned.changes.allSatisfy { !$0.isMine })
            #expect(returned.view.homes == editor.view.homes)
            #expect(returned.view.account.homes == editor.view.account.homes)
            #expect(returned.view.homes[tower] != nil)
            #expect(returned.view.homes[cabin] == nil)
            #expect(returned.view.seen == editor.view.seen)

            _ = try await editor.call(HubMethods.addRoom, InHome(villa, AddRoom(name: "Attic")))
            let state = try await returned.until { $0.homes[villa]?.rooms.count == 3 }
            #expect(state.homes == editor.view.homes)
        }
    }

    @Test func aClientReturnsOverARestartOfTheHub() async throws {
        try await withDataFolder { folder in
            let previous = try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "Villa")).id
                let view = probe.view
                _ = try await probe.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")))
                return view
            }
            try await withHub(at: folder) { hub in
                let returned = try await RecordingHubClient(to: hub, after: previous)
                #expect(returned.events == [.change, .resumed])
                #expect(returned.view.homes.values.first?.rooms.map(\.name) == ["Kitchen"])
            }
        }
    }

    @Test func aPlaceInAnotherLineageOrInTheFutureLeadsToAReset() async throws {
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            let home = try await probe.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let seen = try #require(probe.view.seen)
            var strange = seen
            strange.homes[home]?.lineage = UUID()
            var strangeAccount = seen
            strangeAccount.account.lineage = UUID()
            var future = seen
            future.homes[home]?.revision += 1
            var past = seen
            past.homes[home]?.revision = -1
            for seen in [strange, strangeAccount, future, past] {
                let connection = HubEventLog()
                try await connection.greet(hub, seen: seen)
                #expect(connection.events == [.reset])
            }
        }
    }

    @Test func aHomeOfNobodyInAPlaceIsOnlyGone() async throws {
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            _ = try await probe.call(HubMethods.addHome, AddHome(name: "Villa"))
            var seen = try #require(probe.view.seen)
            seen.homes[UUID()] = LogCursor(lineage: UUID(), revision: 7)
            let connection = HubEventLog()
            try await connection.greet(hub, seen: seen)
            #expect(connection.events == [.homeGone, .resumed])
        }
    }

    @Test func afterALongGapEverythingComesAnew() async throws {
        try await withHub { hub in
            let editor = try await RecordingHubClient(to: hub)
            let home = try await editor.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let room = try await editor.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen"))).id
            let before = try #require(editor.view.seen)
            for number in 0...1_000 {
                _ = try await editor.call(HubMethods.renameRoom, InHome(home, RenameRoom(room, name: "Room \(number)")))
            }
            let connection = HubEventLog()
            try await connection.greet(hub, seen: before)
            #expect(connection.events == [.reset])
            var within = before
            within.homes[home]?.revision += 1
            let other = HubEventLog()
            try await other.greet(hub, seen: within)
            #expect(other.events.count == 1_001)
            #expect(other.events.last == .resumed)
        }
    }

    // MARK: Background and foreground

    @Test func aClientInTheBackgroundHearsNothingAndThenAllAtOnce() async throws {
        try await withHub { hub in
            let editor = try await RecordingHubClient(to: hub)
            let home = try await editor.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let app = try await RecordingHubClient(to: hub)
            _ = try await app.call(HubMethods.enterBackground, Empty())
            _ = try await editor.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")))
            _ = try await editor.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Hall")))
            #expect(app.events == [.reset])
            _ = try await app.call(HubMethods.enterForeground, Empty())
            #expect(app.events == [.reset, .reset])
            #expect(app.view.homes == editor.view.homes)
            _ = try await editor.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic")))
            try await app.until { $0.homes[home]?.rooms.count == 3 }
            #expect(app.events == [.reset, .reset, .change])
        }
    }

    @Test func aClientThatMissedNothingInTheBackgroundHearsNothingOnReturn() async throws {
        try await withHub { hub in
            let app = try await RecordingHubClient(to: hub)
            _ = try await app.call(HubMethods.enterBackground, Empty())
            _ = try await app.call(HubMethods.enterForeground, Empty())
            #expect(app.events == [.reset])
        }
    }

    @Test func aClientInTheBackgroundGoesOnCalling() async throws {
        try await withHub { hub in
            let app = try await RecordingHubClient(to: hub)
            _ = try await app.call(HubMethods.enterBackground, Empty())
            let home = try await app.call(HubMethods.addHome, AddHome(name: "Villa")).id
            #expect(app.view.homes.isEmpty)
            _ = try await app.call(HubMethods.enterForeground, Empty())
            #expect(app.view.homes[home] != nil)
        }
    }

    // MARK: Clients that don't read

    @Test func aClientThatDoesNotReadIsToldEverythingAnewOnceItDoes() async throws {
        try await withHub { hub in
            let editor = try await RecordingHubClient(to: hub)
            let home = try await editor.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let slow = HubEventLog()
            let session = try await slow.greet(hub)
            session.pauseEvents()
            for number in 0..<100 {
                _ = try await editor.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Room \(number)")))
            }
            #expect(slow.events == [.reset])
            session.resumeEvents()
            try await slow.until { $0.count == 2 }
            #expect(slow.events == [.reset, .reset])
            _ = try await editor.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic")))
            try await slow.until { $0.last == .change }
            #expect(slow.events == [.reset, .reset, .change])
        }
    }

    @Test func aBrowserThatDoesNotReadIsEndedBecauseNoResetTellsWhatItFound() async throws {
        var gate = EventGate()
        gate.isPaused = true
        #expect(gate.route(.discoveryLost(UUID())) == .endSession)
        gate.isPaused = false
        gate.isInBackground = true
        #expect(gate.route(.discoveryLost(UUID())) == .deliver)
    }

    // MARK: Many clients

    @Test func twentyClientsThatChangeOneHomeEndWithEqualState() async throws {
        try await withHub { hub in
            let owner = try await RecordingHubClient(to: hub)
            let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let clients = try await withThrowingTaskGroup(of: RecordingHubClient.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let client = try await RecordingHubClient(to: hub)
                        for step in 0..<12 {
                            let name = "Room \(number) and \(step)"
                            let room = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: name))).id
                            if step.isMultiple(of: 3) {
                                _ = try await client.call(HubMethods.removeRoom, InHome(home, RemoveRoom(room)))
                            } else {
                                let rename = InHome(home, RenameRoom(room, name: name + "a"))
                                _ = try await client.call(HubMethods.renameRoom, rename)
                            }
                            // The state at the time of the completion includes the result.
                            let shown = client.view.homes[home]?.rooms[id: room]?.name
                            #expect(shown == (step.isMultiple(of: 3) ? nil : name + "a"))
                        }
                        return client
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // Each client has seen its own last change. The latest revision of all is the home's.
            let last = clients.compactMap { $0.view.seen?.homes[home]?.revision }.max() ?? 0
            try await owner.until { ($0.seen?.homes[home]?.revision ?? 0) >= last }
            for client in clients {
                try await client.until { ($0.seen?.homes[home]?.revision ?? 0) >= last }
                #expect(client.view.homes == owner.view.homes)
                let revisions = client.changes.filter { $0.home == home }.map(\.revision)
                #expect(revisions == Array((revisions.first ?? 0)..<(revisions.first ?? 0) + revisions.count))
                #expect(client.changes.count { $0.isMine } == 24)
            }
        }
    }
}
