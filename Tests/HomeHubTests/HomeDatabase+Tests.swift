import Foundation
import HomeModel
import HomeStore
import Logging

@testable import HomeHub

extension HomeDatabase {
    /// Whose the databases of tests are.
    static let testOwner = UserRecord(id: UUID(), name: "Tester", role: .owner)

    /// A database without a hub around it.
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
