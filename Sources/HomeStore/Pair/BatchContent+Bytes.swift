import Consensus
import Foundation
package import HomeModel

/// Content as bytes: a version, and the steps, each with its kind. An entry is in the form that the store keeps, without
/// the previous entry's hash.
extension BatchContent {
    /// The version of the bytes.
    private static let version: UInt8 = 1
    /// The lineage in the envelope of an entry whose log exists.
    fileprivate static let noLineage = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    fileprivate enum Kind: UInt8 {
        case append = 1
        case claim
        case complete
        case setStates
        case setSecrets
        case setMetadata
        case part
    }

    /// Returns bytes of content as parts.
    ///
    /// - Parameter size: The size of each part but the last, in bytes.
    package static func parts(of bytes: [UInt8], size: Int) -> [BatchContent] {
        stride(from: 0, to: bytes.count, by: size).map { start in
            let end = min(start + size, bytes.count)
            return BatchContent([.part(Array(bytes[start..<end]), isLast: end == bytes.count)])
        }
    }

    /// By how many bytes the content of a part is longer than the part.
    package static let partOverheadBytes = 64

    /// Returns the content as bytes.
    ///
    /// - Throws: ``HomeModel/EntryError`` if an entry can't be encoded.
    package func encoded() throws(EntryError) -> [UInt8] {
        var writer = FieldWriter(bytes: [Self.version])
        writer.add(steps.count)
        for step in steps { try writer.add(step) }
        return writer.bytes
    }

    /// Reads content.
    ///
    /// - Returns: `nil` if the bytes aren't content of this version.
    package init?(_ bytes: [UInt8]) {
        guard bytes.first == Self.version else { return nil }
        var reader = FieldReader(rest: bytes.dropFirst())
        guard let steps = reader.list({ $0.step() }), reader.rest.isEmpty else { return nil }
        self.steps = steps
    }
}

extension FieldWriter {
    fileprivate mutating func add(_ step: BatchContent.Step) throws(EntryError) {
        switch step {
        case .append(let drafts, let removed):
            add(BatchContent.Kind.append.rawValue)
            add(drafts.count)
            for draft in drafts { try add(draft) }
            add(removed.count)
            for log in removed { add(log.description) }
        case .claim(let claims, let values):
            add(BatchContent.Kind.claim.rawValue)
            add(claims.count)
            for claim in claims { add(claim) }
            add(values.count)
            for (index, states) in values {
                add(index)
                add(states)
            }
        case .complete(let claim, let states):
            add(BatchContent.Kind.complete.rawValue)
            add(claim)
            add(states)
        case .setStates(let states):
            add(BatchContent.Kind.setStates.rawValue)
            add(states)
        case .setSecrets(let secrets):
            add(BatchContent.Kind.setSecrets.rawValue)
            add(secrets.count)
            for (key, value) in secrets {
                add(key.kind.rawValue)
                add(key.log?.description)
                add(key.name)
                add(value)
            }
        case .setMetadata(let key, let value):
            add(BatchContent.Kind.setMetadata.rawValue)
            add(key.rawValue)
            add(value)
        case .part(let bytes, let isLast):
            add(BatchContent.Kind.part.rawValue)
            add(isLast)
            add(bytes)
        }
    }

    private mutating func add(_ item: BatchDraft) throws(EntryError) {
        let entry = Entry(
            item.draft,
            payload: item.payload,
            lineage: item.lineage ?? BatchContent.noLineage,
            revision: item.draft.expectedRevision + 1,
            previousHash: .none
        )
        add(try entry.encoded())
        add(item.draft.receipt != nil)
        guard let receipt = item.draft.receipt else { return }
        add(receipt.request.sender)
        add(receipt.request.app)
        add(receipt.request.key)
        add(receipt.digest)
        add(receipt.reply)
    }

    private mutating func add(_ claim: FiringClaim) {
        add(claim.home)
        add(claim.trigger)
        add(claim.occurrence)
        add(max(0, Int(claim.time.milliseconds)))
        add(claim.hub != nil)
        if let hub = claim.hub { add(hub) }
        add(claim.term)
    }

    private mutating func add(_ states: [StateKey: [UInt8]?]) {
        add(states.count)
        for (key, value) in states {
            add(key.kind.rawValue)
            add(key.home)
            add(key.id)
            add(value)
        }
    }

