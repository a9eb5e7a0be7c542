import Foundation
import HAPCatalog
import HAPClient
import HubAPI

/// A value that an accessory returned for the characteristic at one position of a call.
struct LearnedValue: Sendable {
    var position: Int
    var value: CharacteristicValue?
    var arrival: ArrivalOrder
    /// Whether the value is the accessory's write response, which only the writing client receives.
    var isResponse = false
}

extension LiveState {
    /// Updates the state with the values of a call, and passes on the call's outcomes.
    ///
    /// If a newer value of another client arrived in the meantime, the outcome has that value, because no event will
    /// repeat it.
    ///
    /// - Parameters:
    ///   - origin: The cause of the values.
    ///   - client: The session that receives the values in these outcomes.
    func learn(
        _ learned: [LearnedValue],
        for outcomes: [CharacteristicResults.Outcome],
        in home: UUID,
        origin: Origin,
        client: UUID?,
        then reply: ([CharacteristicResults.Outcome]) -> Void
    ) {
        let valued = learned.filter { $0.value != nil }
        let arrived = valued.map { learned in
            let reference = outcomes[learned.position].characteristic
            return ValueActivity(
                update: ValueUpdate(home: home, characteristic: reference, value: learned.value),
                arrival: learned.arrival,
                origin: origin,
                repliedTo: client
            )
        }
        update(arrived) { known in
            var outcomes = outcomes
            for (learned, known) in zip(valued, known) {
                outcomes[learned.position].value = learned.isResponse ? learned.value : known ?? learned.value
            }
            reply(outcomes)
        }
    }
}
