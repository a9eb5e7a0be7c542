/// Something that reads bytes from outside, and what holds of it whatever the bytes are.
///
/// The fuzzer runs a target with inputs that it makes up, the tests run it with those that were kept.
package struct FuzzTarget: Sendable, CustomStringConvertible {
    /// The target's name, and that of the folder of its kept inputs.
    package let name: String
    /// The longest input that is worth a try, in bytes.
    package let maximumLength: Int
    private let property: @Sendable ([UInt8]) throws(Violation) -> Bool

    /// Creates a target.
    ///
    /// - Parameter property: Takes an input, throws if something does not hold, and says whether the input was one
    ///   that a reader takes, at least in part.
    init(
        _ name: String,
        maximumLength: Int,
        property: @escaping @Sendable ([UInt8]) throws(Violation) -> Bool
    ) {
        self.name = name
        self.maximumLength = maximumLength
        self.property = property
    }

    /// Tries an input. Says whether it was one that a reader takes, at least in part.
    package func run(_ input: [UInt8]) throws(Violation) -> Bool {
        try property(input)
    }

    package var description: String { name }
}

extension FuzzTarget {
    /// Every target.
    package static let all: [FuzzTarget] = [
        .tlv8, .frames, .httpRequests, .httpResponses, .json, .jsonBodies, .queries, .texts, .pairSetup, .pairVerify,
        .pairings, .accessoryFiles, .archives, .scenarios, .controllerFiles, .dnsMessages, .dnsNode, .hubMessages,
        .exports,
    ]
}

/// Something did not hold.
package struct Violation: Error, CustomStringConvertible {
    /// What should have held.
    package let description: String
}

/// Throws unless a condition holds.
func hold(_ condition: Bool, _ what: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(description: what()) }
}
