import HomeKitTesting
import Testing

/// Faults of accessories, as apps see them.
struct FaultTests {
    @Test(arguments: TestLink.allCases)
    func aStatusOfTheAccessoryIsTheAppsErrorUntilItIsCleared(link: TestLink) async throws {
        try await withTestHome(over: link) { home in
            let lamp = try await home.add(.lamp("Desk"))
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            let brightness = try await home.app("A").characteristic(HMCharacteristicTypeBrightness, of: "Desk")
            try await lamp.inject(Fault(.status(.unableToPerform, .write)), into: \.on)
            await #expect(throws: HMError.self) { try await power.writeValue(true) }
            try await brightness.writeValue(20)
            #expect(try await lamp[\.on] == false)
            #expect(try await lamp[\.brightness] == 20)
            try await lamp.clearFaults()
            try await power.writeValue(true)
            #expect(try await lamp[\.on] == true)
        }
    }

    @Test(arguments: TestLink.allCases)
    func aPortThatIsClosedMakesTheAccessoryUnreachable(link: TestLink) async throws {
        try await withTestHome(over: link) { home in
            let lamp = try await home.add(.lamp("Desk"))
            let accessory = try #require(try await home.app("A").home().accessories.first)
            try await lamp.inject(Fault("refuse"))
            try await home.until("it is not reachable") { !accessory.isReachable }
            try await lamp.clearFaults()
            try await home.until("it is reachable") { accessory.isReachable }
        }
    }

    @Test(arguments: TestLink.allCases)
    func anAnswerThatIsCutOffEndsInAnErrorAndTheConnectionComesBack(link: TestLink) async throws {
        try await withTestHome(over: link) { home in
            let lamp = try await home.add(.lamp("Desk"))
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            try await lamp.inject(Fault(.halfAnswer, .times(1)))
            await #expect(throws: HMError.self) { try await power.writeValue(true) }
            try await home.until("it is reachable") { power.service?.accessory?.isReachable == true }
            try await power.writeValue(true)
            #expect(try await lamp[\.on] == true)
        }
    }

    @Test func theTimeOfAFaultPassesOnTheHomesClock() async throws {
        try await withTestHome { home in
            let lamp = try await home.add(.lamp("Desk"))
            let accessory = try #require(try await home.app("A").home().accessories.first)
            try await lamp.inject(Fault("refuse for 1h"))
            try await home.until("it is not reachable") { !accessory.isReachable }
            try await home.clock.advance(by: .seconds(3600))
            try await home.until("it is reachable") { accessory.isReachable }
        }
    }
}
