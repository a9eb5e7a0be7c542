/// The number of a format.
/// - Since: iOS 2.0
public typealias AudioFormatID = UInt32
/// The bits with the details of a format.
/// - Since: iOS 2.0
public typealias AudioFormatFlags = UInt32

/// Samples without compression.
/// - Since: iOS 2.0
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
/// Samples are floating-point numbers.
/// - Since: iOS 2.0
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1 << 0
/// The most significant byte comes first.
/// - Since: iOS 2.0
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// Samples are whole numbers with a sign.
/// - Since: iOS 2.0
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// Samples use all bits of their bytes.
/// - Since: iOS 2.0
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// The channels of a frame don't follow each other.
/// - Since: iOS 2.0
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// The byte order of this processor.
/// - Since: iOS 2.0
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0

/// The format of audio.
/// - Since: iOS 2.0
public struct AudioStreamBasicDescription: Hashable, Sendable {
    /// The number of frames in a second.
    /// - Since: iOS 2.0
    public var mSampleRate: Float64
    /// The format.
    /// - Since: iOS 2.0
    public var mFormatID: AudioFormatID
    /// The details of the format.
    /// - Since: iOS 2.0
    public var mFormatFlags: AudioFormatFlags
    /// The number of bytes in a packet.
    /// - Since: iOS 2.0
    public var mBytesPerPacket: UInt32
    /// The number of frames in a packet; 1 without compression.
    /// - Since: iOS 2.0
    public var mFramesPerPacket: UInt32
    /// The number of bytes in a frame.
    /// - Since: iOS 2.0
    public var mBytesPerFrame: UInt32
    /// The number of channels.
    /// - Since: iOS 2.0
    public var mChannelsPerFrame: UInt32
    /// The number of bits in a sample of one channel.
    /// - Since: iOS 2.0
    public var mBitsPerChannel: UInt32
    /// Always 0.
    /// - Since: iOS 2.0
    public var mReserved: UInt32

    /// Creates an empty description.
    /// - Since: iOS 2.0
    public init() {
        self.init(
            mSampleRate: 0,
            mFormatID: 0,
            mFormatFlags: 0,
            mBytesPerPacket: 0,
            mFramesPerPacket: 0,
            mBytesPerFrame: 0,
            mChannelsPerFrame: 0,
            mBitsPerChannel: 0,
            mReserved: 0
        )
    }

    /// Creates a description.
    /// - Since: iOS 2.0
    public init(
        mSampleRate: Float64,
        mFormatID: AudioFormatID,
        mFormatFlags: AudioFormatFlags,
        mBytesPerPacket: UInt32,
        mFramesPerPacket: UInt32,
        mBytesPerFrame: UInt32,
        mChannelsPerFrame: UInt32,
        mBitsPerChannel: UInt32,
        mReserved: UInt32
    ) {
        self.mSampleRate = mSampleRate
        self.mFormatID = mFormatID
        self.mFormatFlags = mFormatFlags
        self.mBytesPerPacket = mBytesPerPacket
        self.mFramesPerPacket = mFramesPerPacket
        self.mBytesPerFrame = mBytesPerFrame
        self.mChannelsPerFrame = mChannelsPerFrame
        self.mBitsPerChannel = mBitsPerChannel
        self.mReserved = mReserved
    }
}
