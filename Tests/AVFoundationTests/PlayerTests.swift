import AVFoundation
import AVKit
import AirPlay
import Foundation
import MediaPlayer
import MediaRouting
import PeerProcess
import RadioApp
import SamplesApp
import Synchronization
import Testing

// The tests read the apps' properties on the main actor, or where nothing changes them.
extension RadioPlayer: @unchecked Sendable {}
extension RouteWatcher: @unchecked Sendable {}

/// Apps that play to a receiver. They share the process's route, so that the tests run one after the other.
@Suite(.serialized) struct PlayerTests {
    @Test func aQueuePlaysWithoutAGapToTheChosenReceiver() async throws {
        let (first, second) = (Noise.samples(frameCount: 30_000), Noise.samples(frameCount: 20_001, seed: 2))
        try await TestReceiver.with { receiver in
            try configureLongFormAudio()
            try await Noise.withFile(first) { firstURL in
                try await Noise.withFile(second) { secondURL in
                    let app = RadioPlayer(urls: [firstURL, secondURL])
                    let items = app.player.items()
                    #expect(app.player.currentItem === items.first)
                    app.player.play()
                    try await receiver.waitFor(first + second)
                    try await Wait.until("both items end") { await MainActor.run { app.finishedItems } == items }
                    #expect(items.first?.status == .readyToPlay)
                    #expect(items.first?.duration == CMTime(value: 30_000, timescale: 44_100))
                    #expect(app.player.items().isEmpty)
                    #expect(app.player.currentItem == nil)
                    #expect(app.player.rate == 0)
                    #expect(app.player.timeControlStatus == .paused)
                    #expect(app.player.currentTime() == .invalid)
                    let times = await MainActor.run { app.observedTimes }
                    // Items start again at 0, so that a multiple of the interval is seen in each.
                    #expect(times.filter { (0.25..<0.5).contains($0) }.count >= 2)
                }
            }
        }
    }

    @Test func seekingAndPausingDiscardWhatTheReceiverHasNotPlayed() async throws {
        let signal = Noise.samples(frameCount: 441_000)
        try await TestReceiver.with { receiver in
            try configureLongFormAudio()
            try await Noise.withFile(signal) { url in
                let player = AVPlayer(url: url)
                #expect(player.actionAtItemEnd == .pause)
                player.play()
                #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
                try await Wait.until("audio is heard") { player.currentTime().seconds > 0.1 }
                #expect(player.timeControlStatus == .playing)
                // The receiver has two seconds more than what is heard.
                try await receiver.waitFor(Array(signal.prefix(2 * 88_200)))
                let flushes = receiver.flushCount

                let isDone = await player.seek(to: CMTime(seconds: 5, preferredTimescale: 600))
                #expect(isDone)
                #expect(player.currentTime() == CMTime(seconds: 5, preferredTimescale: 1))
                try await Wait.until("the receiver discards the rest") { receiver.flushCount > flushes }
                try await receiver.waitFor(Array(signal[441_000..<460_000]))
                try await Wait.until("the new position is heard") { player.currentTime().seconds > 5.1 }

                player.pause()
                let frame = Int(player.currentTime().value)
                #expect(player.timeControlStatus == .paused)
                try await Wait.until("pausing discards too") { receiver.flushCount > flushes + 1 }
                #expect(receiver.samplesSinceFlush.isEmpty)
                player.rate = 1
                try await receiver.waitFor(Array(signal[(frame * 2)..<(frame * 2 + 10_000)]))
                #expect(throws: (any Error).self) { try AVAudioSession.sharedInstance().setActive(false) }
                player.pause()
                try AVAudioSession.sharedInstance().setActive(false)
            }
        }
    }

    @Test func seeksThatAreNoTimesChangeNothing() async throws {
        let item = AVPlayerItem(url: URL(filePath: "/nowhere.wav"))
        #expect(await item.seek(to: .invalid) == false)
        #expect(await item.seek(to: CMTime(seconds: 3, preferredTimescale: 600)))
        #expect(item.currentTime().seconds == 3)
        #expect(item.duration.isIndefinite)
    }

    @Test func boundaryObserversAreCalledWhenTheirTimesAreHeard() async throws {
        try await Noise.withFile(Noise.samples(frameCount: 44_100)) { url in
            let player = AVPlayer(url: url)
            let times = Mutex<[Double]>([])
            let boundary = [CMTime(value: 1, timescale: 5), CMTime(value: 3, timescale: 5)]
            let observer = player.addBoundaryTimeObserver(forTimes: boundary, queue: nil) {
                times.withLock { $0.append(player.currentTime().seconds) }
            }
            player.play()
            try await Wait.until("the item ends") { player.rate == 0 }
            player.removeTimeObserver(observer)
            try await Wait.until("both times are observed") { times.withLock { $0.count } == 2 }
            #expect(times.withLock { $0[0] >= 0.2 && $0[1] >= 0.6 })
            #expect(player.currentTime().seconds == 1)
        }
    }

