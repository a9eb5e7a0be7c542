import Foundation
import HTTPTypes
import HomeIdentity
import RelayAPI
import WebServer

/// Appends and reads entries.
struct EntryEndpoint: Sendable {
    /// The header with the number of a feed's last entry.
    static let sequence = "Hearth-Seq"

    let store: any RelayStore
    let gate: RequestGate
    let live: LiveRegistry
    let waiters: FeedWaiters
    let metrics: RelayMetrics
    let clock: any Clock<Duration>
    let recheckTime: Duration

    /// Appends entries.
    func append(to house: HouseID, _ call: inout RelayCall) async throws -> HTTPAnswer {
        let quota: HouseQuota
        if let known = gate.quota(of: house, for: call.key) {
            quota = known
        } else {
            quota = try await store.houseClass(of: house, as: call.key).quota
        }
        let request = try AppendRequest(decoding: try await call.body(upTo: RelayLimits.appendBytes))
        try gate.countWrites(request.items.count, of: house, quota, at: call.now)
        var results: [AppendResult?] = []
        var entries: [CheckedEntry] = []
        for item in request.items {
            do throws(RelayError) {
                entries.append(try CheckedEntry(item, in: house))
                results.append(nil)
            } catch {
                results.append(.refused(error))
            }
        }
        var stored: IndexingIterator<[AppendResult]>
        do throws(RelayStoreError) {
            stored = try await store.append(entries, to: house, as: call.key, at: call.now).makeIterator()
            gate.note(call.key, of: house, quota)
        } catch {
            if error == .notFound { gate.note(nil, of: house, quota) }
            throw error
        }
        let all = results.map { $0 ?? stored.next() ?? .refused(.notFound) }
        metrics.count(all)
        var reached: [FeedID: Int64] = [:]
        for (item, result) in zip(request.items, all) {
            if case .appended(let seq) = result { reached[item.feed] = max(seq, reached[item.feed] ?? 0) }
        }
        for (feed, seq) in reached {
            let place = FeedPlace(house: house, feed: feed)
            waiters.wake(place)
            live.wake(place, seq: seq)
        }
        return HTTPAnswer(encoding: AppendReply(all))
    }

    /// Returns entries, and waits for them if the caller wants it.
    func entries(_ place: FeedPlace, _ call: RelayCall) async throws -> HTTPAnswer {
        guard let after = try call.number("after") else { throw RelayError.malformed("“after” must be a number.") }
        let limit = Int(try call.number("limit") ?? Int64(RelayLimits.entriesPerPage))
        guard (1...RelayLimits.entriesPerPage).contains(limit) else {
            throw RelayError.malformed("“limit” must be 1 to \(RelayLimits.entriesPerPage).")
        }
        let seconds = Int(try call.number("wait") ?? 0)
        guard (0...RelayLimits.waitSeconds).contains(seconds) else {
            throw RelayError.malformed("“wait” must be at most \(RelayLimits.waitSeconds) seconds.")
        }
        guard seconds > 0 else {
            return try await answer(place, after: after, limit: limit, call) ?? Self.empty(after)
        }
        try gate.beginWait(of: call.key)
        defer { gate.endWait(of: call.key) }
        var rest = Duration.seconds(seconds)
        while true {
            // It begins to notice before it looks, so that no entry falls between.
            let waiter = waiters.add(to: place)
            defer { waiters.remove(waiter, from: place) }
            if let answer = try await answer(place, after: after, limit: limit, call) { return answer }
            guard rest > .zero, !waiters.isStopped else { return Self.empty(after) }
            // Another process may append, so it looks by itself too.
            let time = min(rest, recheckTime)
            let start = ContinuousClock.now
            await waiter.wait(for: time, on: clock)
            rest -= max(.milliseconds(1), min(time, ContinuousClock.now - start))
        }
    }

    /// Returns the response with entries; `nil` if there are none yet.
    private func answer(
        _ place: FeedPlace,
        after number: Int64,
        limit: Int,
        _ call: RelayCall
    ) async throws -> HTTPAnswer? {
        let page = try await store.entries(
            of: place.feed,
            in: place.house,
            after: number,
            limit: limit,
            bytes: RelayLimits.pageBytes,
            as: call.key
        )
        switch page {
        case .entries([], _): return nil
        case .entries(let entries, let position):
            return HTTPAnswer(bytes: EntryList.encode(entries), Self.headers(position.seq))
        case .dropped(let position):
            throw RelayError(.dropped, "The entries were removed. Go on with the base.", position: position)
        case .ahead(let position):
            throw RelayError(.conflict, "The feed doesn't reach that entry.", position: position)
        }
    }

    private static func empty(_ seq: Int64) -> HTTPAnswer { HTTPAnswer(bytes: Data(), headers(seq)) }

    private static func headers(_ seq: Int64) -> HTTPFields {
        var fields = HTTPFields()
        if let name = HTTPField.Name(sequence) { fields[name] = "\(seq)" }
        return fields
    }
}
