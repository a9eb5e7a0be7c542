import AVFoundation
import Foundation
import Testing

@Suite struct SessionTests {
    init() {
        // The session follows the file of this process, whichever test is first.
        _ = TestReceiver.routeFile
    }

    @Test func rawValuesAreApples() {
        #expect(AVAudioSession.RouteSharingPolicy.longFormAudio.rawValue == 1)
        #expect(AVAudioSession.RouteSharingPolicy.longFormVideo.rawValue == 3)
        #expect(AVAudioSession.Category.playback.rawValue == "AVAudioSessionCategoryPlayback")
        #expect(AVAudioSession.Mode.spokenAudio.rawValue == "AVAudioSessionModeSpokenAudio")
        #expect(AVAudioSession.Port.airPlay.rawValue == "AirPlay")
        #expect(AVAudioSession.RouteChangeReason.oldDeviceUnavailable.rawValue == 2)
        #expect(AVAudioSession.ErrorCode.isBusy.rawValue == 560_030_580)
        #expect(AVPlayer.TimeControlStatus.playing.rawValue == 2)
        #expect(AVPlayer.ActionAtItemEnd.pause.rawValue == 1)
        #expect(AVPlayerItem.Status.failed.rawValue == 2)
        #expect(AVQueuedSampleBufferRenderingStatus.rendering.rawValue == 1)
    }

    @Test(arguments: [AVAudioSession.Category.ambient, .soloAmbient])
    func longFormNeedsPlayback(category: AVAudioSession.Category) {
        #expect {
            try AVAudioSession.sharedInstance().setCategory(category, mode: .default, policy: .longFormAudio)
        } throws: { error in
            (error as NSError).code == AVAudioSession.ErrorCode.badParam.rawValue
        }
    }

    @Test func recordingIsNotAvailable() {
        let record = AVAudioSession.Category(rawValue: "AVAudioSessionCategoryRecord")
        #expect(!AVAudioSession.sharedInstance().availableCategories.contains(record))
        #expect(throws: NSError.self) { try AVAudioSession.sharedInstance().setCategory(record) }
    }
}

@Suite struct TimeTests {
    @Test func timesOfDifferentScalesAreComparedAndAdded() {
        let half = CMTime(value: 1, timescale: 2)
        #expect(half == CMTime(value: 22_050, timescale: 44_100))
        #expect(half.hashValue == CMTime(value: 22_050, timescale: 44_100).hashValue)
        #expect(half + CMTime(value: 1, timescale: 3) == CMTime(value: 5, timescale: 6))
        #expect((half - CMTime(value: 1, timescale: 3)).value == 1)
        #expect(CMTimeCompare(half, .zero) == 1)
        #expect(CMTimeMaximum(half, .positiveInfinity).isPositiveInfinity)
    }

    @Test func timesThatAreNoNumbersHaveAnOrder() {
        #expect(CMTime.negativeInfinity < .zero)
        #expect(CMTime.zero < .positiveInfinity)
        #expect(CMTime.positiveInfinity < .indefinite)
        #expect(CMTime.indefinite < .invalid)
        #expect((CMTime.positiveInfinity + .negativeInfinity) == .invalid)
        #expect(CMTime.invalid.seconds.isNaN)
        #expect(!CMTime(value: 1, timescale: 0).isValid)
    }

    @Test(arguments: [
        (CMTimeRoundingMethod.roundHalfAwayFromZero, 2, -2), (.roundTowardZero, 1, -1), (.roundAwayFromZero, 2, -2),
        (.roundTowardPositiveInfinity, 2, -1), (.roundTowardNegativeInfinity, 1, -2),
    ])
    func scalesAreConvertedByTheMethod(method: CMTimeRoundingMethod, positive: Int64, negative: Int64) {
        #expect(CMTime(value: 3, timescale: 2).convertScale(1, method: method).value == positive)
        #expect(CMTime(value: -3, timescale: 2).convertScale(1, method: method).value == negative)
        #expect(CMTime(value: 3, timescale: 2).convertScale(1, method: method).hasBeenRounded)
    }

    @Test func resultsOutOfRangeAreInfinite() {
        let most = CMTime(value: .max, timescale: 1)
        #expect((most + most).isPositiveInfinity)
        #expect(most.convertScale(44_100, method: .default).isPositiveInfinity)
        #expect(CMTimeMultiply(most, multiplier: -2).isNegativeInfinity)
        #expect(CMTime(seconds: .infinity, preferredTimescale: 600).isPositiveInfinity)
        #expect(CMTime(seconds: .nan, preferredTimescale: 600) == .invalid)
    }
}

@Suite struct SampleBufferTests {
    private static func format(_ change: (inout AudioStreamBasicDescription) -> Void = { _ in })
        -> AudioStreamBasicDescription
    {
        var format = AudioStreamBasicDescription()
        format.mSampleRate = 44_100
        format.mFormatID = kAudioFormatLinearPCM
        format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
        format.mFramesPerPacket = 1
        format.mChannelsPerFrame = 2
        format.mBitsPerChannel = 16
        format.mBytesPerFrame = 4
        format.mBytesPerPacket = 4
        change(&format)
        return format
    }

    @Test func formatsWithCompressionAreRefused() throws {
        #expect(throws: NSError.self) {
            try CMFormatDescription(audioStreamBasicDescription: Self.format { $0.mFormatID = 0x616C_6163 })
        }
        #expect(throws: NSError.self) {
            try CMFormatDescription(audioStreamBasicDescription: Self.format { $0.mChannelsPerFrame = 3 })
        }
    }

    @Test func aBufferNeedsBytesForAllItsFrames() throws {
        let format = try CMFormatDescription(audioStreamBasicDescription: Self.format())
        let block = try CMBlockBuffer(length: 40)
        let buffer = try CMSampleBuffer(
            dataBuffer: block,
            formatDescription: format,
            numSamples: 10,
            presentationTimeStamp: .zero
        )
        #expect(buffer.duration == CMTime(value: 10, timescale: 44_100))
        #expect(throws: NSError.self) {
            try CMSampleBuffer(
                dataBuffer: block,
                formatDescription: format,
                numSamples: 11,
                presentationTimeStamp: .zero
            )
        }
        #expect(throws: NSError.self) { try CMBlockBuffer(length: CMBlockBuffer.lengthLimit + 1) }
        #expect(throws: NSError.self) {
            try [UInt8](repeating: 0, count: 41).withUnsafeBytes { try block.replaceDataBytes(with: $0) }
        }
    }
}
