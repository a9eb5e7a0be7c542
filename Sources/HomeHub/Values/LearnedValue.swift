import Foundation
import HAPCatalog
import HAPClient
import HubAPI

/// What an accessory's answer says about the characteristic at one position of a call.
struct LearnedValue: Sendable {
    var position: Int
    var value: CharacteristicValue?
    var arrival: Arrival
    /// Whether the value is the accessory's response to this very write, and no other client's business.
    var isResponse = false
}

extension LiveState {
    /// Takes in what a call learned, and hands over its outcomes with what is known then: another's newer value where one
    /// has come in the meantime, since no event would tell the client of it again.
    ///
    /// - Parameters:
    ///   - origin: What made the values what they are.
    ///   - client: The session that learns of them by these outcomes.
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
