import Foundation
import HomeStore
import SealedFeed

/// The last runs of the hub: a random ID for each start from its data folder.
///
/// What the hub writes to feeds has the ID of its run. An entry of another run was written from a copy of the folder, also if
/// it says what this hub would have said.
struct FeedRuns: Hashable {
    /// The maximum number of runs. A crash leaves behind what one of the last runs has written.
    static let maximumCount = 256

    /// The IDs, the newest last.
    private let ids: [UUID]
    /// The run that has begun.
    let current: UUID

    /// Begins a run, and stores it before it writes anything.
    static func begin(in store: HomeStore) async throws -> FeedRuns {
        let text = try await store.metadata(.feedRuns)
        let former = try text.map { try JSONDecoder().decode([UUID].self, from: Data($0.utf8)) } ?? []
        let current = UUID()
        let ids = Array(former.suffix(maximumCount - 1)) + [current]
        try await store.setMetadata(String(decoding: try JSONEncoder().encode(ids), as: UTF8.self), for: .feedRuns)
        return FeedRuns(ids: ids, current: current)
    }

    private init(ids: [UUID], current: UUID) {
        self.ids = ids
        self.current = current
    }

    /// Returns whether a content was written from this folder. Former versions didn't say by which run.
    func contain(_ content: FeedContent) -> Bool { content.run.map(ids.contains) ?? true }
}
