package import Foundation
package import HomeIdentity

/// A frame of a live stream: `length(4) type(1) pipe(4) payload`. The length counts what follows it.
package struct LiveFrame: Hashable, Sendable {
    /// The kinds of frames. Receivers skip those that they don't know.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// A sign of life, without a payload.
        package static let ping = Kind(rawValue: 0)
        /// A feed has new entries: `feed(16) seq(8)`.
        package static let wake = Kind(rawValue: 1)
    }

    /// The kind.
    package var kind: Kind
    /// The pipe that the frame belongs to; 0 for none.
    package var pipe: UInt32
    /// The content.
    package var payload: Data

    /// The number of bytes of the type and the pipe.
    static let prefixBytes = 5
    /// The maximum number of bytes of a payload.
    package static let payloadBytes = 32 << 10

    /// Creates a frame.
    package init(_ kind: Kind, pipe: UInt32 = 0, payload: Data = Data()) {
        self.kind = kind
        self.pipe = pipe
        self.payload = payload
    }

    /// A sign of life.
    package static let ping = LiveFrame(.ping)

    /// Tells that a feed has entries up to a number.
    package static func wake(_ feed: FeedID, seq: Int64) -> LiveFrame {
        var payload = Data(feed.bytes)
        payload.append(bigEndian: seq)
        return LiveFrame(.wake, payload: payload)
    }

    /// The feed and the number of a wake; `nil` for another frame.
    package var wake: (feed: FeedID, seq: Int64)? {
        guard kind == .wake else { return nil }
        var reader = ByteReader(payload)
        guard let feed = reader.id(FeedID.self), let seq = reader.integer(Int64.self), reader.isAtEnd else {
            return nil
        }
        return (feed, seq)
    }

    /// The bytes.
    package var encoded: Data {
        var data = Data(capacity: MemoryLayout<UInt32>.size + Self.prefixBytes + payload.count)
        data.append(bigEndian: UInt32(Self.prefixBytes + payload.count))
        data.append(kind.rawValue)
        data.append(bigEndian: pipe)
        data.append(payload)
        return data
    }
}
