import Crypto
import Foundation
import HomeIdentity
import RelayAPI
import Testing

/// The messages of a relay, as bytes.
struct MessageTests {
    private let house = HouseID.random()
    private let feed = FeedID.random()

    @Test func idsAreLowercaseHexadecimalOfTheirSize() {
        let house = HouseID(hex: "0123456789abcdef")
        #expect(house?.bytes == [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef])
        #expect(house?.description == "0123456789abcdef")
        for text in [
            "", "0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF", "0123456789abcdeg", "０123456789abcd",
        ] {
            #expect(HouseID(hex: text) == nil)
        }
    }

    @Test func appendRequestsSurviveTheWayAndCutOnesDoNot() throws {
        var writer = TestWriter(house: house, feed: feed)
        let request = AppendRequest([writer.next(), writer.next(term: 3)])
        let bytes = request.encoded
        #expect(try AppendRequest(decoding: bytes) == request)
        // A cut between two items is a shorter request.
        let whole = 16 + 8 + 32 + 8 + 4 + request.items[0].bytes.count
        for count in 0..<bytes.count where count != whole {
            #expect(throws: RelayError.self, "\(count) bytes") { _ = try AppendRequest(decoding: bytes.prefix(count)) }
        }
        let one = AppendRequest([AppendItem(feed: feed, expect: 0, prev: .zero, bytes: Data())])
        let most = AppendRequest(Array(repeating: one.items[0], count: RelayLimits.itemsPerAppend))
        #expect(try AppendRequest(decoding: most.encoded).items.count == RelayLimits.itemsPerAppend)
        let more = AppendRequest(most.items + one.items)
        #expect { _ = try AppendRequest(decoding: more.encoded) } throws: { ($0 as? RelayError)?.code == .tooLarge }
    }

    @Test func anEntryHasItsMaximumSizeAndNoByteMore() throws {
        var item = AppendItem(feed: feed, expect: 0, prev: .zero, bytes: Data(count: RelayLimits.entryBytes))
        #expect(try AppendRequest(decoding: AppendRequest([item]).encoded).items == [item])
        item.bytes.append(0)
        let bytes = AppendRequest([item]).encoded
        #expect { _ = try AppendRequest(decoding: bytes) } throws: { ($0 as? RelayError)?.code == .tooLarge }
    }

