import Foundation
import HomeModel
import HubAPI

extension TestHome {
    /// The time limit of every wait that isn't given another one: one minute.
    ///
    /// A wait ends as soon as its condition holds. The limit only ends the waits of a test that fails, so it's long enough
    /// for a slow, busy machine.
    public static let waitLimit = Duration.seconds(60)

    /// Waits until a condition holds, however long that takes within a limit. It looks often, and never waits longer than
    /// it has to.
    ///
    /// ```swift
    /// try await home.until("the lamp is on") { try await lamp[\.on] == true }
    /// ```
    ///
    /// - Parameters:
    ///   - awaited: What is awaited, in words, for the error.
    ///   - limit: How long to wait. It bounds a test that fails; one that succeeds ends when the condition holds.
    ///   - condition: Looks. It is called again and again, so that it should change nothing.
    /// - Throws: ``WaitTimeoutError`` with what was awaited and the state of the home; whatever the condition throws.
    public func until(
        _ awaited: String = "a condition holds",
        within limit: Duration = waitLimit,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        line: UInt = #line,
        _ condition: () async throws -> Bool
    ) async throws {
        try await ConditionPoller(limit: limit).wait {
            try await condition()
        } otherwise: {
            WaitTimeoutError(awaited, limit, file, line, state: await summary())
        }
    }

    /// Waits until a value is what it should be; see ``until(_:within:isolation:file:line:_:)``. The error says what the
    /// value was at the end.
    ///
    /// ```swift
    /// try await home.until("both apps see the lamp", is: 2) { seen.count }
    /// ```
    public func until<Value: Equatable>(
        _ awaited: String = "a value is right",
        is expected: Value,
        within limit: Duration = waitLimit,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        line: UInt = #line,
        _ value: () async throws -> Value
    ) async throws {
        var last: Value?
        try await ConditionPoller(limit: limit).wait {
            let present = try await value()
            last = present
            return present == expected
        } otherwise: {
            let found = last.map { "\($0)" } ?? "nothing"
            return WaitTimeoutError(
                awaited,
                limit,
                file,
                line,
                state: "It should be \(expected) and was \(found). \(await summary())"
            )
        }
    }

    /// What the home is like: its accessories, whether the hub reaches them, and their values.
    func summary() async -> String {
        let hub = keeper.state
        let accessories = hub.homes[id].map { Array($0.accessories) } ?? []
        var lines = accessories.map { accessory in
            let reachability = hub.reachability[accessory.id]
            let cause = reachability?.cause.map { " (\($0))" } ?? ""
            return "\(accessory.name): \(reachability?.isReachable == true ? "reachable" : "not reachable\(cause)")"
        }
        for host in hosts { lines += await host.values() }
        if lines.isEmpty { lines = ["no accessories"] }
        return "“\(name)” has:\n" + (lines + [apps()]).map { "  \($0)" }.joined(separator: "\n")
    }

    /// The apps that are connected, or why there may be none.
    private func apps() -> String {
        let names = connectedApps
        guard names.isEmpty else { return "connected apps: \(names.joined(separator: ", "))" }
        if door.hub == nil { return "no connected apps, as the hub does not run" }
        return switch scope {
        case .task:
            "no connected apps: a manager finds this home if it is made in the test's own task, or by an app of the home"
        case .process:
            "no connected apps: a manager finds this home if it was made in no test's task, or in one of scope .process"
        }
    }
}
