extension Change {
    /// The change with which a log begins anew after it was restored from a copy. What was granted comes back as a request
    /// only, for it may have been taken back since the copy was made: people other than the owner are suspended, and apps
    /// that were allowed are no longer. Apps that were denied stay denied.
    ///
    /// - Parameter records: The log's state in the copy.
    package static func restoration(of records: some Sequence<Record>) -> Change {
        var change = Change(verb: .restored, subjects: [], effects: [])
        for record in records {
            switch record {
            case .user(var user) where user.role != .owner && !user.isSuspended:
                user.isSuspended = true
                change.subjects.append(user.id)
                change.effects.append(.put(.user(user)))
            case .accountApp(let app) where app.isAllowed:
                change.effects.append(.remove(record.recordID))
            default:
                break
            }
        }
        return change
    }
}
