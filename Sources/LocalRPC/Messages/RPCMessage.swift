/// A message from a server to its client.
package enum RPCMessage<Event: RPCEvent>: Sendable {
    /// The reply to a request.
    case reply(id: Int, RPCReply<Event.Position>)
    /// An event.
    case event(Event)
    /// The connection has ended.
    case closed(RPCError)
}
