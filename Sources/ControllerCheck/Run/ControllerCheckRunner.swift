package import AccessoryCheck
import HAP
import HAPServer

/// Checks a controller: is an accessory for it in one scenario after the other, and judges what it does.
package struct ControllerCheckRunner: Sendable {
    /// A report during a run.
    package enum Event: Sendable {
        /// A scenario began. The controller is to come now.
        case began(ScenarioPlace)
        /// A scenario ended. The text is what the controller did.
        case ended(Scenario, transcript: String)
        /// A result.
        case result(CheckResult, CheckDescription, Scenario?)
    }

    private static let pause = Duration.milliseconds(10)
    /// The time for the connections of a command that ended to be closed.
    private static let closingTime = Duration.seconds(5)

    private let options: ControllerCheckOptions
    private let scenarios: [Scenario]

    /// Creates a runner.
    ///
    /// - Parameter scenarios: All scenarios; the options select some of them.
    package init(options: ControllerCheckOptions, scenarios: [Scenario] = Scenario.all) {
        self.options = options
        self.scenarios = scenarios.filter(options.includes)
    }

    /// Runs the scenarios. If the task is canceled, the accessory stops, and the rest isn't applicable.
    package func run(_ report: @escaping @Sendable (Event) -> Void) async -> ControllerCheckSummary {
        var summary = ControllerCheckSummary()
        var deaths: [String] = []
        for scenario in scenarios {
            do throws(ControllerCheckSummary.Problem) {
                let (course, outcome) = try await run(scenario, report)
                if !course.connections.isEmpty { summary.visits += 1 }
                if case .signaled(let signal) = outcome { deaths.append("\(scenario.name): signal \(signal)") }
                report(.ended(scenario, transcript: course.transcript))
                for check in scenario.checks where options.includes(check) {
                    let result = check.result(for: course)
                    summary.results.append(result)
                    report(.result(result, check.description, scenario))
                }
            } catch {
                summary.problem = error
                break
            }
        }
        if options.includes(ControllerCheck.alive) {
            let result = ControllerCheck.alive(deaths: deaths, isDriven: options.drive != nil && summary.visits > 0)
            summary.results.append(result)
            report(.result(result, ControllerCheck.alive.description, nil))
        }
        return summary
    }

    private func run(
        _ scenario: Scenario,
        _ report: @escaping @Sendable (Event) -> Void
    ) async throws(ControllerCheckSummary.Problem) -> (Course, DriveOutcome?) {
        guard !Task.isCancelled else { throw .canceled }
        let accessory: ScenarioAccessory
        do {
            accessory = try await ScenarioAccessory.start(scenario, options)
        } catch {
            throw .notServed(error.reason)
        }
        let place = ScenarioPlace(
            scenario: scenario,
            host: options.bindAddress.flatMap { ["::", "0.0.0.0"].contains($0) ? nil : $0 } ?? "127.0.0.1",
            port: accessory.port,
            name: await accessory.server.name,
            deviceID: accessory.server.deviceID,
            code: accessory.server.setupCode,
            payload: accessory.server.setupPayload,
            course: { accessory.director.course }
        )
        report(.began(place))
        let outcome: DriveOutcome?
        do {
            outcome = try await observe(accessory, place)
        } catch {
            await accessory.server.stop()
            throw error
        }
        accessory.director.end()
        await accessory.server.stop()
        guard !Task.isCancelled else { throw .canceled }
        return (accessory.director.course, outcome)
    }

    /// Waits until the controller has done its part.
    private func observe(
        _ accessory: ScenarioAccessory,
        _ place: ScenarioPlace
    ) async throws(ControllerCheckSummary.Problem) -> DriveOutcome? {
        let director = accessory.director
        guard let drive = options.drive else {
            await firstOf(
                { await wait(for: options.timeout) { isDone(director.course, place.scenario) } },
                { [next = options.next] in
                    if let next { await next() } else { try? await Task.sleep(for: .seconds(86_400)) }
                }
            )
            return nil
        }
        let timeout = options.timeout
        let result = await withTaskGroup(of: Result<DriveOutcome, any Error>?.self) { group in
            group.addTask {
                do {
                    return .success(try await drive(place))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(for: timeout)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        // What the controller sent last is on its way.
        await wait(for: Self.closingTime) { director.course.connections.values.allSatisfy { $0.closed != nil } }
        switch result {
        case .success(let outcome): return outcome
        case .failure(let error) where !Task.isCancelled: throw .notDriven("\(error)")
        case .failure, nil: return nil
        }
    }

    private func firstOf(
        _ first: @escaping @Sendable () async -> Void,
        _ second: @escaping @Sendable () async -> Void
    ) async {
        await withTaskGroup { group in
            group.addTask(operation: first)
            group.addTask(operation: second)
            await group.next()
            group.cancelAll()
        }
    }

    private func wait(for time: Duration, until isOver: () -> Bool) async {
        let end = ContinuousClock.now + time
        while !isOver(), ContinuousClock.now < end, !Task.isCancelled { try? await Task.sleep(for: Self.pause) }
    }

    /// Returns whether the controller has done its part: it unpaired, or gave up, and is gone.
    private func isDone(_ course: Course, _ scenario: Scenario) -> Bool {
        guard !course.connections.isEmpty, course.connections.values.allSatisfy({ $0.closed != nil }) else {
            return course.isTruncated
        }
        if course.exchanges.contains(where: { $0.isSecured && $0.request.removesPairing }) { return true }
        guard !course.sprung.isEmpty, let last = course.connections.values.compactMap(\.closed).max() else {
            return false
        }
        return ContinuousClock.now - last > options.quietTime
    }
}
