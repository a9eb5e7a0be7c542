import HomeModel
import Foundation
import HubAPI

extension HMHome {
    /// The rooms in the order in which they were added, without the default room.
    /// - Since: iOS 8.0
    public var rooms: [HMRoom] {
        view.context.rooms(of: view) { $0.rooms.map(\.id) }
    }

    /// The default room: where accessories are that were put into no other. It can be neither renamed nor removed and is
    /// in no zone.
    /// - Since: iOS 8.0
    public func roomForEntireHome() -> HMRoom {
        view.context.rooms(of: view) { [$0.defaultRoom] }.first
            ?? HMRoom(view.read { $0.defaultRoom } ?? view.home, view)
    }

    /// Adds a room.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and those of ill-formed names;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func addRoom(
        withName roomName: String,
        completionHandler completion: @escaping @Sendable (HMRoom?, (any Error)?) -> Void
    ) {
        let view = view
        view.context.add(HubMethods.addRoom, AddNamed(home: view.home, name: roomName), completion) { context, id in
            context.rooms(of: view) { $0.hasRoom(id) ? [id] : [] }.first
        }
    }

    /// Adds a room; see the form with a completion.
    /// - Since: iOS 8.0
    public func addRoom(named roomName: String) async throws -> HMRoom {
        try await completing { addRoom(withName: roomName, completionHandler: $0) }
    }

    /// Removes a room. Its accessories move to the default room.
    ///
    /// Errors: ``HMError/Code/roomForHomeCannotBeUpdated`` for the default room; ``HMError/Code/insufficientPrivileges``
    /// for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func removeRoom(_ room: HMRoom, completionHandler completion: @escaping @Sendable ((any Error)?) -> Void) {
        view.context.call(
            HubMethods.removeRoom,
            try view.target(room.uniqueIdentifier, room.view),
            completion: completion
        )
    }

    /// Removes a room; see the form with a completion.
    /// - Since: iOS 8.0
    public func removeRoom(_ room: HMRoom) async throws {
        try await completing { removeRoom(room, completionHandler: $0) }
    }
}
