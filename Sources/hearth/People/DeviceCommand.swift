import ArgumentParser
import Foundation
import HubAPI

/// `hearth device`: lists, adds, renames and removes the user's devices.
struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "List, add, rename and remove your devices.",
        discussion: """
            Your devices are the machines that joined with “hearth join” and the browsers that signed in. A removed device \
            is disconnected immediately, and can't come back without an invitation.

            Example: hearth device remove "Ann's iPad"
            """,
        subcommands: [List.self, DeviceAddCommand.self, Rename.self, DeviceRemoveCommand.self, Confirm.self],
        defaultSubcommand: List.self
    )

    /// Returns the device with a name or ID.
    static func find(_ name: String, _ client: HomeClient) async throws -> Devices.Device {
        let devices = try await client.call(HubMethods.devices, Empty()).devices
        return try NameLookup("device", devices.map { ($0.name, $0.id, $0) }).find(name)
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List your devices.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let client = try await HomeClient(options)
            defer { client.close() }
            let devices = try await client.call(HubMethods.devices, Empty()).devices
            if options.json { return JSONLine(devices).print() }
            guard !devices.isEmpty else {
                return ProgramOutput.line(
                    "You have no other device. To add a machine: hearth device add. To sign a browser in: hearth login"
                )
            }
            let time = try await HubTime(of: client)
            var table = Table()
            for device in devices {
                table.add(device.name, device.kindText, device.standing(at: time), device.origin(at: time))
            }
            table.print()
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Rename a device.",
            discussion: "Example: hearth device rename laptop \"Ann's Laptop\""
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The device's name or ID.") var name: String
        @Argument(help: "The new name.") var newName: String

        func run() async throws {
            let client = try await HomeClient(options)
            defer { client.close() }
            let device = try await DeviceCommand.find(name, client)
            _ = try await client.call(HubMethods.renameDevice, RenameDevice(id: device.id, name: newName))
            ChangeOutput.print(options)
        }
    }

    struct Confirm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm",
            abstract: "Confirm devices after a restore.",
            discussion: """
                A restored backup may bring back devices that you had removed later. They are suspended until you confirm \
                them. Without names, confirms all of your suspended devices. The hub also asks the owner about the devices \
                of all users; see “hearth questions”.

                Example: hearth device confirm "Ann's Laptop"
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The devices' names or IDs (default: all suspended ones).") var names: [String] = []

        func run() async throws {
            let client = try await HomeClient(options)
            defer { client.close() }
            let devices = try await client.call(HubMethods.devices, Empty()).devices
            let lookup = NameLookup("device", devices.map { ($0.name, $0.id, $0) })
            let chosen = try names.map { (name) throws(CommandFailure) in try lookup.find(name) }
            let suspended = (names.isEmpty ? devices : chosen).filter { $0.isSuspended == true }
            if !suspended.isEmpty {
                _ = try await client.call(HubMethods.confirmDevices, DeviceTargets(ids: suspended.map(\.id)))
            }
            if options.json { return ChangeOutput.print(options) }
            let list = suspended.map(\.name).joined(separator: ", ")
            ProgramOutput.line(suspended.isEmpty ? "No such device is suspended." : "Confirmed \(list)")
        }
    }
}

extension Devices.Device {
    /// The kind of device, in a word.
    fileprivate var kindText: String { kind == "agent" ? "computer" : "browser" }

    /// Whether the device is connected or suspended, and when it was last seen.
    fileprivate func standing(at time: HubTime) -> String {
        if isSuspended == true { return "suspended: hearth device confirm" }
        let place = way.map { $0 == .away ? "away" : $0 == .near ? "near" : "at the hub" }
        let seen = isConnected ? "connected" : "last seen \(time.text(lastUse))"
        return ([seen] + [place].compactMap(\.self)).joined(separator: ", ")
    }

    /// When the device was added and by which device, and whether it is the one that asks.
    fileprivate func origin(at time: HubTime) -> String {
        let day = time.text(added).prefix(10)
        var text = "added \(day)" + (addedBy.map { " by \($0)" } ?? "")
        if !staysSignedIn, kind != "agent" { text += ", for this session" }
        return isCurrent ? "\(text) (this device)" : text
    }
}