    @Test func anEntryIsRefusedUnlessItsHeaderFits() throws {
        let item = TestWriter(house: house, feed: feed).item()
        #expect(try CheckedEntry(item, in: house).header.seq == 1)
        func refuses(_ house: HouseID, _ change: (inout AppendItem) -> Void) -> Bool {
            var item = item
            change(&item)
            return (try? CheckedEntry(item, in: house)) == nil
        }
        #expect(refuses(.random()) { _ in })
        #expect(refuses(house) { $0.feed = .random() })
        #expect(refuses(house) { $0.expect = 1 })
        #expect(refuses(house) { $0.expect = .min })
        #expect(refuses(house) { $0.prev = .random() })
        #expect(refuses(house) { $0.term = 1 })
        let bad = [
            (#""seq":1"#, #""seq":0"#), (#""seq":1"#, #""seq":9007199254740992"#), (#""part":[1,1]"#, #""part":[2,1]"#),
            (#""part":[1,1]"#, #""part":[1,1025]"#), (#""part":[1,1]"#, #""part":[1]"#), (#""gen":1"#, #""gen":-1"#),
            (#""base":false"#, #""base":0"#), (#""term":0"#, #""term":1e99"#), ("\n", ""),
        ]
        for (old, new) in bad {
            let text = String(decoding: item.bytes.prefix { $0 != 10 }, as: UTF8.self) + "\n"
            let changed = text.replacing(old, with: new)
            #expect(changed != text)
            #expect(throws: RelayError.self, "\(new)") { _ = try RelayedEntryHeader(of: Data(changed.utf8)) }
        }
        let line = #"{"x":""# + String(repeating: "x", count: RelayedEntryHeader.maximumBytes) + #""}"# + "\n"
        #expect(throws: RelayError.self) { _ = try RelayedEntryHeader(of: Data(line.utf8)) }
    }

    @Test func entriesSurviveTheWayAndCutOnesDoNot() throws {
        let entries = [Data([1]), Data(), Data(repeating: 2, count: 300)]
        let bytes = EntryList.encode(entries)
        #expect(try EntryList.decode(bytes) == entries)
        #expect(throws: RelayError.self) { _ = try EntryList.decode(bytes.dropLast()) }
        #expect(throws: RelayError.self) { _ = try EntryList.decode(Data([255, 255, 255, 255])) }
    }

    @Test func resultsAndErrorsSurviveTheWay() throws {
        let position = FeedPosition(seq: 3, head: .random(), base: 1, term: 2)
        let reply = AppendReply([
            .appended(seq: 4), .conflict(position), .refused(.notFound),
            .refused(RelayError(.tooManyRequests, "Wait.", retryAfter: 9)),
        ])
        let bytes = try JSONEncoder().encode(reply)
        #expect(try AppendReply(json: bytes) == reply)
    }

    @Test(arguments: [
        "4", "0", "\(Int64.max)", "999999999999999999", "-1", "04", "4.0", "4}, {\"seq\":5", "", "a", " 4 ",
        "92233720368547758079",
    ])
    func aReplyIsReadAsADecoderReadsIt(number: String) throws {
        let json = Data(#"{"results":[{"seq":\#(number)}]}"#.utf8)
        #expect((try? AppendReply(json: json)) == (try? JSONDecoder().decode(AppendReply.self, from: json)))
    }

    // MARK: Sessions

    @Test func aProofIsForOneHostAndOneTime() throws {
        let key = IdentityKey()
        let nonce = [UInt8](repeating: 7, count: RelayLimits.nonceBytes)
        let proof = try SessionProof(by: key, host: "relay.example:8443", time: 1_790_000_000_000, nonce: nonce)
        let limit = 1_000 * RelayLimits.clockSeconds
        for offset in [0, limit, -limit] {
            #expect(throws: Never.self) { try proof.check(host: "relay.example:8443", now: proof.time + offset) }
        }
        for offset in [limit + 1, -limit - 1] {
            #expect { try proof.check(host: "relay.example:8443", now: proof.time + offset) } throws: { error in
                let error = error as? RelayError
                return error?.code == .wrongTime && error?.time == proof.time + offset
            }
        }
        func refuses(_ change: (inout SessionProof) -> Void, host: String = "relay.example:8443") -> Bool {
            var proof = proof
            change(&proof)
            return (try? proof.check(host: host, now: 1_790_000_000_000)) == nil
        }
        #expect(refuses({ _ in }, host: "other.example"))
        #expect(refuses { $0.key = IdentityKey().publicKey })
        #expect(refuses { $0.time += 1 })
        #expect(refuses { $0.nonce[0] ^= 1 })
        #expect(refuses { $0.nonce.append(0) })
        #expect(refuses { $0.signature[0] ^= 1 })
        #expect(refuses { $0.signature = Data() })
        for time in [Int64.min, .max, -1, 1 << 53] { #expect(refuses { $0.time = time }) }
        // The bytes that are signed, from the reference alone.
        let message = Data("hearth relay session 1\0relay.example:8443\n1790000000000\n".utf8) + nonce
        let verifier = try Curve25519.Signing.PublicKey(rawRepresentation: key.publicKey.bytes)
        #expect(verifier.isValidSignature(proof.signature, for: message))
    }

    @Test func aTokenIsRefusedOnceAnyByteDiffers() throws {
        let secret = [UInt8](repeating: 1, count: SessionToken.secretByteCount)
        let token = SessionToken(IdentityKey().publicKey, expires: 1_000)
        let text = token.text(secret: secret)
        #expect(SessionToken(text, secret: secret, now: 999) == token)
        #expect(SessionToken(text, secret: secret, now: 1_000) == nil)
        #expect(SessionToken(text, secret: [UInt8](repeating: 2, count: 32), now: 0) == nil)
        let letters = Array(text)
        for index in letters.indices.dropLast() {
            var changed = letters
            changed[index] = changed[index] == "A" ? "B" : "A"
            #expect(SessionToken(String(changed), secret: secret, now: 0) == nil, "letter \(index)")
            #expect(SessionToken(String(letters[..<index]), secret: secret, now: 0) == nil, "\(index) letters")
        }
        #expect(SessionToken(text + "A", secret: secret, now: 0) == nil)
        #expect(SessionToken(String(repeating: "A", count: 100_000), secret: secret, now: 0) == nil)
    }

    // MARK: Frames

    @Test func framesAreCutOutOfAnyPieces() throws {
        let frames = [
            LiveFrame.ping, .wake(feed, seq: 7),
            LiveFrame(LiveFrame.Kind(rawValue: 99), pipe: 3, payload: Data([1, 2])),
            LiveFrame(.ping, payload: Data(count: LiveFrame.payloadBytes)),
        ]
        let bytes = frames.reduce(Data()) { $0 + $1.encoded }
        for size in [1, 2, 3, 7, 64, 4_096, bytes.count] {
            var reader = LiveFrameReader()
            var read: [LiveFrame] = []
            var rest = bytes
            while !rest.isEmpty {
                read += try reader.receive(Data(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(read == frames, "pieces of \(size)")
        }
        #expect(frames[1].wake?.feed == feed && frames[1].wake?.seq == 7)
        #expect(frames[0].wake == nil && LiveFrame(.wake, payload: Data([1])).wake == nil)
    }

    @Test(arguments: [0, 4, 5 + UInt32(LiveFrame.payloadBytes) + 1, .max])
    func aFrameOfAnImpossibleLengthEndsTheStream(length: UInt32) {
        var reader = LiveFrameReader()
        let bytes = withUnsafeBytes(of: length.bigEndian) { Data($0) }
        #expect(throws: RelayError.self) { _ = try reader.receive(bytes) }
        #expect(throws: RelayError.self) { _ = try reader.receive(LiveFrame.ping.encoded) }
    }

    @Test func whatWaitsForASlowClientIsTheNewestOfEachFeed() throws {
        var queue = LiveQueue()
        let other = FeedID.random()
        for seq in 1...1_000 as ClosedRange<Int64> { queue.wake(feed, seq: seq) }
        queue.wake(other, seq: 1)
        queue.wake(feed, seq: 3)
        queue.ping()
        var reader = LiveFrameReader()
        #expect(try reader.receive(queue.drain()) == [.wake(feed, seq: 1_000), .wake(other, seq: 1)])
        #expect(queue.isEmpty && queue.drain().isEmpty)
        queue.ping()
        #expect(try reader.receive(queue.drain()) == [.ping])
    }
}
