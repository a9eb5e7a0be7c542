package import Foundation

extension RecordList where Element: Equatable {
    /// Returns the records that are new or different from those of an earlier list, in order. A record that both lists
    /// share costs one comparison of references.
    func changed(since old: RecordList) -> [Element] {
        recordsNotShared(with: old).filter { old[id: $0.id] != $0 }
    }

    /// Returns the records whose IDs a later list lacks, in order.
    func removed(in new: RecordList) -> [Element] {
        recordsNotShared(with: new).filter { !new.contains(id: $0.id) }
    }
}

extension Home {
    /// Returns the triggers that are new or different from those of an earlier state of the home, and the IDs of those
    /// that were removed since.
    package func triggerChanges(since old: Home?) -> (changed: [TriggerRecord], removed: [UUID]) {
        guard let old else { return (Array(triggers), []) }
        return (triggers.changed(since: old.triggers), old.triggers.removed(in: triggers).map(\.id))
    }
}
