package import Foundation

/// Moves a room before another one in the order in which the home's rooms are shown.
package struct ReorderRoom: HomeRequest, Codable {
    /// The room.
    package var id: UUID
    /// The room that follows it, or `nil` for the end.
    package var before: UUID?

    /// Creates a request.
    package init(_ id: UUID, before: UUID?) {
        self.id = id
        self.before = before
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.reorderRoom(id, before: before)
    }
}

/// Moves a service before another one in the order in which the services of a room are shown.
package struct ReorderService: HomeRequest, Codable {
    /// The service.
    package var service: ServiceIdentity
    /// The service that follows it, in the same room, or `nil` for the end.
    package var before: ServiceIdentity?

    /// Creates a request.
    package init(_ service: ServiceIdentity, before: ServiceIdentity?) {
        self.service = service
        self.before = before
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.reorderService(service, before: before)
    }
}

/// Hides a service from the lists of the home, or shows it again.
package struct SetServiceHidden: HomeRequest, Codable {
    /// Whether it is hidden.
    package var isHidden: Bool
    /// The accessory.
    package var accessory: UUID
    /// The service's instance ID.
    package var iid: UInt64

    /// Creates a request.
    package init(_ isHidden: Bool, accessory: UUID, iid: UInt64) {
        self.isHidden = isHidden
        self.accessory = accessory
        self.iid = iid
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.setHidden(isHidden, accessory: accessory, iid: iid)
    }
}

/// Sets whether clients ask for confirmation before they control a service.
package struct SetServiceAsksFirst: HomeRequest, Codable {
    /// Whether they ask.
    package var asksFirst: Bool
    /// The accessory.
    package var accessory: UUID
    /// The service's instance ID.
    package var iid: UInt64

    /// Creates a request.
    package init(_ asksFirst: Bool, accessory: UUID, iid: UInt64) {
        self.asksFirst = asksFirst
        self.accessory = accessory
        self.iid = iid
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.setAsksFirst(asksFirst, accessory: accessory, iid: iid)
    }
}

/// Sets the icon of a scene.
package struct SetSceneIcon: HomeRequest, Codable {
    /// The action set.
    package var id: UUID
    /// The icon, or `nil` for the default one.
    package var icon: SceneIcon?

    /// Creates a request.
    package init(_ icon: SceneIcon?, of id: UUID) {
        self.id = id
        self.icon = icon
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.setIcon(icon, ofActionSet: id)
    }
}
