import ArgumentParser
import Foundation
import HubAPI

/// `hearth backup`: everything in one file.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write everything into one file: homes, people, and the pairings with the accessories.",
        discussion: """
            The file is sealed with a passphrase, in age's format: “age -d FILE” opens it too, and shows a database. Whoever has \
            file and passphrase has the keys to the accessories. Without the passphrase nobody can open it, you neither.

            Example: hearth backup home.age
            """
    )

    /// What “done” tells.
    private struct Done: Encodable {
        var file: String
        var length: Int
    }

    @Argument(help: "The file to make.", completion: .file())
    var file: String

    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Read the passphrase from this open file; otherwise it is asked for.", valueName: "n")
    )
    var passphraseDescriptor: Int32?

    @OptionGroup var options: ClientOptions

    func run() async throws {
        let client = try await HomeClient(options)
        defer { client.close() }
        // Said before anybody types; the file is begun when they have, so that nothing is left of one who changes their mind.
        try AtomicFile.checkDoesNotExist(file)
        let passphrase =
            try passphraseDescriptor.map { number throws(CommandFailure) in try Passphrase.read(from: number) }
            ?? Passphrase.ask(isNew: true)
        let output = try AtomicFile(path: file)
        let made = try await client.call(HubMethods.makeBackup, CreateBackup(passphrase: passphrase))
        var length = 0
        while length < made.length {
            let piece = try await client.call(HubMethods.readBackup, ReadBackup(id: made.id, offset: length)).bytes
            guard !piece.isEmpty else { throw CommandFailure("cutShort", "The hub sent less than it had made.") }
            try output.write(piece)
            length += piece.count
        }
        try output.finish()
        if options.json {
            JSONLine(Done(file: file, length: length)).print()
        } else {
            ProgramOutput.line(
                "\(file) has everything, \(length) bytes. Keep it somewhere else, and the passphrase too."
            )
        }
    }
}
