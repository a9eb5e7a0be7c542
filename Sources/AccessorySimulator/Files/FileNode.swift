internal import HAP
internal import HAPCatalog

/// A value in an accessory file, with its position for error messages.
struct FileNode: Sendable {
    let value: JSONValue
    private let path: FilePath
    private let file: FileText

    /// Parses a file.
    init(parsing file: FileText) throws(SimulatorError) {
        do {
            value = try JSONValue(parsing: file.bytes)
        } catch {
            let line = FilePosition.line(at: error.offset, in: file.bytes)
            throw file.error(line: line, "invalid JSON: \(error.reason.rawValue)")
        }
        path = FilePath()
        self.file = file
    }

    private init(_ value: JSONValue, _ path: FilePath, _ file: FileText) {
        self.value = value
        self.path = path
        self.file = file
    }

    /// The line of the value, starting from 1.
    var line: Int { FilePosition.line(of: path, in: file.bytes) }

    /// Creates an error whose reason names the location.
    func refusal(_ reason: String) -> SimulatorError {
        file.refusal(reason)
    }

    /// Creates an error about the value.
    func error(_ reason: String) -> SimulatorError {
        file.error(line: line, path.steps.isEmpty ? reason : "\(path): \(reason)")
    }
}

/// The text of a file or a request.
struct FileText: Sendable {
    /// The file's name, for errors; `nil` for a request.
    private let name: String?
    let bytes: [UInt8]

    /// Creates the text of a file.
    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// Creates the text of a control request's parameters. Its errors don't name lines.
    init(request bytes: [UInt8]) {
        name = nil
        self.bytes = bytes
    }

    /// Creates an error whose reason names the location.
    func refusal(_ reason: String) -> SimulatorError {
        SimulatorError(name == nil ? .invalidRequest : .invalidFile, reason: reason)
    }

    /// Creates an error about a line.
    func error(line: Int, _ reason: String) -> SimulatorError {
        guard let name else { return SimulatorError(.invalidRequest, reason: "Invalid request: \(reason)") }
        return SimulatorError(.invalidFile, reason: "\(name), line \(line): \(reason)")
    }
}

// MARK: Members and elements

extension FileNode {
    /// Returns the value of a member, or `nil` if it is missing.
    func member(_ name: String) -> FileNode? {
        value.object?[name].map { FileNode($0, path.appending(.member(name)), file) }
    }

    /// Returns the value of a required member.
    func required(_ name: String) throws(SimulatorError) -> FileNode {
        guard let node = member(name) else { throw error("'\(name)' is missing") }
        return node
    }

    /// Returns the members. If keys are given, throws if another key is present.
    func members(_ keys: [String]? = nil) throws(SimulatorError) -> [(name: String, node: FileNode)] {
        guard let object = value.object else { throw error("expected an object") }
        let members = object.map { ($0.name, FileNode($0.value, path.appending(.member($0.name)), file)) }
        if let keys, let (name, node) = members.first(where: { !keys.contains($0.0) }) {
            throw node.error("unknown key '\(name)'; use \(keys.joined(separator: ", "))")
        }
        return members
    }

    /// Returns the elements of an array.
    func elements() throws(SimulatorError) -> [FileNode] {
        guard let array = value.array else { throw error("expected an array") }
        return array.enumerated().map { FileNode($1, path.appending(.element($0)), file) }
    }
}

// MARK: Values

extension FileNode {
    var isNull: Bool { value == .null }

    func string() throws(SimulatorError) -> String {
        guard let string = value.string else { throw error("expected a string") }
        return string
    }

    func flag() throws(SimulatorError) -> Bool {
        guard case .bool(let flag) = value else { throw error("expected true or false") }
        return flag
    }

    func integer() throws(SimulatorError) -> Int64 {
        guard let integer = value.integer else { throw error("expected an integer") }
        return integer
    }

    /// A length in bytes.
    func length() throws(SimulatorError) -> Int {
        guard let length = Int(exactly: try integer()), length >= 0 else { throw error("expected a length") }
        return length
    }

    /// Returns the value of a characteristic of any format.
    func characteristicValue() throws(SimulatorError) -> CharacteristicValue {
        switch value {
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .double(let value): return .double(value)
        case .string(let text): return .string(text)
        case .null, .array, .object: throw error("expected a value")
        }
    }

    /// Parses a string as another type.
    func parsed<Value>(_ kind: String, _ read: (String) -> Value?) throws(SimulatorError) -> Value {
        let text = try string()
        guard let value = read(text) else { throw error("'\(text)' is not a \(kind)") }
        return value
    }
}
