import AVFoundation
import AirPlay
import AirPlayNetwork
import DNSSD
import Foundation
import MediaRouting
import PeerProcess
import RadioApp
import Synchronization
import Testing

extension PlayerTests {
    /// Films that the receiver plays itself.
    @Suite(.serialized) struct FilmTests {
        private static let address = URL(string: "http://127.0.0.1:9/film.m3u8")

        /// A player of addresses. This is a class because the receiver and the test share it.
        private final class Screen: VideoPlayer {
            struct State {
                var status = VideoStatus()
                var address: MediaAddress?
                var start: VideoRequest.Start?
                var playCount = 0
                var refuses = false
            }

            let state = Mutex(State())

            func play(_ address: MediaAddress, from start: VideoRequest.Start) -> Bool {
                state.withLock { state in
                    guard !state.refuses else { return false }
                    (state.address, state.start) = (address, start)
                    state.playCount += 1
                    state.status = VideoStatus(state: .playing, position: 0, duration: 60)
                    if case .seconds(let seconds) = start { state.status.position = seconds }
                    return true
                }
            }

            func seek(to seconds: Double) -> Bool {
                state.withLock { $0.status.position = seconds }
                return true
            }

            func pause(_ isPaused: Bool) {
                state.withLock { $0.status.state = isPaused ? .paused : .playing }
            }

            func stop() {
                state.withLock { $0.status = VideoStatus() }
            }

            var status: VideoStatus { state.withLock { $0.status } }
            var address: String? { state.withLock { $0.address?.description } }
        }

