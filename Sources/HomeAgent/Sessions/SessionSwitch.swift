import Foundation
import HubAPI

/// A session of an app or a command at an agent, from its hello on. It is a value without I/O: an ``AgentSession`` runs it.
struct SessionSwitch: Sendable {
    private enum Phase {
        case fresh
        /// The app's admission is being decided.
        case admitting(SessionClient)
        /// The client was admitted; the hello isn't answered yet.
        case starting
        case greeted
        case over
    }

    /// The methods that the agent serves itself: consent is asked where the app runs.
    private static let ownMethods: Set<String> = [
        HubMethods.apps.name, HubMethods.allowApp.name, HubMethods.denyApp.name, HubMethods.forgetApp.name,
        HubMethods.openAppSocket.name, HubMethods.closeAppSocket.name,
        AgentMethods.hubs.name, AgentMethods.join.name, AgentMethods.leave.name,
    ]

    private let id: UUID
    private var phase = Phase.fresh
    private var routing: (any SessionRouting)?
    /// The requests that follow the hello until it is answered.
    private var held: [HubRequest] = []
    private var heldBytes = 0

    /// The client's introduction, once it was admitted.
    private(set) var hello: Hello?

    init(id: UUID) {
        self.id = id
    }

    // MARK: The client

    mutating func receive(_ request: HubRequest, _ view: SessionView) -> [SessionAction] {
        switch phase {
        case .fresh:
            return greet(request)
        case .admitting, .starting:
            guard held.count < HeldLimits.requests, heldBytes + request.size <= HeldLimits.bytes else {
                return [.deliver(.reply(id: request.id, .failure(HeldLimits.error)))]
            }
            held.append(request)
            heldBytes += request.size
            return []
        case .greeted:
            if request.method == HubMethods.hello.name {
                let reason = "This connection has already called \(HubMethods.hello.name)."
                return [.deliver(.reply(id: request.id, .failure(HubError(.malformedMessage, reason))))]
            }
            if Self.ownMethods.contains(request.method), hello?.isAssistant != true { return [.serve(request)] }
            return routing?.receive(request, view) ?? []
        case .over:
            return []
        }
    }

    private mutating func greet(_ request: HubRequest) -> [SessionAction] {
        func refuse(_ error: HubError) -> [SessionAction] {
            [.deliver(.reply(id: request.id, .failure(error)))]
        }
        guard request.method == HubMethods.hello.name else {
            return refuse(HubError(.notGreeted, "Call \(HubMethods.hello.name) first."))
        }
        let hello: Hello
        do {
            hello = try MessageJSON.decode(Hello.self, from: request.parameters)
        } catch {
            return refuse(HubError(.malformedMessage, "The parameters of \(request.method) are invalid: \(error)."))
        }
        if let mismatch = HubProtocol.mismatch(client: hello.version, hub: HubProtocol.version) {
            return refuse(mismatch)
        }
        phase = .admitting(SessionClient(session: id, request: request.id, hello: hello))
        return [.admit(hello)]
    }

    /// Handles the decision about the app.
    mutating func admitted(_ refusal: HubError?, _ view: SessionView) -> [SessionAction] {
        guard case .admitting(let client) = phase else { return [] }
        if let refusal {
            phase = .fresh
            return [client.refusal(refusal)] + release(view)
        }
        hello = client.hello
        phase = .starting
        let hubs = view.hubs
        var routing: any SessionRouting =
            // A command can ask about a hub whose homes nobody has seen yet, such as whether it has let the device in.
            if let hub = hubs.first, hubs.count == 1, hub.isNear || hub.copy.isComplete || client.kind == .app {
                HubPipe(client, to: hub.id)
            } else {
                MergedHomes(client)
            }
        let actions = routing.start(view)
        self.routing = routing
        return actions + greetedActions(actions, view)
    }

    mutating func setPaused(_ isPaused: Bool) -> [SessionAction] {
        routing?.setPaused(isPaused) ?? []
    }

    /// Handles the end of the client's connection.
    mutating func end() {
        phase = .over
        held = []
    }

    // MARK: Hubs

    mutating func received(_ message: HubMessage, on connection: Int, _ view: SessionView) -> [SessionAction] {
        routed(view) { $0.received(message, on: connection, view) }
    }

    mutating func timedOut(_ connection: Int, _ view: SessionView) -> [SessionAction] {
        routed(view) { $0.timedOut(connection, view) }
    }

    mutating func hubDidChange(_ hub: UUID, _ view: SessionView) -> [SessionAction] {
        routed(view) { $0.hubDidChange(hub, view) }
    }

    mutating func hubIsGone(_ hub: UUID, homes: [UUID], _ view: SessionView) -> [SessionAction] {
        routed(view) { $0.hubIsGone(hub, homes: homes, view) }
    }

    mutating func choicesDidChange(by session: UUID, _ view: SessionView) -> [SessionAction] {
        routed(view) { $0.choicesDidChange(by: session, view) }
    }

    /// Ends the session because the number of hubs has changed, so that its client starts over with their homes.
    mutating func restart() -> [SessionAction] {
        guard routing != nil else { return [] }
        return [.end(HubError(.connectionLost, "The device's homes have changed."))]
    }

    private mutating func routed(
        _ view: SessionView,
        _ body: (inout any SessionRouting) -> [SessionAction]
    ) -> [SessionAction] {
        guard var routing else { return [] }
        let actions = body(&routing)
        self.routing = routing
        return actions + greetedActions(actions, view)
    }

    /// Handles the requests that waited, once the hello is answered.
    private mutating func greetedActions(_ actions: [SessionAction], _ view: SessionView) -> [SessionAction] {
        guard case .starting = phase, let routing else { return [] }
        if routing.isGreeted {
            phase = .greeted
            return release(view)
        }
        let isRefused = actions.contains { action in
            if case .deliver(.reply(_, let reply)) = action, case .failure = reply.result { true } else { false }
        }
        guard isRefused else { return [] }
        phase = .fresh
        self.routing = nil
        hello = nil
        return release(view)
    }

    private mutating func release(_ view: SessionView) -> [SessionAction] {
        let requests = held
        held = []
        heldBytes = 0
        return requests.flatMap { receive($0, view) }
    }
}

/// The limits of the requests that wait for the hello to be answered. A listener reads more slowly long before.
private enum HeldLimits {
    static let requests = 16_384
    static let bytes = 64 << 20

    static let error = HubError(
        .tooManyRequests,
        "The client has \(requests) requests, or \(bytes) bytes of requests, without a reply. Wait for replies."
    )
}

extension HubRequest {
    /// The approximate size in bytes while the request waits.
    var size: Int { parameters.count + method.utf8.count + 64 }
}
