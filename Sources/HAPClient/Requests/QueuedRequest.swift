internal import HAP
internal import HAPCatalog

/// A submission in a session's queue. Numbers rise with the submissions.
struct TicketID: Hashable, Sendable {
    let rawValue: UInt64
}

/// One part of a submission: what concerns one characteristic, or a whole request about pairings.
struct QueuedRequest: Sendable {
    /// What is asked for.
    enum Kind: Sendable {
        case read(CharacteristicID)
        case write(CharacteristicWrite)
        case subscribe(CharacteristicID, enabled: Bool)
        case identify(aid: UInt64)
        case pairings(PairingsRequest)

        /// Whether asking twice is the same as asking once, so that it may be asked again after a loss.
        var isRepeatable: Bool {
            switch self {
            case .read, .subscribe, .pairings: true
            case .write, .identify: false
            }
        }
    }

    let kind: Kind
    /// The submission that it is a part of, and its place there.
    let ticket: TicketID
    let index: Int
    /// Whether it was put back into the queue after a try that the accessory did not answer.
    var isRetry = false
}

/// What came of a ``QueuedRequest``.
enum RequestOutcome: Hashable, Sendable {
    /// Read or written. After a write the value is nil unless it was asked for.
    case value(CharacteristicValue?)
    /// Done at the accessory's pairings.
    case pairings(PairingsResponse)
    case failure(AccessoryFailure)
}
