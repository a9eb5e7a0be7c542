import Testing

@testable import DNSSD

@Suite struct MessageCodecTests {
    /// Encoded by python-zeroconf 0.154: PTR, then SRV, TXT, A, AAAA and NSEC as additional records.
    static let foreignResponse = Samples.bytes(
        """
        000084000000000100000005045f686170045f746370056c6f63616c00000c000100001194000f0c4b69746368656e204c616d70c00c
        c0270021800100000078000f000000001f90066c616d702d31c016c0270010800100001194000f0663233d3235380473663d31027076
        c04800018001000000780004c0000207c048001c8001000000780010fe800000000000000000000000000012c048002f800100000078
        0008c048000440000008
        """
    )

    /// Encoded by python-zeroconf 0.154: a question that requests a unicast response, with one known answer.
    static let foreignQuery = Samples.bytes(
        """
        000000000001000100000000045f686170045f746370056c6f63616c00000c8001c00c000c000100000fa0000f0c4b69746368656e20
        4c616d70c00c
        """
    )

    @Test func aForeignResponseIsRead() throws {
        let message = try MessageDecoder.decode(Self.foreignResponse)
        let instance = try Samples.name("Kitchen Lamp", "_hap", "_tcp", "local")
        let host = try Samples.name("lamp-1", "local")
        let (v4, v6) = try (#require(IPAddress("192.0.2.7")), #require(IPAddress("fe80::12")))
        #expect(message.isResponse && message.isMulticastDNS)
        #expect(message.answers == [ResourceRecord(name: Samples.typeName, ttl: 4500, data: .ptr(instance))])
        #expect(
            message.additionals == [
                ResourceRecord(
                    name: instance,
                    isUnique: true,
                    ttl: 120,
                    data: .srv(priority: 0, weight: 0, port: 8080, host: host)
                ),
                ResourceRecord(
                    name: instance,
                    isUnique: true,
                    ttl: 4500,
                    data: .txt(Array("\u{6}c#=258\u{4}sf=1\u{2}pv".utf8))
                ),
                ResourceRecord(name: host, isUnique: true, ttl: 120, data: .a(v4)),
                ResourceRecord(name: host, isUnique: true, ttl: 120, data: .aaaa(v6)),
                ResourceRecord(name: host, isUnique: true, ttl: 120, data: .nsec(next: host, types: [.a, .aaaa])),
            ]
        )
    }

    @Test func aForeignQueryIsRead() throws {
        let message = try MessageDecoder.decode(Self.foreignQuery)
        #expect(!message.isResponse)
        #expect(message.questions == [DNSQuestion(name: Samples.typeName, type: .ptr, wantsUnicast: true)])
        #expect(message.answers.map(\.ttl) == [4000])
    }

    @Test(arguments: [foreignResponse, foreignQuery])
    func whatIsWrittenHasTheBytesThatAnotherImplementationWrites(foreign: [UInt8]) throws {
        #expect(try MessageDecoder.decode(foreign).packets() == [foreign])
    }

    @Test func anUnknownTypeIsPassedOnUnchanged() throws {
        let record = ResourceRecord(
            name: try Samples.name("x", "local"),
            ttl: 7,
            data: .opaque(RecordType(rawValue: 13), [1, 2, 3])
        )
        let message = DNSMessage(flags: .response, answers: [record])
        #expect(try MessageDecoder.decode(#require(message.packets().first)) == message)
    }

