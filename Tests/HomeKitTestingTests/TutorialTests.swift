import HomeKitTesting
import Synchronization
import Testing

// The code of Documentation/Testing.md. A test looks for every block of the page in this file.

@Test func theLampTurnsOn() async throws {
    try await withTestHome { home in
        let lamp = try await home.add(.lamp("Desk"))
        let manager = HMHomeManager()
        try await home.until("the manager has a home") { !manager.homes.isEmpty }

        let accessory = try #require(manager.homes.first?.accessories.first)
        let power = try #require(accessory.find(HMCharacteristicTypePowerState))
        try await power.writeValue(true)
        #expect(try await lamp[\.on] == true)
    }
}

extension HMAccessory {
    func find(_ type: String) -> HMCharacteristic? {
        services.flatMap(\.characteristics).first { $0.characteristicType == type }
    }
}

@Suite(.testHome { try await $0.add(.lamp("Desk"), to: "Study") })
struct LampTests {
    @Test func theLampIsInTheStudy() async throws {
        let accessories = try await TestHome.current.app().home().accessories
        #expect(accessories.map(\.room?.name) == ["Study"])
    }

    @Test(arguments: [1, 50, 100])
    func theLampIsDimmed(brightness: Int) async throws {
        let lamp = try #require(try await TestHome.current.app().home().accessories.first)
        try await lamp.find(HMCharacteristicTypeBrightness)?.writeValue(brightness)
    }
}

@Test func theAppShowsWhatAPersonDoes() async throws {
    try await withTestHome { home in
        let lamp = try await home.add(.lamp("Desk"), to: "Study")
        let own = try await home.app("Lights").home()
        let brightness = try #require(own.accessories.first?.find(HMCharacteristicTypeBrightness))
        try await brightness.enableNotification(true)

        try await lamp.set(\.brightness, to: 30)
        try await home.until("the app shows it", is: 30) { brightness.value as? Int }
    }
}

@Test func guestsArrangeNothing() async throws {
    try await withTestHome { home in
        let guest = try await home.guest("Ann").app("Lights").home()
        let refusal = await #expect(throws: HMError.self) { try await guest.addRoom(named: "Attic") }
        #expect(refusal?.code == .insufficientPrivileges)
    }
}

@Test func aLaptopLeavesTheHouse() async throws {
    try await withTestHome { home in
        let lamp = try await home.add(.lamp("Desk"))
        let ann = try await home.person("Ann", role: .guest)
        let laptop = try await home.device(of: ann, named: "Laptop")
        let own = try await laptop.app("Lights").home()
        let accessory = try #require(own.accessories.first)
        let power = try #require(accessory.find(HMCharacteristicTypePowerState))
        try await power.writeValue(true)

        try await home.cutOff(laptop)
        #expect(own.homeHubState == .disconnected)
        #expect(!accessory.isReachable)
        #expect(power.value as? Bool == true)
        let failure = await #expect(throws: HMError.self) { try await power.writeValue(false) }
        #expect(failure?.code == .communicationFailure)
        _ = try await home.app("Lights").home().addRoom(named: "Attic")

        try await home.reconnect(laptop)
        #expect(own.rooms.map(\.name) == ["Attic"])
        try await power.writeValue(false)
        #expect(try await lamp[\.on] == false)
    }
}

@Test func anInvitedUserIsToldToEveryDevice() async throws {
    final class Members: NSObject, HMHomeDelegate, Sendable {
        let names = Mutex<[String]>([])
        func home(_ home: HMHome, didAdd user: HMUser) { names.withLock { $0.append(user.name) } }
        func home(_ home: HMHome, didRemove user: HMUser) { names.withLock { $0.removeAll { $0 == user.name } } }
    }
    try await withTestHome { home in
        let (phone, members) = (try await home.device(of: home.owner, named: "Phone"), Members())
        let seen = try await phone.app("Family").home()
        seen.delegate = members
        let own = try await home.app("Family").home()

        home.peopleAnswer = .invite("Ann", role: .guest)
        try await own.manageUsers()
        try await home.until("the phone is told", is: ["Ann"]) { members.names.withLock(\.self) }
        home.peopleAnswer = .remove("Ann")
        try await own.manageUsers()
        try await home.until("the phone is told", is: []) { members.names.withLock(\.self) }
    }
}

