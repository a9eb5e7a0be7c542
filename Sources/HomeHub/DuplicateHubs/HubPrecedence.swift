import Foundation
import HomeStore
import HubAPI

/// How long this hub's data folder has been the homes' own, as it is kept there, and whether another hub has taken over.
struct HubPrecedence: Sendable {
    /// That another hub has taken over, as it is kept for the next start.
    private struct Supersession: Codable {
        /// The other hub's ``HubClaim/Rank/generation``.
        var generation: Int
        /// What was said about it.
        var reason: String
    }

    /// The rank of this start.
    let rank: HubClaim.Rank
    private let store: HomeStore

    /// Begins a start of the hub.
    ///
    /// - Throws: `hubSuperseded` when another hub has taken over the homes since, with what was known of it.
    static func begin(in store: HomeStore, now: Date) async throws -> HubPrecedence {
        if let succession = try await succession(in: store) {
            throw HubError(.hubSuperseded, "\(succession.reason) \(advice(store.directory))")
        }
        let last = try await store.metadata(.lastStart).flatMap { Int($0) } ?? 0
        let start = max(last + 1, now.millisecondsSince1970)
        try await store.setMetadata("\(start)", for: .lastStart)
        let generation = try await store.metadata(.generation).flatMap { Int($0) } ?? 0
        return HubPrecedence(
            rank: HubClaim.Rank(generation: generation, start: start, run: .random(in: 0...(.max))),
            store: store
        )
    }

    /// What this hub ends with when another one has taken over.
    func end(because reason: String) -> HubError {
        HubError(.hubSuperseded, "\(reason) \(Self.advice(store.directory))")
    }

    /// Keeps that another hub has taken over, for the next start.
    func keep(_ rival: HubClaim.Rank, because reason: String) async throws {
        let succession = Supersession(generation: rival.generation, reason: reason)
        let text = String(decoding: try JSONEncoder().encode(succession), as: UTF8.self)
        try await store.setMetadata(text, for: .succession)
    }

    /// Makes a store's hub the one that goes on: in place of every one that it knows of.
    static func claim(_ store: HomeStore, now: Date) async throws {
        let own = try await store.metadata(.generation).flatMap { Int($0) } ?? 0
        let other = try await succession(in: store)?.generation ?? 0
        try await store.setMetadata("\(max(own + 1, other + 1, now.millisecondsSince1970))", for: .generation)
        try await store.setMetadata(nil, for: .succession)
    }

    private static func succession(in store: HomeStore) async throws -> Supersession? {
        guard let text = try await store.metadata(.succession) else { return nil }
        return try? JSONDecoder().decode(Supersession.self, from: Data(text.utf8))
    }

    private static func advice(_ folder: URL) -> String {
        "The data in \(folder.path) were left as they are. If this hub is to go on instead, stop the other one for good and "
            + "run: hearth claim --data \(folder.path)"
    }
}

extension Date {
    fileprivate var millisecondsSince1970: Int { Int(timeIntervalSince1970 * 1_000) }
}
