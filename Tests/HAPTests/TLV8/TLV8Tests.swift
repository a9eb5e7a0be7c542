import Testing

@testable import HAP

@Suite struct TLV8Tests {
    @Test(arguments: HAPVectors.all.tlv8.filter { $0.items != nil })
    func valuesAreEncodedAndDecodedAsTheVectorSays(_ vector: HAPVectors.TLV8Case) throws {
        let items = try #require(vector.items).map { TLV8.Item(TLVType(rawValue: $0.type), $0.value.bytes) }
        #expect(vector.decoded_same == true)
        #expect(TLV8(items).encoded() == vector.encoded.bytes)
        #expect(try TLV8(decoding: vector.encoded.bytes).items == items)
    }

    @Test(arguments: HAPVectors.all.tlv8.filter { $0.items == nil && $0.decoded != nil })
    func fragmentsAreJoinedAndUnknownTypesKept(_ vector: HAPVectors.TLV8Case) throws {
        let items = try #require(vector.decoded).map { TLV8.Item(TLVType(rawValue: $0.type), $0.value.bytes) }
        #expect(try TLV8(decoding: vector.encoded.bytes).items == items)
    }

    @Test(arguments: HAPVectors.all.tlv8.filter(\.isRefused))
    func malformedBytesAreRefused(_ vector: HAPVectors.TLV8Case) {
        #expect(throws: TLV8Error.self) { try TLV8(decoding: vector.encoded.bytes) }
    }

    @Test(arguments: HAPVectors.all.tlv8.filter { $0.items == nil && $0.decoded == nil && !$0.isRefused })
    func listsOfACharacteristicKeepTheirSeparators(_ vector: HAPVectors.TLV8Case) throws {
        let list = try TLV8(decoding: vector.encoded.bytes)
        #expect(list.encoded() == vector.encoded.bytes)
        // Separators are inserted automatically between adjacent items of one type.
        let entries = TLV8(list.items.filter { $0.type != .valueSeparator })
        #expect(entries.encoded(separator: .valueSeparator) == vector.encoded.bytes)
    }

    @Test func everyVectorIsTested() {
        let vectors = HAPVectors.all.tlv8
        #expect(vectors.count == 21)
        #expect(vectors.count { $0.isRefused } == 3)
        #expect(vectors.count { $0.items == nil && $0.decoded == nil && !$0.isRefused } == 3)
    }

    @Test func eachDefectHasItsName() {
        func error(_ bytes: [UInt8]) -> TLV8Error? {
            #expect(throws: TLV8Error.self) { try TLV8(decoding: bytes) }
        }
        let full = [UInt8](repeating: 7, count: 255)
        #expect(error([6]) == .truncatedHeader)
        #expect(error([6, 1]) == .truncatedValue(.state))
        #expect(error([6, 1, 1, 6, 1, 1]) == .missingSeparator(.state))
        #expect(error([6, 0, 6, 0]) == .missingSeparator(.state))
        #expect(error([5, 255] + full + [5, 0]) == .emptyContinuation(.encryptedData))
        #expect(error([5, 255] + full + [5, 1, 9, 5, 1, 9]) == .missingSeparator(.encryptedData))
    }

    @Test func aFullValueEndsWhereAnotherTypeBegins() throws {
        let full = [UInt8](repeating: 7, count: 255)
        let message = try TLV8(decoding: [5, 255] + full + [6, 1, 3, 5, 1, 9])
        #expect(message.items.map(\.value.count) == [255, 1, 1])
    }

    @Test func noTruncationTraps() {
        let message = TLV8([
            TLV8.Item(.state, [3]), TLV8.Item(.publicKey, [UInt8](repeating: 1, count: 384)),
            TLV8.Item(.proof, [UInt8](repeating: 2, count: 64)),
        ])
        let bytes = message.encoded()
        let wholePrefixes = (0...bytes.count).filter { (try? TLV8(decoding: bytes.prefix($0))) != nil }
        // Nothing, the State, the key's first fragment, the whole key, everything.
        #expect(wholePrefixes == [0, 3, 3 + 257, 3 + 257 + 131, bytes.count])
    }

