/// Code that reads untrusted bytes, with its invariants for any input.
///
/// The fuzzer runs a target with generated inputs; the tests run it with the stored corpus.
package struct FuzzTarget: Sendable, CustomStringConvertible {
    /// The name of the target and of its corpus folder.
    package let name: String
    /// The maximum useful length of an input, in bytes.
    package let maximumLength: Int
    private let property: @Sendable ([UInt8]) throws(Violation) -> Bool

    /// Creates a target.
    ///
    /// - Parameter property: A closure that runs an input, throws if an invariant is violated, and returns whether a
    ///   reader accepted the input, at least in part.
    init(
        _ name: String,
        maximumLength: Int,
        property: @escaping @Sendable ([UInt8]) throws(Violation) -> Bool
    ) {
        self.name = name
        self.maximumLength = maximumLength
        self.property = property
    }

    /// Runs an input. Returns whether a reader accepted it, at least in part.
    package func run(_ input: [UInt8]) throws(Violation) -> Bool {
        try property(input)
    }

    package var description: String { name }
}

extension FuzzTarget {
    /// All targets.
    package static let all: [FuzzTarget] = [
        .tlv8, .frames, .httpRequests, .httpResponses, .json, .jsonBodies, .queries, .texts, .pairSetup, .pairVerify,
        .pairings, .accessoryFiles, .archives, .scenarios, .controllerFiles, .dnsMessages, .dnsNode, .hubMessages,
        .exports, .wirelessSetup, .wyoming, .modelContext, .voice, .airPlaySessions, .airPlayPackets, .appleLossless,
        .waveFiles, .propertyLists, .airPlayPairing, .airPlaySetups, .airPlayTexts, .invitationLinks, .joinMessages,
        .sealedFeeds, .voterMessages, .hubLists, .hubListChains,
    ]
}

/// A violated invariant.
package struct Violation: Error, CustomStringConvertible {
    /// The invariant.
    package let description: String
}

/// Throws unless a condition is true.
func hold(_ condition: Bool, _ what: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(description: what()) }
}
