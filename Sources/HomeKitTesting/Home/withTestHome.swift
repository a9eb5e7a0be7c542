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
/// What `body` calls finds the home as ``TestHome/current``.
///
/// - Parameters:
///   - name: The home's name.
///   - link: What is between hub and accessories; `nil` takes what the variable `HEARTH_TEST_LINK` says, else memory.
///   - scope: Whose managers find the home.
/// - Throws: What `body` throws; ``TestHomeError`` if a home of scope `.process` is to begin within another one, or the
///   variable names no link; what keeps a hub from starting, such as a full disk.
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
        let stage = ProcessTestEnvironment.shared
        guard !ProcessTestEnvironment.isOurs else {
            throw TestHomeError("A home of scope .process is there in this test already, and there is one at a time.")
        }
        await stage.enter()
        defer { stage.leave() }
        let home = try await TestHome(name, over: link, scope)
        return try await run(home) { home in
            stage.door.open(to: try home.hub())
            defer { stage.door.close() }
            try await stage.door.settle()
            return try await ProcessTestEnvironment.$isOurs.withValue(true) { try await body(home) }
        }
    }
}

private func run<Result>(
    _ home: TestHome,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (TestHome) async throws -> Result
) async throws -> Result {
    do {
        let result = try await TestHome.$playing.withValue(home) {
            try await home.owner.app().run { try await body(home) }
        }
        await home.end()
        return result
    } catch {
        await home.end()
        throw error
    }
}
