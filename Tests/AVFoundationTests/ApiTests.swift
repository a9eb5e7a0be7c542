import AVFoundation
import AVKit
import AirPlay
import Foundation
import MediaPlayer
import MediaRouting
import PeerProcess
import Synchronization
import Testing

/// Symbols of Apple's API that the tests of players don't use.
@Suite struct ApiTests {
    init() {
        _ = TestReceiver.routeFile
    }

    @Test func enumerationsHaveApplesValues() {
        #expect(AVAudioSession.RouteSharingPolicy.default.rawValue == 0)
        #expect(AVAudioSession.RouteSharingPolicy.longFormAudio.rawValue == 1)
        #expect(AVAudioSession.RouteSharingPolicy.independent.rawValue == 2)
        #expect(AVAudioSession.RouteSharingPolicy.longFormVideo.rawValue == 3)
        #expect(AVAudioSession.RouteChangeReason.unknown.rawValue == 0)
        #expect(AVAudioSession.RouteChangeReason.newDeviceAvailable.rawValue == 1)
        #expect(AVAudioSession.RouteChangeReason.oldDeviceUnavailable.rawValue == 2)
        #expect(AVAudioSession.RouteChangeReason.categoryChange.rawValue == 3)
        #expect(AVAudioSession.RouteChangeReason.override.rawValue == 4)
        #expect(AVAudioSession.RouteChangeReason.wakeFromSleep.rawValue == 6)
        #expect(AVAudioSession.RouteChangeReason.noSuitableRouteForCategory.rawValue == 7)
        #expect(AVAudioSession.RouteChangeReason.routeConfigurationChange.rawValue == 8)
        #expect(AVAudioSession.ErrorCode.isBusy.rawValue == 560_030_580)
        #expect(AVAudioSession.ErrorCode.badParam.rawValue == -50)
        #expect(AVPlayer.Status.unknown.rawValue == 0)
        #expect(AVPlayer.Status.readyToPlay.rawValue == 1)
        #expect(AVPlayer.Status.failed.rawValue == 2)
        #expect(AVPlayer.TimeControlStatus.paused.rawValue == 0)
        #expect(AVPlayer.TimeControlStatus.waitingToPlayAtSpecifiedRate.rawValue == 1)
        #expect(AVPlayer.TimeControlStatus.playing.rawValue == 2)
        #expect(AVPlayer.ActionAtItemEnd.advance.rawValue == 0)
        #expect(AVPlayer.ActionAtItemEnd.pause.rawValue == 1)
        #expect(AVPlayer.ActionAtItemEnd.none.rawValue == 2)
        #expect(AVPlayerItem.Status.unknown.rawValue == 0)
        #expect(AVPlayerItem.Status.readyToPlay.rawValue == 1)
        #expect(AVPlayerItem.Status.failed.rawValue == 2)
        #expect(AVQueuedSampleBufferRenderingStatus.unknown.rawValue == 0)
        #expect(AVQueuedSampleBufferRenderingStatus.rendering.rawValue == 1)
        #expect(AVQueuedSampleBufferRenderingStatus.failed.rawValue == 2)
        #expect(AVError.Code.unknown.rawValue == -11_800)
        #expect(AVError.Code.fileFormatNotRecognized.rawValue == -11_828)
        #expect(AVError.Code.decoderNotFound.rawValue == -11_833)
        #expect(AVError.Code.contentIsUnavailable.rawValue == -11_863)
        #expect(MPRemoteCommandHandlerStatus.success.rawValue == 0)
        #expect(MPRemoteCommandHandlerStatus.noSuchContent.rawValue == 100)
        #expect(MPRemoteCommandHandlerStatus.noActionableNowPlayingItem.rawValue == 110)
        #expect(MPRemoteCommandHandlerStatus.deviceNotFound.rawValue == 120)
        #expect(MPRemoteCommandHandlerStatus.commandFailed.rawValue == 200)
        #expect(MPNowPlayingPlaybackState.unknown.rawValue == 0)
        #expect(MPNowPlayingPlaybackState.playing.rawValue == 1)
        #expect(MPNowPlayingPlaybackState.paused.rawValue == 2)
        #expect(MPNowPlayingPlaybackState.stopped.rawValue == 3)
        #expect(MPNowPlayingPlaybackState.interrupted.rawValue == 4)
        #expect(MPSeekCommandEventType.beginSeeking.rawValue == 0)
        #expect(MPSeekCommandEventType.endSeeking.rawValue == 1)
        #expect(CMTimeRoundingMethod.default == .roundHalfAwayFromZero)
        #expect(CMTimeRoundingMethod.roundHalfAwayFromZero.rawValue == 1)
        #expect(CMTimeRoundingMethod.roundTowardZero.rawValue == 2)
        #expect(CMTimeRoundingMethod.roundAwayFromZero.rawValue == 3)
        #expect(CMTimeRoundingMethod.quickTime.rawValue == 4)
        #expect(CMTimeRoundingMethod.roundTowardPositiveInfinity.rawValue == 5)
        #expect(CMTimeRoundingMethod.roundTowardNegativeInfinity.rawValue == 6)
    }

