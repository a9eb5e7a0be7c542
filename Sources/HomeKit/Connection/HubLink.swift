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
        /// That try's connection, as the hub names it.
        var former: FormerConnection?
        /// Calls whose time limit begins when the hub answers the greeting.
        var unlimited: [(number: Int, method: String)] = []
        /// What the log was told last; nil while all is well.
        var reported: HubError.Code?

        /// Why something failed on a try: that the hub had refused it, where that is the reason.
        func reason(for error: HubError, on attempt: Int) -> HubError {
            guard let refusal, refusal.attempt == attempt, [.connectionLost, .notGreeted].contains(error.code)
            else { return error }
            return refusal.error
        }
    }

    private struct Subscribers {
        struct Reference {
            weak var subscriber: (any HubSubscriber)?
        }

        var references: [Reference] = []
        /// Whether the hub has told its state on the present connection.
        var isLoaded = false
        /// Whether the app is in front of nobody: its delegates hear nothing.
        var isInBackground = false
        /// Whether a delegate has not heard of something for that reason.
        var hasMissed = false
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
        liveSubscribers().contains { $0 !== subscriber && condition($0) }
    }

    /// Adds a subscriber, which hears of everything from now on, and opens the connection if it is the first.
    func add(_ subscriber: any HubSubscriber) {
        queue.async { [weak self, weak subscriber] in
            guard let self, let subscriber else { return }
            // Those that live are held meanwhile: the last reference to one must not go while the lock is held.
            let others = liveSubscribers()
            let isLoaded = subscribers.withLock { subscribers in
                subscribers.references = (others + [subscriber]).map { Subscribers.Reference(subscriber: $0) }
                return subscribers.isLoaded
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
    /// one, or when the environment's ``CallLimit`` is over.
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
        let (current, attempt, failure) = connection.withLock { ($0.current, $0.attempt, $0.failure) }
        guard let current else {
            queue.async { completion(.failure(failure)) }
            return
        }
        let call: PreparedCall<Parameters, Result>
        do throws(HubError) {
            call = try PreparedCall(method, parameters, key: UUID())
        } catch {
            queue.async { completion(.failure(error)) }
            return
        }
        let number = calls.number()
        let mayRepeat = !Self.connectionMethods.contains(method.name)
        // The link is held until the reply is there: its end would be the connection's, and the reply lost.
        let reply: @Sendable (Swift.Result<Result, HubError>) -> Void = { [self] reply in
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
            isReading: Self.readingMethods.contains(method.name),
            send: { $0.call(call, completion: reply) },
            fail: { [self] error in queue.async { completion(.failure(error)) } }
        )
        limit(number, method.name)
        if calls.add(number, pending) { pending.send(current) }
    }

    /// Methods that change nothing.
    private static let readingMethods: Set<String> = [HubMethods.read.name, HubMethods.questions.name]

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
        let hello = Hello(
            app: environment.app,
            purpose: environment.purpose,
            seen: hub.withLock { $0.seen },
            // What the calls did that are made again here, their completions tell.
            former: calls.haveLost ? connection.withLock { $0.former } : nil
        )
        opened.call(HubMethods.hello, hello) { [weak self] reply in
            switch reply {
            case .success(let welcome):
                if let mismatch = welcome.mismatch {
                    self?.refused(attempt, with: mismatch, opened)
                } else {
                    self?.welcomed(attempt, welcome, opened)
                }
            case .failure(let error): self?.refused(attempt, with: error, opened)
            }
        }
        if subscribers.withLock({ $0.isInBackground }) {
            opened.call(HubMethods.enterBackground, Done()) { _ in }
        }
        connection.withLock { connection in
            if attempt == connection.attempt, connection.endedAttempt < attempt { connection.current = opened }
        }
    }

    /// Makes the calls that the end of the former connection left without a reply.
    private func welcomed(_ attempt: Int, _ welcome: Welcome, _ opened: HubConnection) {
        let (isSameRun, begun) = connection.withLock { connection in
            defer {
                connection.run = welcome.run
                connection.former = welcome.client.map { FormerConnection(run: welcome.run, client: $0) }
                connection.unlimited = []
            }
            connection.welcomedAttempt = attempt
            return (connection.run == welcome.run, connection.unlimited)
        }
        for call in begun { end(call.number, after: environment.callLimit.duration(of: call.method)) }
        calls.release(to: opened, attempt, isSameRun: isSameRun)
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
        let next = connection.withLock { connection -> (delay: Duration, report: HubError?, wasWelcomed: Bool)? in
            guard attempt == connection.attempt, connection.endedAttempt < attempt else { return nil }
            connection.endedAttempt = attempt
            connection.current = nil
            connection.unlimited = []
            connection.failure = connection.reason(for: error, on: attempt)
            let isNews = connection.reported != connection.failure.code
            connection.reported = connection.failure.code
            defer { connection.failures += 1 }
            let report = isNews ? connection.failure : nil
            return (retry.delay(connection.failures), report, connection.welcomedAttempt == attempt)
        }
        guard let next else { return }
        // The calls that this connection leaves have another chance on the next one; those that waited for this one had it.
        if !next.wasWelcomed { calls.failHeld() }
        if let report = next.report {
            environment.log("\(report.reason) (\(report.code.rawValue)) Trying again until it works.")
        }
        queue.async { [weak self] in self?.lose() }
        retry.wait(next.delay) { [weak self] in self?.connect() }
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
        let isAnew = subscribers.withLock { subscribers in
            if isReset || isResumption { subscribers.isLoaded = true }
            return isReset || isResumption && subscribers.hasMissed
        }
        let subscribers = liveSubscribers()
        let callbacks = hub.withLock { hub in
            let before = HubMoment(hub)
            let news = hub.news(in: event)
            hub.apply(event)
            return subscribers.flatMap { subscriber in
                isAnew
                    ? subscriber.callbacksForReset(before: before, after: hub)
                    : subscriber.callbacks(for: news, before: before, after: hub)
            }
        }
        make(callbacks, areAllNews: isAnew)
    }

    /// Calls back, unless the app is in the background and is to hear all at once when it returns.
    private func make(_ callbacks: [Callback], areAllNews: Bool = false) {
        let isHeard = subscribers.withLock { subscribers in
            if subscribers.isInBackground {
                subscribers.hasMissed = subscribers.hasMissed || !callbacks.isEmpty
            } else if areAllNews {
                subscribers.hasMissed = false
            }
            return !subscribers.isInBackground
        }
        guard isHeard else { return }
        for callback in callbacks { callback() }
    }

    private func welcome(_ subscriber: any HubSubscriber) {
        make(hub.withLock { subscriber.callbacksForReset(before: HubMoment($0), after: $0) })
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
            call(HubMethods.enterBackground, Done()) { _ in }
        } else {
            call(HubMethods.enterForeground, Done()) { [weak self] _ in self?.catchUp() }
        }
    }

    /// Tells the delegates, in one, what they have not heard and the hub has not told again.
    private func catchUp() {
        let (isDue, isLoaded) = subscribers.withLock { ($0.hasMissed && !$0.isInBackground, $0.isLoaded) }
        guard isDue, isLoaded else { return }
        let subscribers = liveSubscribers()
        let callbacks = hub.withLock { hub in
            subscribers.flatMap { $0.callbacksForReset(before: HubMoment(hub), after: hub) }
        }
        make(callbacks, areAllNews: true)
    }

    private func lose() {
        subscribers.withLock { $0.isLoaded = false }
        hub.withLock { $0.clearDiscovered() }
        callBack { $0.callbacksForLoss() }
    }

    /// Forgets everything: the app may not use the homes.
    private func deny(_ error: HubError) {
        let subscribers = liveSubscribers()
        make(
            hub.withLock { hub in
                let before = HubMoment(hub)
                hub = HubState()
                return subscribers.flatMap { $0.callbacks(forDenial: error, before: before) }
            }
        )
    }

    private func callBack(_ callbacks: (any HubSubscriber) -> [Callback]) {
        make(liveSubscribers().flatMap(callbacks))
    }

    private func liveSubscribers() -> [any HubSubscriber] {
        subscribers.withLock { $0.references.compactMap(\.subscriber) }
    }
}

extension HubState {
    /// An event without what is known already: what a client missed while it was away is little of all that there is.
    fileprivate func news(in event: HubEvent) -> HubEvent {
        guard case .resumed(var present) = event else { return event }
        present.values.remove(known: values)
        return .resumed(present)
    }
}
