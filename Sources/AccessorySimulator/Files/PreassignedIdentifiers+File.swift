internal import HAP
internal import HAPCatalog
internal import HAPServer

extension PreassignedIdentifiers {
    private typealias Key = AccessoryFileKey
    private static let separator: Character = "/"

    /// Reads the IDs in an accessory. Returns `nil` if there are none.
    init?(_ node: FileNode) throws(SimulatorError) {
        let (aid, iids, last) = (node.member(Key.aid), node.member(Key.iids), node.member(Key.lastIID))
        guard aid != nil || iids != nil || last != nil else { return nil }
        self.init(aid: try aid.map(Self.id), lastIID: try last.map(Self.id))
        var owners: [UInt64: String] = [:]
        for (name, node) in try iids?.members() ?? [] {
            let subject = try Self.subject(name, node)
            let iid = try Self.id(node)
            guard self.iids.updateValue(iid, forKey: subject) == nil else {
                throw node.error("this service or characteristic is listed twice")
            }
            if let owner = owners.updateValue(name, forKey: iid) {
                throw node.error("'\(owner)' already has the iid \(iid); give each a different iid")
            }
        }
    }

    private static func id(_ node: FileNode) throws(SimulatorError) -> UInt64 {
        guard let id = node.value.unsignedInteger, id > 0 else { throw node.error("expected an ID of at least 1") }
        return id
    }

    private static func subject(_ name: String, _ node: FileNode) throws(SimulatorError) -> Subject {
        guard let slash = name.firstIndex(of: separator) else { return Subject(service: name) }
        let text = String(name[name.index(after: slash)...])
        guard let type = CharacteristicDefinition.named(text)?.type ?? HAPType(uuidText: text) else {
            throw node.error("'\(text)' is neither a characteristic of the catalog nor a UUID")
        }
        return Subject(service: String(name[..<slash]), characteristic: type)
    }

    /// Writes the members with the IDs.
    func write(to writer: inout JSONWriter) {
        if let aid { writer.member(Key.aid, aid) }
        if let lastIID { writer.member(Key.lastIID, lastIID) }
        guard !iids.isEmpty else { return }
        writer.key(Key.iids)
        writer.object { writer in
            for (subject, iid) in iids.sorted(by: { $0.value < $1.value }) {
                let suffix = subject.characteristic.map { "\(Self.separator)\($0.characteristicFileName)" }
                writer.member(subject.service + (suffix ?? ""), iid)
            }
        }
    }
}
