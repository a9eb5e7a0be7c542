import Foundation

/// The layout of the demo home, as `home.json` in its folder describes it.
struct DemoHome: Decodable, Sendable {
    /// The home's name.
    var home: String
    /// The rooms in their order.
    var rooms: [String]
    /// The rooms of each zone.
    var zones: [String: [String]]
    /// The accessory files, beside `home.json`.
    var files: [String]
    /// The room of each accessory, by the accessory's name.
    var placement: [String: String]
}

extension DemoHome {
    /// Reads the layout from a folder.
    ///
    /// - Throws: ``CommandFailure`` that names the file and what is wrong with it.
    static func read(from folder: URL) throws(CommandFailure) -> DemoHome {
        let file = folder.appending(path: "home.json")
        do {
            return try JSONDecoder().decode(DemoHome.self, from: Data(contentsOf: file))
        } catch let error as DecodingError {
            throw CommandFailure("invalidFile", "\(file.path) is not a description of a home: \(error)")
        } catch {
            throw CommandFailure("unreadableFile", "\(file.path) cannot be read: \(error.localizedDescription)")
        }
    }

    /// The folder of the demo home's files: the one given, else `Examples/DemoHome` in the working folder or beside one
    /// of the folders that the executable is in.
    static func folder(given path: String?) throws(CommandFailure) -> URL {
        if let path { return URL(filePath: path, directoryHint: .isDirectory) }
        var places = [URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)]
        var above = Bundle.main.bundleURL.resolvingSymlinksInPath()
        while above.path != "/" {
            places.append(above)
            above.deleteLastPathComponent()
        }
        let folders = places.map { $0.appending(path: "Examples/DemoHome", directoryHint: .isDirectory) }
        let found = folders.first {
            FileManager.default.fileExists(atPath: $0.appending(path: "home.json").path)
        }
        guard let found else {
            throw CommandFailure("unreadableFile", "The demo home's files were not found; say where with --files.")
        }
        return found
    }
}
