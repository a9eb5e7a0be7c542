import Foundation
import HomeIdentity
import Testing

@testable import SealedFeed

/// The bytes of entries.
@Suite struct EntryTests {
    private let hubKey = IdentityKey()
    private let key = GenerationKey()

    private func header(part: EntryHeader.Part = EntryHeader.Part(number: 1, count: 1)) -> EntryHeader {
        EntryHeader(
            address: FeedAddress(house: .random(), feed: .random()),
            hub: UUID(),
            isBase: true,
            generation: 3,
            term: 0,
            sequence: 812,
            previous: .zero,
            part: part,
            salt: [UInt8](repeating: 7, count: 16),
            time: 1_790_000_000_000
        )
    }

    private func entry(_ piece: [UInt8]) -> FeedEntry { FeedEntry(piece, header: header(), key: key, by: hubKey) }

    @Test func anEntryIsTwoLinesAndCiphertext() throws {
        let entry = entry(Array("piece".utf8))
        let lines = entry.bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        #expect(lines.count == 3)
        let header = entry.header
        let line = """
            {"base":true,"feed":"\(header.address.feed)","gen":3,"house":"\(header.address.house)",\
            "hub":"\(header.hub)","part":[1,1],"prev":"\(EntryDigest.zero)","salt":"BwcHBwcHBwcHBwcHBwcHBw==",\
            "seq":812,"term":0,"time":1790000000000,"version":1}
            """
        #expect(String(decoding: lines[0], as: UTF8.self) == line)
        #expect(lines[1].count == 88)
        #expect(lines[2].count == 512 + 16)
    }

    @Test func anEntryIsReadAsItWasWritten() throws {
        let written = entry(Array("piece".utf8))
        let read = try #require(FeedEntry(written.bytes))
        #expect(read == written)
        #expect(read.isSigned(by: hubKey.publicKey))
        #expect(read.open(with: key) == Array("piece".utf8))
        #expect(!read.isSigned(by: IdentityKey().publicKey))
        #expect(read.open(with: GenerationKey()) == nil)
    }

    @Test func anEntryOfWhichAnyByteWasAlteredIsNotTheHubs() {
        let bytes = entry(Array("piece".utf8)).bytes
        for offset in bytes.indices {
            for mask in [1, 0x80] as [UInt8] {
                var altered = bytes
                altered[offset] ^= mask
                let isBelieved = FeedEntry(altered)?.isSigned(by: hubKey.publicKey) ?? false
                #expect(!isBelieved, "byte \(offset)")
            }
            let isBelieved = FeedEntry(Array(bytes[..<offset]))?.isSigned(by: hubKey.publicKey) ?? false
            #expect(!isBelieved, "cut at \(offset)")
        }
        #expect(FeedEntry(bytes + [0]) == nil)
    }

    @Test(arguments: [(0, 512), (508, 512), (509, 1_024), (1_020, 1_024), (1_021, 2_048), (262_140, 262_144)])
    func contentIsPaddedToAPowerOfTwo(count: Int, padded: Int) {
        let piece = [UInt8](repeating: 1, count: count)
        let plaintext = EntryPadding.pad(piece)
        #expect(plaintext.count == padded)
        #expect(EntryPadding.unpad(plaintext) == piece)
    }

    @Test func paddingThatIsNotTheWritersIsRefused() {
        let plaintext = EntryPadding.pad([1, 2, 3])
        #expect(EntryPadding.unpad(plaintext + [UInt8](repeating: 0, count: 512)) == nil, "too long")
        #expect(EntryPadding.unpad(Array(plaintext.dropLast())) == nil, "too short")
        #expect(EntryPadding.unpad(plaintext.dropLast() + [1]) == nil, "not zeros")
        #expect(EntryPadding.unpad([0xFF, 0xFF, 0xFF, 0xFF] + plaintext.dropFirst(4)) == nil, "length beyond the end")
        #expect(EntryPadding.unpad([0, 0]) == nil)
    }

    @Test func anEntryHasAtMost256KiBOfPlaintext() {
        #expect(EntryPadding.isPaddedSize(262_144) && !EntryPadding.isPaddedSize(524_288))
        #expect(EntryPadding.isPaddedSize(512) && !EntryPadding.isPaddedSize(256) && !EntryPadding.isPaddedSize(600))
        let largest = entry([UInt8](repeating: 1, count: FeedLimits.maximumPieceBytes))
        #expect(FeedEntry(largest.bytes) == largest)
        let body = [UInt8](repeating: 0, count: 524_288 + 16)
        let signed = SignedLine(header().line, rest: body, by: hubKey, for: .feedEntry)
        #expect(FeedEntry(signed.bytes) == nil)
    }

