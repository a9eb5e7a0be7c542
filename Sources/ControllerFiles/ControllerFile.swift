package import HAP

/// The pairings in another controller's file. Three formats are supported:
///
/// - The pairing file of aiohomekit and its predecessor homekit_python: an object with a pairing for each alias. Home
///   Assistant used it from 0.85 until it introduced config entries (`.homekit/pairing.json`).
/// - Home Assistant's `.storage/core.config_entries`, with pairings since 0.94: the entries of the domain
///   `homekit_controller`.
/// - A file with one pairing, as Home Assistant wrote up to 0.84 (`.homekit/hk-…`).
package struct ControllerFile: Hashable, Sendable {
    /// An entry of the file that describes an accessory.
    package struct Entry: Hashable, Sendable {
        /// The other controller's name for the accessory, which may be any string.
        package let name: String
        /// The accessory's device ID, if the entry has one.
        package let deviceID: DeviceID?
        /// The pairing, or the reason why it is unusable.
        package let pairing: Result<ExternalPairing, ExternalPairingError>
    }

    /// The maximum length of a file in bytes.
    package static let maximumLength = 16 << 20
    /// The maximum number of pairings in a file.
    package static let maximumPairings = 1_000

    /// The entries, in the order of the file.
    package let entries: [Entry]

    /// Parses the content of a file.
    ///
    /// - Throws: ``ControllerFileError`` if the file as a whole is unusable. The error of a single entry is in
    ///   ``Entry/pairing``.
    package init(reading bytes: [UInt8]) throws(ControllerFileError) {
        guard bytes.count <= Self.maximumLength else { throw .tooLong }
        let root: JSONValue
        do throws(JSONError) {
            // aiohomekit accepts trailing commas too.
            root = try JSONValue(parsing: bytes, allowingTrailingCommas: true)
        } catch {
            throw .notJSON(error)
        }
        guard let object = root.object else { throw .unknownFormat }
        let found = try Self.pairings(in: object)
        guard !found.isEmpty else { throw .noPairings }
        guard found.count <= Self.maximumPairings else { throw .tooManyPairings(found.count) }
        entries = found.map(Entry.init)
    }

    /// Returns a name from the file without characters that could affect a terminal.
    private static func sanitized(_ name: String) -> String {
        String(name.prefix(80).filter { $0.isLetter || $0.isNumber || "._-".contains($0) })
    }

    /// Returns the pairings with their names, not parsed yet.
    private static func pairings(
        in object: JSONObject
    ) throws(ControllerFileError) -> [(name: String, value: JSONValue)] {
        if let store = object[ControllerFileKey.storeName]?.string, object[ControllerFileKey.storeContent] != nil {
            guard store == ControllerFileKey.configEntries else { throw .unsupportedStore(Self.sanitized(store)) }
            let content = object[ControllerFileKey.storeContent]?.object
            guard let entries = content?[ControllerFileKey.entries]?.array else { throw .unknownFormat }
            return entries.compactMap(\.object).compactMap(configEntry)
        }
        if object[ControllerFileKey.deviceID] != nil {
            return [(object[ControllerFileKey.deviceID]?.string ?? "", .object(object))]
        }
        let isController =
            object.allSatisfy { $0.value.object != nil }
            && (object.isEmpty || object.contains { $0.value.object?[ControllerFileKey.deviceID] != nil })
        guard isController else { throw .unknownFormat }
        return object.map { ($0.name, $0.value) }
    }

    private static func configEntry(_ entry: JSONObject) -> (name: String, value: JSONValue)? {
        guard entry[ControllerFileKey.domain]?.string == ControllerFileKey.controllerDomain,
            entry[ControllerFileKey.source]?.string != ControllerFileKey.ignored
        else { return nil }
        return (entry[ControllerFileKey.title]?.string ?? "", entry[ControllerFileKey.storeContent] ?? .null)
    }
}

extension ControllerFile.Entry {
    /// Parses an entry.
    fileprivate init(name: String, value: JSONValue) {
        self.name = name
        deviceID = value.object?[ControllerFileKey.deviceID]?.string.flatMap { DeviceID($0) }
        pairing = Result { () throws(ExternalPairingError) in
            guard let object = value.object else { throw .notAnObject }
            return try ExternalPairing(object)
        }
    }
}

extension ExternalPairing {
    /// Parses a pairing.
    fileprivate init(_ object: JSONObject) throws(ExternalPairingError) {
        func text(_ name: String) throws(ExternalPairingError) -> String {
            guard let value = object[name] else { throw .missing(name) }
            guard let text = value.string else { throw .malformed(name) }
            return text
        }
        func read<Value>(_ name: String, _ make: (String) -> Value?) throws(ExternalPairingError) -> Value {
            guard let value = make(try text(name)) else { throw .malformed(name) }
            return value
        }
        func key(_ text: String) -> LongTermPublicKey? { Hexadecimal.bytes(text).flatMap { LongTermPublicKey($0) } }

        let transport =
            object[ControllerFileKey.transport] == nil
            ? ControllerFileKey.ip
            : try text(ControllerFileKey.transport)
        guard transport == ControllerFileKey.ip else { throw .transport(transport) }
        let keyPair = try read(ControllerFileKey.controllerSecret) { text in
            Hexadecimal.bytes(text).flatMap { LongTermKeyPair(seed: $0) }
        }
        if object[ControllerFileKey.controllerPublicKey] != nil {
            let publicKey = try read(ControllerFileKey.controllerPublicKey, key)
            guard publicKey == keyPair.publicKey else { throw .keysDiffer }
        }
        self.init(
            deviceID: try read(ControllerFileKey.deviceID) { DeviceID($0) },
            accessoryPublicKey: try read(ControllerFileKey.accessoryPublicKey, key),
            controllerIdentity: ControllerIdentity(
                pairingID: try read(ControllerFileKey.controllerID) { PairingID($0) },
                keyPair: keyPair
            ),
            hosts: Self.hosts(object),
            port: Self.port(object[ControllerFileKey.port])
        )
    }

    /// Returns the hosts without duplicates. They are only hints, so invalid ones are skipped.
    private static func hosts(_ object: JSONObject) -> [String] {
        let listed = object[ControllerFileKey.hosts]?.array ?? []
        let all = listed + [object[ControllerFileKey.host]].compactMap(\.self)
        var seen: Set<String> = []
        return all.compactMap(\.string).filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    private static func port(_ value: JSONValue?) -> Int? {
        let number = value?.integer.map(Int.init) ?? value?.string.flatMap { Int($0) }
        return number.flatMap { (1...Int(UInt16.max)).contains($0) ? $0 : nil }
    }
}
