import Foundation
import HAP
import HAPCatalog
import HAPClient
import HomeModel
import HubAPI

/// The methods that read, write and watch characteristics.
///
/// What a home's records already rule out (no such characteristic, not readable, a value out of range) is refused without
/// asking the accessory; the rest goes to each accessory server in the caller's order and comes back as one result.
struct CharacteristicMethods: Sendable {
    /// A characteristic, found in the home's records.
    private struct Located: Sendable {
        var shape: CharacteristicShape
        var id: CharacteristicID
        var server: DeviceID
        var accessoryName: String
        var isBlocked: Bool
    }

    /// What one server is asked, and where its outcomes belong among the call's.
    fileprivate struct Errand<Item: Sendable>: Sendable {
        var server: DeviceID
        var items: [Item] = []
        var positions: [Int] = []
    }

    /// What an accessory's answer says about the characteristic at one position of a call.
    private struct Learnt: Sendable {
        var position: Int
        var value: CharacteristicValue?
        var arrival: Arrival
        /// Whether the value is the accessory's response to this very write, and nobody else's business.
        var isAnswer = false
    }

    private typealias Outcome = CharacteristicResults.Outcome

    let database: HomeDatabase
    let connections: AccessoryConnections
    let live: LiveState

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
    ) async throws(HubError) -> Handling<CharacteristicResults> {
        try checkCount(parameters.characteristics.count)
        let home = try await database.home(parameters.home, for: session.user)
        var outcomes = parameters.characteristics.map { Outcome(characteristic: $0) }
        var errands: [Errand<CharacteristicID>] = []
        for (position, reference) in parameters.characteristics.enumerated() {
            do throws(HubError) {
                let located = try locate(reference, in: home)
                guard located.shape.permissions.contains(.read) else {
                    throw HubError(.notReadable, "\(located.shape.type) of “\(located.accessoryName)” cannot be read.")
                }
                guard !located.isBlocked else { throw .accessoryBlocked }
                errands.add(located.id, to: located.server, at: position)
            } catch {
                outcomes[position].error = error
            }
        }
        var submissions: [(errand: Errand<CharacteristicID>, submission: Submission<[ReadOutcome]>)] = []
        for errand in errands {
            guard let connection = await connections.session(to: errand.server) else {
                for position in errand.positions { outcomes[position].error = Self.noConnection }
                continue
            }
            submissions.append((errand, connection.submitRead(errand.items)))
        }
        let (asked, known) = (submissions, outcomes)
        return .answeringLater { reply in
            var outcomes = known
            var learnt: [Learnt] = []
            for (errand, submission) in asked {
                for (position, outcome) in zip(errand.positions, await submission.value) {
                    switch outcome.result {
                    case .success(let value):
                        learnt.append(Learnt(position: position, value: value, arrival: outcome.arrival))
                    case .failure(let failure): outcomes[position].error = HubError(failure)
                    }
                }
            }
            finish(outcomes, learnt, in: home.id, origin: .accessory, for: session.id, reply)
        }
    }

    // MARK: Writing

    private func write(
        _ parameters: WriteCharacteristics,
        for session: HubSession
    ) async throws(HubError) -> Handling<CharacteristicResults> {
        try checkCount(parameters.writes.count)
        let home = try await database.home(parameters.home, for: session.user)
        var outcomes = parameters.writes.map { Outcome(characteristic: $0.characteristic) }
        var errands: [Errand<CharacteristicWrite>] = []
        for (position, write) in parameters.writes.enumerated() {
            do throws(HubError) {
                let located = try locate(write.characteristic, in: home)
                guard located.shape.permissions.contains(.write) else {
                    throw HubError(
                        .notWritable,
                        "\(located.shape.type) of “\(located.accessoryName)” cannot be written."
                    )
                }
                let value = try validated(write.value, for: located)
                guard !located.isBlocked else { throw .accessoryBlocked }
                let authorization = write.authorizationData.map(Array.init)
                let order = CharacteristicWrite(id: located.id, value: value, authorizationData: authorization)
                errands.add(order, to: located.server, at: position)
            } catch {
                outcomes[position].error = error
            }
        }
        var submissions: [(errand: Errand<CharacteristicWrite>, submission: Submission<[WriteOutcome]>)] = []
        for errand in errands {
            guard let connection = await connections.session(to: errand.server) else {
                for position in errand.positions { outcomes[position].error = Self.noConnection }
                continue
            }
            submissions.append((errand, connection.submitWrite(errand.items)))
        }
        let (asked, known) = (submissions, outcomes)
        return .answeringLater { reply in
            var outcomes = known
            var learnt: [Learnt] = []
            for (errand, submission) in asked {
                for (index, outcome) in zip(errand.items.indices, await submission.value) {
                    let position = errand.positions[index]
                    switch outcome.result {
                    case .success(let answer):
                        let value = answer ?? errand.items[index].value
                        learnt.append(
                            Learnt(position: position, value: value, arrival: outcome.arrival, isAnswer: answer != nil)
                        )
                    case .failure(let failure): outcomes[position].error = HubError(failure)
                    }
                }
            }
            finish(outcomes, learnt, in: home.id, origin: session.origin, for: session.id, reply)
        }
    }

    private func validated(
        _ value: CharacteristicValue,
        for located: Located
    ) throws(HubError) -> CharacteristicValue {
        do throws(CharacteristicValueError) {
            return try located.shape.metadata.validate(value, checkingStep: false)
        } catch {
            throw HubError(error)
        }
    }

    // MARK: Watching

    private func notify(
        _ parameters: NotifyCharacteristics,
        for session: HubSession
    ) async throws(HubError) -> Handling<CharacteristicResults> {
        let home = try await database.home(parameters.home, for: session.user)
        guard let characteristics = parameters.characteristics else {
            return notifyOfAll(parameters.enabled, in: home, session)
        }
        try checkCount(characteristics.count)
        let outcomes = characteristics.map { reference in
            do throws(HubError) {
                let located = try locate(reference, in: home)
                guard located.shape.permissions.contains(.notify) else {
                    let name = located.accessoryName
                    throw HubError(.notNotifying, "\(located.shape.type) of “\(name)” does not tell of its changes.")
                }
                guard !parameters.enabled || !located.isBlocked else { throw .accessoryBlocked }
                if parameters.enabled, let error = live.error(ofUnreachable: reference.accessory) { throw error }
                return Outcome(characteristic: reference)
            } catch {
                return Outcome(characteristic: reference, error: error)
            }
        }
        let accepted = outcomes.filter { $0.error == nil }.map(\.characteristic)
        return .answering { reply in
            // In one: what changes before is in the reply, what changes after it is told.
            live.snapshot { present in
                session.withFilter { $0.set(accepted, enabled: parameters.enabled) }
                let outcomes = outcomes.map { outcome in
                    guard outcome.error == nil else { return outcome }
                    let value = present.values[outcome.characteristic, in: home.id]
                    return Outcome(characteristic: outcome.characteristic, value: value)
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
    ) -> Handling<CharacteristicResults> {
        let notifying = home.accessories.flatMap { record in
            home.services(of: record).flatMap(\.characteristics).filter { $0.permissions.contains(.notify) }
                .map { CharacteristicReference(accessory: record.id, iid: $0.iid) }
        }
        return .answering { reply in
            live.snapshot { present in
                session.withFilter { $0.set(home: home.id, enabled: enabled) }
                let outcomes = notifying.compactMap { reference in
                    present.values[reference, in: home.id].map { Outcome(characteristic: reference, value: $0) }
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

    private func locate(_ reference: CharacteristicReference, in home: Home) throws(HubError) -> Located {
        guard let record = home.accessories[id: reference.accessory], let server = DeviceID(record.server) else {
            throw HubError(HomeError(.notFound, "There is no such accessory in the home."))
        }
        for service in home.services(of: record) {
            guard let shape = service.characteristics.first(where: { $0.iid == reference.iid }) else { continue }
            let id = CharacteristicID(aid: record.aid, iid: shape.iid)
            return Located(
                shape: shape,
                id: id,
                server: server,
                accessoryName: record.name,
                isBlocked: record.isBlocked
            )
        }
        throw HubError(.noSuchCharacteristic, "“\(record.name)” has no characteristic \(reference.iid).")
    }

    /// Lets the other clients know what was learnt, and replies with what is known then: another's newer value where one
    /// has come meanwhile, since no event would tell the client of it again.
    private func finish(
        _ outcomes: [Outcome],
        _ learnt: [Learnt],
        in home: UUID,
        origin: Origin,
        for client: UUID,
        _ reply: Handling<CharacteristicResults>.Reply
    ) {
        let valued = learnt.filter { $0.value != nil }
        let arrived = valued.map { learnt in
            let reference = outcomes[learnt.position].characteristic
            let update = ValueUpdate(home: home, characteristic: reference, value: learnt.value)
            return ValueActivity(update: update, arrival: learnt.arrival, origin: origin, repliedTo: client)
        }
        live.update(arrived) { known in
            var outcomes = outcomes
            for (learnt, known) in zip(valued, known) {
                outcomes[learnt.position].value = learnt.isAnswer ? learnt.value : known ?? learnt.value
            }
            reply(.success(CharacteristicResults(outcomes: outcomes)))
        }
    }

    private static let noConnection = HubError(AccessoryTrouble.noPairing)
}

extension Array {
    /// Adds an item to a server's errand, keeping the order within each server.
    fileprivate mutating func add<Item: Sendable>(_ item: Item, to server: DeviceID, at position: Int)
    where Element == CharacteristicMethods.Errand<Item> {
        let index =
            firstIndex { $0.server == server }
            ?? {
                append(CharacteristicMethods.Errand(server: server))
                return endIndex - 1
            }()
        self[index].items.append(item)
        self[index].positions.append(position)
    }
}
