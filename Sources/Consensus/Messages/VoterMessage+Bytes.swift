/// Messages as bytes: a version, the kind, and the fields in the order of their declarations, numbers in big endian.
extension VoterMessage {
    /// The version of the bytes.
    private static let version: UInt8 = 1

    private enum Kind: UInt8 {
        case voteRequest = 1
        case voteReply
        case appendRequest
        case appendReply
        case fetchRequest
        case fetchReply
    }

    /// The message as bytes, at most ``ConsensusLimits/messageBytes``.
    package var bytes: [UInt8] {
        switch self {
        case .voteRequest(let request):
            var writer = Self.writer(.voteRequest)
            writer.add(request.term)
            writer.add(request.last)
            writer.add(request.isTrial)
            return writer.bytes
        case .voteReply(let reply):
            var writer = Self.writer(.voteReply)
            writer.add(reply.term)
            writer.add(reply.requestTerm)
            writer.add(reply.isTrial)
            writer.add(reply.isGranted)
            writer.add(reply.last)
            return writer.bytes
        case .appendRequest(let request):
            var writer = Self.writer(.appendRequest)
            writer.add(request.term)
            writer.add(request.previous)
            writer.add(request.batches)
            writer.add(request.committed)
            writer.add(request.settled)
            return writer.bytes
        case .appendReply(let reply):
            var writer = Self.writer(.appendReply)
            writer.add(reply.term)
            writer.add(reply.previous)
            writer.add(reply.isMatch)
            writer.add(reply.place)
            writer.add(reply.isFull)
            return writer.bytes
        case .fetchRequest(let request):
            var writer = Self.writer(.fetchRequest)
            writer.add(request.after)
            return writer.bytes
        case .fetchReply(let reply):
            var writer = Self.writer(.fetchReply)
            writer.add(reply.previous)
            writer.add(reply.batches)
            writer.add(reply.last)
            writer.add(reply.base != nil)
            writer.add(reply.base ?? .start)
            return writer.bytes
        }
    }

    private static func writer(_ kind: Kind) -> FieldWriter { FieldWriter(bytes: [version, kind.rawValue]) }

    /// Reads a message. Every message has one form: what isn't exactly what ``bytes`` writes is not a message.
    ///
    /// - Returns: `nil` if the bytes are not a message of this version, or beyond the limits.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= ConsensusLimits.messageBytes, bytes.count >= 2, bytes[0] == Self.version,
            let kind = Kind(rawValue: bytes[1])
        else { return nil }
        var reader = FieldReader(rest: bytes[2...])
        guard let message = Self.message(kind, &reader), reader.rest.isEmpty else { return nil }
        self = message
    }

    private static func message(_ kind: Kind, _ reader: inout FieldReader) -> VoterMessage? {
        switch kind {
        case .voteRequest:
            guard let term = reader.number(), let last = reader.position(), let isTrial = reader.flag() else {
                return nil
            }
            return .voteRequest(VoteRequest(term: term, last: last, isTrial: isTrial))
        case .voteReply:
            guard let term = reader.number(), let requestTerm = reader.number(), let isTrial = reader.flag(),
                let isGranted = reader.flag(), let last = reader.position()
            else { return nil }
            let reply = VoteReply(
                term: term,
                requestTerm: requestTerm,
                isTrial: isTrial,
                isGranted: isGranted,
                last: last
            )
            return .voteReply(reply)
        case .appendRequest:
            guard let term = reader.number(), let previous = reader.position(), let batches = reader.batches(),
                let committed = reader.number(), let settled = reader.number()
            else { return nil }
            let request = AppendRequest(
                term: term,
                previous: previous,
                batches: batches,
                committed: committed,
                settled: settled
            )
            return .appendRequest(request)
        case .appendReply:
            guard let term = reader.number(), let previous = reader.number(), let isMatch = reader.flag(),
                let place = reader.number(), let isFull = reader.flag()
            else { return nil }
            let reply = AppendReply(term: term, previous: previous, isMatch: isMatch, place: place, isFull: isFull)
            return .appendReply(reply)
        case .fetchRequest: return reader.position().map { .fetchRequest(FetchRequest(after: $0)) }
        case .fetchReply:
            guard let previous = reader.position(), let batches = reader.batches(), let last = reader.position(),
                let hasBase = reader.flag(), let base = reader.position(), hasBase || base == .start
            else { return nil }
            let reply = FetchReply(previous: previous, batches: batches, last: last, base: hasBase ? base : nil)
            return .fetchReply(reply)
        }
    }
}