    @Test func integersAreLittleEndianAndShort() throws {
        var message = TLV8()
        message.append(.state, integer: 0 as UInt8)
        message.append(.flags, integer: 0x0100_0010 as UInt32)
        message.append(.error, integer: UInt64.max)
        #expect(message[.state] == [0])
        #expect(message[.flags] == [0x10, 0, 0, 1])
        #expect(message[.error] == [UInt8](repeating: 255, count: 8))
        #expect(try message.integer(.flags) == 0x0100_0010)
        #expect(try message.integer(.error) == .max)
        #expect(try message.integer(.method) == nil)
    }

    @Test func longerIntegersAreReadUpToEightBytes() throws {
        #expect(try TLV8([TLV8.Item(.state, [3, 0, 0, 0, 0, 0, 0, 0])]).integer(.state) == 3)
        for value in [[], [UInt8](repeating: 0, count: 9)] {
            #expect(throws: TLV8Error.invalidInteger(.state)) { try TLV8([TLV8.Item(.state, value)]).integer(.state) }
        }
    }

    @Test func aTypeTwiceIsRefusedInAMessage() throws {
        let list: [UInt8] = [6, 1, 2, 1, 1, 65, 255, 0, 1, 1, 66]
        #expect(throws: TLV8Error.repeatedType(.identifier)) { try TLV8(decodingMessage: list) }
        #expect(throws: TLV8Error.repeatedType(.identifier)) { try TLV8(decodingReply: list) }
    }

    @Test func eachOfAllTypesIsAllowedOnce() throws {
        let all = (0...UInt8.max).flatMap { [$0, 0] as [UInt8] }
        #expect(try TLV8(decodingMessage: all).items.count == 256)
        for type in UInt8.min...UInt8.max {
            // Not next to the other one of its type, which would be an error of its own.
            let message = type == .max ? [type, 0] + all : all + [type, 0]
            #expect(throws: TLV8Error.repeatedType(TLVType(rawValue: type))) { try TLV8(decodingMessage: message) }
        }
    }

    @Test func anAccessorysFragmentsMayHaveAnyLength() throws {
        let full = [UInt8](repeating: 7, count: 255)
        #expect(try TLV8(decodingReply: [6, 1, 2, 5, 2, 1, 2, 5, 1, 3])[.encryptedData] == [1, 2, 3])
        #expect(try TLV8(decodingReply: [5, 255] + full + [5, 0, 6, 1, 2])[.encryptedData] == full)
        #expect(try TLV8(decodingReply: [5, 0, 5, 1, 9])[.encryptedData] == [9])
        #expect(throws: TLV8Error.truncatedValue(.encryptedData)) { try TLV8(decodingReply: [5, 2, 1]) }
        #expect(throws: TLV8Error.truncatedHeader) { try TLV8(decodingReply: [5]) }
    }

    @Test(
        arguments: [
            [6, 1, 2, 1, 1, 65, 255, 0, 1, 1, 66], [6, 1, 2, 1, 1, 65, 0, 0, 1, 1, 66],
            [6, 1, 2, 1, 1, 65, 11, 1, 1, 1, 1, 66],
            [255, 0, 1, 1, 65, 255, 0, 255, 0, 1, 1, 66, 255, 0, 6, 1, 2],
        ] as [[UInt8]]
    )
    func theEntriesOfAnAccessorysListAreFoundHoweverItPartsThem(_ bytes: [UInt8]) throws {
        let entries = try TLV8.entries(decodingReply: bytes)
        #expect(entries.compactMap { $0[.identifier] } == [[65], [66]])
    }

    @Test func entriesOfAListComeBack() throws {
        let entries = (0..<3).map { TLV8([TLV8.Item(.identifier, [$0]), TLV8.Item(.permissions, [1])]) }
        #expect(try TLV8.entries(decodingReply: TLV8(list: entries).encoded()) == entries)
        #expect(TLV8(list: []).encoded().isEmpty)
    }

    @Test func randomBytesEitherFailOrComeBackAsTheyWere() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            // Small numbers make adjacent items of one type and complete items likely.
            let bytes = (0..<Int.random(in: 0...24)).map { _ in UInt8.random(in: 0...3, using: &generator) }
            if let message = try? TLV8(decoding: bytes) {
                #expect(message.encoded() == bytes)
            }
        }
    }
}
