import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth device remove`: removes a device and, if it was stolen, lists what came from it.
struct DeviceRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a device and disconnect it.",
        discussion: """
            The device is disconnected immediately, and deletes its keys and its copy of the homes when it next reaches the \
            hub. With --stolen, also lists the users, roles, devices and invitations that came from it, and on a terminal \
            offers to take each back.

            Example: hearth device remove "Ann's Phone" --stolen --since 2d
            """
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "The device's name or ID.") var name: String

    @Flag(help: "List what came from the device.")
    var stolen = false

    @Option(
        help: ArgumentHelp("List what came from it since then, such as 2d (default: everything).", valueName: "time")
    )
    var since: String?

    func validate() throws {
        if since != nil, !stolen { throw ValidationError("--since needs --stolen.") }
    }

    func run() async throws {
        let client = try await HomeClient(options)
        defer { client.close() }
        let device = try await DeviceCommand.find(name, client)
        let time = try await HubTime(of: client)
        let start = try since.map { (text) throws(CommandFailure) in try SinceTime.date(of: text, at: time) }
        let request = RemoveDevice(id: device.id, isStolen: stolen ? true : nil, since: start)
        let removed = try await client.call(HubMethods.removeDevice, request)
        guard stolen else { return ChangeOutput.print(options) }
        if options.json { return JSONLine(removed).print() }
        let deeds = removed.deeds ?? []
        let found = deeds.isEmpty ? "No user, device or invitation came from it." : "From it came:"
        ProgramOutput.line("Removed \(device.name). \(found)")
        for deed in deeds { try await Self.show(deed, at: time, client) }
        ProgramOutput.line("Whatever else it changed is in the journal: hearth log")
    }

    /// Prints a change that came from the device and, on a terminal, offers to take it back.
    private static func show(_ deed: RemovedDevice.Deed, at time: HubTime, _ client: HomeClient) async throws {
        ProgramOutput.line("  \(time.text(deed.time))  \(deed.text)")
        guard let undoing = DeedUndoing(deed) else { return }
        guard ProgramOutput.isTerminal, isatty(STDIN_FILENO) == 1 else {
            return ProgramOutput.line("    To take it back: \(undoing.command)")
        }
        ProgramOutput.note("    Take it back? [y/N]", terminator: " ")
        guard readLine()?.lowercased().hasPrefix("y") == true else { return }
        do throws(HubError) {
            try await undoing.perform(client)
        } catch {
            ProgramOutput.note("    It could not be taken back: \(error.reason)")
        }
    }
}

extension RemovedDevice.Deed {
    /// The change in words.
    fileprivate var text: String {
        switch Verb(rawValue: verb) {
        case .userAdded: "added the user \(name)"
        case .userRoleChanged: "changed the role of \(name)"
        case .userConfirmed: "confirmed the user \(name)"
        case .userRemoved: "removed the user \(name)"
        case .deviceAdded: "added the device \(name)"
        case .userInvited: "invited \(name)"
        default: "\(verb) \(name)"
        }
    }
}

/// The way to take back a change that came from a stolen device.
private struct DeedUndoing {
    /// The command that does the same.
    let command: String
    let perform: @Sendable (HomeClient) async throws(HubError) -> Void

    /// Returns `nil` if the change can't be taken back.
    init?(_ deed: RemovedDevice.Deed) {
        guard let id = deed.id else { return nil }
        switch (Verb(rawValue: deed.verb), deed.home) {
        case (.userAdded, let home?), (.userConfirmed, let home?):
            command = "hearth user remove \(id)"
            perform = { (client) throws(HubError) in
                _ = try await client.call(HubMethods.removeUser, InHome(home, RemoveUser(id)))
            }
        case (.userRoleChanged, let home?):
            command = "hearth user role \(id) guest"
            perform = { (client) throws(HubError) in
                _ = try await client.call(HubMethods.setRole, InHome(home, SetRole(.guest, of: id)))
            }
        case (.deviceAdded, _):
            command = "hearth device remove \(id)"
            perform = { (client) throws(HubError) in
                _ = try await client.call(HubMethods.removeDevice, RemoveDevice(id: id))
            }
        case (.userInvited, _):
            command = "hearth invitation withdraw \(id)"
            perform = { (client) throws(HubError) in
                _ = try await client.call(HubMethods.removeInvitation, InvitationTarget(id: id))
            }
        default: return nil
        }
    }
}