    private mutating func add(_ value: [UInt8]?) {
        add(value != nil)
        if let value { add(value) }
    }

    private mutating func add(_ text: String?) {
        add(text != nil)
        if let text { add(text) }
    }
}

extension FieldReader {
    fileprivate mutating func step() -> BatchContent.Step? {
        guard let kind = byte().flatMap(BatchContent.Kind.init) else { return nil }
        switch kind {
        case .append:
            guard let drafts = list({ $0.draft() }), let removed = list({ $0.text().flatMap(LogID.init) }) else {
                return nil
            }
            return .append(drafts, removing: removed)
        case .claim:
            guard let claims = list({ $0.claim() }), let values = list({ $0.indexedStates() }) else { return nil }
            guard values.allSatisfy({ claims.indices.contains($0.0) }) else { return nil }
            return .claim(claims, updating: Dictionary(values) { first, _ in first })
        case .complete:
            guard let claim = claim(), let states = states() else { return nil }
            return .complete(claim, updating: states)
        case .setStates: return states().map { .setStates($0) }
        case .setSecrets:
            return list({ $0.secret() }).map { .setSecrets(Dictionary($0) { first, _ in first }) }
        case .setMetadata:
            guard let key = text(), let value = optional({ $0.text() }) else { return nil }
            return .setMetadata(MetadataKey(rawValue: key), value)
        case .part:
            guard let isLast = flag(), let bytes = string() else { return nil }
            return .part(bytes, isLast: isLast)
        }
    }

    /// Reads a value that may be missing. Returns `nil` if the bytes are neither a value nor none.
    private mutating func optional<Value>(_ value: (inout FieldReader) -> Value?) -> Value?? {
        guard let isPresent = flag() else { return nil }
        guard isPresent else { return .some(nil) }
        return value(&self).map { .some($0) }
    }

    private mutating func draft() -> BatchDraft? {
        guard let encoded = string(), let entry = try? Entry(encoded: encoded), let change = try? entry.change(),
            entry.revision >= 1, let hasReceipt = flag()
        else { return nil }
        var draft = EntryDraft(
            log: entry.log,
            entryID: entry.entryID,
            caller: entry.caller,
            cause: entry.cause,
            time: entry.time,
            change: change,
            expectedRevision: entry.revision - 1
        )
        if hasReceipt {
            guard let sender = id(), let app = text(), let key = id(), let digest = string(), let reply = string()
            else { return nil }
            let request = RequestKey(sender: sender, app: app, key: key)
            draft.receipt = RequestReceipt(request: request, digest: digest, reply: reply)
        }
        return BatchDraft(draft, payload: entry.payload, lineage: entry.revision == 1 ? entry.lineage : nil)
    }

    private mutating func claim() -> FiringClaim? {
        guard let home = id(), let trigger = id(), let occurrence = text(), let time = number(),
            occurrence.utf8.count <= FiringLimits.occurrenceLength, let hub = optional({ $0.id() }),
            let term = number()
        else { return nil }
        var claim = FiringClaim(
            home: home,
            trigger: trigger,
            occurrence: occurrence,
            time: Date(milliseconds: Int64(time))
        )
        claim.hub = hub
        claim.term = term
        return claim
    }

    private mutating func states() -> [StateKey: [UInt8]?]? {
        list({ $0.state() }).map { Dictionary($0) { first, _ in first } }
    }

    private mutating func indexedStates() -> (Int, [StateKey: [UInt8]?])? {
        guard let index = number(), let states = states() else { return nil }
        return (index, states)
    }

    private mutating func state() -> (StateKey, [UInt8]?)? {
        guard let kind = text(), let home = id(), let id = id(), let value = optional({ $0.string() }) else {
            return nil
        }
        return (StateKey(StateKey.Kind(rawValue: kind), home: home, id: id), value)
    }

    private mutating func secret() -> (SecretKey, [UInt8]?)? {
        guard let kind = text(), let log = optional({ $0.text().flatMap(LogID.init) }), let name = text(),
            let value = optional({ $0.string() })
        else { return nil }
        return (SecretKey(kind: SecretKey.Kind(rawValue: kind), log: log, name: name), value)
    }
}
