internal import HAP

/// The body of `GET /accessories`, which is kept so that only the accessories that change are encoded again.
struct EncodedDatabase: Sendable {
    private var body: [UInt8] = []
    /// The range of each accessory in ``body``. Empty until the body is asked for.
    private var ranges: [Range<Int>] = []
    /// Whether each accessory has changed since.
    private var hasChanged: [Bool] = []

    /// Records that an accessory's values have changed.
    mutating func recordChange(of accessory: Int) {
        if !ranges.isEmpty { hasChanged[accessory] = true }
    }

    /// Returns the body.
    mutating func encoded(_ database: AttributeDatabase) -> [UInt8] {
        if ranges.isEmpty {
            body = AttributeDatabase.encoded(database.accessories.map { $0.encoded() }, ranges: &ranges)
            hasChanged = ranges.map { _ in false }
        }
        for index in hasChanged.indices where hasChanged[index] {
            replace(index, by: database.accessories[index].encoded())
            hasChanged[index] = false
        }
        return body
    }

    private mutating func replace(_ index: Int, by bytes: [UInt8]) {
        let former = ranges[index]
        body.replaceSubrange(former, with: bytes)
        ranges[index] = former.lowerBound..<former.lowerBound + bytes.count
        let growth = bytes.count - former.count
        guard growth != 0 else { return }
        for later in ranges.indices[(index + 1)...] {
            ranges[later] = ranges[later].lowerBound + growth..<ranges[later].upperBound + growth
        }
    }
}
