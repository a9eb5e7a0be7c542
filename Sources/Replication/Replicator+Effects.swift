import Consensus
import Foundation
import HomeStore

extension Replicator {
    /// Carries effects out in order, each to its end before the next.
    ///
    /// - Throws: ``HomeStore/StoreError`` if the store can't be written. No later effect was carried out.
    func carryOut(_ effects: [VoterEffect]) async throws(StoreError) {
        for effect in effects {
            guard failure == nil else { return }
            switch effect {
            case .persist(let change):
                try await store.persist(change)
            case .send(let message, let voter):
                send(message, to: voter)
            case .apply(let place):
                try await apply(through: place)
            case .discard(let place):
                try await store.discard(through: place)
            case .sendBase(let voter):
                sendBase(to: voter)
            case .fetchBase(let position):
                fetchBase(position)
            case .installBase(let position, let keepsLater):
                guard let base, base.position == position else { break }
                try await store.installBase(from: base.file, keepsLater: keepsLater)
                failProposed(Self.unknownOutcome)
                await receiver.reload()
            case .beginLeading(let term):
                await become(.leading(term: term))
            case .endLeading:
                failProposed(Self.unknownOutcome)
                await become(.withoutLeader)
            case .follow(let hub):
                // This hub leads only when it has applied what was committed before, and is told so then.
                guard hub != voter.pair.own else { break }
                await become(hub.map { .following($0) } ?? .withoutLeader)
            }
        }
    }

    /// What to say of a change that others may have.
    static let mayStillHappen = "The change may still happen. Look, and try again."

    private static let unknownOutcome = StoreError(
        .unknownOutcome,
        "This hub lost touch with the other hub and the relay. \(mayStillHappen)"
    )

    private func become(_ newRole: HubRole) async {
        guard role != newRole else { return }
        // Whoever is told may store something at once.
        role = newRole
        await receiver.change(to: newRole)
    }

    private func apply(through place: Int) async throws(StoreError) {
        let keys = keys
        let batches = try await store.apply(through: place) { batch throws(StoreError) in try keys.content(of: batch) }
        await receiver.receive(batches)
        for batch in batches {
            guard let (position, proposal) = proposed.removeValue(forKey: batch.position.place) else { continue }
            // Another leader's batch may have taken the place.
            if position == batch.position {
                proposal.result?.resume(with: batch.result.mapError { $0 as any Error })
            } else {
                proposal.result?.resume(throwing: Self.unknownOutcome)
            }
        }
    }

    // MARK: Sending

    private func send(_ message: VoterMessage, to voter: Voter) {
        guard voter == .relay else { return link.send(message.bytes) }
        guard relayRequestCount < Self.relayRequests else { return }
        relayRequestCount += 1
        Task { [relay, weak self] in
            let answer = await relay.answer(message)
            await self?.receiveFromRelay(answer)
        }
    }

    private func receiveFromRelay(_ answer: VoterMessage?) {
        relayRequestCount -= 1
        if let answer { receive(answer, from: .relay) }
    }

    /// Sends the whole state beside everything else. If that fails, the voter asks for it again.
    private func sendBase(to target: Voter) {
        let (term, file) = (voter.record.term, temporaryFile())
        transferCount += 1
        Task { [store, link, relay, keys, weak self] in
            var reply: BatchPosition?
            if let position = try? await store.makeBase(at: file) {
                if target == .relay {
                    let base = try? SealedBase(file, at: position, keys)
                    if let base, (try? await relay.sendBase(base, term: term)) != nil { reply = position }
                } else {
                    reply = try? await link.sendBase(file, term: term)
                }
            }
            try? FileManager.default.removeItem(at: file)
            await self?.endTransfer(reply.map { .baseReply($0, term: term, from: target) })
        }
    }

    private func endTransfer(_ event: Event?) {
        transferCount -= 1
        if let event { add(event) }
    }

    private func fetchBase(_ position: BatchPosition) {
        let (term, file) = (voter.record.term, temporaryFile())
        transferCount += 1
        Task { [relay, keys, weak self] in
            let result: Result<ReceivedBase, any Error>
            do {
                try await Self.receiveBase(at: position, from: relay, keys, in: file)
                let found = try HomeStore.checkBase(file)
                result = .success(ReceivedBase(file: file, position: found, term: term))
            } catch {
                try? FileManager.default.removeItem(at: file)
                result = .failure(error)
            }
            await self?.endTransfer(.fetchedBase(result))
        }
    }

    /// Gets the state that the relay has, and writes it to a file that only the owner can read.
    private static func receiveBase(
        at position: BatchPosition,
        from relay: any RelayVoting,
        _ keys: BatchKeys,
        in file: URL
    ) async throws {
        let count = try await relay.basePieces(at: position)
        let isCreated = FileManager.default.createFile(
            atPath: file.path,
            contents: nil,
            attributes: [.posixPermissions: 0o600]
        )
        guard isCreated else { throw StoreError(.inputOutput, "\(file.path) can't be created.") }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        guard count >= 1 else { throw unreadableBase }
        for number in 1...count {
            let piece = try await relay.basePiece(number, at: position)
            guard let content = keys.open(piece: piece, number: number, of: count, at: position) else {
                throw unreadableBase
            }
            try handle.write(contentsOf: Data(content))
        }
    }

    private static let unreadableBase = StoreError(.damaged, "The state at the relay wasn't written by the other hub.")
}
