import Foundation
import HubAPI

// What the app's managers asked to hear of, for the connection that they share.

extension HubLink {
    /// The characteristics of whose changes any manager of the app is to be told.
    var subscriptions: CharacteristicSet {
        liveSubscribers.reduce(into: CharacteristicSet()) { $0.formUnion($1.subscriptions) }
    }

    /// Subscribes again to characteristics: where the greeting could not, because the hub's protocol is older or because
    /// there are more than it takes, and where an accessory's numbers changed.
    func renew(_ subscriptions: CharacteristicSet) {
        for (home, characteristics) in subscriptions.byHome {
            var rest = characteristics[...]
            while !rest.isEmpty {
                let part = Array(rest.prefix(HubProtocol.characteristicsPerCall))
                rest = rest.dropFirst(part.count)
                let parameters = NotifyCharacteristics(
                    home: home,
                    characteristics: part,
                    enabled: true,
                    isRenewal: true
                )
                call(HubMethods.notify, parameters) { [self] reply in
                    if case .success(let results) = reply { takeMissed(results, in: home) }
                }
            }
        }
    }

    /// Tells of what changed after the hub had told its state and before it knew of the subscription.
    private func takeMissed(_ results: CharacteristicResults, in home: UUID) {
        let missed = results.outcomes.compactMap { outcome -> ValueUpdate? in
            guard outcome.error == nil, let value = outcome.value else { return nil }
            return ValueUpdate(home: home, characteristic: outcome.characteristic, value: value)
        }
        let news = read { hub in missed.filter { !hub.isMomentary($0) && hub.isNews($0) } }
        if !news.isEmpty { take(.values(news)) }
    }
}
