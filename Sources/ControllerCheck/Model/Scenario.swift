/// A way in which the accessory behaves, and what a controller must make of it.
package struct Scenario: Sendable {
    /// What kind of accessory it is.
    package enum Kind: String, Sendable, CaseIterable {
        /// A good bridge, or one that does what HAP allows and few accessories do.
        case lenient
        /// A good bridge that refuses everything that isn't exactly as HAP says.
        case strict
        /// An accessory that breaks HAP, or an attacker in its place.
        case hostile
    }

    /// The name, which never changes.
    package let name: String
    /// What kind of accessory it is.
    package let kind: Kind
    /// What the accessory does, in a sentence.
    package let summary: String
    /// The checks.
    package let checks: [ControllerCheck]
    /// Whether the lie comes during pair-setup, so that the controller can't pair.
    let refusesPairing: Bool
    /// Whether the accessory must be advertised.
    let needsAdvertising: Bool

    /// Returns how an accessory behaves. It is called for each run, because behavior has state.
    let behavior: @Sendable (Setting) -> Behavior

    init(
        _ name: String,
        _ kind: Kind,
        _ summary: String,
        refusesPairing: Bool = false,
        needsAdvertising: Bool = false,
        checks: [ControllerCheck],
        behavior: @escaping @Sendable (Setting) -> Behavior = { _ in Behavior() }
    ) {
        self.name = name
        self.kind = kind
        self.summary = summary
        self.checks = checks
        self.refusesPairing = refusesPairing
        self.needsAdvertising = needsAdvertising
        self.behavior = behavior
    }

    /// What the controller, or the person at it, is to do.
    package var task: String {
        refusesPairing
            ? "Pair. The controller should refuse this accessory."
            : "Pair, list the accessories, read and subscribe to the lamp, switch it on and off, and unpair."
    }
}
