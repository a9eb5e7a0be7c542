/// The hub that carries a method out, of two that keep the homes. A hub that is alone carries all of them out.
package enum MethodHub: Sendable {
    /// The hub that the client is connected to.
    ///
    /// These methods need what only this hub has: its accessories' connections, its own clock or files, what waits in its
    /// memory, or the people who answer a question at it. What they change is stored by the hub that leads.
    case reached
    /// The hub that leads, which decides on changes of the homes. The other hub passes requests on.
    case leader
    /// The hub that leads if there is one, because it knows best; otherwise the one that the client is connected to, as far as
    /// that knows. These methods change nothing.
    case leaderIfAny
}
