import Dispatch
import Foundation
import HomeModel
import HubAPI
import Synchronization

/// An app's connection to its hub, and what the hub has told.
///
/// Events and replies are taken on the app's queue in the hub's order: the state advances, then the callbacks of that
/// event run, then those of the next. When the connection fails it is made again, after a while, for as long as anyone
/// holds the link.
final class HubLink: Sendable {
    // A class, because managers and browsers share it.

    private struct Connection {
        /// Numbers the tries; news of an older one is ignored.
        var attempt = 0
        var endedAttempt = 0
        var current: HubConnection?
        var failures = 0
        /// Why there is no connection.
        var failure = HubError(.noHub, "The connection to the hub is not open yet.")
        /// The last try that the hub refused, and what it said.
        var refusal: (attempt: Int, error: HubError)?
        /// The last try at which the hub answered the greeting, and which of the hub's starts that was.
        var welcomedAttempt = 0
        var run: UUID?
        /// Whether that hub's later starts know its requests.
        var keepsRequests = false
        /// That try's connection, as the hub names it.
        var former: PreviousConnection?
        /// Calls whose time limit begins when the hub answers the greeting.
        var unlimited: [(number: Int, method: String)] = []
        /// What the log was told last; nil while all is well.
        var reported: HubError.Code?

        /// The last try that ended after the hub had answered it; nil once a retry has failed.
        var lostAttempt: Int?

        /// The try that ended and left a gap, in which calls wait: there is no connection yet, and no retry has failed.
        var gap: Int? { current == nil ? lostAttempt : nil }

        /// Why something failed on a try: that the hub had refused it, where that is the reason.
        func reason(for error: HubError, on attempt: Int) -> HubError {
            guard let refusal, refusal.attempt == attempt, [.connectionLost, .notGreeted].contains(error.code)
            else { return error }
            return refusal.error
        }
    }

    private struct Subscribers {
        struct Reference {
            let id: ObjectIdentifier
            weak var subscriber: (any HubSubscriber)?
            /// Whether callbacks were dropped because the app was in the background.
            var hasMissed = false

            init(_ subscriber: any HubSubscriber) {
                id = ObjectIdentifier(subscriber)
                self.subscriber = subscriber
            }
        }

        var references: [Reference] = []
        /// Whether the hub has told its state on the present connection.
        var isLoaded = false
        /// Whether the app is in front of nobody: its delegates hear nothing.
        var isInBackground = false
    }

    /// What one subscriber has to call.
    private struct Delivery {
        var subscriber: any HubSubscriber
        var callbacks: [Callback]
        /// Whether the callbacks stand for all that was dropped before.
        var isCatchUp = false
    }

    /// Where completions and delegates are called.
    let queue: DispatchQueue
    private let environment: HomeKitEnvironment
    private let connection = Mutex(Connection())
    private let hub = Mutex(HubState())
    private let subscribers = Mutex(Subscribers())
    private let calls = PendingCalls()
    private let reads = ReadBatches()
    private let lifecycle = Mutex<AppLifecycle?>(nil)

    init(environment: HomeKitEnvironment) {
        self.environment = environment
        queue = environment.queue
        let follower = AppLifecycle(environment.notifications) { [weak self] in self?.setBackground($0) }
        lifecycle.withLock { $0 = follower }
    }

    // MARK: What is known

    /// Reads what the hub has told. `body` must not call back into the link.
    func read<Result: Sendable>(_ body: (HubState) -> Result) -> Result {
        hub.withLock { body($0) }
    }

    /// Whether a subscriber other than this one fulfils a condition.
    func others(than subscriber: any HubSubscriber, contain condition: (any HubSubscriber) -> Bool) -> Bool {
        liveSubscribers.contains { $0 !== subscriber && condition($0) }
    }

