import AgeFile
import ArgumentParser
import Foundation
import HomeModel
import HomeStore

/// `hearth restore`: a data folder from a backup.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a hub's data folder of a backup.",
        discussion: """
            The folder must not have homes in it yet; start a hub on it afterwards. Takes what “hearth backup” wrote, and the \
            copies in a data folder's “copies”. Stop the old hub first, for good: two hubs of one home confuse each other, and where \
            they hear each other the old one stops by itself. People other than the owner can do nothing until the owner \
            confirms them (“hearth user confirm”), and apps are asked about anew.

            Example: hearth restore home.age --data ~/.local/share/hearth
            """
    )

    /// What “done” tells.
    private struct Done: Encodable {
        var data: String
        var homes: Int
        /// How many people can do nothing until they are confirmed, all homes taken together.
        var suspended: Int
    }

    private static let pieceLength = 1 << 20
    /// The name that a sealed copy has in the data folder while it is open.
    private static let openedName = "hearth.sqlite.unsealed"
    private static let databaseMark = Array("SQLite format 3\0".utf8)

    @Argument(help: "The backup.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The data folder to make.", valueName: "dir"), completion: .directory)
    var data: String

    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Read the passphrase from this open file; otherwise it is asked for.", valueName: "n")
    )
    var passphraseDescriptor: Int32?

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let source = try Self.open(file)
        defer { try? source.close() }
        let folder = URL(filePath: data, directoryHint: .isDirectory)
        let opened = folder.appending(path: Self.openedName)
        Self.removeLeftovers(of: opened)
        // Said before anybody types.
        try HomeStore.checkIsVacant(folder, but: URL(filePath: file))
        let isPlain = try source.read(upToCount: Self.databaseMark.count).map { Array($0) } == Self.databaseMark
        try source.seek(toOffset: 0)
        let made: Done
        if isPlain {
            made = try await Self.restore(URL(filePath: file), to: folder)
        } else {
            let passphrase =
                try passphraseDescriptor.map { number throws(CommandFailure) in try Passphrase.read(from: number) }
                ?? Passphrase.ask(isNew: false)
            made = try await Self.restore(sealed: source, with: passphrase, by: opened, to: folder)
        }
        if json {
            JSONLine(made).print()
        } else {
            ProgramOutput.line(
                "\(folder.path) has \(made.homes) home\(made.homes == 1 ? "" : "s"). Start it: hearth hub --data \(data)"
            )
            if made.suspended > 0 {
                ProgramOutput.line(
                    "\(made.suspended) of their people can do nothing until you confirm them: hearth user confirm NAME"
                )
            }
        }
    }

    private static func open(_ path: String) throws(CommandFailure) -> FileHandle {
        do {
            return try FileHandle(forReadingFrom: URL(filePath: path))
        } catch {
            throw CommandFailure("fileUnreadable", "\(path) cannot be read: \(error.localizedDescription)")
        }
    }

    /// What a restoration that was cut short has left of an opened copy, which anybody who may read the file can read.
    private static func removeLeftovers(of opened: URL) {
        unlink(opened.path)
        AtomicFile.removeAbandoned(of: opened.lastPathComponent, in: opened.deletingLastPathComponent())
    }

    /// Opens a sealed copy in the data folder, where it is as closed to others as the homes will be, and restores it.
    private static func restore(
        sealed source: FileHandle,
        with passphrase: String,
        by opened: URL,
        to folder: URL
    ) async throws -> Done {
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { unlink(opened.path) }
        try unseal(source, with: passphrase, into: AtomicFile(path: opened.path))
        return try await restore(opened, to: folder)
    }

    private static func unseal(_ source: FileHandle, with passphrase: String, into output: consuming AtomicFile) throws
    {
        var decryptor = AgeDecryptor(passphrase: passphrase)
        do {
            while let piece = try source.read(upToCount: pieceLength), !piece.isEmpty {
                try output.write(decryptor.update(piece))
            }
            try output.write(decryptor.finish())
        } catch let error as AgeError {
            throw CommandFailure(error)
        }
        try output.finish()
    }

    /// Makes the data folder.
    private static func restore(_ copy: URL, to folder: URL) async throws(StoreError) -> Done {
        let person = Caller(user: UUID(), device: UUID(), app: "hearth", client: UUID())
        let restoration = try await HomeStore.restore(copy, to: folder, by: person, now: Date())
        return Done(data: folder.path, homes: restoration.homes, suspended: restoration.suspended)
    }
}

extension CommandFailure {
    /// Why a backup cannot be opened.
    fileprivate init(_ error: AgeError) {
        switch error {
        case .wrongPassphrase: self.init("wrongPassphrase", "The passphrase does not open this backup.")
        case .notAge: self.init("notABackup", "The file is no backup of a hub.")
        case .noPassphrase: self.init("notABackup", "The file is sealed for somebody's key, not with a passphrase.")
        case .tooMuchWork: self.init("notABackup", "To try a passphrase on this file would cost too much memory.")
        case .damaged: self.init("backupDamaged", "The backup was changed since it was made. Use another one.")
        case .truncated:
            self.init("backupDamaged", "The end of the backup is missing. Copy it anew, or use another one.")
        }
    }
}
