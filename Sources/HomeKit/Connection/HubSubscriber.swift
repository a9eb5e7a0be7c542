import Foundation
import HomeModel
import HubAPI

/// Something that shows an app what the hub tells: a manager's objects, or a browser.
protocol HubSubscriber: AnyObject, Sendable {
    /// Everything may be new. Says whom to call.
    ///
    /// Like ``callbacks(for:before:after:)`` it runs on the app's queue with the lock of the hub's state held.
    func callbacksForReset(before: HubMoment, after: HubState) -> [Callback]
    /// Follows an event other than a reset and says whom to call.
    ///
    /// It runs on the app's queue with the lock of the hub's state held; what it returns is called after the lock is
    /// released, in order.
    func callbacks(for event: HubEvent, before: HubMoment, after: HubState) -> [Callback]
    /// The app may not use the homes, and knows nothing of them any more.
    ///
    /// It runs on the app's queue with the lock of the hub's state held.
    ///
    /// - Parameters:
    ///   - error: The hub's answer.
    ///   - before: What was known.
    func callbacks(forDenial error: HubError, before: HubMoment) -> [Callback]
    /// The connection ended. What was known stays until the hub tells anew.
    func callbacksForLoss() -> [Callback]
    /// Whether this one looks for new accessories.
    var isSearching: Bool { get }
    /// Whether this one asked to hear of a characteristic's changes.
    func isNotified(of characteristic: HubState.ValueKey) -> Bool
}

/// A call of a delegate, or other work that needs no lock.
typealias Callback = @Sendable () -> Void

/// What a client knew just before an event, without the values.
struct HubMoment: Sendable {
    let account: Account
    let homes: [UUID: Home]
    let reachability: [UUID: ReachabilityUpdate]

    init(_ hub: HubState) {
        account = hub.account
        homes = hub.homes
        reachability = hub.reachability
    }
}
