import Foundation
import HomeIdentity
import RelayAPI

/// Requests to append entries that are written together: one statement for the first entry of each feed, one for the second
/// ones, and so on, in one transaction.
struct AppendBatch: Sendable {
    /// What became of each request.
    typealias Results = [Result<[AppendResult], RelayStoreError>]

    /// The requests. Each feed occurs in one of them.
    let waiting: [AppendQueue.Waiting]

    init(_ waiting: [AppendQueue.Waiting]) {
        self.waiting = waiting
    }

    /// An entry, and which of its request's it is.
    private struct Item {
        var request: Int
        var index: Int
    }

    /// How often an entry is tried that another process's got ahead of.
    private static let attempts = 8

    /// Tells everybody what became of their requests.
    func complete(_ outcome: Result<Results, RelayStoreError>) {
        switch outcome {
        case .success(let results): for (one, result) in zip(waiting, results) { one.complete(result) }
        case .failure(let error): for one in waiting { one.complete(.failure(error)) }
        }
    }

    /// Writes the entries. Once this returns, those that were appended are on the disk.
    func run(_ connection: PostgresConnection) throws -> Results {
        do {
            return try runTogether(connection)
        } catch let failure as PostgresFailure where failure.kind == .other && waiting.count > 1 {
            // What is wrong with one request is nobody else's affair.
            return try waiting.flatMap { one in
                do {
                    return try AppendBatch([one]).runTogether(connection)
                } catch let failure as PostgresFailure where failure.kind == .other {
                    return [.failure(failure.storeError(at: connection.place))]
                }
            }
        }
    }

    private func runTogether(_ connection: PostgresConnection) throws -> Results {
        let rounds = rounds()
        var appended: [[Bool]] = waiting.map { [Bool](repeating: false, count: $0.request.entries.count) }
        if rounds.count == 1 {
            try append(rounds[0], &appended, connection)
        } else {
            try connection.transaction {
                for round in rounds { try append(round, &appended, connection) }
            }
        }
        return try waiting.indices.map { request in
            do {
                return .success(try results(of: request, appended[request], connection))
            } catch let error as RelayStoreError where error == .notFound {
                return .failure(error)
            }
        }
    }

    /// The entries by their place among those of their feed.
    private func rounds() -> [[Item]] {
        var rounds: [[Item]] = []
        for (request, waiting) in waiting.enumerated() {
            var counts: [FeedID: Int] = [:]
            for (index, entry) in waiting.request.entries.enumerated() {
                let round = counts[entry.header.feed, default: 0]
                counts[entry.header.feed] = round + 1
                if round == rounds.count { rounds.append([]) }
                rounds[round].append(Item(request: request, index: index))
            }
        }
        return rounds
    }

    /// Runs the statement for entries of different feeds.
    private func append(_ items: [Item], _ appended: inout [[Bool]], _ connection: PostgresConnection) throws {
        let all = items.map { item in (waiting[item.request].request, waiting[item.request].request.entries[item.index])
        }
        let rows = try connection.run(
            .append,
            [
                .byteArrays(all.map { $0.0.house.data }), .byteArrays(all.map { $0.1.header.feed.data }),
                .byteArrays(all.map { $0.0.key.data }), .numbers(all.map { $0.1.header.seq - 1 }),
                .byteArrays(all.map { $0.1.header.prev.data }), .numbers(all.map { $0.1.header.term }),
                .numbers(all.map { $0.1.header.generation }), .numbers(all.map { Int64($0.1.header.part) }),
                .numbers(all.map { Int64($0.1.header.parts) }), .booleans(all.map { $0.1.header.isBase }),
                .byteArrays(all.map { $0.1.hash.data }), .byteArrays(all.map { $0.1.bytes }),
                .numbers(all.map { $0.0.time }),
            ]
        )
        guard rows.count > 0 else { return }
        var places: [AppendQueue.Place: Item] = [:]
        for (item, (request, entry)) in zip(items, all) {
            places[AppendQueue.Place(house: request.house, feed: entry.header.feed)] = item
        }
        for row in 0..<rows.count {
            guard let house = rows.data(row, 0).flatMap({ HouseID($0) }),
                let feed = rows.data(row, 1).flatMap({ FeedID($0) }),
                let item = places[AppendQueue.Place(house: house, feed: feed)]
            else { continue }
            appended[item.request][item.index] = true
        }
    }

    // MARK: Entries that weren't appended

    private func results(
        of index: Int,
        _ appended: [Bool],
        _ connection: PostgresConnection
    ) throws -> [AppendResult] {
        try zip(waiting[index].request.entries, appended).enumerated().map { position, pair in
            let (entry, isAppended) = pair
            return isAppended
                ? .appended(seq: entry.header.seq)
                : try explain(entry, Item(request: index, index: position), connection)
        }
    }

    /// Finds out why an entry wasn't appended, and appends it if nothing stands in its way any more.
    private func explain(_ entry: CheckedEntry, _ item: Item, _ connection: PostgresConnection) throws -> AppendResult {
        let request = waiting[item.request].request
        for _ in 0..<Self.attempts {
            let houseClass = try Access.requireOwner(request.key, of: request.house, connection)
            guard let row = try Access.row(of: entry.header.feed, in: request.house, connection) else {
                return .refused(.notFound)
            }
            let next: FeedRow?
            do throws(RelayError) {
                next = try row.appending(entry, quota: houseClass.quota)
            } catch {
                return .refused(error)
            }
            guard next != nil else {
                // The answer to an earlier request may have been lost.
                let stored = try connection.run(
                    .entry,
                    [
                        .bytes(request.house.bytes), .bytes(entry.header.feed.bytes), .number(entry.header.seq),
                    ]
                )
                let isStored = stored.count == 1 && stored.data(0, 0) == entry.bytes
                return isStored ? .appended(seq: entry.header.seq) : .conflict(row.position)
            }
            var appended = waiting.map { [Bool](repeating: false, count: $0.request.entries.count) }
            try append([item], &appended, connection)
            if appended[item.request][item.index] { return .appended(seq: entry.header.seq) }
        }
        throw RelayStoreError.failure("Other processes write to the same feed without end.")
    }
}
