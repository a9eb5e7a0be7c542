import HomeModel
public import Foundation
import HubAPI

/// A zone of a home: a named group of rooms, such as “Upstairs”. A room may be in several.
///
/// Zones come from an ``HMHome``. Completions are called on the main queue, when the zone shows what was done. Properties
/// may be read on any thread.
///
/// Unlike on Apple's systems the class cannot be subclassed: its objects come from the home alone.
/// - Since: iOS 8.0
public final class HMZone: NSObject, Sendable {
    let view: HomeReference

    init(_ id: UUID, _ view: HomeReference) {
        uniqueIdentifier = id
        self.view = view
    }

    /// The zone's identity. It never changes.
    /// - Since: iOS 9.0
    public let uniqueIdentifier: UUID

    /// The zone's name.
    /// - Since: iOS 8.0
    public var name: String {
        view.read { $0.zones[id: uniqueIdentifier]?.name } ?? ""
    }

    /// The rooms in the order in which they were put into the zone.
    /// - Since: iOS 8.0
    public var rooms: [HMRoom] {
        view.context.rooms(of: view) { $0.zones[id: uniqueIdentifier]?.rooms ?? [] }
    }

    /// Renames the zone.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and those of ill-formed names,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func updateName(
        _ name: String,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        view.context.call(
            HubMethods.renameZone,
            try view.rename(uniqueIdentifier, to: name),
            completion: completion
        )
    }

    /// Renames the zone; see the form with a completion.
    /// - Since: iOS 8.0
    public func updateName(_ name: String) async throws {
        try await completing { updateName(name, completionHandler: $0) }
    }

    /// Puts a room of the home into the zone.
    ///
    /// Errors: ``HMError/Code/roomForHomeCannotBeInZone`` for the default room, ``HMError/Code/alreadyExists`` when it is
    /// in the zone already, ``HMError/Code/objectAssociatedToAnotherHome``, ``HMError/Code/insufficientPrivileges`` for
    /// guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func addRoom(_ room: HMRoom, completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        view.context.call(HubMethods.addRoomToZone, try membership(of: room), completion: completion)
    }

    /// Puts a room into the zone; see the form with a completion.
    /// - Since: iOS 8.0
    public func addRoom(_ room: HMRoom) async throws {
        try await completing { addRoom(room, completionHandler: $0) }
    }

    /// Takes a room out of the zone.
    ///
    /// Errors: ``HMError/Code/notFound`` when it is not in the zone, ``HMError/Code/objectAssociatedToAnotherHome``,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func removeRoom(_ room: HMRoom, completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        view.context.call(HubMethods.removeRoomFromZone, try membership(of: room), completion: completion)
    }

    /// Takes a room out of the zone; see the form with a completion.
    /// - Since: iOS 8.0
    public func removeRoom(_ room: HMRoom) async throws {
        try await completing { removeRoom(room, completionHandler: $0) }
    }

    private func membership(of room: HMRoom) throws(HMError) -> ZoneMembership {
        try view.check()
        try view.check(room.view)
        return ZoneMembership(home: view.home, zone: uniqueIdentifier, room: room.uniqueIdentifier)
    }
}
