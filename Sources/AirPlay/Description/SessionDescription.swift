internal import AppleLossless

/// A sender's announcement of its stream, in the Session Description Protocol.
package struct SessionDescription: Hashable, Sendable {
    /// The maximum number of lines that are read.
    private static let lineLimit = 64
    private static let payloadType = "96"

    /// The format of the audio.
    package var format: AudioFormat
    /// The minimum latency, in frames, or `nil` if the sender doesn't announce one.
    package var minimumLatency: Int?
    /// The maximum latency, in frames, or `nil` if the sender doesn't announce one.
    package var maximumLatency: Int?

    /// Creates a description.
    package init(format: AudioFormat) {
        self.format = format
    }

    /// An error in a description.
    package enum Failure: Error, Hashable, Sendable {
        /// The text has no audio, or a line is malformed.
        case malformed
        /// The format isn't PCM or Apple Lossless with 44,100 Hz, two channels and 16 bits, or its packets are too long.
        case unsupportedFormat
        /// The audio is encrypted with a key that only Apple's receivers have.
        case encrypted
    }

    /// Reads a description.
    ///
    /// The line `rtpmap` decides the format. Some senders add the parameters of Apple Lossless to PCM.
    package init(_ text: String) throws(Failure) {
        var attributes: [String: String] = [:]
        var hasAudio = false
        let lines = text.split(maxSplits: Self.lineLimit, whereSeparator: \.isNewline)
        guard lines.count <= Self.lineLimit else { throw .malformed }
        for line in lines {
            guard line.dropFirst().first == "=" else { throw .malformed }
            if line.hasPrefix("m=audio ") { hasAudio = true }
            guard line.hasPrefix("a=") else { continue }
            let parts = line.dropFirst(2).split(separator: ":", maxSplits: 1)
            guard let name = parts.first else { continue }
            attributes[String(name)] = parts.count > 1 ? String(parts[1]) : ""
        }
        guard hasAudio, let map = attributes["rtpmap"] else { throw .malformed }
        guard attributes["rsaaeskey"] == nil, attributes["fpaeskey"] == nil else { throw .encrypted }
        format = try Self.format(map: map, parameters: attributes["fmtp"])
        minimumLatency = attributes["min-latency"].flatMap { Int($0) }
        maximumLatency = attributes["max-latency"].flatMap { Int($0) }
    }

    private static func format(map: String, parameters: String?) throws(Failure) -> AudioFormat {
        let words = map.split(separator: " ")
        guard words.count == 2, words[0] == payloadType else { throw .malformed }
        switch words[1].uppercased() {
        case "L16/44100/2", "L16": return .pcm
        case "APPLELOSSLESS":
            let numbers = (parameters ?? "").split(separator: " ").map { Int($0) }
            guard numbers.count == 12, let all = numbers as? [Int] else { throw .malformed }
            // The payload type, frames, version, bits, three of the coder, channels, the longest run, packet size, bit
            // rate and sample rate.
            guard all[2] == 0, all[3] == 16, all[7] == AudioFormat.channelCount, all[11] == AudioFormat.sampleRate,
                all[1] <= AudioPacket.framesLimit,
                let configuration = try? AppleLosslessConfiguration(
                    framesPerPacket: all[1],
                    historyMultiplier: all[4],
                    initialHistory: all[5],
                    riceLimit: all[6]
                )
            else { throw .unsupportedFormat }
            return .appleLossless(configuration)
        default: throw .unsupportedFormat
        }
    }

    /// Returns the text that a sender announces.
    ///
    /// - Parameters:
    ///   - session: The number of the session.
    ///   - sender: The sender's address.
    ///   - receiver: The receiver's address.
    package func text(session: UInt32, sender: String, receiver: String) -> String {
        func origin(_ address: String) -> String { "IN \(address.contains(":") ? "IP6" : "IP4") \(address)" }
        var lines = [
            "v=0", "o=iTunes \(session) 0 \(origin(sender))", "s=iTunes", "c=\(origin(receiver))", "t=0 0",
            "m=audio 0 RTP/AVP \(Self.payloadType)",
        ]
        switch format {
        case .pcm:
            lines.append("a=rtpmap:\(Self.payloadType) L16/\(AudioFormat.sampleRate)/\(AudioFormat.channelCount)")
        case .appleLossless(let codec):
            lines.append("a=rtpmap:\(Self.payloadType) AppleLossless")
            let numbers = [
                codec.framesPerPacket, 0, codec.bitDepth, codec.historyMultiplier, codec.initialHistory,
                codec.riceLimit, codec.channelCount, 255, 0, 0, codec.sampleRate,
            ]
            lines.append("a=fmtp:\(Self.payloadType) " + numbers.map { "\($0)" }.joined(separator: " "))
        }
        if let minimumLatency { lines.append("a=min-latency:\(minimumLatency)") }
        if let maximumLatency { lines.append("a=max-latency:\(maximumLatency)") }
        return lines.map { $0 + "\r\n" }.joined()
    }
}
