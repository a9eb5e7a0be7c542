import Foundation
import HomeModel
import HubAPI

/// An object that presents the hub's state to the app: a manager with its objects, or a browser.
///
/// The methods that receive the state run on the app's queue while the state's lock is held. The callbacks that they
/// return run in order, after the lock is released.
protocol HubSubscriber: AnyObject, Sendable {
    /// Handles a reset, after which everything may be different.
    func callbacksForReset(before: HubStateSummary, after: HubState) -> [Callback]
    /// Handles an event other than a reset.
    func callbacks(for event: HubEvent, before: HubStateSummary, after: HubState) -> [Callback]
    /// Handles the denial of access to the homes. The app no longer has any state.
    ///
    /// - Parameters:
    ///   - error: The hub's error.
    ///   - before: The previous state.
    func callbacks(forDenial error: HubError, before: HubStateSummary) -> [Callback]
    /// Handles the end of the connection. The state remains until the hub sends it again.
    func callbacksForLoss() -> [Callback]
    /// Handles the app's return to the foreground, if callbacks were dropped while it was in the background.
    ///
    /// If the hub sends a reset in place of missed events, that reset comes first, and this method isn't called.
    func callbacksForReturn(_ hub: HubState) -> [Callback]
    /// Whether the subscriber is searching for new accessories.
    var isSearching: Bool { get }
    /// The characteristics that the app subscribed to through this subscriber.
    var subscriptions: CharacteristicSet { get }
    /// Whether a characteristic is among ``subscriptions``.
    func isSubscribed(to characteristic: HubState.ValueKey) -> Bool
}

/// A call of a delegate, or other work that runs without the lock.
typealias Callback = @Sendable () -> Void

/// A client's state just before an event, without the values.
struct HubStateSummary: Sendable {
    let account: Account
    let homes: [UUID: Home]
    /// The reachability by accessory. Before a reachability event, it contains only the accessories of the event.
    let reachability: [UUID: ReachabilityUpdate]
    /// Before an event about runs, the last runs of its action sets and triggers.
    let runs: [UUID: RunUpdate]

    init(_ hub: HubState, before event: HubEvent? = nil) {
        account = hub.account
        homes = hub.homes
        // Second references to whole dictionaries would make the event copy them.
        if case .runs(let updates) = event {
            let changing = updates.compactMap { update in hub.runs[update.id].map { (update.id, $0) } }
            runs = Dictionary(changing, uniquingKeysWith: { first, _ in first })
        } else {
            runs = [:]
        }
        if case .reachability(let updates) = event {
            let changing = updates.compactMap { update in
                hub.reachability[update.accessory].map { (update.accessory, $0) }
            }
            reachability = Dictionary(changing, uniquingKeysWith: { first, _ in first })
        } else {
            reachability = hub.reachability
        }
    }
}
