import Foundation
import HomeModel
import HomeStore
import HubAPI

/// The stored last run of an action set or a trigger.
struct RunState: Codable {
    /// When it was, in milliseconds since 1970.
    var last: Int64

    /// Creates the state of a run.
    init(last: Date) {
        self.last = last.milliseconds
    }

    /// Decodes stored bytes; `nil` if they are of another version.
    init?(_ bytes: [UInt8]) {
        guard let state = try? JSONDecoder().decode(RunState.self, from: Data(bytes)) else { return nil }
        self = state
    }

    /// The form that is stored.
    var bytes: [UInt8] { Array(#"{"last":\#(last)}"#.utf8) }

    /// Returns the update that tells clients.
    func update(of key: StateKey) -> RunUpdate {
        RunUpdate(home: key.home, id: key.id, isRunning: false, last: Date(milliseconds: last))
    }
}
