package import HubAPI

/// A subscriber to the app's hub from another module, which shares the connection of the app's managers and browsers.
///
/// This is a class because the connection refers to it weakly.
package final class HubObserver: Sendable {
    /// A change of the connection, or an event.
    package enum Signal: Sendable {
        /// The hub is connected. It doesn't know what this app searches for.
        case connected
        /// The hub is disconnected.
        case disconnected
        /// The app isn't allowed to use the hub.
        case denied(HubError)
        /// The hub sent an event.
        case event(HubEvent)
    }

    private let link: HubLink
    private let needsEvents: @Sendable () -> Bool
    private let receive: @Sendable (Signal) -> Void

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - environment: The environment; `nil` for the present one.
    ///   - needsEvents: A closure that returns whether the observer needs the events that it requested.
    ///   - receive: A closure that receives signals, called serially on the queue of the app's delegates. After the app
    ///     was in the background, `connected` replaces the signals that it missed.
    package init(
        environment: HomeKitEnvironment? = nil,
        needsEvents: @escaping @Sendable () -> Bool,
        receive: @escaping @Sendable (Signal) -> Void
    ) {
        link = (environment ?? .present).link()
        self.needsEvents = needsEvents
        self.receive = receive
        link.add(self)
    }

    /// Calls a method of the hub. `completion` runs once, on the queue of the app's delegates.
    package func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters,
        completion: @escaping @Sendable (Swift.Result<Result, HubError>) -> Void
    ) {
        link.call(method, parameters, completion: completion)
    }

    /// Runs a closure on the queue of the app's delegates.
    package func enqueue(_ work: @escaping @Sendable () -> Void) {
        link.queue.async(execute: work)
    }

    /// Whether another observer of the app needs the events that it requested. The hub treats the app as one client.
    package var isNeededElsewhere: Bool {
        link.others(than: self) { ($0 as? HubObserver)?.needsEvents() ?? false }
    }
}

extension HubObserver: HubSubscriber {
    var isSearching: Bool { false }

    var subscriptions: CharacteristicSet { CharacteristicSet() }

    func isSubscribed(to characteristic: HubState.ValueKey) -> Bool { false }

    func callbacksForReset(before: HubStateSummary, after: HubState) -> [Callback] {
        [{ self.receive(.connected) }]
    }

    func callbacks(for event: HubEvent, before: HubStateSummary, after: HubState) -> [Callback] {
        switch event {
        case .resumed: [{ self.receive(.connected) }]
        case .unconfigured, .unconfiguredLost: [{ self.receive(.event(event)) }]
        default: []
        }
    }

    func callbacks(forDenial error: HubError, before: HubStateSummary) -> [Callback] {
        [{ self.receive(.denied(error)) }]
    }

    func callbacksForLoss() -> [Callback] { [{ self.receive(.disconnected) }] }

    func callbacksForReturn(_ hub: HubState) -> [Callback] { [{ self.receive(.connected) }] }
}
