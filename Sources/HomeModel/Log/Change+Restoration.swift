extension Change {
    /// Returns the first change of a log that was restored from a copy.
    ///
    /// Permissions may have been revoked since the copy was made, so they must be confirmed: users other than the owner
    /// are suspended, and so are devices. Browsers, which must sign in again, and allowed apps are forgotten. Denied apps
    /// stay denied.
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
            case .accountDevice(let device) where device.removed == nil && device.key == nil:
                change.effects.append(.remove(record.recordID))
            case .accountDevice(var device) where device.removed == nil && !device.isSuspended:
                device.isSuspended = true
                change.effects.append(.put(.accountDevice(device)))
            default:
                break
            }
        }
        return change
    }
}
