// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import AVFoundation
import MediaPlayer

/// An app's player, as iOS apps in Swift 5 have it.
public class RadioPlayer: NSObject {
    public let player: AVQueuePlayer
    public private(set) var finishedItems: [AVPlayerItem] = []
    public private(set) var observedTimes: [Double] = []
    public private(set) var handledCount = 0
    private var timeObserver: Any?
    private var endObserver: NSObjectProtocol?
    private var commandTargets: [(MPRemoteCommand, Any)] = []

    public init(urls: [URL]) {
        player = AVQueuePlayer(items: urls.map { AVPlayerItem(url: $0) })
        super.init()
        endObserver = NotificationCenter.default.addObserver(
            forName: .AVPlayerItemDidPlayToEndTime,
            object: nil,
            queue: .main
        ) { [weak self] notification in
            guard let item = notification.object as? AVPlayerItem else { return }
            self?.finishedItems.append(item)
        }
        let interval = CMTime(seconds: 0.25, preferredTimescale: CMTimeScale(NSEC_PER_SEC))
        timeObserver = player.addPeriodicTimeObserver(forInterval: interval, queue: .main) { [weak self] time in
            self?.observedTimes.append(time.seconds)
        }
    }

    deinit {
        if let endObserver = endObserver { NotificationCenter.default.removeObserver(endObserver) }
        if let timeObserver = timeObserver { player.removeTimeObserver(timeObserver) }
    }

    public func setUpRemoteCommands() {
        let center = MPRemoteCommandCenter.shared()
        add(center.playCommand) { player in
            player.play()
            return .success
        }
        add(center.pauseCommand) { player in
            player.pause()
            return .success
        }
        add(center.togglePlayPauseCommand) { player in
            player.rate == 0 ? player.play() : player.pause()
            return .success
        }
        add(center.nextTrackCommand) { player in
            guard player.items().count > 1 else { return .noSuchContent }
            player.advanceToNextItem()
            return .success
        }
    }

    private func add(_ command: MPRemoteCommand, _ action: @escaping (AVQueuePlayer) -> MPRemoteCommandHandlerStatus) {
        command.isEnabled = true
        let target = command.addTarget { [weak self] event in
            guard let self = self, event.command === command else { return .commandFailed }
            // The app's state belongs to the main queue.
            dispatchPrecondition(condition: .onQueue(.main))
            self.handledCount += 1
            return action(self.player)
        }
        commandTargets.append((command, target))
    }

    public func removeRemoteCommands() {
        for (command, target) in commandTargets { command.removeTarget(target) }
        commandTargets = []
    }

    public func showNowPlaying(title: String, artist: String, duration: Double, jpeg: Data) {
        var info = [String: Any]()
        info[MPMediaItemPropertyTitle] = title
        info[MPMediaItemPropertyArtist] = artist
        info[MPMediaItemPropertyPlaybackDuration] = duration
        info[MPNowPlayingInfoPropertyElapsedPlaybackTime] = CMTimeGetSeconds(player.currentTime())
        info[MPNowPlayingInfoPropertyPlaybackRate] = player.rate
        info[MPMediaItemPropertyArtwork] = MPMediaItemArtwork(boundsSize: CGSize(width: 64, height: 64)) { _ in
            MPArtworkImage(data: jpeg)
        }
        MPNowPlayingInfoCenter.default().nowPlayingInfo = info
    }
}
