internal import HAP
internal import HAPCatalog
internal import HAPServer

extension PreassignedIdentifiers {
    private typealias Key = AccessoryFileKey
    private static let separator: Character = "/"

    /// Reads the ids that an accessory of a file states; `nil` if it states none.
    init?(_ node: FileNode) throws(SimulatorError) {
        let (aid, iids, last) = (node.member(Key.aid), node.member(Key.iids), node.member(Key.lastIID))
        guard aid != nil || iids != nil || last != nil else { return nil }
        self.init(aid: try aid.map(Self.id), lastIID: try last.map(Self.id))
        var owners: [UInt64: String] = [:]
        for (name, node) in try iids?.members() ?? [] {
            let subject = try Self.subject(name, node)
            let iid = try Self.id(node)
            guard self.iids.updateValue(iid, forKey: subject) == nil else {
                throw node.error("the same is named twice")
            }
            if let owner = owners.updateValue(name, forKey: iid) {
                throw node.error("'\(owner)' has the iid \(iid) already; give each its own")
            }
        }
    }

    private static func id(_ node: FileNode) throws(SimulatorError) -> UInt64 {
        guard let id = node.value.unsignedInteger, id > 0 else { throw node.error("an id from 1 on was expected") }
        return id
    }

    private static func subject(_ name: String, _ node: FileNode) throws(SimulatorError) -> Subject {
        guard let slash = name.firstIndex(of: separator) else { return Subject(service: name) }
        let text = String(name[name.index(after: slash)...])
        guard let type = CharacteristicDefinition.named(text)?.type ?? HAPType(uuidText: text) else {
            throw node.error("'\(text)' is neither a characteristic of the catalogue nor a UUID")
        }
        return Subject(service: String(name[..<slash]), characteristic: type)
    }

    /// Writes the members that state the ids.
    func write(to writer: inout JSONWriter) {
        if let aid { writer.member(Key.aid, aid) }
        if let lastIID { writer.member(Key.lastIID, lastIID) }
        guard !iids.isEmpty else { return }
        writer.key(Key.iids)
        writer.object { writer in
            for (subject, iid) in iids.sorted(by: { $0.value < $1.value }) {
                let name = subject.characteristic.map { "\(subject.service)\(Self.separator)\($0.fileName)" }
                writer.member(name ?? subject.service, iid)
            }
        }
    }
}

extension HAPType {
    /// How files name a characteristic or service: by the catalogue's name, else by the full UUID.
    var fileName: String {
        CharacteristicDefinition.of(self)?.identifier ?? ServiceDefinition.of(self)?.identifier ?? longForm
    }
}
