/// The ID of an advertisement within one ``MulticastDNS``.
struct RegistrationID: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt64
}

extension RegistrationID: Comparable {
    static func < (left: RegistrationID, right: RegistrationID) -> Bool {
        left.rawValue < right.rawValue
    }
}
