import Foundation
import RelayAPI

/// One end's pipes on a live stream: what may be sent, and what is received. It is a value without I/O.
struct PipeTable: Sendable {
    /// What a frame from the relay causes.
    enum Event: Hashable, Sendable {
        /// A device has begun a pipe.
        case opened(UInt32, PipeOrigin)
        /// Bytes have come.
        case data(UInt32, Data)
        /// More can be sent.
        case credit(UInt32)
        /// The pipe has ended. It is gone.
        case closed(UInt32, PipeEnd)
    }

    private struct Pipe {
        var outbound = PipeWindow()
        var inbound = PipeWindow()
        /// The bytes that were taken and for which no credit was given yet.
        var taken = 0
    }

    /// The number of bytes after which credit is given: seldom enough, and long before the other end stops.
    private static let creditStep = RelayLimits.pipeCredit / 4

    private var pipes: [UInt32: Pipe] = [:]
    private var last: UInt32 = 0

    /// The numbers of the pipes.
    var numbers: [UInt32] { pipes.keys.sorted() }

    /// Returns whether a pipe has not ended.
    func isOpen(_ number: UInt32) -> Bool { pipes[number] != nil }

    /// Begins a pipe of a device's.
    mutating func open() -> (number: UInt32, frame: LiveFrame) {
        last += 1
        pipes[last] = Pipe()
        return (last, .open(last))
    }

    /// Returns how many bytes can be sent.
    func credit(of number: UInt32) -> Int { pipes[number]?.outbound.credit ?? 0 }

    /// Returns the frames that send bytes, which must not exceed the credit.
    mutating func send(_ bytes: Data, on number: UInt32) -> [LiveFrame] {
        guard pipes[number]?.outbound.use(bytes.count) == true else { return [] }
        var frames: [LiveFrame] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            frames.append(LiveFrame(.data, pipe: number, payload: Data(rest.prefix(LiveFrame.payloadBytes))))
            rest = rest.dropFirst(LiveFrame.payloadBytes)
        }
        return frames
    }

    /// Records that received bytes were taken. Returns the frame that gives credit for them, if it is time.
    mutating func take(_ count: Int, on number: UInt32) -> LiveFrame? {
        guard var pipe = pipes[number] else { return nil }
        pipe.taken += count
        defer { pipes[number] = pipe }
        guard pipe.taken >= Self.creditStep, pipe.inbound.add(pipe.taken) else { return nil }
        defer { pipe.taken = 0 }
        return .credit(number, pipe.taken)
    }

    /// Ends a pipe. Returns the frame that says so; `nil` if it has ended.
    mutating func close(_ number: UInt32, because end: PipeEnd = .closed) -> LiveFrame? {
        pipes.removeValue(forKey: number).map { _ in .close(number, because: end) }
    }

    /// Handles a frame from the relay.
    ///
    /// - Throws: `malformed` if the relay violates the protocol.
    mutating func receive(_ frame: LiveFrame) throws(RelayError) -> Event? {
        let number = frame.pipe
        switch frame.kind {
        case .open:
            guard let origin = frame.origin, number > last else { throw .malformed("The relay opens a wrong pipe.") }
            last = number
            pipes[number] = Pipe()
            return .opened(number, origin)
        case .data:
            guard let isWithin = pipes[number]?.inbound.use(frame.payload.count) else { return nil }
            guard isWithin else { throw .malformed("The relay sends more than there is room for.") }
            return .data(number, frame.payload)
        case .credit:
            guard let count = frame.creditCount else { throw .malformed("The relay gives a wrong credit.") }
            guard let isWithin = pipes[number]?.outbound.add(count) else { return nil }
            guard isWithin else { throw .malformed("The relay gives more credit than was used.") }
            return .credit(number)
        case .close:
            guard let end = frame.end else { throw .malformed("The relay gives a wrong reason.") }
            return pipes.removeValue(forKey: number).map { _ in .closed(number, end) }
        default:
            return nil
        }
    }
}
