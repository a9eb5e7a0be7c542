import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth import`: imports homes from the output of `hearth export`.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import rooms, scenes and automations from an export.",
        discussion: """
            Objects in both the export and the hub change to match the export. Objects only in the hub stay, and \
            missing homes are added. An export contains no keys, so accessories must be paired already; they are \
            matched by ID, serial number, device ID, or name and room. Users aren't imported. If the import fails, \
            nothing changes.

            Example: hearth import home.jsonl --dry-run
            """
    )

    @Argument(help: "The export, or “-” for standard input.", completion: .file())
    var file: String

    @Flag(help: "Show the changes without making them.")
    var dryRun = false

    @OptionGroup var options: ClientOptions

    /// The number of bytes read and sent at a time.
    private static let pieceLength = 1 << 19

    func run() async throws {
        let source = try Self.open(file)
        let client = try await HomeClient(options)
        defer { client.close() }
        let id = UUID()
        var offset = 0
        while let bytes = try Self.piece(of: source, file), !bytes.isEmpty {
            let piece = WriteImport(id: id, offset: offset, bytes: bytes)
            _ = try await client.call(HubMethods.writeImport, piece)
            offset += bytes.count
        }
        guard offset > 0 else { throw CommandFailure("notAnExport", "\(file) is empty.") }
        let parameters = ImportHomes(id: id, home: options.home, isDryRun: dryRun)
        let report = try await client.call(HubMethods.importHomes, parameters)
        if options.json {
            JSONLine(report).print()
        } else {
            ImportReportText(report, isDryRun: dryRun).print()
        }
    }

    private static func open(_ path: String) throws(CommandFailure) -> FileHandle {
        if path == "-" { return .standardInput }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            let advice =
                "Name a file that “hearth export” wrote. For a hub's data folder or a backup, see “hearth restore”."
            throw CommandFailure("fileUnreadable", "\(path) is a folder. \(advice)")
        }
        do {
            return try FileHandle(forReadingFrom: URL(filePath: path))
        } catch {
            throw CommandFailure("fileUnreadable", "\(path) can't be read: \(error.localizedDescription)")
        }
    }

    private static func piece(of source: FileHandle, _ path: String) throws(CommandFailure) -> Data? {
        do {
            return try source.read(upToCount: pieceLength)
        } catch {
            throw CommandFailure("fileUnreadable", "\(path) can't be read: \(error.localizedDescription)")
        }
    }
}
