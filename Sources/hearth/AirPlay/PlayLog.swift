import AirPlay
import AirPlayNetwork

/// Prints what happens to the receivers that play.
struct PlayLog: Sendable {
    /// The names of the receivers.
    let names: [String]
    let isJSON: Bool

    /// The JSON output for an event.
    private struct Line: Encodable {
        var event: String
        var name: String?
        var receiver: String?
        var error: String?
        var reason: String?
    }

    /// Reports an event of a receiver.
    func report(_ event: AirPlayGroup.Event, of member: Int) {
        let name = names[member]
        switch event {
        case .playing:
            print("playing", name, isShown: names.count > 1)
            // The only receiver's start isn't a result, but a person waits for it.
            if !isJSON, names.count == 1, ProgramOutput.isTerminal { ProgramOutput.note("\(name) plays.") }
        case .lost(let error): print("lost", name, error)
        case .back: print("back", name)
        case .busy: print("busy", name, .failed(.receiverBusy))
        case .failed(let error):
            // The only receiver's error is the command's.
            if names.count > 1 { print("failed", name, error) }
        case .command(let command):
            if isJSON {
                JSONLine(Line(event: "remote", name: command.rawValue, receiver: name)).print()
            } else {
                ProgramOutput.line("remote \(command.rawValue)")
            }
        }
    }

    private func print(_ event: String, _ name: String, _ error: AirPlayNetworkError? = nil, isShown: Bool = true) {
        let failure = error?.failure(receiver: name)
        if isJSON {
            JSONLine(Line(event: event, name: name, error: failure?.name, reason: failure?.reason)).print()
        } else if isShown {
            ProgramOutput.line("\(event) \(name)")
            if let failure, event == "failed" { ProgramOutput.note("\(failure.name): \(failure.reason)") }
        }
    }

    /// Reports the end.
    ///
    /// - Throws: The first receiver's failure.
    func end(_ results: [Result<Void, AirPlayNetworkError>]) throws(CommandFailure) {
        for (name, result) in zip(names, results) {
            if case .failure(let error) = result { throw error.failure(receiver: name) }
        }
        if isJSON { JSONLine(Line(event: "ended")).print() }
    }
}
