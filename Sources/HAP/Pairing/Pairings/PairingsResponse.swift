/// An accessory's response to a ``PairingsRequest``.
public enum PairingsResponse: Hashable, Sendable {
    /// The pairing was added, changed or removed.
    case done
    /// The stored pairings.
    case list([Pairing])
    /// The request was refused.
    case refused(PairingError)
}

extension PairingsResponse {
    /// Returns the body of the reply, which has HTTP status 200.
    public func encoded() -> [UInt8] {
        switch self {
        case .done:
            return TLV8(state: .m2).encoded()
        case .refused(let error):
            return TLV8(state: .m2, error: error).encoded()
        case .list(let pairings):
            var entries = pairings.map { pairing in
                var entry = TLV8()
                pairing.append(to: &entry)
                return entry
            }
            // The State is part of the first entry, because separators occur only between pairings.
            entries = [TLV8(state: .m2, entries.first?.items ?? [])] + entries.dropFirst()
            return TLV8(list: entries).encoded()
        }
    }

    /// Decodes the reply to a request: ``done`` or ``list(_:)``.
    ///
    /// - Throws: ``PairingFailure`` if the reply is malformed or a refusal.
    public init(decoding bytes: some Collection<UInt8>, to request: PairingsRequest) throws(PairingFailure) {
        guard request == .list else {
            _ = try PairingReply(bytes, .m2, authentication: .notAuthorized)
            self = .done
            return
        }
        do {
            let entries = try TLV8.entries(decodingReply: bytes)
            // The State may be in any entry.
            let message = TLV8(entries.flatMap(\.items))
            try PairingReply.check(message, .m2, authentication: .notAuthorized)
            // An accessory without pairings sends only a State.
            self = .list(try entries.filter { $0[.identifier] != nil || $0[.state] == nil }.map(Pairing.init))
        } catch let failure as PairingFailure {
            throw failure
        } catch {
            throw PairingFailure(.malformedReply, reason: "list of pairings: \(error)")
        }
    }
}
