import AirPlay
import AppleLossless
import HAP

extension FuzzTarget {
    /// A sender's requests, read and answered by a receiver. A response must be readable by a sender.
    static let airPlaySessions = FuzzTarget("airplay-sessions", maximumLength: 1_024) { input throws(Violation) in
        let whole = try requests([input[...]])
        for pieces in StreamSplits.of(input) {
            try hold(try requests(pieces) == whole, "splitting makes no difference")
        }
        var random = RepeatableGenerator(seed: 1)
        let ports = StreamTransport(audioPort: 1, controlPort: 2, timingPort: 3)
        var session = ReceiverSession(.init(ports: ports), using: &random)
        var isAccepted = false
        for request in whole {
            let outcome = session.handle(request, isBusy: false)
            isAccepted = isAccepted || outcome.response.status == .ok
            try hold(outcome.response.status == .ok || outcome.event == nil, "a refusal changes nothing")
            var reader = RTSPResponseReader()
            reader.receive(outcome.response.encoded())
            try hold((try? reader.next())?.status == outcome.response.status, "a response is one response")
            try hold(reader.isBetweenMessages, "nothing follows a response")
        }
        return isAccepted
    }

    private static func requests(_ pieces: [ArraySlice<UInt8>]) throws(Violation) -> [RTSPRequest] {
        var reader = RTSPRequestReader()
        var requests: [RTSPRequest] = []
        for piece in pieces {
            reader.receive(piece)
            while let request = try? reader.next() { requests.append(request) }
        }
        return requests
    }

    /// Datagrams of a sender, each after its length, a byte.
    static let airPlayPackets = FuzzTarget("airplay-packets", maximumLength: 1_024) { input throws(Violation) in
        var stream = ReceivedStream(format: .pcm)
        stream.start(at: nil)
        var now = NTPTime(rawValue: 1 << 40)
        var rest = input[...]
        var isKnown = false
        var frames = 0
        while let length = rest.popFirst() {
            let datagram = rest.prefix(Int(length))
            rest = rest.dropFirst(datagram.count)
            now = now.advanced(byNanoseconds: 300_000_000)
            if let packet = AudioPacket(datagram) {
                try hold(packet.bytes.elementsEqual(datagram), "audio is read as it is written")
                stream.receive(packet, at: now)
                isKnown = true
            } else if let packet = ControlPacket(datagram) {
                try hold(ControlPacket(packet.bytes) == packet, "control packets are read as they are written")
                stream.receive(packet, at: now)
                isKnown = true
            } else if let packet = TimingPacket(datagram) {
                _ = stream.timingRequest(at: now)
                stream.receive(packet, at: now)
                isKnown = true
            }
            try hold(stream.resendRequests(at: now).count <= 16, "requests are limited")
            frames += stream.samples(at: now).count / 4
        }
        frames += stream.finish().count / 4
        // A packet can make the receiver wait for 1,023 others before it, and the fuzzer's are short.
        try hold(frames <= input.count * 352 * PacketBuffer.capacity / 8, "frames come from packets")
        return isKnown
    }

    /// The beginning of a WAV file.
    static let waveFiles = FuzzTarget("wave-files", maximumLength: 256) { input throws(Violation) in
        guard let format = try? WaveFormat(input) else { return false }
        try hold((20...input.count).contains(format.start), "the samples begin within the file")
        return true
    }

    /// A packet of Apple Lossless, after a byte that selects the parameters.
    static let appleLossless = FuzzTarget("apple-lossless", maximumLength: 512) { input throws(Violation) in
        guard let first = input.first,
            let configuration = try? AppleLosslessConfiguration(
                framesPerPacket: first & 1 == 0 ? 352 : 4_096,
                bitDepth: [16, 20, 24, 32][Int(first >> 1 & 3)],
                channelCount: Int(first >> 3 & 1) + 1,
                riceLimit: first & 0x10 == 0 ? 14 : 31
            )
        else { return false }
        var decoder = AppleLosslessDecoder(configuration: configuration)
        guard let samples = try? decoder.decode(input[1...]) else { return false }
        let (frames, rest) = samples.count.quotientAndRemainder(dividingBy: configuration.channelCount)
        try hold(rest == 0 && (1...configuration.framesPerPacket).contains(frames), "the number of frames is limited")
        guard configuration.bitDepth == 16 else { return true }
        let narrow = samples.map { Int16(truncatingIfNeeded: $0) }
        guard var encoder = try? AppleLosslessEncoder(configuration: configuration) else {
            throw Violation(description: "16 bits can be encoded")
        }
        guard let packet = try? encoder.encode(narrow), let decoded = try? decoder.decode(packet) else {
            throw Violation(description: "what was decoded can be encoded, and decoded again")
        }
        try hold(decoded.map { Int16(truncatingIfNeeded: $0) } == narrow, "no sample changes")
        return true
    }
}
