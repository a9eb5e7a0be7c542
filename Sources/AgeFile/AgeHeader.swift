internal import Foundation

/// The header of an age file with a passphrase: the scrypt parameters, the wrapped file key and the MAC.
struct AgeHeader {
    /// The scrypt salt.
    var salt: [UInt8]
    /// The exponent of scrypt's N.
    var workExponent: Int
    /// The file key, encrypted with the key derived from the passphrase.
    var wrappedKey: [UInt8]
    /// The MAC of everything before it.
    var mac: [UInt8]

    /// The bytes that the MAC covers.
    var authenticated: [UInt8] {
        let stanza = "\(AgeFormat.stanzaPrefix) \(AgeFormat.scryptKind) \(salt.unpaddedBase64) \(workExponent)"
        return Array("\(AgeFormat.version)\n\(stanza)\n\(wrappedKey.unpaddedBase64)\n\(AgeFormat.macPrefix)".utf8)
    }

    /// The encoded header.
    var bytes: [UInt8] { authenticated + Array(" \(mac.unpaddedBase64)\n".utf8) }

    init(salt: [UInt8], work: ScryptWorkFactor, wrappedKey: [UInt8]) {
        (self.salt, workExponent, self.wrappedKey, mac) = (salt, work.exponent, wrappedKey, [])
    }

    /// Parses a header.
    ///
    /// - Parameter bytes: The header up to and including its last line feed. Only the canonical encoding is accepted,
    ///   so that ``authenticated`` matches the file.
    init(_ bytes: some Sequence<UInt8>) throws(AgeError) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard lines.count == 5, lines[4].isEmpty, lines[0] == AgeFormat.version else {
            // Headers with several recipients, or other types of recipients, have more lines.
            let stanzas = lines.filter { $0.hasPrefix(AgeFormat.stanzaPrefix) }.map(Self.words)
            guard lines.first == AgeFormat.version, !stanzas.isEmpty else { throw .notAge }
            throw stanzas.contains { $0.dropFirst().first == AgeFormat.scryptKind } ? .notAge : .noPassphrase
        }
        let stanza = Self.words(lines[1])
        guard stanza.count >= 2, stanza[0] == AgeFormat.stanzaPrefix else { throw .notAge }
        guard stanza[1] == AgeFormat.scryptKind else { throw .noPassphrase }
        let last = Self.words(lines[3])
        guard
            stanza.count == 4, last.count == 2, last[0] == AgeFormat.macPrefix,
            let salt = [UInt8](unpaddedBase64: stanza[2]), salt.count == AgeFormat.saltLength,
            let exponent = Int(stanza[3]), exponent > 0, String(exponent) == stanza[3],
            let wrappedKey = [UInt8](unpaddedBase64: lines[2]), wrappedKey.count == AgeFormat.wrappedKeyLength,
            let mac = [UInt8](unpaddedBase64: last[1]), mac.count == AgeFormat.macLength
        else { throw .notAge }
        (self.salt, workExponent, self.wrappedKey, self.mac) = (salt, exponent, wrappedKey, mac)
    }

    private static func words(_ line: String) -> [String] {
        line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    }
}

extension [UInt8] {
    /// Base64 (RFC 4648, section 4) without padding.
    fileprivate var unpaddedBase64: String {
        Data(self).base64EncodedString().replacingOccurrences(of: "=", with: "")
    }

    /// Decodes base64 without padding. Returns `nil` unless it is in the canonical form of ``unpaddedBase64``.
    fileprivate init?(unpaddedBase64 text: String) {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text + padding) else { return nil }
        self.init(data)
        guard unpaddedBase64 == text else { return nil }
    }
}
