import Consensus
package import HomeModel
package import HomeStore

extension Replicator: ChangeWriter {
    /// The maximum number of changes that wait to be proposed. More fail.
    package static let waitingChanges = 1_024
    /// The maximum size of a change, in bytes. What doesn't fit into a batch goes in parts.
    package static let changeBytes = 64 << 20

    @discardableResult
    nonisolated(nonsending) package func append(
        _ drafts: [EntryDraft],
        removing removed: [LogID] = []
    ) async throws(StoreError) -> [AppendedEntry] {
        let items: [BatchDraft]
        do {
            items = try drafts.map { try BatchDraft($0) }
        } catch {
            throw StoreError(.invalid, "The change can't be encoded: \(error)")
        }
        guard case .appended(let entries)? = try await write([.append(items, removing: removed)]).first else {
            return []
        }
        return entries
    }

    package func claim(
        _ claims: [FiringClaim],
        updating values: [Int: [StateKey: [UInt8]?]]
    ) async throws(StoreError) -> [Bool] {
        guard case .leading(let term) = role else { throw Self.notLeader }
        let own = claims.map { claim in
            var claim = claim
            claim.hub = voter.pair.own
            claim.term = term
            return claim
        }
        guard case .claimed(let results)? = try await write([.claim(own, updating: values)]).first else { return [] }
        return results
    }

    package func complete(
        _ claim: FiringClaim,
        updating values: [StateKey: [UInt8]?]
    ) async throws(StoreError) {
        _ = try await write([.complete(claim, updating: values)])
    }

    package func setStates(_ values: [StateKey: [UInt8]?]) async throws(StoreError) {
        _ = try await write([.setStates(values)])
    }

    package func setSecrets(_ values: [SecretKey: [UInt8]?]) async throws(StoreError) {
        _ = try await write([.setSecrets(values)])
    }

    /// Stores a value of the metadata that both hubs have; `nil` removes it.
    package func setMetadata(_ value: String?, for key: MetadataKey) async throws(StoreError) {
        _ = try await write([.setMetadata(key, value)])
    }

    /// Makes a batch of steps, and waits until it is committed and applied here.
    ///
    /// - Returns: What each step did.
    /// - Throws: ``HomeStore/StoreError``: `notLeader` if nothing was proposed, `unknownOutcome` if this hub stopped leading
    ///   or its store failed before the batch was committed, `invalid` if the batch is too large, or the error of the step
    ///   that failed. In that case, none was carried out.
    package func write(_ steps: [BatchContent.Step]) async throws(StoreError) -> [BatchContent.StepResult] {
        if let failure { throw failure }
        guard case .leading = role else { throw Self.notLeader }
        do {
            let content = try BatchContent(steps).encoded()
            guard content.count <= Self.changeBytes else {
                let reason = "The change has \(content.count) bytes; two hubs take up to \(Self.changeBytes)."
                throw StoreError(.invalid, reason + " Make smaller changes.")
            }
            guard waiting.count < Self.waitingChanges else {
                throw StoreError(.notLeader, "Too many changes wait for the other hub and the relay. Try again later.")
            }
            let contents = try Self.contents(of: content)
            return try await withCheckedThrowingContinuation { result in
                // They stay together: nothing of this hub comes in between.
                waiting += contents.dropLast().map { Proposal(content: $0, result: nil) }
                waiting += contents.suffix(1).map { Proposal(content: $0, result: result) }
                work()
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.invalid, "The change can't be encoded: \(error)")
        }
    }

    /// Returns the contents of the batches of a change: one, or its parts.
    private static func contents(of content: [UInt8]) throws -> [[UInt8]] {
        guard content.count > BatchKeys.contentBytes else { return [content] }
        let size = BatchKeys.contentBytes - BatchContent.partOverheadBytes
        return try BatchContent.parts(of: content, size: size).map { try $0.encoded() }
    }

    private static let notLeader = StoreError(
        .notLeader,
        "This hub doesn't lead now. It changes nothing unless it reaches the other hub or the relay."
    )

    /// Hands waiting changes to the voter.
    ///
    /// - Returns: What to do; `nil` if they have to wait for the commitment of earlier ones.
    func propose() -> [VoterEffect]? {
        let room = max(0, ConsensusLimits.uncommittedBatches - proposed.count)
        var bytes = 0
        var group = waiting.prefix(room).prefix { proposal in
            bytes += proposal.content.count
            return bytes <= ConsensusLimits.uncommittedBytes
        }
        while !group.isEmpty {
            var next = voter.next
            var contents: [[UInt8]] = []
            var items: [(position: BatchPosition, proposal: Proposal)] = []
            for proposal in group {
                contents.append(keys.seal(proposal.content, at: next))
                items.append((next, proposal))
                next.place += 1
            }
            do {
                let effects = try voter.propose(contents, now: clock.now())
                waiting.removeFirst(group.count)
                for item in items { proposed[item.position.place] = item }
                return effects
            } catch .tooMuch {
                // All of them may be too large together.
                group.removeLast(group.count - group.count / 2)
            } catch {
                for proposal in waiting { proposal.result?.resume(throwing: Self.notLeader) }
                waiting = []
                return voter.tick(now: clock.now())
            }
        }
        return nil
    }
}
