internal import LocalRPC

/// A method of the simulator's control protocol: its name, its fields and its implementation.
///
/// Method names consist of a noun, a dot and a verb; `Documentation/Simulator.md` lists them. Each part of the
/// simulator has a list in an extension of this type, and ``table`` combines the lists.
package struct ControlMethod: Sendable {
    /// The implementation of a method.
    typealias Body = @Sendable (Simulator, FileNode) async throws(SimulatorError) -> ControlReply

    /// The name.
    package let name: String
    /// The fields that the parameters can have.
    package let fields: [String]
    private let body: Body

    /// Creates a method.
    ///
    /// - Parameter body: The implementation. It receives the parameters, an object that has only keys of `fields`.
    init(_ name: String, _ fields: [String], body: @escaping Body) {
        self.name = name
        self.fields = fields
        self.body = body
    }

    /// Calls the method.
    ///
    /// - Parameter parameters: The parameters as JSON.
    func call(_ simulator: Simulator, _ parameters: [UInt8]) async throws(SimulatorError) -> ControlReply {
        let node = try FileNode(parsing: FileText(request: parameters))
        _ = try node.members(fields)
        return try await body(simulator, node)
    }
}

extension ControlMethod {
    /// All methods.
    static let table: MethodTable<ControlMethod> = {
        var table = MethodTable<ControlMethod>(of: "A simulator")
        for method in accessoryMethods + libraryMethods + editMethods + valueMethods + faultMethods + eventMethods {
            table.register(method, for: method.name)
        }
        return table
    }()
}

/// The fields that several methods have in common.
enum ControlField {
    static let accessory = "accessory"
    static let name = "name"
    static let service = "service"
    static let characteristic = "characteristic"
    static let value = "value"
    static let definition = "definition"
    static let bridge = "bridge"
    static let presentValues = "presentValues"
    static let identity = "identity"
}
