public import Foundation

/// A token that proves ownership of an accessory, created by the manufacturer for its own app.
///
/// The hub doesn't use it: accessories learn of ownership in ways that only Apple's systems support.
///
/// - Since: iOS 13.0
public final class HMAccessoryOwnershipToken: NSObject, Sendable {
    /// The token's bytes.
    let data: Data

    /// Creates a token from data. Returns `nil` if the data is empty.
    ///
    /// - Since: iOS 13.0
    public init?(data: Data) {
        guard !data.isEmpty else { return nil }
        self.data = data
    }

    /// Whether the other object is the same token.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HMAccessoryOwnershipToken)?.data == data }

    /// The hash value; equal tokens have equal hash values.
    public override var hash: Int { data.hashValue }
}