    @Test func aHeaderHasAtMost1024Bytes() {
        let line = header().line
        for (length, isRead) in [(1_024, true), (1_025, false)] {
            let padded =
                line.dropLast() + [UInt8](repeating: UInt8(ascii: " "), count: length - line.count) + [
                    UInt8(ascii: "}")
                ]
            let body = [UInt8](repeating: 0, count: 512 + 16)
            let signed = SignedLine(Array(padded), rest: body, by: hubKey, for: .feedEntry)
            #expect((FeedEntry(signed.bytes) != nil) == isRead, "\(length) bytes")
        }
    }

    @Test(arguments: [
        (#""part":[1,1]"#, #""part":[64,64]"#, true), (#""part":[1,1]"#, #""part":[65,65]"#, false),
        (#""part":[1,1]"#, #""part":[2,1]"#, false), (#""part":[1,1]"#, #""part":[0,1]"#, false),
        (#""part":[1,1]"#, #""part":[1]"#, false), (#""seq":812"#, #""seq":9007199254740991"#, true),
        (#""seq":812"#, #""seq":9007199254740992"#, false), (#""seq":812"#, #""seq":0"#, false),
        (#""seq":812"#, #""seq":-1"#, false), (#""gen":3"#, #""gen":0"#, false), (#""term":0"#, #""term":-1"#, false),
        (#""time":1790000000000"#, #""time":-1"#, false), (#""version":1"#, #""version":2"#, false),
        ("BwcHBwcHBwcHBwcHBwcHBw==", "BwcHBwcHBwcHBwcHBwcH", false), (#""prev":"0"#, #""prev":"G"#, false),
        (#""house":""#, #""house":"00"#, false),
    ])
    func aHeaderIsReadWithinItsLimits(part: String, replacement: String, isRead: Bool) {
        let text = String(decoding: header().line, as: UTF8.self)
        #expect(text.contains(part))
        let line = Array(text.replacing(part, with: replacement, maxReplacements: 1).utf8)
        let signed = SignedLine(line, rest: [UInt8](repeating: 0, count: 528), by: hubKey, for: .feedEntry)
        #expect((FeedEntry(signed.bytes) != nil) == isRead)
    }

    @Test func contentIsReadAsItWasWritten() {
        let seen = FeedCursors(
            account: FeedCursors.Cursor(lineage: UUID(), revision: 1),
            homes: [UUID(): FeedCursors.Cursor(lineage: UUID(), revision: 2)]
        )
        let keys = FeedHomeKeys(user: UUID(), keys: [UUID(): Data([1, 2, 3])])
        for events in [[], ["{}"], ["{}", "", "{\"a\":1}"]] {
            for homeKeys in [nil, keys] {
                let content = FeedContent(seen: seen, homeKeys: homeKeys, events: events.map { Array($0.utf8) })
                #expect(FeedContent(content.bytes) == content)
                #expect(FeedContent(content.bytes.dropLast()) == nil)
            }
        }
        #expect(FeedContent([]) == nil)
        #expect(FeedContent(Array("\n".utf8)) == nil)
        #expect(FeedContent(Array("{}\n".utf8)) == nil)
    }

    @Test func equalContentIsNeverTheSameCiphertext() throws {
        let box = BoxKey()
        var hub = FeedHub(devices: [UUID(): box.publicBox])
        var relay = RelayMemory()
        try hub.publish(to: &relay)
        let content = try hub.content(isBase: true)
        var first = hub.writer
        var second = hub.writer
        try first.write(content, isBase: true, at: hub.time)
        try second.write(content, isBase: true, at: hub.time)
        let entries = [first, second].compactMap(\.next)
        #expect(entries.count == 2 && entries[0].header.sequence == entries[1].header.sequence)
        #expect(entries[0].header.salt != entries[1].header.salt)
        #expect(entries[0].bytes.suffix(528) != entries[1].bytes.suffix(528))
    }

    @Test func printingAKeyRevealsNothing() {
        #expect("\(key)" == "GenerationKey(redacted)")
        #expect("\(BoxKey())" == "BoxKey(redacted)")
        var kept = KeptFeed(FeedAddress(house: .random(), feed: .random()), device: UUID())
        kept.keys[1] = key
        #expect("\(kept)" == "KeptFeed(redacted)")
        #expect("\(FeedHomeKeys(user: UUID(), keys: [:]))" == "FeedHomeKeys(redacted)")
    }
}
