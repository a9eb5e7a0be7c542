/// The counts of interfaces that are gone, so that their counts continue when they return.
struct MessageCountHistory {
    /// The maximum number of interfaces. The counts of further ones are lost.
    static let limit = 256

    private var counts: [String: InterfaceMessages] = [:]

    /// Adds the counts of an interface that is no longer used.
    mutating func add(_ messages: InterfaceMessages, on interface: String) {
        guard counts[interface] != nil || counts.count < Self.limit else { return }
        counts[interface] = counts[interface, default: InterfaceMessages()] + messages
    }

    /// Returns the counts of all interfaces, including those in use.
    func total(with current: [String: InterfaceMessages]) -> [String: InterfaceMessages] {
        counts.merging(current) { $0 + $1 }
    }
}
