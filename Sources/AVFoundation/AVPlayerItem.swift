public import CoreMedia
public import Foundation
import AirPlay
import MediaRouting
import Synchronization

/// An asset in a player, and the time that has been reached.
///
/// The item loads its asset when it is added to a player. All methods can be called on any thread; completion handlers and
/// notifications come on the main queue. Changes of ``status-swift.property`` come from ``statusUpdates``, because there is
/// no key-value observing on Linux.
/// - Since: iOS 4.0
open class AVPlayerItem: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its mutable state is guarded by a lock.

    /// The state of an item.
    /// - Since: iOS 4.0
    public enum Status: Int, Sendable {
        /// The asset isn't loaded yet.
        /// - Since: iOS 4.0
        case unknown = 0
        /// The item can be played.
        /// - Since: iOS 4.0
        case readyToPlay = 1
        /// The asset can't be played, see ``AVPlayerItem/error``.
        /// - Since: iOS 4.0
        case failed = 2
    }

    /// An item has been heard to its end. The object is the item.
    /// - Since: iOS 4.0
    public static let didPlayToEndTimeNotification = NSNotification.Name("AVPlayerItemDidPlayToEndTimeNotification")
    /// An item can't be played to its end. The object is the item; the user info has the error.
    /// - Since: iOS 4.3
    public static let failedToPlayToEndTimeNotification = NSNotification.Name(
        "AVPlayerItemFailedToPlayToEndTimeNotification"
    )
    /// The item's time has jumped. The object is the item.
    /// - Since: iOS 5.0
    public static let timeJumpedNotification = NSNotification.Name("AVPlayerItemTimeJumpedNotification")

    private struct State {
        var status = Broadcast(Status.unknown)
        var error: (any Error)?
        var file: WaveFile?
        /// The frame that has been reached, while the item isn't heard.
        var position = 0.0
        var isLoading = false
        /// The length that the receiver reports, in seconds, if it plays the item itself.
        var externalDuration: Double?
        weak var player: AVPlayer?
    }

    /// The extensions of HLS playlists and MP4 files.
    private static let filmTypes: Set = ["m3u8", "mp4", "m4v", "mov"]

    /// The asset.
    /// - Since: iOS 4.0
    public let asset: AVAsset
    private let state = Mutex(State())

    /// Creates an item of a file or another resource.
    /// - Since: iOS 4.0
    public convenience init(url: URL) {
        self.init(asset: AVURLAsset(url: url))
    }

    /// Creates an item of an asset.
    /// - Since: iOS 4.0
    public init(asset: AVAsset) {
        self.asset = asset
    }

    /// The state of the item.
    /// - Since: iOS 4.0
    open var status: Status { state.withLock { $0.status.value } }

    /// The reason for the status ``Status-swift.enum/failed``.
    /// - Since: iOS 4.0
    open var error: (any Error)? { state.withLock { $0.error } }

    /// A stream that yields the status, and then each new one.
    open var statusUpdates: AsyncStream<Status> { state.withLock { $0.status.stream() } }

    /// The duration, or `CMTime.indefinite` while the asset isn't loaded.
    /// - Since: iOS 4.3
    open var duration: CMTime {
        guard let file else {
            let seconds = state.withLock { $0.externalDuration }
            return seconds.map { CMTime(seconds: $0, preferredTimescale: 44_100) } ?? .indefinite
        }
        return CMTime(value: CMTimeValue(file.frameCount), timescale: 44_100)
    }

    /// Returns the time that has been heard.
    /// - Since: iOS 4.0
    open func currentTime() -> CMTime {
        player?.time(of: self) ?? time
    }

    /// Changes the time. What a receiver hasn't played is discarded.
    ///
    /// - Parameters:
    ///   - time: The time. It is limited to the duration. Times that aren't numbers are ignored.
    ///   - completionHandler: A closure that takes whether the time has changed.
    /// - Since: iOS 5.0
    @preconcurrency
    open func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)?) {
        let isDone = seekNow(to: time)
        if let completionHandler { DispatchQueue.main.async { completionHandler(isDone) } }
    }

    /// Changes the time. What a receiver hasn't played is discarded. Returns whether the time has changed.
    /// - Since: iOS 5.0
    @discardableResult
    open func seek(to time: CMTime) async -> Bool { seekNow(to: time) }

    func seekNow(to time: CMTime) -> Bool {
        guard time.isNumeric || time.isPositiveInfinity else { return false }
        let length = state.withLock { $0.externalDuration }
        let end = file.map { Double($0.frameCount) } ?? length.map { $0 * 44_100 } ?? .greatestFiniteMagnitude
        let frame = min(max((time.seconds * 44_100).rounded(), 0), end)
        if let player { player.seek(self, to: frame) } else { position = frame }
        post(Self.timeJumpedNotification)
        return true
    }

    // MARK: The player's side

    var file: WaveFile? { state.withLock { $0.file } }

    /// The address, if receivers of video can play it themselves.
    var externalAddress: MediaAddress? {
        guard let url = (asset as? AVURLAsset)?.url, Self.filmTypes.contains(url.pathExtension.lowercased()) else {
            return nil
        }
        return MediaAddress(url.absoluteString)
    }

    var externalDuration: Double? {
        get { state.withLock { $0.externalDuration } }
        set { state.withLock { $0.externalDuration = newValue } }
    }

    /// Makes the item ready, because the receiver loads it.
    func setExternal() {
        state.withLock { state in
            if state.status.value == .unknown { state.status.set(.readyToPlay) }
        }
        player?.itemDidLoad(self)
    }

    /// Ends the item, because the receiver can't play it.
    func fail(_ error: any Error) {
        state.withLock { state in
            state.error = error
            state.status.set(.failed)
        }
        player?.itemDidLoad(self)
    }

    var player: AVPlayer? {
        get { state.withLock { $0.player } }
        set { state.withLock { $0.player = newValue } }
    }

    var position: Double {
        get { state.withLock { $0.position } }
        set { state.withLock { $0.position = newValue } }
    }

    private var time: CMTime { CMTime(value: CMTimeValue(position), timescale: 44_100) }

    /// Loads the asset, unless that was done before.
    func load() {
        let isFirst = state.withLock { state in
            defer { state.isLoading = true }
            return !state.isLoading
        }
        guard isFirst else { return }
        Task {
            do {
                let file = try await asset.audio()
                state.withLock { state in
                    state.file = file
                    state.position = min(state.position, Double(file.frameCount))
                    state.status.set(.readyToPlay)
                }
            } catch {
                state.withLock { state in
                    state.error = error
                    state.status.set(.failed)
                }
            }
            player?.itemDidLoad(self)
        }
    }

    func post(_ name: NSNotification.Name, userInfo: [String: any Sendable]? = nil) {
        NotificationCenter.postOnMainQueue(name, object: self, userInfo: userInfo)
    }
}

extension NSNotification.Name {
    /// An item has been heard to its end. The object is the item.
    /// - Since: iOS 4.0
    public static let AVPlayerItemDidPlayToEndTime = AVPlayerItem.didPlayToEndTimeNotification
    /// An item can't be played to its end. The object is the item; the user info has the error.
    /// - Since: iOS 4.3
    public static let AVPlayerItemFailedToPlayToEndTime = AVPlayerItem.failedToPlayToEndTimeNotification
    /// The item's time has jumped. The object is the item.
    /// - Since: iOS 5.0
    public static let AVPlayerItemTimeJumped = AVPlayerItem.timeJumpedNotification
}

/// The key of the error of ``AVPlayerItem/failedToPlayToEndTimeNotification``.
/// - Since: iOS 4.3
public let AVPlayerItemFailedToPlayToEndTimeErrorKey = "AVPlayerItemFailedToPlayToEndTimeErrorKey"
