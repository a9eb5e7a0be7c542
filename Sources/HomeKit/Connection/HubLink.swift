import Dispatch
import Foundation
import HomeModel
import HubAPI
import HubClient
import Synchronization

/// An app's link to its hub, with the state that the hub sent and the objects that show it.
///
/// Events and replies are handled on the app's queue in the hub's order. For each event the state advances first, then its
/// callbacks run. The link reconnects for as long as it is referenced; ``LinkDriver`` does that.
final class HubLink: Sendable {
    // This is a class because managers and browsers share it.

    private struct Subscribers {
        struct Reference {
            let id: ObjectIdentifier
            weak var subscriber: (any HubSubscriber)?
            /// Whether callbacks were dropped while the app was in the background.
            var hasMissed = false

            init(_ subscriber: any HubSubscriber) {
                id = ObjectIdentifier(subscriber)
                self.subscriber = subscriber
            }
        }

        var references: [Reference] = []
        /// The subscriptions at the last hello.
        var greeted = CharacteristicSet()
        /// Whether the hub has sent its state on the current connection.
        var isLoaded = false
        /// Whether the app is in the background, so that its delegates are not called.
        var isInBackground = false
    }

    /// The callbacks of one subscriber.
    private struct Delivery {
        var subscriber: any HubSubscriber
        var callbacks: [Callback]
        /// Whether the callbacks replace all that were dropped before.
        var isCatchUp = false
    }

    /// The queue of completions and delegate calls.
    let queue: DispatchQueue
    private let environment: HomeKitEnvironment
    private let driver: LinkDriver
    private let hub = Mutex(HubState())
    private let subscribers = Mutex(Subscribers())
    private let reads = ReadBatches()
    private let lifecycle = Mutex<AppLifecycle?>(nil)

    init(environment: HomeKitEnvironment) {
        self.environment = environment
        let queue = environment.queue
        self.queue = queue
        driver = LinkDriver(
            LinkDriver.Configuration(
                transport: environment.transport,
                retry: environment.retry,
                timeout: environment.callLimit,
                execute: { work in queue.async { work() } }
            )
        )
        let observer = AppLifecycle(environment.notifications) { [weak self] in self?.setBackground($0) }
        lifecycle.withLock { $0 = observer }
    }

    // MARK: State

    /// Reads the hub's state. `body` must not call back into the link.
    func read<Result: Sendable>(_ body: (HubState) -> Result) -> Result {
        hub.withLock { body($0) }
    }

    /// Returns whether another subscriber fulfills a condition.
    func others(than subscriber: any HubSubscriber, contain condition: (any HubSubscriber) -> Bool) -> Bool {
        liveSubscribers.contains { $0 !== subscriber && condition($0) }
    }

    /// Adds a subscriber to future events, and connects if it is the first.
    func add(_ subscriber: any HubSubscriber) {
        queue.async { [weak self, weak subscriber] in
            guard let self, let subscriber else { return }
            // This holds references to the subscribers, because none must be deallocated while the lock is held.
            let others = liveSubscribers
            let isLoaded = withExtendedLifetime(others) {
                subscribers.withLock { subscribers in
                    subscribers.references.removeAll { $0.subscriber == nil }
                    subscribers.references.append(Subscribers.Reference(subscriber))
                    return subscribers.isLoaded
                }
            }
            if isLoaded { welcome(subscriber) }
        }
        open()
    }

    /// Connects if that has not been done yet.
    func open() {
        let environment = environment
        driver.open(
            as: LinkDriver.Client(
                greeting: { [weak self] previous in
                    self?.greeting(after: previous)
                        ?? LinkDriver.Greeting(Hello(app: environment.app, purpose: environment.purpose))
                },
                onEvent: { [weak self] in self?.handle($0) },
                onWelcome: { [weak self] in self?.welcomed(after: $1) },
                onDenial: { [weak self] in self?.deny($0) },
                onLoss: { [weak self] error, isGone in
                    self?.disconnected()
                    if isGone { self?.markUnreachable(because: error) }
                },
                log: { environment.log("\($0.reason) (\($0.code.rawValue)) Retrying.") }
            )
        )
    }

    private func greeting(after previous: PreviousConnection?) -> LinkDriver.Greeting {
        let subscriptions = subscriptions
        let isListed = !subscriptions.isEmpty && subscriptions.count <= HubProtocol.subscriptionsPerConnection
        let hello = Hello(
            app: environment.app,
            purpose: environment.purpose,
            seen: hub.withLock { $0.seen },
            // The completions of the retried calls report what they changed.
            former: previous,
            subscriptions: isListed ? subscriptions : nil
        )
        return subscribers.withLock { subscribers in
            subscribers.greeted = subscriptions
            return LinkDriver.Greeting(hello, isInBackground: subscribers.isInBackground)
        }
    }

    private func welcomed(after hello: Hello) {
        if hello.subscriptions != nil { return }
        renew(subscribers.withLock { $0.greeted })
    }

    // MARK: Calls

