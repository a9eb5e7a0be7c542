import Testing

/// Runs tests with two hubs one after the other.
///
/// Hubs that don't hear from each other for a few seconds elect a leader. With several pairs in one process on a small machine,
/// they would do little else.
struct OnePairAtATime: SuiteTrait, TestTrait, TestScoping {
    private actor Turns {
        private var isTaken = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func begin() async {
            guard isTaken else { return isTaken = true }
            await withCheckedContinuation { waiting.append($0) }
        }

        func end() {
            guard !waiting.isEmpty else { return isTaken = false }
            waiting.removeFirst().resume()
        }
    }

    private static let turns = Turns()

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.turns.begin()
        let result: Result<Void, any Error>
        do { result = .success(try await function()) } catch { result = .failure(error) }
        await Self.turns.end()
        try result.get()
    }
}

extension Trait where Self == OnePairAtATime {
    /// Runs tests with two hubs one after the other, also those of other suites.
    static var onePairAtATime: OnePairAtATime { OnePairAtATime() }
}
