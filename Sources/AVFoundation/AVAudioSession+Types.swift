public import Foundation

extension AVAudioSession {
    /// The route has changed. Posted on the main queue; the user info has the reason and the previous route.
    /// - Since: iOS 6.0
    public static let routeChangeNotification = NSNotification.Name("AVAudioSessionRouteChangeNotification")

    /// A use of audio.
    /// - Since: iOS 3.0
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// The name.
        /// - Since: iOS 3.0
        public let rawValue: String

        /// Creates a category from its name.
        /// - Since: iOS 3.0
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Audio that isn't essential and mixes with others.
        /// - Since: iOS 3.0
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// Audio that isn't essential.
        /// - Since: iOS 3.0
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Audio for which the app is used, such as music.
        /// - Since: iOS 3.0
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
    }

    /// A kind of content.
    /// - Since: iOS 5.0
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// The name.
        /// - Since: iOS 5.0
        public let rawValue: String

        /// Creates a mode from its name.
        /// - Since: iOS 5.0
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Any content.
        /// - Since: iOS 5.0
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// A movie.
        /// - Since: iOS 6.0
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// Speech, such as an audiobook.
        /// - Since: iOS 9.0
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
    }

    /// A policy about the route that the user chooses for all apps.
    /// - Since: iOS 11.0
    public enum RouteSharingPolicy: UInt, Sendable {
        /// Audio stays on this computer.
        /// - Since: iOS 11.0
        case `default` = 0
        /// Music, audiobooks and the like go to the receiver that the user has chosen.
        /// - Since: iOS 13.0
        case longFormAudio = 1
        /// Audio stays on this computer.
        /// - Since: iOS 11.0
        case independent = 2
        /// The sound of films goes to the receiver that the user has chosen.
        /// - Since: iOS 13.0
        case longFormVideo = 3
    }

    /// Options of a category.
    /// - Since: iOS 6.0
    public struct CategoryOptions: OptionSet, Hashable, Sendable {
        /// The bits.
        /// - Since: iOS 6.0
        public let rawValue: UInt

        /// Creates options from bits.
        /// - Since: iOS 6.0
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Mixes with other apps' audio. Apps on Linux always do; the option excludes long-form policies.
        /// - Since: iOS 6.0
        public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
        /// Allows AirPlay. The categories that can be set always do.
        /// - Since: iOS 10.0
        public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
    }

    /// Options of activation.
    /// - Since: iOS 6.0
    public struct SetActiveOptions: OptionSet, Hashable, Sendable {
        /// The bits.
        /// - Since: iOS 6.0
        public let rawValue: UInt

        /// Creates options from bits.
        /// - Since: iOS 6.0
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Notifies apps that were interrupted. There are none.
        /// - Since: iOS 6.0
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// A kind of output.
    /// - Since: iOS 6.0
    public struct Port: RawRepresentable, Hashable, Sendable {
        /// The name.
        /// - Since: iOS 6.0
        public let rawValue: String

        /// Creates a kind from its name.
        /// - Since: iOS 6.0
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A receiver on the network.
        /// - Since: iOS 6.0
        public static let airPlay = Port(rawValue: "AirPlay")
        /// This computer.
        /// - Since: iOS 6.0
        public static let builtInSpeaker = Port(rawValue: "Speaker")
    }

    /// A reason for which the route has changed.
    /// - Since: iOS 6.0
    public enum RouteChangeReason: UInt, Sendable {
        /// The reason isn't known.
        /// - Since: iOS 6.0
        case unknown = 0
        /// The user has chosen a receiver, or a receiver can be reached again.
        /// - Since: iOS 6.0
        case newDeviceAvailable = 1
        /// A receiver can't be reached any more. Players pause, unless others play on.
        /// - Since: iOS 6.0
        case oldDeviceUnavailable = 2
        /// The app has changed the session's policy.
        /// - Since: iOS 6.0
        case categoryChange = 3
        /// The user has chosen another receiver, or none.
        /// - Since: iOS 6.0
        case override = 4
        /// The device was asleep. It isn't posted on Linux.
        /// - Since: iOS 6.0
        case wakeFromSleep = 6
        /// No route fits the category. It isn't posted on Linux.
        /// - Since: iOS 7.0
        case noSuitableRouteForCategory = 7
        /// The route's properties have changed. It isn't posted on Linux.
        /// - Since: iOS 7.0
        case routeConfigurationChange = 8
    }

    /// The code of an error of the domain `NSOSStatusErrorDomain`.
    /// - Since: iOS 7.0
    public enum ErrorCode: Int, Sendable {
        /// A player plays.
        /// - Since: iOS 7.0
        case isBusy = 0x2161_6374
        /// A parameter is invalid.
        /// - Since: iOS 7.0
        case badParam = -50
    }
}

/// The ports of a route. It never changes.
/// - Since: iOS 6.0
public final class AVAudioSessionRouteDescription: NSObject, Sendable {
    /// The inputs: none.
    /// - Since: iOS 6.0
    public let inputs: [AVAudioSessionPortDescription] = []
    /// The outputs: the receivers that play in step, or else this computer.
    /// - Since: iOS 6.0
    public let outputs: [AVAudioSessionPortDescription]

    init(_ outputs: [AVAudioSessionPortDescription]) {
        self.outputs = outputs
    }
}

/// A port of a route. It never changes.
/// - Since: iOS 6.0
public final class AVAudioSessionPortDescription: NSObject, Sendable {
    /// The kind.
    /// - Since: iOS 6.0
    public let portType: AVAudioSession.Port
    /// The name: that of the receiver.
    /// - Since: iOS 6.0
    public let portName: String
    /// The ID.
    /// - Since: iOS 6.0
    public let uid: String

    init(_ type: AVAudioSession.Port, name: String, uid: String) {
        (portType, portName, self.uid) = (type, name, uid)
    }
}
