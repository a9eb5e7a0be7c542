extension RecordList where Element: Equatable {
    /// Returns the records that are new or different from those of an earlier list, in order. A record that both lists
    /// share costs one comparison of references.
    package func changed(since old: RecordList?) -> [Element] {
        guard let old else { return Array(self) }
        return recordsNotShared(with: old).filter { old[id: $0.id] != $0 }
    }

    /// Returns the records whose IDs a later list lacks.
    package func removed(in new: RecordList) -> [Element] {
        recordsNotShared(with: new).filter { !new.contains(id: $0.id) }
    }
}
