import Foundation
import HAP
import HAPCatalog
import HAPClient
import HomeModel
import HubAPI

/// The methods that read, write and subscribe to characteristics.
///
/// Requests that a home's records already rule out, such as for an unknown or unreadable characteristic, fail without
/// contacting the accessory. The others are sent to each accessory server in the caller's order, and the call returns
/// all results together. ``CharacteristicWriter`` does the writing.
struct CharacteristicMethods: HubPart {
    private typealias Outcome = CharacteristicResults.Outcome

    let database: HomeDatabase
    let connections: AccessoryConnections
    let live: LiveState
    let writer: CharacteristicWriter
    let assistants: AssistantGuard

    /// Registers the methods.
    func register(in router: inout MethodRouter) {
        router.on(HubMethods.read, isBrief: true) { (parameters, session) async throws(HubError) in
            try await read(parameters, for: session)
        }
        router.on(HubMethods.write, isBrief: true) { (parameters, session) async throws(HubError) in
            try await write(parameters, for: session)
        }
        router.on(HubMethods.changeTimes) { (parameters, session) async throws(HubError) in
            try await changeTimes(parameters, for: session)
        }
        router.on(HubMethods.notify) { (parameters, session) async throws(HubError) in
            try await notify(parameters, for: session)
        }
    }

    // MARK: Times

    private func changeTimes(
        _ query: ChangeTimesQuery,
        for session: HubSession
    ) async throws(HubError) -> HandlerResult<ChangeTimes> {
        try checkCount(query.accessories?.count ?? 0)
        let home = try await database.home(query.home, for: session.user)
        let accessories = query.accessories ?? home.accessories.map(\.id)
        for id in accessories where !home.accessories.contains(id: id) {
            throw HubError(HomeError(.notFound, "There is no accessory \(id) in the home."))
        }
        let times = live.changeTimes(of: accessories)
        return .done(
            ChangeTimes(
                accessories: accessories.compactMap { id in
                    times[id].map { times in
                        let since = Dictionary(uniqueKeysWithValues: times.map { (String($0), $1) })
                        return ChangeTimes.Accessory(accessory: id, since: since)
                    }
                }
            )
        )
    }

    // MARK: Reading

    private func read(
        _ parameters: ReadCharacteristics,
        for session: HubSession
    ) async throws(HubError) -> HandlerResult<CharacteristicResults> {
        try checkCount(parameters.characteristics.count)
        let home = try await database.home(parameters.home, for: session.user)
        var outcomes = parameters.characteristics.map { Outcome(characteristic: $0) }
        var batches: [ServerBatch<CharacteristicID>] = []
        for (position, reference) in parameters.characteristics.enumerated() {
            do throws(HubError) {
                let located = try home.locate(reference)
                guard located.shape.permissions.contains(.read) else {
                    let reason = "\(located.shape.type) of “\(located.accessoryName)” cannot be read."
                    throw HubError(.notReadable, reason, located)
                }
                guard !located.isBlocked else { throw .accessoryBlocked }
                batches.add(located.id, to: located.server, at: position)
            } catch {
                outcomes[position].error = error
            }
        }
        var submissions: [(batch: ServerBatch<CharacteristicID>, submission: Submission<[ReadOutcome]>)] = []
        for batch in batches {
            guard let connection = await connections.session(to: batch.server) else {
                for position in batch.positions { outcomes[position].error = HubError(AccessoryTrouble.noPairing) }
                continue
            }
            submissions.append((batch, connection.submitRead(batch.items)))
        }
        let (sent, initial) = (submissions, outcomes)
        return .deferredCallback { reply in
            var outcomes = initial
            var learned: [LearnedValue] = []
            for (batch, submission) in sent {
                for (position, outcome) in zip(batch.positions, await submission.value) {
                    switch outcome.result {
                    case .success(let value):
                        learned.append(LearnedValue(position: position, value: value, arrival: outcome.arrival))
                    case .failure(let failure): outcomes[position].error = HubError(failure)
                    }
                }
            }
            // If the read shows a value that wasn't known, the accessory changed it on its own.
            live.learn(learned, for: outcomes, in: home.id, origin: .accessory, client: session.id) { outcomes in
                reply(.success(CharacteristicResults(outcomes: outcomes)))
            }
        }
    }

    // MARK: Writing

