extension DNSMessage {
    /// Encodes the message as packets that fit into a frame if possible.
    ///
    /// Known answers of a query that don't fit continue in further packets, announced by the truncation flag (RFC 6762
    /// section 7.2). Answers and additional records of a response that don't fit become separate responses. A record
    /// that is too large for any packet is left out.
    ///
    /// - Parameter isLegacy: Whether the receiver is a plain DNS querier, which accepts only one packet.
    func packets(isLegacy: Bool = false) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var encoder = MessageEncoder(id: id, flags: flags, isLegacy: isLegacy)

        func append(_ write: (inout MessageEncoder, _ limit: Int) -> Bool) {
            if write(&encoder, DNSFormat.preferredMessageSize) { return }
            if !encoder.isEmpty, !isLegacy {
                packets.append(encoder.finish(isTruncated: !isResponse && !answers.isEmpty))
                encoder = MessageEncoder(id: id, flags: flags, isLegacy: isLegacy)
                if write(&encoder, DNSFormat.preferredMessageSize) { return }
            }
            _ = write(&encoder, DNSFormat.maximumMessageSize)
        }

        for question in questions {
            append { $0.append(question, limit: $1) }
        }
        for record in answers {
            append { $0.append(record, to: .answer, limit: $1) }
        }
        for record in authorities {
            // A probe is evaluated together with its question, so its records must not be separated from it.
            _ = encoder.append(record, to: .authority, limit: DNSFormat.maximumMessageSize)
        }
        for record in additionals where !isLegacy || isSmallEnough(record) {
            append { $0.append(record, to: .additional, limit: $1) }
        }
        if !encoder.isEmpty {
            packets.append(encoder.finish())
        }
        return packets

        func isSmallEnough(_ record: ResourceRecord) -> Bool {
            var trial = encoder
            return trial.append(record, to: .additional, limit: DNSFormat.preferredMessageSize)
        }
    }
}
