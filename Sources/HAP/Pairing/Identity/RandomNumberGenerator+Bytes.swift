extension RandomNumberGenerator {
    /// Returns `count` random bytes: eight from each number of the generator, least significant first.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let word = next()
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0.prefix(count - bytes.count)) }
        }
        return bytes
    }
}
