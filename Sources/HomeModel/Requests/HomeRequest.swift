package import Foundation

/// A request to change a home: the parameters that a client sends, and the rule that decides the change.
///
/// ``Home/decide(_:by:at:)`` decides a request. To add one, write a structure like the ones in this folder, and bind it to
/// the name of its method in the hub's table of methods.
package protocol HomeRequest: Hashable, Sendable {
    /// Returns the change that carries out the request, or `nil` if there is nothing to change.
    ///
    /// The caller's permission to edit the home has already been checked.
    ///
    /// - Throws: ``HomeError`` if a rule forbids the change.
    func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change?
}

/// A request that adds an object.
package protocol AdditionRequest: HomeRequest {
    /// The ID for the new object, or `nil` to create one.
    var id: UUID? { get set }
}

/// A request that adds an object with a name.
package protocol NamedAddition: AdditionRequest, Codable {
    /// Creates a request.
    init(id: UUID?, name: String)
}

/// A request about an object of the home whose only parameter is the object's ID.
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
