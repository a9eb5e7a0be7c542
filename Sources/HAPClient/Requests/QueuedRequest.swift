internal import HAP
internal import HAPCatalog

/// The ID of a submission in a session's queue. IDs increase with each submission.
struct TicketID: Hashable, Sendable {
    let rawValue: UInt64
}

/// One part of a submission: a request about one characteristic, or a pairings request.
struct QueuedRequest: Sendable {
    /// The kind of request.
    enum Kind: Sendable {
        case read(CharacteristicID)
        case write(CharacteristicWrite)
        case subscribe(CharacteristicID, enabled: Bool)
        case identify(aid: UInt64)
        case pairings(PairingsRequest)

        /// The characteristic that the request names; `nil` if it names none.
        var characteristic: CharacteristicID? {
            switch self {
            case .read(let id), .subscribe(let id, _): id
            case .write(let write): write.id
            case .identify, .pairings: nil
            }
        }

        /// What withdraws the request while it waits; `nil` if nothing does.
        var withdrawal: WriteWithdrawal? {
            if case .write(let write) = self { write.withdrawal } else { nil }
        }

        /// Whether the request is idempotent, so that it may be repeated after the connection is lost.
        var isRepeatable: Bool {
            switch self {
            case .read, .subscribe, .pairings: true
            case .write, .identify: false
            }
        }
    }

    let kind: Kind
    /// The submission that contains the request, and its index there.
    let ticket: TicketID
    let index: Int
    /// Whether the request was requeued after an attempt that the accessory didn't answer.
    var isRetry = false
}

/// The outcome of a ``QueuedRequest``.
enum RequestOutcome: Hashable, Sendable {
    /// The request was read or written. After a write, the value is `nil` unless it was requested.
    case value(CharacteristicValue?)
    /// The accessory answered a pairings request.
    case pairings(PairingsResponse)
    case failure(AccessoryFailure)
}
