import Foundation
import HomeModel
import HubAPI

/// Finds the handler of a method by its name in messages. Each part of the hub registers its own handlers.
struct MethodRouter: Sendable {
    typealias Handler = @Sendable (Data, HubSession, KeyedRequest?) async throws(HubError) -> HandlerResult<Data>

    private var handlers = MethodTable<(caller: MethodAudience, handle: Handler)>(of: "The hub")
    /// The names of the methods whose handlers store receipts.
    private(set) var durableMethods: Set<String> = []
    /// The names of the methods whose handlers take microseconds, except if their parameters are long.
    private var briefMethods: Set<String> = []
    /// The methods with their types, in the order of registration.
    private(set) var descriptions: [MethodDescription] = []

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
        let typed = TypedHandler(method: method, body: body)
        handlers.register((method.caller, typed.handle), for: method.name)
        descriptions.append(MethodDescription(name: method.name, parameters: Parameters.self, result: Result.self))
    }

    /// The names of the methods that have a handler.
    var methods: Set<String> { handlers.names }

    /// Returns whether a method's handler takes microseconds, unless its parameters are long.
    func isBrief(_ method: String) -> Bool { briefMethods.contains(method) }

    /// Returns the handler of a method.
    func handler(of method: String) throws(HubError) -> Handler {
        try handlers.handler(of: method).handle
    }

    /// Returns an error if a kind of client may not call a method; `nil` if it may, or if the method doesn't exist.
    ///
    /// - Parameter isAssistant: Whether the client has introduced itself as an AI assistant, which has fewer rights.
    func refusal(
        of method: String,
        to client: SessionAuthority.Client,
        isAssistant: Bool = false
    ) -> HubError? {
        guard let caller = handlers[method]?.caller else { return nil }
        if isAssistant, !HubMethods.forAssistants.contains(method) {
            return HubError(HomeError(.insufficientPrivileges, "Assistants can't call \(method)."))
        }
        switch client {
        case .person: return nil
        case .app(let app):
            guard caller != .apps else { return nil }
            let place = "This socket belongs to “\(app)”"
            return HubError(.appNotAllowed, "\(place), which can't call \(method). Use the hub's own socket.")
        case .device:
            guard caller == .localPeople else { return nil }
            let reason = "\(method) can be called only on the hub's own machine. Use the hub's socket there."
            return HubError(HomeError(.insufficientPrivileges, reason))
        }
    }
}

/// A handler with its method's types. It decodes the parameters and encodes the result.
private struct TypedHandler<Parameters: Codable & Sendable, Result: Codable & Sendable>: Sendable {
    let method: Method<Parameters, Result>
    let body: @Sendable (Parameters, HubSession, KeyedRequest?) async throws(HubError) -> HandlerResult<Result>

    @Sendable func handle(
        _ json: Data,
        _ session: HubSession,
        _ request: KeyedRequest?
    ) async throws(HubError) -> HandlerResult<Data> {
        let parameters = try parameters(from: json)
        if let app = session.authority.app { try Self.check(parameters, of: app) }
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
