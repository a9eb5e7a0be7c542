internal import HAP
internal import HAPCatalog
internal import NIOCore

/// Runs checks at an accessory: pairs, tests, restores what was changed and unpairs.
package struct CheckRunner: Sendable {
    /// A report during a run.
    package enum Event: Sendable {
        /// Something that people should know.
        case note(String)
        /// A result, and the transcript if it is kept.
        case result(CheckResult, Check, transcript: String?)
    }

    /// The number of attempts to reach an accessory that stopped answering.
    private static let probes = 3

    private let target: CheckTarget
    private let options: CheckOptions
    private let checks: [Check]

    /// Creates a runner.
    ///
    /// - Parameter checks: All checks; the options select some of them.
    package init(target: CheckTarget, options: CheckOptions, checks: [Check] = Check.all) {
        self.target = target
        self.options = options
        self.checks = checks.filter(options.includes)
    }

    /// Runs the checks.
    ///
    /// If the task is canceled, no further check runs, but the accessory is restored and unpaired.
    package func run(_ report: @escaping @Sendable (Event) -> Void) async -> CheckSummary {
        let context = CheckContext(target: target, options: options)
        var progress = Progress(report: report)
        if options.attacks {
            do throws(CheckSummary.Problem) {
                context.target = try AttackTarget.resolve(target)
            } catch {
                progress.summary.problems.append(error)
                skipRest(&progress)
                return progress.summary
            }
        }
        do throws(CheckSummary.Problem) {
            try await begin(context, &progress)
            try await run(.unpaired, context, &progress)
            if checks.contains(where: { $0.stage > .unpaired }) {
                try await access(context, &progress)
                try await run(.pairing, context, &progress)
                try await run(.paired, context, &progress)
                try await run(.restart, context, &progress)
                try await run(.pairedAttack, context, &progress)
            }
        } catch {
            progress.summary.problems.append(error)
        }
        await leave(context, &progress)
        if progress.summary.problems.isEmpty {
            do throws(CheckSummary.Problem) {
                try await run(.removed, context, &progress)
                try await run(.unpairedAttack, context, &progress)
            } catch {
                progress.summary.problems.append(error)
            }
            await clearFailedTries(context, &progress)
        }
        skipRest(&progress)
        // An advertisement that was heard before the accessory was unpaired may still be the newest one.
        let isUnpaired = context.setup?.accessory != nil && context.pairing == nil && !progress.isStillPaired
        progress.summary.after = await Self.uncanceled(context.target, options) { target, options in
            await Self.state(target, options) { advertisement in
                !isUnpaired || Self.flags(advertisement)?.contains(.notPaired) == true
            }
        }
        return progress.summary
    }

    /// What has been reported so far.
    private struct Progress {
        let report: @Sendable (Event) -> Void
        var summary = CheckSummary()
        /// The check at which the accessory stopped answering.
        var lostAt: String?

        /// Whether the suite's own pairing could not be removed.
        var isStillPaired: Bool {
            summary.problems.contains { if case .notUnpaired = $0 { true } else { false } }
        }

        mutating func add(_ outcome: CheckResult.Outcome, of check: Check, transcript: String? = nil) {
            let result = CheckResult(id: check.id, outcome: outcome)
            summary.results.append(result)
            report(.result(result, check, transcript: transcript))
        }
    }

    // MARK: Beginning and end

    private func begin(_ context: CheckContext, _ progress: inout Progress) async throws(CheckSummary.Problem) {
        context.firstAdvertisement = await options.advertisements?.current { _ in true }
        do {
            let connection = try await context.connect()
            _ = try await connection.get("/accessories")
        } catch {
            throw Task.isCancelled ? .canceled : .unreachable(CheckContext.describe(error))
        }
        progress.summary.before = await Self.state(context.target, options)
        if context.code != nil, progress.summary.before.contains(Self.paired) { throw .pairedAlready }
    }

    private static let paired = "paired"
    private static let unpaired = "not paired"

    private static func flags(_ advertisement: AccessoryAdvertisement) -> StatusFlags? {
        advertisement.txt["sf"].flatMap { Int($0) }.map { StatusFlags(rawValue: $0) }
    }

    /// Returns an accessory's state in words. Unless it advertises that it isn't paired, it is asked: only a
    /// paired accessory answers M1 of pair-setup with the error Unavailable.
    ///
    /// - Parameter isExpected: Whether an advertisement can be the current one. If none is in time, the newest counts.
    private static func state(
        _ target: CheckTarget,
        _ options: CheckOptions,
        _ isExpected: @Sendable (AccessoryAdvertisement) -> Bool = { _ in true }
    ) async -> [String] {
        var state: [String] = []
        var isPaired: Bool?
        if let advertisement = await options.advertisements?.current(isExpected) {
            isPaired = flags(advertisement).map { !$0.contains(.notPaired) }
            state.append("advertised as “\(PrintableText.excerpt(advertisement.name))”")
            for key in ["id", "c#", "sf"] {
                if let value = advertisement.txt[key] { state.append("\(key)=\(PrintableText.excerpt(value))") }
            }
        }
        if isPaired == false { return state + [unpaired] }
        let connection = try? await ControllerConnection.open(
            host: target.host,
            port: target.port,
            timeout: options.responseTime
        )
        guard let response = try? await connection?.post("/pair-setup", RawSetup.m1) else {
            return state + ["not reachable"]
        }
        let error = RawMessage.values(response.body)[7]
        return state + [error == [UInt8(truncatingIfNeeded: PairingError.unavailable.rawValue)] ? paired : unpaired]
    }

    /// Pairs, or verifies the existing pairing, and reads the database.
    private func access(_ context: CheckContext, _ progress: inout Progress) async throws(CheckSummary.Problem) {
        if let code = context.code {
            let controller = CheckContext.newController()
            do {
                let setup = try await ObservedSetup(
                    context.connect(),
                    controller: controller,
                    code: code,
                    busyTime: max(options.responseTime, PairingLimits.stalledAfter)
                )
                context.setup = setup
                // The accessory may have stored the pairing before it sent an M6 that the suite can't use.
                if setup.isProven, setup.accessory == nil { await context.withdraw(controller) }
                if let accessory = setup.accessory {
                    context.pairing = ExistingPairing(controller: controller, accessory: accessory)
                }
            } catch {
                throw Task.isCancelled ? .canceled : .unreachable(CheckContext.describe(error))
            }
            if context.setup?.failure?.code == .wrongSetupCode { throw .wrongCode }
        }
        guard context.pairing != nil else { return }
        do {
            let session = try await context.session()
            let response = try await session.get("/accessories")
            context.firstDatabase = response.body
        } catch {
            if Task.isCancelled { throw .canceled }
            if context.code == nil { throw .unknownPairing(CheckContext.describe(error)) }
            context.endSession()
        }
        if let subject = try? await context.subject() {
            progress.report(.note("Writes \(subject.characteristic.name), and restores it at the end."))
        } else {
            progress.report(.note("Writes no characteristic but Identify."))
        }
    }

    /// Restores values, and removes the pairings that the run added.
    private func leave(_ context: CheckContext, _ progress: inout Progress) async {
        context.endSession()
        guard let pairing = context.pairing else { return }
        let cleaning = Cleaning(
            target: context.target,
            pairing: pairing,
            values: context.changedValues,
            added: context.addedPairings,
            removesOwn: context.code != nil,
            attempts: progress.lostAt == nil ? Cleaning.attempts : 1
        )
        let problem = await Self.uncanceled(cleaning, options) { await $0.run($1) }
        if let problem { progress.summary.problems.append(problem) }
        if context.code != nil { context.pairing = nil }
    }

    /// Pairs and unpairs once more, because a success clears the accessory's count of wrong codes.
    private func clearFailedTries(_ context: CheckContext, _ progress: inout Progress) async {
        guard context.failedTries > 0, let code = context.code, !Task.isCancelled, progress.lostAt == nil else {
            return
        }
        let controller = CheckContext.newController()
        context.transcript = nil
        guard let connection = try? await context.connect(),
            let accessory = try? await connection.pair(controller, code: code)
        else {
            return progress.report(
                .note("\(context.failedTries) wrong codes stay counted; the next pairing clears them.")
            )
        }
        context.pairing = ExistingPairing(controller: controller, accessory: accessory)
        context.changedValues = [:]
        context.addedPairings = []
        await leave(context, &progress)
    }

    /// Runs an operation to its end even if this task is canceled.
    private static func uncanceled<Input: Sendable, Result: Sendable>(
        _ input: Input,
        _ options: CheckOptions,
        _ operation: @escaping @Sendable (Input, CheckOptions) async -> Result
    ) async -> Result {
        await Task { await operation(input, options) }.value
    }

    // MARK: Checks

    private func run(
        _ stage: Check.Stage,
        _ context: CheckContext,
        _ progress: inout Progress
    ) async throws(CheckSummary.Problem) {
        for check in checks where check.stage == stage {
            if Task.isCancelled { throw .canceled }
            if let reason = reason(notToRun: check, context, progress) {
                progress.add(.notApplicable(reason), of: check)
                continue
            }
            context.transcript = options.keepsTranscripts ? Transcript() : nil
            let outcome = await outcome(of: check, context, &progress)
            if Task.isCancelled { throw .canceled }
            progress.add(outcome, of: check, transcript: context.transcript?.description)
        }
    }

    private func reason(notToRun check: Check, _ context: CheckContext, _ progress: Progress) -> String? {
        if let lostAt = progress.lostAt { return "The accessory stopped answering at \(lostAt)." }
        if check.group == .attacks, let reason = context.reasonNotToAttack() { return reason }
        switch check.stage {
        case .unpaired, .pairing, .removed, .unpairedAttack:
            return context.code == nil ? "The run uses an existing pairing." : nil
        case .paired, .pairedAttack:
            if context.pairing != nil { return nil }
        case .restart:
            if options.restart == nil { return "No command to restart the accessory was given (--restart)." }
            if context.pairing != nil { return nil }
        }
        return "Pairing failed (pair-setup.exchange)."
    }

    private func outcome(
        of check: Check,
        _ context: CheckContext,
        _ progress: inout Progress
    ) async -> CheckResult.Outcome {
        let begin = ContinuousClock.now
        do {
            try await check.run(context)
            return .passed
        } catch let reason as CheckNotApplicable {
            return .notApplicable(reason.reason)
        } catch {
            context.endSession()
            // A check may take silence for the fault that it looks for.
            let wasSilent = ContinuousClock.now - begin >= options.responseTime
            if !(error is CheckFailure) || wasSilent, await !isReachable(context) { progress.lostAt = check.id }
            let seen = CheckContext.describe(error)
            return check.severity == .should && progress.lostAt == nil ? .warning(seen) : .failed(seen)
        }
    }

    /// Returns whether the accessory answers.
    private func isReachable(_ context: CheckContext) async -> Bool {
        for _ in 0..<Self.probes where !Task.isCancelled {
            do {
                _ = try await context.connect().get("/accessories")
                return true
            } catch  where CheckContext.isSilence(error) {
                // It had its time to answer.
                break
            } catch {
                continue
            }
        }
        return Task.isCancelled
    }

    /// Reports the checks that didn't run.
    private func skipRest(_ progress: inout Progress) {
        let done = Set(progress.summary.results.map(\.id))
        for check in checks where !done.contains(check.id) {
            let reason = progress.summary.problems.first?.reason ?? "The run ended before."
            progress.add(.notApplicable(reason), of: check)
        }
    }
}