        /// Runs a test with a receiver of video, which is chosen.
        private static func withScreen(_ body: (Screen, VideoReceiver, _ name: String) async throws -> Void)
            async throws
        {
            let name = "TV \(UUID().uuidString.prefix(8))"
            let screen = Screen()
            let receiver = VideoReceiver(name: name, player: screen) { _ in }
            let port = try await receiver.start(address: "127.0.0.1", port: 0)
            let discovery = try await MulticastDNS(interfaces: ["127.0.0.1"])
            let entries = VideoRecord.txt(name: name).map { TXTRecord.Entry(key: $0.key, value: Array($0.value.utf8)) }
            _ = try await discovery.advertise(
                ServiceAdvertisement(
                    instanceName: name,
                    type: try ServiceType(VideoRecord.serviceType),
                    port: UInt16(port),
                    txt: TXTRecord(entries: entries)
                )
            )
            try TestReceiver.routeFile.write(RouteChoice(receiver: name, interfaces: ["127.0.0.1"]))
            MediaRoutes.shared.update()
            let session = AVAudioSession.sharedInstance()
            try session.setCategory(.playback, mode: .moviePlayback, policy: .longFormVideo)
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(screen, receiver, name))
            } catch {
                result = .failure(error)
            }
            try TestReceiver.routeFile.write(RouteChoice(interfaces: ["127.0.0.1"]))
            MediaRoutes.shared.update()
            MediaRoutes.shared.isLongForm = false
            await receiver.stop()
            await discovery.shutdown()
            try result.get()
        }

        @Test func theReceiverPlaysPausesSeeksAndStops() async throws {
            try await Self.withScreen { screen, _, _ in
                let player = AVPlayer(url: try #require(Self.address))
                #expect(player.allowsExternalPlayback)
                #expect(!player.isExternalPlaybackActive)
                let item = try #require(player.currentItem)
                for await status in item.statusUpdates where status != .unknown { break }
                #expect(item.status == .readyToPlay)
                player.play()
                try await Wait.until("it plays") { player.timeControlStatus == .playing }
                #expect(player.isExternalPlaybackActive)
                #expect(screen.address == "http://127.0.0.1:9/film.m3u8")
                #expect(item.duration == CMTime(value: 60, timescale: 1))
                try await Wait.until("the time advances") { player.currentTime().seconds > 0.1 }

                player.pause()
                try await Wait.until("it is paused there") { screen.status.state == .paused }
                #expect(player.timeControlStatus == .paused)
                #expect(await player.seek(to: CMTime(value: 30, timescale: 1)))
                try await Wait.until("the position is set there") { screen.status.position == 30 }
                #expect(player.currentTime().seconds == 30)
                player.play()
                try await Wait.until("it continues") { player.timeControlStatus == .playing }
                #expect(screen.state.withLock { $0.playCount } == 1)

                // The receiver tells of it on the connection that was turned around.
                screen.pause(true)
                try await Wait.until("the player learns that it was paused there") { player.rate == 0 }
                #expect(player.timeControlStatus == .paused)
                player.replaceCurrentItem(with: nil)
                try await Wait.until("it is stopped there") { screen.status.state == .stopped }
                #expect(!player.isExternalPlaybackActive)
            }
        }

        @Test func theEndIsAnnounced() async throws {
            try await Self.withScreen { screen, _, _ in
                let player = AVPlayer(url: try #require(Self.address))
                let item = try #require(player.currentItem)
                let ended = Mutex(0)
                let observer = NotificationCenter.default.addObserver(
                    forName: .AVPlayerItemDidPlayToEndTime,
                    object: item,
                    queue: nil
                ) { _ in ended.withLock { $0 += 1 } }
                defer { NotificationCenter.default.removeObserver(observer) }
                await player.seek(to: CMTime(value: 58, timescale: 1))
                player.play()
                try await Wait.until("it plays") { player.timeControlStatus == .playing }
                #expect(screen.state.withLock { $0.start } == .seconds(58))
                screen.stop()
                try await Wait.until("the end is announced") { ended.withLock { $0 } == 1 }
                #expect(player.rate == 0)
                #expect(player.currentTime() == CMTime(value: 60, timescale: 1))
            }
        }

        @Test func aFilmThatTheReceiverCannotPlayFails() async throws {
            try await Self.withScreen { screen, _, _ in
                screen.state.withLock { $0.refuses = true }
                let player = AVPlayer(url: try #require(Self.address))
                let item = try #require(player.currentItem)
                player.play()
                for await status in item.statusUpdates where status == .failed { break }
                #expect((item.error as? AVError)?.code == .contentIsUnavailable)
                try await Wait.until("the player stops") { player.rate == 0 }
            }
        }

        @Test func aReceiverThatVanishesPausesThePlayer() async throws {
            try await Self.withScreen { _, receiver, _ in
                let player = AVPlayer(url: try #require(Self.address))
                player.play()
                try await Wait.until("it plays") { player.timeControlStatus == .playing }
                await receiver.stop()
                try await Wait.until("the player pauses") { player.timeControlStatus == .paused }
                try await Wait.until("the receiver is left") { !player.isExternalPlaybackActive }
                try await Wait.until("the device's own speaker is chosen") {
                    AVAudioSession.sharedInstance().currentRoute.outputs.map(\.portType) == [.builtInSpeaker]
                }
            }
        }

        @Test func withoutExternalPlaybackTheSoundIsSent() async throws {
            try await Self.withScreen { screen, _, _ in
                let player = AVPlayer()
                player.allowsExternalPlayback = false
                player.replaceCurrentItem(with: AVPlayerItem(url: try #require(Self.address)))
                let item = try #require(player.currentItem)
                player.play()
                // Nothing answers at the address, so that ffmpeg fails.
                for await status in item.statusUpdates where status == .failed { break }
                #expect(screen.address == nil)
                #expect(!player.isExternalPlaybackActive && !player.allowsExternalPlayback)
            }
        }

        @Test(arguments: [(44_100, 44_100), (44_101, 44_100)])
        func whatFFmpegConvertsHasALimit(frameCount: Int, expected: Int) async throws {
            try await Noise.withFile(Noise.samples(frameCount: frameCount)) { url in
                let flac = url.deletingPathExtension().appendingPathExtension("flac")
                defer { try? FileManager.default.removeItem(at: flac) }
                let ffmpeg = try Process.run(
                    URL(filePath: "/usr/bin/env"),
                    arguments: ["ffmpeg", "-nostdin", "-v", "error", "-i", url.path, flac.path]
                )
                ffmpeg.waitUntilExit()
                let file = try await MediaDecoder.load(flac, lengthLimit: 1)
                #expect(file.frameCount == expected)
            }
        }
    }
}
