public import Foundation

/// The domain of ``AVError``.
/// - Since: iOS 4.0
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// An error of a player or an asset.
/// - Since: iOS 4.0
public struct AVError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// The code of an error.
    /// - Since: iOS 4.0
    public enum Code: Int, Sendable {
        /// The reason isn't known.
        /// - Since: iOS 4.0
        case unknown = -11800
        /// The file isn't audio, or its format isn't known.
        /// - Since: iOS 4.0
        case fileFormatNotRecognized = -11828
        /// The file's format needs the program `ffmpeg`, which isn't installed.
        /// - Since: iOS 4.0
        case decoderNotFound = -11833
        /// The receiver can't be reached.
        /// - Since: iOS 7.0
        case contentIsUnavailable = -11863
    }

    /// The code.
    /// - Since: iOS 4.0
    public let code: Code
    private let text: String

    init(_ code: Code, _ text: String) {
        (self.code, self.text) = (code, text)
    }

    /// The domain, ``AVFoundationErrorDomain``.
    /// - Since: iOS 4.0
    public static var errorDomain: String { AVFoundationErrorDomain }
    /// The number of the code.
    /// - Since: iOS 4.0
    public var errorCode: Int { code.rawValue }
    /// A description for people.
    /// - Since: iOS 4.0
    public var errorDescription: String? { text }
}
