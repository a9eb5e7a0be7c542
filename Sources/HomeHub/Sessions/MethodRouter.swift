import Foundation
import HomeModel
import HubAPI

/// Finds the handler of a method by its name in messages. Each part of the hub registers its own handlers.
struct MethodRouter: Sendable {
    typealias Handler = @Sendable (Data, HubSession, KeyedRequest?) async throws(HubError) -> HandlerResult<Data>

    private struct Row: Sendable {
        var rule: AccessRule
        var hub: MethodHub
        var handle: Handler
    }

    private var handlers = MethodTable<Row>(of: "The hub")
    /// The hub's own user.
    private let owner: UUID
    /// The names of the methods whose handlers store receipts.
    private(set) var durableMethods: Set<String> = []
    /// The names of the methods whose handlers take microseconds, except if their parameters are long.
    private var briefMethods: Set<String> = []
    /// The methods with their types, in the order of registration.
    private(set) var descriptions: [MethodDescription] = []

    /// Creates a router without handlers.
    ///
    /// - Parameter owner: The hub's own user.
    init(owner: UUID) {
        self.owner = owner
    }

    /// Registers the handler of a method.
    ///
    /// - Parameter isBrief: Whether the handler and its deferred work only look up what is in memory and put requests into
    ///   queues. They then run on the connection's thread, which must not be held up.
    mutating func on<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        isBrief: Bool = false,
        _ body: @escaping @Sendable (Parameters, HubSession) async throws(HubError) -> HandlerResult<Result>
    ) {
        if isBrief { briefMethods.insert(method.name) }
        register(method) { (parameters, session, _) async throws(HubError) in try await body(parameters, session) }
    }

    /// Registers the handler of a durable method. It receives the request if that has an idempotency key, and stores
    /// its receipt together with the change.
    mutating func on<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ body:
            @escaping @Sendable (Parameters, HubSession, KeyedRequest?) async throws(HubError) -> HandlerResult<Result>
    ) {
        register(method, body)
        durableMethods.insert(method.name)
    }

    private mutating func register<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ body:
            @escaping @Sendable (Parameters, HubSession, KeyedRequest?) async throws(HubError) -> HandlerResult<Result>
    ) {
        let rule = AccessRule(method, owner: owner)
        let typed = TypedHandler(method: method, rule: rule, body: body)
        handlers.register(Row(rule: rule, hub: method.hub, handle: typed.handle), for: method.name)
        descriptions.append(MethodDescription(name: method.name, parameters: Parameters.self, result: Result.self))
    }

    /// The names of the methods that have a handler.
    var methods: Set<String> { handlers.names }

    /// Returns whether a method's handler takes microseconds, unless its parameters are long.
    func isBrief(_ method: String) -> Bool { briefMethods.contains(method) }

    /// Returns which of two hubs carries a method out.
    func hub(of method: String) -> MethodHub { handlers[method]?.hub ?? .reached }

    /// Returns the handler of a method.
    func handler(of method: String) throws(HubError) -> Handler {
        try handlers.handler(of: method).handle
    }

    /// Returns an error if a session may not call a method, whatever the parameters; `nil` if it may, or if the method
    /// doesn't exist. The parameters are checked as soon as they are decoded, also before the handler runs.
    func refusal(of method: String, to session: HubSession) -> HubError? {
        handlers[method]?.rule.refusal(to: session)
    }

    /// Returns an error if a session may not call a method in a home; `nil` if it may, or if the method doesn't exist.
    func refusal(of method: String, to session: HubSession, in home: UUID) -> HubError? {
        handlers[method].flatMap { $0.rule.refusal(to: session) ?? $0.rule.refusal(to: session, in: home) }
    }
}

/// The home that parameters of any method name.
private struct NamedHome: Decodable {
    var home: UUID?
}

/// A handler with its method's types. It decodes the parameters and encodes the result.
private struct TypedHandler<Parameters: Codable & Sendable, Result: Codable & Sendable>: Sendable {
    let method: Method<Parameters, Result>
    let rule: AccessRule
    let body: @Sendable (Parameters, HubSession, KeyedRequest?) async throws(HubError) -> HandlerResult<Result>

