/// An accessory's answer to a ``PairingsRequest``.
public enum PairingsResponse: Hashable, Sendable {
    /// The pairing was added, changed or removed.
    case done
    /// The pairings that are stored.
    case list([Pairing])
    /// The request was refused.
    case refused(PairingError)
}

extension PairingsResponse {
    /// The body of the reply, HTTP 200.
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
            // The State is part of the first entry: the separators stand between pairings only.
            entries = [TLV8(state: .m2, entries.first?.items ?? [])] + entries.dropFirst()
            return TLV8(list: entries).encoded()
        }
    }

    /// Reads the reply to a request: ``done`` or ``list(_:)``.
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
            // The State is in whatever entry it was sent with.
            let message = TLV8(entries.flatMap(\.items))
            try PairingReply.check(message, .m2, authentication: .notAuthorized)
            // An accessory without pairings sends a State and no entry.
            self = .list(try entries.filter { $0[.identifier] != nil || $0[.state] == nil }.map(Pairing.init))
        } catch let failure as PairingFailure {
            throw failure
        } catch {
            throw PairingFailure(.malformedReply, reason: "list of pairings: \(error)")
        }
    }
}
