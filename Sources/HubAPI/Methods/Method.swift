/// A method of the hub: its name on the wire, what it takes and what it gives.
///
/// Every way to the hub (in-process, Unix socket, later TLS and HTTP) carries the same methods; ``HubMethods`` lists them.
package struct Method<Parameters: Codable & Sendable, Result: Codable & Sendable>: Sendable {
    /// The name on the wire: a noun, a dot, a verb.
    package let name: String
    /// Who may call it.
    package let caller: MethodAudience
    /// Whether a request with a key is known again after the hub was started anew, if it changed a log: its reply is stored
    /// together with the change. Of other methods the hub knows the requests for as long as it runs.
    package let isDurable: Bool

    init(_ name: String, for caller: MethodAudience, isDurable: Bool = false) {
        self.name = name
        self.caller = caller
        self.isDurable = isDurable
    }
}

/// The result of a method that has nothing to tell but that it is done.
package struct Empty: Hashable, Sendable, Codable {
    /// Makes the empty result.
    package init() {}
}
