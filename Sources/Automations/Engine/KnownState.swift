package import Foundation
package import HAPCatalog
package import HomeModel

/// What is known about homes when an event happens, for the conditions of their triggers.
package struct KnownState {
    /// A closure that returns the last known value of a characteristic of a home.
    package var value: (_ home: UUID, _ characteristic: CharacteristicIdentity) -> CharacteristicValue?
    /// A closure that returns whether a user of a home is at home; `nil` if it was never reported.
    package var isHome: (_ home: UUID, _ user: UUID) -> Bool?

    /// Creates a state from two closures.
    package init(
        value: @escaping (_ home: UUID, _ characteristic: CharacteristicIdentity) -> CharacteristicValue?,
        isHome: @escaping (_ home: UUID, _ user: UUID) -> Bool?
    ) {
        self.value = value
        self.isHome = isHome
    }

    /// A state in which nothing is known.
    package static var nothing: KnownState { KnownState(value: { _, _ in nil }, isHome: { _, _ in nil }) }
}
