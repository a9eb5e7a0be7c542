package import AirPlay

/// An event of a receiver of video.
package enum VideoEvent: Hashable, Sendable {
    /// A sender has an address played.
    case started(MediaAddress, sender: String)
    /// The state has changed.
    case changed(VideoStatus)
    /// A sender was refused because another one plays.
    case refused(sender: String)
}
