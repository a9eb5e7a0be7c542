import HomeModel
public import Foundation
import HubAPI

/// A named group of rooms of a home, such as “Upstairs”. A room can be in several zones.
///
/// Get zones from an ``HMHome``. Completion handlers are called on the main queue. When one is called, the zone already
/// reflects the change. Properties can be read from any thread.
///
/// Unlike on Apple's systems, the class can't be subclassed, because only the framework creates its objects.
/// - Since: iOS 8.0
public final class HMZone: NSObject, Sendable {
    let homeReference: HomeReference

    init(_ id: UUID, _ homeReference: HomeReference) {
        uniqueIdentifier = id
        self.homeReference = homeReference
    }

    /// The zone's identity. It never changes.
    /// - Since: iOS 9.0
    public let uniqueIdentifier: UUID

    /// The zone's name.
    /// - Since: iOS 8.0
    public var name: String {
        homeReference.read { $0.zones[id: uniqueIdentifier]?.name } ?? ""
    }

    /// The rooms, in the order in which they were added to the zone.
    /// - Since: iOS 8.0
    public var rooms: [HMRoom] {
        homeReference.context.rooms(of: homeReference) { $0.zones[id: uniqueIdentifier]?.rooms ?? [] }
    }

    /// Renames the zone.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and the errors for invalid names,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func updateName(
        _ name: String,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        homeReference.context.call(
            HubMethods.renameZone,
            try homeReference.rename(uniqueIdentifier, to: name),
            completion: completion
        )
    }

    /// Renames the zone; see the completion-handler form.
    /// - Since: iOS 8.0
    public func updateName(_ name: String) async throws {
        try await completing { updateName(name, completionHandler: $0) }
    }

    /// Adds a room of the home to the zone.
    ///
    /// Errors: ``HMError/Code/roomForHomeCannotBeInZone`` for the default room, ``HMError/Code/alreadyExists`` if it is
    /// already in the zone, ``HMError/Code/objectAssociatedToAnotherHome``, ``HMError/Code/insufficientPrivileges`` for
    /// guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func addRoom(_ room: HMRoom, completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        homeReference.context.call(
            HubMethods.addRoomToZone,
            try request(AddRoomToZone.init, room),
            completion: completion
        )
    }

    /// Adds a room to the zone; see the completion-handler form.
    /// - Since: iOS 8.0
    public func addRoom(_ room: HMRoom) async throws {
        try await completing { addRoom(room, completionHandler: $0) }
    }

    /// Removes a room from the zone.
    ///
    /// Errors: ``HMError/Code/notFound`` if it isn't in the zone, ``HMError/Code/objectAssociatedToAnotherHome``,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func removeRoom(_ room: HMRoom, completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        homeReference.context.call(
            HubMethods.removeRoomFromZone,
            try request(RemoveRoomFromZone.init, room),
            completion: completion
        )
    }

    /// Removes a room from the zone; see the completion-handler form.
    /// - Since: iOS 8.0
    public func removeRoom(_ room: HMRoom) async throws {
        try await completing { removeRoom(room, completionHandler: $0) }
    }

    private func request<Request>(
        _ make: (_ room: UUID, _ zone: UUID) -> Request,
        _ room: HMRoom
    ) throws(HMError) -> InHome<Request> {
        try homeReference.check()
        try homeReference.check(room.homeReference)
        return InHome(homeReference.home, make(room.uniqueIdentifier, uniqueIdentifier))
    }
}