@Test func theDoorTakesAMinute() async throws {
    try await withTestHome { home in
        let door = try await home.add(.garageDoor(delay: .seconds(60)))
        let own = try await home.app("Garage").home()
        let target = try #require(own.accessories.first?.find(HMCharacteristicTypeTargetDoorState))

        try await target.writeValue(HMCharacteristicValueDoorState.open.rawValue)
        try await home.until("it opens", is: 2) { try await door[\.currentDoorState] }
        try await home.clock.advance(by: .seconds(60))
        try await home.until("it is open", is: 0) { try await door[\.currentDoorState] }
    }
}

@Test func theLampIsOnAfterSunset() async throws {
    try await withTestHome { home in
        let lamp = try await home.add(.lamp("Desk"))
        try await home.setPlace(latitude: 52.52, longitude: 13.405)
        let own = try await home.app("Lights").home()
        let power = try #require(own.accessories.first?.find(HMCharacteristicTypePowerState))
        let evening = try await own.addActionSet(named: "Evening")
        try await evening.addAction(HMCharacteristicWriteAction(characteristic: power, targetValue: NSNumber(true)))
        let sunset = HMSignificantTimeEvent(significantEvent: .sunset, offset: nil)
        let trigger = HMEventTrigger(name: "Sunset Lamp", events: [sunset], predicate: nil)
        try await own.addTrigger(trigger)
        try await trigger.addActionSet(evening)
        try await trigger.enable(true)

        try await home.advanceTime(by: .seconds(24 * 60 * 60))
        #expect(try await lamp[\.on] == true)
    }
}

@Test func aLampThatFails() async throws {
    try await withTestHome { home in
        let lamp = try await home.add(.lamp("Desk"))
        let accessory = try #require(try await home.app("Lights").home().accessories.first)
        let power = try #require(accessory.find(HMCharacteristicTypePowerState))

        try await lamp.inject(Fault(.status(.unableToPerform, .write)), into: \.on)
        await #expect(throws: HMError.self) { try await power.writeValue(true) }
        try await lamp.clearFaults()

        await lamp.switchOff()
        try await home.until("the app knows") { !accessory.isReachable }
        try await lamp.switchOn()
        try await home.until("the app knows") { accessory.isReachable }
    }
}

@Test func theAppOutlivesItsHub() async throws {
    try await withTestHome { home in
        let lamp = try await home.add(.lamp("Desk"))
        let accessory = try #require(try await home.app("Lights").home().accessories.first)
        let (id, power) = (accessory.uniqueIdentifier, try #require(accessory.find(HMCharacteristicTypePowerState)))

        try await home.restartHub {
            await #expect(throws: HMError.self) { try await power.writeValue(true) }
        }
        try await power.writeValue(true)
        #expect(try await lamp[\.on] == true)
        #expect(try await home.app("Another").home().accessories.map(\.uniqueIdentifier) == [id])
    }
}

@Test(arguments: TestLink.allCases)
func aNewLampIsAdded(link: TestLink) async throws {
    try await withTestHome(over: link) { home in
        try await home.addUnpaired(.lamp("Desk"))
        let app = home.app("Lights")
        let browser = app.run { HMAccessoryBrowser() }
        browser.startSearchingForNewAccessories()
        try await home.until("it is found") { !browser.discoveredAccessories.isEmpty }

        let lamp = try #require(browser.discoveredAccessories.first)
        home.setupCodeAnswer = .code("111-22-334")
        await #expect(throws: HMError.self) { try await app.home().addAccessory(lamp) }
        home.setupCodeAnswer = .right
        try await app.home().addAccessory(lamp)
    }
}

final class HomeStore: NSObject, Sendable {
    static let shared = HomeStore()
    let manager = HMHomeManager()
}

@Test func theStoreHasThisTestsHome() async throws {
    try await withTestHome(named: "Villa", scope: .process) { home in
        let manager = HomeStore.shared.manager
        try await home.until("the store has the home", is: ["Villa"]) { manager.homes.map(\.name) }
    }
}

@Test func aProcessOfItsOwn() async {
    await #expect(processExitsWith: .success) {
        try await withTestHome(named: "Cabin", scope: .process) { home in
            try await home.until("there is a home", is: ["Cabin"]) { HomeStore.shared.manager.homes.map(\.name) }
        }
    }
}
