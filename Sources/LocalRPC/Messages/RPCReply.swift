package import Foundation

/// The reply to a request.
package struct RPCReply<Position: Hashable & Codable & Sendable>: Hashable, Sendable {
    /// The result as JSON, or an error.
    package var result: Result<Data, RPCError>
    /// The positions of the changes that the request made and the client can see.
    ///
    /// On the request's own connection their events precede the reply, unless the client paused events. A client that
    /// learns of changes in another way waits for these positions before it shows the result. Empty if nothing changed,
    /// and in the reply to a request that was carried out before the server started.
    package var follows: [Position]

    /// Creates a reply.
    package init(_ result: Result<Data, RPCError>, follows: [Position] = []) {
        self.result = result
        self.follows = follows
    }

    /// The approximate size in bytes while the reply is queued or cached.
    package var size: Int {
        let positions = follows.count * MemoryLayout<Position>.stride
        return switch result {
        case .success(let body): body.count + positions
        case .failure(let error): error.reason.utf8.count + positions
        }
    }

    /// Creates a reply with a result that changed nothing.
    package static func success(_ result: Data) -> RPCReply { RPCReply(.success(result)) }

    /// Creates a reply with an error.
    package static func failure(_ error: RPCError) -> RPCReply { RPCReply(.failure(error)) }
}
