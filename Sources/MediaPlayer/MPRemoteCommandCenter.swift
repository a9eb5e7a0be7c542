public import Foundation
import AirPlay
package import MediaRouting
import Synchronization

/// The commands that people give outside of the app. They come from the receiver to which the app plays, from the
/// desktop's keys, and from the home's page.
///
/// The receiver gets the result of the handlers. Buttons for the volume change it without the app.
/// - Since: iOS 7.1
open class MPRemoteCommandCenter: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its stored properties are immutable and Sendable.

    private static let center = MPRemoteCommandCenter(routes: .shared)

    /// Pauses.
    /// - Since: iOS 7.1
    public let pauseCommand = MPRemoteCommand()
    /// Plays.
    /// - Since: iOS 7.1
    public let playCommand = MPRemoteCommand()
    /// Stops.
    /// - Since: iOS 7.1
    public let stopCommand = MPRemoteCommand()
    /// Plays or pauses.
    /// - Since: iOS 7.1
    public let togglePlayPauseCommand = MPRemoteCommand()
    /// Plays the next item.
    /// - Since: iOS 7.1
    public let nextTrackCommand = MPRemoteCommand()
    /// Plays the previous item.
    /// - Since: iOS 7.1
    public let previousTrackCommand = MPRemoteCommand()
    /// Begins or ends fast playback, with an ``MPSeekCommandEvent``.
    /// - Since: iOS 7.1
    public let seekForwardCommand = MPRemoteCommand()
    /// Begins or ends fast playback backwards, with an ``MPSeekCommandEvent``.
    /// - Since: iOS 7.1
    public let seekBackwardCommand = MPRemoteCommand()

    private weak let routes: MediaRoutes?
    /// The command whose fast playback has begun.
    private let seeking = Mutex<MPRemoteCommand?>(nil)

    package init(routes: MediaRoutes) {
        self.routes = routes
        super.init()
        routes.setCommandHandler { [weak self] command in
            await withCheckedContinuation { continuation in
                DispatchQueue.main.async {
                    continuation.resume(returning: (self?.perform(command) ?? .commandFailed).result)
                }
            }
        }
        // Others show buttons for the commands that the app handles.
        routes.server.setCommands { [weak self] in self?.handled ?? [] }
        for (_, command) in shown {
            command.setObserver { [weak routes] in routes?.server.commandsDidChange() }
        }
    }

    private var shown: [(PlayerCommand, MPRemoteCommand)] {
        [
            (.play, playCommand), (.pause, pauseCommand), (.playPause, togglePlayPauseCommand),
            (.next, nextTrackCommand), (.previous, previousTrackCommand),
        ]
    }

    private var handled: [PlayerCommand] { shown.filter(\.1.hasHandlers).map(\.0) }

    /// Returns the commands of the app.
    /// - Since: iOS 7.1
    open class func shared() -> MPRemoteCommandCenter { center }

    /// Calls the handlers of a receiver's command, on the main queue.
    func perform(_ command: RemoteCommand) -> MPRemoteCommandHandlerStatus {
        switch command.rawValue {
        case "play": perform(playCommand)
        case "pause": perform(pauseCommand)
        case "playpause": perform(togglePlayPauseCommand.hasHandlers ? togglePlayPauseCommand : playOrPauseCommand)
        case "stop": perform(stopCommand)
        case "nextitem": perform(nextTrackCommand)
        case "previtem": perform(previousTrackCommand)
        case "beginff": beginSeeking(seekForwardCommand)
        case "beginrew": beginSeeking(seekBackwardCommand)
        case "playresume": endSeeking() ?? perform(playCommand)
        default: .commandFailed
        }
    }

    /// The command that does what an app without a handler for both means.
    private var playOrPauseCommand: MPRemoteCommand { routes?.isPlaying == true ? pauseCommand : playCommand }

    private func perform(_ command: MPRemoteCommand) -> MPRemoteCommandHandlerStatus {
        command.perform(MPRemoteCommandEvent(command))
    }

    private func beginSeeking(_ command: MPRemoteCommand) -> MPRemoteCommandHandlerStatus {
        _ = endSeeking()
        seeking.withLock { $0 = command }
        return command.perform(MPSeekCommandEvent(command, .beginSeeking))
    }

    private func endSeeking() -> MPRemoteCommandHandlerStatus? {
        guard let command = seeking.withLock({ $0.take() }) else { return nil }
        return command.perform(MPSeekCommandEvent(command, .endSeeking))
    }
}

extension MPRemoteCommandHandlerStatus {
    /// The result that the receiver gets.
    fileprivate var result: RemoteCommand.Result {
        switch self {
        case .success: .success
        case .noSuchContent: .noSuchContent
        case .noActionableNowPlayingItem: .noActionableItem
        case .deviceNotFound: .deviceNotFound
        case .commandFailed: .failed
        }
    }
}
