import Testing

@testable import HAP

@Suite struct FrameTests {
    @Test(arguments: HAPVectors.all.session_framing.cases)
    func framesAreThoseOfTheVector(_ vector: HAPVectors.FramingCase) throws {
        let plaintext = vector.plaintextBytes
        #expect(plaintext.count == vector.plaintext_length)
        #expect(SRPHash.hash(plaintext) == vector.plaintext_sha512.bytes)
        let key = try #require(FrameKey(vector.key.bytes))
        var sealer = FrameSealer(key: key, counter: vector.first_counter)
        let stream = try sealer.seal(plaintext)
        #expect(stream.count == vector.stream_length)
        #expect(SRPHash.hash(stream) == vector.stream_sha512.bytes)
        if let expected = vector.stream {
            #expect(stream == expected.bytes)
        }
        var opener = FrameOpener(key: key, counter: vector.first_counter)
        #expect(try opener.open(stream) == plaintext)
        // Both are now at the next counter.
        var next = FrameSealer(key: key, counter: vector.next_counter)
        let more = try sealer.seal([1])
        #expect(try more == next.seal([1]))
        #expect(try opener.open(more) == [1])
    }

    @Test func theCounterGoesOnFromMessageToMessage() throws {
        let vectors = HAPVectors.all.session_framing.cases
        let key = try #require(FrameKey(vectors[0].key.bytes))
        var sealer = FrameSealer(key: key)
        #expect(try sealer.seal(vectors[0].plaintextBytes) == vectors[0].stream?.bytes)
        #expect(try sealer.seal(vectors[1].plaintextBytes) == vectors[1].stream?.bytes)
        #expect(try sealer.seal([]).isEmpty)
    }

    @Test func everySplitGivesTheSamePlaintext() throws {
        let messages = [[UInt8](repeating: 1, count: 1), [2, 3], [UInt8](repeating: 4, count: 30)]
        let stream = try Self.stream(messages)
        for first in 0...stream.count {
            for second in stride(from: first, through: stream.count, by: 7) {
                var opener = FrameOpener(key: Self.key)
                var plaintext = try opener.open(stream[..<first])
                plaintext += try opener.open(stream[first..<second])
                plaintext += try opener.open(stream[second...])
                #expect(plaintext == Array(messages.joined()))
            }
        }
    }

    @Test func singleBytesGiveEachFrameWithItsLastByte() throws {
        let message = (0..<1500).map { UInt8(truncatingIfNeeded: $0) }
        let stream = try Self.stream([message])
        var opener = FrameOpener(key: Self.key)
        var plaintext: [UInt8] = []
        for (offset, byte) in stream.enumerated() {
            plaintext += try opener.open([byte])
            #expect(plaintext.count == (offset + 1 < 1042 ? 0 : offset + 1 < stream.count ? 1024 : 1500))
        }
        #expect(plaintext == message)
    }

    @Test(arguments: [0, 1025, 0x8000, 0xFFFF])
    func aLengthOutOfRangeIsRefusedAtOnce(_ length: Int) {
        var opener = FrameOpener(key: Self.key)
        let header = [UInt8(length & 0xFF), UInt8(length >> 8)]
        #expect(throws: FrameError.invalidLength(length)) { try opener.open(header) }
        #expect(throws: FrameError.closed) { try opener.open([]) }
    }

    @Test func aLengthIsJudgedWhenItsSecondByteIsThere() throws {
        var opener = FrameOpener(key: Self.key)
        #expect(try opener.open([0]).isEmpty)
        #expect(throws: FrameError.invalidLength(0)) { try opener.open([0]) }
    }

