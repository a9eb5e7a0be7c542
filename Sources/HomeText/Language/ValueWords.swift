package import HAPCatalog

/// The words for one value of a characteristic.
package struct ValueWords: Hashable, Sendable {
    /// The characteristic's type.
    package var type: HAPType
    /// The value; 0 and 1 for Booleans.
    package var value: Int64
    /// The value as a state: “unlocked”.
    package var state: String
    /// What the accessory does when it gets the value: “unlocks”; `nil` if there is no such verb.
    package var happens: String?
    /// What it did: “unlocked”.
    package var happened: String?
    /// What it does while it has the value, where that isn't “is” and the state: “detects motion”.
    package var does: String?
    /// What it did while it had the value: “detected motion”.
    package var did: String?
    /// The command that writes the value, with `{name}`: “unlock {name}”; `nil` if there is none.
    package var command: String?
    /// Other words that people use for the verb.
    package var otherVerbs: [String]
    /// Whether the state says enough without the characteristic's name: “Front Door is unlocked”.
    package var isPlain: Bool

    /// Creates the words for a value.
    package init(
        _ type: HAPType,
        _ value: Int64,
        _ state: String,
        happens: String? = nil,
        happened: String? = nil,
        does: String? = nil,
        did: String? = nil,
        command: String? = nil,
        otherVerbs: [String] = [],
        isPlain: Bool = true
    ) {
        self.type = type
        self.value = value
        self.state = state
        self.happens = happens
        self.happened = happened
        self.does = does
        self.did = did
        self.command = command
        self.otherVerbs = otherVerbs
        self.isPlain = isPlain
    }
}
