import HTTPTypes
package import HummingbirdCore
package import NIOCore

/// Reads the bodies of requests, within limits of size and time.
package struct RequestBodyReader: Sendable {
    /// A body is larger than the limit, or its connection has ended.
    package struct TooLarge: Error {
        /// The limit, in bytes.
        package var limit: Int
    }

    /// The maximum time from the first byte of a body to its last.
    package let time: Duration

    /// Creates a reader.
    package init(time: Duration) {
        self.time = time
    }

    /// Reads a body.
    ///
    /// - Parameter limit: The maximum size, in bytes.
    package func bytes(
        of request: inout Request,
        upTo limit: Int,
        _ channel: any Channel
    ) async -> Result<ByteBuffer, TooLarge> {
        // A client that sends its body too slowly is disconnected.
        let time = TimeAmount.nanoseconds(Int64(time / .nanoseconds(1)))
        let deadline = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        defer { deadline.cancel() }
        do {
            if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
                // Most clients read the response only once they have sent the body.
                var rest = 8 * limit
                for try await bytes in request.body where rest > 0 { rest -= bytes.readableBytes }
                return .failure(TooLarge(limit: limit))
            }
            return .success(try await request.collectBody(upTo: limit))
        } catch {
            return .failure(TooLarge(limit: limit))
        }
    }
}

extension Request {
    /// The token that authorizes the request; an empty one if there is none.
    package var token: String {
        let parts = (headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return "" }
        return String(parts[1])
    }
}
