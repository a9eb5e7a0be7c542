import Foundation
import HomeHub
import HomeModel
import HubAPI
import Testing

struct LayoutTests {
    @Test func aNewClientGetsASnapshotBeforeItsGreetingIsAnswered() async throws {
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            let messages = probe.messages
            try #require(messages.count == 2)
            guard case .event(.reset(let snapshot)) = messages[0], case .reply = messages[1] else {
                Issue.record("not a reset, then a reply: \(messages)")
                return
            }
            #expect(snapshot.homes.isEmpty)
        }
    }

    @Test func aChangeReachesItsAuthorBeforeTheReplyAndOthersAsNotTheirs() async throws {
        try await withHub { hub in
            let author = try await RecordingHubClient(to: hub, app: "test.author")
            let reader = try await RecordingHubClient(to: hub, app: "test.reader")
            let home = try await author.call(HubMethods.addHome, AddHome(name: "My Home")).id
            let room = try await author.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kids' Room"))).id

            #expect(author.view.homes[home]?.rooms[id: room]?.name == "Kids' Room")
            #expect(author.changes.filter { !$0.isMine }.isEmpty)
            guard case .reply("room.add")? = author.messages.last else {
                Issue.record("the reply is not last: \(author.messages)")
                return
            }
            try await reader.until { state in state.homes[home]?.rooms[id: room] != nil }
            #expect(reader.changes.count == author.changes.count)
            #expect(reader.changes.filter(\.isMine).isEmpty)
            #expect(reader.changes.last?.change.verb == .roomAdded)
        }
    }

    @Test func theFirstHomeBecomesPrimaryAndItsRemovalIsTold() async throws {
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            let first = try await probe.call(HubMethods.addHome, AddHome(name: "First")).id
            let second = try await probe.call(HubMethods.addHome, AddHome(name: "Second")).id
            #expect(probe.view.account.primaryHome?.id == first)
            _ = try await probe.call(HubMethods.removeHome, HomeTarget(home: first))
            #expect(probe.view.account.primaryHome?.id == second)
            #expect(probe.view.homes[first] == nil)
        }
    }

    @Test func brokenRulesHaveNamesAndChangeNothing() async throws {
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
            _ = try await probe.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")))
            let before = probe.changes.count

            let rooms = HubMethods.addRoom
            #expect(try await probe.refusal(rooms, InHome(home, AddRoom(name: "KIT chen"))) == "nameTaken")
            #expect(try await probe.refusal(rooms, InHome(home, AddRoom(name: "Kitchen!"))) == "nameInvalidCharacter")
            #expect(try await probe.refusal(rooms, InHome(home, AddRoom(name: ""))) == "nameEmpty")
            #expect(try await probe.refusal(rooms, InHome(UUID(), AddRoom(name: "Hall"))) == "notFound")
            #expect(try await probe.refusal(HubMethods.removeRoom, InHome(home, RemoveRoom(UUID()))) == "notFound")
            #expect(try await probe.refusal(HubMethods.addHome, AddHome(name: "my home")) == "nameTaken")
            #expect(
                try await probe.refusal(HubMethods.removeAccessory, InHome(home, RemoveAccessory(UUID()))) == "notFound"
            )
            #expect(probe.changes.count == before)
        }
    }

    @Test func whatWasAcknowledgedIsThereAfterARestart() async throws {
        try await withDataFolder { folder in
            let (home, room, zone) = try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                let room = try await probe.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen"))).id
                let zone = try await probe.call(HubMethods.addZone, InHome(home, AddZone(name: "Downstairs"))).id
                let membership = InHome(home, AddRoomToZone(room: room, zone: zone))
                _ = try await probe.call(HubMethods.addRoomToZone, membership)
                return (home, room, zone)
            }
            try await withHub(at: folder) { hub in
                let view = try await RecordingHubClient(to: hub).view
                #expect(view.account.homes.map(\.name) == ["My Home"])
                #expect(view.homes[home]?.rooms.map(\.id) == [room])
                #expect(view.homes[home]?.zones[id: zone]?.rooms == [room])
            }
        }
    }

    @Test func aSecondHubOnTheSameFolderIsRefused() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                await #expect(throws: (any Error).self) { try await withHub(at: folder) { _ in } }
                // The first hub still works.
                _ = try await RecordingHubClient(to: hub).call(HubMethods.addHome, AddHome(name: "My Home"))
            }
        }
    }

    @Test func manyWritersEndWithOneStateAndEachChangeToldOnce() async throws {
        try await withHub { hub in
            let first = try await RecordingHubClient(to: hub)
            let home = try await first.call(HubMethods.addHome, AddHome(name: "My Home")).id
            var probes = [first]
            for _ in 1..<8 { probes.append(try await RecordingHubClient(to: hub)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (writer, probe) in probes.enumerated() {
                    group.addTask {
                        for number in 0..<10 {
                            let name = "Room \(writer) \(number)"
                            _ = try await probe.call(HubMethods.addRoom, InHome(home, AddRoom(name: name)))
                        }
                    }
                }
                try await group.waitForAll()
            }
            for probe in probes {
                try await probe.until { state in state.homes[home]?.rooms.count == 80 }
                let revisions = probe.changes.filter { $0.home == home && $0.change.verb == .roomAdded }.map(\.revision)
                #expect(revisions == Array(2...81))
            }
        }
    }
}