    @Test func namesAndOptionsHaveApplesValues() {
        #expect(AVAudioSession.Category.ambient.rawValue == "AVAudioSessionCategoryAmbient")
        #expect(AVAudioSession.Category.soloAmbient.rawValue == "AVAudioSessionCategorySoloAmbient")
        #expect(AVAudioSession.Category.playback == AVAudioSession.Category(rawValue: "AVAudioSessionCategoryPlayback"))
        #expect(AVAudioSession.Mode.default == AVAudioSession.Mode(rawValue: "AVAudioSessionModeDefault"))
        #expect(AVAudioSession.Mode.moviePlayback.rawValue == "AVAudioSessionModeMoviePlayback")
        #expect(AVAudioSession.Mode.spokenAudio.rawValue == "AVAudioSessionModeSpokenAudio")
        #expect(AVAudioSession.Port.airPlay == AVAudioSession.Port(rawValue: "AirPlay"))
        #expect(AVAudioSession.Port.builtInSpeaker.rawValue == "Speaker")
        #expect(AVAudioSession.CategoryOptions.mixWithOthers == AVAudioSession.CategoryOptions(rawValue: 1))
        #expect(AVAudioSession.CategoryOptions.allowAirPlay.rawValue == 0x40)
        #expect(
            AVAudioSession.SetActiveOptions.notifyOthersOnDeactivation == AVAudioSession.SetActiveOptions(rawValue: 1)
        )
        #expect(AVAudioSession.SetActiveOptions.notifyOthersOnDeactivation.rawValue == 1)
        #expect(AVAudioSession.routeChangeNotification.rawValue == "AVAudioSessionRouteChangeNotification")
        #expect(AVAudioSessionRouteChangeReasonKey == "AVAudioSessionRouteChangeReasonKey")
        #expect(AVAudioSessionRouteChangePreviousRouteKey == "AVAudioSessionRouteChangePreviousRouteKey")
        #expect(AVFoundationErrorDomain == "AVFoundationErrorDomain")
        #expect(AVError.errorDomain == AVFoundationErrorDomain)
        #expect(AVPlayerItemFailedToPlayToEndTimeErrorKey == "AVPlayerItemFailedToPlayToEndTimeErrorKey")
        #expect(AVPlayerItem.didPlayToEndTimeNotification == .AVPlayerItemDidPlayToEndTime)
        #expect(AVPlayerItem.failedToPlayToEndTimeNotification == .AVPlayerItemFailedToPlayToEndTime)
        #expect(AVPlayerItem.timeJumpedNotification == .AVPlayerItemTimeJumped)
        #expect(MPMediaItemPropertyTitle == "title")
        #expect(MPMediaItemPropertyArtist == "artist")
        #expect(MPMediaItemPropertyAlbumTitle == "albumTitle")
        #expect(MPMediaItemPropertyPlaybackDuration == "playbackDuration")
        #expect(MPMediaItemPropertyArtwork == "artwork")
        #expect(MPNowPlayingInfoPropertyElapsedPlaybackTime == "MPNowPlayingInfoPropertyElapsedPlaybackTime")
        #expect(MPNowPlayingInfoPropertyPlaybackRate == "MPNowPlayingInfoPropertyPlaybackRate")
        #expect(kAudioFormatLinearPCM == 0x6C70_636D)
        #expect(kAudioFormatFlagIsFloat == 1)
        #expect(kAudioFormatFlagIsBigEndian == 2)
        #expect(kAudioFormatFlagIsSignedInteger == 4)
        #expect(kAudioFormatFlagIsPacked == 8)
        #expect(kAudioFormatFlagIsNonInterleaved == 32)
        #expect(kAudioFormatFlagsNativeEndian == 0)
        #expect(kCMBlockBufferBadLengthParameterErr == -12_704)
        #expect(kCMFormatDescriptionError_InvalidParameter == -12_710)
        #expect(kCMSampleBufferError_RequiredParameterMissing == -12_731)
        #expect(CMTimeFlags.valid == CMTimeFlags(rawValue: 1))
        #expect(CMTimeFlags.hasBeenRounded.rawValue == 2)
        #expect(CMTimeFlags.positiveInfinity.rawValue == 4)
        #expect(CMTimeFlags.negativeInfinity.rawValue == 8)
        #expect(CMTimeFlags.indefinite.rawValue == 16)
        #expect(CMTimeFlags.impliedValueFlagsMask.rawValue == 28)
    }

    @Test func timesHaveTheirParts() {
        let time = CMTime(value: 3, timescale: 2, flags: .valid, epoch: 1)
        #expect(time.value == 3 && time.timescale == 2 && time.flags == .valid && time.epoch == 1)
        #expect(CMTime() == .invalid)
        #expect(!CMTime.invalid.isValid)
        #expect(CMTime.zero.isNumeric && CMTime.zero.seconds == 0)
        #expect(CMTime.indefinite.isIndefinite && CMTime.indefinite.isValid)
        #expect(CMTime.positiveInfinity.isPositiveInfinity)
        #expect(CMTime.negativeInfinity.isNegativeInfinity)
        #expect(CMTime(seconds: 1.0 / 3, preferredTimescale: 600).value == 200)
        #expect(CMTimeMake(value: 1, timescale: 2) == CMTime(value: 1, timescale: 2))
        #expect(CMTimeMakeWithSeconds(0.5, preferredTimescale: 600).value == 300)
        #expect(CMTimeGetSeconds(CMTime(value: 1, timescale: 4)) == 0.25)
        #expect(CMTimeAdd(.zero, time) == time - .zero || time.epoch != 0)
        #expect(CMTimeSubtract(CMTime(value: 3, timescale: 1), CMTime(value: 1, timescale: 1)).value == 2)
        #expect(CMTimeMultiply(CMTime(value: 3, timescale: 1), multiplier: 4).value == 12)
        #expect(CMTimeMultiplyByFloat64(CMTime(value: 3, timescale: 1), multiplier: 1.5).value == 5)
        #expect(CMTimeMinimum(.zero, .negativeInfinity).isNegativeInfinity)
        #expect(CMTimeMaximum(.zero, .negativeInfinity) == .zero)
        #expect(CMTimeAbsoluteValue(CMTime(value: -3, timescale: 1)).value == 3)
        #expect(CMTimeConvertScale(CMTime(value: 1, timescale: 2), timescale: 10, method: .default).value == 5)
        #expect(CMTimeConvertScale(CMTime(value: 1, timescale: 2), timescale: 3, method: .quickTime).value == 2)
    }

    @Test func rangesContainTheirTimes() {
        let second = CMTime(value: 1, timescale: 1)
        let range = CMTimeRange(start: second, end: second + second)
        #expect(range == CMTimeRange(start: second, duration: second))
        #expect(CMTimeRangeMake(start: second, duration: second) == range)
        #expect(range.start == second && range.duration == second && range.end.seconds == 2)
        #expect(range.containsTime(second) && !range.containsTime(range.end))
        #expect(range.isValid && !range.isEmpty)
        #expect(CMTimeRange.zero.isEmpty)
        #expect(CMTimeRange() == .invalid && !CMTimeRange.invalid.isValid)
    }

    @Test func formatsAndBuffersHaveTheirParts() throws {
        let description = AudioStreamBasicDescription(
            mSampleRate: 48_000,
            mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
            mBytesPerPacket: 4,
            mFramesPerPacket: 1,
            mBytesPerFrame: 4,
            mChannelsPerFrame: 1,
            mBitsPerChannel: 32,
            mReserved: 0
        )
        #expect(description.mSampleRate == 48_000 && description.mFormatID == kAudioFormatLinearPCM)
        #expect(description.mFormatFlags == 9 && description.mBytesPerPacket == 4)
        #expect(description.mFramesPerPacket == 1 && description.mBytesPerFrame == 4)
        #expect(description.mChannelsPerFrame == 1 && description.mBitsPerChannel == 32 && description.mReserved == 0)
        #expect(AudioStreamBasicDescription().mSampleRate == 0)
        let format = try CMFormatDescription(audioStreamBasicDescription: description)
        #expect(format.audioStreamBasicDescription == description)
        let block = try CMBlockBuffer(length: 8)
        #expect(block.dataLength == 8)
        try [UInt8](1...4).withUnsafeBytes { try block.replaceDataBytes(with: $0, offset: 4) }
        let bytes = try block.dataBytes()
        #expect(bytes == Data([0, 0, 0, 0, 1, 2, 3, 4]))
        let timing = CMSampleTimingInfo(
            duration: CMTime(value: 1, timescale: 48_000),
            presentationTimeStamp: CMTime(value: 5, timescale: 1),
            decodeTimeStamp: .invalid
        )
        #expect(timing.duration.timescale == 48_000 && timing.presentationTimeStamp.value == 5)
        #expect(!timing.decodeTimeStamp.isValid)
        let buffer = try CMSampleBuffer(
            dataBuffer: block,
            formatDescription: format,
            numSamples: 2,
            sampleTimings: [timing],
            sampleSizes: [4]
        )
        #expect(buffer.dataBuffer === block && buffer.formatDescription === format)
        #expect(buffer.numSamples == 2 && buffer.presentationTimeStamp.value == 5)
        #expect(buffer.duration == CMTime(value: 2, timescale: 48_000))
        let count: CMItemCount = buffer.numSamples
        let flags: AudioFormatFlags = description.mFormatFlags
        let id: AudioFormatID = description.mFormatID
        let audio: CMAudioFormatDescription = format
        #expect(count == 2 && flags == 9 && id == kAudioFormatLinearPCM && audio === format)
        let epoch: CMTimeEpoch = timing.duration.epoch
        #expect(epoch == 0)
    }

    @Test func aQueueIsChanged() {
        let items = (0..<3).map { AVPlayerItem(asset: AVAsset(url: URL(filePath: "/nowhere/\($0).wav"))) }
        let player = AVQueuePlayer()
        #expect(player.actionAtItemEnd == .advance && player.currentItem == nil)
        #expect(player.canInsert(items[0], after: nil))
        player.insert(items[0], after: nil)
        player.insert(items[2], after: nil)
        player.insert(items[1], after: items[0])
        #expect(player.items() == items)
        #expect(!player.canInsert(items[0], after: nil))
        player.advanceToNextItem()
        #expect(player.items() == Array(items.dropFirst()))
        player.remove(items[2])
        #expect(player.items() == [items[1]])
        player.replaceCurrentItem(with: items[0])
        #expect(player.currentItem === items[0])
        player.removeAllItems()
        #expect(player.items().isEmpty)
        player.actionAtItemEnd = .none
        #expect(player.actionAtItemEnd == .none)
        let asset = AVURLAsset(url: URL(filePath: "/nowhere.wav"))
        #expect(asset.url.path == "/nowhere.wav")
        #expect(AVPlayerItem(asset: asset).asset === asset)
    }

    @Test(
        arguments: [
            (.success, .success), (.noSuchContent, .noSuchContent), (.noActionableNowPlayingItem, .noActionableItem),
            (.deviceNotFound, .deviceNotFound), (.commandFailed, .failed),
        ] as [(MPRemoteCommandHandlerStatus, RemoteCommand.Result)]
    )
    func theReceiverGetsAHandlersStatus(status: MPRemoteCommandHandlerStatus, result: RemoteCommand.Result) async {
        let routes = MediaRoutes(RouteFile(path: "/dev/null/route.json"))
        let center = MPRemoteCommandCenter(routes: routes)
        _ = center.playCommand.addTarget { _ in status }
        #expect(await routes.handle(RemoteCommand(rawValue: "play")) == result)
        #expect(await routes.handle(RemoteCommand(rawValue: "pause")) == .failed)
    }

    @Test func commandsCallTheirHandlers() async throws {
        let center = MPRemoteCommandCenter.shared()
        let events = Mutex<[String]>([])
        let commands = [
            ("stop", center.stopCommand), ("previous", center.previousTrackCommand),
            ("forward", center.seekForwardCommand), ("backward", center.seekBackwardCommand),
        ]
        let targets = commands.map { name, command in
            command.addTarget { event in
                let seek = (event as? MPSeekCommandEvent).map { $0.type == .beginSeeking ? " begins" : " ends" } ?? ""
                let isRight = event.command === command && event.timestamp > 0
                events.withLock { $0.append(isRight ? name + seek : "wrong") }
                return .success
            }
        }
        center.stopCommand.isEnabled = false
        for name in ["previtem", "beginff", "beginrew", "playresume"] {
            #expect(await MediaRoutes.shared.handle(RemoteCommand(rawValue: name)) == .success)
        }
        #expect(await MediaRoutes.shared.handle(RemoteCommand(rawValue: "stop")) == .failed)
        let expected = ["previous", "forward begins", "forward ends", "backward begins", "backward ends"]
        try await Wait.until("the handlers are called") { events.withLock { $0.count } >= expected.count }
        #expect(events.withLock { $0 } == expected)
        center.stopCommand.isEnabled = true
        for (command, target) in zip(commands, targets) { command.1.removeTarget(target) }
        #expect(await MediaRoutes.shared.handle(RemoteCommand(rawValue: "stop")) == .failed)
        #expect(events.withLock { $0 } == expected)
    }

    @Test func artworkIsDrawnInItsSize() {
        let size = CGSize(width: 10, height: 20)
        let artwork = MPMediaItemArtwork(boundsSize: size) { MPArtworkImage(data: Data([UInt8($0.width)])) }
        #expect(artwork.bounds.size == size)
        #expect(artwork.image(at: CGSize(width: 5, height: 5))?.data == Data([5]))
    }

    @Test @MainActor func aPickerTellsItsDelegate() {
        final class Delegate: NSObject, AVRoutePickerViewDelegate {
            var calls: [String] = []

            func routePickerViewWillBeginPresentingRoutes(_ routePickerView: AVRoutePickerView) {
                calls.append("begin")
            }

            func routePickerViewDidEndPresentingRoutes(_ routePickerView: AVRoutePickerView) {
                calls.append("end")
            }
        }
        let delegate = Delegate()
        let picker = AVRoutePickerView()
        picker.delegate = delegate
        #expect(!picker.prioritizesVideoDevices)
        picker.endPresentingRoutes()
        #expect(delegate.calls.isEmpty)
        picker.delegate = nil
        #expect(picker.delegate == nil)
        let detector = AVRouteDetector()
        #expect(!detector.isRouteDetectionEnabled && !detector.multipleRoutesDetected)
    }
}
