public import Foundation
import AirPlay
import MediaRouting
import Synchronization

/// Whether an app plays.
/// - Since: iOS 13.0
public enum MPNowPlayingPlaybackState: UInt, Sendable {
    /// The app hasn't said.
    /// - Since: iOS 13.0
    case unknown = 0
    /// It plays.
    /// - Since: iOS 13.0
    case playing = 1
    /// It is paused.
    /// - Since: iOS 13.0
    case paused = 2
    /// It is stopped.
    /// - Since: iOS 13.0
    case stopped = 3
    /// Another app interrupts it.
    /// - Since: iOS 13.0
    case interrupted = 4
}

/// What an app plays. It is shown by the receiver to which the app plays, and by the desktop.
///
/// All methods can be called on any thread.
/// - Since: iOS 5.0
open class MPNowPlayingInfoCenter: NSObject, @unchecked Sendable {
    // @unchecked because the class is open, and apps' values aren't Sendable: they are read where they are set.

    private struct State {
        var info: [String: Any]?
        var playbackState = MPNowPlayingPlaybackState.unknown
    }

    private static let center = MPNowPlayingInfoCenter(routes: .shared)

    private let routes: MediaRoutes
    private let lock = NSLock()
    private var state = State()

    init(routes: MediaRoutes) {
        self.routes = routes
    }

    /// Returns the center of the app.
    /// - Since: iOS 5.0
    open class func `default`() -> MPNowPlayingInfoCenter { center }

    /// What plays, by the keys `MPMediaItemProperty…` and `MPNowPlayingInfoProperty…`; `nil` if nothing plays.
    ///
    /// Values of another type than the key's are ignored.
    /// - Since: iOS 5.0
    open var nowPlayingInfo: [String: Any]? {
        get { lock.withLock { state.info } }
        set {
            lock.withLock { state.info = newValue }
            report()
        }
    }

    /// Whether the app plays. Receivers see a progress that stands still, unless it is unknown or playing.
    /// - Since: iOS 13.0
    open var playbackState: MPNowPlayingPlaybackState {
        get { lock.withLock { state.playbackState } }
        set {
            lock.withLock { state.playbackState = newValue }
            report()
        }
    }

    private func report() {
        let (info, playbackState) = lock.withLock { (state.info ?? [:], state.playbackState) }
        var report = NowPlayingReport()
        func text(_ key: String) -> String? { info[key].flatMap { $0 as? String } }
        report.track = TrackMetadata(
            title: text(MPMediaItemPropertyTitle),
            artist: text(MPMediaItemPropertyArtist),
            album: text(MPMediaItemPropertyAlbumTitle)
        )
        report.duration = Self.number(info[MPMediaItemPropertyPlaybackDuration])
        report.elapsed = Self.number(info[MPNowPlayingInfoPropertyElapsedPlaybackTime])
        report.rate = Self.number(info[MPNowPlayingInfoPropertyPlaybackRate]) ?? 1
        if ![.unknown, .playing].contains(playbackState) { report.rate = 0 }
        if let artwork = info[MPMediaItemPropertyArtwork] as? MPMediaItemArtwork {
            report.artwork = artwork.image(at: artwork.bounds.size).flatMap { Artwork(file: Array($0.data)) }
        }
        routes.report = report
    }

    private static func number(_ value: Any?) -> Double? {
        let number: Double? =
            switch value {
            case let value as Double: value
            case let value as Float: Double(value)
            case let value as Int: Double(value)
            case let value as NSNumber: value.doubleValue
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }
}

/// The key of the title, a `String`.
/// - Since: iOS 3.0
public let MPMediaItemPropertyTitle = "title"
/// The key of the artist, a `String`.
/// - Since: iOS 3.0
public let MPMediaItemPropertyArtist = "artist"
/// The key of the album, a `String`.
/// - Since: iOS 3.0
public let MPMediaItemPropertyAlbumTitle = "albumTitle"
/// The key of the duration, a number of seconds.
/// - Since: iOS 3.0
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// The key of the picture, an ``MPMediaItemArtwork``.
/// - Since: iOS 3.0
public let MPMediaItemPropertyArtwork = "artwork"
/// The key of the time that was heard, a number of seconds.
/// - Since: iOS 5.0
public let MPNowPlayingInfoPropertyElapsedPlaybackTime = "MPNowPlayingInfoPropertyElapsedPlaybackTime"
/// The key of the speed, a number (default: 1). The receiver's progress stands still at 0.
/// - Since: iOS 5.0
public let MPNowPlayingInfoPropertyPlaybackRate = "MPNowPlayingInfoPropertyPlaybackRate"