    @Sendable func handle(
        _ json: Data,
        _ session: HubSession,
        _ request: KeyedRequest?
    ) async throws(HubError) -> HandlerResult<Data> {
        let parameters = try parameters(from: json)
        if let app = session.authority.app { try Self.check(parameters, of: app) }
        if rule.dependsOnHome { try check(parameters, of: session) }
        try Self.checkWay(json, parameters, of: session)
        return switch try await body(parameters, session, request) {
        case .done(let result): .done(try written(result))
        case .deferred(let work): .deferred(Rest(handler: self, work: work).run)
        case .committing(let work): .committing(Commit(handler: self, work: work).run)
        case .callback(let work): .callback { work(writing($0)) }
        case .deferredCallback(let work): .deferredCallback { await work(writing($0)) }
        }
    }

    /// Rejects parameters that an app on its own socket can't use, although it can call the method.
    private static func check(_ parameters: Parameters, of app: String) throws(HubError) {
        guard let parameters = parameters as? any NetworkLocating, parameters.namesHost else { return }
        let reason = "This socket belongs to “\(app)”, which can't specify hosts and ports."
        throw HubError(.appNotAllowed, "\(reason) Omit them, and identify the accessory by its device ID.")
    }

    /// Rejects parameters that the session's user can't use in the home that they name.
    private func check(_ parameters: Parameters, of session: HubSession) throws(HubError) {
        var refusal: HubError?
        if let home = (parameters as? any HomeLocating)?.locatedHome { refusal = rule.refusal(to: session, in: home) }
        if refusal == nil, let role = (parameters as? any RoleGiving)?.givenRole {
            refusal = rule.refusal(to: session, giving: role)
        }
        if let refusal { throw refusal }
    }

    /// Rejects parameters that name a home which the user may not use from where the session comes from.
    private static func checkWay(_ json: Data, _ parameters: Parameters, of session: HubSession) throws(HubError) {
        let closed = session.closedHomes
        guard !closed.isEmpty else { return }
        let home = (parameters as? any HomeLocating)?.locatedHome
        guard let home = home ?? (try? MessageJSON.decode(NamedHome.self, from: json))?.home else { return }
        if closed.contains(home) { throw HubSession.notFromAway }
    }

    private func writing(_ reply: @escaping HandlerResult<Data>.Reply) -> HandlerResult<Result>.Reply {
        { result in
            do throws(HubError) {
                reply(.success(try written(try result.get())))
            } catch {
                reply(.failure(error))
            }
        }
    }

    private struct Rest: Sendable {
        let handler: TypedHandler
        let work: @Sendable () async throws(HubError) -> Result

        @Sendable func run() async throws(HubError) -> Data {
            try handler.written(try await work())
        }
    }

    private struct Commit: Sendable {
        let handler: TypedHandler
        let work: @Sendable () async throws(HubError) -> Committed<Result>

        @Sendable func run() async throws(HubError) -> Committed<Data> {
            let committed = try await work()
            return Committed<Data>(try handler.written(committed.result), follows: committed.follows)
        }
    }

    private func parameters(from json: Data) throws(HubError) -> Parameters {
        do {
            return try MessageJSON.decode(Parameters.self, from: json)
        } catch let error as DecodingError {
            var parts = ErrorParts()
            parts.field = error.path
            let reason = "The parameters of \(method.name) are invalid: \(error.location)."
            throw HubError(.malformedMessage, reason, parts: error.path.isEmpty ? nil : parts)
        } catch {
            throw HubError(.malformedMessage, "The parameters of \(method.name) cannot be read.")
        }
    }

    private func written(_ result: Result) throws(HubError) -> Data {
        do {
            return try MessageJSON.encode(result)
        } catch {
            throw HubError(.hubFailure, "The hub could not write its reply: \(error).")
        }
    }
}
