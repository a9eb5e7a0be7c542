import Foundation
import Synchronization

/// What a writer knows of the entries that were acknowledged.
final class Acknowledged: Sendable {
    // This is a class because the writer and the test share it.

    private let entries = Mutex<[Data]>([])

    var all: [Data] { entries.withLock { $0 } }

    func add(_ entry: Data) { entries.withLock { $0.append(entry) } }
}
