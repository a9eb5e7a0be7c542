import AirPlay
import AppleLossless
import HAP
import Testing

/// Encrypted packets, some of which are lost, swapped, altered or sent again.
@Suite struct EncryptedStreamTests {
    private static let start = NTPTime(rawValue: 1 << 50)
    private static let first = StreamPosition(sequence: 65_530, timestamp: .max - 1_000)
    private static let key = FrameKey(Array(0..<32))

    private static func sent(_ format: AudioFormat = .pcm) -> SentStream {
        SentStream(format, at: first, source: 5, start: start, key: key)
    }

    private static func received(_ key: FrameKey? = key, _ format: AudioFormat = .pcm) -> ReceivedStream {
        var stream = ReceivedStream(format: format, key: key)
        stream.start(at: first)
        return stream
    }

    private static func samples(_ number: Int) -> [Int16] {
        Array(repeating: Int16(number), count: 704)
    }

    private static func bytes(_ numbers: [Int]) -> [UInt8] {
        numbers.flatMap { samples($0) }.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    @Test func aPacketIsSealedAsAirPlayDoes() throws {
        // Made with Python's cryptography package.
        var stream = Self.sent()
        let packet = stream.packet([1, 2])
        #expect(
            packet.hexadecimal == "80e0fffafffffc170000000518b94233f3adf4ad6a60f7f3582f0aab8aae98c70000000000000000"
        )
    }

    @Test func noNonceIsUsedTwiceAcrossAPause() {
        var stream = Self.sent()
        var nonces = (0..<3).map { _ in Array(stream.packet([1, 2]).suffix(8)) }
        stream.restart(at: Self.start.advanced(byNanoseconds: 1_000_000_000))
        // What was sent before the pause isn't sent again.
        #expect(stream.resend(ResendRequest(first: Self.first.sequence, count: 3), at: Self.start).isEmpty)
        nonces += (0..<3).map { _ in Array(stream.packet([1, 2]).suffix(8)) }
        #expect(Set(nonces).count == 6)
    }

    @Test func everyFrameArrivesDespiteLossAndDisorder() throws {
        for format in [.pcm, AudioFormat.appleLossless(try AppleLosslessConfiguration())] {
            var (sent, received) = (Self.sent(format), Self.received(Self.key, format))
            var result: [UInt8] = []
            var held: [UInt8]?
            for number in 0..<300 {
                let now = sent.nextTime
                let packet = sent.packet(Self.samples(number))
                switch number % 33 {
                case 5: break
                case 9: held = packet
                default:
                    for datagram in [packet, held].compactMap({ $0 }) {
                        received.receive(try #require(AudioPacket(datagram)), at: now)
                    }
                    held = nil
                }
                let later = now.advanced(byNanoseconds: 20_000_000)
                for request in received.resendRequests(at: later) {
                    for datagram in sent.resend(request, at: later) {
                        received.receive(try #require(ControlPacket(datagram)), at: later)
                    }
                }
                result += received.samples(at: later)
            }
            result += received.finish()
            #expect(result == Self.bytes(Array(0..<300)))
            #expect(received.statistics.lost == 0)
            #expect(received.statistics.repaired >= 9)
            #expect(received.statistics.reordered >= 9)
            #expect(received.statistics.forged == 0)
        }
    }

    @Test func alteredPacketsAreDroppedAndRepaired() throws {
        var (sent, received) = (Self.sent(), Self.received())
        let packet = sent.packet(Self.samples(7))
        // The timestamp, the source, the content, the tag and the nonce.
        for index in [4, 11, 12, 100, packet.count - 9, packet.count - 1] {
            var altered = packet
            altered[index] ^= 1
            received.receive(try #require(AudioPacket(altered)), at: Self.start)
        }
        for length in [12, 20, 35, packet.count - 1] {
            received.receive(try #require(AudioPacket(packet.prefix(length))), at: Self.start)
        }
        #expect(received.samples(at: Self.start).isEmpty)
        #expect(received.statistics.forged == 10)
        received.receive(try #require(AudioPacket(packet)), at: Self.start)
        #expect(received.samples(at: Self.start) == Self.bytes([7]))
    }

    @Test func packetsInTheClearOrWithAnotherKeyAreDropped() throws {
        var clear = SentStream(.pcm, at: Self.first, source: 5, start: Self.start)
        var (sent, received) = (Self.sent(), Self.received(FrameKey(Array(1...32))))
        received.receive(try #require(AudioPacket(clear.packet(Self.samples(1)))), at: Self.start)
        received.receive(try #require(AudioPacket(sent.packet(Self.samples(1)))), at: Self.start)
        #expect(received.samples(at: Self.start).isEmpty)
        #expect(received.statistics.forged == 2)
    }

    @Test func aPacketUnderAnotherNumberIsNotPlayedAgain() throws {
        var (sent, received) = (Self.sent(), Self.received())
        var replay = sent.packet(Self.samples(1))
        received.receive(try #require(AudioPacket(replay)), at: Self.start)
        replay[3] &+= 1
        received.receive(try #require(AudioPacket(replay)), at: Self.start)
        received.receive(try #require(AudioPacket(sent.packet(Self.samples(2)))), at: Self.start)
        #expect(received.samples(at: Self.start) == Self.bytes([1, 2]))
        #expect(received.statistics.repeated == 1)
    }

    @Test func aVeryOldPacketIsNotPlayedAgain() throws {
        var (sent, received) = (Self.sent(), Self.received())
        var old = sent.packet(Self.samples(1))
        received.receive(try #require(AudioPacket(old)), at: Self.start)
        // Longer than nonces are remembered.
        for number in 0..<2 * PacketBuffer.capacity + 10 {
            received.receive(try #require(AudioPacket(sent.packet(Self.samples(number % 100)))), at: Self.start)
            _ = received.samples(at: Self.start)
        }
        let next = sent.position.sequence
        (old[2], old[3]) = (UInt8(next >> 8), UInt8(next & 0xFF))
        received.receive(try #require(AudioPacket(old)), at: Self.start)
        received.receive(try #require(AudioPacket(sent.packet(Self.samples(3)))), at: Self.start)
        #expect(received.samples(at: Self.start) == Self.bytes([3]))
        #expect(received.statistics.repeated == 1)
    }
}
