import Foundation
package import HomeHub
package import HomeIdentity
import RelayAPI
package import RelayClient
package import SealedFeed

/// A hub's house at a relay, which is asked over HTTP.
package final class RelayedHouse: RelayHouse {
    // This is a class because the writers of all feeds share its connections.

    private let client: RelayClient
    private let place: RelayPlace
    private let owner: PublicKey
    private let others: Others
    private let appends: AppendQueue

    /// Returns the other owners of a house, which are those of the other one of two hubs.
    package typealias Others = @Sendable (HouseID) -> [PublicKey]

    private init(_ client: RelayClient, _ place: RelayPlace, owner: PublicKey, others: @escaping Others) {
        self.client = client
        self.place = place
        self.owner = owner
        self.others = others
        appends = AppendQueue { items throws(RelayClientError) in try await client.append(items, to: place.house) }
    }

    /// Returns what connects to relays.
    ///
    /// - Parameters:
    ///   - trust: Whom to believe about a relay's name.
    ///   - now: The time in milliseconds since 1970.
    ///   - others: The other owners of a house, whenever it is registered.
    package static func connector(
        trust: RelayTrust = .system,
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) },
        others: @escaping Others = { _ in [] }
    ) -> RelayConnector {
        { place, owner throws(FeedRelayError) in
            do throws(RelayClientError) {
                let client = try RelayClient(place.relay, as: owner, trust: trust, now: now)
                return RelayedHouse(client, place, owner: owner.publicKey, others: others)
            } catch {
                throw FeedRelayError(error)
            }
        }
    }

    // MARK: House and feeds

    package func register() async throws(FeedRelayError) {
        try await ask { () throws(RelayClientError) in
            try await client.register(place.house, owners: [owner] + others(place.house), token: place.token)
        }
    }

    package func makeFeed(_ feed: FeedID) async throws(FeedRelayError) {
        do throws(RelayClientError) {
            return try await client.makeFeed(feed, in: place.house)
        } catch {
            guard case .refused(let error) = error, error.code == .notFound else { throw FeedRelayError(error) }
        }
        try await register()
        try await ask { () throws(RelayClientError) in try await client.makeFeed(feed, in: place.house) }
    }

    package func removeFeed(_ feed: FeedID) async throws(FeedRelayError) {
        try await ask { () throws(RelayClientError) in try await client.removeFeed(feed, in: place.house) }
    }

    package func setReaders(
        _ readers: Set<FeedAccess>,
        sequence: Int,
        of feed: FeedID
    ) async throws(FeedRelayError) {
        let list = ReaderList(seq: Int64(sequence), readers: readers.map { ReaderList.Reader($0.key, $0.rights) })
        try await ask { () throws(RelayClientError) in try await client.setReaders(list, of: feed, in: place.house) }
    }

    // MARK: Entries

    package func head(of address: FeedAddress) async throws(FeedRelayError) -> RelayHead {
        let status = try await ask { () throws(RelayClientError) in
            try await client.status(of: address.feed, in: address.house)
        }
        return try Self.head(status.seq, status.head)
    }

    package func entries(of address: FeedAddress, after sequence: Int) async throws(FeedRelayError) -> [[UInt8]] {
        try await ask { () throws(RelayClientError) in
            try await client.entries(of: address.feed, in: address.house, after: Int64(sequence))
        }
        .map { Array($0) }
    }

    package func currentEntries(of address: FeedAddress) async throws(FeedRelayError) -> [[UInt8]] {
        let status = try await ask { () throws(RelayClientError) in
            try await client.status(of: address.feed, in: address.house)
        }
        var entries: [[UInt8]] = []
        while true {
            let after = Int(clamping: max(0, status.base - 1)) + entries.count
            let page = try await self.entries(of: address, after: after)
            guard !page.isEmpty else { return entries }
            entries += page
        }
    }

    package func append(_ entry: FeedEntry) async throws(FeedRelayError) -> RelayHead? {
        let item = AppendItem(
            feed: entry.header.address.feed,
            expect: Int64(entry.header.sequence - 1),
            prev: entry.header.previous,
            term: Int64(entry.header.term),
            bytes: Data(entry.bytes)
        )
        let result = try await ask { () throws(RelayClientError) in try await appends.append(item) }
        switch result {
        case .appended: return nil
        case .conflict(let position): return try Self.head(position.seq, position.head)
        case .refused(let error): throw FeedRelayError(.refused(error))
        }
    }

    private static func head(_ seq: Int64, _ head: EntryDigest) throws(FeedRelayError) -> RelayHead {
        guard (0..<RelayLimits.maximumNumber).contains(seq) else {
            throw FeedRelayError(.invalidAnswer("The number of its last entry is out of range."))
        }
        return RelayHead(sequence: Int(seq), digest: head)
    }

    // MARK: Keys and beats

    package func put(_ envelopes: [Envelope], of address: FeedAddress) async throws(FeedRelayError) {
        for envelope in envelopes {
            try await put(envelope.bytes, of: envelope.generation, to: envelope.device, address)
        }
    }

    package func put(_ lists: [SealedHubLists], of address: FeedAddress) async throws(FeedRelayError) {
        for list in lists {
            try await put(list.bytes, of: list.generation, to: SealedHubLists.recipient(for: list.device), address)
        }
    }

    private func put(
        _ bytes: [UInt8],
        of generation: Int,
        to recipient: UUID,
        _ address: FeedAddress
    ) async throws(FeedRelayError) {
        let stored = StoredEnvelope(generation: Int64(generation), device: recipient, bytes: Data(bytes))
        try await ask { () throws(RelayClientError) in
            try await client.setEnvelope(stored, of: address.feed, in: address.house)
        }
    }

    package func put(_ beat: FeedBeat) async throws(FeedRelayError) {
        try await ask { () throws(RelayClientError) in
            try await client.setBeat(Data(beat.bytes), of: beat.address.feed, in: beat.address.house)
        }
    }

    package func putVault(
        _ piece: [UInt8],
        number: Int,
        of count: Int,
        version: Int
    ) async throws(FeedRelayError) {
        let piece = VaultPiece(version: Int64(version), piece: number, pieces: count, bytes: Data(piece))
        try await ask { () throws(RelayClientError) in try await client.setPiece(piece, in: place.house) }
    }

    package func removeVault() async throws(FeedRelayError) {
        try await ask { () throws(RelayClientError) in try await client.removeVault(of: place.house) }
    }

    private func ask<Answer>(
        _ request: () async throws(RelayClientError) -> Answer
    ) async throws(FeedRelayError) -> Answer {
        do throws(RelayClientError) {
            return try await request()
        } catch {
            throw FeedRelayError(error)
        }
    }
}

