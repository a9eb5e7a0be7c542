package import Foundation

/// A request to change a home: its parameters, as a client sends them, and the rule that decides it.
///
/// ``Home/decide(_:by:at:)`` decides a request. To add one, write a structure like the ones in this folder, and bind it to
/// the name of its method in the hub's table of methods.
package protocol HomeRequest: Hashable, Sendable {
    /// Returns the change that carries out the request, or `nil` if there is nothing to change.
    ///
    /// The caller's permission to edit the home was checked before.
    ///
    /// - Throws: ``HomeError`` with the rule that forbids it.
    func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change?
}

/// A request that adds an object.
package protocol AdditionRequest: HomeRequest {
    /// The ID of the new object, or `nil` for a new one.
    var id: UUID? { get set }
}

/// A request that adds an object with a name.
package protocol NamedAddition: AdditionRequest, Codable {
    /// Creates a request.
    init(id: UUID?, name: String)
}

/// A request about an object of the home that says no more than which one.
package protocol ItemRequest: HomeRequest, Codable {
    /// The object.
    var id: UUID { get }

    /// Creates a request.
    init(_ id: UUID)
}

/// A request that renames an object of the home.
package protocol RenameRequest: HomeRequest, Codable {
    /// Creates a request.
    init(_ id: UUID, name: String)
}
