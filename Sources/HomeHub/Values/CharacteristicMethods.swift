import Foundation
import HAP
import HAPCatalog
import HAPClient
import HomeModel
import HubAPI

/// The methods that read, write and watch characteristics.
///
/// What a home's records already rule out (no such characteristic, not readable) is refused without asking the accessory;
/// the rest goes to each accessory server in the caller's order and comes back as one result. Writing is the work of
/// ``CharacteristicWriter``.
struct CharacteristicMethods: HubPart {
    private typealias Outcome = CharacteristicResults.Outcome

    let database: HomeDatabase
    let connections: AccessoryConnections
    let live: LiveState
    let writer: CharacteristicWriter

    init(database: HomeDatabase, connections: AccessoryConnections, live: LiveState) {
        self.database = database
        self.connections = connections
        self.live = live
        writer = CharacteristicWriter(connections: connections, live: live)
    }

    /// Registers the methods.
    func register(in router: inout MethodRouter) {
        router.on(HubMethods.read) { (parameters, session) async throws(HubError) in
            try await read(parameters, for: session)
        }
        router.on(HubMethods.write) { (parameters, session) async throws(HubError) in
            try await write(parameters, for: session)
        }
        router.on(HubMethods.notify) { (parameters, session) async throws(HubError) in
            try await notify(parameters, for: session)
        }
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
                    throw HubError(.notReadable, "\(located.shape.type) of “\(located.accessoryName)” cannot be read.")
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
        let (asked, known) = (submissions, outcomes)
        return .deferredCallback { reply in
            var outcomes = known
            var learned: [LearnedValue] = []
            for (batch, submission) in asked {
                for (position, outcome) in zip(batch.positions, await submission.value) {
                    switch outcome.result {
                    case .success(let value):
                        learned.append(LearnedValue(position: position, value: value, arrival: outcome.arrival))
                    case .failure(let failure): outcomes[position].error = HubError(failure)
                    }
                }
            }
            // What a reading shows that was not known, the accessory has changed by itself.
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
        let submitted = await writer.submit(parameters.writes, in: home, by: session.origin, client: session.id)
        return .deferredCallback { [writer] reply in
            await writer.finish(submitted) { outcomes in
                reply(.success(CharacteristicResults(outcomes: outcomes)))
            }
        }
    }

    // MARK: Watching

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
                    throw HubError(.notNotifying, "\(located.shape.type) of “\(name)” does not tell of its changes.")
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
            // In one: what changes before is in the reply, what changes after it is told.
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

    /// Turns the changes of a whole home on or off. What has changed until then is in the reply, as of single ones.
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

    // MARK: Parts

    private func checkCount(_ count: Int) throws(HubError) {
        guard count <= HubProtocol.characteristicsPerCall else {
            let limit = HubProtocol.characteristicsPerCall
            throw HubError(.malformedMessage, "\(count) characteristics are more than the \(limit) of one call.")
        }
    }

    private static let tooManySubscriptions = HubError(
        HomeError(
            .limitExceeded,
            "A client may subscribe to \(HubProtocol.subscriptionsPerConnection) characteristics. "
                + "Turn some off, or subscribe to the whole home."
        )
    )
}
