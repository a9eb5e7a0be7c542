import Foundation

/// What one hub sends another: a kind and bytes that the connection doesn't look into. On the connection it is a line: a
/// character for the kind, and the content in base64.
package struct HubFrame: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of frames. A hub ignores those that it doesn't know.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        /// The character, in ASCII.
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// A sign of life, without content. It isn't delivered.
        package static let ping = Kind(rawValue: UInt8(ascii: "p"))
        /// A message of the hubs' voting. A lost one does no harm.
        package static let vote = Kind(rawValue: UInt8(ascii: "v"))
        /// A piece of a large transfer, in order.
        package static let piece = Kind(rawValue: UInt8(ascii: "b"))
        /// A piece of a request to the hub that leads, in order.
        package static let request = Kind(rawValue: UInt8(ascii: "r"))
        /// A piece of the leader's answer, in order.
        package static let answer = Kind(rawValue: UInt8(ascii: "a"))
        /// A piece of what a hub tells of its open questions, in order.
        package static let question = Kind(rawValue: UInt8(ascii: "q"))
        /// A hub that joins asks for the whole state.
        package static let baseRequest = Kind(rawValue: UInt8(ascii: "w"))
        /// What a hub tells of itself: its pairings' public keys, and the list of hubs.
        package static let introduction = Kind(rawValue: UInt8(ascii: "i"))
    }

    /// The kind.
    package let kind: Kind
    /// The content.
    package let content: [UInt8]

    /// Creates a frame. Returns `nil` if the content is longer than ``HubLinkLimits/contentBytes``.
    package init?(_ kind: Kind, _ content: [UInt8]) {
        guard content.count <= HubLinkLimits.contentBytes else { return nil }
        self.kind = kind
        self.content = content
    }

    private init(_ kind: Kind) {
        self.kind = kind
        content = []
    }

    static let ping = HubFrame(.ping)

    /// The number of bytes that count for the limits.
    var size: Int { 2 + (content.count + 2) / 3 * 4 }

    /// The line, with its line feed.
    var line: [UInt8] {
        [kind.rawValue] + Array(Data(content).base64EncodedData()) + [UInt8(ascii: "\n")]
    }

    /// The kind and the number of bytes, because logs and tests show no content.
    package var description: String { "“\(Character(Unicode.Scalar(kind.rawValue)))”, \(content.count) bytes" }

    /// Reads a line without its line feed. Returns `nil` if it isn't a frame.
    init?(line: Data) {
        guard let first = line.first, let content = Data(base64Encoded: line.dropFirst()),
            let frame = HubFrame(Kind(rawValue: first), Array(content))
        else { return nil }
        self = frame
    }
}
