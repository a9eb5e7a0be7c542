import Foundation
import HomeModel
import HubAPI

extension TestHome {
    /// The time limit of every wait that isn't given another one: one minute.
    ///
    /// A wait ends as soon as its condition holds. The limit only ends the waits of a test that fails, so it's long
    /// enough for a slow, busy machine.
    public static let waitLimit = Duration.seconds(60)

    /// Waits until a condition holds, within a time limit. It polls the condition frequently and returns as soon as it
    /// holds.
    ///
    /// ```swift
    /// try await home.until("the lamp is on") { try await lamp[\.on] == true }
    /// ```
    ///
    /// - Parameters:
    ///   - awaited: A description of the condition, for the error.
    ///   - limit: The maximum time to wait. It only affects tests that fail.
    ///   - isolation: The actor that runs the test; leave the default.
    ///   - file: The file to name in the error; leave the default.
    ///   - line: The line to name in the error; leave the default.
    ///   - condition: The condition to poll. It is called repeatedly, so it should have no effects.
    /// - Throws: ``WaitTimeoutError`` with the description and the state of the home, or an error that the condition
    ///   throws.
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

    /// Waits until a value is as expected; see ``until(_:within:isolation:file:line:_:)``. The error includes the last
    /// value.
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
            let current = try await value()
            last = current
            return current == expected
        } otherwise: {
            let found = last.map { "\($0)" } ?? "nothing"
            return WaitTimeoutError(
                awaited,
                limit,
                file,
                line,
                state: "Expected \(expected), got \(found). \(await summary())"
            )
        }
    }

    /// A summary of the home: its accessories, whether the hub reaches them, and their values.
    func summary() async -> String {
        let hub = client.state
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

    /// The connected apps, or the reason why there are none.
    private func apps() -> String {
        let names = connectedApps
        guard names.isEmpty else { return "connected apps: \(names.joined(separator: ", "))" }
        if connector.hub == nil { return "no connected apps, because the hub isn't running" }
        return switch scope {
        case .task:
            "no connected apps: a manager finds this home if it is created in the test's own task, or by an app of the home"
        case .process:
            "no connected apps: a manager finds this home if it is created outside of tests' tasks, or in one of scope .process"
        }
    }
}
