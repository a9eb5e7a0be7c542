import Foundation
package import HubAPI
import Synchronization

/// A client's link to a hub: runs a ``LinkMachine`` over connections and timers.
///
/// Events, completions and reports run on the client's executor, in the hub's order. The link closes with its last
/// reference. A call in progress holds a reference.
package final class LinkDriver: Sendable {
    // This is a class because a connection has an identity and several threads share the calls in progress.

    /// The parameters of a link.
    package struct Configuration: Sendable {
        /// Creates a transport for each connection.
        package var transport: @Sendable () -> any HubTransport
        /// The times of retries; `nil` for a link that ends with its connection.
        package var retry: RetryPolicy?
        /// The timeouts of calls; `nil` for none.
        package var timeout: CallTimeout?
        /// Runs a closure where the client receives events, completions and reports: serially, in order.
        package var execute: @Sendable (@escaping @Sendable () -> Void) -> Void

        /// Creates the parameters of a link. By default, it ends with its connection and runs closures on the transport's
        /// thread.
        package init(
            transport: @escaping @Sendable () -> any HubTransport,
            retry: RetryPolicy? = nil,
            timeout: CallTimeout? = nil,
            execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
        ) {
            self.transport = transport
            self.retry = retry
            self.timeout = timeout
            self.execute = execute
        }
    }

    /// The client of a link. All closures but `greeting` and `log` run on the client's executor.
    package struct Client: Sendable {
        /// Creates the hello for a new connection.
        package var greeting: @Sendable (_ previous: PreviousConnection?) -> Greeting
        /// Receives each event.
        package var onEvent: @Sendable (HubEvent) -> Void
        /// Runs when the hub has accepted the client. Receives the hello that the hub replied to.
        package var onWelcome: @Sendable (Welcome, Hello) -> Void
        /// Runs when the hub doesn't let the client use the homes.
        package var onDenial: @Sendable (HubError) -> Void
        /// Runs when the connection has ended. `isGone` is `true` if a retry failed too.
        package var onLoss: @Sendable (HubError, _ isGone: Bool) -> Void
        /// Logs why there is no connection. Runs on any thread, only when the reason changes.
        package var log: @Sendable (HubError) -> Void

        /// Creates a client.
        package init(
            greeting: @escaping @Sendable (_ previous: PreviousConnection?) -> Greeting,
            onEvent: @escaping @Sendable (HubEvent) -> Void,
            onWelcome: @escaping @Sendable (Welcome, Hello) -> Void = { _, _ in },
            onDenial: @escaping @Sendable (HubError) -> Void = { _ in },
            onLoss: @escaping @Sendable (HubError, _ isGone: Bool) -> Void = { _, _ in },
            log: @escaping @Sendable (HubError) -> Void = { _ in }
        ) {
            self.greeting = greeting
            self.onEvent = onEvent
            self.onWelcome = onWelcome
            self.onDenial = onDenial
            self.onLoss = onLoss
            self.log = log
        }
    }

    /// The first messages on a connection.
    package struct Greeting: Sendable {
        /// The hello.
        package var hello: Hello
        /// Whether the client is in the background, so that events must pause.
        package var isInBackground: Bool

        /// Creates a greeting.
        package init(_ hello: Hello, isInBackground: Bool = false) {
            self.hello = hello
            self.isInBackground = isInBackground
        }
    }

    /// A call without its types.
    private struct Operation: Sendable {
        var method: String
        /// Makes the call on a connection with a number; `nil` if that connection is gone.
        var send: @Sendable (HubConnection?, Int) -> Void
        /// Ends the call.
        var fail: @Sendable (HubError) -> Void
    }

    private struct State {
        var machine: LinkMachine
        var client: Client?
        var operations: [LinkMachine.CallID: Operation] = [:]
        var connection: (number: Int, connection: HubConnection)?
        /// The hello of the last connection.
        var hello: Hello?
        /// The actions that have not run yet. One thread at a time runs them, so that they keep their order.
        var actions: ArraySlice<LinkMachine.Action> = []
        var isActing = false
        /// The tasks that wait for the hub's welcome.
        var waiting: [CheckedContinuation<Result<Welcome, HubError>, Never>] = []
    }

    private let configuration: Configuration
    private let state: Mutex<State>

    /// Creates a link that is not open.
    package init(_ configuration: Configuration) {
        self.configuration = configuration
        state = Mutex(State(machine: LinkMachine(reconnects: configuration.retry != nil)))
    }

    // MARK: The connection

    /// Connects for a client. Only the first call has an effect.
    package func open(as client: Client) {
        handle { state in
            state.client = state.client ?? client
            return state.machine.open()
        }
    }

    /// Connects for a client, and waits until the hub has accepted it. Call it once, in place of ``open(as:)``.
    ///
    /// - Throws: ``HubError`` with `noHub` if no hub responds, `versionMismatch` if the hub is too old or too new, or the
    ///   hub's error.
    package func connect(as client: Client) async throws(HubError) -> Welcome {
        let result = await withCheckedContinuation { continuation in
            handle { state in
                state.waiting.append(continuation)
                state.client = client
                return state.machine.open()
            }
        }
        return try result.get()
    }

    /// Ends the link for good. Calls in progress fail.
    package func close() {
        handle { $0.machine.close() }
    }

    // MARK: Calls

    /// Calls a method. `completion` runs once, on the client's executor, after everything that the hub sent before.
    ///
    /// It receives the reply, or an error if there is no connection, if the connection ended and the call could not be
    /// retried on the next one, or after the timeout. Right after the end of a connection, a call waits for the first
    /// retry, and fails if that fails.
    package func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters,
        completion: @escaping @Sendable (Swift.Result<Result, HubError>) -> Void
    ) {
        let traits = LinkMachine.CallTraits(method)
        let execute = configuration.execute
        let call: EncodedCall<Parameters, Result>
        do throws(HubError) {
            // Only a call that can be retried needs a key, and a call that changes nothing doesn't.
            let isKeyed = configuration.retry != nil && !traits.isReading
            call = try EncodedCall(method, parameters, key: isKeyed ? UUID() : nil)
        } catch {
            return execute { completion(.failure(error)) }
        }
        handle { state in
            let (id, actions) = state.machine.call(traits)
            state.operations[id] = Operation(
                method: method.name,
                send: { [self] connection, number in
                    guard let connection else {
                        return receive(.failure(Self.lost), to: id, on: number, completion)
                    }
                    connection.call(call) { [self] in receive($0, to: id, on: number, completion) }
                },
                fail: { error in execute { completion(.failure(error)) } }
            )
            return actions
        }
    }

    /// Calls a method and waits for its reply.
    package func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async throws(HubError) -> Result {
        let reply = await withCheckedContinuation { continuation in
            call(method, parameters) { continuation.resume(returning: $0) }
        }
        return try reply.get()
    }

    /// Handles a reply immediately, on the transport's thread, so that it keeps its place among the events.
    private func receive<Result: Sendable>(
        _ reply: Swift.Result<Result, HubError>,
        to id: LinkMachine.CallID,
        on connection: Int,
        _ completion: @escaping @Sendable (Swift.Result<Result, HubError>) -> Void
    ) {
        var error: HubError?
        if case .failure(let failure) = reply { error = failure }
        let outcome = state.withLock { state in
            let outcome = state.machine.replied(id, on: connection, error)
            if case .complete = outcome { state.operations[id] = nil }
            return outcome
        }
        switch outcome {
        case .complete(let error):
            let reply = error.map { Swift.Result.failure($0) } ?? reply
            configuration.execute { completion(reply) }
        case .retry(let actions):
            handle { _ in actions }
        case .wait, .ignore:
            break
        }
    }

    private static let lost = HubError(.connectionLost, "The connection to the hub has ended.")

    // MARK: Actions

    /// Handles an event, and runs the resulting actions after those of earlier events.
    private func handle(_ event: (inout State) -> [LinkMachine.Action]) {
        let isFirst = state.withLock { state in
            state.actions += event(&state)
            defer { state.isActing = true }
            return !state.isActing
        }
        guard isFirst else { return }
        while let action = nextAction() { perform(action) }
    }

    private func nextAction() -> LinkMachine.Action? {
        state.withLock { state in
            let action = state.actions.popFirst()
            state.isActing = action != nil
            return action
        }
    }

    private func perform(_ action: LinkMachine.Action) {
        switch action {
        case .connect(let number):
            connect(number)
        case .greet(let number, let previous):
            greet(number, previous)
        case .send(let id, let number):
            let (operation, connection) = state.withLock { ($0.operations[id], $0.connection) }
            operation?.send(connection?.number == number ? connection?.connection : nil, number)
        case .fail(let id, let error):
            state.withLock { $0.operations.removeValue(forKey: id) }?.fail(error)
        case .startTimeout(let id, let timeout):
            startTimeout(of: id, timeout)
        case .reportWelcome(let welcome):
            let hello = state.withLock { $0.hello }
            if let hello { report { $0.onWelcome(welcome, hello) } }
            resumeWaiting(.success(welcome))
        case .reportDenial(let error):
            report { $0.onDenial(error) }
        case .reportLoss(let error, let isGone):
            report { $0.onLoss(error, isGone) }
            resumeWaiting(.failure(error))
        case .log(let error):
            currentClient?.log(error)
        case .close(let number):
            let connection = state.withLock { $0.connection }
            if let connection, connection.number == number { connection.connection.close() }
        case .scheduleRetry(let failures):
            guard let retry = configuration.retry else { return }
            retry.wait(retry.delay(failures)) { [weak self] in self?.handle { $0.machine.retryIsDue() } }
        }
    }

    private func connect(_ number: Int) {
        let connection = HubConnection(
            over: configuration.transport(),
            onEvent: { [weak self, configuration] event in
                configuration.execute { [weak self] in self?.receive(event) }
            },
            onClose: { [weak self] error in self?.handle { $0.machine.ended(number, error) } }
        )
        let previous = state.withLock { state in
            defer { state.connection = (number, connection) }
            return state.connection
        }
        // The first connection has no previous one, and says hello immediately.
        guard previous != nil else { return }
        configuration.execute { [weak self] in self?.handle { $0.machine.drained(number) } }
    }

    private func greet(_ number: Int, _ previous: PreviousConnection?) {
        guard let connection = state.withLock({ $0.connection }), connection.number == number,
            let client = currentClient
        else { return }
        let greeting = client.greeting(previous)
        state.withLock { $0.hello = greeting.hello }
        connection.connection.call(HubMethods.hello, greeting.hello) { [weak self] reply in
            self?.handle { state in
                switch reply {
                case .success(let welcome): state.machine.welcomed(number, welcome)
                case .failure(let error): state.machine.refused(number, error)
                }
            }
        }
        if greeting.isInBackground { connection.connection.call(HubMethods.enterBackground, Empty()) { _ in } }
    }

    private func receive(_ event: HubEvent) {
        switch event {
        case .reset, .resumed: state.withLock { $0.machine.loaded() }
        default: break
        }
        currentClient?.onEvent(event)
    }

    private var currentClient: Client? { state.withLock { $0.client } }

    private func report(_ body: @escaping @Sendable (Client) -> Void) {
        guard let client = currentClient else { return }
        configuration.execute { body(client) }
    }

    private func startTimeout(of id: LinkMachine.CallID, _ timeout: LinkMachine.Timeout) {
        guard let limits = configuration.timeout, let method = state.withLock({ $0.operations[id]?.method }) else {
            return
        }
        let duration = timeout == .greeting ? limits.greeting : limits.duration(of: method)
        guard let duration else { return }
        limits.wait(duration) { [weak self] in self?.handle { $0.machine.timedOut(id, after: duration) } }
    }

    private func resumeWaiting(_ result: Result<Welcome, HubError>) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: result) }
    }
}

extension LinkMachine.CallTraits {
    /// Methods that change nothing but the events of their connection.
    private static let readingMethods: Set<String> = [
        HubMethods.read.name, HubMethods.questions.name, HubMethods.notify.name,
    ]

    /// Methods about the connection itself. The client repeats them on the next connection if they still apply.
    private static let connectionMethods: Set<String> = [
        HubMethods.enterBackground.name, HubMethods.enterForeground.name, HubMethods.startBrowsing.name,
        HubMethods.stopBrowsing.name,
    ]

    /// Returns the traits of a method's calls.
    fileprivate init<Parameters, Result>(_ method: Method<Parameters, Result>) {
        self.init(
            isReading: Self.readingMethods.contains(method.name),
            isDurable: method.isDurable,
            isAboutConnection: Self.connectionMethods.contains(method.name)
        )
    }
}
