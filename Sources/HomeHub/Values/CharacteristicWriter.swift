import Foundation
import HAP
import HAPCatalog
import HAPClient
import HomeModel
import HubAPI

/// The one way to write values: whoever writes, hands in where the write comes from, and what the accessories then have is
/// published with that origin.
///
/// What a home's records already rule out (no such characteristic, not writable, a value out of range) is refused without
/// asking the accessory. The rest goes to each accessory server in the order of the calls.
struct CharacteristicWriter: Sendable {
    /// Writes that have their place in their servers' queues.
    struct Submitted: Sendable {
        fileprivate var home: UUID
        fileprivate var origin: Origin
        fileprivate var client: UUID?
        fileprivate var outcomes: [CharacteristicResults.Outcome]
        fileprivate var batches: [(batch: ServerBatch<CharacteristicWrite>, submission: Submission<[WriteOutcome]>)]
    }

    let connections: AccessoryConnections
    let live: LiveState
    private let targets = WriteTargets()

    init(connections: AccessoryConnections, live: LiveState) {
        self.connections = connections
        self.live = live
    }

    /// Hands writes to the accessories' queues.
    ///
    /// - Parameters:
    ///   - home: The home as it is.
    ///   - origin: What makes the writes happen, and who asks.
    ///   - client: The session that learns of the outcomes by the reply to its request, and of them by no event.
    /// - Returns: What ``finish(_:then:)`` waits for.
    func submit(
        _ writes: [WriteCharacteristics.Write],
        in home: Home,
        by origin: Origin,
        client: UUID? = nil
    ) async -> Submitted {
        var submitted = Submitted(
            home: home.id,
            origin: origin,
            client: client,
            outcomes: writes.map { CharacteristicResults.Outcome(characteristic: $0.characteristic) },
            batches: []
        )
        var batches: [ServerBatch<CharacteristicWrite>] = []
        for (position, write) in writes.enumerated() {
            do throws(HubError) {
                let (server, order) = try decide(write, in: home)
                batches.add(order, to: server, at: position)
            } catch {
                submitted.outcomes[position].error = error
            }
        }
        for batch in batches {
            if let connection = await connections.session(to: batch.server) {
                submitted.batches.append((batch, connection.submitWrite(batch.items)))
            } else {
                for position in batch.positions {
                    submitted.outcomes[position].error = HubError(AccessoryTrouble.noPairing)
                    targets.end(writes[position].characteristic)
                }
            }
        }
        return submitted
    }

    /// Waits for the accessories, and hands over one outcome for each write, in their order.
    ///
    /// - Parameter reply: Called while no value changes: what leaves here comes before all later events.
    func finish(_ submitted: Submitted, then reply: ([CharacteristicResults.Outcome]) -> Void) async {
        var outcomes = submitted.outcomes
        var learned: [LearnedValue] = []
        for (batch, submission) in submitted.batches {
            for (index, outcome) in zip(batch.items.indices, await submission.value) {
                let position = batch.positions[index]
                switch outcome.result {
                case .success(let response):
                    learned.append(
                        LearnedValue(
                            position: position,
                            value: response ?? batch.items[index].value,
                            arrival: outcome.arrival,
                            isResponse: response != nil
                        )
                    )
                case .failure(let failure): outcomes[position].error = HubError(failure)
                }
            }
        }
        live.learn(
            learned,
            for: outcomes,
            in: submitted.home,
            origin: submitted.origin,
            client: submitted.client,
            then: reply
        )
        for position in submitted.batches.flatMap(\.batch.positions) { targets.end(outcomes[position].characteristic) }
    }

    private func decide(
        _ write: WriteCharacteristics.Write,
        in home: Home
    ) throws(HubError) -> (server: DeviceID, order: CharacteristicWrite) {
        let located = try home.locate(write.characteristic)
        guard located.shape.permissions.contains(.write) else {
            throw HubError(.notWritable, "\(located.shape.type) of “\(located.accessoryName)” cannot be written.")
        }
        let known = live.value(of: write.characteristic, in: home.id)
        let value = try targets.begin(write.characteristic) { (target) throws(HubError) in
            let value = try decide(write, located, current: target ?? known)
            guard !located.isBlocked else { throw .accessoryBlocked }
            return value
        }
        let authorization = write.authorizationData.map(Array.init)
        return (located.server, CharacteristicWrite(id: located.id, value: value, authorizationData: authorization))
    }

    private func decide(
        _ write: WriteCharacteristics.Write,
        _ located: LocatedCharacteristic,
        current: CharacteristicValue?
    ) throws(HubError) -> CharacteristicValue {
        let metadata = located.shape.metadata
        do throws(CharacteristicValueError) {
            switch write.content {
            case .value(let value):
                return try metadata.validate(value, checkingStep: false)
            case .difference(let difference):
                if let current { return try metadata.value(current, changedBy: difference) }
            }
        } catch {
            throw HubError(error)
        }
        if let error = live.error(forUnreachable: write.characteristic.accessory) { throw error }
        throw HubError(
            .notReadable,
            "\(located.shape.type) of “\(located.accessoryName)” has no known value from which to count. Write a value."
        )
    }
}
