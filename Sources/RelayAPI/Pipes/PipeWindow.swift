/// How many bytes one end of a pipe may still send until the other has given room for more.
package struct PipeWindow: Hashable, Sendable {
    /// The number of bytes.
    package private(set) var credit: Int
    private let maximum: Int

    /// Creates the window of a new pipe.
    package init(_ maximum: Int = RelayLimits.pipeCredit) {
        credit = maximum
        self.maximum = maximum
    }

    /// Uses credit. Returns `false`, and changes nothing, if it doesn't suffice.
    package mutating func use(_ count: Int) -> Bool {
        guard count <= credit else { return false }
        credit -= count
        return true
    }

    /// Adds credit. Returns `false`, and changes nothing, if the other end can't have had as much.
    package mutating func add(_ count: Int) -> Bool {
        guard count > 0, count <= maximum - credit else { return false }
        credit += count
        return true
    }
}
