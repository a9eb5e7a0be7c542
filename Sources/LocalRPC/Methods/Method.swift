/// A method of a server: its name on the wire, its parameters and its result.
package struct Method<Parameters: Codable & Sendable, Result: Codable & Sendable>: Sendable {
    /// The name on the wire: a noun, a period and a verb.
    package let name: String
    /// The callers that can use it.
    package let caller: MethodAudience
    /// The part in the homes that the caller needs.
    package let need: MethodNeed
    /// The farthest way from which it can be called.
    package let reach: Way
    /// Which of two hubs carries it out.
    package let hub: MethodHub
    /// Whether the server stores the reply to a request with a key together with the change that the request made.
    ///
    /// Such a request is recognized even after the server has restarted. Requests of other methods are recognized for as
    /// long as the server runs.
    package let isDurable: Bool

    /// Creates a method.
    package init(
        _ name: String,
        for caller: MethodAudience,
        by need: MethodNeed,
        from reach: Way,
        on hub: MethodHub = .reached,
        isDurable: Bool = false
    ) {
        self.name = name
        self.caller = caller
        self.need = need
        self.reach = reach
        self.hub = hub
        self.isDurable = isDurable
    }
}

/// The parameters or the result of a method that has none.
package struct Empty: Hashable, Sendable, Codable {
    /// Creates the empty value.
    package init() {}
}
