/// The ports of a stream, as in the `Transport` header: `RTP/AVP/UDP;unicast;mode=record;control_port=6001;…`.
package struct StreamTransport: Hashable, Sendable {
    private static let protocolName = "RTP/AVP/UDP"

    /// The receiver's port for audio. Absent in a request.
    package var audioPort: Int?
    /// The sender's or receiver's port for sync and resent packets.
    package var controlPort: Int
    /// The sender's or receiver's port for the time.
    package var timingPort: Int

    /// Creates ports.
    package init(audioPort: Int? = nil, controlPort: Int, timingPort: Int) {
        self.audioPort = audioPort
        self.controlPort = controlPort
        self.timingPort = timingPort
    }

    /// Reads a header. Returns `nil` if it names another protocol than UDP, or lacks a port.
    package init?(_ header: String) {
        let parts = header.split(separator: ";").map { $0.drop { $0 == " " } }
        guard let first = parts.first, first.lowercased() == Self.protocolName.lowercased() else { return nil }
        func port(_ name: String) -> Int? {
            let prefix = name + "="
            guard let part = parts.first(where: { $0.lowercased().hasPrefix(prefix) }) else { return nil }
            return Int(part.dropFirst(prefix.count)).flatMap { (1...65_535).contains($0) ? $0 : nil }
        }
        // Receivers without a timing port of their own leave it out.
        guard let control = port("control_port") else { return nil }
        self.init(audioPort: port("server_port"), controlPort: control, timingPort: port("timing_port") ?? 0)
    }

    /// The header's value.
    package var header: String {
        let audio = audioPort.map { ";server_port=\($0)" } ?? ""
        return "\(Self.protocolName);unicast;interleaved=0-1;mode=record"
            + "\(audio);control_port=\(controlPort);timing_port=\(timingPort)"
    }
}

/// The first packet to play, as in the `RTP-Info` header: `seq=1;rtptime=2`.
package struct StreamPosition: Hashable, Sendable {
    /// The packet's sequence number.
    package var sequence: UInt16
    /// The timestamp of the packet's first frame.
    package var timestamp: UInt32

    /// Creates a position.
    package init(sequence: UInt16, timestamp: UInt32) {
        self.sequence = sequence
        self.timestamp = timestamp
    }

    /// Reads a header. Returns `nil` if it lacks a number.
    package init?(_ header: String) {
        let parts = header.split(separator: ";").map { $0.drop { $0 == " " } }
        func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
            parts.first { $0.hasPrefix(name + "=") }.flatMap { Number($0.dropFirst(name.count + 1)) }
        }
        guard let sequence: UInt16 = number("seq"), let timestamp: UInt32 = number("rtptime") else { return nil }
        self.init(sequence: sequence, timestamp: timestamp)
    }

    /// The header's value.
    package var header: String { "seq=\(sequence);rtptime=\(timestamp)" }
}
