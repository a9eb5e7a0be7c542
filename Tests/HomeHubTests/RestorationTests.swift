import Foundation
import HomeHub
import HomeModel
import HomeStore
import HubAPI
import Testing

/// Users and apps after a home is restored from a backup.
struct RestorationTests {
    /// Replaces the hub's store with a copy of itself, as in a restore.
    private func restore(_ folder: URL) async throws {
        let (data, copy) = (folder.appending(path: "hub"), folder.appending(path: "copy"))
        let store = try await HomeStore.open(at: data)
        try await store.copy(to: copy)
        try await store.close()
        try FileManager.default.removeItem(at: data)
        let person = Caller(user: UUID(), device: UUID(), app: "test", client: UUID())
        try await HomeStore.restore(copy, to: data, by: person, now: Date())
    }

    @Test func peopleComeBackSuspendedUntilTheOwnerConfirmsEach() async throws {
        try await withDataFolder { folder in
            let (home, ann, bob) = try await withHub(at: folder) { hub in
                let owner = try await RecordingHubClient(to: hub)
                let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
                let ann = AddHomeUser(home: home, name: "Ann", role: .administrator)
                let bob = AddHomeUser(home: home, name: "Bob", role: .guest)
                return (
                    home, try await owner.call(HubMethods.addUser, ann).id,
                    try await owner.call(HubMethods.addUser, bob).id
                )
            }
            try await restore(folder)
            try await withHub(at: folder) { hub in
                let owner = try await RecordingHubClient(to: hub)
                let people = try #require(owner.view.homes[home]).users
                #expect(people.map(\.name) == ["Tester", "Ann", "Bob"])
                #expect(people.map(\.isSuspended) == [false, true, true])
                // Apps see the users under the same IDs as before.
                #expect(people.map(\.id).dropFirst() == [ann, bob])
                let first = people.first.map { ItemTarget(home: home, id: $0.id) }

                let probes = [
                    try await RecordingHubClient(to: hub, as: ann), try await RecordingHubClient(to: hub, as: bob),
                ]
                for probe in probes {
                    #expect(probe.view.homes.isEmpty)
                    let room = InHome(home, AddRoom(name: "Attic"))
                    #expect(try await probe.refusal(HubMethods.addRoom, room) == "notFound")
                    for id in [ann, bob] {
                        let confirmation = InHome(home, ConfirmUser(id))
                        #expect(try await probe.refusal(HubMethods.confirmUser, confirmation) == "notFound")
                        #expect(
                            try await probe.refusal(HubMethods.removeUser, InHome(home, RemoveUser(id))) == "notFound"
                        )
                    }
                    let read = ReadCharacteristics(home: home, characteristics: [])
                    #expect(try await probe.refusal(HubMethods.read, read) == "notFound")
                    // They also can't add users of the home to homes of their own, because they can't have any.
                    let flat = AddHome(name: "Flat")
                    #expect(try await probe.refusal(HubMethods.addHome, flat) == "insufficientPrivileges")
                    let part = AddHomeUser(home: home, name: "Owner", role: .guest, person: first)
                    #expect(try await probe.refusal(HubMethods.addUser, part) == "notFound")
                }
                #expect(try await owner.refusal(HubMethods.addRoom, InHome(home, AddRoom(name: "Hall"))) == nil)

                _ = try await owner.call(HubMethods.confirmUser, InHome(home, ConfirmUser(bob)))
                // The open connection receives the home in its current state.
                try await probes[1].until { $0.homes[home]?.rooms.map(\.name) == ["Hall"] }
                #expect(probes[0].view.homes[home] == nil)
                let loft = InHome(home, AddRoom(name: "Loft"))
                #expect(try await probes[1].refusal(HubMethods.addRoom, loft) == "insufficientPrivileges")
            }
            // The confirmation is stored.
            try await withHub(at: folder) { hub in
                let owner = try await RecordingHubClient(to: hub)
                #expect(owner.view.homes[home]?.users.map(\.isSuspended) == [false, true, false])
                #expect(try await RecordingHubClient(to: hub, as: bob).view.homes[home] != nil)
                #expect(try await RecordingHubClient(to: hub, as: ann).view.homes[home] == nil)
            }
        }
    }

    @Test func appsAreAskedAboutAnewAndThoseDeniedStayDenied() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let owner = try await RecordingHubClient(to: hub, app: "hearth")
                _ = try await owner.call(HubMethods.addHome, AddHome(name: "Villa"))
                _ = try await owner.call(HubMethods.allowApp, AppTarget(id: "com.example.good"))
                _ = try await owner.call(HubMethods.denyApp, AppTarget(id: "com.example.bad"))
            }
            try await restore(folder)
            try await withHub(at: folder) { hub in
                let owner = try await RecordingHubClient(to: hub, app: "hearth")
                let apps = try await owner.call(HubMethods.apps, Empty()).apps
                #expect(apps.map(\.id) == ["com.example.bad"])
                #expect(apps.map(\.isAllowed) == [false])
            }
        }
    }
}
