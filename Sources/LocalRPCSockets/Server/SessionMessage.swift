package import LocalRPC
package import NIOCore

/// A session's message, as its connection sends it. Lines have their terminator.
package enum SessionMessage: Sendable {
    /// The line of the reply to a request.
    case reply(id: Int, ByteBuffer)
    /// The line of an event.
    ///
    /// - Parameter isReset: Whether it replaces everything that was sent before.
    case event(ByteBuffer, isReset: Bool)
    /// The connection has ended.
    case closed(RPCError)
}
