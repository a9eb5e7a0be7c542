import HAP

extension FuzzTarget {
    /// A secured stream that an attacker changes: the output is a prefix of the input.
    static let frames = FuzzTarget("frames", maximumLength: 512) { input throws(Violation) in
        var stream = SealedStream(plan: PlanReader(input))
        let bytes = stream.bytes
        let whole = OpenedStream([bytes[...]])
        let pieces = StreamSplits.of(bytes).map { OpenedStream($0) }
        let finest = pieces.map(\.plaintext).max { $0.count < $1.count } ?? []
        try hold(stream.plaintext.starts(with: finest), "the output was in the input")
        try hold(stream.isChanged || whole.error == nil, "an honest stream is opened")
        try hold(stream.isChanged || whole.plaintext == stream.plaintext, "an honest stream is opened completely")
        for opened in pieces + [whole] {
            try hold(opened.error == whole.error, "splitting makes no difference")
            try hold(opened.error != nil || opened.plaintext == finest, "splitting makes no difference")
            try hold(finest.starts(with: opened.plaintext), "splitting makes no difference")
            try hold(opened.error == nil || opened.isClosed, "nothing is opened after an error")
        }
        return !finest.isEmpty
    }
}

/// A stream of frames, sealed and changed according to a plan.
private struct SealedStream {
    private(set) var plaintext: [UInt8] = []
    private(set) var bytes: [UInt8] = []
    private(set) var isChanged = false

    static let key = FrameKey((0..<FrameKey.length).map { UInt8($0) })

    init(plan: PlanReader) {
        var plan = plan
        var sealer = Self.key.map { FrameSealer(key: $0) }
        var sealed: [[UInt8]] = []
        while !plan.isAtEnd, bytes.count < 6_000 {
            switch plan.choice(of: 6) {
            case 0, 1:
                let first = plan.byte()
                let message = (0..<plan.number(below: 2_600)).map { first &+ UInt8(truncatingIfNeeded: $0) }
                guard let frames = try? sealer?.seal(message) else { return }
                plaintext += message
                sealed.append(frames)
                bytes += frames
            case 2:
                let change = plan.byte()
                guard !bytes.isEmpty else { continue }
                bytes[plan.number(below: bytes.count)] ^= change
                isChanged = isChanged || change != 0
            case 3:
                let start = plan.number(below: bytes.count + 1)
                let end = min(bytes.count, start + plan.number(below: 2_100))
                bytes.removeSubrange(start..<end)
                isChanged = isChanged || end > start
            case 4:
                guard !sealed.isEmpty else { continue }
                let repeated = sealed[plan.choice(of: sealed.count)]
                bytes += repeated
                isChanged = isChanged || !repeated.isEmpty
            default:
                let block = plan.block()
                bytes += block
                isChanged = isChanged || !block.isEmpty
            }
        }
    }
}

/// The output of a stream.
private struct OpenedStream {
    private(set) var plaintext: [UInt8] = []
    private(set) var error: FrameError?
    private(set) var isClosed = false

    init(_ pieces: [ArraySlice<UInt8>]) {
        guard let key = SealedStream.key else { return }
        var opener = FrameOpener(key: key)
        do {
            for piece in pieces { plaintext += try opener.open(piece) }
        } catch {
            self.error = error
            do {
                _ = try opener.open([])
            } catch {
                isClosed = error == .closed
            }
        }
    }
}