    /// Adds a subscriber, which hears of everything from now on, and opens the connection if it is the first.
    func add(_ subscriber: any HubSubscriber) {
        queue.async { [weak self, weak subscriber] in
            guard let self, let subscriber else { return }
            // Those that live are held meanwhile: the last reference to one must not go while the lock is held.
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

    /// Opens the connection if that was not done yet.
    func open() {
        if connection.withLock({ $0.attempt == 0 }) { connect() }
    }

    // MARK: Calls

    /// Calls a method of the hub. `completion` runs once, on the queue, after everything that the hub told before: with
    /// the reply, or with an error if there is no connection, if it ended and the call could not be made again on the next
    /// one, or when the environment's ``CallTimeout`` is over.
    ///
    /// Just after the end of a connection the call waits for the first retry, and fails if that fails.
    func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters,
        completion: @escaping @Sendable (Swift.Result<Result, HubError>) -> Void
    ) {
        // What the app asked for first is asked of the hub first.
        sendReads()
        send(method, parameters, completion: completion)
    }

    private func send<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters,
        completion: @escaping @Sendable (Swift.Result<Result, HubError>) -> Void
    ) {
        let (current, attempt, failure, gap) = connection.withLock { ($0.current, $0.attempt, $0.failure, $0.gap) }
        let mayRepeat = !Self.connectionMethods.contains(method.name)
        guard current != nil || gap != nil && mayRepeat else {
            queue.async { completion(.failure(failure)) }
            return
        }
        let isReading = Self.readingMethods.contains(method.name)
        let call: EncodedCall<Parameters, Result>
        do throws(HubError) {
            // The reply to a reading on a former connection is of no use on the next one.
            call = try EncodedCall(method, parameters, key: isReading ? nil : UUID())
        } catch {
            queue.async { completion(.failure(error)) }
            return
        }
        let number = calls.number()
        // The link is held until the reply is there: its end would be the connection's, and the reply lost.
        let reply: @Sendable (Swift.Result<Result, HubError>, Int) -> Void = { [self] reply, attempt in
            let reply = reply.mapError { error in connection.withLock { $0.reason(for: error, on: attempt) } }
            if case .failure(let error) = reply, error.code == .connectionLost, mayRepeat,
                calls.hold(number, after: attempt)
            {
                return
            }
            guard calls.end(number) != nil else { return }
            queue.async { completion(reply) }
        }
        let pending = PendingCalls.Call(
            isReading: isReading,
            isDurable: method.isDurable,
            send: { connection, attempt in connection.call(call) { reply($0, attempt) } },
            fail: { [self] error in queue.async { completion(.failure(error)) } }
        )
        limit(number, method.name)
        if let current {
            if calls.add(number, pending) { pending.send(current, attempt) }
        } else if let gap {
            calls.wait(number, pending, since: gap)
        }
    }

    /// Methods that change nothing but what their connection hears.
    private static let readingMethods: Set<String> = [
        HubMethods.read.name, HubMethods.questions.name, HubMethods.notify.name,
    ]

    /// Methods about the connection itself: what is to hold on the next one is said anew there.
    private static let connectionMethods: Set<String> = [
        HubMethods.enterBackground.name, HubMethods.enterForeground.name, HubMethods.startBrowsing.name,
        HubMethods.stopBrowsing.name,
    ]

    /// Ends a call in time.
    private func limit(_ number: Int, _ method: String) {
        let isWelcomed = connection.withLock { connection in
            let isWelcomed = connection.welcomedAttempt == connection.attempt
            if !isWelcomed { connection.unlimited.append((number, method)) }
            return isWelcomed
        }
        let limit = environment.callLimit
        end(number, after: isWelcomed ? limit.duration(of: method) : limit.greeting)
    }

    private func end(_ number: Int, after duration: Duration?) {
        guard let duration else { return }
        environment.callLimit.wait(duration) { [weak calls] in
            let seconds = duration.components.seconds
            let reason = "The hub has not answered for \(seconds) seconds. Whether it was done is not known."
            calls?.end(number)?.fail(HubError(.timedOut, reason))
        }
    }

    /// Reads a characteristic. What is read in one turn of the queue, or until something else is called, goes to the hub
    /// together. The value is known when `completion` runs.
    func read(
        _ characteristic: CharacteristicReference,
        of target: ReadBatches.Target,
        completion: @escaping ReadBatches.Completion
    ) {
        if reads.add(characteristic, of: target, completion) { queue.async { [self] in sendReads() } }
    }

