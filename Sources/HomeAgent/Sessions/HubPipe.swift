import Foundation
import HubAPI

/// A session of a device with one hub. With the hub in reach it is a pipe: what the client says goes to the hub, and what the
/// hub says goes to the client, unchanged. Out of reach, it answers from the copy.
///
/// A pipe whose hub is lost ends. The client then connects again, as it would to a hub that restarts: it says what it has
/// seen, repeats its calls with their keys, and is served from the copy or by the hub. A session that is served from the copy
/// stays: when the hub is back, it gets what it missed.
struct HubPipe: SessionRouting {
    private enum Phase {
        case idle
        /// The hub that served is lost, and the other hub of the homes is being tried.
        case waiting
        /// The hello is on its way to the hub.
        case opening(Int)
        /// The session is the hub's.
        case near(Int)
        /// The session is served from the copy.
        case away
        /// The session is served from the copy until the hub has answered. The events are what the client missed.
        case returning(Int, [HubEvent])
        case over
    }

    /// The ID of the agent's own requests to the hub. No client's request is sent before they are answered.
    private static let ownRequest = Int.min

    /// How often a connection is opened, if the agent's own says that one of two hubs is there.
    private static let maximumFailures = 3

    private let hub: UUID
    private let client: SessionClient
    private var phase = Phase.idle
    private var lastConnection = 0
    /// Why no connection can be opened although the hub is there, if the hub or the relay has said so.
    private var refusal: HubError?
    /// How often a connection couldn't be opened although the hub was there.
    private var failures = 0
    /// Whether the connection is through the hub's relay.
    private var isRelayed = false
    /// The requests that the hub has not answered.
    private var unanswered: Set<Int> = []
    private var commands: SentCommands
    /// The hub's run, once it has answered the hello.
    private var run: UUID?
    /// Whether the session ends at the next pause, because the hub is nearer now.
    private var mustMove = false
    private var hasDelivered = false
    /// What the client has seen, while it is served from the copy.
    private var seen: LogCursors?
    private var isInBackground = false
    private var isPaused = false

    private(set) var isGreeted = false

    init(_ client: SessionClient, to hub: UUID) {
        self.client = client
        self.hub = hub
        commands = SentCommands(client.hello)
    }

    // MARK: Start

    mutating func start(_ view: SessionView) -> [SessionAction] {
        guard let hub = view.hub(hub) else { return [] }
        guard hub.isNear else { return hub.isChanging ? wait() : serveCopy(hub, view) }
        lastConnection += 1
        isRelayed = hub.isRelayed
        let former = client.hello.former.flatMap { upstream($0, view) }
        guard
            let hello = client.hello(
                client.request,
                seen: client.hello.seen,
                former: former,
                subscriptions: client.hello.subscriptions
            )
        else { return [] }
        phase = .opening(lastConnection)
        return [
            .open(lastConnection, hub: self.hub), .send(hello, on: lastConnection), .startTimeout(lastConnection),
        ]
    }

    /// Waits until the other hub of the homes serves, or the homes are out of reach.
    private mutating func wait() -> [SessionAction] {
        lastConnection += 1
        phase = .waiting
        return [.startTimeout(lastConnection)]
    }

    /// Returns the connection to the hub that did the work of a client's previous one; `nil` if there was none.
    private func upstream(_ previous: PreviousConnection, _ view: SessionView) -> PreviousConnection? {
        switch view.former(previous, hub) {
        case .unknown: previous
        case .known(let connection): connection
        case .none: nil
        }
    }

    /// Shows the homes from the copy.
    private mutating func serveCopy(_ hub: HubView, _ view: SessionView) -> [SessionAction] {
        let error = hub.error
        guard let snapshot = hub.copy.snapshot(for: client.hello.app, client.kind, because: error) else {
            phase = .over
            return [client.refusal(error)]
        }
        phase = .away
        isGreeted = true
        let event: HubEvent
        let cursors = LogCursors(snapshot)
        if let seen = client.hello.seen, seen.isUpToDate(with: cursors) {
            self.seen = seen
            event = .resumed(
                LiveSnapshot(values: snapshot.values, reachability: snapshot.reachability, runs: snapshot.runs)
            )
        } else {
            seen = cursors
            event = .reset(snapshot)
        }
        let welcome = Welcome(
            run: hub.copy.run ?? hub.id,
            client: client.session,
            keepsRequests: true,
            isAssistant: client.hello.isAssistant
        )
        return [.deliver(.event(.standing(hub.standing))), .deliver(.event(event)), client.reply(welcome, view)]
    }

