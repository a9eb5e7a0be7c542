import Synchronization

/// Messages that may be longer than a frame, in order. Each goes in pieces, between which other frames pass.
///
/// Whoever sends bounds what waits: nothing is dropped while the hubs are connected.
package final class HubMessages: Sendable {
    // This is a class because it owns what waits to be sent and what has come of a message.

    private enum Mark {
        static let more: UInt8 = 0
        static let last: UInt8 = 1
    }

    private struct State {
        var waiting: [HubFrame] = []
        /// The pieces of the message that is coming; `nil` if it is longer than it may be.
        var incoming: [UInt8]? = []
    }

    private let link: HubLink
    private let kind: HubFrame.Kind
    private let maximumBytes: Int
    private let state = Mutex(State())

    /// Creates the ends of a link for messages of a kind. Give ``handle(_:)`` what happens on the link.
    ///
    /// - Parameter maximumBytes: The maximum size of a message.
    package init(over link: HubLink, as kind: HubFrame.Kind, maximumBytes: Int) {
        self.link = link
        self.kind = kind
        self.maximumBytes = maximumBytes
    }

    /// Sends a message, now or when there is room.
    ///
    /// - Returns: `false` if the message is too long, or the other hub isn't connected.
    package func send(_ message: [UInt8]) -> Bool {
        guard message.count <= maximumBytes, link.isConnected else { return false }
        let frames = Self.pieces(of: message).compactMap { HubFrame(kind, $0) }
        state.withLock { state in
            state.waiting += frames
            sendWaiting(&state)
        }
        return true
    }

    private static func pieces(of message: [UInt8]) -> [[UInt8]] {
        let size = HubLinkLimits.pieceBytes
        let starts = stride(from: 0, to: max(1, message.count), by: size)
        return starts.map { start in
            let end = min(start + size, message.count)
            return [end == message.count ? Mark.last : Mark.more] + message[start..<end]
        }
    }

    private func sendWaiting(_ state: inout State) {
        let sent = state.waiting.firstIndex { !link.send($0) } ?? state.waiting.count
        state.waiting.removeFirst(sent)
    }

    /// Handles what happens on the link.
    ///
    /// - Returns: A message that is complete.
    package func handle(_ event: HubLink.Event) -> [UInt8]? {
        state.withLock { state in
            switch event {
            case .connected, .disconnected: state = State()
            case .room: sendWaiting(&state)
            case .frame(let frame) where frame.kind == kind: return receive(frame.content, &state)
            case .frame: break
            }
            return nil
        }
    }

    private func receive(_ piece: [UInt8], _ state: inout State) -> [UInt8]? {
        guard let mark = piece.first else { return nil }
        if let count = state.incoming?.count, count + piece.count - 1 > maximumBytes { state.incoming = nil }
        state.incoming?.append(contentsOf: piece.dropFirst())
        guard mark == Mark.last else { return nil }
        defer { state.incoming = [] }
        return state.incoming
    }
}
