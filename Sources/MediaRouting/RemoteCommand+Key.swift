package import AirPlay
package import DesktopMedia

extension RemoteCommand {
    /// The command that a key of the desktop stands for.
    package init(_ key: MediaKey) {
        let name =
            switch key {
            case .play: "play"
            case .pause: "pause"
            case .playPause: "playpause"
            case .stop: "stop"
            case .next: "nextitem"
            case .previous: "previtem"
            }
        self.init(rawValue: name)
    }
}
