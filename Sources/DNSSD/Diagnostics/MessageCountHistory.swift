/// What went over interfaces until they went away, so that their counts go on when they come back.
struct MessageCountHistory {
    /// The most interfaces that are remembered; what went over further ones is forgotten with them.
    static let limit = 256

    private var counts: [String: InterfaceMessages] = [:]

    /// An interface is used no longer.
    mutating func add(_ messages: InterfaceMessages, on interface: String) {
        guard counts[interface] != nil || counts.count < Self.limit else { return }
        counts[interface] = counts[interface, default: InterfaceMessages()] + messages
    }

    /// The counts of all interfaces, those in use included.
    func total(with present: [String: InterfaceMessages]) -> [String: InterfaceMessages] {
        counts.merging(present) { $0 + $1 }
    }
}
