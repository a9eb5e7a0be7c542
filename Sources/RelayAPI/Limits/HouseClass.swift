/// The class of a house, which has a quota.
package enum HouseClass: String, Hashable, Sendable, CaseIterable {
    /// The homes of one household.
    case home

    /// The quota.
    package var quota: HouseQuota {
        switch self {
        case .home: .home
        }
    }
}
