public import CoreMedia
public import Foundation
import MediaRouting

/// A property of an asset that is loaded when it is needed.
/// - Since: iOS 15.0
public struct AVAsyncProperty<Root, Value>: Sendable {
    let load: @Sendable (WaveFile) -> Value
}

extension AVAsyncProperty where Root: AVAsset {
    /// The duration.
    /// - Since: iOS 15.0
    public static var duration: AVAsyncProperty<Root, CMTime> {
        AVAsyncProperty<Root, CMTime> { CMTime(value: CMTimeValue($0.frameCount), timescale: 44_100) }
    }

    /// Whether a player can play the asset.
    /// - Since: iOS 15.0
    public static var isPlayable: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty<Root, Bool> { $0.frameCount > 0 }
    }
}

/// Media that a player plays. Its subclass ``AVURLAsset`` is the only kind.
///
/// All methods can be called on any thread.
/// - Since: iOS 4.0
open class AVAsset: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its stored properties are immutable.

    private let file: MediaLoader

    init(file: MediaLoader) {
        self.file = file
    }

    /// Creates the asset of a file or another resource.
    /// - Since: iOS 4.0
    public convenience init(url: URL) {
        self.init(file: MediaLoader(url))
    }

    /// Loads the file, and returns a property.
    ///
    /// - Throws: `URLError` if the file can't be opened, otherwise ``AVError``.
    /// - Since: iOS 15.0
    public func load<Value>(_ property: AVAsyncProperty<AVAsset, Value>) async throws -> Value {
        property.load(try await audio())
    }

    func audio() async throws -> WaveFile { try await file.file() }
}

/// An asset of a file or another resource.
///
/// Files are WAV files with 44,100 frames a second, 16 bits, and one or two channels. Other files and resources are converted
/// by the program `ffmpeg`, if it is installed. All methods can be called on any thread.
/// - Since: iOS 4.0
open class AVURLAsset: AVAsset, @unchecked Sendable {
    // @unchecked as its superclass.

    /// The URL.
    /// - Since: iOS 4.0
    public let url: URL

    /// Creates the asset of a file or another resource. It isn't read yet.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - options: Ignored.
    /// - Since: iOS 4.0
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
        super.init(file: MediaLoader(url))
    }
}

/// Loads a file once. This is an actor because several players may ask for it.
actor MediaLoader {
    private let url: URL
    private var task: Task<WaveFile, any Error>?

    init(_ url: URL) {
        self.url = url
    }

    func file() async throws -> WaveFile {
        if let task { return try await task.value }
        let task = Task { [url] in try await MediaDecoder.load(url) }
        self.task = task
        return try await task.value
    }
}
