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
        AgentMethods.openVault.name, AgentMethods.readVault.name,
    ]

    /// The methods that the agent serves itself if they are about its own questions.
    private static let questionMethods: Set<String> = [
        HubMethods.answerQuestion.name, HubMethods.renewQuestion.name, HubMethods.declineQuestion.name,
    ]

    private let id: UUID
    /// The app that every client of the session's socket is; `nil` for the agent's own socket.
    private let app: String?
    private var phase = Phase.fresh
    private var routing: (any SessionRouting)?
    /// The hubs that the device had joined when the client was admitted.
    private var hubs: [UUID] = []
    /// The requests that follow the hello until it is answered.
    private var held: [HubRequest] = []
    private var heldBytes = 0
    /// The requests for the list of questions that hubs have not answered.
    private var questionLists: Set<Int> = []
    /// Whether the client hears of the agent's own questions.
    private var watchesQuestions = false

    /// The client's introduction, once it was admitted.
    private(set) var hello: Hello?

    init(id: UUID, app: String? = nil) {
        self.id = id
        self.app = app
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
            if let refusal = refusal(of: request) { return [.deliver(.reply(id: request.id, .failure(refusal)))] }
            if isPerson, serves(request, view) { return [.serve(request)] }
            if isPerson, request.method == HubMethods.questions.name {
                watchesQuestions = true
                questionLists.insert(request.id)
            }
            return withOwnQuestions(routing?.receive(request, view) ?? [], view)
        case .over:
            return []
        }
    }

    /// Whether the client can act for the device's person. At the agent's own socket, all but assistants can, as at a hub's.
    private var isPerson: Bool { app == nil && hello?.isAssistant != true }

    /// Returns whether the agent itself serves a request.
    private func serves(_ request: HubRequest, _ view: SessionView) -> Bool {
        if Self.ownMethods.contains(request.method) { return true }
        guard Self.questionMethods.contains(request.method),
            let target = try? MessageJSON.decode(QuestionTarget.self, from: request.parameters)
        else { return false }
        return view.questions().contains { $0.id == target.id }
    }

    /// Returns why a client of an app's own socket may not call a method. Hubs don't know of the socket.
    private func refusal(of request: HubRequest) -> HubError? {
        guard let app else { return nil }
        let place = "This socket belongs to “\(app)”"
        guard HubMethods.forApps.contains(request.method) else {
            let reason = "\(place), which can't call \(request.method). Use the agent's own socket."
            return HubError(.appNotAllowed, reason)
        }
        let addition = try? MessageJSON.decode(AddAccessory.self, from: request.parameters)
        guard request.method == HubMethods.addAccessory.name, addition?.namesHost == true else { return nil }
        let reason = "\(place), which can't specify hosts and ports."
        return HubError(.appNotAllowed, "\(reason) Omit them, and identify the accessory by its device ID.")
    }

    /// Adds the agent's own questions to the hubs' lists. Without a hub, they are the list.
    private mutating func withOwnQuestions(_ actions: [SessionAction], _ view: SessionView) -> [SessionAction] {
        guard !questionLists.isEmpty else { return actions }
        return actions.map { action in
            guard case .deliver(.reply(let id, let reply)) = action, questionLists.remove(id) != nil else {
                return action
            }
            let body = try? reply.result.get()
            let list = body.flatMap { try? MessageJSON.decode(Questions.self, from: $0) }
            let questions = (list?.questions ?? []) + view.questions()
            let result = Result { try MessageJSON.encode(Questions(questions: questions)) }
            return .deliver(.reply(id: id, HubReply(result.mapError { HubError(.hubFailure, "\($0)") })))
        }
    }

    /// Tells the client of a question of the agent's own.
    func notifyOfQuestion(_ event: HubEvent) -> [SessionAction] {
        guard watchesQuestions, case .greeted = phase else { return [] }
        return [.deliver(.event(event))]
    }

    private mutating func greet(_ request: HubRequest) -> [SessionAction] {
        func refuse(_ error: HubError) -> [SessionAction] {
            [.deliver(.reply(id: request.id, .failure(error)))]
        }
        guard request.method == HubMethods.hello.name else {
            return refuse(HubError(.notGreeted, "Call \(HubMethods.hello.name) first."))
        }
        var hello: Hello
        do {
            hello = try MessageJSON.decode(Hello.self, from: request.parameters)
        } catch {
            return refuse(HubError(.malformedMessage, "The parameters of \(request.method) are invalid: \(error)."))
        }
        if let mismatch = HubProtocol.mismatch(client: hello.version, hub: HubProtocol.version) {
            return refuse(mismatch)
        }
        if let app {
            hello.app = app
            hello.agent = nil
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
        self.hubs = hubs.map(\.id)
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

    mutating func setPaused(_ isPaused: Bool, _ view: SessionView) -> [SessionAction] {
        routing?.setPaused(isPaused, view) ?? []
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

    mutating func answerIsDue(_ key: UUID, _ view: SessionView) -> [SessionAction] {
        routed(view) { $0.answerIsDue(key, view) }
    }

    mutating func hubDidChange(_ hub: UUID, _ view: SessionView) -> [SessionAction] {
        routed(view) { $0.hubDidChange(hub, view) }
    }

    mutating func hubTold(_ hub: UUID, _ news: FeedNews, _ view: SessionView) -> [SessionAction] {
        routed(view) { $0.hubTold(hub, news, view) }
    }

    mutating func hubIsGone(_ hub: UUID, homes: [UUID], _ view: SessionView) -> [SessionAction] {
        routed(view) { $0.hubIsGone(hub, homes: homes, view) }
    }

    mutating func choicesDidChange(by session: UUID, _ view: SessionView) -> [SessionAction] {
        routed(view) { $0.choicesDidChange(by: session, view) }
    }

    /// Ends the session if the device has joined or left a hub since, so that its client starts over with their homes.
    func restart(_ view: SessionView) -> [SessionAction] {
        guard routing != nil, hubs != view.hubs.map(\.id) else { return [] }
        return [.end(HubError(.connectionLost, "The device's homes have changed."))]
    }

    private mutating func routed(
        _ view: SessionView,
        _ body: (inout any SessionRouting) -> [SessionAction]
    ) -> [SessionAction] {
        guard var routing else { return [] }
        let actions = body(&routing)
        self.routing = routing
        return withOwnQuestions(actions, view) + greetedActions(actions, view)
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