extension FeedAccess {
    /// The rights that give the access.
    fileprivate var rights: ReaderRights {
        var rights = ReaderRights.read
        if hasPipe { rights.insert(.pipe) }
        if hasVault { rights.insert(.vault) }
        return rights
    }
}

extension FeedRelayError {
    /// The time after which a request is tried again that the relay refuses, in seconds.
    private static let refusalTime = 600

    /// Creates the error for a relay that wasn't asked, or refused.
    init(_ error: RelayClientError) {
        switch error {
        case .invalidURL(let reason): self.init(reason, reason: .refused, retryAfter: Self.refusalTime)
        case .unreachable(let reason): self.init("The relay can't be reached. \(reason)")
        case .invalidAnswer(let reason): self.init("The relay's answer can't be used. \(reason)")
        case .refused(let error): self.init(error)
        }
    }

    private init(_ error: RelayError) {
        switch error.code {
        case .notFound: self.init(error.reason, reason: .unknown, retryAfter: error.retryAfter)
        case .dropped: self.init(error.reason, reason: .dropped)
        case .conflict: self.init(error.reason, reason: .outdated)
        case .tooManyRequests, .storeFailure: self.init(error.reason, retryAfter: error.retryAfter)
        case .registrationRefused:
            let reason =
                "The relay takes this hub only with a registration token, which its operator gives. Run “hearth sync on” again "
                + "with --token."
            self.init(reason, reason: .refused, retryAfter: Self.refusalTime)
        default:
            let reason = "The relay refuses: \(error.reason)"
            self.init(reason, reason: .refused, retryAfter: error.retryAfter ?? Self.refusalTime)
        }
    }
}