    private func write(
        _ parameters: WriteCharacteristics,
        for session: HubSession
    ) async throws(HubError) -> HandlerResult<CharacteristicResults> {
        try checkCount(parameters.writes.count)
        let home = try await database.home(parameters.home, for: session.user)
        let guarded = session.isAssistant ? assistants.guarded(parameters.writes, in: home) : []
        guard guarded.isEmpty else { return writeOnceAllowed(parameters, guarded, for: session) }
        let submitted = await writer.submit(
            parameters.writes,
            in: home,
            by: session.origin,
            client: session.id,
            unless: session.withdrawal
        )
        return .deferredCallback { [writer] reply in
            await writer.finish(submitted) { outcomes in
                reply(.success(CharacteristicResults(outcomes: outcomes)))
            }
        }
    }

    /// Writes once a person has agreed to what an assistant asks for.
    private func writeOnceAllowed(
        _ parameters: WriteCharacteristics,
        _ guarded: [String],
        for session: HubSession
    ) -> HandlerResult<CharacteristicResults> {
        .deferredCallback { [self] reply in
            do throws(HubError) {
                try await assistants.askPerson(about: guarded, for: session)
                // The home may have changed while the person decided.
                let home = try await database.home(parameters.home, for: session.user)
                let submitted = await writer.submit(
                    parameters.writes,
                    in: home,
                    by: session.origin,
                    client: session.id,
                    unless: session.withdrawal
                )
                await writer.finish(submitted) { reply(.success(CharacteristicResults(outcomes: $0))) }
            } catch {
                reply(.failure(error))
            }
        }
    }

    // MARK: Subscribing

    private func notify(
        _ parameters: NotifyCharacteristics,
        for session: HubSession
    ) async throws(HubError) -> HandlerResult<CharacteristicResults> {
        let home = try await database.home(parameters.home, for: session.user)
        guard let characteristics = parameters.characteristics else {
            return notifyOfAll(parameters.enabled, in: home, session)
        }
        try checkCount(characteristics.count)
        let outcomes = characteristics.map { reference in
            do throws(HubError) {
                let located = try home.locate(reference)
                guard located.shape.permissions.contains(.notify) else {
                    let name = located.accessoryName
                    throw HubError(.notNotifying, "\(located.shape.type) of “\(name)” does not send events.", located)
                }
                guard parameters.enabled, parameters.isRenewal != true else {
                    return Outcome(characteristic: reference)
                }
                guard !located.isBlocked else { throw .accessoryBlocked }
                if let error = live.error(forUnreachable: reference.accessory) { throw error }
                return Outcome(characteristic: reference)
            } catch {
                return Outcome(characteristic: reference, error: error)
            }
        }
        return .callback { reply in
            // This is atomic: earlier changes are in the reply, later ones are sent as events.
            live.withValues { values in
                let outcomes = session.withFilter { filter in
                    outcomes.map { outcome in
                        guard outcome.error == nil else { return outcome }
                        let reference = outcome.characteristic
                        guard filter.set(reference, in: home.id, enabled: parameters.enabled) else {
                            return Outcome(characteristic: reference, error: Self.tooManySubscriptions)
                        }
                        return Outcome(characteristic: reference, value: values[reference, in: home.id])
                    }
                }
                reply(.success(CharacteristicResults(outcomes: outcomes)))
            }
        }
    }

    /// Subscribes to a whole home, or unsubscribes from it. The reply has the current values, as for single
    /// characteristics.
    private func notifyOfAll(
        _ enabled: Bool,
        in home: Home,
        _ session: HubSession
    ) -> HandlerResult<CharacteristicResults> {
        let notifying = home.accessories.flatMap { record in
            home.services(of: record).flatMap(\.characteristics).filter { $0.permissions.contains(.notify) }
                .map { CharacteristicReference(accessory: record.id, iid: $0.iid) }
        }
        return .callback { reply in
            live.withValues { values in
                session.withFilter { $0.set(home: home.id, enabled: enabled) }
                let outcomes = notifying.compactMap { reference in
                    values[reference, in: home.id].map { Outcome(characteristic: reference, value: $0) }
                }
                reply(.success(CharacteristicResults(outcomes: outcomes)))
            }
        }
    }

    // MARK: Checks

    private func checkCount(_ count: Int) throws(HubError) {
        guard count <= HubProtocol.characteristicsPerCall else {
            let limit = HubProtocol.characteristicsPerCall
            throw HubError(.malformedMessage, "A call can have at most \(limit) characteristics, not \(count).")
        }
    }

    private static let tooManySubscriptions = HubError(
        HomeError(
            .limitExceeded,
            "A client can subscribe to at most \(HubProtocol.subscriptionsPerConnection) characteristics. "
                + "Unsubscribe from some, or subscribe to the whole home."
        )
    )
}
