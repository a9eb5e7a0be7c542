import AppleLossless
import Testing

@Suite struct AppleLosslessCodecTests {
    @Test(arguments: Signal.allCases, [1, 2])
    func decodingRestoresEverySample(signal: Signal, channelCount: Int) throws {
        let configuration = try AppleLosslessConfiguration(channelCount: channelCount)
        var encoder = try AppleLosslessEncoder(configuration: configuration)
        var decoder = AppleLosslessDecoder(configuration: configuration)
        for frameCount in [352, 352, 1, 2, 9, 10, 351] {
            let samples = signal.samples(frameCount: frameCount, channelCount: channelCount)
            let packet = try encoder.encode(samples.map { Int16($0) })
            #expect(try decoder.decode(packet) == samples)
        }
    }

    @Test func musicIsCompressed() throws {
        let configuration = try AppleLosslessConfiguration()
        var encoder = try AppleLosslessEncoder(configuration: configuration)
        var decoder = AppleLosslessDecoder(configuration: configuration)
        let samples = Signal.music.samples(frameCount: 3_520, channelCount: 2).map { Int16($0) }
        var total = 0
        for start in stride(from: 0, to: samples.count, by: 704) {
            let packet = try encoder.encode(Array(samples[start..<start + 704]))
            #expect(try decoder.decode(packet) == samples[start..<start + 704].map { Int32($0) })
            total += packet.count
        }
        #expect(total < samples.count * 2 * 6 / 10)
    }

    @Test func aPacketThatCompressionMakesLongerIsEscaped() throws {
        var encoder = try AppleLosslessEncoder(configuration: AppleLosslessConfiguration())
        let noise = Signal.noise.samples(frameCount: 352, channelCount: 2).map { Int16($0) }
        #expect(try encoder.encode(noise).count == 1_412)
    }

    @Test func anEscapedPacketHasTheSamplesAsTheyAre() throws {
        let configuration = try AppleLosslessConfiguration()
        var encoder = try AppleLosslessEncoder(configuration: configuration, isCompressing: false)
        #expect(try encoder.encode(Array(repeating: 0, count: 704)).count == 1_412)
        // A channel pair; element 0, 12 bits; a frame count follows; no low bytes; escaped; 1 frame; two samples; the end.
        let packet = try encoder.encode([0x1234, -2])
        #expect(packet == [0x20, 0x00, 0x12, 0x00, 0x00, 0x00, 0x02, 0x24, 0x69, 0xFF, 0xFD, 0xC0])
        var decoder = AppleLosslessDecoder(configuration: configuration)
        #expect(try decoder.decode(packet) == [0x1234, -2])
    }

    @Test func theNumberOfFramesIsLimited() throws {
        var encoder = try AppleLosslessEncoder(configuration: AppleLosslessConfiguration())
        for count in [0, 1, 706] {
            #expect(throws: AppleLosslessError.invalidFrameCount) {
                try encoder.encode(Array(repeating: 0, count: count))
            }
        }
        #expect(throws: AppleLosslessError.unsupportedConfiguration) {
            try AppleLosslessConfiguration(framesPerPacket: AppleLosslessConfiguration.maximumFramesPerPacket + 1)
        }
    }

    @Test func aCookieIsReadAsItWasWritten() throws {
        let configuration = try AppleLosslessConfiguration(framesPerPacket: 4_096, bitDepth: 24, sampleRate: 48_000)
        #expect(configuration.cookie.count == AppleLosslessConfiguration.cookieLength)
        #expect(try AppleLosslessConfiguration(cookie: configuration.cookie) == configuration)
        #expect(throws: AppleLosslessError.malformedCookie) {
            try AppleLosslessConfiguration(cookie: configuration.cookie.dropLast())
        }
    }

    @Test func malformedPacketsAreRejected() throws {
        let configuration = try AppleLosslessConfiguration()
        var encoder = try AppleLosslessEncoder(configuration: configuration)
        var decoder = AppleLosslessDecoder(configuration: configuration)
        let music = Signal.music.samples(frameCount: 352, channelCount: 2)
        let packet = try encoder.encode(music.map { Int16($0) })
        for length in [0, 1, 3, 10, 40, packet.count / 2, packet.count - 8] {
            #expect(throws: AppleLosslessError.self) { try decoder.decode(packet.prefix(length)) }
        }
        // A mono element in a stereo stream, the end only, and an unknown element.
        for first: UInt8 in [0x00, 0xE0, 0x60] {
            #expect(throws: AppleLosslessError.unsupportedElement) { try decoder.decode([first] + packet.dropFirst()) }
        }
        // Escaped, with a frame count of 353 and of 0.
        let tooMany: [UInt8] = [0x20, 0x00, 0x12, 0x00, 0x00, 0x02, 0xC2] + Array(repeating: 0, count: 2_000)
        #expect(throws: AppleLosslessError.invalidFrameCount) { try decoder.decode(tooMany) }
        let none: [UInt8] = [0x20, 0x00, 0x12, 0x00, 0x00, 0x00, 0x00] + Array(repeating: 0, count: 2_000)
        #expect(throws: AppleLosslessError.invalidFrameCount) { try decoder.decode(none) }
        // What came before doesn't matter.
        #expect(try decoder.decode(packet) == music)
    }

    @Test func noDamagedPacketIsMoreThanAnError() throws {
        let configuration = try AppleLosslessConfiguration()
        var encoder = try AppleLosslessEncoder(configuration: configuration)
        var decoder = AppleLosslessDecoder(configuration: configuration)
        var random = SplitMix()
        for signal in Signal.allCases {
            let samples = signal.samples(frameCount: 352, channelCount: 2)
            let packet = try encoder.encode(samples.map { Int16($0) })
            for _ in 0..<20 {
                var damaged = packet
                for _ in 0..<3 {
                    damaged[Int(random.next() % UInt64(damaged.count))] ^= 1 << UInt8(random.next() % 8)
                }
                let decoded = try? decoder.decode(damaged)
                #expect(decoded.map { $0.count <= 704 } ?? true)
            }
        }
    }
}
