package import Consensus
import HAP
import HomeIdentity
import SealedFeed

/// The keys of a pair of hubs: the newest seals, and each opens what it has sealed.
///
/// A sealed content is a version, the key's generation, a salt, and the ciphertext. The batch's position is authenticated, so
/// that nobody without the key can move a batch to another place or term.
package struct BatchKeys: Hashable, Sendable, Codable {
    /// The maximum number of keys. Adding one beyond it removes the oldest.
    package static let maximumCount = 4
    /// The number of bytes by which sealed content is longer than content.
    package static let overheadBytes = 1 + 8 + FeedLimits.saltByteCount + FeedLimits.tagByteCount
    /// The maximum size of a batch's content, in bytes.
    package static let contentBytes = ConsensusLimits.batchBytes - overheadBytes
    private static let version: UInt8 = 1

    /// The keys, by generation.
    package private(set) var keys: [BatchKey]

    /// Creates keys with a first one.
    package init(_ first: BatchKey = BatchKey(generation: 1)) {
        keys = [first]
    }

    /// Adds a key, unless there is one of its generation or a later one.
    package mutating func add(_ key: BatchKey) {
        guard let newest = keys.last, key.generation > newest.generation else { return }
        keys.append(key)
        keys.removeFirst(max(0, keys.count - Self.maximumCount))
    }

    /// Adds a random key.
    package mutating func renew() {
        add(BatchKey(generation: (keys.last?.generation ?? 0) + 1))
    }

    /// Encrypts a batch's content with the newest key.
    package func seal(_ content: [UInt8], at position: BatchPosition) -> [UInt8] {
        seal(content, authenticating: [position.place, position.term])
    }

    /// Encrypts a piece of a base with the newest key.
    func seal(piece: [UInt8], number: Int, of count: Int, at position: BatchPosition) -> [UInt8] {
        seal(piece, authenticating: [position.place, position.term, number, count])
    }

    /// - Parameter numbers: What is authenticated beside the header. Batches and pieces of bases have different numbers of them.
    private func seal(_ content: [UInt8], authenticating numbers: [Int]) -> [UInt8] {
        guard let key = keys.last else { preconditionFailure("there is always a key") }
        var generator = SystemRandomNumberGenerator()
        let salt = generator.bytes(FeedLimits.saltByteCount)
        var header = FieldWriter(bytes: [Self.version])
        header.add(key.generation)
        let authenticated = Self.authenticated(header.bytes, numbers)
        return header.bytes + salt + key.key.seal(content, salt: salt, for: .batch, authenticating: authenticated)
    }

    /// Decrypts a batch's content. Returns `nil` if it was sealed with another key or for another position.
    package func open(_ batch: Batch) -> [UInt8]? {
        open(batch.bytes, authenticating: [batch.position.place, batch.position.term])
    }

    /// Decrypts a piece of a base. Returns `nil` if it was sealed with another key, or is another piece.
    func open(piece: [UInt8], number: Int, of count: Int, at position: BatchPosition) -> [UInt8]? {
        open(piece, authenticating: [position.place, position.term, number, count])
    }

    private func open(_ bytes: [UInt8], authenticating numbers: [Int]) -> [UInt8]? {
        guard bytes.first == Self.version else { return nil }
        var reader = FieldReader(rest: bytes.dropFirst())
        guard let generation = reader.number(), let key = keys.last(where: { $0.generation == generation }),
            bytes.count >= Self.overheadBytes
        else { return nil }
        let salt = Array(reader.rest.prefix(FeedLimits.saltByteCount))
        let header = Array(bytes.prefix(1 + 8))
        return key.key.open(
            Array(reader.rest.dropFirst(FeedLimits.saltByteCount)),
            salt: salt,
            for: .batch,
            authenticating: Self.authenticated(header, numbers)
        )
    }

    private static func authenticated(_ header: [UInt8], _ numbers: [Int]) -> [UInt8] {
        var writer = FieldWriter(bytes: header)
        for number in numbers { writer.add(number) }
        return writer.bytes
    }
}

extension BatchKeys {
    /// Reads keys. Their generations must increase.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        keys = try container.decode([BatchKey].self)
        guard let first = keys.first, first.generation >= 1, keys.count <= Self.maximumCount,
            zip(keys, keys.dropFirst()).allSatisfy({ $0.generation < $1.generation })
        else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The keys of batches are invalid.")
        }
    }

    /// Writes the keys.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(keys)
    }
}
