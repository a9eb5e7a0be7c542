import HomeKit
import HubAPI
import Testing

// Code as in real apps, which must compile unchanged and with only `import HomeKit`. Main-actor delegates come in two
// forms: with a dynamically checked and with an isolated conformance.

@MainActor
private final class HomeStore: NSObject, @preconcurrency HMHomeManagerDelegate {
    let manager: HMHomeManager
    private(set) var rooms: [UUID: String] = [:]
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ manager: HMHomeManager) {
        self.manager = manager
        super.init()
        manager.delegate = self
    }

    func ready() async {
        guard manager.homes.isEmpty else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        for room in (manager.primaryHome ?? manager.homes.first)?.rooms ?? [] {
            rooms[room.uniqueIdentifier] = room.name
        }
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

@MainActor
private final class Screen: NSObject {
    var titles: [String] = []

    func show(_ home: HMHome) {
        home.delegate = self
        titles = home.rooms.map(\.name)
    }
}

extension Screen: @MainActor HMHomeDelegate {
    func home(_ home: HMHome, didAdd room: HMRoom) {
        titles.append(room.name)
    }
}

private func write(_ value: Any, to characteristic: HMCharacteristic) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        characteristic.writeValue(value) { error in
            if let error { continuation.resume(throwing: error) } else { continuation.resume() }
        }
    }
}

/// Both forms of every call, mixed in one function. It is compiled but never run.
@MainActor
private func everyCall(_ manager: HMHomeManager, _ browser: HMAccessoryBrowser, _ value: Any?) async throws {
    let home = try await manager.addHome(named: "Villa")
    manager.addHome(withName: "Hut") { home, error in print(home?.name ?? "", error?.localizedDescription ?? "") }
    try await manager.updatePrimaryHome(home)
    manager.updatePrimaryHome(home) { _ in }
    try await home.updateName("Castle")
    home.updateName("Castle") { _ in }
    let room = try await home.addRoom(named: "Kitchen")
    home.addRoom(withName: "Kitchen") { _, _ in }
    try await room.updateName("Cuisine")
    room.updateName("Cuisine") { _ in }
    let zone = try await home.addZone(named: "Upstairs")
    home.addZone(withName: "Upstairs") { _, _ in }
    try await zone.updateName("Above")
    zone.updateName("Above") { _ in }
    try await zone.addRoom(room)
    zone.addRoom(room) { _ in }
    try await zone.removeRoom(room)
    zone.removeRoom(room) { _ in }
    browser.startSearchingForNewAccessories()
    for accessory in browser.discoveredAccessories {
        try await accessory.identify()
        accessory.identify { _ in }
        try await home.addAccessory(accessory)
        home.addAccessory(accessory) { _ in }
        try await home.assignAccessory(accessory, to: room)
        home.assignAccessory(accessory, to: room) { _ in }
        try await accessory.updateName("Lamp")
        accessory.updateName("Lamp") { _ in }
        for service in accessory.services where service.serviceType == HMServiceTypeLightbulb {
            try await service.updateName("Glow")
            service.updateName("Glow") { _ in }
            for characteristic in service.characteristics {
                try await characteristic.readValue()
                characteristic.readValue { _ in print(characteristic.value as? Bool ?? false) }
                try await characteristic.writeValue(value)
                characteristic.writeValue(NSNumber(value: true)) { _ in }
                try await characteristic.enableNotification(true)
                characteristic.enableNotification(false) { _ in }
            }
        }
        try await home.removeAccessory(accessory)
        home.removeAccessory(accessory) { _ in }
    }
    browser.stopSearchingForNewAccessories()
    try await home.removeZone(zone)
    home.removeZone(zone) { _ in }
    try await home.removeRoom(room)
    home.removeRoom(room) { _ in }
    try await manager.removeHome(home)
    manager.removeHome(home) { error in
        if let error = error as? HMError, error.code == .insufficientPrivileges { print(error) }
        DispatchQueue.main.async { print("removed") }
    }
}

struct AppCodeTests {
    @MainActor
    @Test func delegatesOnTheMainActorAreCalledOnIt() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let kitchen = try hub.addRoom("Kitchen", in: id)
        let store = HomeStore(HMHomeManager(environment: hub.environment(queue: .main)))
        await store.ready()
        #expect(store.rooms == [kitchen: "Kitchen"])
        let screen = Screen()
        screen.show(try #require(store.manager.homes.first))
        try hub.addRoom("Hall", in: id)
        while screen.titles.count < 2 { await Task.yield() }
        #expect(screen.titles == ["Kitchen", "Hall"])
    }

    @Test func errorsPassThroughAContinuationOfTheApp() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        let app = try await App(on: hub)
        let brightness = try app.accessory("Lamp").characteristic(HMCharacteristicTypeBrightness)
        do {
            try await write(101, to: brightness)
            Issue.record("101 % was written.")
        } catch let error as HMError {
            #expect(error.code == .valueHigherThanMaximum)
        }
    }
}
