/// A characteristic of an accessory in a hub's home, as actions and events refer to it.
struct BenchCharacteristic: Sendable {
    var home: String
    var accessory: String
    var accessoryName: String
    var id: String
    var type: String

    /// The reference in the hub's protocol.
    var json: String { #"{"accessory":"\#(accessory)","characteristic":"\#(id)","type":"\#(type)"}"# }
}
