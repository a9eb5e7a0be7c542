/// A method of the simulator's control: what it is called, which fields it takes and what it does.
///
/// Requests name methods by a noun, a dot and a verb; `Documentation/Simulator.md` lists them. Each part of the simulator
/// has a list of its own in an extension of this type, and ``all`` puts the lists together.
package struct ControlMethod: Sendable {
    /// What does it.
    typealias Body = @Sendable (Simulator, FileNode) async throws(SimulatorError) -> ControlReply

    /// The name.
    package let name: String
    /// The fields that the parameters may have.
    package let fields: [String]
    private let body: Body

    /// Creates a method.
    ///
    /// - Parameter body: Takes the parameters, an object with no fields but `fields`.
    init(_ name: String, _ fields: [String], body: @escaping Body) {
        self.name = name
        self.fields = fields
        self.body = body
    }

    /// Does it.
    ///
    /// - Parameter parameters: The parameters as JSON.
    func call(_ simulator: Simulator, _ parameters: [UInt8]) async throws(SimulatorError) -> ControlReply {
        let node = try FileNode(parsing: FileText(request: parameters))
        _ = try node.members(fields)
        return try await body(simulator, node)
    }
}

extension ControlMethod {
    /// Every method, by name.
    package static let all: [String: ControlMethod] = Dictionary(
        uniqueKeysWithValues: (accessoryMethods + editMethods + valueMethods + faultMethods + eventMethods)
            .map { ($0.name, $0) }
    )
}

/// The fields that several methods share.
enum ControlField {
    static let accessory = "accessory"
    static let service = "service"
    static let characteristic = "characteristic"
    static let value = "value"
    static let definition = "definition"
    static let bridge = "bridge"
    static let presentValues = "presentValues"
    static let identity = "identity"
}
