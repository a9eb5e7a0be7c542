import AirPlay
import AirPlayNetwork
import HAP
import PeerProcess
import Synchronization

/// What a receiver got. This is a class because the receiver's closures and the test share it.
final class Recorder: Sendable {
    private let received = Mutex<(audio: [UInt8], events: [ReceiverEvent])>(([], []))
    private let pairing = Mutex<(pins: [PairingPIN], pairedCounts: [Int])>(([], []))

    var handlers: ReceiverHandlers {
        ReceiverHandlers { samples in
            self.received.withLock { $0.audio += samples }
        } event: { event in
            self.received.withLock { $0.events.append(event) }
        } pairing: { event in
            self.pairing.withLock { pairing in
                switch event {
                case .pinNeeded(let pin, _): pairing.pins.append(pin)
                case .paired(let pairings, _): pairing.pairedCounts.append(pairings.list.pairings.count)
                }
            }
        }
    }

    var audio: [UInt8] { received.withLock { $0.audio } }
    /// The PINs that were to be shown.
    var pins: [PairingPIN] { pairing.withLock { $0.pins } }
    /// The number of paired senders after each pairing.
    var pairedCounts: [Int] { pairing.withLock { $0.pairedCounts } }
    var events: [ReceiverEvent] { received.withLock { $0.events } }

    /// The newest state of what plays.
    var nowPlaying: NowPlaying? {
        events.reversed().lazy.compactMap { if case .nowPlaying(let nowPlaying) = $0 { nowPlaying } else { nil } }.first
    }

    /// The first progress that the sender reported.
    var progress: PlaybackProgress? {
        events.lazy.compactMap { if case .nowPlaying(let nowPlaying) = $0 { nowPlaying.progress } else { nil } }.first
    }

    /// The numbers of packets of the streams that have ended.
    var ended: [StreamStatistics] {
        events.compactMap { if case .ended(let statistics) = $0 { statistics } else { nil } }
    }

    func waitForEnd() async throws {
        try await Wait.until("the stream ends") { !self.ended.isEmpty }
    }
}

/// A signal with different samples on both channels.
enum TestSignal {
    static func samples(frameCount: Int) -> [Int16] {
        var state: UInt32 = 1
        return (0..<frameCount * 2).map { index in
            state = state &* 1_664_525 &+ 1_013_904_223
            let phase = index / 2 % 300
            let triangle = (phase < 150 ? phase : 300 - phase) * 100
            return Int16(triangle - 7_500) &+ Int16(truncatingIfNeeded: state >> 24)
        }
    }

    /// A minute, which no test waits for.
    static var long: [Int16] {
        let second = samples(frameCount: 44_100)
        var samples: [Int16] = []
        samples.reserveCapacity(second.count * 60)
        for _ in 0..<60 { samples += second }
        return samples
    }

    static func bytes(_ samples: [Int16]) -> [UInt8] {
        samples.map(\.littleEndian).withUnsafeBytes { Array($0) }
    }

    /// A WAV file with the samples.
    static func wave(_ samples: [Int16]) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        let audio = bytes(samples)
        return Array("RIFF".utf8) + little(36 + audio.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2)
            + little(2, 2) + little(44_100, 4) + little(176_400, 4) + little(4, 2) + little(16, 2)
            + Array("data".utf8) + little(audio.count, 4) + audio
    }
}

/// A source of samples in packets. This is a class because reading advances it.
final class PacketSource: Sendable {
    private let samples: Mutex<ArraySlice<Int16>>

    init(_ samples: [Int16]) {
        self.samples = Mutex(samples[...])
    }

    func next() -> [Int16] {
        samples.withLock { samples in
            let packet = Array(samples.prefix(704))
            samples = samples.dropFirst(packet.count)
            return packet
        }
    }
}

/// An endless source of packets whose samples are the packet's number plus 1. This is a class because reading advances it.
final class CountingSource: Sendable {
    private let number = Mutex(0)

    func next() -> [Int16] {
        let number = number.withLock { number in
            defer { number += 1 }
            return number
        }
        return Array(repeating: Int16(number + 1), count: 704)
    }

    /// Whether all samples are those of the packets from a number on. A packet that was lost is silence.
    static func isInPlace(_ audio: [UInt8], fromPacket first: Int = 0) -> Bool {
        stride(from: 0, to: audio.count, by: 1_408).allSatisfy { start in
            let (low, high) = (audio[start], audio[start + 1])
            let number = Int(low) | Int(high) << 8
            let packet = audio[start..<min(start + 1_408, audio.count)]
            guard number == 0 || number == first + start / 1_408 + 1 else { return false }
            return packet.indices.allSatisfy { packet[$0] == ($0 % 2 == 0 ? low : high) }
        }
    }
}
