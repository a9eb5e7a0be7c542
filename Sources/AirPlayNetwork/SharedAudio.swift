internal import AirPlay
internal import Synchronization

/// The packets of a source that several senders read, each at its own pace.
///
/// This is a class because the senders share it.
final class SharedAudio: Sendable {
    /// The number of packets that a sender may be behind the others, about 8 s.
    static let capacity = 1_024

    private struct Window: Sendable {
        var packets: [[Int16]] = Array(repeating: [], count: SharedAudio.capacity)
        /// The number of packets that were read from the source.
        var count = 0
        var isComplete = false
    }

    private let source: AirPlaySender.Source
    private let window = Mutex(Window())

    init(_ source: @escaping AirPlaySender.Source) {
        self.source = source
    }

    /// The number of packets, or `nil` if the source hasn't ended.
    var packetCount: Int? {
        window.withLock { $0.isComplete ? $0.count : nil }
    }

    /// The number of packets that were read from the source.
    var readCount: Int { window.withLock { $0.count } }

    /// Returns the samples of a packet: none after the end, and silence if the packet is too old.
    fileprivate func packet(_ number: Int) -> [Int16] {
        window.withLock { window in
            while number >= window.count, !window.isComplete {
                let samples = source()
                guard !samples.isEmpty else {
                    window.isComplete = true
                    break
                }
                window.packets[window.count % Self.capacity] = samples
                window.count += 1
            }
            guard number < window.count else { return [] }
            guard number >= window.count - Self.capacity else {
                return Array(repeating: 0, count: AudioFormat.framesPerPacket * AudioFormat.channelCount)
            }
            return window.packets[number % Self.capacity]
        }
    }
}

/// A sender's place in shared audio. This is a class because the sender's source and the group share it.
final class SharedAudioReader: Sendable {
    private let audio: SharedAudio
    private let next: Mutex<Int>

    /// Creates a reader that begins at a packet.
    init(_ audio: SharedAudio, packet number: Int) {
        self.audio = audio
        next = Mutex(number)
    }

    /// Sets the packet that is read next.
    func move(toPacket number: Int) {
        next.withLock { $0 = number }
    }

    /// Returns the samples of the next packet.
    func read() -> [Int16] {
        let number = next.withLock { next in
            defer { next += 1 }
            return next
        }
        return audio.packet(number)
    }
}
