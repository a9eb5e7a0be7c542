/// The handlers of a server's methods, by the methods' names.
package struct MethodTable<Handler: Sendable>: Sendable {
    private let server: String
    private var handlers: [String: Handler] = [:]

    /// Creates an empty table.
    ///
    /// - Parameter server: The server with its article, for errors: "The hub".
    package init(of server: String) {
        self.server = server
    }

    /// The names of the methods that have a handler.
    package var names: Set<String> { Set(handlers.keys) }

    /// Registers the handler of a method, which must not have one yet.
    package mutating func register(_ handler: Handler, for method: String) {
        let previous = handlers.updateValue(handler, forKey: method)
        precondition(previous == nil, "\(method) has two handlers.")
    }

    /// The handler of a method; `nil` if there is no such method.
    package subscript(method: String) -> Handler? { handlers[method] }

    /// Returns the handler of a method.
    ///
    /// - Throws: ``RPCError`` with `unknownMethod` if there is none.
    package func handler(of method: String) throws(RPCError) -> Handler {
        guard let handler = handlers[method] else {
            throw RPCError(.unknownMethod, "\(server) has no method “\(method.prefix(80))”.")
        }
        return handler
    }
}
