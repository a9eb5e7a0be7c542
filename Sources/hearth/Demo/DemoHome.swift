import Foundation

/// The contents of the demo home, decoded from `home.json`.
struct DemoHome: Decodable, Sendable {
    var home: String
    /// The rooms, in order.
    var rooms: [String]
    /// The rooms of each zone, by the zone's name.
    var zones: [String: [String]]
    /// The accessory files, in the folder of `home.json`.
    var files: [String]
    /// The room of each accessory, by the accessory's name.
    var placement: [String: String]
    /// The home's place, scenes and automations; `nil` for none.
    var automations: DemoAutomations?
}

extension DemoHome {
    /// Reads `home.json` from a folder.
    ///
    /// - Throws: ``CommandFailure`` if the file can't be read or is invalid; the reason names the file.
    static func read(from folder: URL) throws(CommandFailure) -> DemoHome {
        let file = folder.appending(path: "home.json")
        do {
            return try JSONDecoder().decode(DemoHome.self, from: Data(contentsOf: file))
        } catch let error as DecodingError {
            throw CommandFailure("invalidFile", "\(file.path) is invalid: \(error)")
        } catch {
            throw CommandFailure("unreadableFile", "\(file.path) can't be read: \(error.localizedDescription)")
        }
    }

    /// Returns the folder of the demo home's files: the given one, otherwise `Examples/DemoHome` in the current folder
    /// or in a parent of the executable's folder.
    static func folder(given path: String?) throws(CommandFailure) -> URL {
        if let path { return URL(filePath: path, directoryHint: .isDirectory) }
        var parents = [URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)]
        var above = Bundle.main.bundleURL.resolvingSymlinksInPath()
        while above.path != "/" {
            parents.append(above)
            above.deleteLastPathComponent()
        }
        let folders = parents.map { $0.appending(path: "Examples/DemoHome", directoryHint: .isDirectory) }
        let found = folders.first {
            FileManager.default.fileExists(atPath: $0.appending(path: "home.json").path)
        }
        guard let found else {
            throw CommandFailure("unreadableFile", "The demo home's files weren't found. Use --files.")
        }
        return found
    }
}
