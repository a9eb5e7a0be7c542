import Testing

@testable import HAPClient

@Suite struct BackoffTests {
    @Test func everyWaitLiesBetweenHalfAndTheWholeOfItsBound() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            var backoff = Backoff(bounds: .seconds(1)...Duration.seconds(60))
            for bound in [2, 4, 8, 16, 32, 60, 60] {
                let wait = backoff.next(using: &generator)
                #expect(wait >= .milliseconds(bound * 500))
                #expect(wait <= .seconds(bound))
            }
            backoff.reset()
            #expect(backoff.next(using: &generator) <= .seconds(2))
        }
    }

    @Test func manyFailuresDoNotOverflow() {
        var generator = SystemRandomNumberGenerator()
        var backoff = Backoff(bounds: .seconds(1)...Duration.seconds(60))
        for _ in 0..<10_000 {
            #expect(backoff.next(using: &generator) <= .seconds(60))
        }
    }

    @Test func fiftyThatFailTogetherDoNotComeBackTogether() {
        // A generator of the same numbers in every run.
        struct WeylGenerator: RandomNumberGenerator {
            var state: UInt64 = 0
            mutating func next() -> UInt64 {
                state &+= 0x9E37_79B9_7F4A_7C15
                return state
            }
        }
        var generator = WeylGenerator()
        var backoffs = Array(repeating: Backoff(bounds: .seconds(1)...Duration.seconds(60)), count: 50)
        for bound in [2, 4, 8, 16, 32, 60, 60] {
            let waits = backoffs.indices.map { backoffs[$0].next(using: &generator) }
            // The jitter covers half of the bound. Each tenth of it should have a tenth of the delays.
            let tenth = Duration.milliseconds(bound * 50)
            let tenths = Dictionary(grouping: waits) { Int(($0 - .milliseconds(bound * 500)) / tenth) }
            #expect(tenths.values.filter { $0.count > 10 }.isEmpty)
            #expect(tenths.count == 10)
        }
    }
}
