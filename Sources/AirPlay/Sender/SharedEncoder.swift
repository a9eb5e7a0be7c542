internal import AppleLossless
internal import Synchronization

/// An encoder of Apple Lossless packets for several streams that send the same frames at the same positions. It encodes each
/// packet once, for the first stream that needs it.
///
/// This is a class because the streams share it. Its state is guarded by a lock.
package final class SharedEncoder: Sendable {
    /// The number of packets that are kept, about 2 s. Streams that are further behind than that encode for themselves.
    static let capacity = 256

    private struct Packet {
        var timestamp: UInt32
        var samples: [Int16]
        var payload: [UInt8]
    }

    private struct State {
        var encoder: AppleLosslessEncoder
        var packets: [Packet?] = Array(repeating: nil, count: SharedEncoder.capacity)
        var encodedCount = 0
    }

    private let state: Mutex<State>

    /// Creates an encoder. Returns `nil` if the format isn't Apple Lossless.
    package init?(_ format: AudioFormat, isCompressing: Bool) {
        guard case .appleLossless(let configuration) = format,
            let encoder = try? AppleLosslessEncoder(configuration: configuration, isCompressing: isCompressing)
        else { return nil }
        state = Mutex(State(encoder: encoder))
    }

    /// The number of packets that were encoded.
    package var encodedCount: Int { state.withLock { $0.encodedCount } }

    /// Returns a packet's content. Returns `nil` if the samples can't be encoded.
    ///
    /// - Parameters:
    ///   - samples: The packet's samples. A stream that is behind can send others than the rest at a position.
    ///   - timestamp: The packet's position.
    func payload(of samples: [Int16], at timestamp: UInt32) -> [UInt8]? {
        let index = Int(timestamp / UInt32(AudioFormat.framesPerPacket)) % Self.capacity
        return state.withLock { state in
            if let packet = state.packets[index], packet.timestamp == timestamp, packet.samples == samples {
                return packet.payload
            }
            guard let payload = try? state.encoder.encode(samples) else { return nil }
            state.encodedCount += 1
            state.packets[index] = Packet(timestamp: timestamp, samples: samples, payload: payload)
            return payload
        }
    }
}
