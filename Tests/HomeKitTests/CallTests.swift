import Foundation
import HomeKit
import HomeModel
import HubAPI
import Testing

/// The two forms of each call without a result: both send the same request, and both complete once, with the hub's
/// result or error.
struct CallTests {
    private let hub = ScriptedHub()

    /// Starts an app with a home that has a room, a zone and a lamp.
    private func start() async throws -> (app: App, home: HMHome) {
        let id = try hub.addHome("Villa")
        try hub.addRoom("Kitchen", in: id)
        try hub.change(AddZone(id: UUID(), name: "Upstairs"), in: id)
        try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        let app = try await App(on: hub)
        return (app, try app.home())
    }

    private func expect<Parameters: Equatable>(
        _ expected: Parameters,
        of method: Method<Parameters, Empty>,
        from app: App,
        _ completing: (@escaping @Sendable ((any Error)?) -> Void) -> Void,
        _ throwing: @escaping @Sendable () async throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for refusal in [nil, HMError.Code.insufficientPrivileges] {
            let answer = { () async throws in
                let (request, parameters) = try await app.request(method)
                #expect(parameters == expected, sourceLocation: sourceLocation)
                if refusal == nil {
                    try request.reply(Empty())
                } else {
                    request.refuse(HubError.Code(rawValue: HomeError.Code.insufficientPrivileges.rawValue))
                }
            }
            let completed = Inbox<HMError.Code?>()
            completing { error in completed.put(error.map { ($0 as? HMError)?.code ?? .unexpectedError }) }
            try await answer()
            #expect(try await completed.next() == refusal, sourceLocation: sourceLocation)
            #expect(completed.drain().isEmpty, sourceLocation: sourceLocation)

            async let thrown = code(throwing)
            try await answer()
            #expect(await thrown == refusal, sourceLocation: sourceLocation)
        }
    }

    @Test func homesAreRenamedRemovedAndMadePrimary() async throws {
        let (app, home) = try await start()
        let id = home.uniqueIdentifier
        let manager = app.manager
        try await expect(
            RenameHome(home: id, name: "Castle"),
            of: HubMethods.renameHome,
            from: app,
            { home.updateName("Castle", completionHandler: $0) },
            { try await home.updateName("Castle") }
        )
        try await expect(
            HomeTarget(home: id),
            of: HubMethods.setPrimaryHome,
            from: app,
            { manager.updatePrimaryHome(home, completionHandler: $0) },
            { try await manager.updatePrimaryHome(home) }
        )
        try await expect(
            HomeTarget(home: id),
            of: HubMethods.removeHome,
            from: app,
            { manager.removeHome(home, completionHandler: $0) },
            { try await manager.removeHome(home) }
        )
    }

    @Test func roomsAreRenamedAndRemoved() async throws {
        let (app, home) = try await start()
        let room = try #require(home.rooms.first)
        try await expect(
            InHome(home.uniqueIdentifier, RenameRoom(room.uniqueIdentifier, name: "Cuisine")),
            of: HubMethods.renameRoom,
            from: app,
            { room.updateName("Cuisine", completionHandler: $0) },
            { try await room.updateName("Cuisine") }
        )
        try await expect(
            InHome(home.uniqueIdentifier, RemoveRoom(room.uniqueIdentifier)),
            of: HubMethods.removeRoom,
            from: app,
            { home.removeRoom(room, completionHandler: $0) },
            { try await home.removeRoom(room) }
        )
    }

    @Test func zonesAreRenamedFilledEmptiedAndRemoved() async throws {
        let (app, home) = try await start()
        let room = try #require(home.rooms.first)
        let zone = try #require(home.zones.first)
        try await expect(
            InHome(home.uniqueIdentifier, RenameZone(zone.uniqueIdentifier, name: "Above")),
            of: HubMethods.renameZone,
            from: app,
            { zone.updateName("Above", completionHandler: $0) },
            { try await zone.updateName("Above") }
        )
        try await expect(
            InHome(home.uniqueIdentifier, AddRoomToZone(room: room.uniqueIdentifier, zone: zone.uniqueIdentifier)),
            of: HubMethods.addRoomToZone,
            from: app,
            { zone.addRoom(room, completionHandler: $0) },
            { try await zone.addRoom(room) }
        )
        try await expect(
            InHome(home.uniqueIdentifier, RemoveRoomFromZone(room: room.uniqueIdentifier, zone: zone.uniqueIdentifier)),
            of: HubMethods.removeRoomFromZone,
            from: app,
            { zone.removeRoom(room, completionHandler: $0) },
            { try await zone.removeRoom(room) }
        )
        try await expect(
            InHome(home.uniqueIdentifier, RemoveZone(zone.uniqueIdentifier)),
            of: HubMethods.removeZone,
            from: app,
            { home.removeZone(zone, completionHandler: $0) },
            { try await home.removeZone(zone) }
        )
    }

