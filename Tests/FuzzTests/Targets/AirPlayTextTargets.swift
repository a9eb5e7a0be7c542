import AirPlay
import AppleLossless
import HAP

extension FuzzTarget {
    /// A description, metadata, a header or an answer of AirPlay, after a byte that selects the reader.
    static let airPlayTexts = FuzzTarget("airplay-texts", maximumLength: 1_024) { input throws(Violation) in
        guard let first = input.first else { return false }
        let bytes = Array(input.dropFirst())
        let text = String(decoding: bytes, as: UTF8.self)
        switch first % 10 {
        case 0: return try readsDescription(text)
        case 1: return try readsMetadata(bytes)
        case 2:
            guard let parameters = StreamParameters(text) else { return false }
            try hold(StreamParameters(parameters.text) == parameters, "parameters are read as they are written")
            return true
        case 3:
            guard let transport = StreamTransport(text) else { return false }
            try hold(StreamTransport(transport.header) == transport, "ports are read as they are written")
            return true
        case 4:
            guard let position = StreamPosition(text) else { return false }
            try hold(StreamPosition(position.header) == position, "positions are read as they are written")
            return true
        case 5: return try readsProof(text)
        case 6: return try readsRecord(text)
        case 7: return try readsVideoRequest(bytes)
        case 8:
            let status = VideoStatus(playbackInfo: bytes)
            if let status { try hold(VideoStatus(playbackInfo: status.playbackInfo) != nil, "a status is read again") }
            return status != nil || VideoStatus.State(event: bytes) != nil
        default: return try readsEvents(bytes)
        }
    }

    private static func readsDescription(_ text: String) throws(Violation) -> Bool {
        guard let description = try? SessionDescription(text) else { return false }
        if case .appleLossless(let configuration) = description.format {
            try hold(configuration.framesPerPacket <= AudioPacket.framesLimit, "packets fit into datagrams")
        }
        let again = try? SessionDescription(description.text(session: 1, sender: "::1", receiver: "127.0.0.1"))
        try hold(again == description, "a description is read as it is written")
        return true
    }

    private static func readsMetadata(_ bytes: [UInt8]) throws(Violation) -> Bool {
        guard let track = TrackMetadata(bytes) else { return false }
        for name in [track.title, track.artist, track.album] {
            try hold((name?.utf8.count ?? 0) <= TrackMetadata.nameLimit, "names are limited")
        }
        try hold(TrackMetadata(track.bytes) == track, "metadata is read as it is written")
        return true
    }

    private static func readsProof(_ text: String) throws(Violation) -> Bool {
        var random = RepeatableGenerator(seed: 1)
        let challenge = DigestChallenge(using: &random)
        try hold(!challenge.accepts(text, password: "secret", method: .announce), "nobody guesses the proof")
        guard let theirs = DigestChallenge(text) else { return false }
        _ = theirs.authorization(user: "iTunes", password: "secret", method: .announce, uri: "*")
        return true
    }

    /// A service's name in the first line, and then its keys and values.
    private static func readsRecord(_ text: String) throws(Violation) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        func value(_ key: String) -> String? {
            lines.dropFirst().first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
        }
        let name = String(lines.first ?? "")
        let records = [ReceiverRecord(instanceName: name, txt: value), ReceiverRecord(airPlayName: name, txt: value)]
        for record in records.compactMap({ $0 }) {
            try hold(record.deviceID.count == 12 && record.deviceID.allSatisfy(\.isHexDigit), "an ID has 12 digits")
            let again = ReceiverRecord(instanceName: record.instanceName) { key in
                record.txt.first { $0.key == key }?.value
            }
            try hold(again?.deviceID == record.deviceID, "a record is read as it is written")
        }
        return records.contains { $0 != nil }
    }

    private static func readsVideoRequest(_ bytes: [UInt8]) throws(Violation) -> Bool {
        var reader = RTSPRequestReader()
        reader.receive(bytes)
        guard let request = try? reader.next() else { return false }
        if case .command(let command) = RemoteCommand.answer(request, token: "1") {
            try hold(RemoteCommand.known.contains(command.rawValue), "only known commands are passed on")
        }
        switch VideoRequest(request) {
        case .refusal: return false
        case .play(let address, let start):
            try hold(MediaAddress(address.description) == address, "an address is read as it is written")
            let number =
                switch start {
                case .seconds(let number), .fraction(let number): number
                }
            try hold(number.isFinite && number >= 0, "a start is a position")
        case .seek(let seconds): try hold(seconds.isFinite && seconds >= 0, "a position isn't negative")
        default: break
        }
        return true
    }

    private static func readsEvents(_ bytes: [UInt8]) throws(Violation) -> Bool {
        let whole = events([bytes[...]])
        for pieces in StreamSplits.of(bytes) { try hold(events(pieces) == whole, "splitting makes no difference") }
        return !whole.isEmpty
    }

    private static func events(_ pieces: [ArraySlice<UInt8>]) -> [VideoStatus.State] {
        var reader = VideoEventReader()
        var states: [VideoStatus.State] = []
        for piece in pieces {
            reader.receive(piece)
            while let state = try? reader.next() { states.append(state) }
        }
        return states
    }
}
