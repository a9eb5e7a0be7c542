package import LocalRPC

/// A message from the hub to a client.
package typealias HubMessage = RPCMessage<HubEvent>
/// A request of a client to the hub.
package typealias HubRequest = RPCRequest
/// The hub's reply to a request.
package typealias HubReply = RPCReply<LogPlace>
/// An error of the hub, or of the connection to it.
package typealias HubError = RPCError
/// What the reason of an error names, as data. The kinds of subjects are those of ``HomeModel/HomeError/Subject``.
package typealias ErrorParts = RPCErrorParts
/// A connection to the hub: in-process, or over a socket.
package typealias HubTransport = RPCTransport<HubEvent>
/// A client's end of a connection to the hub.
package typealias HubConnection = RPCConnection<HubEvent>
/// The wire format of messages between clients and the hub.
package typealias WireMessage = WireFormat<HubEvent>
