import AgeFile
import ArgumentParser
import Foundation
import HubAPI

/// `hearth vault`: the backup that the hub keeps at its relay.
struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: "The backup that the hub keeps at its relay.",
        discussion: """
            With “hearth sync on --vault”, the hub puts an encrypted backup at the relay every day. Any device of the hub's \
            owner opens it, also if the hub is lost.

            Example: hearth vault save home.age
            """,
        subcommands: [Save.self, Update.self]
    )

    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "update",
            abstract: "Put a backup into the vault now. For the hub's machine.",
            discussion: """
                The hub does so by itself every day, and five minutes after accessories were added. Before you replace a disk or \
                a machine, this puts the latest state at the relay.

                Example: hearth vault update
                """
        )
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let client = try await HomeClient(options)
            defer { client.close() }
            let status = try await client.call(HubMethods.updateVault, Empty())
            if options.json { return JSONLine(status).print() }
            ProgramOutput.line("The vault at \(status.relay ?? "the relay") has a backup of the hub as it is now.")
        }
    }

    struct Save: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "save",
            abstract: "Save the newest backup to a file, encrypted with a passphrase of your own.",
            discussion: """
                On a new machine, “hearth restore FILE” makes the same hub of it: devices know it by its key, and no accessory \
                has to be reset. First stop the old hub for good.

                Example: hearth vault save home.age
                """
        )

        /// The JSON output.
        private struct Done: Encodable {
            var file: String
            var hub: String
            var time: Date?
        }

        @Argument(help: "The file to create.", completion: .file())
        var file: String

        @Option(help: ArgumentHelp("The hub's name or ID, or the name of one of its homes.", valueName: "name"))
        var hub: String?

        @Option(
            name: .customLong("passphrase-fd"),
            help: ArgumentHelp("Read the passphrase from this file descriptor (default: prompt).", valueName: "n")
        )
        var passphraseDescriptor: Int32?

        @OptionGroup var options: ClientOptions

        func run() async throws {
            let client = try await HomeClient(options)
            defer { client.close() }
            // Fail before prompting. The file is created after the prompt, so that a canceled prompt leaves nothing behind.
            try AtomicFile.checkDoesNotExist(file)
            let vault = try await open(client)
            let passphrase =
                try passphraseDescriptor.map { number throws(CommandFailure) in try Passphrase.read(from: number) }
                ?? Passphrase.ask(isNew: true)
            let output = try AtomicFile(path: file)
            var random = SystemRandomNumberGenerator()
            var encryptor = try AgeEncryptor(passphrase: passphrase, random: &random)
            var decryptor = AgeDecryptor(passphrase: vault.passphrase)
            do {
                var offset = 0
                while offset < vault.length {
                    let request = ReadBackup(id: vault.id, offset: offset)
                    let piece = try await client.call(AgentMethods.readVault, request).bytes
                    guard !piece.isEmpty else {
                        throw CommandFailure("cutShort", "The agent sent an incomplete vault.")
                    }
                    try output.write(encryptor.update(decryptor.update(piece)))
                    offset += piece.count
                }
                try output.write(encryptor.update(decryptor.finish()))
                try output.write(encryptor.finish())
            } catch let error as AgeError {
                throw CommandFailure("relayLies", "The vault can't be opened with the hub's own passphrase: \(error).")
            }
            try output.finish()
            if options.json {
                JSONLine(Done(file: file, hub: vault.hub, time: vault.time)).print()
            } else {
                let time = vault.time.map { " of \(HubTime.local.text($0))" } ?? ""
                ProgramOutput.line("Saved the backup of “\(vault.hub)”\(time) to \(file).")
                ProgramOutput.line("To make a hub of it on a new machine: hearth restore \(file)")
            }
        }

        private func open(_ client: HomeClient) async throws -> OpenedVault {
            do throws(HubError) {
                return try await client.call(AgentMethods.openVault, OpenVault(hub: hub))
            } catch {
                guard error.code == .unknownMethod else { throw error }
                let reason = "A hub serves this machine. Save a backup of it with “hearth backup”."
                throw CommandFailure("unknownMethod", reason)
            }
        }
    }
}
