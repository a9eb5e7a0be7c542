import AirPlay
import HAP
import Testing

/// A classic stream of PCM whose every byte the test sends.
struct RawStream {
    let connection: RawSender
    /// The receiver's ports.
    private(set) var receiver = StreamTransport(controlPort: 0, timingPort: 0)
    let port: RawPort
    private var session: SenderSession
    private var audio: SentStream

    /// Sets a stream up.
    init(to receiverPort: Int) throws {
        connection = try RawSender(port: receiverPort)
        port = try RawPort()
        let start = StreamPosition(sequence: 65_530, timestamp: 1)
        session = SenderSession(
            .init(
                description: SessionDescription(format: .pcm),
                number: 7,
                addresses: ("127.0.0.1", "127.0.0.1"),
                ports: StreamTransport(controlPort: port.number, timingPort: port.number),
                start: start,
                password: nil,
                remoteControl: RemoteControlAddress(id: "A", token: "1")
            )
        )
        audio = SentStream(.pcm, at: start, source: 7, start: NTPTime(rawValue: 1 << 40))
        while let request = session.next() {
            let response = try exchange(request)
            if case .play(let ports) = try session.receive(response) { receiver = ports }
        }
        try #require(receiver.audioPort != nil)
    }

    /// The position of the next packet.
    var position: StreamPosition { audio.position }

    /// Sends a packet of audio.
    mutating func send(_ samples: [Int16]) {
        port.send(audio.packet(samples), to: receiver.audioPort ?? 0)
    }

    /// Sends a sync packet. Returns it.
    func sync(at time: NTPTime) -> SyncPacket {
        let sync = audio.sync(at: time, isFirst: false)
        port.send(ControlPacket.sync(sync).bytes, to: receiver.controlPort)
        return sync
    }

    /// Sends a request, and returns the response.
    func exchange(_ request: RTSPRequest) throws -> RTSPResponse {
        try connection.send(request)
        return try #require(try connection.receive())
    }

    /// Ends the stream.
    func end() throws {
        #expect(try exchange(RTSPRequest(.teardown, "*")).status == .ok)
    }
}
