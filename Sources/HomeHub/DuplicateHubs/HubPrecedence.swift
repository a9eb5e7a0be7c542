import Foundation
import HomeStore
import HubAPI

/// The precedence of this hub's data folder, as stored there, and whether another hub has superseded it.
struct HubPrecedence: Sendable {
    /// A stored record that another hub has superseded this one.
    private struct Supersession: Codable {
        /// The other hub's ``HubClaim/Rank/generation``.
        var generation: Int
        /// The sentence that described the other hub.
        var reason: String
    }

    /// The rank of this run.
    let rank: HubClaim.Rank
    private let store: HomeStore

    /// Starts a run of the hub.
    ///
    /// - Throws: `hubSuperseded` if another hub has superseded this one, with what was known about it.
    static func start(in store: HomeStore, now: Date) async throws -> HubPrecedence {
        if let supersession = try await supersession(in: store) {
            throw HubError(.hubSuperseded, "\(supersession.reason) \(advice(store.directory))")
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

    /// Returns the error with which this hub stops when another one takes precedence.
    func error(because reason: String) -> HubError {
        HubError(.hubSuperseded, "\(reason) \(Self.advice(store.directory))")
    }

    /// Stores that another hub has superseded this one, for the next start.
    func recordSupersession(by other: HubClaim.Rank, because reason: String) async throws {
        let supersession = Supersession(generation: other.generation, reason: reason)
        let text = String(decoding: try JSONEncoder().encode(supersession), as: UTF8.self)
        try await store.setMetadata(text, for: .succession)
    }

    /// Gives a store's hub precedence over every hub that it knows of.
    static func claim(_ store: HomeStore, now: Date) async throws {
        let own = try await store.metadata(.generation).flatMap { Int($0) } ?? 0
        let other = try await supersession(in: store)?.generation ?? 0
        try await store.setMetadata("\(max(own + 1, other + 1, now.millisecondsSince1970))", for: .generation)
        try await store.setMetadata(nil, for: .succession)
    }

    private static func supersession(in store: HomeStore) async throws -> Supersession? {
        guard let text = try await store.metadata(.succession) else { return nil }
        return try? JSONDecoder().decode(Supersession.self, from: Data(text.utf8))
    }

    private static func advice(_ folder: URL) -> String {
        "The data in \(folder.path) is unchanged. To use this hub instead, stop the other one for good and "
            + "run: hearth claim --data \(folder.path)"
    }
}

extension Date {
    fileprivate var millisecondsSince1970: Int { Int(timeIntervalSince1970 * 1_000) }
}
