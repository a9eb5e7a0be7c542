import HomeModel
import Foundation
import HubAPI

extension HMHome {
    /// The rooms, except the default room, in the order in which they were added.
    /// - Since: iOS 8.0
    public var rooms: [HMRoom] {
        homeReference.context.rooms(of: homeReference) { $0.rooms.map(\.id) }
    }

    /// The default room, for accessories that aren't assigned to another room. It can't be renamed, removed or added to
    /// a zone.
    /// - Since: iOS 8.0
    public func roomForEntireHome() -> HMRoom {
        homeReference.context.rooms(of: homeReference) { [$0.defaultRoom] }.first
            ?? HMRoom(homeReference.read { $0.defaultRoom } ?? homeReference.home, homeReference)
    }

    /// Adds a room.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and the errors for invalid names;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func addRoom(
        withName roomName: String,
        completionHandler completion: @escaping @Sendable (HMRoom?, (any Error)?) -> Void
    ) {
        let homeReference = homeReference
        homeReference.context.add(HubMethods.addRoom, InHome(homeReference.home, AddRoom(name: roomName)), completion) {
            context,
            id in
            context.rooms(of: homeReference) { $0.hasRoom(id) ? [id] : [] }.first
        }
    }

    /// Adds a room; see the completion-handler form.
    /// - Since: iOS 8.0
    public func addRoom(named roomName: String) async throws -> HMRoom {
        try await completing { addRoom(withName: roomName, completionHandler: $0) }
    }

    /// Removes a room. Its accessories move to the default room.
    ///
    /// Errors: ``HMError/Code/roomForHomeCannotBeUpdated`` for the default room;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func removeRoom(_ room: HMRoom, completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        homeReference.context.call(
            HubMethods.removeRoom,
            try homeReference.target(room.uniqueIdentifier, room.homeReference),
            completion: completion
        )
    }

    /// Removes a room; see the completion-handler form.
    /// - Since: iOS 8.0
    public func removeRoom(_ room: HMRoom) async throws {
        try await completing { removeRoom(room, completionHandler: $0) }
    }
}