    private func sendReads() {
        for batch in reads.take() {
            let home = batch.target.home
            let parameters = ReadCharacteristics(home: home, characteristics: batch.characteristics)
            send(HubMethods.read, parameters) { [self] reply in
                if case .success(let results) = reply { hub.withLock { $0.apply(results, in: home) } }
                batch.complete(reply)
            }
        }
    }

    /// Calls a method about characteristics. The values in the reply are known when `completion` runs.
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

    // MARK: The connection

    private func connect() {
        let attempt = connection.withLock { connection in
            connection.attempt += 1
            return connection.attempt
        }
        let queue = queue
        let opened = HubConnection(
            over: environment.transport(),
            onEvent: { [weak self] event in queue.async { [weak self] in self?.take(event) } },
            onClose: { [weak self] error in self?.ended(attempt, with: error) }
        )
        if attempt == 1 {
            greet(attempt, opened)
        } else {
            // Once all that the former connection told has been taken in.
            queue.async { [weak self] in self?.greet(attempt, opened) }
        }
    }

    /// Says hello on a new connection; calls go there from then on.
    private func greet(_ attempt: Int, _ opened: HubConnection) {
        let subscriptions = subscriptions
        let isListed = !subscriptions.isEmpty && subscriptions.count <= HubProtocol.subscriptionsPerConnection
        let hello = Hello(
            app: environment.app,
            purpose: environment.purpose,
            seen: hub.withLock { $0.seen },
            // What the calls did that are made again here, their completions tell.
            former: calls.haveLost ? connection.withLock { $0.former } : nil,
            subscriptions: isListed ? subscriptions : nil
        )
        opened.call(HubMethods.hello, hello) { [weak self] reply in
            guard let self else { return }
            switch reply {
            case .success(let welcome):
                if let mismatch = welcome.mismatch {
                    refused(attempt, with: mismatch, opened)
                } else {
                    welcomed(attempt, welcome, opened)
                    guard !isListed || welcome.version < HubProtocol.versionWithSubscriptions else { return }
                    queue.async { [weak self] in self?.renew(subscriptions) }
                }
            case .failure(let error): refused(attempt, with: error, opened)
            }
        }
        if subscribers.withLock({ $0.isInBackground }) {
            opened.call(HubMethods.enterBackground, Empty()) { _ in }
        }
        connection.withLock { connection in
            if attempt == connection.attempt, connection.endedAttempt < attempt { connection.current = opened }
        }
    }

    /// Makes the calls that the end of the former connection left without a reply.
    private func welcomed(_ attempt: Int, _ welcome: Welcome, _ opened: HubConnection) {
        let (memory, begun) = connection.withLock { connection in
            defer {
                connection.run = welcome.run
                connection.keepsRequests = welcome.keepsRequests == true
                connection.former = welcome.client.map { PreviousConnection(run: welcome.run, client: $0) }
                connection.unlimited = []
            }
            connection.welcomedAttempt = attempt
            // One that did not keep them when they were made has nothing to know them by.
            let hasKept = connection.keepsRequests && welcome.keepsRequests == true
            let memory = connection.run == welcome.run ? HubMemory.everything : hasKept ? .durable : .nothing
            return (memory, connection.unlimited)
        }
        for call in begun { end(call.number, after: environment.callLimit.duration(of: call.method)) }
        calls.release(to: opened, attempt, memory)
    }

    private func refused(_ attempt: Int, with error: HubError, _ opened: HubConnection) {
        let isNews = connection.withLock { connection in
            guard attempt == connection.attempt, connection.endedAttempt < attempt else { return false }
            connection.refusal = (attempt, error)
            return true
        }
        guard isNews else { return }
        if error.code == .appNotAllowed || error.code == .purposeMissing {
            queue.async { [weak self] in self?.deny(error) }
        }
        opened.close()
    }