    @Test func everyPrefixOfAMessageIsRefusedAndNotReadPast() {
        for count in 0..<Self.foreignResponse.count {
            #expect(throws: DNSMessageError.self) {
                try MessageDecoder.decode(Array(Self.foreignResponse.prefix(count)))
            }
        }
    }

    @Test func mutatedMessagesEitherReadOrAreRefused() {
        var random = Jitter(seed: 5)
        var (read, refused) = (0, 0)
        for _ in 0..<20_000 {
            var bytes = Self.foreignResponse
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            }
            if let message = try? MessageDecoder.decode(bytes) {
                read += 1
                _ = message.packets()
            } else {
                refused += 1
            }
        }
        #expect(read > 0 && refused > 0)
    }

    @Test func aNameOf255BytesIsReadAndOneOf256IsRefused() throws {
        // Three labels of 63 and one of 61 make 4 x length byte + 250 + final zero = 255.
        let longest = [63, 63, 63, 61].flatMap { [UInt8($0)] + [UInt8](repeating: 0x61, count: $0) }
        let question: [UInt8] = [0, 12, 0, 1]
        let header: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        let message = try MessageDecoder.decode(header + longest + [0] + question)
        #expect(message.questions.first?.name.wire.count == 254)
        let tooLong = [63, 63, 63, 62].flatMap { [UInt8($0)] + [UInt8](repeating: 0x61, count: $0) }
        #expect(throws: DNSMessageError.nameTooLong) {
            try MessageDecoder.decode(header + tooLong + [0] + question)
        }
        #expect(try DomainName(labels: message.questions[0].name.labels).wire == longest)
        #expect(throws: DNSMessageError.nameTooLong) {
            try DomainName(labels: [63, 63, 63, 62].map { [UInt8](repeating: 0x61, count: $0) })
        }
        #expect(throws: DNSMessageError.labelSize) { try DomainName(labels: [[UInt8](repeating: 0x61, count: 64)]) }
        #expect(throws: DNSMessageError.labelSize) { try DomainName("") }
    }

    struct Hostile: CustomTestStringConvertible {
        let testDescription: String
        let name: [UInt8]
        let error: DNSMessageError
    }

    @Test(arguments: [
        Hostile(testDescription: "pointer to itself", name: [0xC0, 12], error: .forwardPointer),
        Hostile(testDescription: "pointer forward", name: [0xC0, 14, 1, 0x61, 0], error: .forwardPointer),
        Hostile(
            testDescription: "label and pointer to its own start",
            name: [1, 0x61, 0xC0, 12],
            error: .forwardPointer
        ),
        Hostile(testDescription: "label kind 01", name: [0x41, 0x61, 0], error: .reservedLabelKind),
        Hostile(testDescription: "label kind 10", name: [0x80, 0], error: .reservedLabelKind),
        Hostile(testDescription: "half a pointer at the end", name: [0xC0], error: .truncated),
    ])
    func aHostileNameIsRefused(hostile: Hostile) {
        let header: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        let rest: [UInt8] = hostile.error == .truncated ? [] : [0, 12, 0, 1]
        #expect(throws: hostile.error) {
            // Padded to the minimum size of a question, so that the name is read.
            try MessageDecoder.decode(
                header + (hostile.error == .truncated ? [1, 0x61, 1, 0x61] : []) + hostile.name + rest
            )
        }
    }

    @Test func aLongChainOfPointersIsRefused() throws {
        // A record with a chain of pointers as data, each to the one before, and then a question that enters the chain.
        var bytes: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 2, 0, 0, 0, 0]
        bytes += [0, 0, 99, 0, 1, 0, 0, 0, 0]
        let count = 200
        bytes += UInt16(1 + 2 * count).bigEndianBytes
        var target = UInt16(bytes.count)
        bytes += [0]
        for _ in 0..<count {
            let here = UInt16(bytes.count)
            bytes += (target | 0xC000).bigEndianBytes
            target = here
        }
        bytes += (target | 0xC000).bigEndianBytes + [0, 99, 0, 1, 0, 0, 0, 0, 0, 0]
        #expect(throws: DNSMessageError.tooManyPointers) { try MessageDecoder.decode(bytes) }
    }

    @Test func countsThatThePacketCannotHoldAreRefusedAtOnce() {
        let header: [UInt8] = [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        #expect(throws: DNSMessageError.truncated) { try MessageDecoder.decode(header) }
        let body = [UInt8](repeating: 0, count: DNSFormat.maximumMessageSize - header.count)
        #expect(throws: DNSMessageError.truncated) { try MessageDecoder.decode(header + body) }
        #expect(throws: DNSMessageError.messageTooLarge) { try MessageDecoder.decode(header + body + [0]) }
    }

    @Test(arguments: [
        (RecordType.a, [1, 2, 3]), (.a, [1, 2, 3, 4, 5]), (.aaaa, [1, 2, 3, 4]), (.txt, [4, 0x61]),
        (.ptr, [0, 0]), (.srv, [0, 0, 0, 0, 0]), (.nsec, [0, 0, 0]),
        (.nsec, [0, 0, 33] + [UInt8](repeating: 1, count: 33)),
        (.nsec, [0, 0]),
    ])
    func dataThatDoesNotHaveTheFormOfItsTypeIsRefused(type: RecordType, data: [UInt8]) {
        let header: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0]
        let record = [0] + type.rawValue.bigEndianBytes + [0, 1, 0, 0, 0, 9] + UInt16(data.count).bigEndianBytes + data
        #expect(throws: DNSMessageError.self) { try MessageDecoder.decode(header + record) }
    }

    @Test func knownAnswersThatDoNotFitGoOnInFurtherPackets() throws {
        let known = try (0..<200).map { number in
            ResourceRecord(
                name: Samples.typeName,
                ttl: 4500,
                data: .ptr(try Samples.name("Lamp \(number)", "_hap", "_tcp", "local"))
            )
        }
        let question = DNSQuestion(name: Samples.typeName, type: .ptr)
        let packets = DNSMessage(flags: [], questions: [question], answers: known).packets()
        let messages = try packets.map(MessageDecoder.decode)
        #expect(packets.count > 1 && packets.allSatisfy { $0.count <= DNSFormat.preferredMessageSize })
        #expect(messages.map { $0.flags.contains(.truncated) } == messages.indices.map { $0 < messages.count - 1 })
        #expect(messages.map(\.questions.count) == [1] + messages.dropFirst().map { _ in 0 })
        #expect(messages.flatMap(\.answers) == known)
    }

    @Test func aResponseThatDoesNotFitBecomesSeveralWithoutTheTruncationFlag() throws {
        let answers = try (0..<100).map { number in
            ResourceRecord(
                name: try Samples.name("Lamp \(number)", "_hap", "_tcp", "local"),
                isUnique: true,
                ttl: 4500,
                data: .txt([100] + [UInt8](repeating: 0x61, count: 100))
            )
        }
        let messages = try DNSMessage.response(answers).packets().map(MessageDecoder.decode)
        #expect(messages.count > 5 && messages.allSatisfy { !$0.flags.contains(.truncated) })
        #expect(messages.flatMap(\.answers) == answers)
    }

    @Test func aPlainQuerierSeesNoTopBitsNoLongLifetimesAndNoCompressedHosts() throws {
        let message = try MessageDecoder.decode(Self.foreignResponse)
        let packet = try #require(message.packets(isLegacy: true).first)
        let plain = try MessageDecoder.decode(packet)
        #expect((plain.answers + plain.additionals).allSatisfy { !$0.isUnique && $0.ttl <= 10 })
        #expect(packet.count > Self.foreignResponse.count)
    }

    @Test func namesCompareWithoutRegardToCase() throws {
        let (one, other) = try (Samples.name("LAMP", "local"), Samples.name("lamp", "LOCAL"))
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(try one != Samples.name("lamq", "local"))
        #expect(try Samples.name("a.b\\c", "local").description == "a\\.b\\\\c.local")
    }
}
