public import Foundation

/// What shows that its holder owns an accessory, made by the accessory's maker for the maker's own app.
///
/// The hub has no use for it: accessories are told that they are owned by means that only Apple's systems have.
///
/// - Since: iOS 13.0
public final class HMAccessoryOwnershipToken: NSObject, Sendable {
    /// The token's bytes.
    let data: Data

    /// Makes a token of its bytes; nil if there are none.
    ///
    /// - Since: iOS 13.0
    public init?(data: Data) {
        guard !data.isEmpty else { return nil }
        self.data = data
    }

    /// Whether the other is the same token.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HMAccessoryOwnershipToken)?.data == data }

    /// Equal for equal tokens.
    public override var hash: Int { data.hashValue }
}