    private func ended(_ attempt: Int, with error: HubError) {
        let retry = environment.retry
        let next = connection.withLock { connection -> Ending? in
            guard attempt == connection.attempt, connection.endedAttempt < attempt else { return nil }
            connection.endedAttempt = attempt
            connection.current = nil
            connection.lostAttempt = connection.welcomedAttempt == attempt ? attempt : nil
            connection.unlimited = []
            connection.failure = connection.reason(for: error, on: attempt)
            let isNews = connection.reported != connection.failure.code
            connection.reported = connection.failure.code
            defer { connection.failures += 1 }
            return Ending(
                delay: retry.delay(connection.failures),
                failure: connection.failure,
                isNews: isNews,
                wasWelcomed: connection.welcomedAttempt == attempt,
                isFailedRetry: connection.welcomedAttempt != attempt && connection.failures > 0
            )
        }
        guard let next else { return }
        // The calls that this connection leaves have another chance on the next one; those that waited for this one had it.
        if !next.wasWelcomed { calls.failHeld(attempt, because: next.failure) }
        if next.isNews {
            let failure = next.failure
            environment.log("\(failure.reason) (\(failure.code.rawValue)) Trying again until it works.")
        }
        queue.async { [weak self] in
            self?.lose()
            if next.isFailedRetry { self?.markUnreachable(because: next.failure) }
        }
        retry.wait(next.delay) { [weak self] in self?.connect() }
    }

    /// How a try ended, and what follows from it.
    private struct Ending {
        var delay: Duration
        var failure: HubError
        /// Whether the log was not told of it yet.
        var isNews: Bool
        var wasWelcomed: Bool
        /// Whether it was not the first try in a row that failed, so that the hub is gone and not just restarting.
        var isFailedRetry: Bool
    }

    // MARK: On the queue

    /// Takes in what the hub told by an event or in place of one, and calls back. Call it on the queue.
    func take(_ event: HubEvent) {
        let isReset = if case .reset = event { true } else { false }
        let isResumption = if case .resumed = event { true } else { false }
        if isReset || isResumption {
            connection.withLock { connection in
                connection.failures = 0
                connection.reported = nil
            }
        }
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

    /// Calls back, unless the app is in the background and is to hear all at once when it returns.
    private func make(_ deliveries: [Delivery]) {
        let isHeard = subscribers.withLock { subscribers in
            let isInBackground = subscribers.isInBackground
            for delivery in deliveries where isInBackground ? !delivery.callbacks.isEmpty : delivery.isCatchUp {
                let id = ObjectIdentifier(delivery.subscriber)
                guard let index = subscribers.references.firstIndex(where: { $0.id == id }) else { continue }
                subscribers.references[index].hasMissed = isInBackground
            }
            return !isInBackground
        }
        guard isHeard else { return }
        for callback in deliveries.flatMap(\.callbacks) { callback() }
    }

    private func welcome(_ subscriber: any HubSubscriber) {
        let callbacks = hub.withLock { subscriber.callbacksForReset(before: HubStateSummary($0), after: $0) }
        make([Delivery(subscriber: subscriber, callbacks: callbacks, isCatchUp: true)])
    }

    // MARK: Background and foreground

    /// Notes that the app goes to the background or comes back.
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

    /// Tells the delegates, in one, what they have not heard and the hub has not told again.
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

    private func lose() {
        subscribers.withLock { $0.isLoaded = false }
        hub.withLock { $0.clearDiscovered() }
        make(liveSubscribers.map { Delivery(subscriber: $0, callbacks: $0.callbacksForLoss()) })
    }

    /// Shows all accessories as unreachable: the hub is gone.
    private func markUnreachable(because failure: HubError) {
        let updates = read { hub in
            hub.reachability.values.filter(\.isReachable).map { update in
                let error = HubError(.noHub, failure.reason)
                return ReachabilityUpdate(home: update.home, accessory: update.accessory, because: error)
            }
        }
        if !updates.isEmpty { take(.reachability(updates)) }
    }

    /// Forgets everything: the app may not use the homes.
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

    /// The subscribers that still exist, in the order in which they were added.
    var liveSubscribers: [any HubSubscriber] {
        subscribers.withLock { $0.references.compactMap(\.subscriber) }
    }
}
