import Foundation
import HAPCatalog
import HomeModel

/// A ``HMCharacteristicWriteAction`` with any generic argument.
protocol WriteAction: HMAction {
    /// The characteristic to write.
    var characteristic: HMCharacteristic { get }

    /// Returns the request that adds the action to an action set. Throws if the characteristic is in another home, or if
    /// it can't have such a value.
    func request(for actionSet: UUID, in home: HomeReference) throws(HMError) -> AddAction

    /// Makes the object show the action of an action set that it was added to.
    func join(_ place: ActionPlace)
}

/// The action set that an action is in.
struct ActionPlace: Sendable {
    /// The action set's reference to its home.
    var homeReference: HomeReference
    /// The action set.
    var actionSet: UUID

    /// Returns the value that an action of the action set writes, or `nil` if it isn't in it.
    func value(of action: UUID) -> CharacteristicValue? {
        homeReference.read { home in
            guard let found = home.actionSet(actionSet)?.actions.first(where: { $0.id == action }),
                case .write(_, let value) = found.operation
            else { return nil }
            return value
        }
    }
}
