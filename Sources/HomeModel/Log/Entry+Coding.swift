import Foundation
import HAPCatalog

extension Entry {
    private static let newline = UInt8(ascii: "\n")

    /// The envelope as it is written; members that an older version does not know are passed over by it.
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

    /// The bytes of the entry, over which its hash is made.
    ///
    /// - Throws: ``EntryError`` if the envelope cannot be written.
    package func encoded() throws(EntryError) -> [UInt8] {
        do {
            // By hand: the members are few and simple, and every change waits for this.
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
            throw EntryError(.damaged, "Entry \(revision) of \(log) cannot be written: \(error).")
        }
    }

    /// Reads what ``encoded()`` wrote.
    ///
    /// - Throws: ``EntryError`` for anything else, and for an entry of a later format.
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
            throw EntryError(.damaged, "An entry's envelope cannot be read: \(error).")
        }
        guard let signature = Base64.decode(envelope.signature) else {
            throw EntryError(.damaged, "An entry's signature is no base64.")
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
