/// An object of a keyed archive, with its path. References are followed one step at a time, because archives can
/// contain cycles.
struct ArchiveNode {
    private enum Key {
        static let archiver = "$archiver"
        static let expectedArchiver = "NSKeyedArchiver"
        static let objects = "$objects"
        static let top = "$top"
        static let root = "root"
        static let classReference = "$class"
        static let className = "$classname"
        static let null = "$null"
        static let arrayObjects = "NS.objects"
        static let dictionaryKeys = "NS.keys"
    }

    let value: PropertyList
    let path: String
    private let objects: [PropertyList]

    /// Reads an archive and returns its root.
    init(archive bytes: [UInt8], source: String) throws(SimulatorError) {
        let list: PropertyList
        do {
            list = try PropertyList(bytes)
        } catch {
            throw SimulatorError(.invalidFile, reason: "\(source): \(error.reason)")
        }
        guard let archive = list.dictionary, archive[Key.archiver] == .string(Key.expectedArchiver),
            let objects = archive[Key.objects]?.array, let root = archive[Key.top]?.dictionary?[Key.root]
        else { throw SimulatorError(.invalidFile, reason: "\(source): it is not a keyed archive") }
        self.init(root, path: source, objects)
    }

    private init(_ value: PropertyList, path: String, _ objects: [PropertyList]) {
        if case .reference(let index) = value, objects.indices.contains(index) {
            self.value = objects[index]
        } else {
            self.value = value
        }
        self.path = path
        self.objects = objects
    }

    /// Creates an error about this object.
    func error(_ reason: String) -> SimulatorError {
        SimulatorError(.invalidFile, reason: "\(path): \(reason)")
    }

    /// Whether the object is null.
    var isNull: Bool { value == .string(Key.null) }

    /// The name of the object's class, if it has one.
    var className: String? {
        guard let reference = value.dictionary?[Key.classReference] else { return nil }
        let description = ArchiveNode(reference, path: path, objects)
        if case .string(let name)? = description.value.dictionary?[Key.className] { return name }
        return nil
    }

    /// The names of the object's members, except its class.
    var keys: [String] { (value.dictionary?.keys.filter { $0 != Key.classReference } ?? []).sorted() }

    /// Returns a member, or `nil` if it is missing or null.
    func member(_ key: String) -> ArchiveNode? {
        guard let value = value.dictionary?[key] else { return nil }
        let node = ArchiveNode(value, path: "\(path).\(key)", objects)
        return node.isNull ? nil : node
    }

    /// Returns a required member.
    func required(_ key: String) throws(SimulatorError) -> ArchiveNode {
        guard let node = member(key) else { throw error("'\(key)' is missing") }
        return node
    }

    /// The elements of an archived array.
    func elements() throws(SimulatorError) -> [ArchiveNode] {
        guard let elements = value.dictionary?[Key.arrayObjects]?.array else { throw error("expected an array") }
        return elements.enumerated().map { ArchiveNode($1, path: "\(path)[\($0)]", objects) }
    }

    /// The keys and values of an archived dictionary.
    func members() throws(SimulatorError) -> [(key: ArchiveNode, value: ArchiveNode)] {
        guard let keys = value.dictionary?[Key.dictionaryKeys]?.array,
            let values = value.dictionary?[Key.arrayObjects]?.array, keys.count == values.count
        else { throw error("expected a dictionary") }
        return zip(keys, values).map { key, value in
            let key = ArchiveNode(key, path: path, objects)
            let name = if case .string(let name) = key.value { name } else { "\(key.value)" }
            return (key, ArchiveNode(value, path: "\(path).\(name)", objects))
        }
    }

    /// Returns the object as a string.
    func string() throws(SimulatorError) -> String {
        guard case .string(let text) = value, !isNull else { throw error("expected a string") }
        return text
    }

    /// Returns the object as data.
    func data() throws(SimulatorError) -> [UInt8] {
        guard case .data(let bytes) = value else { throw error("expected data") }
        return bytes
    }

    /// Returns the object as an integer. A Bool counts as 1 or 0.
    func integer() throws(SimulatorError) -> Int64 {
        switch value {
        case .integer(let number): return number
        case .bool(let flag): return flag ? 1 : 0
        default: throw error("expected an integer")
        }
    }
}
