import LocalRPC
import NIOCore

/// The limits of HTTP clients. `Documentation/Limits.md` lists them.
struct HTTPLimits: Sendable {
    /// The maximum number of connections.
    var connections = 512
    /// The maximum number of connections from one address.
    var connectionsPerAddress = 64
    /// The maximum size of all header fields of a request, in bytes.
    var headerBytes = 16_384
    /// The maximum number of header fields of a request.
    var headerFields = 64
    /// The maximum size of the body of a request, in bytes.
    var bodyBytes = RPCLimits.requestBytes
    /// The maximum size of the body of a request to sign in, in bytes.
    var signInBytes = 4_096
    /// The maximum time from the first byte of a body to its last.
    var bodyTime = Duration.seconds(20)
    /// The maximum time from the first byte of an export that is imported to its last.
    var uploadTime = Duration.seconds(300)
    /// The maximum time between two requests on a connection, and to the first.
    var idleTime = TimeAmount.seconds(60)
    /// The maximum time that a client reads nothing of a response.
    var stallTime = TimeAmount.seconds(30)
    /// The maximum time from the start of a connection to the end of the TLS handshake.
    var handshakeTime = TimeAmount.seconds(15)
    /// The maximum number of open requests of a connection over HTTP/2.
    var concurrentRequests = 64
    /// The maximum number of requests over HTTP/2 that a client resets or that are erroneous in 30 seconds.
    var resetRequests = 200
    /// The maximum number of control frames that a client sends over HTTP/2 in 30 seconds.
    var controlFrames = 200
    /// The maximum number of control frames that wait for a client that doesn't read over HTTP/2.
    var unsentControlFrames = 200
    /// The maximum number of open streams of one device over HTTP/1.1. A browser opens at most six connections.
    var streamsPerDevice = 3
    /// The maximum number of logical connections of one device.
    var logicalStreamsPerDevice = 16
    /// The maximum number of open streams of a page that controls a program.
    var controlStreams = 32
    /// The maximum number of logical connections.
    var logicalStreams = 512
    /// The maximum number of sessions of one device's assistants.
    var assistantSessionsPerDevice = 8
    /// The maximum number of sessions of assistants.
    var assistantSessions = 128
    /// The maximum number of open requests of one device's assistants that have no session.
    var assistantRequestsPerDevice = 16
    /// How long an assistant's session outlives its last request.
    var assistantLifetime = Duration.seconds(60 * 60)
    /// How long a logical connection outlives its stream.
    var streamLifetime = Duration.seconds(90)
    /// The time between two signs of life in a stream.
    var heartbeat = Duration.seconds(15)
    /// What a stream's client can leave unread.
    var backlog = Backlog.Limits(events: 1 << 20, total: 8 << 20)
    /// The maximum size of the events that are kept after they were sent, in bytes.
    var keptBytes = 1 << 20
}
