package import Foundation
package import HAPCatalog
package import HomeModel

/// The facts about a home that its conditions depend on.
package struct Circumstances {
    /// The time.
    package var now: Date
    /// The time zone in which times of day and days are meant.
    package var timeZone: TimeZone
    /// The home's place; `nil` if it isn't known.
    package var place: Place?
    /// The home's users.
    package var users: [UUID]
    /// A closure that returns a characteristic's last known value.
    package var value: (CharacteristicIdentity) -> CharacteristicValue?
    /// A closure that returns whether a user is at home; `nil` if it was never reported.
    package var isHome: (UUID) -> Bool?

    /// Creates the facts.
    package init(
        now: Date,
        timeZone: TimeZone,
        place: Place?,
        users: [UUID],
        value: @escaping (CharacteristicIdentity) -> CharacteristicValue?,
        isHome: @escaping (UUID) -> Bool?
    ) {
        self.now = now
        self.timeZone = timeZone
        self.place = place
        self.users = users
        self.value = value
        self.isHome = isHome
    }
}
