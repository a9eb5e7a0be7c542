internal import HAP
internal import Synchronization

/// A record of the messages of one check, decrypted, as text. Its length is bounded.
///
/// It is a class because the connections of a check share it.
package final class Transcript: Sendable {
    /// What an entry records.
    enum Kind: String {
        case sent = ">"
        case sentRaw = "> (raw)"
        case received = "<"
        case closed = "< (closed)"
    }

    private static let lengthLimit = 262_144
    private static let entryLimit = 16_384

    private let text = Mutex("")

    /// Creates an empty record.
    package init() {}

    /// The record.
    package var description: String { text.withLock { $0 } }

    func add(_ kind: Kind, _ bytes: [UInt8]) {
        var lines = "\(kind.rawValue)\n"
        if !bytes.isEmpty { lines += PrintableText.of(bytes.prefix(Self.entryLimit), keepingLines: true) + "\n" }
        text.withLock { text in
            guard text.utf8.count < Self.lengthLimit else { return }
            text += lines
        }
    }

    func add(_ message: HTTPResponseReader.Message) {
        switch message {
        case .response(let response): add(.received, response.encoded())
        case .event(let event): add(.received, event.encoded())
        }
    }
}
