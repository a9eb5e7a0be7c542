import Foundation

/// Runs a test with a home of its own: a hub in this process, with one home that is empty at first.
///
/// An `HMHomeManager()` that `body` makes, in its tasks too, finds this home as an app of its owner. Any number of tests
/// may run at the same time, in this process and others: none sees the accessories of another. Afterwards all of it ends
/// and is removed, also when `body` throws.
///
/// ```swift
/// @Test func theLampTurnsOn() async throws {
///     try await withTestHome { home in
///         let lamp = try await home.add(.lamp("Desk"))
///         let accessory = try #require(try await home.app("A").home().accessories.first)
///         try await turnOn(accessory)
///         try await home.until("the lamp is on") { try await lamp[\.on] == true }
///     }
/// }
/// ```
///
/// - Parameters:
///   - name: The home's name.
///   - link: What is between hub and accessories; nil takes what the variable `HEARTH_TEST_LINK` says, else memory.
///   - scope: Whose managers find the home.
@discardableResult
public func withTestHome<Result>(
    named name: String = "Home",
    over link: TestLink? = nil,
    scope: TestScope = .task,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (TestHome) async throws -> Result
) async throws -> Result {
    let link = try link ?? .standard()
    switch scope {
    case .task:
        return try await run(try await TestHome(name, over: link, scope), body)
    case .process:
        let stage = ProcessStage.shared
        await stage.enter()
        defer { stage.leave() }
        let home = try await TestHome(name, over: link, scope)
        return try await run(home) { home in
            try await stage.show(home.hub)
            defer { stage.clear() }
            return try await body(home)
        }
    }
}

private func run<Result>(
    _ home: TestHome,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (TestHome) async throws -> Result
) async throws -> Result {
    do {
        let result = try await home.owner.app().run { try await body(home) }
        await home.end()
        return result
    } catch {
        await home.end()
        throw error
    }
}