    // MARK: The client

    mutating func receive(_ request: HubRequest, _ view: SessionView) -> [SessionAction] {
        switch request.method {
        case HubMethods.enterBackground.name: isInBackground = true
        case HubMethods.enterForeground.name: isInBackground = false
        default: break
        }
        switch phase {
        case .near(let connection):
            unanswered.insert(request.id)
            return commands.send(request, on: connection, to: hub, in: run, isRelayed: isRelayed, view)
        case .away, .returning:
            if let actions = commands.hold(request, for: hub, view) { return actions + [.suspect(hub)] }
            guard let error = refusal ?? view.hub(hub)?.error else { return [] }
            // Somebody wants the hub now, so it is tried before its turn.
            return [client.reply(toAway: request, error), .suspect(hub)] + catchUp(view)
        case .idle, .waiting, .opening, .over: return []
        }
    }

    mutating func setPaused(_ isPaused: Bool, _ view: SessionView) -> [SessionAction] {
        self.isPaused = isPaused
        if case .away = phase { return catchUp(view) }
        guard case .near(let connection) = phase, !isInBackground else { return [] }
        // The hub sends one reset in place of all that it withholds meanwhile.
        let method = isPaused ? HubMethods.enterBackground : HubMethods.enterForeground
        return [
            .send(HubRequest(id: Self.ownRequest, method: method.name, parameters: Data("{}".utf8)), on: connection)
        ]
    }

    // MARK: The hub

    mutating func received(_ message: HubMessage, on connection: Int, _ view: SessionView) -> [SessionAction] {
        switch phase {
        case .opening(connection): return opened(message, connection, view)
        case .near(connection):
            if case .reply(let id, _) = message {
                if id == Self.ownRequest { return [] }
                unanswered.remove(id)
                return commands.answer(id, message) + moveIfIdle(connection)
            }
            guard case .closed(let error) = message else { return [.deliver(message)] }
            if error.code == .deviceRemoved {
                // The agent is told so too, and ends the session once it has forgotten the hub.
                phase = .away
                return [.suspect(hub)]
            }
            return commands.lose(hub) + [.suspect(hub)] + end(error)
        case .returning(connection, let events): return returned(message, connection, events, view)
        case .idle, .waiting, .opening, .near, .away, .returning, .over: return []
        }
    }

    private mutating func opened(_ message: HubMessage, _ connection: Int, _ view: SessionView) -> [SessionAction] {
        switch message {
        case .event:
            hasDelivered = true
            return [.deliver(message)]
        case .reply(_, let reply):
            switch reply.result {
            case .success(let body):
                phase = .near(connection)
                isGreeted = true
                let welcome = try? MessageJSON.decode(Welcome.self, from: body)
                run = welcome?.run
                return [welcomed(reply, welcome, view)]
            case .failure:
                phase = .over
                return [.deliver(message), .close(connection)]
            }
        case .closed(let error):
            return [.suspect(hub)] + failedToOpen(error, view)
        }
    }

    /// Returns the hub's reply to the hello, to which the agent may have to add something.
    private func welcomed(_ reply: HubReply, _ welcome: Welcome?, _ view: SessionView) -> SessionAction {
        guard client.kind == .person, let welcome else { return .deliver(.reply(id: client.request, reply)) }
        return client.reply(welcome, view)
    }

