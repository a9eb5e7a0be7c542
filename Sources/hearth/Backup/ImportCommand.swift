import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth import`: homes from what `hearth export` printed.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take over what an export says: rooms, names, scenes, automations …",
        discussion: """
            What is in both becomes as the export says, what is only in the hub stays, and a home that is not there is made. \
            Accessories are those that are paired: the export has no keys. They are found by identity, serial number, device \
            id, or name and room. People are not imported. All of it is done, or nothing.

            Example: hearth import home.jsonl --dry-run
            """
    )

    @Argument(help: "The export; “-” reads standard input.", completion: .file())
    var file: String

    @Flag(help: "Tell what would be done, and do nothing.")
    var dryRun = false

    @OptionGroup var options: ClientOptions

    /// How much is read and sent at a time.
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
        do {
            return try FileHandle(forReadingFrom: URL(filePath: path))
        } catch {
            throw CommandFailure("fileUnreadable", "\(path) cannot be read: \(error.localizedDescription)")
        }
    }

    private static func piece(of source: FileHandle, _ path: String) throws(CommandFailure) -> Data? {
        do {
            return try source.read(upToCount: pieceLength)
        } catch {
            throw CommandFailure("fileUnreadable", "\(path) cannot be read: \(error.localizedDescription)")
        }
    }
}
