import Foundation
import HubAPI

// The subscriptions of all of the app's managers, on the connection that they share.

extension HubLink {
    /// The characteristics that any of the app's managers is subscribed to.
    var subscriptions: CharacteristicSet {
        liveSubscribers.reduce(into: CharacteristicSet()) { $0.formUnion($1.subscriptions) }
    }

    /// Subscribes to characteristics again.
    ///
    /// This is needed if the hello couldn't do it, because the hub's protocol is older or because there are too many
    /// characteristics, and if an accessory's instance IDs changed.
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
                    if case .success(let results) = reply { reportMissed(results, in: home) }
                }
            }
        }
    }

    /// Reports changes that occurred after the hub had sent its state and before it subscribed the app.
    private func reportMissed(_ results: CharacteristicResults, in home: UUID) {
        let missed = results.outcomes.compactMap { outcome -> ValueUpdate? in
            guard outcome.error == nil, let value = outcome.value else { return nil }
            return ValueUpdate(home: home, characteristic: outcome.characteristic, value: value)
        }
        let news = read { hub in missed.filter { !hub.isMomentary($0) && hub.isNews($0) } }
        if !news.isEmpty { handle(.values(news)) }
    }
}
