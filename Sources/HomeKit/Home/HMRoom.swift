import HomeModel
public import Foundation
import HubAPI

/// A room of a home.
///
/// Get rooms from an ``HMHome``. Completion handlers are called on the main queue. When one is called, the room already
/// reflects the change. Properties can be read from any thread.
///
/// Unlike on Apple's systems, the class can't be subclassed, because only the framework creates its objects.
/// - Since: iOS 8.0
public final class HMRoom: NSObject, Sendable {
    let homeReference: HomeReference

    init(_ id: UUID, _ homeReference: HomeReference) {
        uniqueIdentifier = id
        self.homeReference = homeReference
    }

    /// The room's identity. It never changes.
    /// - Since: iOS 9.0
    public let uniqueIdentifier: UUID

    /// The room's name. The default room is called “Default Room”.
    /// - Since: iOS 8.0
    public var name: String {
        homeReference.read { $0.roomName(uniqueIdentifier) } ?? ""
    }

    /// The accessories in the room, in the order in which they were added to the home.
    /// - Since: iOS 8.0
    public var accessories: [HMAccessory] {
        homeReference.context.accessories(of: homeReference) { $0.accessories(inRoom: uniqueIdentifier).map(\.id) }
    }

    /// Renames the room.
    ///
    /// Errors: ``HMError/Code/roomForHomeCannotBeUpdated`` for the default room,
    /// ``HMError/Code/objectWithSimilarNameExistsInHome`` and the errors for invalid names,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func updateName(
        _ name: String,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        homeReference.context.call(
            HubMethods.renameRoom,
            try homeReference.rename(uniqueIdentifier, to: name),
            completion: completion
        )
    }

    /// Renames the room; see the completion-handler form.
    /// - Since: iOS 8.0
    public func updateName(_ name: String) async throws {
        try await completing { updateName(name, completionHandler: $0) }
    }
}
