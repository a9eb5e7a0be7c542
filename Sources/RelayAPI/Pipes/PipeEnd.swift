/// Why a pipe has ended, as the last frame of it says. Unknown reasons are kept.
package struct PipeEnd: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The maximum number of bytes of a reason.
    package static let maximumBytes = 32

    /// One end has closed it.
    package static let closed = PipeEnd(rawValue: "")
    /// The stream of the other end has ended.
    package static let lost = PipeEnd(rawValue: "lost")
    /// No hub follows the house.
    package static let noHub = PipeEnd(rawValue: "noHub")
    /// The key has no right to pipes, or no longer.
    package static let noRight = PipeEnd(rawValue: "noRight")
    /// The feed has too many pipes, or they are begun too fast.
    package static let tooMany = PipeEnd(rawValue: "tooMany")
    /// The house has sent as much through pipes as it may in a day.
    package static let quota = PipeEnd(rawValue: "quota")
    /// The hub refuses the pipe.
    package static let refused = PipeEnd(rawValue: "refused")
}
