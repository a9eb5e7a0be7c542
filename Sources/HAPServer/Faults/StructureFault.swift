/// A fault in a server's structure at a start.
package enum StructureFault: Hashable, Sendable {
    /// The configuration number increases although nothing changed.
    case configurationNumber
    /// All services and characteristics except Accessory Information get new iids. The configuration number increases.
    case identifiers
}
