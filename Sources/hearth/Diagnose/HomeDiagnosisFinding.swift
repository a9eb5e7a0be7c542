import HubAPI

/// A problem of the home or a note about it, reported once for all affected accessories.
struct HomeDiagnosisFinding: Encodable, Hashable, Sendable {
    /// An ``AccessoryTrouble``, a ``DiscoveryFinding/Code``, or a code of the home's own.
    var code: String
    /// Whether something doesn't work because of the finding. Otherwise it is a note.
    var isProblem: Bool
    /// The observation, in a sentence.
    var text: String
    /// The next step, in a sentence.
    var advice: String
    /// The affected accessories. A bridge stands for its bridged accessories.
    var accessories: [String] = []

    /// Creates a finding from one of the discovery check.
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

    /// Creates a finding from a problem that accessories share.
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
