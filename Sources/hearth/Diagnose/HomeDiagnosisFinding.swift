import HubAPI

/// Something that is the matter with a house: said once, of all that it concerns.
struct HomeDiagnosisFinding: Encodable, Hashable, Sendable {
    /// What was recognised: a ``AccessoryTrouble``, a ``DiscoveryFinding/Code``, or a code of the house's own.
    var code: String
    /// Whether something does not work because of it; otherwise it is worth knowing.
    var isProblem: Bool
    /// What was seen.
    var text: String
    /// What to do about it.
    var advice: String
    /// The accessories that it concerns, of a bridge the bridge alone.
    var accessories: [String] = []

    /// Takes over what was found around the hub.
    init(_ finding: DiscoveryFinding) {
        code = finding.code.rawValue
        isProblem = finding.isProblem
        text = finding.interface.map { "\($0): \(finding.text)" } ?? finding.text
        advice = finding.advice
    }

    init(_ code: String, isProblem: Bool, _ text: String, advice: String, accessories: [String] = []) {
        self.code = code
        self.isProblem = isProblem
        self.text = text
        self.advice = advice
        self.accessories = accessories
    }

    /// A trouble that some accessories share.
    init(_ trouble: AccessoryTrouble, isProblem: Bool, text: String? = nil, of accessories: [String]) {
        self.init(
            trouble.rawValue,
            isProblem: isProblem,
            text ?? trouble.statement(),
            advice: trouble.advice,
            accessories: accessories
        )
    }
}
