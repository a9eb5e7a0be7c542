import HomeKitTesting
@testable import KilgoApp
import Testing

/// A vendor's app, written for Apple's systems, with the vendor's garage door.
@MainActor
struct VendorAppTests {
    /// Starts the app and waits until it lists the vendor's services.
    private static func start(_ home: TestHome, _ app: String = "Kilgo") async throws -> AccessoryList {
        let list = AccessoryList(store: home.app(app).run { HomeStore() })
        try await home.until("the app lists the services", is: ["Garage Door", "Light"]) { list.tiles.map(\.title) }
        return list
    }

    @Test func itListsItsOwnAccessoriesOnly() async throws {
        try await withTestHome { home in
            _ = try await home.add(file: Files.garageDoor, to: "Garage")
            _ = try await home.add(.lamp("Desk"))
            let list = try await Self.start(home)
            #expect(list.tiles.map(\.subtitle) == ["Garage", "Garage"])
            #expect(list.tiles.map(\.isEnabled) == [true, true])
            try await home.until("the states are known", is: ["Closed", "Off"]) { list.tiles.map(\.state) }
            #expect(list.failedNotifications.isEmpty)
        }
    }

    @Test func theButtonToAddLeadsAPersonThroughTheSetup() async throws {
        try await withTestHome { home in
            let door = try await home.addUnpaired(try AccessoryDescription(file: Files.garageDoor))
            let list = AccessoryList(store: home.app("Kilgo").run { HomeStore() })
            try await home.until("the app has its home") { list.home != nil }
            let recorder = DelegateRecorder()
            list.store.addHomeDelegate(recorder)
            #expect(list.tiles.isEmpty)
            list.addAccessory()
            try await home.until("the app lists the services", is: ["Garage Door", "Light"]) { list.tiles.map(\.title) }
            // The home's delegate is called in the app that requested the setup, as in any other app.
            #expect(recorder.count("added \(door.name)") == 1)
            try await home.until("the states are known", is: ["Closed", "Off"]) { list.tiles.map(\.state) }
            try await door.set(\.on, to: true)
            try await home.until("the tile shows it", is: "On") { list.tiles[1].state }
            #expect(list.failedNotifications.isEmpty)
        }
    }

    @Test func aTapOpensTheDoorWhichTakesItsTime() async throws {
        try await withTestHome { home in
            let door = try await home.add(file: Files.garageDoor)
            let list = try await Self.start(home)
            let tile = list.tiles[0]
            try await home.until("the state is known", is: "Closed") { tile.state }
            await withCheckedContinuation { continuation in tile.tap { continuation.resume() } }
            try await home.until("it opens", is: "Opening") { tile.state }
            try await home.clock.advance(by: .seconds(2))
            try await home.until("it is open", is: "Open") { tile.state }
            #expect(try await door[\.currentDoorState] == 0)
        }
    }

    @Test func aChangeByHandReachesEveryListener() async throws {
        final class Badge: NSObject, HMAccessoryDelegate {
            var values: [Any?] = []

            func accessory(
                _ accessory: HMAccessory,
                service: HMService,
                didUpdateValueFor characteristic: HMCharacteristic
            ) {
                values.append(characteristic.value)
            }
        }
        try await withTestHome { home in
            let door = try await home.add(file: Files.garageDoor)
            let list = try await Self.start(home)
            let badge = Badge()
            list.store.addAccessoryDelegate(badge)
            try await door.set(\.on, to: true)
            try await home.until("the tile shows it", is: "On") { list.tiles[1].state }
            #expect(badge.values.last.flatMap { $0 as? Bool } == true)
            list.store.removeAccessoryDelegate(badge)
            try await door.set(\.on, to: false)
            try await home.until("the tile shows it", is: "Off") { list.tiles[1].state }
            #expect(badge.values.count == 1)
        }
    }

    @Test func whatCannotBeReachedSaysSo() async throws {
        try await withTestHome { home in
            let door = try await home.add(file: Files.garageDoor)
            let list = try await Self.start(home)
            await door.switchOff()
            try await home.until("both say so", is: ["No Response", "No Response"]) { list.tiles.map(\.state) }
            await withCheckedContinuation { continuation in list.tiles[1].tap { continuation.resume() } }
            #expect(list.tiles[1].state == "The accessory cannot be reached.")
        }
    }

    @Test func theDetailsRenameAndMove() async throws {
        try await withTestHome { home in
            _ = try await home.add(file: Files.garageDoor)
            let list = try await Self.start(home)
            let other = try await Self.start(home, "Other")
            let own = try #require(list.home)
            let detail = AccessoryDetail(service: list.kilgoServices[1], home: own)
            #expect(detail.information.map(\.1) == ["Kilgo Devices, Inc.", "123", "1.0.0", "Garage Door Opener"])
            #expect(detail.rooms.map(\.name) == ["Default Room"])
            await withCheckedContinuation { continuation in detail.rename("Ceiling Light") { continuation.resume() } }
            await withCheckedContinuation { continuation in detail.move(to: "Garage") { continuation.resume() } }
            await withCheckedContinuation { continuation in detail.move(to: "garage") { continuation.resume() } }
            #expect(detail.errors.isEmpty)
            #expect(own.rooms.map(\.name) == ["Garage"])
            #expect(detail.service.accessory?.room?.name == "Garage")
            // The other app's delegates are called.
            try await home.until("the other app shows the name", is: "Ceiling Light") { other.tiles[1].title }
            try await home.until("the other app shows the room", is: "Garage") { other.tiles[0].subtitle }
            detail.identify()
            detail.remove()
            try await home.until("the other app lists nothing", is: 0) { other.tiles.count }
        }
    }

    @Test func theSettingsShowTheMakersOwnCharacteristicAndKeepItsBounds() async throws {
        try await withTestHome { home in
            let door = try await home.add(file: Files.garageDoor)
            let list = try await Self.start(home)
            let settings = CharacteristicSettings(service: list.kilgoServices[1])
            let fadeRate = try #require(
                settings.service.displayableCharacteristics.first {
                    $0.characteristicType == HMService.KilgoCharacteristicTypes.fadeRate.rawValue
                }
            )
            #expect(fadeRate.localizedDescription == "Fade Rate")
            let failures = await withCheckedContinuation { continuation in
                settings.reload { continuation.resume(returning: $0) }
            }
            #expect(failures == 0)
            #expect(settings.control(for: fadeRate) == .slider(value: 0, range: 0...1, step: 0.1))
            let error = await withCheckedContinuation { continuation in
                settings.slide(fadeRate, to: 7) { continuation.resume(returning: $0) }
            }
            #expect(error == nil)
            #expect(try await door[fadeRate.characteristicType] == 1)
            #expect(settings.control(for: fadeRate) == .slider(value: 1, range: 0...1, step: 0.1))
        }
    }
}
