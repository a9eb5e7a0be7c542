import Foundation

/// Runs a test with its own home: a hub in this process with one empty home.
///
/// An `HMHomeManager()` that `body` creates, also in its child tasks, finds this home as an app of its owner. Any
/// number of tests can run at the same time, in this process and in others, without seeing each other's accessories.
/// Afterwards everything is stopped and removed, even if `body` throws.
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
/// Functions that `body` calls get the home from ``TestHome/current``.
///
/// - Parameters:
///   - name: The home's name.
///   - link: The link between the hub and the accessories (default: the value of `HEARTH_TEST_LINK`, otherwise memory).
///   - scope: The managers that find the home.
///   - isolation: The actor that runs the test; leave the default.
///   - body: The test. It receives the home.
/// - Returns: The value that `body` returns.
/// - Throws: Any error that `body` throws; ``TestHomeError`` if a home of scope `.process` is nested in another one, or
///   if the variable names an unknown link; an error that prevents the hub from starting, such as a full disk.
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
        let processEnvironment = ProcessTestEnvironment.shared
        guard !ProcessTestEnvironment.isHeldByTask else {
            throw TestHomeError("This test already has a home of scope .process. Only one can exist at a time.")
        }
        await processEnvironment.acquire()
        defer { processEnvironment.release() }
        let home = try await TestHome(name, over: link, scope)
        return try await run(home) { home in
            processEnvironment.connector.open(to: try home.hub())
            defer { processEnvironment.connector.close() }
            try await processEnvironment.connector.waitUntilSettled()
            return try await ProcessTestEnvironment.$isHeldByTask.withValue(true) { try await body(home) }
        }
    }
}

private func run<Result>(
    _ home: TestHome,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (TestHome) async throws -> Result
) async throws -> Result {
    do {
        let result = try await TestHome.$active.withValue(home) {
            try await home.owner.app().run { try await body(home) }
        }
        await home.end()
        return result
    } catch {
        await home.end()
        throw error
    }
}
