import AirPlay
import AirPlayNetwork
import DNSSD
import Foundation

/// Sends the lines of standard input as commands to the sender that plays.
enum RemoteControlInput {
    /// Starts reading, until the end of standard input.
    static func start(_ receiver: AirPlayReceiver, _ discovery: MulticastDNS) {
        Task {
            for await name in lines() { await send(name, receiver, discovery) }
        }
    }

    /// Returns the lines of standard input without white space at their ends, except empty ones. Call it once.
    static func lines() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(16))
        Thread.detachNewThread {
            while let line = readLine()?.trimmingCharacters(in: .whitespaces) {
                if !line.isEmpty { continuation.yield(line) }
            }
            continuation.finish()
        }
        return lines
    }

    /// Sends a command by its name. Prints a note if that fails.
    static func send(_ name: String, _ receiver: AirPlayReceiver, _ discovery: MulticastDNS) async {
        guard RemoteCommand.known.contains(name) else { return ProgramOutput.note("There is no command “\(name)”.") }
        guard let address = await receiver.remoteControl else { return ProgramOutput.note("No sender plays.") }
        let client = RemoteControlClient(address: address, discovery: discovery)
        guard await client.send(RemoteCommand(rawValue: name)) else {
            return ProgramOutput.note("The sender doesn't take commands.")
        }
    }
}
