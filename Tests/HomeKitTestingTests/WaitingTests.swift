import HomeKitTesting
import Testing

/// Waits for conditions, and the errors of waits that time out.
struct WaitingTests {
    @Test func aConditionThatNeverHoldsIsToldWithTheStateOfTheHome() async throws {
        try await withTestHome(named: "Villa") { home in
            try await home.add(.lamp("Desk"))
            let off = try await home.add(.lock("Door"))
            await off.switchOff()
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            try await power.writeValue(true)
            let error = await #expect(throws: WaitTimeoutError.self) {
                try await home.until("pigs fly", within: .milliseconds(50)) { false }
            }
            let text = try #require(error).description
            #expect(text.contains("WaitingTests.swift:"))
            #expect(text.contains("until pigs fly"))
            #expect(text.contains("“Villa” has:"))
            #expect(text.contains("Desk: reachable"))
            #expect(text.contains("Desk/Lightbulb/On = true"))
            #expect(text.contains("Door is off"))
        }
    }

    @Test func aValueThatIsNeverRightIsTold() async throws {
        try await withTestHome { home in
            let error = await #expect(throws: WaitTimeoutError.self) {
                try await home.until("there are three", is: 3, within: .milliseconds(50)) { 2 }
            }
            let state = try #require(error).state
            #expect(state.hasPrefix("Expected 3, got 2. “Home” has:\n  no accessories"))
        }
    }

    @Test func whatAConditionThrowsEndsTheWaiting() async throws {
        struct Broken: Error {}
        try await withTestHome { home in
            await #expect(throws: Broken.self) { try await home.until { throw Broken() } }
        }
    }

    @Test func aCancelledTestWaitsNoMore() async throws {
        try await withTestHome { home in
            let waiting = Task { try await home.until("pigs fly", within: .seconds(100)) { false } }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }

    @Test func aClockThatNobodyWaitsForDoesNotGoOn() async throws {
        try await withTestHome { home in
            await #expect(throws: WaitTimeoutError.self) {
                try await home.clock.advance(by: .seconds(1), within: .milliseconds(50))
            }
            #expect(home.clock.now.offset == .zero)
        }
    }

    @Test func anUnknownLinkIsRefused() async throws {
        await #expect(processExitsWith: .success) {
            setenv(TestLink.variable, "pigeons", 1)
            let error = await #expect(throws: TestHomeError.self) { try await withTestHome { _ in } }
            #expect(error?.description == "HEARTH_TEST_LINK is “pigeons”. Set it to memory or loopback.")
        }
    }

    @Test func theVariableChoosesTheLink() async throws {
        await #expect(processExitsWith: .success) {
            setenv(TestLink.variable, "loopback", 1)
            try await withTestHome { home in #expect(home.link == .loopback) }
        }
    }

    @Test func whatTheBodyThrowsEndsTheHome() async throws {
        struct Broken: Error {}
        var kept: TestHome?
        await #expect(throws: Broken.self) {
            try await withTestHome { home in
                kept = home
                throw Broken()
            }
        }
        let home = try #require(kept)
        await #expect(throws: (any Error).self) { try await home.add(.lamp()) }
    }
}