    /// Calls a method of the hub. `completion` runs once, on the queue, as ``LinkDriver`` describes.
    func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters,
        completion: @escaping @Sendable (Swift.Result<Result, HubError>) -> Void
    ) {
        // The hub receives reads in the order in which the app made them and other calls.
        sendReads()
        send(method, parameters, completion: completion)
    }

    private func send<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters,
        completion: @escaping @Sendable (Swift.Result<Result, HubError>) -> Void
    ) {
        // The link lives until the reply: its end would end the connection.
        driver.call(method, parameters) { [self] reply in withExtendedLifetime(self) { completion(reply) } }
    }

    /// Reads a characteristic. The value is in the state when `completion` runs.
    ///
    /// Reads in one turn of the queue, or before another call, go to the hub together.
    func read(
        _ characteristic: CharacteristicReference,
        of target: ReadBatches.Target,
        completion: @escaping ReadBatches.Completion
    ) {
        if reads.add(characteristic, of: target, completion) { queue.async { [self] in sendReads() } }
    }

    private func sendReads() {
        for batch in reads.drain() {
            let home = batch.target.home
            let parameters = ReadCharacteristics(home: home, characteristics: batch.characteristics)
            send(HubMethods.read, parameters) { [self] reply in
                if case .success(let results) = reply { hub.withLock { $0.apply(results, in: home) } }
                batch.complete(reply)
            }
        }
    }

    /// Calls a method about characteristics. The values in the reply are in the state when `completion` runs.
    func exchange<Parameters>(
        _ method: Method<Parameters, CharacteristicResults>,
        _ parameters: Parameters,
        in home: UUID,
        completion: @escaping @Sendable (Swift.Result<CharacteristicResults, HubError>) -> Void
    ) {
        call(method, parameters) { [self] reply in
            if case .success(let results) = reply { hub.withLock { $0.apply(results, in: home) } }
            completion(reply)
        }
    }

    // MARK: On the queue

    /// Handles an event, from the hub or in place of one, and calls back. Call it on the queue.
    func handle(_ event: HubEvent) {
        let isReset = if case .reset = event { true } else { false }
        let isResumption = if case .resumed = event { true } else { false }
        let missed = subscribers.withLock { subscribers in
            if isReset || isResumption { subscribers.isLoaded = true }
            return Set(subscribers.references.filter(\.hasMissed).map(\.id))
        }
        let subscribers = liveSubscribers
        let deliveries = hub.withLock { hub in
            let before = HubStateSummary(hub, before: event)
            let news = hub.news(in: event)
            hub.apply(event)
            return subscribers.map { subscriber in
                if isReset || isResumption && missed.contains(ObjectIdentifier(subscriber)) {
                    let callbacks = subscriber.callbacksForReset(before: before, after: hub)
                    return Delivery(subscriber: subscriber, callbacks: callbacks, isCatchUp: true)
                }
                let callbacks = subscriber.callbacks(for: news, before: before, after: hub)
                return Delivery(subscriber: subscriber, callbacks: callbacks)
            }
        }
        make(deliveries)
    }

    /// Calls back, unless the app is in the background. Then it catches up when it returns.
    private func make(_ deliveries: [Delivery]) {
        let isInForeground = subscribers.withLock { subscribers in
            let isInBackground = subscribers.isInBackground
            for delivery in deliveries where isInBackground ? !delivery.callbacks.isEmpty : delivery.isCatchUp {
                let id = ObjectIdentifier(delivery.subscriber)
                guard let index = subscribers.references.firstIndex(where: { $0.id == id }) else { continue }
                subscribers.references[index].hasMissed = isInBackground
            }
            return !isInBackground
        }
        guard isInForeground else { return }
        for callback in deliveries.flatMap(\.callbacks) { callback() }
    }

    private func welcome(_ subscriber: any HubSubscriber) {
        let callbacks = hub.withLock { subscriber.callbacksForReset(before: HubStateSummary($0), after: $0) }
        make([Delivery(subscriber: subscriber, callbacks: callbacks, isCatchUp: true)])
    }

    // MARK: Background and foreground

    /// Handles the app's move to the background or its return.
    private func setBackground(_ isInBackground: Bool) {
        let isNews = subscribers.withLock { subscribers in
            defer { subscribers.isInBackground = isInBackground }
            return subscribers.isInBackground != isInBackground
        }
        guard isNews else { return }
        if isInBackground {
            call(HubMethods.enterBackground, Empty()) { _ in }
        } else {
            call(HubMethods.enterForeground, Empty()) { [weak self] _ in self?.catchUp() }
        }
    }

    /// Calls the delegates for what they missed and the hub has not sent again.
    private func catchUp() {
        let missed = subscribers.withLock { subscribers in
            subscribers.isInBackground ? [] : Set(subscribers.references.filter(\.hasMissed).map(\.id))
        }
        let due = liveSubscribers.filter { missed.contains(ObjectIdentifier($0)) }
        make(
            hub.withLock { hub in
                due.map {
                    Delivery(subscriber: $0, callbacks: $0.callbacksForReturn(hub), isCatchUp: true)
                }
            }
        )
    }

    private func disconnected() {
        subscribers.withLock { $0.isLoaded = false }
        hub.withLock { hub in
            hub.clearDiscovered()
            hub.clearStandings()
        }
        make(liveSubscribers.map { Delivery(subscriber: $0, callbacks: $0.callbacksForLoss()) })
    }

    /// Shows all accessories as unreachable, because the hub is gone.
    private func markUnreachable(because failure: HubError) {
        let updates = read { hub in
            hub.reachability.values.filter(\.isReachable).map { update in
                let error = HubError(.noHub, failure.reason)
                return ReachabilityUpdate(home: update.home, accessory: update.accessory, because: error)
            }
        }
        if !updates.isEmpty { handle(.reachability(updates)) }
    }

    /// Discards the state, because the app is not allowed to use the homes.
    private func deny(_ error: HubError) {
        let subscribers = liveSubscribers
        make(
            hub.withLock { hub in
                let before = HubStateSummary(hub)
                hub = HubState()
                return subscribers.map {
                    Delivery(subscriber: $0, callbacks: $0.callbacks(forDenial: error, before: before))
                }
            }
        )
    }

    /// The existing subscribers, in the order in which they were added.
    var liveSubscribers: [any HubSubscriber] {
        subscribers.withLock { $0.references.compactMap(\.subscriber) }
    }
}
