public import Foundation

/// The Python interpreter with the third-party implementations for tests, and the scripts that drive them.
public enum PeerPython {
    /// The environment variable with the path of another interpreter.
    public static let variable = "HEARTH_PEERS_PYTHON"

    /// Starts one of the scripts in `Tests/Peers`.
    ///
    /// - Throws: ``PeerProcessError`` if there is no interpreter. The test then fails, because it has tested nothing.
    public static func start(_ script: String, _ arguments: [String] = []) throws -> PeerProcess {
        let root = try packageRoot()
        let file = root.appending(path: "Tests/Peers/\(script)")
        return try PeerProcess(
            interpreter(),
            [file.path] + arguments,
            environment: ["PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"]
        )
    }

    /// The path of the interpreter: the one in ``variable``, or `.build/peers/bin/python` in the package.
    ///
    /// - Throws: ``PeerProcessError`` if there is none.
    public static func interpreter() throws -> URL {
        let named = ProcessInfo.processInfo.environment[variable]
        let path = try named ?? packageRoot().appending(path: ".build/peers/bin/python").path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw PeerProcessError(
                "there is no Python with peers at \(path). Create a virtual environment there and install "
                    + "Tests/Peers/requirements.txt into it, or name another interpreter in \(variable)"
            )
        }
        return URL(filePath: path)
    }

    /// Returns the folder above a source file that contains the package's manifest.
    public static func packageRoot(above file: String = #filePath) throws -> URL {
        var folder = URL(filePath: file).deletingLastPathComponent()
        while folder.path != "/" {
            if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) { return folder }
            folder.deleteLastPathComponent()
        }
        throw PeerProcessError("no folder above \(file) contains a Package.swift")
    }
}
