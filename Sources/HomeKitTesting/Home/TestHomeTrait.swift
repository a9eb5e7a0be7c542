public import Testing

/// A trait that creates a separate home for a test, or for every test of a suite. Create it with
/// ``Testing/Trait/testHome(named:over:scope:prepare:)``.
public struct TestHomeTrait: TestTrait, SuiteTrait, TestScoping {
    let name: String
    let link: TestLink?
    let scope: TestScope
    let prepare: @Sendable (TestHome) async throws -> Void

    /// Whether the trait applies to each test of a suite: `true`.
    public var isRecursive: Bool { true }

    /// Runs a test, or each of its cases, with a home.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTestHome(named: name, over: link, scope: scope) { home in
            try await prepare(home)
            try await function()
        }
    }
}

extension Trait where Self == TestHomeTrait {
    /// Creates a separate home for the test, or for every test and every case of the suite. It works like
    /// ``withTestHome(named:over:scope:isolation:_:)`` around the test's body, which gets the home from
    /// ``TestHome/current``.
    ///
    /// ```swift
    /// @Suite(.testHome { try await $0.add(.lamp("Desk")) })
    /// struct LampTests {
    ///     @Test func thereIsALamp() async throws {
    ///         let home = try TestHome.current
    ///         let accessories = try await home.app().home().accessories
    ///         #expect(accessories.map(\.name) == ["Desk"])
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The home's name.
    ///   - link: The link between the hub and the accessories (default: the value of `HEARTH_TEST_LINK`, otherwise
    ///     memory).
    ///   - scope: The managers that find the home.
    ///   - prepare: A closure that prepares the home before the test starts. If it throws, the test fails.
    public static func testHome(
        named name: String = "Home",
        over link: TestLink? = nil,
        scope: TestScope = .task,
        prepare: @escaping @Sendable (TestHome) async throws -> Void = { _ in }
    ) -> TestHomeTrait {
        TestHomeTrait(name: name, link: link, scope: scope, prepare: prepare)
    }
}
