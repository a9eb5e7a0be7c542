import ArgumentParser
import Foundation
import HomeAgent
import HubAPI
import HubClient

/// `hearth join`: makes this device one of a person's at a hub.
struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Join a home with an invitation.",
        discussion: """
            “hearth device add” and “hearth user add” show the invitation on a machine that already belongs to the home: a \
            code of 8 digits for a device next to it, or a link. If the home has a relay, a link works from anywhere; the relay \
            can't join in its place. After a link, somebody there compares six digits with those that this command shows. Without an invitation, the command asks for it; with “-”, it is read from standard input.

            Example: hearth join 123-45-678
            """
    )

    /// The JSON output: one line when the device waits to be let in, and one when it is.
    private struct Output: Encodable {
        var event: String
        var hub: UUID
        var name: String
        var digits: String?
        var homes: [String]?
    }

    @Argument(help: ArgumentHelp("The link or the code; “-” reads it from standard input.", valueName: "invitation"))
    var invitation: String?

    @Option(help: ArgumentHelp("The hub's host, if it isn't found on the network.", valueName: "host"))
    var host: String?

    @Option(help: ArgumentHelp("The hub's port.", valueName: "port"))
    var port: Int?

    @Option(help: ArgumentHelp("This device's name (default: the host's).", valueName: "name"))
    var name: String?

    @OptionGroup var options: ClientOptions

    @Option(
        help: ArgumentHelp("The data folder of an agent that this command starts.", valueName: "dir"),
        completion: .directory
    )
    var data: String?

    func validate() throws {
        guard (host == nil) == (port == nil) else { throw ValidationError("Use --host and --port together.") }
        if let port, !(1...65_535).contains(port) { throw ValidationError("--port must be 1 to 65535.") }
    }

    func run() async throws {
        let text = try Self.text(invitation)
        try HubJoiner.check(text)
        let path = options.socket ?? HubSocketPath.standard()
        let client = try await connect(path)
        let parameters = JoinHub(
            invitation: text,
            name: name ?? ProcessInfo.processInfo.hostName,
            place: host.flatMap { host in port.map { HostAddress.text(host: host, port: $0) } }
        )
        let joining: HubJoining
        do throws(HubError) {
            joining = try await client.call(AgentMethods.join, parameters)
        } catch {
            guard error.code == .unknownMethod else { throw error }
            let reason = "A hub serves \(path), so this machine needs no agent. Choose another path with --socket."
            throw CommandFailure("alreadyRunning", reason)
        }
        client.close()
        if let digits = joining.digits {
            if options.json {
                JSONLine(Output(event: "waiting", hub: joining.hub, name: joining.name, digits: digits)).print()
            } else {
                ProgramOutput.line(
                    "\(digits)\nCompare these digits with those at “\(joining.name)”, and confirm them there. Waiting …"
                )
            }
        }
        let homes = try await waitUntilIn(joining)
        if options.json {
            JSONLine(Output(event: "joined", hub: joining.hub, name: joining.name, homes: homes)).print()
        } else {
            let names = homes.map { "“\($0)”" }.joined(separator: ", ")
            ProgramOutput.line("This device has joined \(names.isEmpty ? "“\(joining.name)”" : names).")
        }
    }

    /// Waits until the device is let in.
    private func waitUntilIn(_ joining: HubJoining) async throws -> [String] {
        while true {
            // A session of the agent's ends when its hubs change, so each look is a connection of its own.
            guard let hubs = try await hubsNow() else { continue }
            guard let hub = hubs.first(where: { $0.id == joining.hub }) else {
                let reason = "“\(joining.name)” has not let this device in. Ask for another invitation."
                throw CommandFailure("invitationEnded", reason)
            }
            if hub.standing.state == .near { return hub.homes }
            // The device is in, and its person may use the home only there.
            if hub.problemCode == HubError.Code.notHere.rawValue {
                if !options.json { ProgramOutput.note(hub.problem ?? "") }
                return hub.homes
            }
            // A device that is in is done, even if the hub is out of reach again.
            if joining.digits == nil, !hub.homes.isEmpty { return hub.homes }
            try await Task.sleep(for: .milliseconds(250))
        }
    }

    /// Returns the agent's hubs; `nil` if its sessions ended just then.
    private func hubsNow() async throws -> [AgentHubs.Hub]? {
        do throws(HubError) {
            let client = try await HomeClient(options)
            let hubs = try await client.call(AgentMethods.hubs, Empty()).hubs
            client.close()
            return hubs
        } catch {
            guard error.code == .connectionLost else { throw error }
            return nil
        }
    }

    /// Returns the invitation: the argument, or what the person types.
    private static func text(_ argument: String?) throws -> String {
        if let argument, argument != "-" { return argument }
        if argument == nil {
            guard ProgramOutput.isTerminal, isatty(STDIN_FILENO) == 1 else {
                throw ValidationError("Give the code or the link, or “-” to read it from standard input.")
            }
            ProgramOutput.note("Code or link:", terminator: " ")
        }
        guard let line = readLine(strippingNewline: true), !line.isEmpty else {
            throw CommandFailure("wrongInvitationCode", "Standard input has no invitation.")
        }
        return line
    }

    /// Connects to the agent, which is started if it isn't there.
    private func connect(_ path: String) async throws -> HomeClient {
        do throws(HubError) {
            return try await HomeClient(options)
        } catch {
            guard error.code == .noHub else { throw error }
            try AgentProcess.start(socket: path, data: data)
        }
        if !options.json {
            ProgramOutput.note("Started the agent. To start it at each login: systemctl --user enable hearth-agent")
        }
        var last = HubError(.noHub, "The agent didn't start.")
        for _ in 0..<200 {
            do throws(HubError) {
                return try await HomeClient(options)
            } catch {
                last = error
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw CommandFailure("noHub", "\(last.reason) The agent's log is in \(AgentProcess.logPath(data: data)).")
    }
}
