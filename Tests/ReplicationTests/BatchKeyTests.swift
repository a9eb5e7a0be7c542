import Consensus
import Foundation
@testable import Replication
import SealedFeed
import Testing

/// The keys of batches.
@Suite struct BatchKeyTests {
    private static let position = BatchPosition(place: 7, term: 3)
    private static let content: [UInt8] = Array("a change".utf8)

    private func batch(_ bytes: [UInt8], place: Int = 7, term: Int = 3) -> Batch {
        Batch(BatchPosition(place: place, term: term), bytes: bytes)
    }

    @Test func `what is sealed opens at its position only`() {
        let keys = BatchKeys()
        let sealed = keys.seal(Self.content, at: Self.position)
        #expect(keys.open(batch(sealed)) == Self.content)
        #expect(keys.open(batch(sealed, place: 8)) == nil)
        #expect(keys.open(batch(sealed, term: 4)) == nil)
        #expect(BatchKeys().open(batch(sealed)) == nil)
    }

    @Test func `a piece of a state opens in its place only`() throws {
        let keys = BatchKeys()
        let sealed = keys.seal(piece: Self.content, number: 1, of: 2, at: Self.position)
        #expect(keys.open(piece: sealed, number: 1, of: 2, at: Self.position) == Self.content)
        #expect(keys.open(piece: sealed, number: 2, of: 2, at: Self.position) == nil)
        #expect(keys.open(piece: sealed, number: 1, of: 1, at: Self.position) == nil)
        #expect(keys.open(piece: sealed, number: 1, of: 2, at: BatchPosition(place: 8, term: 3)) == nil)
        #expect(keys.open(piece: sealed, number: 1, of: 2, at: BatchPosition(place: 7, term: 4)) == nil)
        #expect(keys.open(batch(sealed)) == nil, "a piece is no batch")
        let batch = keys.seal(Self.content, at: Self.position)
        #expect(keys.open(piece: batch, number: 1, of: 1, at: Self.position) == nil)
    }

    @Test func `a state has as few pieces as a relay takes`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        for (size, count) in [(1, 1), (SealedBase.contentBytes, 1), (SealedBase.contentBytes + 1, 2)] {
            let state = Data((0..<size).map { UInt8($0 % 251) })
            try state.write(to: file)
            let (keys, position) = (BatchKeys(), Self.position)
            let base = try SealedBase(file, at: position, keys)
            #expect(base.count == count)
            let pieces = try (1...count).map { try base.piece($0) }
            #expect(pieces.allSatisfy { $0.count <= SealedBase.pieceBytes })
            let opened = pieces.enumerated().compactMap { index, piece in
                keys.open(piece: piece, number: index + 1, of: count, at: position)
            }
            #expect(Data(opened.flatMap { $0 }) == state)
        }
    }

    @Test func `sealed content has the documented overhead, and is never the same twice`() {
        let keys = BatchKeys()
        let sealed = keys.seal(Self.content, at: Self.position)
        #expect(sealed.count == Self.content.count + BatchKeys.overheadBytes)
        #expect(keys.seal(Self.content, at: Self.position) != sealed)
        let largest = keys.seal([UInt8](repeating: 0, count: BatchKeys.contentBytes), at: Self.position)
        #expect(largest.count == ConsensusLimits.batchBytes)
    }

    @Test func `bytes that were changed or cut off don't open`() {
        let keys = BatchKeys()
        var sealed = keys.seal(Self.content, at: Self.position)
        for count in 0..<sealed.count { #expect(keys.open(batch(Array(sealed.prefix(count)))) == nil) }
        for index in sealed.indices {
            sealed[index] ^= 1
            #expect(keys.open(batch(sealed)) == nil)
            sealed[index] ^= 1
        }
    }

    @Test func `a new key seals, and a few old ones still open`() throws {
        var keys = BatchKeys()
        let first = keys.seal(Self.content, at: Self.position)
        for _ in 1..<BatchKeys.maximumCount { keys.renew() }
        #expect(keys.open(batch(first)) == Self.content)
        let last = keys.seal(Self.content, at: Self.position)
        keys.renew()
        #expect(keys.open(batch(first)) == nil)
        #expect(keys.open(batch(last)) == Self.content)
        #expect(keys.keys.map(\.generation) == Array(2...BatchKeys.maximumCount + 1))
        keys.add(BatchKey(generation: 3))
        #expect(keys.open(batch(last)) == Self.content)
    }

    @Test func `keys are stored and read, and nonsense is refused`() throws {
        var keys = BatchKeys()
        keys.renew()
        let data = try JSONEncoder().encode(keys)
        #expect(try JSONDecoder().decode(BatchKeys.self, from: data) == keys)
        let key = try JSONEncoder().encode(BatchKey(generation: 1))
        let text = String(decoding: key, as: UTF8.self)
        for nonsense in ["[]", "[\(text),\(text)]", "[\(text.replacingOccurrences(of: ":1", with: ":0"))]"] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(BatchKeys.self, from: Data(nonsense.utf8)) }
        }
    }
}
