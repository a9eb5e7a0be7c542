public import Testing

/// Gives a test, or every test of a suite, a home of its own. ``Testing/Trait/testHome(named:over:scope:prepare:)`` makes
/// it.
public struct TestHomeTrait: TestTrait, SuiteTrait, TestScoping {
    let name: String
    let link: TestLink?
    let scope: TestScope
    let prepare: @Sendable (TestHome) async throws -> Void

    /// Of a suite it is a trait of each of its tests.
    public var isRecursive: Bool { true }

    /// Runs a test, or each of its cases, in a home.
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
    /// A home of its own for the test, or for every test and every case of the suite: as ``withTestHome(named:over:scope:isolation:_:)``
    /// around the test's body, which finds the home as ``TestHome/current``.
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
    ///   - link: What is between hub and accessories; `nil` takes what the variable `HEARTH_TEST_LINK` says, else memory.
    ///   - scope: Whose managers find the home.
    ///   - prepare: Furnishes the home before the test begins. What it throws fails the test.
    public static func testHome(
        named name: String = "Home",
        over link: TestLink? = nil,
        scope: TestScope = .task,
        prepare: @escaping @Sendable (TestHome) async throws -> Void = { _ in }
    ) -> TestHomeTrait {
        TestHomeTrait(name: name, link: link, scope: scope, prepare: prepare)
    }
}
