internal import HAP
internal import HAPCatalog
internal import NIOCore

/// What an attack must not change.
struct AccessoryCondition: Equatable {
    /// The value of the characteristic that the suite writes.
    var value: JSONValue?
    /// The pairings, if the suite can list them.
    var pairings: Set<Pairing>?
}

/// The accessory doesn't serve an honest controller after an attack.
struct AttackAftermath: Error {
    let cause: any Error
}

extension Check {
    /// Returns an attack. During and after it, nothing of the accessory may change, and after it, the accessory must
    /// serve an honest controller.
    static func attack(
        _ name: String,
        _ stage: Stage,
        _ requirement: String,
        _ source: String,
        run: @escaping @Sendable (CheckContext) async throws -> Void
    ) -> Check {
        Check("attacks.\(name)", .security, stage, requirement, source) { context in
            let before = try await context.condition(stage)
            try await run(context)
            try await context.expectUnharmed(before, stage)
        }
    }
}

extension CheckContext {
    private static let patience = Duration.seconds(3)

    /// The time for which an attack waits for an answer. An accessory may ignore an attack.
    var attackWait: Duration {
        options.requiresExactRefusals ? options.responseTime : min(options.responseTime, Self.patience)
    }

    /// Serves as an honest controller: verifies, reads and lists the pairings; or, while no controller is paired, begins
    /// to pair. Returns what attacks must not change.
    func condition(_ stage: Check.Stage) async throws -> AccessoryCondition {
        var condition = AccessoryCondition()
        guard stage != .unpairedAttack else {
            let connection = try await connect()
            try expectM2(try await beginSetup(connection), "M1 of an honest controller")
            try await connection.close()
            return condition
        }
        let connection = try await newSession()
        if let subject = try? await subject() {
            condition.value = try await willChange(subject, on: connection)
        } else {
            let response = try await connection.get("/accessories")
            try expect(response.status == .ok, "A read of an honest controller: \(describe(response))")
        }
        if case .list(let pairings)? = try? await connection.manage(.list) { condition.pairings = Set(pairings) }
        try await connection.close()
        return condition
    }

    /// Throws unless the accessory is as it was and serves an honest controller.
    func expectUnharmed(_ before: AccessoryCondition, _ stage: Check.Stage) async throws {
        // The attack may have cost the shared session its place.
        endSession()
        let after: AccessoryCondition
        do {
            after = try await settledCondition(stage)
        } catch let error as CheckFailure {
            throw CheckFailure("Afterwards: \(error.seen)")
        } catch {
            throw AttackAftermath(cause: error)
        }
        try expect(
            after.value == before.value,
            "The value was \(before.value.map { "\($0)" } ?? "absent"), then \(after.value.map { "\($0)" } ?? "absent")"
        )
        try expect(after.pairings == before.pairings, "The pairings changed.")
    }

    /// Returns the condition. If that fails, tries once more, because an accessory takes a moment to notice that the
    /// attack's connections are closed.
    private func settledCondition(_ stage: Check.Stage) async throws -> AccessoryCondition {
        do {
            return try await condition(stage)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            try await Task.sleep(for: .seconds(1))
            return try await condition(stage)
        }
    }

    /// Throws unless the accessory serves an honest controller, while an attack goes on.
    func expectServed(_ what: String) async throws {
        do {
            _ = try await condition(.pairedAttack)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw CheckFailure("\(what), an honest controller: \(Self.describe(error))")
        }
    }

    // MARK: Answers

    /// Waits for the answer to what was sent on a connection. Events are passed over.
    func answer(on connection: ControllerConnection) async throws -> AttackAnswer {
        do {
            while let message = try await connection.next(within: attackWait) {
                if case .response(let response) = message { return .response(response) }
            }
            return .closed
        } catch is ControllerConnection.Silence {
            return .silence
        } catch is IOError {
            return .closed
        } catch let error where error is HTTPError || error is FrameError {
            return .garbage("\(error)")
        }
    }

    /// Throws unless an answer refuses an attack.
    func expectRefused(
        _ answer: AttackAnswer,
        as refusal: AttackRefusal,
        _ what: @autoclosure () -> String
    ) throws(CheckFailure) {
        if options.requiresExactRefusals {
            try expect(refusal.matches(answer), "\(what()): \(describe(answer)) instead of \(refusal)")
        } else {
            try expect(answer.isRefusal, "\(what()): \(describe(answer))")
        }
    }

    /// Throws unless the connection ends after a number of responses at most.
    func expectEnd(_ connection: ControllerConnection, after count: Int, _ what: String) async throws {
        for _ in 0..<count {
            guard case .response = try await answer(on: connection) else { return }
        }
        try await expectEnd(connection, what)
    }

    func describe(_ answer: AttackAnswer) -> String {
        switch answer {
        case .response(let response): describe(response)
        case .garbage(let error): "a malformed answer (\(error))"
        case .closed: "the connection was closed"
        case .silence: "no answer"
        }
    }

    // MARK: Requests

    func pairingRequest(_ path: String, _ body: [UInt8]) -> HTTPRequest {
        HTTPRequest(.post, path, host: target.host, contentType: HAPContentType.pairing, body: body)
    }

    /// A write that gives the subject another value than it has.
    func attackWrite() async throws -> HTTPRequest {
        let subject = try await subject()
        let value = try await attackValue()
        let body = #"{"characteristics":[{"aid":\#(subject.id.aid),"iid":\#(subject.id.iid),"value":\#(value)}]}"#
        let type = HAPContentType.json
        return HTTPRequest(.put, "/characteristics", host: target.host, contentType: type, body: Array(body.utf8))
    }

    /// Another value than the subject has, as JSON.
    func attackValue() async throws -> String {
        let subject = try await subject()
        return subject.other(than: try await willChange(subject, on: session()))
    }

    /// Gives the subject the value back that it had before the run.
    func restoreSubject() async throws {
        let subject = try await subject()
        guard let value = changedValues[subject.id] else { return }
        let response = try await write([(subject.id, #""value":\#(value)"#)], on: newSession())
        try expect(response.status == .noContent, "Restoring the value: \(describe(response))")
    }

    /// Returns a new controller whose pairing is removed at the end of the run, if an attack manages to add it.
    func intruder() -> ControllerIdentity {
        let controller = Self.newController()
        addedPairings.insert(controller.pairingID)
        return controller
    }

    /// Removes a pairing that an attack may have made, so that the accessory isn't left paired.
    ///
    /// - Parameter isNeutral: Whether its key is ``RawMessage/neutralKey``.
    func withdraw(_ controller: ControllerIdentity, isNeutral: Bool = false) async {
        guard let connection = try? await connect() else { return }
        do {
            let exchange = try await RawVerify(connection)
            let id = Array(controller.pairingID.description.utf8)
            let payload =
                isNeutral
                ? RawMessage.tlv((1, id), (10, RawMessage.neutralSignature)) : try exchange.payload(controller)
            let m4 = try await connection.post("/pair-verify", try exchange.m3(payload))
            guard m4.status == .ok, RawMessage.values(m4.body)[7] == nil else { return }
            exchange.secure(connection)
            _ = try await connection.manage(.remove(controller.pairingID))
        } catch {
            // It has no such pairing.
        }
    }
}
