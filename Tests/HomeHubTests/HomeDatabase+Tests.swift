import Foundation
import HomeModel
import HomeStore
import Logging

@testable import HomeHub

extension HomeDatabase {
    /// The owner of the databases in tests.
    static let testOwner = UserRecord(id: UUID(), name: "Tester", role: .owner)

    /// Returns a database without a hub.
    static func loaded(from folder: URL) async throws -> HomeDatabase {
        try await HomeDatabase(
            store: try await HomeStore.open(at: folder.appending(path: "hub")),
            activities: ActivityStream(),
            owner: testOwner,
            now: { Date() },
            log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
    }
}
