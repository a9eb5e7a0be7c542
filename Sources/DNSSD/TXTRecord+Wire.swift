extension TXTRecord {
    /// Creates a TXT record from the strings in a message (RFC 6763 section 6). Empty strings, strings without a key,
    /// and repeated keys are skipped.
    init(wire: [UInt8]) {
        var strings: [ArraySlice<UInt8>] = []
        var rest = wire[...]
        while let size = rest.first {
            strings.append(rest.dropFirst().prefix(Int(size)))
            rest = rest.dropFirst(1 + Int(size))
        }
        self.init(
            entries: strings.compactMap { string in
                let key = string.prefix { $0 != TXTFormat.separator }
                guard !key.isEmpty else { return nil }
                let value = key.count < string.count ? Array(string.dropFirst(key.count + 1)) : nil
                return Entry(key: String(decoding: key, as: UTF8.self), value: value)
            }
        )
    }

    /// Returns the strings as they are encoded in a message.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidTXT`.
    func wire() throws(DNSSDError) -> [UInt8] {
        var wire: [UInt8] = []
        for entry in entries {
            let isKey = entry.key.utf8.allSatisfy { TXTFormat.keyCharacters.contains($0) && $0 != TXTFormat.separator }
            guard isKey, !entry.key.isEmpty else {
                throw DNSSDError(
                    .invalidTXT,
                    reason: "the TXT key \"\(entry.key)\" is not printable ASCII without an equals sign"
                )
            }
            let string = Array(entry.key.utf8) + (entry.value.map { [TXTFormat.separator] + $0 } ?? [])
            guard string.count <= TXTFormat.maximumEntrySize else {
                throw DNSSDError(
                    .invalidTXT,
                    reason:
                        "the TXT entry \"\(entry.key)\" has \(string.count) bytes; at most \(TXTFormat.maximumEntrySize) are allowed"
                )
            }
            wire.append(UInt8(string.count))
            wire.append(contentsOf: string)
        }
        guard wire.count <= TXTFormat.maximumSize else {
            throw DNSSDError(
                .invalidTXT,
                reason: "the TXT record has \(wire.count) bytes; at most \(TXTFormat.maximumSize) are allowed"
            )
        }
        // A TXT record has at least one string, which may be empty (RFC 6763 section 6.1).
        return wire.isEmpty ? [0] : wire
    }
}
