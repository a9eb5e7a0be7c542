import Foundation
import HAPCatalog

extension Entry {
    private static let newline = UInt8(ascii: "\n")

    /// The stored envelope. Members of newer versions are ignored.
    private struct Envelope: Decodable {
        var version: Int
        var log: LogID
        var lineage: UUID
        var revision: Int
        var previous: EntryHash
        var entry: UUID
        var user: UUID
        var device: UUID
        var app: String
        var client: UUID
        var cause: Cause
        /// Milliseconds since 1970.
        var time: Int64
        var generation: Int
        /// Base64.
        var signature: String
    }

    /// Returns the bytes of the entry, which its hash covers.
    ///
    /// - Throws: ``EntryError`` if the envelope can't be encoded.
    package func encoded() throws(EntryError) -> [UInt8] {
        do {
            // This is written by hand because every change waits for it, and the members are few and simple.
            var subject: [UInt8] = []
            if let id = cause.subject { subject = Array(#","subject":"\#(id.uuidString)""#.utf8) }
            var bytes = Array(#"{"app":"#.utf8)
            bytes += try CanonicalJSON.literal(caller.app)
            bytes += #","cause":{"kind":"#.utf8
            bytes += try CanonicalJSON.literal(cause.kind.rawValue)
            bytes += subject
            bytes += #"},"client":"\#(caller.client.uuidString)","device":"\#(caller.device.uuidString)""#.utf8
            bytes +=
                #","entry":"\#(entryID.uuidString)","generation":\#(generation),"lineage":"\#(lineage.uuidString)""#
                .utf8
            bytes += #","log":"\#(log)","previous":"\#(previousHash)","revision":\#(revision)"#.utf8
            bytes += #","signature":"\#(Base64.encode(signature))","time":\#(time.milliseconds)"#.utf8
            bytes += #","user":"\#(caller.user.uuidString)","version":\#(formatVersion)}"#.utf8
            bytes.append(Self.newline)
            return bytes + payload
        } catch {
            throw EntryError(.damaged, "Entry \(revision) of \(log) can't be encoded: \(error).")
        }
    }

    /// Decodes the form that ``encoded()`` returns.
    ///
    /// - Throws: ``EntryError`` if the bytes are not an entry, or if its format is newer than this version.
    package init(encoded bytes: [UInt8]) throws(EntryError) {
        guard let end = bytes.firstIndex(of: Self.newline) else {
            throw EntryError(.damaged, "An entry ends within its envelope.")
        }
        let line = bytes[..<end]
        struct Version: Codable { var version: Int }
        let envelope: Envelope
        do {
            let version = try CanonicalJSON.decode(Version.self, from: line).version
            guard version <= Self.formatVersion else {
                throw EntryError(.futureFormat, "An entry has format \(version), which only a newer version can read.")
            }
            envelope = try CanonicalJSON.decode(Envelope.self, from: line)
        } catch let error as EntryError {
            throw error
        } catch {
            throw EntryError(.damaged, "An entry's envelope can't be read: \(error).")
        }
        guard let signature = Base64.decode(envelope.signature) else {
            throw EntryError(.damaged, "An entry's signature is not base64.")
        }
        formatVersion = envelope.version
        log = envelope.log
        lineage = envelope.lineage
        revision = envelope.revision
        previousHash = envelope.previous
        entryID = envelope.entry
        caller = Caller(user: envelope.user, device: envelope.device, app: envelope.app, client: envelope.client)
        cause = envelope.cause
        time = Date(milliseconds: envelope.time)
        generation = envelope.generation
        self.signature = signature
        payload = Array(bytes[(end + 1)...])
    }
}
