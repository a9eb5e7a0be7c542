import HomeKitTesting
import Synchronization
import Testing

/// Restarts of a home's hub during a test.
struct RestartTests {
    @Test(arguments: TestLink.allCases)
    func allThatTheHubKeepsIsTheSameAfterwards(link: TestLink) async throws {
        try await withTestHome(named: "Villa", over: link) { home in
            let lamp = try await home.add(.lamp("Desk"), to: "Study")
            let guest = try await home.guest("Ann").app("A")
            let own = try await home.app("A").home()
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            try await power.writeValue(true)
            let before = Identities(own)
            try await home.restartHub()
            #expect(Identities(own) == before)
            // A new app finds the same identities.
            let other = try await home.app("B").home()
            #expect(Identities(other) == before)
            try await power.writeValue(false)
            #expect(try await lamp[\.on] == false)
            let refusal = await #expect(throws: HMError.self) { try await guest.home().addRoom(named: "Attic") }
            #expect(refusal?.code == .insufficientPrivileges)
        }
    }

    @Test(arguments: TestLink.allCases)
    func whatAnAppWantedToHearOfItHearsOfAgain(link: TestLink) async throws {
        try await withTestHome(over: link) { home in
            let button = try await home.add(.button("Bell"))
            let event = try await home.app("A").characteristic(HMCharacteristicTypeInputEvent, of: "Bell")
            let listener = Listener()
            event.service?.accessory?.delegate = listener
            try await event.enableNotification(true)
            try await home.restartHub()
            try await button.press()
            try await home.until("the press is heard", is: [0]) { listener.values }
        }
    }

    @Test(arguments: [TestHome.RestartOrder.accessoriesFirst, .appsFirst])
    func appsHearThatTheHubIsGoneAndBackInEitherOrder(_ order: TestHome.RestartOrder) async throws {
        try await withTestHome { home in
            _ = try await home.add(.lamp("Desk"))
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            let accessory = try #require(power.service?.accessory)
            let listener = Listener()
            accessory.delegate = listener
            try await home.restartHub(order) {
                try await home.until("its going is heard", is: [false]) { listener.reachabilities }
            }
            if order == .accessoriesFirst { #expect(accessory.isReachable) }
            try await home.until("its return is heard", is: [false, true]) { listener.reachabilities }
        }
    }

    @Test func withoutAHubCallsEndInErrorsAndTheHomeShowsIt() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            let own = try await home.app("A").home()
            try await home.restartHub {
                try await home.until("the app knows", is: .disconnected) { own.homeHubState }
                await #expect(throws: HMError.self) { try await power.writeValue(true) }
                await #expect(throws: TestHomeError.self) { try await home.add(.lamp("Floor")) }
                await #expect(throws: TestHomeError.self) { try await home.restartHub() }
                let error = await #expect(throws: WaitTimeoutError.self) {
                    try await home.until("pigs fly", within: .milliseconds(20)) { false }
                }
                #expect(error?.state.contains("no connected apps, because the hub isn't running") == true)
            }
            #expect(own.homeHubState == .connected)
            try await power.writeValue(true)
            #expect(try await lamp[\.on] == true)
        }
    }

    @Test(arguments: TestLink.allCases)
    func accessoriesComeAndGoWithoutAHub(link: TestLink) async throws {
        try await withTestHome(over: link) { home in
            let (lamp, lock) = (try await home.add(.lamp("Desk")), try await home.add(.lock("Door")))
            await lock.switchOff()
            try await home.restartHub {
                try await lamp.set(\.brightness, to: 30)
                await lamp.switchOff()
                try await lock.switchOn()
            }
            let own = try await home.app("A").home()
            let names = ["Desk": false, "Door": true]
            try await home.until("the hub knows who is there", is: names) {
                Dictionary(uniqueKeysWithValues: own.accessories.map { ($0.name, $0.isReachable) })
            }
            try await lamp.switchOn()
            let brightness = try await home.app("A").characteristic(HMCharacteristicTypeBrightness, of: "Desk")
            try await brightness.readValue()
            #expect(brightness.value as? Int == 30)
        }
    }

    @Test func whatHappensMeanwhileAndFailsLeavesAHubBehind() async throws {
        struct Broken: Error {}
        try await withTestHome { home in
            await #expect(throws: Broken.self) { try await home.restartHub { throw Broken() } }
            let own = try await home.app("A").home()
            #expect(own.name == "Home")
        }
    }

    @Test func anAppInTheBackgroundHearsOfTheHubWhenItReturns() async throws {
        try await withTestHome { home in
            let app = home.app("A")
            let own = try await app.home()
            app.enterBackground()
            try await home.restartHub()
            _ = try await home.app("B").home().addRoom(named: "Attic")
            app.enterForeground()
            try await home.until("A knows the room", is: ["Attic"]) { own.rooms.map(\.name) }
        }
    }

    @Test func anAccessoryThatRestartsIsReachedAgain() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            let accessory = try #require(power.service?.accessory)
            try await power.writeValue(true)
            try await lamp.inject(Fault("restart 30s"))
            try await home.until("the app misses it") { !accessory.isReachable }
            try await home.clock.advance(by: .seconds(30))
            try await home.until("it is back") { accessory.isReachable }
            #expect(try await lamp[\.on] == true)
            try await power.writeValue(false)
            #expect(try await lamp[\.on] == false)
        }
    }

    @Test func powerThatFailsInAPairSetupAddsNothingAndTheNextTryDoes() async throws {
        try await withTestHome { home in
            let lamp = try await home.addUnpaired(.lamp("Desk"))
            try await lamp.inject(Fault("power-cut M4 once"))
            let app = home.app("A")
            let own = try await app.home()
            let found = try await app.found("Desk", in: home)
            await #expect(throws: HMError.self) { try await own.addAccessory(found) }
            #expect(own.accessories.isEmpty)
            try await home.clock.advance(by: .seconds(1))
            let again = try await app.found("Desk", in: home)
            try await own.addAccessory(again)
            #expect(own.accessories.map(\.name) == ["Desk"])
        }
    }
}

/// All identities in a home.
private struct Identities: Equatable {
    var home: UUID
    var rooms: [String: UUID]
    var accessories: [String: UUID]
    var services: [UUID]
    var characteristics: [UUID]

    init(_ home: HMHome) {
        let services = home.accessories.flatMap(\.services)
        self.home = home.uniqueIdentifier
        rooms = Dictionary(uniqueKeysWithValues: home.rooms.map { ($0.name, $0.uniqueIdentifier) })
        accessories = Dictionary(uniqueKeysWithValues: home.accessories.map { ($0.name, $0.uniqueIdentifier) })
        self.services = services.map(\.uniqueIdentifier)
        characteristics = services.flatMap(\.characteristics).map(\.uniqueIdentifier)
    }
}
