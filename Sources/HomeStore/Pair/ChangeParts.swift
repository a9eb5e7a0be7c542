import GRDB

/// A change that is too large for a batch goes in parts, one a batch. They are kept until the last one carries it out.
///
/// A leader proposes the parts one after the other. Whatever else comes in between is of another leader, and the change isn't
/// carried out then.
enum ChangeParts {
    private static func key(_ name: String) -> SecretKey { SecretKey(kind: .changePart, log: nil, name: name) }

    /// Returns what a batch changes, within the open transaction: its content, or the whole of which it is the last part.
    ///
    /// - Parameter content: The batch's content; `nil` for the batch with which a term begins.
    /// - Returns: `nil` if the batch changes nothing yet.
    /// - Throws: ``StoreError`` with `damaged` if the parts aren't a change.
    static func whole(of content: BatchContent?, _ database: Database) throws -> BatchContent? {
        guard let content, case .part(let bytes, let isLast)? = content.steps.first, content.steps.count == 1 else {
            try SecretTable.removeAll(.changePart, database)
            return content
        }
        let former = try SecretTable.keys(.changePart, of: nil, database)
        guard isLast else {
            // Names in the order of the parts.
            let name = String(former.count + nameOffset)
            try SecretTable.set(bytes, for: key(name), database)
            return nil
        }
        let all = try former.flatMap { try SecretTable.value($0, database) ?? [] } + bytes
        try SecretTable.removeAll(.changePart, database)
        guard let whole = BatchContent(all) else {
            throw StoreError(.damaged, "A large change of the other hub can't be read. Restore a backup.")
        }
        return whole
    }

    /// Makes all names equally long.
    private static let nameOffset = 1_000_000
}
