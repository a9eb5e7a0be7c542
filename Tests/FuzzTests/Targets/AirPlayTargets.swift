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
        var encrypted = ReceivedStream(format: .pcm, key: FrameKey(Array(0..<32)))
        encrypted.start(at: nil)
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
                encrypted.receive(packet, at: now)
                isKnown = true
            } else if let packet = ControlPacket(datagram) {
                try hold(ControlPacket(packet.bytes) == packet, "control packets are read as they are written")
                stream.receive(packet, at: now)
                encrypted.receive(packet, at: now)
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
        try hold(encrypted.finish().isEmpty, "without the key, nothing is played")
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

/// A receiver of AirPlay 2 and its pairings, before and after a sender has paired.
private struct PairedReceiver: Sendable {
    var session: ReceiverSession
    var pairings: ReceiverPairings
    var random = RepeatableGenerator(seed: 1)

    static let new = PairedReceiver()
    static let paired: PairedReceiver? = {
        var receiver = new
        guard let id = PairingID("sender") else { return nil }
        let identity = ControllerIdentity(pairingID: id, keyPair: .random(using: &receiver.random))
        var pairing = SenderPairing(.transient, identity: identity, peers: [])
        var request = pairing.start(using: &receiver.random)
        var random = RepeatableGenerator(seed: 2)
        while let step = try? pairing.receive(receiver.handle(request).response, using: &random) {
            guard case .send(let next) = step else { return receiver }
            request = next
        }
        return nil
    }()

    private init() {
        let identity = AccessoryIdentity.random(using: &random)
        pairings = ReceiverPairings(identity: identity, admission: .anyone, using: &random)
        var record = ReceiverRecord(deviceID: "001122334455", name: "Kitchen")
        record.addAirPlay2(identity, needsPIN: false)
        let ports = StreamTransport(audioPort: 1, controlPort: 2, timingPort: 3)
        session = ReceiverSession(.init(ports: ports, airPlay2: (record, 4)), using: &random)
    }

    mutating func handle(_ request: RTSPRequest) -> ReceiverSession.Outcome {
        session.handle(request, isBusy: false, pairings: &pairings, at: .now, using: &random)
    }
}

extension FuzzTarget {
    /// A binary property list. What is read can be written and read again.
    static let propertyLists = FuzzTarget("property-lists", maximumLength: 512) { input throws(Violation) in
        guard let value = try? BinaryPropertyListReader.read(input) else { return false }
        // A number that isn't one doesn't equal itself, but is written alike. References can make a short list long.
        guard let again = try? BinaryPropertyListReader.read(value.bytes) else {
            try hold(value.bytes.count > BinaryPropertyListReader.lengthLimit, "what was read can be written")
            return true
        }
        try hold(again.bytes == value.bytes, "nothing changes")
        return true
    }

    /// The bodies of pairing messages, each after a byte that selects the path and one with the length.
    static let airPlayPairing = FuzzTarget("airplay-pairing", maximumLength: 1_024) { input throws(Violation) in
        var receiver = PairedReceiver.new
        var rest = input[...]
        var isAccepted = false
        while let path = rest.popFirst(), let length = rest.popFirst() {
            let body = Array(rest.prefix(Int(length)))
            rest = rest.dropFirst(body.count)
            let uri = ["/pair-setup", "/pair-verify", "/pair-pin-start"][Int(path) % 3]
            let outcome = receiver.handle(RTSPRequest(.post, uri, body: body))
            isAccepted = isAccepted || (outcome.problem == nil && !body.isEmpty)
            try hold(outcome.secret == nil, "nobody is let in without the PIN")
            try hold(outcome.response.status == .ok || outcome.problem != nil, "refusals are named")
            if outcome.closesConnection { break }
        }
        try hold(receiver.pairings.list.isEmpty, "nobody is paired without the PIN")
        return isAccepted
    }

    /// The body of a SETUP of a sender that has paired, after a byte that says whether there is a session.
    static let airPlaySetups = FuzzTarget("airplay-setups", maximumLength: 1_024) { input throws(Violation) in
        guard let first = input.first, var receiver = PairedReceiver.paired else { return false }
        let headers: HTTPHeaders = [HTTPHeaderName.contentType: PropertyList.contentType]
        if first & 1 == 1 {
            let session: PropertyList = ["deviceID": "A", "sessionUUID": "B", "timingProtocol": "None"]
            let outcome = receiver.handle(RTSPRequest(.setup, "*", headers: headers, body: session.bytes))
            try hold(outcome.problem == nil, "the session is accepted")
        }
        let outcome = receiver.handle(RTSPRequest(.setup, "*", headers: headers, body: Array(input[1...])))
        let isAccepted = outcome.response.status == .ok
        try hold(isAccepted == (outcome.problem == nil), "refusals are named")
        if case .ready(_, let ports, let key) = outcome.event {
            try hold((1...65_535).contains(ports.controlPort) && key != nil, "a stream has a port and a key")
        }
        try hold(receiver.session.hasStream == (isAccepted && first & 1 == 1), "a refusal changes nothing")
        return isAccepted
    }
}
