import Foundation
import HomeModel
import HubAPI

/// Something that shows an app what the hub tells: a manager's objects, or a browser.
protocol HubSubscriber: AnyObject, Sendable {
    /// Everything may be new. Says whom to call.
    ///
    /// Like ``callbacks(for:before:after:)`` it runs on the app's queue with the lock of the hub's state held.
    func callbacksForReset(before: HubStateSummary, after: HubState) -> [Callback]
    /// Follows an event other than a reset and says whom to call.
    ///
    /// It runs on the app's queue with the lock of the hub's state held; what it returns is called after the lock is
    /// released, in order.
    func callbacks(for event: HubEvent, before: HubStateSummary, after: HubState) -> [Callback]
    /// The app may not use the homes, and knows nothing of them any more.
    ///
    /// It runs on the app's queue with the lock of the hub's state held.
    ///
    /// - Parameters:
    ///   - error: The hub's answer.
    ///   - before: What was known.
    func callbacks(forDenial error: HubError, before: HubStateSummary) -> [Callback]
    /// The connection ended. What was known stays until the hub tells anew.
    func callbacksForLoss() -> [Callback]
    /// The app is back in the foreground, and callbacks were dropped while it was in the background.
    ///
    /// It runs on the app's queue with the lock of the hub's state held. A reset that the hub sends for what it held back
    /// comes before, and stands for this.
    func callbacksForReturn(_ hub: HubState) -> [Callback]
    /// Whether this one looks for new accessories.
    var isSearching: Bool { get }
    /// The characteristics of whose changes the app asked this one to tell.
    var subscriptions: CharacteristicSet { get }
    /// Whether a characteristic is among ``subscriptions``.
    func isSubscribed(to characteristic: HubState.ValueKey) -> Bool
}

/// A call of a delegate, or other work that needs no lock.
typealias Callback = @Sendable () -> Void

/// What a client knew just before an event, without the values.
struct HubStateSummary: Sendable {
    let account: Account
    let homes: [UUID: Home]
    /// By accessory; before an event about some accessories, of those alone.
    let reachability: [UUID: ReachabilityUpdate]

    init(_ hub: HubState, before event: HubEvent? = nil) {
        account = hub.account
        homes = hub.homes
        if case .reachability(let updates) = event {
            // A second reference to all of it would have the event copy all of it.
            let changing = updates.compactMap { update in
                hub.reachability[update.accessory].map { (update.accessory, $0) }
            }
            reachability = Dictionary(changing, uniquingKeysWith: { first, _ in first })
        } else {
            reachability = hub.reachability
        }
    }
}
