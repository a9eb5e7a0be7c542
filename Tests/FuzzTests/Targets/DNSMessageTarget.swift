@testable import DNSSD

extension FuzzTarget {
    /// DNS messages: decoding, encoding and decoding again gives the same message.
    static let dnsMessages = FuzzTarget("dns-messages", maximumLength: 1_024) { input throws(Violation) in
        guard let message = try? MessageDecoder.decode(input) else { return false }
        let records = message.answers + message.authorities + message.additionals
        for name in message.questions.map(\.name) + records.map(\.name) {
            try hold(name.wire.count < DNSFormat.maximumNameSize, "a name is limited")
            try hold((try? DomainName(labels: name.labels)) == name, "a name consists of its labels")
        }
        let names = records.reduce(0) { $0 + $1.name.wire.count + $1.data.canonicalBytes.count }
        try hold(names <= 1_024 + (records.count + 1) * 1_024, "the decoded size is bounded by the input")

        try checkIsWrittenBack(message, message.packets(), isLegacy: false)
        try checkIsWrittenBack(message, message.packets(isLegacy: true), isLegacy: true)
        for record in records {
            guard case .txt(let bytes) = record.data else { continue }
            let text = TXTRecord(wire: bytes)
            guard let wire = try? text.wire() else { continue }
            try hold(TXTRecord(wire: wire) == text, "an encoded TXT record is decoded")
        }
        return true
    }

    private static func checkIsWrittenBack(
        _ message: DNSMessage,
        _ packets: [[UInt8]],
        isLegacy: Bool
    ) throws(Violation) {
        var read: [DNSMessage] = []
        for packet in packets {
            try hold(packet.count <= DNSFormat.maximumMessageSize, "a packet is limited")
            guard let message = try? MessageDecoder.decode(packet) else {
                throw Violation(description: "a message that is written can be read")
            }
            read.append(message)
        }
        if isLegacy {
            try hold(read.count <= 1, "a plain DNS querier gets one packet")
            return
        }
        // Authorities are in the same packet as their question, so there may be too many for it.
        let authorities = message.authorities.reduce(0) { $0 + 700 + $1.data.canonicalBytes.count }
        guard authorities < DNSFormat.maximumMessageSize else { return }
        try hold(read.flatMap(\.questions) == message.questions, "questions are written")
        try hold(read.flatMap(\.answers).map(normal) == message.answers.map(normal), "answers are written")
        try hold(read.flatMap(\.authorities).map(normal) == message.authorities.map(normal), "authorities are written")
        try hold(read.flatMap(\.additionals).map(normal) == message.additionals.map(normal), "the others are written")
    }

    /// Returns the record, with the types of an NSEC record sorted and unique.
    private static func normal(_ record: ResourceRecord) -> ResourceRecord {
        guard case .nsec(let next, let types) = record.data else { return record }
        var record = record
        record.data = .nsec(next: next, types: Set(types).sorted())
        return record
    }
}
