import HomeKitTesting
import Synchronization
import Testing

/// The features of test homes, over memory and over TCP.
struct HomeTests {
    @Test(arguments: TestLink.allCases)
    func anAppTurnsALampOn(link: TestLink) async throws {
        try await withTestHome(over: link) { home in
            let lamp = try await home.add(.lamp("Desk"))
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            try await power.writeValue(true)
            #expect(try await lamp[\.on] == true)
            #expect(try await lamp[HMCharacteristicTypePowerState] == true)
            #expect(try await lamp["On"] == true)
        }
    }

    @Test(arguments: TestLink.allCases)
    func anAppHearsOfAChangeByHand(link: TestLink) async throws {
        try await withTestHome(over: link) { home in
            let lamp = try await home.add(.lamp("Desk"), to: "Study")
            let app = home.app("A")
            let brightness = try await app.characteristic(HMCharacteristicTypeBrightness, of: "Desk")
            #expect(brightness.service?.accessory?.room?.name == "Study")
            try await brightness.enableNotification(true)
            try await lamp.set(\.brightness, to: 30)
            try await home.until("the app knows", is: 30) { brightness.value as? Int }
        }
    }

    @Test(arguments: TestLink.allCases)
    func aManagerThatTheTestMakesFindsTheHome(link: TestLink) async throws {
        try await withTestHome(named: "Villa", over: link) { home in
            let manager = HMHomeManager()
            try await home.until("the manager has a home", is: ["Villa"]) { manager.homes.map(\.name) }
            #expect(home.app().name == "app")
        }
    }

    @Test(arguments: TestLink.allCases)
    func theChangeOfOneAppIsHeardByTheOthersOnly(link: TestLink) async throws {
        try await withTestHome(over: link) { home in
            let (first, second) = (Listener(), Listener())
            let (own, other) = (try await home.app("A").home(), try await home.app("B").home())
            own.delegate = first
            other.delegate = second
            let room = try await own.addRoom(named: "Attic")
            #expect(room.name == "Attic")
            try await home.until("B hears of the room", is: ["Attic"]) { second.rooms }
            #expect(first.rooms.isEmpty)
        }
    }

    @Test(arguments: TestLink.allCases)
    func aGuestMayUseAndNotArrange(link: TestLink) async throws {
        try await withTestHome(over: link) { home in
            let lamp = try await home.add(.lamp("Desk"))
            let app = try await home.guest("Ann").app("A")
            let power = try await app.characteristic(HMCharacteristicTypePowerState, of: "Desk")
            try await power.writeValue(true)
            #expect(try await lamp[\.on] == true)
            let guests = try await app.home()
            let refusal = await #expect(throws: HMError.self) { try await guests.addRoom(named: "Attic") }
            #expect(refusal?.code == .insufficientPrivileges)
            let arranged = try await home.administrator("Ben").app("A").home()
            #expect(try await arranged.addRoom(named: "Attic").name == "Attic")
        }
    }

    @Test(arguments: TestLink.allCases)
    func anAccessoryThatIsSwitchedOffIsNotReachedAndComesBackAsItWas(link: TestLink) async throws {
        try await withTestHome(over: link) { home in
            let lamp = try await home.add(.lamp("Desk"))
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            let accessory = try #require(power.service?.accessory)
            try await power.writeValue(true)

            await lamp.switchOff()
            try await home.until("it is not reachable") { !accessory.isReachable }
            await #expect(throws: HMError.self) { try await power.writeValue(false) }
            await #expect(throws: TestHomeError.self) { try await lamp[\.on] }

            try await lamp.switchOn()
            try await home.until("it is reachable") { accessory.isReachable }
            #expect(try await lamp[\.on] == true)
            try await power.writeValue(false)
            #expect(try await lamp[\.on] == false)
        }
    }

    @Test(arguments: TestLink.allCases)
    func aDoorTakesItsTimeOnTheHomesClock(link: TestLink) async throws {
        try await withTestHome(over: link) { home in
            let door = try await home.add(.garageDoor(delay: .seconds(60)))
            let target = try await home.app("A").characteristic(HMCharacteristicTypeTargetDoorState, of: "Garage Door")
            try await target.writeValue(HMCharacteristicValueDoorState.open.rawValue)
            try await home.until("it opens", is: 2) { try await door[\.currentDoorState] }
            try await home.clock.advance(by: .seconds(59))
            #expect(try await door[\.currentDoorState] == 2)
            try await home.clock.advance(by: .seconds(1))
            try await home.until("it is open", is: 0) { try await door[\.currentDoorState] }
        }
    }

    @Test(arguments: TestLink.allCases)
    func whatIsBehindABridgeIsReachedOneByOne(link: TestLink) async throws {
        try await withTestHome(over: link) { home in
            let bridge = try await home.add(.bridge("Bridge", .lamp("Left"), .lamp("Right")))
            #expect(try await home.app("A").home().accessories.map(\.name) == ["Bridge", "Left", "Right"])
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Right")
            try await power.writeValue(true)
            #expect(try await bridge.bridged("Right")[\.on] == true)
            #expect(try await bridge.bridged("Left")[\.on] == false)
            await #expect(throws: TestHomeError.self) { try await bridge.bridged("Middle") }
        }
    }

    @Test(arguments: TestLink.allCases)
    func aButtonIsPressedOnceForEachPress(link: TestLink) async throws {
        try await withTestHome(over: link) { home in
            let button = try await home.add(.button("Bell"))
            let event = try await home.app("A").characteristic(HMCharacteristicTypeInputEvent, of: "Bell")
            let listener = Listener()
            event.service?.accessory?.delegate = listener
            try await event.enableNotification(true)
            try await button.press()
            try await button.press()
            try await button.press(.long)
            try await home.until("all presses are received", is: [0, 0, 2]) { listener.values }
        }
    }
}

/// A delegate that records the calls to an app's delegates.
final class Listener: NSObject, HMHomeDelegate, HMAccessoryDelegate, Sendable {
    private struct Notes {
        var rooms: [String] = []
        var values: [Int] = []
        var reachabilities: [Bool] = []
    }

    private let received = Mutex(Notes())

    /// The names of added rooms.
    var rooms: [String] { received.withLock { $0.rooms } }
    /// The changed values of characteristics.
    var values: [Int] { received.withLock { $0.values } }
    /// The changes of accessories' reachability.
    var reachabilities: [Bool] { received.withLock { $0.reachabilities } }

    func home(_ home: HMHome, didAdd room: HMRoom) {
        received.withLock { $0.rooms.append(room.name) }
    }

    func accessoryDidUpdateReachability(_ accessory: HMAccessory) {
        received.withLock { $0.reachabilities.append(accessory.isReachable) }
    }

    func accessory(_ accessory: HMAccessory, service: HMService, didUpdateValueFor characteristic: HMCharacteristic) {
        guard let value = characteristic.value as? Int else { return }
        received.withLock { $0.values.append(value) }
    }
}

extension TestApp {
    /// Returns a characteristic of an accessory in the app's home.
    func characteristic(_ type: String, of accessory: String) async throws -> HMCharacteristic {
        let accessory = try await home().accessories.first { $0.name == accessory }
        return try #require(
            accessory?.services.flatMap(\.characteristics).first { $0.characteristicType == type }
        )
    }
}
