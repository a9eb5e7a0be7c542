import Foundation
import HAPCatalog
import HomeModel
import HubAPI

/// What a trigger's end event restores: the values from before its action sets ran.
///
/// It is stored together with the claim of the firing, so that an end event after a restart still finds it.
struct UndoState: Codable {
    /// A characteristic's value from before.
    struct Value: Codable {
        /// The characteristic.
        var characteristic: CharacteristicIdentity
        /// The value.
        var value: CharacteristicValue
    }

    private enum CodingKeys: String, CodingKey {
        case began, values
    }

    /// The home, which is part of the key in the store.
    var home = UUID()
    /// When the trigger fired last, in milliseconds since 1970.
    var began: Int64
    /// The values, in the order in which the actions wrote them.
    var values: [Value]

    /// Creates a state.
    init(home: UUID, began: Date, values: [Value]) {
        self.home = home
        self.began = began.milliseconds
        self.values = values
    }

    /// Decodes stored bytes; `nil` if they are of another version.
    init?(_ bytes: [UInt8], home: UUID) {
        guard let state = try? JSONDecoder().decode(UndoState.self, from: Data(bytes)) else { return nil }
        self = state
        self.home = home
    }

    /// The form that is stored.
    var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }
}
