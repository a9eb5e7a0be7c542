internal import Foundation

/// What a player of addresses does.
package struct VideoStatus: Hashable, Sendable {
    /// A state, as senders are told.
    package enum State: String, Hashable, Sendable {
        case loading
        case playing
        case paused
        case stopped
    }

    /// The state.
    package var state: State
    /// The position in seconds.
    package var position: Double
    /// The length in seconds, or `nil` if it isn't known.
    package var duration: Double?

    /// Creates a status.
    package init(state: State = .stopped, position: Double = 0, duration: Double? = nil) {
        (self.state, self.position, self.duration) = (state, position, duration)
    }

    /// The answer to a question for it, as a property list: empty if nothing plays.
    package var playbackInfo: [UInt8] {
        guard state != .stopped else { return Self.list([:]) }
        let length = duration ?? 0
        let range: [[String: Any]] = [["start": 0.0, "duration": length]]
        return Self.list([
            VideoKey.duration: length, VideoKey.position: position,
            VideoKey.rate: state == .playing ? 1.0 : 0.0,
            VideoKey.readyToPlay: state != .loading, VideoKey.loadedTimeRanges: range,
            VideoKey.seekableTimeRanges: range,
        ])
    }

    /// Reads the answer to a question for it. Returns `nil` if nothing plays, or it is malformed.
    package init?(playbackInfo body: [UInt8]) {
        let list = try? PropertyListSerialization.propertyList(from: Data(body), format: nil) as? [String: Any]
        guard let list, let duration = (list[VideoKey.duration] as? NSNumber)?.doubleValue else { return nil }
        let rate = (list[VideoKey.rate] as? NSNumber)?.doubleValue ?? 0
        let position = (list[VideoKey.position] as? NSNumber)?.doubleValue ?? 0
        let isReady = (list[VideoKey.readyToPlay] as? NSNumber)?.boolValue ?? true
        let state: State = rate > 0 ? .playing : isReady ? .paused : .loading
        self.init(state: state, position: position, duration: duration > 0 ? duration : nil)
    }

    /// The message to senders that the state has changed, as a property list.
    package var event: [UInt8] {
        Self.list([VideoKey.category: "video", VideoKey.state: state.rawValue])
    }

    /// The position, as text.
    package var scrub: [UInt8] {
        Array("duration: \(duration ?? 0)\nposition: \(position)\n".utf8)
    }

    static func list(_ values: [String: Any]) -> [UInt8] {
        let data = try? PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
        return data.map { Array($0) } ?? []
    }
}

extension VideoStatus.State {
    /// Reads the message that the state has changed. Returns `nil` if it is another message, or malformed.
    package init?(event body: [UInt8]) {
        let list = try? PropertyListSerialization.propertyList(from: Data(body), format: nil) as? [String: Any]
        guard let list, let state = list[VideoKey.state] as? String else { return nil }
        self.init(rawValue: state)
    }
}
