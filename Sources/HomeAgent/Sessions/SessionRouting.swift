import Foundation
import HubAPI

/// What a session of an app or a command does next. A session runs the actions in order.
enum SessionAction: Sendable {
    /// Send a message to the client.
    case deliver(HubMessage)
    /// Ask whether the app may use the homes on this device.
    case admit(Hello)
    /// Open a connection to a hub, with a number that is new in the session.
    case open(Int, hub: UUID)
    /// Send a request on a connection.
    case send(HubRequest, on: Int)
    /// Close a connection.
    case close(Int)
    /// Report when the hub has had its time to answer on a new connection.
    case startTimeout(Int)
    /// Answer a request that is for the agent itself.
    case serve(HubRequest)
    /// Remember which connection to a hub did the work of this session, for the client's retries on its next one.
    case remember(PreviousConnection, of: UUID, hub: UUID)
    /// Report when the answer to a command with a key has had its time.
    case startAnswerTimeout(UUID)
    /// Remember commands whose replies were lost.
    case lose([LostCommand])
    /// Forget a command that was lost, because its client is told what came of it.
    case settle(UUID)
    /// Check whether a hub is still there, or try now to reach one that was not.
    case suspect(UUID)
    /// End the session. The client connects again and asks for what it missed.
    case end(HubError)
}

/// The hubs of a session. Most messages don't need them, so they are looked up only when asked for.
struct SessionView: Sendable {
    /// Returns the joined hubs.
    var load: @Sendable () -> [HubView]
    /// Returns the device's own choices for the list of homes of several hubs.
    var choices: @Sendable () -> AccountChoices
    /// Returns what the agent has to tell its person, once.
    var notices: @Sendable () -> [String]
    /// Returns the agent's own questions, about apps on this device.
    var questions: @Sendable () -> [Question]
    /// Returns the connection to a hub that did the work of an earlier session; `nil` if there was none, or if the agent
    /// doesn't know the session.
    var former: @Sendable (PreviousConnection, UUID) -> FormerConnection
    /// Returns the command with a key whose outcome isn't known; `nil` if there is none.
    var lost: @Sendable (UUID) -> LostCommand?
    /// Returns the device's running clock, in milliseconds.
    var now: @Sendable () -> Int64

    /// The joined hubs, in the order in which they were joined.
    var hubs: [HubView] { load() }

    /// Returns a hub.
    func hub(_ id: UUID) -> HubView? { hubs.first { $0.id == id } }
}

/// What an agent knows of a client's previous connection.
enum FormerConnection: Sendable {
    /// It is a hub's own, because the agent only passed messages on.
    case unknown
    /// It did its work over this connection to the hub.
    case known(PreviousConnection)
    /// It had no connection to the hub.
    case none
}

/// A session after its client was admitted: decides what goes where. It is a value without I/O.
protocol SessionRouting: Sendable {
    /// Whether the hello has been answered.
    var isGreeted: Bool { get }
    /// Starts.
    mutating func start(_ view: SessionView) -> [SessionAction]
    /// Handles a request of a greeted client.
    mutating func receive(_ request: HubRequest, _ view: SessionView) -> [SessionAction]
    /// Handles a message from a hub.
    mutating func received(_ message: HubMessage, on connection: Int, _ view: SessionView) -> [SessionAction]
    /// Handles the end of the time that a hub has to answer on a new connection.
    mutating func timedOut(_ connection: Int, _ view: SessionView) -> [SessionAction]
    /// Handles the end of the time that the answer to the command with a key has.
    mutating func answerIsDue(_ key: UUID, _ view: SessionView) -> [SessionAction]
    /// Handles that a hub has come into reach or is out of it.
    mutating func hubDidChange(_ hub: UUID, _ view: SessionView) -> [SessionAction]
    /// Handles what a hub's feed has told while the hub is out of reach. The view has it already.
    mutating func hubTold(_ hub: UUID, _ news: FeedNews, _ view: SessionView) -> [SessionAction]
    /// Handles that the device has left a hub.
    mutating func hubIsGone(_ hub: UUID, homes: [UUID], _ view: SessionView) -> [SessionAction]
    /// Handles that the device's own choices have changed.
    mutating func choicesDidChange(by session: UUID, _ view: SessionView) -> [SessionAction]
    /// Pauses or resumes events, because the client doesn't read its messages or has read them.
    mutating func setPaused(_ isPaused: Bool, _ view: SessionView) -> [SessionAction]
}

/// A session's client.
struct SessionClient: Sendable {
    /// The session's own ID.
    var session: UUID
    /// The ID of the request with the hello.
    var request: Int
    /// The hello.
    var hello: Hello

    /// What the client may see.
    var kind: SessionKind {
        HubProtocol.isOwnApp(hello.app) && hello.isAssistant != true ? .person : .app
    }

    /// Returns the hello for a hub, in a request.
    ///
    /// - Parameters:
    ///   - id: The request's ID.
    ///   - seen: The client's position in the hub's logs.
    ///   - former: The connection to the hub that did the client's work before.
    ///   - subscriptions: The client's subscriptions in the hub's homes.
    func hello(
        _ id: Int,
        seen: LogCursors?,
        former: PreviousConnection?,
        subscriptions: CharacteristicSet?
    ) -> HubRequest? {
        var hello = hello
        hello.seen = seen
        hello.former = former
        hello.subscriptions = subscriptions
        return (try? MessageJSON.encode(hello)).map {
            HubRequest(id: id, method: HubMethods.hello.name, parameters: $0)
        }
    }

    /// Returns the reply to the hello, with what the agent has to tell its person.
    func reply(_ welcome: Welcome, _ view: SessionView) -> SessionAction {
        var welcome = welcome
        if kind == .person {
            let notices = view.notices()
            welcome.notices = notices.isEmpty ? nil : notices
            welcome.hasNoHub = view.hubs.isEmpty ? true : nil
        }
        let result = Result { try MessageJSON.encode(welcome) }.mapError { HubError(.hubFailure, "\($0)") }
        return .deliver(.reply(id: request, HubReply(result)))
    }

    /// Returns the reply that refuses the hello.
    func refusal(_ error: HubError) -> SessionAction {
        .deliver(.reply(id: request, .failure(error)))
    }

    /// Returns the reply to a request that needs nothing from a hub which is out of reach; otherwise the refusal.
    func reply(toAway request: HubRequest, _ error: HubError) -> SessionAction {
        let method = request.method
        let isHarmless = [
            HubMethods.enterBackground.name, HubMethods.enterForeground.name, HubMethods.stopBrowsing.name,
            HubMethods.stopBrowsingUnconfigured.name,
        ].contains(method)
        let result: Result<Data, HubError> = isHarmless ? .success(Data("{}".utf8)) : .failure(error)
        return .deliver(.reply(id: request.id, HubReply(result)))
    }
}
