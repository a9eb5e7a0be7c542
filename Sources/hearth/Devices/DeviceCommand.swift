import ArgumentParser
import Foundation
import HubAPI

/// `hearth device`: lists the devices that are signed in, and signs them out.
struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "List and remove devices that are signed in.",
        discussion: """
            These are your browsers and other devices that signed in with a code from “hearth login”. A removed device \
            is disconnected immediately.

            Example: hearth device remove "Ann's iPad"
            """,
        subcommands: [List.self, Remove.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List your devices.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let devices = try await HomeClient(options).call(HubMethods.devices, Empty()).devices
            if options.json {
                JSONLine(devices).print()
            } else if devices.isEmpty {
                ProgramOutput.line("No device is signed in. To sign one in, run “hearth login”.")
            } else {
                for device in devices { ProgramOutput.line(Self.line(device)) }
            }
        }

        private static func line(_ device: Devices.Device) -> String {
            let day = device.lastUse.formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
            let state = device.isConnected ? "connected" : "last used \(day)"
            return "\(device.name)  (\(state)\(device.staysSignedIn ? "" : ", for this session"))"
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Sign a device out and disconnect it."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The device's name or ID.") var name: String

        func run() async throws {
            let client = try await HomeClient(options)
            defer { client.close() }
            let devices = try await client.call(HubMethods.devices, Empty()).devices
            let device = try NameLookup("device", devices.map { ($0.name, $0.id, $0.id) }).find(name)
            _ = try await client.call(HubMethods.removeDevice, RemoveDevice(id: device))
            ChangeOutput.print(options)
        }
    }
}
