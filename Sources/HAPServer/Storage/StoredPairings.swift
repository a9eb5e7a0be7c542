internal import HAP

/// The paired controllers, and how often a wrong setup code was tried since the last success.
struct StoredPairings: StoredContent {
    static let document = StorageDocument.pairings

    private(set) var format = StorageFormat.first
    var pairings: [Pairing] = []
    var failedTries = 0
}
