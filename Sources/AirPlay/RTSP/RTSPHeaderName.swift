/// The names of the header fields of the control connection.
package enum RTSPHeaderName {
    /// The number of a request, which its response repeats.
    package static let sequence = "CSeq"
    /// The name of the sender's remote control service.
    package static let dacpID = "DACP-ID"
    /// The token that the remote control service asks for.
    package static let activeRemote = "Active-Remote"
    /// The sender's own name.
    package static let clientInstance = "Client-Instance"
    /// The session's number.
    package static let session = "Session"
    /// The ports.
    package static let transport = "Transport"
    /// The first packet's sequence number and timestamp.
    package static let rtpInfo = "RTP-Info"
    /// The part of the recording to play. Always the part from the start on.
    package static let range = "Range"
    /// The receiver's own delay, in frames.
    package static let audioLatency = "Audio-Latency"
    /// The receiver's demand for a password.
    package static let authenticate = "WWW-Authenticate"
    /// The proof that the sender has the password.
    package static let authorization = "Authorization"
    /// The receiver's methods.
    package static let publicMethods = "Public"
    /// The sender's software.
    package static let userAgent = "User-Agent"
    /// The receiver's software.
    package static let server = "Server"
}
