import HomeKitTesting
import Testing

/// Several users with several devices in a test's home.
struct DeviceTests {
    @Test func appsOfOneNameOnTwoDevicesAreTwoClients() async throws {
        try await withTestHome { home in
            let laptop = try await home.device(of: home.owner, named: "Laptop")
            let phone = try await home.device(of: home.owner, named: "Phone")
            #expect(laptop.app("A") === laptop.app("A"))
            #expect(laptop.app("A") !== phone.app("A"))
            #expect(laptop.app("A") !== home.app("A"))
            let (own, other, listener) = (
                try await laptop.app("A").home(), try await phone.app("A").home(), Listener()
            )
            other.delegate = listener
            _ = try await own.addRoom(named: "Attic")
            try await home.until("the other device is told", is: ["Attic"]) { listener.rooms }
        }
    }

    @Test(arguments: TestPerson.Role.allCases)
    func aDeviceHasTheRightsOfItsUser(_ role: TestPerson.Role) async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let person = try await home.person("Ann", role: role)
            let device = try await home.device(of: person)
            let power = try await device.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            try await power.writeValue(true)
            #expect(try await lamp[\.on] == true)
            let own = try await device.app("A").home()
            #expect(own.currentUser.name == "Ann")
            #expect(own.homeAccessControl(for: own.currentUser).isAdministrator == (role == .administrator))
            if role == .administrator {
                #expect(try await own.addRoom(named: "Attic").name == "Attic")
            } else {
                let refusal = await #expect(throws: HMError.self) { try await own.addRoom(named: "Attic") }
                #expect(refusal?.code == .insufficientPrivileges)
            }
        }
    }

    @Test func aUserIsTheSameForAnAppOnEveryDevice() async throws {
        try await withTestHome { home in
            let ann = try await home.person("Ann")
            let laptop = try await home.device(of: ann).app("A").home()
            let phone = try await home.device(of: ann).app("A").home()
            #expect(laptop.currentUser.uniqueIdentifier == phone.currentUser.uniqueIdentifier)
            #expect(laptop.uniqueIdentifier == phone.uniqueIdentifier)
        }
    }

    @Test func onlyTheDeviceThatIsCutOffLosesTheHub() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let (laptop, phone) = (try await home.device(of: home.owner), try await home.device(of: home.owner))
            let cut = try await laptop.app("A").characteristic(HMCharacteristicTypeBrightness, of: "Desk")
            let kept = try await phone.app("A").characteristic(HMCharacteristicTypeBrightness, of: "Desk")
            let listener = Listener()
            cut.service?.accessory?.delegate = listener
            try await cut.enableNotification(true)
            try await kept.enableNotification(true)

            try await home.cutOff(laptop)
            try await home.cutOff(laptop)
            #expect(laptop.isCutOff)
            #expect(listener.reachabilities == [false])
            try await kept.writeValue(30)
            #expect(try await lamp[\.brightness] == 30)
            await #expect(throws: HMError.self) { try await cut.writeValue(40) }
            #expect(try await lamp[\.brightness] == 30)

            try await home.reconnect(laptop)
            try await home.reconnect(laptop)
            #expect(!laptop.isCutOff)
            #expect(listener.reachabilities == [false, true])
            try await home.until("the value was caught up with", is: 30) { cut.value as? Int }
            // What the app asked to be told of, it is still told of.
            try await lamp.set(\.brightness, to: 50)
            try await home.until("the event arrives", is: 50) { cut.value as? Int }
        }
    }

    @Test func aDeviceCutOffStaysSoWhenTheHubRestarts() async throws {
        try await withTestHome { home in
            let (laptop, phone) = (try await home.device(of: home.owner), try await home.device(of: home.owner))
            let (away, near) = (try await laptop.app("A").home(), try await phone.app("A").home())
            try await home.cutOff(laptop)
            try await home.restartHub {
                await #expect(throws: TestHomeError.self) { try await home.reconnect(laptop) }
                await #expect(throws: TestHomeError.self) { _ = try await home.device(of: home.owner) }
            }
            #expect(away.homeHubState == .disconnected)
            #expect(near.homeHubState == .connected)
            #expect(laptop.isCutOff)
            try await home.reconnect(laptop)
            #expect(away.homeHubState == .connected)
        }
    }

    @Test func anAppThatStartsWhileCutOffFindsItsHomeAfterwards() async throws {
        try await withTestHome(named: "Villa") { home in
            let laptop = try await home.device(of: home.owner)
            try await home.cutOff(laptop)
            let manager = laptop.app("A").manager
            #expect(manager.homes.isEmpty)
            try await home.reconnect(laptop)
            try await home.until("the home is there", is: ["Villa"]) { manager.homes.map(\.name) }
        }
    }

    @Test func aUserOfAnotherTestHomeHasNoDeviceHere() async throws {
        try await withTestHome { home in
            let stranger = try await withTestHome { other in other.owner }
            await #expect(throws: TestHomeError.self) { _ = try await home.device(of: stranger) }
        }
    }
}