    @Test func accessoriesAreRenamedMovedIdentifiedAndRemoved() async throws {
        let (app, home) = try await start()
        let room = try #require(home.rooms.first)
        let lamp = try app.accessory("Lamp")
        try await expect(
            InHome(home.uniqueIdentifier, RenameAccessory(lamp.uniqueIdentifier, name: "Torch")),
            of: HubMethods.renameAccessory,
            from: app,
            { lamp.updateName("Torch", completionHandler: $0) },
            { try await lamp.updateName("Torch") }
        )
        try await expect(
            InHome(home.uniqueIdentifier, MoveAccessory(lamp.uniqueIdentifier, room: room.uniqueIdentifier)),
            of: HubMethods.moveAccessory,
            from: app,
            { home.assignAccessory(lamp, to: room, completionHandler: $0) },
            { try await home.assignAccessory(lamp, to: room) }
        )
        try await expect(
            ItemTarget(home: home.uniqueIdentifier, id: lamp.uniqueIdentifier),
            of: HubMethods.identifyAccessory,
            from: app,
            { lamp.identify(completionHandler: $0) },
            { try await lamp.identify() }
        )
        try await expect(
            InHome(home.uniqueIdentifier, UnblockAccessory(lamp.uniqueIdentifier)),
            of: HubMethods.unblockAccessory,
            from: app,
            { home.unblockAccessory(lamp, completionHandler: $0) },
            { try await home.unblockAccessory(lamp) }
        )
        try await expect(
            InHome(home.uniqueIdentifier, RemoveAccessory(lamp.uniqueIdentifier)),
            of: HubMethods.removeAccessory,
            from: app,
            { home.removeAccessory(lamp, completionHandler: $0) },
            { try await home.removeAccessory(lamp) }
        )
    }

    @Test func servicesAreRenamed() async throws {
        let (app, home) = try await start()
        let lamp = try app.accessory("Lamp")
        let light = try #require(lamp.services.last)
        try await expect(
            InHome(home.uniqueIdentifier, RenameService(accessory: lamp.uniqueIdentifier, iid: 10, name: "Glow")),
            of: HubMethods.renameService,
            from: app,
            { light.updateName("Glow", completionHandler: $0) },
            { try await light.updateName("Glow") }
        )
    }

    @Test func whatIsAddedIsHandedOverInBothForms() async throws {
        let app = try await App(on: hub)
        let manager = app.manager
        let added = Inbox<Bool>()
        manager.addHome(withName: "Villa") { home, error in added.put(home === manager.homes.first && error == nil) }
        var request = try await app.request(HubMethods.addHome)
        #expect(request.parameters == AddHome(name: "Villa"))
        let villa = try hub.addHome("Villa", isMine: true)
        try request.request.reply(AddedItem(id: villa))
        #expect(try await added.next())

        async let hut = manager.addHome(named: "Hut")
        request = try await app.request(HubMethods.addHome)
        try request.request.reply(AddedItem(id: try hub.addHome("Hut", isMine: true)))
        #expect(try await hut === manager.homes.last)

        let home = try app.home()
        async let room = home.addRoom(named: "Kitchen")
        let roomRequest = try await app.request(HubMethods.addRoom)
        #expect(roomRequest.parameters == InHome(villa, AddRoom(name: "Kitchen")))
        try roomRequest.request.reply(AddedItem(id: try hub.addRoom("Kitchen", in: villa, isMine: true)))
        #expect(try await room === home.rooms.first)

        home.addZone(withName: "Upstairs") { zone, error in added.put(zone === home.zones.first && error == nil) }
        let zoneRequest = try await app.request(HubMethods.addZone)
        #expect(zoneRequest.parameters == InHome(villa, AddZone(name: "Upstairs")))
        let zone = UUID()
        try hub.change(AddZone(id: zone, name: "Upstairs"), in: villa, isMine: true)
        try zoneRequest.request.reply(AddedItem(id: zone))
        #expect(try await added.next())
    }
}
