internal import HAP

/// The paired controllers, and the number of wrong setup codes since the last success.
struct StoredPairings: StoredContent {
    static let document = StorageDocument.pairings

    private(set) var format = StorageFormat.first
    var pairings: [Pairing] = []
    var failedTries = 0
}
