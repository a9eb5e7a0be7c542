/// Tells the advertisements of one ``MulticastDNS`` apart.
struct RegistrationID: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt64
}

extension RegistrationID: Comparable {
    static func < (left: RegistrationID, right: RegistrationID) -> Bool {
        left.rawValue < right.rawValue
    }
}
