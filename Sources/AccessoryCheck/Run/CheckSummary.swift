/// What came of a run.
package struct CheckSummary: Sendable {
    /// Why a run ended early.
    package enum Problem: Error, Hashable, Sendable {
        /// Nothing answers at the address.
        case unreachable(String)
        /// The accessory isn't on the tester's own network, so it isn't attacked. Nothing was sent.
        case publicAddress(String)
        /// The accessory is paired with another controller.
        case pairedAlready
        /// The setup code is wrong. One try was spent.
        case wrongCode
        /// The pairing is unknown to the accessory.
        case unknownPairing(String)
        /// Somebody ended the run.
        case canceled
        /// The suite's own pairing could not be removed.
        case notUnpaired(String)

        /// The code for scripts.
        package var code: String {
            switch self {
            case .unreachable: "unreachable"
            case .publicAddress: "publicAddress"
            case .pairedAlready: "pairedAlready"
            case .wrongCode: "wrongSetupCode"
            case .unknownPairing: "unknownPairing"
            case .canceled: "canceled"
            case .notUnpaired: "notUnpaired"
            }
        }

        /// The problem and the next step.
        package var reason: String {
            switch self {
            case .unreachable(let detail): "The accessory can't be reached: \(detail)"
            case .publicAddress(let address):
                "Attacks go to loopback, link-local and private addresses only, and \(address) is none of these. "
                    + "Nothing was sent. Leave out --attacks."
            case .pairedAlready:
                "The accessory is paired. Unpair it, or use --pairing with the file of an existing pairing."
            case .wrongCode:
                "The accessory refuses the setup code. One of its 100 tries was used; it isn't tried again."
            case .unknownPairing(let detail): "The accessory doesn't accept the pairing: \(detail)"
            case .canceled: "The run was ended."
            case .notUnpaired(let detail):
                "The suite's pairing may still be on the accessory. Reset the accessory. Reason: \(detail)"
            }
        }
    }

    /// The results, in the order of the checks.
    package var results: [CheckResult] = []
    /// The accessory's state before the run.
    package internal(set) var before: [String] = []
    /// The accessory's state after the run.
    package internal(set) var after: [String] = []
    /// Why the run ended early, if it did.
    package internal(set) var problems: [Problem] = []

    /// Creates a summary without results.
    package init() {}

    /// Returns the number of results that fail the run.
    package func failureCount(isStrict: Bool) -> Int {
        results.count { $0.isFailure(isStrict: isStrict) }
    }
}
