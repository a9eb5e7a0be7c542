/// Limits of the connection between two hubs.
package enum HubLinkLimits {
    /// The maximum number of bytes of a frame's content.
    package static let contentBytes = 1 << 20
    /// The maximum number of bytes of frames that wait to be sent. A frame that would exceed it isn't taken.
    package static let unsentBytes = 4 << 20
    /// The bytes of frames that can wait to be handled before nothing more is read from the connection.
    package static let unhandledBytes = 2 << 20
    /// The maximum number of bytes of a large transfer.
    package static let transferBytes = 1 << 30
    /// The number of its bytes in a frame.
    package static let pieceBytes = 256 << 10
    /// The maximum number of bytes of a transfer's note, and of the answer to it.
    package static let noteBytes = 1_024
    /// The pause before an answer for which there was no room is sent again.
    static let answerPause = Duration.milliseconds(100)
    /// The time without a frame after which a hub sends an empty one.
    package static let pingTime = Duration.seconds(3)
    /// The time without a frame after which the connection counts as broken.
    package static let silenceTime = Duration.seconds(10)
    /// The maximum time to connect and to agree on keys.
    package static let connectTime = Duration.seconds(5)
    /// The shortest and the longest pause between two attempts to connect.
    package static let pauses = Pauses(shortest: .milliseconds(250), longest: .seconds(8))
    /// The same for a hub that was removed, which may never be back. One that announces itself is tried at once.
    package static let formerHubPauses = Pauses(shortest: .seconds(1), longest: .seconds(600))

    /// The time after which a removed hub may connect again that hasn't taken within ``connectTime`` what it was told.
    package static let formerHubRest = Duration.seconds(60)

    /// Pauses between attempts, each twice as long as the last.
    package struct Pauses: Hashable, Sendable {
        var shortest: Duration
        var longest: Duration
    }

    /// The maximum number of bytes of a line, without the line feed: a kind, and the content in base64.
    static let lineBytes = 1 + (contentBytes + 2) / 3 * 4
}
