import ControllerFiles
import Foundation

/// Reads another controller's pairings from a file, from Home Assistant's folder, or from standard input.
struct PairingSource {
    /// The path that stands for standard input.
    static let standardInput = "-"
    /// The file's location in the folders that a user may name: Home Assistant's store, its configuration folder, and
    /// the folder of its early versions.
    private static let fileNames = [
        "core.config_entries", ".storage/core.config_entries", "pairing.json", ".homekit/pairing.json",
    ]

    /// Reads the file at a path. Warns if other users can read the file, because it contains keys.
    ///
    /// - Throws: ``CommandFailure`` if the file can't be read or contains no pairings.
    static func read(_ path: String) throws(CommandFailure) -> ControllerFile {
        let bytes: [UInt8]
        if path == standardInput {
            bytes = try contents(of: STDIN_FILENO, path)
        } else {
            bytes = try contents(of: try file(path), isSecret: true)
        }
        do throws(ControllerFileError) {
            return try ControllerFile(reading: bytes)
        } catch {
            let name = path == standardInput ? "The input" : path
            throw CommandFailure("notImportable", "\(name) can't be imported. \(error)")
        }
    }

    /// Reads Home Assistant's names and areas of accessories, from the files next to its pairings.
    ///
    /// - Throws: ``CommandFailure`` if a file is missing or can't be read.
    static func registry(_ path: String) throws(CommandFailure) -> HomeAssistantRegistry {
        guard path != standardInput else {
            throw CommandFailure("notFound", "--areas needs Home Assistant's .storage folder, not “-”.")
        }
        let folder = URL(filePath: try file(path)).deletingLastPathComponent()
        let devices = try contents(of: folder.appending(path: "core.device_registry").path)
        let areas = try contents(of: folder.appending(path: "core.area_registry").path)
        do throws(ControllerFileError) {
            return try HomeAssistantRegistry(devices: devices, areas: areas)
        } catch {
            throw CommandFailure("notImportable", "The areas in \(folder.path) can't be read. \(error)")
        }
    }

    private static func file(_ path: String) throws(CommandFailure) -> String {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return path
        }
        let files = fileNames.map { URL(filePath: path).appending(path: $0).path }
        guard let file = files.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw CommandFailure("notFound", "\(path) contains neither core.config_entries nor pairing.json.")
        }
        return file
    }

    private static func contents(of path: String, isSecret: Bool = false) throws(CommandFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        var status = stat()
        if isSecret, fstat(descriptor, &status) == 0, status.st_mode & (S_IRGRP | S_IROTH) != 0 {
            ProgramOutput.note("warning: Other users can read \(path), which contains keys. Run: chmod 600 \(path)")
        }
        return try contents(of: descriptor, path)
    }

    /// Reads to the end, or until the input is too long to be a pairing file.
    private static func contents(of descriptor: Int32, _ path: String) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= ControllerFile.maximumLength {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    private static func unreadable(_ path: String) -> CommandFailure {
        CommandFailure("fileUnreadable", "\(path) can't be read: \(String(cString: strerror(errno))).")
    }
}
