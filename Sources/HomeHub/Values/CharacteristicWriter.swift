import Consensus
import Foundation
import HAP
import HAPCatalog
import HAPClient
import HomeModel
import HubAPI

/// Writes values. All writes go through it, with their origin, and resulting values are published with that origin.
///
/// Writes that a home's records already rule out, such as of an unknown or unwritable characteristic or an invalid
/// value, fail without contacting the accessory. The others are sent to each accessory server in the order of the
/// calls.
struct CharacteristicWriter: Sendable {
    /// A write with what the home's records say about its characteristic.
    struct Order: Sendable {
        var write: WriteCharacteristics.Write
        var target: Result<LocatedCharacteristic, HubError>
    }

    /// Writes that are in their servers' queues.
    struct Submitted: Sendable {
        fileprivate var home: UUID
        fileprivate var origin: Origin
        fileprivate var client: UUID?
        fileprivate var outcomes: [CharacteristicResults.Outcome]
        /// The value of each write, if it is known before the characteristic answers.
        fileprivate var values: [CharacteristicValue?]
        fileprivate var batches: [(batch: ServerBatch<CharacteristicWrite>, submission: Submission<[WriteOutcome]>)]
    }

    let connections: AccessoryConnections
    let live: LiveState
    private let running: @Sendable () -> Duration
    private let targets = WriteTargets()

    /// Creates a writer.
    ///
    /// - Parameter running: A clock that also runs while the machine sleeps, by which writes are fenced.
    init(connections: AccessoryConnections, live: LiveState, running: @escaping @Sendable () -> Duration) {
        self.connections = connections
        self.live = live
        self.running = running
    }

    /// Adds writes to the accessory servers' queues.
    ///
    /// - Parameters:
    ///   - home: The home in its current state.
    ///   - origin: The cause and the caller of the writes.
    ///   - client: The session that receives the outcomes in its reply, and therefore not as events.
    ///   - withdrawal: What withdraws the writes while they wait.
    /// - Returns: A value to pass to ``finish(_:then:)``.
    func submit(
        _ writes: [WriteCharacteristics.Write],
        in home: Home,
        by origin: Origin,
        client: UUID? = nil,
        unless withdrawal: WriteWithdrawal? = nil
    ) async -> Submitted {
        let orders = writes.map { write in
            Order(write: write, target: Result { () throws(HubError) in try home.locate(write.characteristic) })
        }
        return await submit(orders, in: home.id, by: origin, client: client, unless: withdrawal)
    }

    /// Adds writes to characteristics that have been looked up to the accessory servers' queues.
    func submit(
        _ orders: [Order],
        in home: UUID,
        by origin: Origin,
        client: UUID? = nil,
        unless withdrawal: WriteWithdrawal? = nil
    ) async -> Submitted {
        var submitted = Submitted(
            home: home,
            origin: origin,
            client: client,
            outcomes: orders.map { CharacteristicResults.Outcome(characteristic: $0.write.characteristic) },
            values: orders.map(\.write.content.value),
            batches: []
        )
        var batches: [ServerBatch<CharacteristicWrite>] = []
        var withdrawal = origin.expiry.map { expiry in WriteWithdrawal(of: withdrawal) { expiry.isOver } } ?? withdrawal
        if let fence = origin.fence {
            withdrawal = WriteWithdrawal(of: withdrawal) { [running] in !fence.allowsWrite(at: running()) }
        }
        for (position, order) in orders.enumerated() {
            do throws(HubError) {
                let located = try order.target.get()
                var write = try decide(order.write, located, in: home)
                write.withdrawal = withdrawal
                if origin.fence != nil { write.preparation = FiringTimes.preparedWrite }
                submitted.values[position] = write.value
                batches.add(write, to: located.server, at: position)
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
                    targets.end(orders[position].write.characteristic)
                }
            }
        }
        return submitted
    }

    /// Waits for the accessories, and passes on one outcome for each write, in order.
    ///
    /// - Parameter reply: A closure that receives the outcomes. No value changes while it runs, so a reply that it
    ///   sends precedes all later events.
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
                case .failure(.expired) where submitted.origin.fence != nil: outcomes[position].error = Self.late
                case .failure(let failure): outcomes[position].error = HubError(failure)
                }
            }
        }
        report(outcomes, of: submitted)
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

    private static let late = HubError(.expired, "Not done: the automation was due too long ago.")

    /// Publishes the writes that failed, before the reply that says so.
    private func report(_ outcomes: [CharacteristicResults.Outcome], of submitted: Submitted) {
        let failures = zip(outcomes, submitted.values).compactMap { outcome, value in
            outcome.error.map { error in
                FailedWrite(
                    home: submitted.home,
                    characteristic: outcome.characteristic,
                    value: value,
                    error: error,
                    origin: submitted.origin
                )
            }
        }
        if !failures.isEmpty { live.report(failures) }
    }

    private func decide(
        _ write: WriteCharacteristics.Write,
        _ located: LocatedCharacteristic,
        in home: UUID
    ) throws(HubError) -> CharacteristicWrite {
        guard located.shape.permissions.contains(.write) else {
            let reason = "\(located.shape.type) of “\(located.accessoryName)” cannot be written."
            throw HubError(.notWritable, reason, located)
        }
        // Only a difference depends on the value before.
        let known = write.content.value == nil ? live.value(of: write.characteristic, in: home) : nil
        let value = try targets.begin(write.characteristic) { (target) throws(HubError) in
            let value = try decide(write, located, current: target ?? known)
            guard !located.isBlocked else { throw .accessoryBlocked }
            return value
        }
        let authorization = write.authorizationData.map(Array.init)
        return CharacteristicWrite(id: located.id, value: value, authorizationData: authorization)
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
            throw HubError(error, located)
        }
        if let error = live.error(forUnreachable: write.characteristic.accessory) { throw error }
        throw HubError(
            .notReadable,
            "\(located.shape.type) of “\(located.accessoryName)” has no known value. Write a value instead of a difference.",
            located
        )
    }
}

extension WriteCharacteristics.Write.Content {
    /// The value; `nil` for a difference.
    fileprivate var value: CharacteristicValue? {
        if case .value(let value) = self { value } else { nil }
    }
}
