import AVFoundation
import AirPlay
import Foundation
import MediaPlayer
import PeerProcess
import Testing

// The examples of AVFoundation.docc/AVFoundation.md and MediaPlayer.docc/MediaPlayer.md. A test looks for every block of
// those pages in this file.

extension PlayerTests {
    @Test func theExamplesPlayTellAndObey() async throws {
        let signal = Noise.samples(frameCount: 441_000)
        try await TestReceiver.with { receiver in
            try await Noise.withFile(signal) { song in
                let audioSession = AVAudioSession.sharedInstance()
                try audioSession.setCategory(.playback, mode: .default, policy: .longFormAudio)
                let player = AVPlayer(url: song)
                player.play()
                try await receiver.waitFor(Array(signal.prefix(10_000)))

                MPNowPlayingInfoCenter.default().nowPlayingInfo = [MPMediaItemPropertyTitle: "A Song"]
                _ = MPRemoteCommandCenter.shared().pauseCommand.addTarget { _ in
                    player.pause()
                    return .success
                }
                defer {
                    MPRemoteCommandCenter.shared().pauseCommand.removeTarget(nil)
                    MPNowPlayingInfoCenter.default().nowPlayingInfo = nil
                }
                try await Wait.until("the receiver shows the title") { receiver.nowPlaying.track.title == "A Song" }
                #expect(try await receiver.press("pause"))
                try await Wait.until("the player pauses") { player.timeControlStatus == .paused }
            }
        }
    }
}
