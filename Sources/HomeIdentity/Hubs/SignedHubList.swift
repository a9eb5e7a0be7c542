import Foundation

/// A ``HubList`` with a hub's signature, as the bytes that are stored and sent: a line of JSON and a line with the signature.
///
/// Reading one checks its form. Who has signed it, and whether it counts, is for ``PinnedHubs`` to decide.
package struct SignedHubList: Hashable, Sendable {
    private struct Line: Codable {
        var version: Int
        var seq: Int
        var hubs: [HubMember]
    }

    /// The key that the line of every version has.
    private struct Preamble: Codable {
        var version: Int
    }

    /// All bytes.
    package let bytes: [UInt8]
    /// The list.
    package let list: HubList
    private let signed: SignedLine

    /// Signs a list.
    package init(_ list: HubList, by key: IdentityKey) {
        let line = Line(version: HubListLimits.version, seq: list.sequence, hubs: list.members)
        signed = SignedLine(LineJSON.encode(line), by: key, for: .hubs)
        bytes = signed.bytes
        self.list = list
    }

    /// Puts a list and its signature together. Returns `nil` unless the signature has 64 bytes. It isn't checked.
    init?(_ list: HubList, signature: [UInt8]) {
        guard signature.count == SignedLine.signatureByteCount else { return nil }
        let line = Line(version: HubListLimits.version, seq: list.sequence, hubs: list.members)
        signed = SignedLine(LineJSON.encode(line), signature: signature)
        bytes = signed.bytes
        self.list = list
    }

    /// The 64 bytes of the signature.
    var signature: [UInt8] { signed.signature }

    /// Reads a list. Its signature isn't checked.
    ///
    /// - Throws: ``HubListError`` with `malformed`, or with `updateNeeded` if it is of a later version.
    package init(_ bytes: [UInt8]) throws(HubListError) {
        let signed = try Self.split(bytes)
        guard let preamble = LineJSON.decode(Preamble.self, from: signed.line) else {
            throw .malformed("it isn't a list")
        }
        guard preamble.version == HubListLimits.version else { throw .updateNeeded }
        guard let line = LineJSON.decode(Line.self, from: signed.line) else { throw .malformed("it isn't a list") }
        // The bytes of a list are those that a hub writes. So two lists are the same exactly if their bytes are.
        guard LineJSON.encode(line) == signed.line else { throw .malformed("it isn't in canonical form") }
        list = try HubList(sequence: line.seq, members: line.hubs)
        self.signed = signed
        self.bytes = bytes
    }

    /// Returns whether one of some hubs has signed bytes, whatever their version.
    static func isSigned(_ bytes: [UInt8], byOneOf hubs: [PublicKey]) throws(HubListError) -> Bool {
        let signed = try split(bytes)
        return hubs.contains { signed.isSigned(by: $0, for: .hubs) }
    }

    /// Returns whether a hub has signed the list.
    package func isSigned(by hub: PublicKey) -> Bool { signed.isSigned(by: hub, for: .hubs) }

    private static func split(_ bytes: [UInt8]) throws(HubListError) -> SignedLine {
        guard let signed = SignedLine(bytes, maximumLineBytes: HubListLimits.maximumLineBytes), signed.rest.isEmpty
        else {
            throw .malformed("it isn't a list with a signature")
        }
        return signed
    }
}

extension SigningContext {
    /// Lists of hubs.
    static let hubs = SigningContext("hearth hubs 1")
}