    private mutating func failedToOpen(_ error: HubError, _ view: SessionView) -> [SessionAction] {
        guard !hasDelivered, var hub = view.hub(hub) else { return end(error) }
        if error.isSaid {
            refusal = error
            hub.problem = error
        }
        failures += 1
        if hub.isChanging || (hub.isOneOfTwo && hub.isNear && refusal == nil && failures < Self.maximumFailures) {
            return wait()
        }
        // The agent's own session has not noticed yet.
        hub.standing.state = .away
        return serveCopy(hub, view)
    }

    /// Ends the session if it must move and nothing is unanswered. The client connects again, says what it has seen, and is
    /// served on the near way.
    private mutating func moveIfIdle(_ connection: Int) -> [SessionAction] {
        guard mustMove, unanswered.isEmpty else { return [] }
        return [.close(connection)] + end(HubError(.connectionLost, "The hub is on this network now."))
    }

    mutating func timedOut(_ connection: Int, _ view: SessionView) -> [SessionAction] {
        switch phase {
        case .near(connection) where mustMove:
            // Its calls are asked for again with their keys.
            unanswered = []
            return commands.lose(hub) + moveIfIdle(connection)
        case .waiting where connection == lastConnection:
            guard let hub = view.hub(hub) else { return [] }
            return hub.isChanging ? wait() : serveCopy(hub, view)
        case .opening(connection) where !hasDelivered:
            let error = HubError(.connectionLost, "The hub doesn't answer.")
            return [.close(connection), .suspect(hub)] + failedToOpen(error, view)
        case .returning(connection, _):
            phase = .away
            return [.close(connection), .suspect(hub)] + catchUp(view)
        default:
            return []
        }
    }

    mutating func hubDidChange(_ hub: UUID, _ view: SessionView) -> [SessionAction] {
        guard hub == self.hub, let hub = view.hub(hub) else { return [] }
        switch (phase, hub.isNear) {
        case (.away, false):
            // What is said of the hub now is newer.
            refusal = nil
            return []
        case (.waiting, true): return start(view)
        case (.waiting, false): return hub.isChanging ? [] : serveCopy(hub, view)
        case (.away, true):
            return comeBack(hub, view)
        case (.near(let connection), true) where isRelayed && !hub.isRelayed:
            mustMove = true
            return moveIfIdle(connection) + (unanswered.isEmpty ? [] : [.startTimeout(connection)])
        case (.near(let connection), false):
            return commands.lose(hub.id) + [.close(connection)] + end(hub.error)
        case (.opening(let connection), false):
            return [.close(connection)] + failedToOpen(hub.error, view)
        case (.returning(let connection, _), false):
            phase = .away
            return [.close(connection)] + catchUp(view)
        default:
            return []
        }
    }

    // MARK: The feed

    mutating func hubTold(_ hub: UUID, _ news: FeedNews, _ view: SessionView) -> [SessionAction] {
        // While the hub is asked, it tells what is new itself.
        guard hub == self.hub, case .away = phase, !isInBackground, !isPaused, var seen, let hub = view.hub(hub) else {
            return []
        }
        // The new time of the homes is told once it is known, which is after what they are.
        guard !news.steps.isEmpty else { return [.deliver(.event(.standing(hub.standing)))] }
        let events = news.steps.flatMap { $0.events(for: client, &seen, because: hub.error) }
        self.seen = seen
        return events.map { .deliver(.event($0)) }
    }

    /// Shows what the copy has got while the client didn't hear of it, in one reset.
    private mutating func catchUp(_ view: SessionView) -> [SessionAction] {
        guard case .away = phase, !isInBackground, !isPaused, let seen, let hub = view.hub(hub),
            let snapshot = hub.copy.snapshot(for: client.hello.app, client.kind, because: hub.error)
        else { return [] }
        let cursors = LogCursors(snapshot)
        guard !seen.isUpToDate(with: cursors) else { return [] }
        self.seen = cursors
        return [.deliver(.event(.standing(hub.standing))), .deliver(.event(.reset(snapshot)))]
    }

    // MARK: The way back

