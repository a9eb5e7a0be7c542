import ArgumentParser
import Foundation
import HubAPI

/// `hearth backup`: saves the hub's data in one encrypted file.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up all homes and pairings to an encrypted file.",
        discussion: """
            The file is in age's format, encrypted with a passphrase; “age -d FILE” decrypts it to a database. Anyone \
            with the file and the passphrase has the keys to your accessories. Without the passphrase, no one can \
            decrypt it.

            Example: hearth backup home.age
            """
    )

    /// The JSON output.
    private struct Done: Encodable {
        var file: String
        var length: Int
    }

    @Argument(help: "The file to create.", completion: .file())
    var file: String

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
        let passphrase =
            try passphraseDescriptor.map { number throws(CommandFailure) in try Passphrase.read(from: number) }
            ?? Passphrase.ask(isNew: true)
        let output = try AtomicFile(path: file)
        let result = try await client.call(HubMethods.makeBackup, CreateBackup(passphrase: passphrase))
        var length = 0
        while length < result.length {
            let piece = try await client.call(HubMethods.readBackup, ReadBackup(id: result.id, offset: length)).bytes
            guard !piece.isEmpty else { throw CommandFailure("cutShort", "The hub sent an incomplete backup.") }
            try output.write(piece)
            length += piece.count
        }
        try output.finish()
        if options.json {
            JSONLine(Done(file: file, length: length)).print()
        } else {
            ProgramOutput.line("Saved everything to \(file) (\(length) bytes).")
            ProgramOutput.line("Store it on another machine, and keep the passphrase.")
        }
    }
}
