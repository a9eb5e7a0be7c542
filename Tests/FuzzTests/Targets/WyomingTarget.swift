import Wyoming

extension FuzzTarget {
    /// The events of voice satellites.
    static let wyoming = FuzzTarget("wyoming", maximumLength: 1_024) { input throws(Violation) in
        var small = WyomingLimits()
        (small.lineBytes, small.dataBytes, small.payloadBytes) = (64, 64, 64)
        var isKnown = false
        for limits in [WyomingLimits(), small] {
            let whole = try read([input[...]], limits)
            for pieces in StreamSplits.of(input) {
                try hold(try read(pieces, limits) == whole, "splitting makes no difference")
            }
            isKnown = isKnown || whole.contains { if case .close = $0 { false } else { true } }
        }
        return isKnown
    }

    private static func read(
        _ pieces: [ArraySlice<UInt8>],
        _ limits: WyomingLimits
    ) throws(Violation) -> [WyomingSession.Step] {
        let program = WyomingProgram(name: "Fuzz", description: "", version: "1", url: "", languages: ["en"])
        var session = WyomingSession(program, limits: limits)
        var reader = WyomingReader(limits: limits)
        var steps: [WyomingSession.Step] = []
        for piece in pieces {
            steps += session.receive(Array(piece))
            _ = reader.decode(Array(piece))
            try hold(reader.storedBytes <= max(limits.lineBytes, limits.dataBytes), "what is stored is limited")
        }
        for (index, step) in steps.enumerated() {
            switch step {
            case .send(let bytes):
                try hold(isOneEvent(bytes), "what is sent is one event")
            case .say(let sentence):
                let answer = WyomingSession.Answer(isHandled: true, text: sentence.text, intent: "x")
                try hold(isOneEvent(session.bytes(for: answer, to: sentence)), "an answer is one event")
            case .close:
                try hold(index == steps.count - 1, "nothing follows the end")
            }
        }
        return steps
    }

    private static func isOneEvent(_ bytes: [UInt8]) -> Bool {
        var limits = WyomingLimits()
        (limits.lineBytes, limits.dataBytes) = (1 << 20, 1 << 20)
        var reader = WyomingReader(limits: limits)
        let (events, error) = reader.decode(bytes)
        return events.count == 1 && error == nil && reader.storedBytes == 0
    }
}
