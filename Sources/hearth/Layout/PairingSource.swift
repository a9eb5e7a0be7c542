import ControllerFiles
import Foundation

/// Where the pairings of another controller are read from: a file, a folder of Home Assistant's, or standard input.
struct PairingSource {
    /// What stands for standard input.
    static let standardInput = "-"
    /// Where the file is in the folders that people may name: Home Assistant's store, its configuration, and the folder of
    /// its first years.
    private static let places = [
        "core.config_entries", ".storage/core.config_entries", "pairing.json", ".homekit/pairing.json",
    ]

    /// Reads what a path names. Says so when others can read the file, for it has keys in it.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be read, or has no pairings.
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
            let name = path == standardInput ? "What was read" : path
            throw CommandFailure("notImportable", "\(name) cannot be imported. \(error)")
        }
    }

    /// Reads how Home Assistant calls the accessories and where it has them, from the files beside its pairings.
    ///
    /// - Throws: ``CommandFailure`` when there is no such file, or it cannot be read.
    static func registry(_ path: String) throws(CommandFailure) -> HomeAssistantRegistry {
        guard path != standardInput else {
            throw CommandFailure("notFound", "--areas needs Home Assistant's folder .storage, and not standard input.")
        }
        let folder = URL(filePath: try file(path)).deletingLastPathComponent()
        let devices = try contents(of: folder.appending(path: "core.device_registry").path)
        let areas = try contents(of: folder.appending(path: "core.area_registry").path)
        do throws(ControllerFileError) {
            return try HomeAssistantRegistry(devices: devices, areas: areas)
        } catch {
            throw CommandFailure("notImportable", "The areas in \(folder.path) cannot be read. \(error)")
        }
    }

    private static func file(_ path: String) throws(CommandFailure) -> String {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return path
        }
        let files = places.map { URL(filePath: path).appending(path: $0).path }
        guard let file = files.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw CommandFailure("notFound", "There is neither core.config_entries nor pairing.json in \(path).")
        }
        return file
    }

    private static func contents(of path: String, isSecret: Bool = false) throws(CommandFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        var status = stat()
        if isSecret, fstat(descriptor, &status) == 0, status.st_mode & (S_IRGRP | S_IROTH) != 0 {
            ProgramOutput.note("warning: Others can read \(path), which has keys in it. Better: chmod 600 \(path)")
        }
        return try contents(of: descriptor, path)
    }

    /// Reads to the end, or until it is too long for a file with pairings.
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
        CommandFailure("fileUnreadable", "\(path) cannot be read: \(String(cString: strerror(errno))).")
    }
}
