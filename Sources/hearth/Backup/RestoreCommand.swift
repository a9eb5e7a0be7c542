import AgeFile
import ArgumentParser
import Foundation
import HomeModel
import HomeStore
import HubAPI

/// `hearth restore`: creates a data folder from a backup.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a backup into a new data folder.",
        discussion: """
            Restores a file from “hearth backup”, or a daily copy from a data folder's “copies” folder. The target \
            folder must not contain homes. First stop the old hub for good: two hubs of the same homes conflict, and \
            the old one stops when it detects the new one. After the restore, users other than the owner are suspended \
            until the owner confirms them (“hearth user confirm”), and app permissions are undecided again.

            Example: hearth restore home.age --data ~/.local/state/hearth
            """
    )

    /// The JSON output.
    private struct Done: Encodable {
        var data: String
        var homes: Int
        /// The number of suspended users in all homes.
        var suspended: Int
    }

    private static let pieceLength = 1 << 20
    /// The name of the decrypted backup while it is in the data folder.
    private static let openedName = "hearth.sqlite.unsealed"
    private static let databaseMark = Array("SQLite format 3\0".utf8)

    @Argument(help: "The backup.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The data folder to create.", valueName: "dir"), completion: .directory)
    var data: String

    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Read the passphrase from this file descriptor (default: prompt).", valueName: "n")
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
        // Fail before prompting.
        try HomeStore.checkIsVacant(folder, excluding: URL(filePath: file))
        let isPlain = try source.read(upToCount: Self.databaseMark.count).map { Array($0) } == Self.databaseMark
        try source.seek(toOffset: 0)
        let result: Done
        if isPlain {
            result = try await Self.restore(URL(filePath: file), to: folder)
        } else {
            let passphrase =
                try passphraseDescriptor.map { number throws(CommandFailure) in try Passphrase.read(from: number) }
                ?? Passphrase.ask()
            result = try await Self.restore(sealed: source, with: passphrase, by: opened, to: folder)
        }
        if json {
            JSONLine(result).print()
        } else {
            let homes = "\(result.homes) home\(result.homes == 1 ? "" : "s")"
            ProgramOutput.line("Restored \(homes) to \(folder.path). Start the hub with: hearth hub --data \(data)")
            if result.suspended > 0 {
                let users = result.suspended == 1 ? "1 user is" : "\(result.suspended) users are"
                ProgramOutput.line("\(users) suspended until you confirm them with: hearth user confirm NAME")
            }
        }
    }

    private static func open(_ path: String) throws(CommandFailure) -> FileHandle {
        do {
            return try FileHandle(forReadingFrom: URL(filePath: path))
        } catch {
            throw CommandFailure("fileUnreadable", "\(path) can't be read: \(error.localizedDescription)")
        }
    }

    /// Removes the decrypted backup that an interrupted restore left behind.
    private static func removeLeftovers(of opened: URL) {
        unlink(opened.path)
        AtomicFile.removeAbandoned(of: opened.lastPathComponent, in: opened.deletingLastPathComponent())
    }

    /// Decrypts a backup inside the data folder, which only its owner can read, and restores it.
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

    /// Creates the data folder.
    private static func restore(_ copy: URL, to folder: URL) async throws(StoreError) -> Done {
        let caller = Caller(user: UUID(), device: UUID(), app: HubProtocol.commandLineApp, client: UUID())
        let result = try await HomeStore.restore(copy, to: folder, by: caller, now: Date())
        return Done(data: folder.path, homes: result.homes, suspended: result.suspended)
    }
}

extension CommandFailure {
    /// Creates a failure from an error of decryption.
    fileprivate init(_ error: AgeError) {
        switch error {
        case .wrongPassphrase: self.init("wrongPassphrase", "The passphrase does not open this backup.")
        case .notAge: self.init("notABackup", "The file is not a backup of a hub.")
        case .noPassphrase: self.init("notABackup", "The file is encrypted for a key, not with a passphrase.")
        case .tooMuchWork: self.init("notABackup", "The file's scrypt work factor is too high.")
        case .damaged: self.init("backupDamaged", "The backup is damaged or was modified. Use another one.")
        case .truncated:
            self.init("backupDamaged", "The end of the backup is missing. Copy it again, or use another one.")
        }
    }
}
