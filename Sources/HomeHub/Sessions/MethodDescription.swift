/// A method's name and types, for those who describe the hub's methods.
package struct MethodDescription: Sendable {
    /// The name.
    package let name: String
    /// The type of the parameters.
    package let parameters: any (Codable & Sendable).Type
    /// The type of the result.
    package let result: any (Codable & Sendable).Type
}
