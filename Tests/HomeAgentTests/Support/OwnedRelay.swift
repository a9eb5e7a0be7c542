import Foundation
import HomeIdentity
import PeerProcess
import RelayAPI
import RelayClient
import SealedFeed

/// A relay as the writer of feeds sees it: a client with the owner's key.
struct OwnedRelay: FeedRelay {
    /// What the writer has appended.
    struct Note: Sendable {
        /// The last entry; `nil` before the first one.
        var head: EntryDigest?
        /// Whether the relay may have an entry that the writer hasn't noted.
        var isAppending = false
    }

    let client: RelayClient
    let note: AwaitableValue<Note>

    func head(of address: FeedAddress) async throws(FeedRelayError) -> RelayHead {
        let status = try await asked { () async throws(RelayClientError) in
            try await client.status(of: address.feed, in: address.house)
        }
        return RelayHead(sequence: Int(status.seq), digest: status.head)
    }

    func entries(of address: FeedAddress, after sequence: Int) async throws(FeedRelayError) -> [[UInt8]] {
        try await asked { () async throws(RelayClientError) in
            try await client.entries(of: address.feed, in: address.house, after: Int64(sequence)).map { Array($0) }
        }
    }

    func append(_ entry: FeedEntry) async throws(FeedRelayError) -> RelayHead? {
        let header = entry.header
        let item = AppendItem(
            feed: header.address.feed,
            expect: Int64(header.sequence - 1),
            prev: header.previous,
            term: Int64(header.term),
            bytes: Data(entry.bytes)
        )
        note.change { $0.isAppending = true }
        let results = try await asked { () async throws(RelayClientError) in
            try await client.append([item], to: header.address.house)
        }
        switch results.first {
        case .appended?:
            note.change { $0 = Note(head: entry.digest) }
            return nil
        case .conflict(let position)?: return RelayHead(sequence: Int(position.seq), digest: position.head)
        case .refused(let error)?: throw FeedRelayError(error.reason)
        case nil: throw FeedRelayError("The relay doesn't say what became of the entry.")
        }
    }

    func put(_ envelopes: [Envelope], of address: FeedAddress) async throws(FeedRelayError) {
        for envelope in envelopes {
            let stored = StoredEnvelope(
                generation: Int64(envelope.generation),
                device: envelope.device,
                bytes: Data(envelope.bytes)
            )
            try await asked { () async throws(RelayClientError) in
                try await client.setEnvelope(stored, of: address.feed, in: address.house)
            }
        }
    }

    func put(_ beat: FeedBeat) async throws(FeedRelayError) {
        try await asked { () async throws(RelayClientError) in
            try await client.setBeat(Data(beat.bytes), of: beat.address.feed, in: beat.address.house)
        }
    }

    private func asked<Result>(
        _ body: () async throws(RelayClientError) -> Result
    ) async throws(FeedRelayError) -> Result {
        do throws(RelayClientError) {
            return try await body()
        } catch {
            throw FeedRelayError("\(error)", retryAfter: 1)
        }
    }
}