    @Test func withoutALongFormPolicyAudioStaysHere() async throws {
        try await TestReceiver.with { receiver in
            try AVAudioSession.sharedInstance().setCategory(.playback)
            #expect(AVAudioSession.sharedInstance().currentRoute.outputs.first?.portType == .builtInSpeaker)
            #expect(AVAudioSession.sharedInstance().outputLatency == 0)
            try await Noise.withFile(Noise.samples(frameCount: 22_050)) { url in
                let player = AVPlayer(url: url)
                player.play()
                var statuses = player.timeControlStatusUpdates.makeAsyncIterator()
                while let status = await statuses.next(), status != .playing {}
                while let status = await statuses.next(), status != .paused {}
                #expect(player.currentTime().seconds == 0.5)
                #expect(receiver.byteCount == 0)
            }
        }
    }

    @Test func otherRatesPlayFasterOrSlower() async throws {
        try await Noise.withFile(Noise.samples(frameCount: 44_100)) { url in
            let player = AVPlayer(url: url)
            player.rate = 9
            #expect(player.rate == 0)
            player.defaultRate = 2
            #expect(player.defaultRate == 2 && player.rate == 0)
            player.play()
            #expect(player.rate == 2)
            try await Wait.until("the item ends") { player.rate == 0 }
            #expect(player.currentTime().seconds == 1)
            await player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .positiveInfinity)
            player.playImmediately(atRate: 0.5)
            #expect(player.rate == 0.5)
            try await Wait.until("the item is heard") { player.currentTime().seconds > 0.05 }
            player.pause()
        }
    }

    @Test func theSessionHasWhatWasSet() throws {
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.ambient, mode: .spokenAudio, options: .mixWithOthers)
        #expect(session.category == .ambient && session.mode == .spokenAudio)
        #expect(session.categoryOptions == .mixWithOthers && session.routeSharingPolicy == .default)
        try session.setMode(.moviePlayback)
        #expect(session.mode == .moviePlayback)
        #expect(session.availableModes.contains(.moviePlayback))
        #expect(session.currentRoute.inputs.isEmpty)
        #expect(session.currentRoute.outputs.first?.uid == "Speaker")
        try session.setCategory(.soloAmbient, options: [])
        #expect(session.category == .soloAmbient && session.categoryOptions == [])
    }

    @Test func thePlaybackStateStopsTheProgress() {
        let center = MPNowPlayingInfoCenter.default()
        center.nowPlayingInfo = [MPMediaItemPropertyTitle: 7, MPNowPlayingInfoPropertyPlaybackRate: 2]
        // A value of another type is ignored.
        #expect(MediaRoutes.shared.report?.track == TrackMetadata())
        #expect(MediaRoutes.shared.report?.rate == 2)
        center.playbackState = .paused
        #expect(center.playbackState == .paused)
        #expect(MediaRoutes.shared.report?.rate == 0)
        center.playbackState = .unknown
        center.nowPlayingInfo = nil
        #expect(center.nowPlayingInfo == nil)
    }

    @Test func renderersAreAddedFlushedAndRemoved() async {
        let synchronizer = AVSampleBufferRenderSynchronizer()
        let renderer = AVSampleBufferAudioRenderer()
        synchronizer.addRenderer(renderer)
        synchronizer.addRenderer(renderer)
        #expect(synchronizer.renderers == [renderer])
        #expect(renderer.isReadyForMoreMediaData && renderer.error == nil)
        #expect(await renderer.flush(fromSourceTime: .zero))
        #expect(await renderer.flush(fromSourceTime: .invalid) == false)
        #expect(await synchronizer.removeRenderer(renderer, at: .invalid))
        #expect(await synchronizer.removeRenderer(renderer, at: .zero) == false)
        #expect(synchronizer.renderers.isEmpty)
    }

    @Test func theVolumeIsTheReceiversOnceItWasSet() async throws {
        try await TestReceiver.with { receiver in
            try configureLongFormAudio()
            try await Noise.withFile(Noise.samples(frameCount: 441_000)) { url in
                let player = AVPlayer(url: url)
                player.play()
                try await Wait.until("audio arrives") { receiver.byteCount > 0 }
                #expect(receiver.nowPlaying.volume == nil)
                player.volume = 0.5
                try await Wait.until("the volume changes") { receiver.nowPlaying.volume == Volume(-15) }
                player.isMuted = true
                try await Wait.until("the receiver is muted") { receiver.nowPlaying.volume == .muted }
                player.isMuted = false
                try await Wait.until("the volume is back") { receiver.nowPlaying.volume == Volume(-15) }
                player.pause()
            }
        }
    }

    @Test func whatPlaysIsShownAndCommandsComeBack() async throws {
        let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3])
        try await TestReceiver.with { receiver in
            try configureLongFormAudio()
            try await Noise.withFile(Noise.samples(frameCount: 441_000)) { url in
                let app = RadioPlayer(urls: [url])
                app.setUpRemoteCommands()
                app.player.play()
                try await Wait.until("audio arrives") { receiver.byteCount > 0 }
                app.showNowPlaying(title: "Übung", artist: "Band", duration: 10, jpeg: jpeg)
                try await Wait.until("the receiver shows it") {
                    receiver.nowPlaying.progress != nil && receiver.nowPlaying.artwork != nil
                }
                #expect(receiver.nowPlaying.track == TrackMetadata(title: "Übung", artist: "Band"))
                #expect(receiver.nowPlaying.artwork == Artwork(contentType: "image/jpeg", bytes: Array(jpeg)))
                #expect(receiver.nowPlaying.progress?.duration == 10)

                #expect(try await receiver.press("pause"))
                try await Wait.until("the app pauses") { app.player.rate == 0 }
                #expect(try await receiver.press("playpause"))
                try await Wait.until("the app plays") { app.player.rate == 1 }
                // Nothing follows, as the handler says, and the receiver gets that.
                #expect(try await receiver.press("nextitem") == false)
                #expect(try await receiver.press("volumedown"))
                try await Wait.until("the volume falls") { (receiver.nowPlaying.volume?.decibels ?? 0) < 0 }
                #expect(AVAudioSession.sharedInstance().outputVolume < 1)
                #expect(await MainActor.run { app.handledCount } == 3)
                #expect(app.player.rate == 1)
                app.removeRemoteCommands()
                app.player.pause()
                MPNowPlayingInfoCenter.default().nowPlayingInfo = nil
            }
        }
    }

    @Test func thePickerListsReceiversAndChoosesForAllApps() async throws {
        try await TestReceiver.with(isChosen: false, isAdvertised: true) { receiver in
            try configureLongFormAudio()
            try await receiver.advertiseVideo(name: receiver.name)
            let watcher = RouteWatcher()
            let context = await DevicePickerView.Context()
            let picker = await DevicePickerView().makeUIView(context: context)
            #expect(await !context.coordinator.isPresenting)
            await picker.beginPresentingRoutes()
            #expect(await context.coordinator.isPresenting)
            try await Wait.until("the receiver is detected") { await MainActor.run { watcher.routeDetected } }
            try await Wait.until("it is listed as playing video") {
                await picker.routes.first { $0.name == receiver.name }?.playsVideo == true
            }
            #expect(await picker.routes.first?.playsVideo == true)
            #expect(await picker.state == .found)

            let session = AVAudioSession.sharedInstance()
            let changes = Mutex<[UInt]>([])
            let observer = NotificationCenter.default.addObserver(
                forName: AVAudioSession.routeChangeNotification,
                object: session,
                queue: nil
            ) { notification in
                let reason = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? NSNumber
                changes.withLock { $0.append(reason?.uintValue ?? 0) }
            }
            let route = try #require(await picker.routes.first { $0.name == receiver.name })
            try await picker.select(route)
            #expect(await picker.currentRoute == route)
            #expect(await picker.state == .playing)
            #expect(session.currentRoute.outputs.first?.portType == .airPlay)
            #expect(session.currentRoute.outputs.first?.portName == receiver.name)
            try await Wait.until("the change is announced") {
                changes.withLock { $0 } == [AVAudioSession.RouteChangeReason.newDeviceAvailable.rawValue]
            }
            // Found by its name alone.
            let signal = Noise.samples(frameCount: 8_000)
            try await Noise.withFile(signal) { url in
                let player = AVPlayer(url: url)
                player.play()
                try await receiver.waitFor(signal)
                player.pause()
            }
            try await picker.select(nil)
            #expect(session.currentRoute.outputs.first?.portType == .builtInSpeaker)
            await picker.endPresentingRoutes()
            #expect(await !context.coordinator.isPresenting)
            NotificationCenter.default.removeObserver(observer)
            watcher.routeDetector.isRouteDetectionEnabled = false
            #expect(!watcher.routeDetector.multipleRoutesDetected)
        }
    }

    @Test func thePlayerPausesWhenTheReceiverDisappears() async throws {
        try await TestReceiver.with { receiver in
            try configureLongFormAudio()
            try await Noise.withFile(Noise.samples(frameCount: 441_000)) { url in
                let player = AVPlayer(url: url)
                player.play()
                try await Wait.until("audio is heard") { player.currentTime().seconds > 0.1 }
                await receiver.stop()
                try await Wait.until("the player pauses") { player.timeControlStatus == .paused }
                #expect(player.currentTime().seconds > 0.1)
                let session = AVAudioSession.sharedInstance()
                #expect(session.currentRoute.outputs.first?.portType == .builtInSpeaker)
            }
        }
    }

    @Test func aNewPlayerFollowsOneThatIsGone() async throws {
        let (first, second) = (Noise.samples(frameCount: 441_000), Noise.samples(frameCount: 44_100, seed: 2))
        try await TestReceiver.with { receiver in
            try configureLongFormAudio()
            try await Noise.withFile(first) { firstURL in
                try await Noise.withFile(second) { secondURL in
                    var player = AVPlayer(url: firstURL)
                    player.play()
                    try await Wait.until("the first is heard") { player.currentTime().seconds > 0.1 }
                    let flushes = receiver.flushCount
                    player = AVPlayer(url: secondURL)
                    player.play()
                    try await Wait.until("the first one's rest is discarded") { receiver.flushCount > flushes }
                    try await receiver.waitFor(Array(second.prefix(20_000)))
                    // A second one at the same time is refused, and the first goes on.
                    let other = AVPlayer(url: firstURL)
                    other.play()
                    for await status in other.timeControlStatusUpdates
                    where status == .paused && other.status != .unknown {
                        break
                    }
                    #expect(other.rate == 0)
                    try await receiver.waitFor(second)
                    try await Wait.until("it is heard to its end") { player.rate == 0 }
                    // Once it has ended, the other one plays.
                    other.play()
                    try await Wait.until("the other is heard") { other.currentTime().seconds > 0.1 }
                    other.pause()
                }
            }
        }
    }

    @Test func samplesOfTheAppsOwnArePlayed() async throws {
        let signal = Noise.samples(frameCount: 441_000)
        try await TestReceiver.with { receiver in
            try configureLongFormAudio()
            let app = SamplesPlayer(samples: signal)
            app.start()
            try await Wait.until("samples are heard") { app.renderSynchronizer.currentTime().seconds > 0.1 }
            #expect(app.audioRenderer.status == .rendering)
            #expect(signal.starts(with: receiver.samplesSinceFlush))
            let flushes = receiver.flushCount
            app.pause()
            let frame = Int(app.renderSynchronizer.currentTime().value)
            try await Wait.until("the receiver discards the rest") { receiver.flushCount > flushes }
            app.resume()
            try await receiver.waitFor(Array(signal[(frame * 2)..<(frame * 2 + 10_000)]))
            app.stop()
        }
    }

    @Test func otherFormatsAreDecodedByFFmpeg() async throws {
        let signal = Noise.samples(frameCount: 10_000)
        try await Noise.withFile(signal) { url in
            let flac = url.deletingPathExtension().appendingPathExtension("flac")
            defer { try? FileManager.default.removeItem(at: flac) }
            let ffmpeg = try Process.run(
                URL(filePath: "/usr/bin/env"),
                arguments: ["ffmpeg", "-nostdin", "-v", "error", "-i", url.path, flac.path]
            )
            ffmpeg.waitUntilExit()
            #expect(ffmpeg.terminationStatus == 0)
            try await TestReceiver.with { receiver in
                try configureLongFormAudio()
                let asset = AVURLAsset(url: flac)
                #expect(try await asset.load(.duration) == CMTime(value: 10_000, timescale: 44_100))
                #expect(try await asset.load(.isPlayable))
                let player = AVPlayer(playerItem: AVPlayerItem(asset: asset))
                player.play()
                try await receiver.waitFor(signal)
                player.pause()
            }
        }
    }

    @Test func filesThatCannotBePlayedFailWithTheirReason() async throws {
        let missing = AVPlayerItem(url: URL(filePath: "/nowhere.wav"))
        let text = FileManager.default.temporaryDirectory.appending(path: "text-\(UUID()).mp3")
        try Data("no audio".utf8).write(to: text)
        defer { try? FileManager.default.removeItem(at: text) }
        let malformed = AVPlayerItem(url: text)
        for item in [missing, malformed] {
            let player = AVPlayer(playerItem: item)
            player.play()
            for await status in item.statusUpdates where status != .unknown { break }
            #expect(item.status == .failed)
            try await Wait.until("the player stops") { player.rate == 0 }
        }
        #expect((missing.error as? URLError)?.code == .fileDoesNotExist)
        #expect((malformed.error as? AVError)?.code == .fileFormatNotRecognized)
        #expect((malformed.error as? AVError)?.errorCode == -11_828)
    }
}
