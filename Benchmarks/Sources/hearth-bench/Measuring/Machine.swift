import Foundation

/// The machine of a run.
struct Machine: Encodable, CustomStringConvertible {
    var processor: String
    var cores: Int
    var kernel: String
    var swift: String
    var python: String
    var load: String

    /// - Parameter python: The interpreter of the peers.
    init(python interpreter: URL) {
        let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = information.split(separator: "\n").first { $0.hasPrefix("model name") }
        processor = model?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown"
        cores = ProcessInfo.processInfo.activeProcessorCount
        kernel = Self.output("/bin/uname", ["-sr"])
        swift = Self.output("/usr/bin/env", ["swift", "--version"])
        let script =
            "import pyhap.const, platform; print(pyhap.const.__version__, 'on Python', platform.python_version())"
        python = "HAP-python " + Self.output(interpreter.path, ["-c", script])
        let average = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
        load = average.split(separator: " ").prefix(3).joined(separator: " ")
    }

    var description: String {
        "\(processor), \(cores) cores, \(kernel); \(swift); \(python); load before \(load)"
    }

    /// Returns the first line of a program's output.
    private static func output(_ program: String, _ arguments: [String]) -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "unknown" }
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").first.map(String.init) ?? "unknown"
    }
}