    @Test func whatIsRefusedAppendsNothing() throws {
        let stream = try Self.stream([[1, 2], [3]])
        var opener = FrameOpener(key: Self.key)
        var plaintext: [UInt8] = [9]
        try stream.withUnsafeBytes { bytes in
            try opener.open(UnsafeRawBufferPointer(rebasing: bytes[..<20]), appendingTo: &plaintext)
            #expect(plaintext == [9, 1, 2])
            // The second frame is whole, and another one that isn't of the session follows.
            let altered = Array(bytes[20...]) + bytes[20...]
            altered.withUnsafeBytes { altered in
                _ = #expect(throws: FrameError.authenticationFailed) {
                    try opener.open(altered, appendingTo: &plaintext)
                }
            }
        }
        #expect(plaintext == [9, 1, 2])
    }

    @Test func anyAlteredByteOfAFrameIsRefused() throws {
        let stream = try Self.stream([[10, 20, 30]])
        for position in stream.indices.dropFirst(2) {
            var altered = stream
            altered[position] ^= 0x40
            var opener = FrameOpener(key: Self.key)
            #expect(throws: FrameError.authenticationFailed) { try opener.open(altered) }
            #expect(throws: FrameError.closed) { try opener.open(stream) }
        }
    }

    @Test func aShortenedLengthIsRefused() throws {
        // The tag would be read from within the ciphertext, and the length is authenticated too.
        var stream = try Self.stream([[10, 20, 30]])
        stream[0] = 2
        var opener = FrameOpener(key: Self.key)
        #expect(throws: FrameError.authenticationFailed) { try opener.open(stream) }
    }

    @Test func aRepeatedFrameIsRefused() throws {
        let frame = try Self.stream([[1]])
        var opener = FrameOpener(key: Self.key)
        #expect(try opener.open(frame) == [1])
        #expect(throws: FrameError.authenticationFailed) { try opener.open(frame) }
    }

    @Test func swappedAndMissingFramesAreRefused() throws {
        var sealer = FrameSealer(key: Self.key)
        let first = try sealer.seal([1])
        let second = try sealer.seal([2])
        var swapped = FrameOpener(key: Self.key)
        #expect(throws: FrameError.authenticationFailed) { try swapped.open(second + first) }
        var missing = FrameOpener(key: Self.key)
        #expect(throws: FrameError.authenticationFailed) { try missing.open(second) }
    }

    @Test func aFrameOfTheOtherDirectionIsRefused() throws {
        let keys = SessionKeys(sharedSecret: [UInt8](repeating: 5, count: 32))
        var sealer = FrameSealer(key: keys.accessoryToController)
        var opener = FrameOpener(key: keys.controllerToAccessory)
        let frame = try sealer.seal([1])
        #expect(throws: FrameError.authenticationFailed) { try opener.open(frame) }
    }

    @Test func theLastCounterIsNeverUsed() throws {
        var sealer = FrameSealer(key: Self.key, counter: .max)
        #expect(throws: FrameError.sealingFailed) { try sealer.seal([1]) }
        var last = FrameSealer(key: Self.key, counter: .max - 1)
        #expect(try last.seal([1]).count == 19)
        #expect(throws: FrameError.sealingFailed) { try last.seal([1]) }
    }

    @Test func keysDoNotShowThemselves() throws {
        let key = try #require(FrameKey([UInt8](repeating: 77, count: 32)))
        let keys = SessionKeys(accessoryToController: key, controllerToAccessory: key)
        var dumped = ""
        dump(keys, to: &dumped)
        for text in ["\(key)", "\(keys)", String(reflecting: keys), dumped] {
            #expect(!text.contains("77") && !text.contains("4d"))
        }
        #expect(FrameKey([UInt8](repeating: 1, count: 31)) == nil)
        #expect(FrameKey([UInt8](repeating: 1, count: 33)) == nil)
    }

    private static let key = FrameKey(.accessoryToController, from: [UInt8](repeating: 9, count: 32))

    private static func stream(_ messages: [[UInt8]]) throws -> [UInt8] {
        var sealer = FrameSealer(key: key)
        return try messages.flatMap { try sealer.seal($0) }
    }
}
