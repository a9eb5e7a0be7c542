internal import HAP
internal import HAPCatalog

/// A value in an accessory file that knows where it stands, so that whatever is wrong with it can be named.
struct FileNode: Sendable {
    let value: JSONValue
    private let path: FilePath
    private let file: FileText

    /// Parses a file's text.
    init(parsing file: FileText) throws(SimulatorError) {
        do {
            value = try JSONValue(parsing: file.bytes)
        } catch {
            let line = FilePosition.line(at: error.offset, in: file.bytes)
            throw file.error(line: line, "no JSON, \(error.reason.rawValue)")
        }
        path = FilePath()
        self.file = file
    }

    private init(_ value: JSONValue, _ path: FilePath, _ file: FileText) {
        self.value = value
        self.path = path
        self.file = file
    }

    /// The line of the value, counted from 1.
    var line: Int { FilePosition.line(of: path, in: file.bytes) }

    /// The error for something whose place the reason names.
    func refusal(_ reason: String) -> SimulatorError {
        file.refusal(reason)
    }

    /// The error for something that is wrong with the value.
    func error(_ reason: String) -> SimulatorError {
        file.error(line: line, path.steps.isEmpty ? reason : "\(path): \(reason)")
    }
}

/// The text of a file, or of a request.
struct FileText: Sendable {
    /// The file's name, for errors; `nil` for a request.
    private let name: String?
    let bytes: [UInt8]

    /// Takes the text of a file.
    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// Takes the parameters of a request of the control, where errors name no line.
    init(request bytes: [UInt8]) {
        name = nil
        self.bytes = bytes
    }

    /// The error for something whose place the reason names.
    func refusal(_ reason: String) -> SimulatorError {
        SimulatorError(name == nil ? .invalidRequest : .invalidFile, reason: reason)
    }

    /// The error for something that is wrong in a line.
    func error(line: Int, _ reason: String) -> SimulatorError {
        guard let name else { return SimulatorError(.invalidRequest, reason: "The request: \(reason)") }
        return SimulatorError(.invalidFile, reason: "\(name), line \(line): \(reason)")
    }
}

// MARK: Members and elements

extension FileNode {
    /// The value of a member, `nil` if there is none.
    func member(_ name: String) -> FileNode? {
        value.object?[name].map { FileNode($0, path.appending(.member(name)), file) }
    }

    /// The value of a member that has to be there.
    func required(_ name: String) throws(SimulatorError) -> FileNode {
        guard let node = member(name) else { throw error("'\(name)' is missing") }
        return node
    }

    /// The members, which are all among some keys, or any if none are given.
    func members(_ keys: [String]? = nil) throws(SimulatorError) -> [(name: String, node: FileNode)] {
        guard let object = value.object else { throw error("an object was expected") }
        let members = object.map { ($0.name, FileNode($0.value, path.appending(.member($0.name)), file)) }
        if let keys, let (name, node) = members.first(where: { !keys.contains($0.0) }) {
            throw node.error("'\(name)' is unknown here; known are \(keys.joined(separator: ", "))")
        }
        return members
    }

    /// The elements of an array.
    func elements() throws(SimulatorError) -> [FileNode] {
        guard let array = value.array else { throw error("an array was expected") }
        return array.enumerated().map { FileNode($1, path.appending(.element($0)), file) }
    }
}

// MARK: Values

extension FileNode {
    var isNull: Bool { value == .null }

    func string() throws(SimulatorError) -> String {
        guard let string = value.string else { throw error("a string was expected") }
        return string
    }

    func flag() throws(SimulatorError) -> Bool {
        guard case .bool(let flag) = value else { throw error("true or false was expected") }
        return flag
    }

    func integer() throws(SimulatorError) -> Int64 {
        guard let integer = value.integer else { throw error("an integer was expected") }
        return integer
    }

    /// A length in bytes.
    func length() throws(SimulatorError) -> Int {
        guard let length = Int(exactly: try integer()), length >= 0 else { throw error("a length was expected") }
        return length
    }

    /// A value of a characteristic, whatever its format.
    func characteristicValue() throws(SimulatorError) -> CharacteristicValue {
        switch value {
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .double(let value): return .double(value)
        case .string(let text): return .string(text)
        case .null, .array, .object: throw error("a value was expected")
        }
    }

    /// A text that some type reads.
    func parsed<Value>(_ what: String, _ read: (String) -> Value?) throws(SimulatorError) -> Value {
        let text = try string()
        guard let value = read(text) else { throw error("'\(text)' is no \(what)") }
        return value
    }
}
