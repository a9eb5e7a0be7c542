import HomeModel
public import Foundation
import HubAPI

/// A room of a home.
///
/// Rooms come from an ``HMHome``. Completions are called on the main queue, when the room shows what was done. Properties
/// may be read on any thread.
///
/// Unlike on Apple's systems the class cannot be subclassed: its objects come from the home alone.
/// - Since: iOS 8.0
public final class HMRoom: NSObject, Sendable {
    let view: HomeReference

    init(_ id: UUID, _ view: HomeReference) {
        uniqueIdentifier = id
        self.view = view
    }

    /// The room's identity. It never changes.
    /// - Since: iOS 9.0
    public let uniqueIdentifier: UUID

    /// The room's name; the default room is called “Default Room”.
    /// - Since: iOS 8.0
    public var name: String {
        view.read { $0.roomName(uniqueIdentifier) } ?? ""
    }

    /// The accessories in the room, in the order in which they were added to the home.
    /// - Since: iOS 8.0
    public var accessories: [HMAccessory] {
        view.context.accessories(of: view) { $0.accessories(inRoom: uniqueIdentifier).map(\.id) }
    }

    /// Renames the room.
    ///
    /// Errors: ``HMError/Code/roomForHomeCannotBeUpdated`` for the default room,
    /// ``HMError/Code/objectWithSimilarNameExistsInHome`` and those of ill-formed names,
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func updateName(
        _ name: String,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        view.context.call(
            HubMethods.renameRoom,
            try view.rename(uniqueIdentifier, to: name),
            completion: completion
        )
    }

    /// Renames the room; see the form with a completion.
    /// - Since: iOS 8.0
    public func updateName(_ name: String) async throws {
        try await completing { updateName(name, completionHandler: $0) }
    }
}
