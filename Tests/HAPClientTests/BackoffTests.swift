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
}
