import HAPClient
import HubAPI

/// A characteristic's value, and when it came from the accessory.
struct ArrivedValue: Sendable {
    var update: ValueUpdate
    var arrival: Arrival
}
