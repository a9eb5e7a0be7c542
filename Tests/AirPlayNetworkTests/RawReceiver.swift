import AirPlay
import Foundation
import HAP
import Synchronization
import Testing

/// A classic receiver that accepts one sender, and leaves what arrives at its ports to the test. This is a class because it
/// owns a socket and a thread.
final class RawReceiver: Sendable {
    /// The port for the control connection.
    let port: Int
    let audio: RawPort
    let control: RawPort
    private let ports = Mutex<StreamTransport?>(nil)

    init() throws {
        // The ports are only used by the test.
        (audio, control) = (try RawPort(), try RawPort())
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        let isListening = LoopbackAddress(port: 0).apply { bind(listener, $0, $1) } == 0 && listen(listener, 1) == 0
        let port = LoopbackAddress.port(of: listener)
        self.port = port ?? 0
        try #require(isListening && port != nil)
        let transport = StreamTransport(audioPort: audio.number, controlPort: control.number, timingPort: 0)
        Thread.detachNewThread { [weak self] in
            let connection = accept(listener, nil, nil)
            defer { for descriptor in [connection, listener] { close(descriptor) } }
            var random = SystemRandomNumberGenerator()
            var session = ReceiverSession(.init(ports: transport), using: &random)
            var reader = RTSPRequestReader()
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while case let count = recv(connection, &buffer, buffer.count, 0), count > 0 {
                reader.receive(buffer.prefix(count))
                while let request = try? reader.next() {
                    let outcome = session.handle(request, isBusy: false)
                    if case .ready(_, let ports, _) = outcome.event { self?.ports.withLock { $0 = ports } }
                    let response = outcome.response.encoded()
                    _ = send(connection, response, response.count, CInt(MSG_NOSIGNAL))
                    if outcome.closesConnection { return }
                }
            }
        }
    }

    /// The sender's ports, once it has a stream.
    var sender: StreamTransport? { ports.withLock { $0 } }
}
