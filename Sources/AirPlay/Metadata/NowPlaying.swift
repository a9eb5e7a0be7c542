/// All that a sender says about what plays.
package struct NowPlaying: Hashable, Sendable {
    /// The names.
    package var track = TrackMetadata()
    /// The picture, or `nil` if there is none.
    package var artwork: Artwork?
    /// The volume, or `nil` if the sender hasn't set it.
    package var volume: Volume?
    /// The progress, or `nil` if the sender hasn't reported it.
    package var progress: PlaybackProgress?

    /// Creates an empty value.
    package init() {}
}
