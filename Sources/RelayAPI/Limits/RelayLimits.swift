/// The limits that a relay and its clients share. `Documentation/Limits.md` lists them.
package enum RelayLimits {
    /// The maximum size of an entry, in bytes: half a mebibyte of padded content, and its two lines.
    package static let entryBytes = (512 << 10) + 4_096
    /// The maximum number of entries that a request appends.
    package static let itemsPerAppend = 64
    /// The maximum size of a request to append entries, in bytes.
    package static let appendBytes = 4 << 20
    /// The maximum number of entries of a response.
    package static let entriesPerPage = 256
    /// The size of a response with entries after which no further entry is added, in bytes.
    package static let pageBytes = 1 << 20
    /// The maximum time that a request waits for entries, in seconds.
    package static let waitSeconds = 55
    /// The maximum size of a body in JSON, in bytes.
    package static let jsonBytes = 16_384
    /// The maximum size of an envelope, in bytes.
    package static let envelopeBytes = 8_192
    /// The maximum number of envelopes of a generation.
    package static let envelopesPerGeneration = 32
    /// The number of generations of which envelopes are kept.
    package static let generations = 2
    /// The maximum size of a beat, in bytes.
    package static let beatBytes = 1_024
    /// The maximum size of a piece of a vault, in bytes.
    package static let vaultPieceBytes = 256 << 10
    /// The number of complete versions of a vault that are kept.
    package static let vaultVersions = 2
    /// The maximum number of a house's owners.
    package static let ownersPerHouse = 4
    /// Numbers of entries, generations, terms, lists and versions are below this. They fit into every language's numbers.
    package static let maximumNumber: Int64 = 1 << 53
    /// The validity of a session's token, in seconds.
    package static let tokenSeconds: Int64 = 3_600
    /// The maximum difference between the time of a proof and the relay's, in seconds.
    package static let clockSeconds: Int64 = 300
    /// The number of bytes of the random part of a proof.
    package static let nonceBytes = 16
    /// The time without a frame after which the relay sends a ping, in seconds.
    package static let pingSeconds = 25
    /// The time without a frame after which a client gives up on a stream, in seconds.
    package static let silenceSeconds = 60
    /// The time without a beat after which a process no longer counts, in seconds.
    package static let processSeconds = 15
    /// The time without a frame, from the opening of a pipe on, after which a device gives up on a stream, in seconds.
    package static let answerSeconds = 3
    /// The time for which the relay's machine acknowledges nothing of what a client has sent after which the connection has
    /// ended, in seconds. Frames that are sent again on another one are there before ``frameGapSeconds`` are over.
    package static let unacknowledgedSeconds = 3
    /// The maximum number of bytes of a pipe that are on their way to one end, until the end gives room for more.
    package static let pipeCredit = 256 << 10
    /// The maximum size of a request with frames, in bytes.
    package static let frameRequestBytes = 8 * (LiveFrame.payloadBytes + LiveFrame.headBytes)
    /// The maximum number of requests with frames of a stream that are being sent at a time.
    package static let frameRequests = 4
    /// The maximum time that frames wait for those before them, in seconds.
    package static let frameGapSeconds = 8
    /// The maximum number of a house's doors.
    package static let doorsPerHouse = 100
    /// The maximum number of pipes through a door at a time.
    package static let pipesPerDoor = 4
    /// The maximum time that a door is open, in seconds.
    package static let doorSeconds = 7 * 86_400
    /// How long entries before the last base but one are kept, in seconds.
    package static let entrySeconds: Int64 = 7 * 86_400
    /// How long a house is kept to which nothing is written, in seconds.
    package static let houseSeconds: Int64 = 400 * 86_400
    /// How long before its end a house's readers are told, in seconds.
    package static let noticeSeconds: Int64 = 30 * 86_400
    /// The maximum number of entries that the janitor deletes at a time.
    package static let sweepRows = 5_000
}