/// What must be undone at the end of a run.
private struct Cleaning: Sendable {
    let target: CheckTarget
    let pairing: ExistingPairing
    let values: [CharacteristicID: String]
    let added: Set<PairingID>
    let removesOwn: Bool
    let attempts: Int

    /// The number of attempts at an accessory that answers.
    static let attempts = 3

    /// Restores values and removes pairings. Returns the problem if the suite's own pairing stays.
    func run(_ options: CheckOptions) async -> CheckSummary.Problem? {
        guard removesOwn || !values.isEmpty || !added.isEmpty else { return nil }
        var problem: CheckSummary.Problem?
        for _ in 0..<attempts {
            do {
                try await undo(options)
                return nil
            } catch {
                problem = .notUnpaired(CheckContext.describe(error))
            }
        }
        return problem
    }

    private func undo(_ options: CheckOptions) async throws {
        let connection = try await ControllerConnection.open(
            host: target.host,
            port: target.port,
            timeout: options.responseTime
        )
        try await connection.verify(pairing.controller, pairing.accessory)
        for (id, value) in values {
            _ = try await connection.put(
                "/characteristics",
                #"{"characteristics":[{"aid":\#(id.aid),"iid":\#(id.iid),"value":\#(value)}]}"#
            )
        }
        for id in added.sorted(by: { $0.description < $1.description }) {
            // An accessory may answer with an error, for one that it never had.
            _ = try await connection.post("/pairings", PairingsRequest.remove(id).encoded())
        }
        if removesOwn { _ = try await connection.manage(.remove(pairing.controller.pairingID)) }
    }
}
