import Foundation
import HomeModel
import HubAPI
import Logging
import SealedFeed

/// What the writer does if the relay, the hub or both have lost their memory.
extension FeedWriter {
    /// Compares the relay's last entry with the writer's, unless that was done.
    func reconcile() async throws {
        guard !isReconciled else { return }
        let head = try await head()
        let term = writer.state.place.term
        let state = await database.stored
        if writer.takesOver || isRestored(state) {
            let last = head.sequence > 0 ? try await entries(after: head.sequence - 1, upTo: head) : []
            try writer.goOn(behind: head, last.last)
            access = nil
            try await save()
        } else {
            try await reconcile(with: head)
        }
        if writer.state.place.term != term {
            log.notice(
                "A feed begins again: the relay or the hub was set back, or this hub leads now.",
                metadata: ["seq": "\(head.sequence)", "term": "\(writer.state.place.term)"]
            )
        }
        isReconciled = true
    }

    /// Returns the relay's last entry. A relay that doesn't know the feed gets it.
    private func head() async throws -> RelayHead {
        let address = writer.state.address
        do throws(FeedRelayError) {
            return try await relay.head(of: address)
        } catch {
            guard error.reason == .unknown else { throw error }
        }
        access = nil
        try await relay.makeFeed(address.feed)
        return try await relay.head(of: address)
    }

    /// Whether the hub's logs have begun a new lineage since the state was stored, so that a backup was restored. The backup may
    /// be from before the first entry was noted.
    private func isRestored(_ state: HomeDatabase.State) -> Bool {
        lineage.map { $0 != state.lineages[.account(user)] } ?? false
    }

    /// Handles a last entry of the relay that may not be the writer's.
    func reconcile(with head: RelayHead) async throws {
        let term = writer.state.place.term
        switch writer.compare(with: head) {
        case .same:
            // After a refusal, this isn't what the relay has just said.
            guard !isReconciled else { throw FeedRelayError("The relay refuses an entry that follows its last one.") }
        case .nextAppended:
            writer.appended()
        case .entriesNeeded(let number):
            // A crash leaves few entries there. More show that the hub was set back.
            let isNear = head.sequence - number <= FeedLimits.maximumParts
            let entries = try await entries(after: isNear ? number : head.sequence - 1, upTo: head)
            let state = await database.stored
            let hadNext = writer.next != nil
            try writer.reconcile(with: head, entries) { [runs] in state.knows($0.seen, of: user) && runs.contain($0) }
            // Its content is nowhere else.
            if hadNext { requestReset() }
            if writer.state.place.term != term {
                // A copy from before has former readers.
                access = nil
                activities.publish(.sync(SyncActivity(event: .refilled(user: user), time: now())))
            }
        }
        try await save()
    }

    /// Returns all entries after a number, of which there are few, or the last one if the relay no longer has the others.
    private func entries(after number: Int, upTo head: RelayHead) async throws -> [[UInt8]] {
        do throws(FeedRelayError) {
            var entries: [[UInt8]] = []
            while entries.count <= FeedLimits.maximumParts {
                let page = try await relay.entries(of: writer.state.address, after: number + entries.count)
                guard !page.isEmpty else { break }
                entries += page
            }
            return entries
        } catch {
            guard error.reason == .dropped, number < head.sequence - 1 else { throw error }
        }
        return try await entries(after: head.sequence - 1, upTo: head)
    }
}

extension LogCursors {
    /// The position of a feed's content.
    init(_ seen: FeedCursors) {
        self.init(
            account: LogCursor(lineage: seen.account.lineage, revision: seen.account.revision),
            homes: seen.homes.mapValues { LogCursor(lineage: $0.lineage, revision: $0.revision) }
        )
    }
}

extension FeedCursors {
    /// The position of a session.
    init(_ seen: LogCursors) {
        self.init(
            account: Cursor(lineage: seen.account.lineage, revision: seen.account.revision),
            homes: seen.homes.mapValues { Cursor(lineage: $0.lineage, revision: $0.revision) }
        )
    }
}

extension HomeDatabase.State {
    /// Returns whether the logs have reached the position of a person's feed.
    fileprivate func knows(_ seen: FeedCursors, of user: UUID) -> Bool {
        // A home that is gone was in the person's list, whose log the hub still has.
        knows(seen.account, .account(user))
            && seen.homes.allSatisfy { homes[$0.key] == nil || knows($0.value, .home($0.key)) }
    }

    private func knows(_ cursor: FeedCursors.Cursor, _ log: LogID) -> Bool {
        cursor.revision == 0 || (lineages[log] == cursor.lineage && cursor.revision <= revisions[log] ?? 0)
    }
}
