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
        /// A pipe begins. The device chooses its number, above those of its earlier pipes on the stream; the hub gets one
        /// of the relay's, with the ``PipeOrigin``: `feed(16)` or `door(32)`.
        package static let open = Kind(rawValue: 2)
        /// The hub takes a pipe, without a payload.
        package static let accept = Kind(rawValue: 3)
        /// Bytes of a pipe, within the credit.
        package static let data = Kind(rawValue: 4)
        /// The receiver has room for more bytes of a pipe: `count(4)`.
        package static let credit = Kind(rawValue: 5)
        /// A pipe has ended. The payload is a ``PipeEnd``.
        package static let close = Kind(rawValue: 6)
        /// The hub's doors, in place of those before: `key(32) seconds(4)` for each.
        package static let doors = Kind(rawValue: 7)
    }

    /// The kind.
    package var kind: Kind
    /// The pipe that the frame belongs to; 0 for none.
    package var pipe: UInt32
    /// The content.
    package var payload: Data

    /// The number of bytes of the type and the pipe.
    static let prefixBytes = 5
    /// The number of bytes before the payload.
    static let headBytes = MemoryLayout<UInt32>.size + prefixBytes
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

    /// Begins a pipe of a device's.
    package static func open(_ pipe: UInt32) -> LiveFrame { LiveFrame(.open, pipe: pipe) }

    /// Tells the hub that a device has begun a pipe.
    package static func open(_ pipe: UInt32, of origin: PipeOrigin) -> LiveFrame {
        LiveFrame(.open, pipe: pipe, payload: Data(origin.bytes))
    }

    /// Tells the relay the hub's doors.
    package static func doors(_ doors: [LiveDoor]) -> LiveFrame {
        var payload = Data()
        for door in doors {
            payload.append(contentsOf: door.key.bytes)
            payload.append(bigEndian: UInt32(clamping: door.seconds))
        }
        return LiveFrame(.doors, payload: payload)
    }

    /// Gives room for more bytes.
    package static func credit(_ pipe: UInt32, _ count: Int) -> LiveFrame {
        var payload = Data()
        payload.append(bigEndian: UInt32(clamping: count))
        return LiveFrame(.credit, pipe: pipe, payload: payload)
    }

    /// Ends a pipe.
    package static func close(_ pipe: UInt32, because end: PipeEnd) -> LiveFrame {
        LiveFrame(.close, pipe: pipe, payload: Data(end.rawValue.utf8))
    }

    /// Where the pipe comes from that has begun; `nil` for another frame.
    package var origin: PipeOrigin? { kind == .open ? PipeOrigin(payload) : nil }

    /// The doors; `nil` for another frame, or if there are too many.
    package var doors: [LiveDoor]? {
        guard kind == .doors else { return nil }
        var reader = ByteReader(payload)
        var doors: [LiveDoor] = []
        while !reader.isAtEnd {
            guard doors.count < RelayLimits.doorsPerHouse,
                let key = reader.bytes(PublicKey.byteCount).flatMap({ PublicKey($0) }),
                let seconds = reader.integer(UInt32.self)
            else { return nil }
            doors.append(LiveDoor(key, seconds: Int(seconds)))
        }
        return doors
    }

    /// The number of bytes for which the receiver has room; `nil` for another frame.
    package var creditCount: Int? {
        guard kind == .credit else { return nil }
        var reader = ByteReader(payload)
        guard let count = reader.integer(UInt32.self), reader.isAtEnd else { return nil }
        return Int(count)
    }

    /// Why a pipe has ended; `nil` for another frame.
    package var end: PipeEnd? {
        guard kind == .close, payload.count <= PipeEnd.maximumBytes else { return nil }
        return PipeEnd(rawValue: String(decoding: payload, as: UTF8.self))
    }

    /// The bytes.
    package var encoded: Data {
        var data = Data(capacity: Self.headBytes + payload.count)
        data.append(bigEndian: UInt32(Self.prefixBytes + payload.count))
        data.append(kind.rawValue)
        data.append(bigEndian: pipe)
        data.append(payload)
        return data
    }
}