    private mutating func comeBack(_ hub: HubView, _ view: SessionView) -> [SessionAction] {
        lastConnection += 1
        // Calls that have failed and that the hub carried out all the same are news to the client. Those that wait aren't.
        let former = commands.holds(for: self.hub) ? client.hello.former.flatMap { upstream($0, view) } : nil
        guard
            let hello = client.hello(
                Self.ownRequest,
                seen: seen,
                former: former,
                subscriptions: client.hello.subscriptions
            )
        else { return [] }
        phase = .returning(lastConnection, [])
        isRelayed = hub.isRelayed
        return [
            .open(lastConnection, hub: self.hub), .send(hello, on: lastConnection), .startTimeout(lastConnection),
        ]
    }

    private mutating func returned(
        _ message: HubMessage,
        _ connection: Int,
        _ events: [HubEvent],
        _ view: SessionView
    ) -> [SessionAction] {
        switch message {
        case .event(let event):
            phase = .returning(connection, events + [event])
            return []
        case .closed(let error):
            phase = .away
            refusal = error.isSaid ? error : nil
            return [.suspect(hub)] + catchUp(view)
        case .reply(_, let reply):
            guard case .success(let body) = reply.result,
                let welcome = try? MessageJSON.decode(Welcome.self, from: body), welcome.mismatch == nil,
                var standing = view.hub(hub)?.standing
            else {
                phase = .away
                return [.close(connection)] + catchUp(view)
            }
            phase = .near(connection)
            refusal = nil
            run = welcome.run
            standing.state = .near
            standing.asOf = nil
            standing.isSilent = nil
            var actions: [SessionAction] = []
            if let id = welcome.client {
                let upstream = PreviousConnection(run: welcome.run, client: id)
                actions.append(.remember(upstream, of: client.session, hub: hub))
            }
            // What the client missed comes first, as after a break of its own connection.
            let (missed, rest) = Self.split(events)
            actions += missed.map { .deliver(.event($0)) }
            actions.append(.deliver(.event(.standing(standing))))
            actions += rest.map { .deliver(.event($0)) }
            if isInBackground {
                let method = HubMethods.enterBackground.name
                actions.append(
                    .send(HubRequest(id: Self.ownRequest, method: method, parameters: Data("{}".utf8)), on: connection)
                )
            }
            let asked = commands.release(for: hub, on: connection, in: welcome.run, isRelayed: isRelayed, view)
            for case .send(let request, _) in asked { unanswered.insert(request.id) }
            return actions + asked
        }
    }

    /// Splits events before the reset or the resumption.
    private static func split(_ events: [HubEvent]) -> (missed: ArraySlice<HubEvent>, rest: ArraySlice<HubEvent>) {
        let index =
            events.firstIndex { event in
                switch event {
                case .reset, .resumed: true
                default: false
                }
            } ?? events.endIndex
        return (events[..<index], events[index...])
    }

    // MARK: The end

    mutating func hubIsGone(_ hub: UUID, homes: [UUID], _ view: SessionView) -> [SessionAction] {
        guard hub == self.hub else { return [] }
        var actions: [SessionAction] = []
        switch phase {
        case .opening(let connection), .near(let connection), .returning(let connection, _):
            actions.append(.close(connection))
        case .idle, .waiting, .away, .over: break
        }
        let standing = HubStanding(hub: hub, homes: homes, state: .gone, since: Date())
        actions.append(.deliver(.event(.standing(standing))))
        actions += homes.map { .deliver(.event(.homeGone($0))) }
        return actions + end(HubError(.connectionLost, "This device no longer belongs to the home."))
    }

    mutating func answerIsDue(_ key: UUID, _ view: SessionView) -> [SessionAction] {
        let actions = commands.answerIsDue(key)
        for case .deliver(.reply(let id, _)) in actions { unanswered.remove(id) }
        guard !actions.isEmpty, case .near(let connection) = phase else { return actions }
        return actions + moveIfIdle(connection)
    }

    mutating func choicesDidChange(by session: UUID, _ view: SessionView) -> [SessionAction] {
        // With one hub, its account passes unchanged.
        []
    }

    private mutating func end(_ error: HubError) -> [SessionAction] {
        phase = .over
        return [.end(HubError(.connectionLost, error.reason))]
    }
}
