import LocalRPC
import WebServer

/// The limits of HTTP clients. `Documentation/Limits.md` lists them.
struct HTTPLimits: Sendable {
    /// The limits of connections.
    var connection = HTTPConnectionLimits()
    /// The maximum size of the body of a request, in bytes.
    var bodyBytes = RPCLimits.requestBytes
    /// The maximum size of the body of a request to sign in, in bytes.
    var signInBytes = 4_096
    /// The maximum time from the first byte of a body to its last.
    var bodyTime = Duration.seconds(20)
    /// The maximum time from the first byte of an export that is imported to its last.
    var uploadTime = Duration.seconds(300)
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
